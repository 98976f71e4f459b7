# “비용” 페이지와 그 그림.

page-cost = 비용
heading-cost = { $app }: 비용

view-cost = 비용 보기
view-cost-counted = 세어 보기
view-cost-measured = 측정
view-cost-paths = 경로
view-cost-scores = 두 가지 점수

# 층

cost-layer = 층
cost-layer-attention = 셀프 어텐션
cost-layer-gru = 순환 GRU
cost-layer-lstm = 순환 LSTM
cost-layer-recurrent = 순환
cost-layer-convolution = 합성곱
cost-layer-dilated = 팽창 합성곱
cost-layer-restricted = 제한된 어텐션
cost-layer-dot = 내적 점수
cost-layer-additive = 가산 점수

# 슬라이더

cost-n = 길이 n
cost-n-help = 문장의 토큰 수입니다.
cost-d = 너비 d
cost-d-help = 토큰 하나의 벡터에 든 수의 개수입니다.
cost-k = 커널 k
cost-k-help = 합성곱이 한 번에 보는 이웃의 수입니다.
cost-r = 창 r
cost-r-help = 제한된 어텐션이 보는 이웃의 수입니다.
cost-step = 스텝
cost-step-help = 지금까지 계산한 스텝 또는 층의 수입니다. 화살표 키로도 움직입니다.
cost-back = 한 스텝 뒤로
cost-on = 한 스텝 앞으로
cost-play = 재생
cost-pause = 멈춤

# 세어 보기

cost-operations-axis = 연산 수(격자선 하나마다 10배)
cost-head-formula = 복잡도
cost-head-operations = 연산 수
cost-head-steps = 순차 연산
cost-head-path = 가장 긴 경로
cost-head-time = 측정
cost-counted-alt = Vaswani et al. 2017의 표: 층 여섯 가지의 복잡도, 연산 수, 차례로 기다려야 하는 순차 연산의 수, 두 위치 사이의 가장 긴 경로. 그 옆은 연산 수의 막대와 순전파를 측정한 시간입니다.
cost-counted-name = 층의 비용
cost-counted-caption = 측정: 층 하나, 문장 하나의 순전파. 슬라이더와 관계없이 k = { $k }, r = { $r }에서 쟀습니다. 연산 수: 논문 표 1의 차수이며 상수배는 뺐습니다.
cost-when = { $date } 측정.

# 측정

cost-measure = 측정 항목
cost-measure-forward = 순전파
cost-measure-both = 순전파와 역전파
cost-measure-kept = 메모리
cost-forward-axis = 순전파에 걸린 시간
cost-both-axis = 순전파와 역전파에 걸린 시간
cost-kept-axis = 역전파를 위해 남겨 두는 양
cost-n-axis = 길이 n(토큰)
cost-crossing = n = d
cost-measured-alt = { $measure ->
    [kept] 로그 눈금의 선, 층의 종류마다 하나: 한 너비 d에서 길이 n에 따라 역전파를 위해 남겨 두는 메모리. 점선은 n과 d가 같은 곳입니다.
    [both] 로그 눈금의 선, 층의 종류마다 하나: 한 너비 d에서 길이 n에 따른 순전파와 역전파의 시간. 점선은 n과 d가 같은 곳입니다.
   *[forward] 로그 눈금의 선, 층의 종류마다 하나: 한 너비 d에서 길이 n에 따른 순전파의 시간. 점선은 n과 d가 같은 곳입니다.
 }
cost-measured-name = { $measure ->
    [kept] 층의 메모리
    [both] 층의 순전파와 역전파 시간
   *[forward] 층의 순전파 시간
 }
cost-crossed = d = { $d }일 때, 이 측정에서는 약 n = { $n }부터 **{ $first }**{ JOSA($first, "이/가") } **{ $second }**보다 { $measure ->
    [kept] 메모리를 더 많이 차지합니다.
   *[other] 더 오래 걸립니다.
 }
cost-not-crossed = d = { $d }일 때, 측정한 길이(n = { $most }까지)에서는 **{ $first }**{ JOSA($first, "과/와") } **{ $second }**의 선이 만나지 않습니다.
cost-exponents-title = n의 몇 제곱으로 늘어날까?
cost-exponents-none = 측정한 길이가 너무 적어 지수를 추정할 수 없습니다.
cost-exponent = 추정한 n의 지수
cost-interval-title = 95% 구간
cost-interval = { $low }∼{ $high }
cost-counted = 세어 얻은 지수
cost-from-to = { $low }∼{ $high }
cost-points = 길이의 수
cost-exponents-alt = 층의 종류마다 추정한 n의 지수와 그 구간, 그리고 세어서 얻은 지수.
cost-exponents-how = 길이 { $first } 이상, d = { $d }에서 로그를 취해 최소제곱법으로 추정했고, 구간은 스튜던트 t 분포로 구했습니다. “1∼2”: 네 투영은 n에, 점수는 n²에 비례합니다.
cost-here = 지금 여기서 측정하기
cost-here-help = 이 페이지를 제공하는 컴퓨터에서 몇 가지 길이와 너비를 10초 안에 잽니다. 1분 안에 누른 다른 사람에게는 같은 값을 보여 줍니다.
cost-here-working = 이 컴퓨터에서 층의 시간을 재는 중
cost-here-done = 고리: 방금 여기서 잰 { $n }곳(n = 32, 128, 512, d = 64, 256). 다른 사람이 컴퓨터를 함께 쓰고 있었을 수 있습니다.

# 경로

cost-paths-told = { $n }토큰 문장에서, **첫** 토큰의 내용은 스텝마다 어디까지 닿았을까요? 합성곱은 자기 위치와 그 앞까지 { $k }개 위치를, 제한된 어텐션은 { $r }개 위치를 봅니다. 팽창 간격은 층마다 { $k }배로 늘어납니다.
cost-paths-alt = 위치 { $n }개의 띠 다섯 줄: 전체 어텐션, 순환, 합성곱, 팽창 합성곱, 제한된 어텐션. 채운 칸은 슬라이더의 스텝까지 첫 토큰이 닿은 위치이고, 띠 옆에는 마지막 위치에 닿기까지 얼마나 걸리는지 적혀 있습니다.
cost-paths-name = 위치 사이의 경로
cost-path-axis = 위치
cost-path-position = 위치
cost-path-step = 닿은 스텝
cost-path-steps = 차례로 { $n }스텝
cost-path-layers = { $n }층
