# 트랜스포머 블록 페이지와 그 그림.

page-block = 트랜스포머 블록

view-block = 트랜스포머 블록 보기
view-block-stream = 잔차 스트림
view-block-norm = 층 정규화
view-block-lens = 로짓 렌즈
view-block-gradients = 기울기 흐름

# 볼 곳 고르기

block-stack = 스택
block-stack-encoder = 인코더
block-stack-decoder = 디코더
block-token = 토큰
block-sublayer = 서브레이어
block-sublayer-self = 셀프 어텐션
block-sublayer-recurrence = 순환
block-sublayer-cross = 크로스 어텐션
block-sublayer-feed_forward = 피드포워드
block-place = { $layer }층 · { $name }
block-place-in = { $stack ->
    [encoder] 인코더 { $layer }층 · { $name }
   *[decoder] 디코더 { $layer }층 · { $name }
 }
block-input = 입력
block-order = { $order ->
    [pre] Pre-norm: 이 모델은 서브레이어 앞에서 정규화하고 합은 정규화하지 않습니다(Xiong et al. 2020). x는 잔차 스트림이고, Sublayer는 어텐션 또는 피드포워드입니다.
   *[post] Post-norm: 이 모델은 Vaswani et al.(2017)처럼 더한 다음 정규화합니다. x는 잔차 스트림이고, Sublayer는 어텐션 또는 피드포워드입니다.
 }

# 잔차 스트림

block-before = 이전 ‖x‖
block-added = ‖서브레이어 출력‖
block-key-summed = x + 출력: 둘의 합
block-key-ring = { $order ->
    [pre] 다음으로 전달되는 x의 노름
   *[post] 층 정규화 이후 x의 노름
 }
block-key-added = { $name }의 출력
block-key-before = 서브레이어 이전의 x
block-key-turn = 화살표 길이: 노름. x와 합 사이의 각도: 출력이 x를 돌린 각도.
block-cosine = cos(출력, x)
block-summed = ‖x + 출력‖
block-after = 이후 ‖x‖
block-turn = 회전각(도)
block-stream-numbers = x 길이의 { FIXED($ratio, digits: 1) }배, x를 { FIXED($turn, digits: 0) }° 회전
block-stream-alt = { $token }의 서브레이어 { $n }개를 각각 화살표 삼각형으로 그린 그림. 이전 잔차 스트림, 서브레이어 출력, 둘의 합을 같은 축척으로 보여 주고, 고리는 이후 잔차 스트림의 노름입니다.
block-stream-file = 잔차 스트림 { $token }
block-stream-found = **{ $sublayer }** 서브레이어는 “{ $token }”에 { $most ->
    [yes] 길이(노름)가 가장 긴 벡터를 더합니다.
   *[no] 벡터를 더합니다.
 } 잔차 스트림의 { FIXED($ratio, digits: 1) }배이며, 방향을 **{ FIXED($turn, digits: 0) }°** 돌립니다.
block-stream-caption = 모든 칸의 축척이 같습니다. 층마다 열 하나이며 위에서 아래로 읽습니다. 두 벡터는 한 평면에 놓이므로 각도와 길이는 정확합니다. 칸을 클릭하면 선택됩니다.

# 셀프 어텐션 자리의 순환

block-gates = { $layer }층 순환의 게이트
block-gates-left = 셀에 남은 비율
block-gates-row = 읽은 토큰(행)
block-gates-column = 앞선 토큰의 입력(열)
block-gates-told = “{ $token }”에서 망각 게이트는 앞 스텝의 셀 가운데 평균 **{ PERCENT($kept, digits: 0) }만** 남깁니다. 그러면 셀에서 이 토큰의 입력은 가중치가 **{ FIXED($own) }**, 앞선 토큰의 입력은 모두 합쳐 { FIXED($before) }입니다.
block-gates-alt = 디코더가 읽는 토큰의 행렬. { $layer }층 순환에서 앞 토큰의 입력이 뒤 토큰에 얼마나 남아 있는지 보여 줍니다.
block-gates-file = { $layer }층 순환의 게이트 { $text }
block-gates-caption = 어텐션을 대신하는 순환: 셀 c = f · c + (1 − f) · xW가 토큰에서 토큰으로 이어집니다(SSRU, Kim et al. 2019). 토큰 s의 입력은 토큰 t에 (1 − f_s) · f_s+1 ⋯ f_t만큼 남습니다. 행렬은 모든 유닛의 평균입니다.

