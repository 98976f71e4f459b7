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
why-shares = 점수 분산에서 차지하는 비율
why-share = 비율

why-cell = { $layer }층 { $head }번 헤드에서 “{ $row }” → “{ $column }” 점수는 **{ SIGNED($value) }**입니다. 가장 큰 성분은 { $part }(**{ SIGNED($amount) }**)입니다.
why-found = 이 문장 전체에서는 { $segment } 성분이 행 안에서 이 헤드의 점수가 달라지는 정도(분산)의 { PERCENT($share, digits: 0) }{ JOSA(PERCENT($share, digits: 0), "을/를") } 설명합니다.
why-alt = { $layer }층 { $head }번 헤드의 점수 맵, “{ $row }” → “{ $column }” 점수를 이루는 성분의 막대그래프, 그리고 이 층의 모든 헤드에서 각 성분이 차지하는 비율의 누적 막대그래프.
why-file = 점수 분해 { $text }
why-caption = “{ $row }” → “{ $column }” 점수 { SIGNED($value) }{ JOSA(SIGNED($value), "은/는") } 성분 { $n }개의 합입니다. 다른 칸을 클릭하면 그 성분을 볼 수 있습니다. 막대의 검은 선은 행 평균이며, 이 평균과의 차이만 가중치를 바꿉니다.
