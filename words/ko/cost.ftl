# 복잡도 페이지와 그 그림.

page-cost = 복잡도

view-cost = 복잡도 보기
view-cost-counted = 복잡도 표
view-cost-measured = 벤치마크

# 층

cost-layer = 층 종류
cost-layer-attention = 셀프 어텐션
cost-layer-gru = 순환 GRU
cost-layer-lstm = 순환 LSTM
cost-layer-recurrent = 순환
cost-layer-convolution = 합성곱
cost-layer-dilated = 팽창 합성곱
cost-layer-restricted = 셀프 어텐션(제한)
cost-layer-dot = 내적 점수
cost-layer-additive = 가산 점수

# 슬라이더

cost-n = 시퀀스 길이 n
cost-n-help = 문장의 토큰 수입니다.
cost-d = 모델 차원 d
cost-d-help = 토큰 벡터의 차원 수입니다.
cost-k = 커널 크기 k
cost-k-help = 합성곱이 한 번에 보는 위치의 수입니다.
cost-r = 윈도 크기 r
cost-r-help = 제한된 셀프 어텐션이 보는 위치의 수입니다.
cost-letters = n: 문장의 토큰 수, d: 토큰 벡터의 차원 수, k: 합성곱 하나가 보는 토큰 수, r: 제한된 셀프 어텐션이 보는 토큰 수.

# 복잡도 표

cost-head-formula = 복잡도
cost-head-operations = 연산 수
cost-head-steps = 순차 연산 수
cost-head-path = 최대 경로 길이
cost-head-time = 측정 시간
cost-cheaper = { $which ->
    [-1] 여기서는 n = { GROUPED($n) }{ JOSA(GROUPED($n), "이/가") } d = { GROUPED($d) }보다 작으므로 셀프 어텐션의 연산이 순환 층의 **{ FACTOR($factor) }분의 1입니다**.
    [0] 여기서는 n = d = { GROUPED($d) }이므로 셀프 어텐션과 순환 층의 연산 수가 같습니다.
   *[1] 여기서는 n = { GROUPED($n) }{ JOSA(GROUPED($n), "이/가") } d = { GROUPED($d) }보다 크므로 셀프 어텐션의 연산이 순환 층의 **{ FACTOR($factor) }배**입니다.
 }
cost-time-where = 측정 시간: { $hardware }에서 잰 순전파 시간. 연산 수만으로 정해지지는 않습니다. 합성곱은 가장 빨리 계산되는 큰 행렬 곱 하나이고, 순환 층은 n스텝을 차례로 계산하며, 제한된 셀프 어텐션은 토큰마다 작은 윈도를 따로 곱합니다.
cost-counted-alt = Vaswani et al.(2017)의 표 1에 수를 넣은 표. 층 여섯 종류의 복잡도, 연산 수, 순차 연산 수, 최대 경로 길이입니다. 막대는 연산 수이고, 마지막 열은 순전파를 측정한 시간입니다.
cost-counted-file = 복잡도 표
cost-counted-how = 연산 수는 Vaswani et al.(2017) 표 1의 차수를 따르며 상수배는 생략합니다. 측정 시간은 층 하나가 문장 하나를 순전파하는 시간이며, 항상 k = { $k }, r = { $r }에서 측정했습니다.
cost-when = 측정일은 { $date }입니다.

# 벤치마크

cost_of = 측정 대상
cost_of-layers = 층 종류
cost_of-scores = 가산 어텐션과 내적 어텐션
cost_measure = 측정 항목
cost_measure-forward = 순전파 시간
cost_measure-both = 순전파 + 역전파 시간
cost_measure-kept = 활성값 메모리
cost-forward-axis = 순전파 시간
cost-both-axis = 순전파 + 역전파 시간
cost-kept-axis = 활성값 메모리
cost-n-axis = 시퀀스 길이 n(토큰)
cost-crossing = n = d
cost-measured-alt = { $measure ->
    [kept] 두 축이 로그 눈금인 선그래프. 모델 차원 d를 고정하고 층 종류별로 시퀀스 길이 n에 따른 활성값 메모리를 보여 줍니다. 점선은 n = d입니다.
    [both] 두 축이 로그 눈금인 선그래프. 모델 차원 d를 고정하고 층 종류별로 시퀀스 길이 n에 따른 순전파와 역전파 시간을 보여 줍니다. 점선은 n = d입니다.
   *[forward] 두 축이 로그 눈금인 선그래프. 모델 차원 d를 고정하고 층 종류별로 시퀀스 길이 n에 따른 순전파 시간을 보여 줍니다. 점선은 n = d입니다.
 }