# 층 정규화

block-stage = 단계
block-stage-given = 입력
block-stage-standardised = 정규화 후
block-stage-scaled = 게인·편향 적용 후
block-stage-gained = 게인 적용 후
block-dimension = 차원
block-value = 값
block-value-axis = 차원별 값(띠: 평균 ± 표준편차)
block-strip-sd = 표준편차 { FIXED($sd) }
block-mean = 평균
block-sd = 표준편차
block-moments-heading = 평균, 표준편차
block-moments-below = 표준편차
block-moments-alt = 층 정규화의 단계별로 벡터의 평균, 분산, 최솟값, 최댓값을 정리한 표.
block-moments-stage = { block-stage }
block-moments-mean = { block-mean }
block-moments-variance = 분산
block-moments-smallest = 최솟값
block-moments-largest = 최댓값
block-norm-alt = 벡터의 모든 값을 눈금으로 그린 그림. { $kind ->
    [rms] RMSNorm의 입력, 제곱평균 1로 정규화한 값, 게인을 적용한 값입니다.
   *[layer] 층 정규화의 입력, 평균 0과 분산 1로 정규화한 값, 게인과 편향을 적용한 값입니다.
 }
block-norm-file = LayerNorm { $token }
block-norm-found = { $kind ->
    [rms] **{ $sublayer }** 다음에 “{ $token }” 벡터 값의 제곱평균제곱근은 **{ $given }**입니다. RMSNorm이 1로 맞추고(모든 토큰에서), 게인을 거친 값은 **{ $scaled }**입니다.
   *[layer] **{ $sublayer }** 다음에 “{ $token }” 벡터 값의 표준편차는 **{ $given }**입니다. 층 정규화가 1로 맞추고(모든 토큰에서), 게인과 편향을 거친 값은 **{ $scaled }**입니다.
 }
block-norm-told = { $kind ->
    [rms] RMSNorm(Zhang and Sennrich 2019)은 평균을 빼지 않고 편향도 더하지 않습니다. 게인은 차원마다 따로 학습한 값이며, 범위는 { $low }–{ $high }입니다. 제곱평균에 ε = { $eps }{ JOSA($eps, "을/를") } 더하므로 정규화한 제곱평균은 1보다 조금 작습니다.
   *[layer] 이 층 정규화의 게인은 차원마다 따로 학습한 값이며, 범위는 { $low }–{ $high }입니다. 분산에 ε = { $eps }{ JOSA($eps, "을/를") } 더하므로 정규화한 분산은 1보다 조금 작습니다.
 }
block-batch = { $kind ->
    [rms] RMSNorm과 배치 정규화
   *[layer] 층 정규화와 배치 정규화
 }
block-batch-cut = { $of }토큰 중 { $n }토큰만 그리지만, 평균과 표준편차는 모든 토큰으로 계산합니다.
block-norm-given = 입력
block-norm-layer = 층 정규화: 행별
block-norm-rms = RMSNorm: 행별
block-norm-batch = 배치 정규화: 열별
block-dimensions-axis = 차원(일부)
block-shade = 값(입력은 표준편차 단위)
block-of = 토큰 또는 차원
block-batch-alt = 토큰 × 차원 행렬 세 개. 입력, { $kind ->
    [rms] 행마다 제곱평균 1인 RMSNorm
   *[layer] 행마다 평균 0과 분산 1인 층 정규화
 }, 열마다 평균 0과 분산 1인 배치 정규화입니다. 평균과 표준편차는 행 옆과 열 아래에 있습니다.
