# 헤드의 점수를 합으로 나누어 보기: 쿼리와 키를 이루는 것.

why-place = 헤드
why-query = 쿼리
why-key = 키
why-asks = 쿼리 성분
why-asks-help = 쿼리에서 이 성분이 점수에 기여한 부분만 맵에 표시합니다. 성분은 임베딩, 위치, 앞선 서브레이어가 각각 잔차 스트림에 더한 벡터입니다.
why-answers = 키 성분
why-answers-help = 키에서 이 성분이 점수에 기여한 부분만 맵에 표시합니다.

why-part-content = 내용
why-part-position = 위치
why-part-biases = 편향
why-part = { $name ->
    [self] { $layer }층 어텐션
    [feed_forward] { $layer }층 FFN
   *[other] { $layer }층 { $name }
 }
why-pair = { $query } → { $key }
why-rest = 나머지 쌍({ $n }개)
why-score = 점수
why-mean = 행 평균
why-centred = 점수 − 행 평균
why-contribution = 쿼리 성분 → 키 성분
why-shares = 이 층 모든 헤드에서의 비율
why-shares-told = 한 행 안의 점수 변화에 대한 비율(0보다 작으면 반대 방향)
why-share = 비율

why-cell = { $layer }층 { $head }번 헤드에서 “{ $row }” → “{ $column }” 점수는 **{ SIGNED($value) }**입니다. 가장 큰 성분은 { $pair ->
    [content-content] 두 단어의 내용
    [content-position] “{ $row }”의 내용과 “{ $column }”의 위치
    [position-content] “{ $row }”의 위치와 “{ $column }”의 내용
    [position-position] 두 단어의 위치
   *[other] { $part }
 }에서 나옵니다(**{ SIGNED($amount) }**).
why-sum = 이 점수를 이루는 합
why-sum-told = 쿼리의 성분 → 키의 성분
why-found = 맵의 값 { SIGNED($centred) }{ JOSA(SIGNED($centred), "은/는") } 행 평균과의 차이입니다. 이 문장 전체에서 점수가 한 행 안에서 달라지는 정도(분산)의 { PERCENT($share, digits: 0) }{ JOSA(PERCENT($share, digits: 0), "을/를") } { $segment } 성분이 설명합니다.
why-alt = { $layer }층 { $head }번 헤드의 점수 맵, “{ $row }” → “{ $column }” 점수를 이루는 성분의 막대그래프, 그리고 이 층의 모든 헤드에서 각 성분이 차지하는 비율의 누적 막대그래프.
why-file = 점수 분해 { $text }
why-caption = “{ $row }” → “{ $column }” 점수 { SIGNED($value) }{ JOSA(SIGNED($value), "은/는") } 성분 { $n }개의 합입니다(“내용 → 위치”는 쿼리의 내용과 키의 위치에서 온 성분). 막대는 바로 위 막대가 끝난 곳에서 시작합니다. 가중치를 바꾸는 것은 성분과 행 평균의 차이뿐이며, 행 평균은 막대 위에 마우스를 올리면 나옵니다.