cost-measured-file = { $measure ->
    [kept] 층의 활성값 메모리
    [both] 층의 순전파와 역전파 시간
   *[forward] 층의 순전파 시간
 }
cost-crossed = d = { $d }일 때 이 측정에서는 n이 약 { FIXED($n, digits: 0) }{ JOSA(FIXED($n, digits: 0), "을/를") } 넘으면 **{ $first }{ JOSA($first, "이/가") }** **{ $second }보다** { $measure ->
    [kept] 메모리를 더 많이 사용합니다.
   *[other] 더 오래 걸립니다.
 }
cost-not-crossed = **{ $first }{ JOSA($first, "과/와") } { $second }의** 선은 교차하지 않습니다(d = { $d }). n = { $n }에서도 **{ FACTOR($factor) }**배 차이가 납니다.
cost-crossed-at = n = { FIXED($n, digits: 0) }에서 같음
cost-crossed-later = 연산 수는 n = d = { $d }에서 같습니다. 실제로는 셀프 어텐션이 더 긴 문장까지 빠릅니다. 셀프 어텐션은 큰 행렬 곱 몇 번이고, 순환 층은 작은 행렬 곱을 n번 차례로 하기 때문입니다.
cost-cliff = 연산량만으로는 시간을 모두 설명할 수 없습니다. n이 { $before }에서 { $after }{ JOSA($after, "으로/로") } 늘 때 가산 점수의 시간은 4배가 아니라 { FACTOR($growth) }배가 됩니다. 저장할 값 { SIZE($size) }{ JOSA(SIZE($size), "이/가") } 프로세서 캐시에 다 들어가지 않기 때문일 수 있습니다.
cost-exponents-title = 스케일링 지수
cost-exponents-none = 측정한 길이가 너무 적어 지수를 추정할 수 없습니다.
cost-exponent = 추정 지수
cost-interval = 95% 신뢰구간
cost-interval-told = ({ $low }, { $high })
cost-counted = 이론상 지수
cost-from-to = { $low }–{ $high }
cost-points = 추정에 쓴 길이 수
cost-exponents-alt = 층 종류별로 추정한 n의 지수와 95% 신뢰구간, 이론상 지수, 추정에 쓴 길이 수를 정리한 표.
cost-exponents-caption = n ≥ { $first }, d = { $d }에서 로그를 취해 최소제곱법으로 추정했으며, 신뢰구간은 스튜던트 t 분포로 구했습니다.
cost-here = 벤치마크 실행
cost-here-help = 이 페이지를 제공하는 컴퓨터에서 몇 가지 길이와 차원의 시간을 10초 안에 측정합니다. 1분 안에 클릭한 다른 사람에게는 같은 값을 보여 줍니다.
cost-here-point = 방금 이 서버에서 측정
cost-here-working = 이 컴퓨터에서 층의 시간을 측정하는 중…
cost-here-done = 고리는 방금 여기서 측정한 값 { $n }개입니다(n = 32, 128, 512, d = 64, 256). 다른 사람이 이 컴퓨터를 함께 쓰고 있을 수 있습니다.

# 경로 길이

cost-paths-caption = 띠의 칸은 첫 토큰에서 마지막 토큰까지 정보가 거치는 층이나 순차 스텝이고, 띠 옆의 수는 그 칸을 센 경로 길이입니다. 표의 최대 경로 길이는 논문과 같은 차수입니다.
cost-paths-alt = 층 종류별 띠 다섯 줄. 셀프 어텐션, 순환, 합성곱, 팽창 합성곱, 제한된 셀프 어텐션입니다. 각 띠는 첫 위치에서 마지막 위치까지 정보가 거치는 층 또는 순차 스텝으로 나뉘며, 그 수는 띠 옆에 있습니다.
cost-paths-file = 위치 사이의 경로 길이
cost-path-axis = 첫 토큰에서 마지막 토큰까지의 경로: 정확히 센 스텝 수(위 표의 식은 증가 차수)
cost-path-position = 도달한 위치
cost-path-step = 층 또는 스텝
cost-path-steps = 경로 길이