block-batch-file = 층 정규화와 배치 정규화 { $token }
block-batch-caption = { $n ->
    [1] 토큰이 하나뿐이면 배치 정규화는 비교할 값이 없어 모든 차원이 0이 됩니다.
   *[other] { $kind ->
        [rms] 다른 토큰 하나를 빼면 “{ $token }”의 값이 RMSNorm에서는 최대 { $layer }, 배치 정규화에서는 최대 **{ $batch }**만큼 달라집니다. RMSNorm은 이 토큰에만 의존하고, 배치 정규화는 배치 전체에 의존합니다.
       *[layer] 다른 토큰 하나를 빼면 “{ $token }”의 값이 층 정규화에서는 최대 { $layer }, 배치 정규화에서는 최대 **{ $batch }**만큼 달라집니다. 층 정규화는 이 토큰에만 의존하고, 배치 정규화는 배치 전체에 의존합니다.
    }
 }

# 구성 요소 제거

block-run = 실행
block-alike-axis = 평균 코사인 유사도(1: 같은 방향)

# 로짓 렌즈

block-lens-after = 통과한 서브레이어
block-lens-columns-decoder = 예측할 토큰(그 왼쪽 토큰까지 읽은 상태)
block-lens-columns-encoder = 읽은 토큰
block-lens-five = 상위 토큰
block-lens-wanted = { $stack ->
    [encoder] p(입력 토큰)
   *[decoder] p(출력 토큰)
 }
block-lens-rank = { $stack ->
    [encoder] 입력 토큰의 순위
   *[decoder] 출력 토큰의 순위
 }
block-lens-prob = { $stack ->
    [encoder] 칸에 적힌 토큰의 확률(테두리: 입력 토큰)
   *[decoder] 칸에 적힌 토큰의 확률(테두리: 출력 토큰)
 }
block-lens-alt = { $stack ->
    [encoder] 인코더 서브레이어 × 원문 토큰 행렬. 칸마다 확률이 가장 높은 토큰이 있고, 입력 토큰과 같으면 테두리가 있습니다.
   *[decoder] 디코더 서브레이어 × 위치 행렬. 칸마다 확률이 가장 높은 토큰이 있고, 출력 토큰과 같으면 테두리가 있습니다.
 }
block-lens-file = logit lens { $text }
block-lens-caption = 로짓 렌즈(logit lens)는 모든 은닉 상태를 마지막 층의 상태인 것처럼 출력층에 넣어 봅니다. 위쪽 행에서는 방금 읽은 토큰의 임베딩이 아직 벡터의 대부분이어서 그 토큰이 다시 나오곤 합니다. 해석을 돕는 도구일 뿐, 중간 층을 이렇게 쓰도록 학습하지는 않았습니다.
block-lens-found = { $place ->
    [none] { $stack ->
        [encoder] 인코더 끝에서 “{ $token }”{ JOSA($token, "은/는") } 더 이상 자기 위치의 1위 토큰이 아닙니다({ $rank }위). 서브레이어를 거치면서 은닉 상태가 이 토큰에서 멀어졌습니다.
       *[decoder] 디코더 끝에서 “{ $token }”{ JOSA($token, "은/는") } 1위 토큰이 아닙니다({ $rank }위). 문장 전체의 점수가 더 높아서 탐색이 고른 토큰입니다.
     }
   *[other] { $stack ->
        [encoder] “{ $token }”{ JOSA($token, "은/는") } { $once ->
            [yes] { $place } 다음인 인코더 끝에서(**{ PERCENT($last, digits: 0) }**)
           *[no] **{ $place }**(**{ PERCENT($first, digits: 0) }**)부터 인코더 끝(**{ PERCENT($last, digits: 0) }**)까지
        } 자기 위치에서 확률이 가장 높은 토큰입니다.
       *[decoder] “{ $token }”{ JOSA($token, "은/는") } { $once ->
            [yes] { $place } 다음인 디코더 끝에서(**{ PERCENT($last, digits: 0) }**)
           *[no] **{ $place }**(**{ PERCENT($first, digits: 0) }**)부터 디코더 끝(**{ PERCENT($last, digits: 0) }**)까지
        } 확률이 가장 높은 토큰입니다.
     }
 }
block-lens-position = “{ $token }” 위치의 상위 토큰
block-lens-table-alt = 선택한 위치에서 서브레이어를 통과할 때마다 상위 토큰 다섯 개와 그 확률, 자기 토큰의 확률과 순위를 정리한 표.

# 기울기 흐름

