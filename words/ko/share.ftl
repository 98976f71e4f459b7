# 생성한 토큰마다 원문과 접두부가 차지하는 비율(ALTI+).

share-source = 원문 기여도
share-prefix = 앞서 생성한 토큰의 기여도
share-from = 가장 크게 기여한 원문 토큰
share-part = 그 토큰의 기여도
share-beside-source = 원문
share-beside-prefix = 앞선 토큰
share-beside-mean = 테스트 세트 평균
share-mean = 테스트 세트 평균(같은 구간)
share-share = 기여도
share-token = 생성한 토큰
share_token = 출력 토큰
share-source-tokens = 원문
share-prefix-tokens = 앞서 생성한 토큰(접두부)
share-tokens = 토큰별 기여도
share-token-found = “{ $token }”에 원문이 기여하는 비율은 **{ PERCENT($share, digits: 0) }이고**, 가장 크게 기여하는 원문 토큰은 “{ $source }”(**{ PERCENT($part, digits: 0) }**)입니다.
share-tokens-found = 원문의 기여가 가장 큰 토큰은 “{ $most_token }”({ PERCENT($most, digits: 0) }), 가장 작은 토큰은 “{ $least_token }”({ PERCENT($least, digits: 0) })입니다.
share-found = 생성한 토큰에 원문이 기여하는 비율은 평균 { PERCENT($mean, digits: 0) }이고, { $whole ->
    [yes] 나머지는 접두부(이미 생성한 토큰)가 기여합니다.
   *[no] 접두부가 기여하는 비율은 { PERCENT($prefix, digits: 0) }입니다.
 }
share-curve-alt = 생성한 토큰 { $n }개의 원문 기여도를 막대로, 앞서 생성한 토큰의 기여도를 그 위에 나타낸 그래프. 측정값이 있으면 여러 문장의 평균을 점선으로 표시합니다.
share-curve-file = 원문 기여도 { $text }
share-curve-caption = ALTI+는 가중치만이 아니라 모든 토큰의 벡터를 모든 층에 걸쳐 따라갑니다. 진한 부분은 가장 크게 기여한 원문 토큰입니다.{ $usual ->
    [none] { "" }
   *[other] { " " }점선과 95% 구간은 출력을 10등분했을 때 같은 구간에서 잰 테스트 세트의 평균({ PERCENT($usual, digits: 0) })입니다.
 }
share-map-alt = 생성한 토큰 { $n }개에 원문 토큰과 접두부 토큰이 기여한 정도를 나타낸 맵 두 개. 두 맵을 합치면 각 행의 합은 { $whole ->
    [yes] 100%입니다.
   *[no] 100% 이하입니다.
 }
share-map-file = 토큰 기여도 { $text }
share-map-caption = { $whole ->
    [yes] 각 행의 합은 두 맵을 합쳐 100%입니다.
   *[no] 각 행의 합은 두 맵을 합쳐 100% 이하입니다. 모자란 만큼은 어느 토큰의 기여로도 볼 수 없습니다. 일부 층에서는 어느 토큰의 벡터를 더해도 출력에 가까워지지 않기 때문입니다(ALTI+).
 }
share-agreement = 하나씩 제거(LOO) 중요도와 비교하면 따로 검증할 수 있습니다. 이 문장에서 LOO 중요도와의 순위 상관(스피어만 ρ, 토큰 평균)은 ALTI+가 { SIGNED($alti) }, 어텐션 가중치 평균이 { SIGNED($weights) }입니다.
share-agreement-stored = 문장 { $n }개에서는 ALTI+가 **{ SIGNED($alti_value) }**(95% 신뢰구간 { SIGNED($alti_low) }, { SIGNED($alti_high) }), 가중치 평균이 **{ SIGNED($weights_value) }**(95% 신뢰구간 { SIGNED($weights_low) }, { SIGNED($weights_high) })입니다. { $truer ->
    [yes] 여기서는 토큰을 가렸을 때의 변화를 ALTI+가 가중치보다 더 잘 예측합니다.
   *[no] 따라서 이 모델에서는 토큰을 가렸을 때의 변화를 ALTI+가 가중치보다 더 잘 예측하지 못합니다. ALTI+는 원문과 접두부의 균형을 보는 데 쓰세요.
 }