block-weights = 가중치
block-weights-random = 무작위 초기화
block-weights-trained = 학습 후
block-gradients-plain = 원래 모델
block-gradients-residual = 잔차 연결 없음
block-gradients-norm = 층 정규화 없음
block-gradients-both = 둘 다 없음
block-gradient-axis = 기울기의 크기(노름): 학습 신호의 세기(로그 눈금)
block-gradients-working = 기울기를 계산하는 중…
block-gradients-alt = 인코더와 디코더의 서브레이어를 따라 네 모델을 비교한 선그래프. 원래 모델, 잔차 연결이 없는 모델, 층 정규화가 없는 모델, 둘 다 없는 모델의 기울기 노름이며, 반올림 오차 수준으로 0이면 가위표로 나타냅니다.
block-gradients-file = 기울기 흐름 { $text }
block-gradients-caption = 노름(위치 평균)이 원래 모델의 0.1%보다 작으면 소실된 것으로 봅니다. 손실은 위 출력 { $n }토큰의 −log p 평균입니다. 원래 모델에서는 { $loss }, 잔차 연결이 없으면 { $cut_loss }입니다.{ $weights ->
    [random] {" "}무작위 가중치로는 둘 다 찍는 수준이므로 어느 쪽이 낮은지는 우연입니다.
   *[trained] {""}
 }
block-gradients-found = { $decoder ->
    [0] 잔차 연결을 제거해도 디코더에서는 기울기가 소실되지 않습니다.
   *[other] 잔차 연결을 제거하면 디코더의 서브레이어 { $n_decoder }개 중 **{ $decoder }개에서** 기울기가 소실됩니다.
 }{ $n_encoder ->
    [0] {""}
   *[other] {" "}인코더에서는 { $n_encoder }개 { $encoder ->
        [0] 모두 소실되지 않습니다.
       *[other] 중 **{ $encoder }개에서** 소실됩니다.
     }
 }{ $weights ->
    [random] {""}
   *[trained] {" "}단, 이 가중치는 잔차 연결을 둔 채 학습한 값입니다.
 }
block-gradients-bypass =
    크로스 어텐션이 인코더 출력을 직접 읽어서
    기울기가 이 행들을 거치지 않고 도달합니다.
block-gradients-spared = 인코더의 마지막 서브레이어에서 첫 서브레이어까지 남는 비율은 잔차 연결만 제거하면 { PERCENT($cut, digits: 0) }, 층 정규화까지 제거하면 { PERCENT($both, digits: 0) }입니다.
block-gradients-none = ✕ 반올림 오차 수준의 0
block-gradients-vanished = 회색: 소실(원래 모델의 { PERCENT($share) } 미만)
block-gradient-rows = 기울기의 방향: 아래(손실)에서 위(입력)로 →
block-alike-rows = ← 입력에서 출력으로
block-gradients-kept = 서브레이어는 기울기로 학습합니다. 원래 모델에서는 마지막 서브레이어에서 첫 서브레이어까지 노름이 { $change }{ JOSA($change, "으로/로") } 바뀝니다{ $grows ->
    [yes] . 층 정규화가 없으면 { $growth }{ JOSA($growth, "으로/로") } 커집니다.
   *[no] .
 }
block-gradients-named = { $name }: { $change }
block-gradients-share = { PERCENT($share, digits: 0) }
block-gradients-fold = { FACTOR($growth) }배
block-gradients-beside = 이름 옆: 맨 아래에 대한 맨 위 노름의 비
block-alike = 토큰 사이의 유사도
block-alike-alt = 인코더와 디코더의 서브레이어를 따라 네 모델을 비교한 선그래프. 위치 쌍의 출력 사이 평균 코사인 유사도입니다.
block-alike-file = 위치 사이의 유사도 { $text }
block-alike-caption = 1이면 모든 토큰의 벡터가 같아서, 어텐션으로 구별할 차이가 남지 않습니다.
block-gradients-way = { $order ->
    [pre] Pre-norm: 잔차 경로가 층 정규화를 거치지 않아 기울기가 그대로 지나갑니다(Xiong et al. 2020).
   *[post] Post-norm: 잔차 경로도 층 정규화를 거치며, 층 정규화는 기울기의 크기를 바꾸고 일부를 제거합니다. 기울기가 그대로 지나가는 모델은 pre-norm뿐입니다(Xiong et al. 2020).
 }
