# “블록 안에서” 페이지와 그 그림.

page-block = 블록 안에서
heading-block = { $app }: 블록 안에서

view-block = 블록 보기
view-block-stream = 더하는 것
view-block-norm = 층 정규화
view-block-without = 빼 보기
view-block-lens = 층을 지날 때마다
view-block-gradients = 기울기
view-block-units = 피드포워드 유닛

# 볼 곳 고르기

block-stack = 스택
block-stack-encoder = 인코더
block-stack-decoder = 디코더
block-token = 토큰
block-layer = 층
block-sublayer = 서브레이어
block-sublayer-self = 셀프 어텐션
block-sublayer-cross = 크로스 어텐션
block-sublayer-feed_forward = 피드포워드
block-place = { $layer }층 · { $name }
block-place-in = { $stack ->
    [encoder] 인코더 { $layer }층 · { $name }
   *[decoder] 디코더 { $layer }층 · { $name }
 }
block-input = 입력
block-order = { $order ->
    [pre] Pre-norm: 이 모델은 서브레이어에 들어가기 전에 정규화하고, 합은 그대로 다음으로 보냅니다(Xiong et al. 2020).
   *[post] Post-norm: 이 모델은 Vaswani et al. 2017처럼 더한 다음에 정규화합니다. x는 원래 있던 벡터이고, 서브레이어는 어텐션 또는 피드포워드입니다.
 }

# 더하는 것

block-before = 원래 벡터의 크기
block-added = 더하는 벡터의 크기
block-cosine = 둘 사이의 코사인
block-summed = 합의 크기
block-after = 내보내는 벡터의 크기
block-lengths-axis = 벡터의 크기(회색: 원래 벡터 · 색: 더하는 벡터 · 선: 합 · 고리: 내보내는 벡터)
block-cosine-axis = 더하는 벡터와 원래 벡터의 코사인
block-stream-alt = { $token }: 서브레이어 { $n }개마다 원래 벡터, 더하는 벡터, 합, 내보내는 벡터의 크기. 그 옆은 더하는 벡터와 원래 벡터의 코사인입니다.
block-stream-name = 잔차 스트림 { $token }
block-stream-told = { $order ->
    [pre] **{ $sublayer }**, “{ $token }” 자리: 크기 { $before }의 벡터가 있었고, 서브레이어가 크기 { $added }의 벡터를 더합니다. 둘의 코사인은 { $cosine }입니다. 크기 { $summed }의 합이 다음으로 갑니다.
   *[post] **{ $sublayer }**, “{ $token }” 자리: 크기 { $before }의 벡터가 있었고, 서브레이어가 크기 { $added }의 벡터를 더합니다. 둘의 코사인은 { $cosine }입니다. 합의 크기는 { $summed }이고, 층 정규화를 거쳐 크기 { $after }의 벡터가 다음으로 갑니다.
 }

# 층 정규화

block-stage = 단계
block-stage-given = 들어온 값
block-stage-standardised = 평균 0, 분산 1
block-stage-scaled = 게인을 곱하고 편향을 더함
block-dimension = 차원
block-value = 값
block-value-axis = 차원마다의 값(눈금 하나가 차원 하나). 빨간 선: 평균, 띠: 표준편차만큼
block-mean = 평균
block-variance = 분산
block-smallest = 최솟값
block-largest = 최댓값
block-moments-alt = 층 정규화 전과 후, 벡터의 평균, 분산, 최솟값, 최댓값.
block-norm-alt = 벡터의 모든 값을 눈금으로 그린 것: 층 정규화에 들어온 값, 평균 0과 분산 1로 맞춘 값, 게인과 편향을 거친 값.
block-norm-name = 층 정규화 { $token }
block-norm-told = **{ $sublayer }**의 게인은 차원마다 따로 배운 값이며 { $low }에서 { $high }까지입니다. 나누기 전에 분산에 ε = { $eps }만큼을 더하므로 결과의 분산은 1보다 조금 작게 나옵니다.
block-batch-title = 배치 정규화와 나란히 보기
block-batch-cut = { $of }토큰 가운데 { $n }토큰만 그립니다. 계산에는 모두 들어갑니다.
block-norm-given = 들어온 값
block-norm-layer = 층 정규화: 행마다
block-norm-batch = 배치 정규화: 열마다
block-dimensions-axis = 차원 가운데 일부
block-shade = 값(왼쪽은 표준편차 단위)
block-of = 대상
block-batch-alt = 토큰 × 차원 행렬 세 개: 들어온 값, 행마다 평균 0과 분산 1로 맞춘 값, 열마다 평균 0과 분산 1로 맞춘 값. 행 옆과 열 아래에 평균과 분산이 있습니다.
block-batch-name = 층 정규화와 배치 정규화 { $token }
block-batch-told = { $n ->
    [1] 토큰이 하나뿐이라 배치 정규화에는 견줄 것이 없습니다. 모든 차원이 0이 됩니다.
   *[other] 이 { $n }토큰에서 다른 토큰 하나를 빼 보면, “{ $token }”의 층 정규화 값은 { $layer }만큼, 배치 정규화 값은 최대 { $batch }만큼 움직입니다. 층 정규화는 토큰 자신만 보지만 배치 정규화는 함께 있는 토큰들을 봅니다. 그래서 같은 단어라도 배치가 바뀌면 다른 값이 나옵니다.
 }

# 하나를 뺐을 때

block-cut = 뺄 것
block-cut-residual = 잔차 연결
block-cut-norm = 층 정규화
block-cut-stack = 스택
block-cut-stack-all = 양쪽
block-cut-stack-encoder = 인코더
block-cut-stack-decoder = 디코더
block-cut-layer = 층
block-cut-layer-all = 전체
block-cut-name = 서브레이어
block-cut-name-all = 전체
block-run = 실행
block-run-plain = 그대로
block-run-changed = 뺐을 때
block-length-axis = 은닉 상태의 평균 크기
block-alike-axis = 두 위치 사이의 평균 코사인
block-without-title = 층을 지나는 은닉 상태
block-without-told = { $stack ->
    [encoder] 인코더
   *[decoder] 디코더
 }의 끝에서 은닉 상태의 크기는 { $plain }에서 { $length }{ JOSA($length, "으로/로") }, 두 위치 사이의 평균 코사인은 { $plain_alike }에서 { $alike }{ JOSA($alike, "으로/로") } 바뀝니다. 1이면 모든 위치가 똑같은 것을 담고 있어 토큰을 구별할 길이 없습니다.
block-without-alt = 서브레이어를 따라 그린 두 선, 모델 그대로일 때와 하나를 뺐을 때: 은닉 상태의 평균 크기와 두 위치 사이의 평균 코사인.
block-without-name = 하나를 뺀 은닉 상태 { $text }

# 층을 지날 때마다

block-lens-aid = 읽기를 돕는 도구(로짓 렌즈, logit lens)일 뿐, 모델이 실제로 하는 일은 아닙니다. 은닉 상태 하나하나를, 뒤에 층이 더 없다고 치고 출력층에 넣어 봅니다. 층들은 이렇게 읽히도록 학습되지 않았습니다.
block-lens-rows = 은닉 상태를 읽은 곳
block-lens-columns = 위치
block-after-which = 지난 곳
block-lens-five = 확률이 높은 토큰
block-lens-wanted = 자기 토큰의 확률
block-lens-rank = 자기 토큰의 순위
block-lens-prob = 1위 토큰의 확률(빨간 테두리: 자기 토큰)
block-lens-alt = { $stack ->
    [encoder] 인코더의 서브레이어 × 원문 토큰 행렬. 칸마다 그 자리의 1위 토큰이 있고, 읽은 토큰과 같으면 빨간 테두리가 있습니다.
   *[decoder] 디코더의 서브레이어 × 위치 행렬. 칸마다 그 자리의 1위 토큰이 있고, 쓴 토큰과 같으면 빨간 테두리가 있습니다.
 }
block-lens-name = 층을 지날 때마다 { $text }
block-lens-from = { $stack ->
    [encoder] “{ $token }”{ JOSA($token, "은/는") } **{ $place }**에서부터 인코더의 끝까지 여전히 자기 위치의 1위입니다.
   *[decoder] “{ $token }”{ JOSA($token, "은/는") } **{ $place }**에서 1위가 되어 끝까지 1위를 지킵니다.
 }
block-lens-never = { $stack ->
    [encoder] 인코더의 끝에서 “{ $token }”{ JOSA($token, "은/는") } 더 이상 자기 위치의 1위가 아닙니다({ $rank }위). 그동안 더한 것들이 은닉 상태를 다른 쪽으로 돌려놓았습니다.
   *[decoder] “{ $token }”{ JOSA($token, "은/는") } 끝에서도 1위가 아닙니다({ $rank }위). 탐색이 문장 전체의 합을 보고 고른 토큰입니다.
 }
block-lens-position = “{ $token }” 위치
block-lens-table-alt = 고른 위치에서 서브레이어를 지날 때마다: 확률이 높은 토큰 다섯 개와 그 확률, 자기 토큰의 확률과 순위.

# 기울기

block-weights = 가중치
block-weights-random = 학습 전의 무작위 값
block-weights-trained = 학습한 값
block-gradients-plain = 그대로
block-gradients-residual = 잔차 연결 없이
block-gradients-norm = 층 정규화 없이
block-gradients-both = 둘 다 없이
block-gradient-axis = 기울기의 크기(위치 평균)
block-gradients-working = 기울기를 계산하는 중
block-gradients-alt = 인코더와 디코더의 서브레이어를 따라 그린 네 선, 모델 그대로일 때, 잔차 연결 없이, 층 정규화 없이, 둘 다 없이: 손실의 기울기의 크기와 두 위치 사이의 평균 코사인.
block-gradients-name = 기울기 { $text }
block-gradients-how = 손실: 위 번역문 { $n }토큰의 −log p 평균. 기울기: 이 손실을 각 서브레이어의 출력으로 미분한 값이며, 드롭아웃 없이 역전파로 구합니다. 계산은 float64로 합니다. 점이 없는 곳은 0이거나 반올림 오차와 구별되지 않는 값, 곧 상태의 마지막 비트만 흔들어도 크기의 10분의 1 넘게 달라지는 값입니다.
block-gradients-told = { $weights ->
    [random] 가중치가 무작위 값일 때
   *[trained] 학습한 가중치에서
 } 잔차 연결을 모두 빼면, 디코더 서브레이어 { $n_decoder }개 가운데 { $decoder }개와 인코더 서브레이어 { $n_encoder }개 가운데 { $encoder }개의 기울기가 잔차 연결이 있을 때의 { $vanished }배에도 못 미칩니다. 인코더 첫 서브레이어의 기울기는 있을 때 { $first }, 뺐을 때 { $first_cut }입니다. 손실은 있을 때 { $loss }, 뺐을 때 { $cut_loss }입니다{ $weights ->
    [random] .
   *[trained] . 잔차 연결이 있는 채로 학습한 가중치입니다.
 }
block-gradients-untold = 반올림 오차와 구별할 수 없을 만큼 작은 값
block-gradients-way = { $order ->
    [pre] Pre-norm이라 서브레이어 옆길에는 아무것도 없고, 기울기가 그대로 지나갑니다(Xiong et al. 2020).
   *[post] Post-norm이라 서브레이어 옆길도 층 정규화를 지납니다. 층 정규화는 기울기의 크기를 바꾸고 일부를 덜어 냅니다. 기울기가 그대로 지나가는 것은 pre-norm 모델뿐입니다(Xiong et al. 2020).
 }

# 피드포워드 유닛

block-unit = 유닛 { $n }
block-unit-title = 유닛
block-unit-axis = 유닛이 더하는 벡터의 크기
block-activation = 활성값
block-unit-added = 더하는 벡터의 크기
block-unit-told = 가장 크게 활성화되는 토큰
block-units-told = “{ $token }” 자리에서 유닛 { $of }개 가운데 **{ $n }**개({ $share })가 활성화됩니다. 이 문장의 모든 위치를 평균하면 { $mean }입니다. 막대: 가장 많이 더하는 유닛들. 그 옆: 검증 문장에서 그 유닛이 가장 크게 활성화되는 토큰들.
block-units-none = 이 토큰에서는 이 층의 어느 유닛도 활성화되지 않습니다.
block-units-alt = { $token }: 가장 많이 더하는 유닛 { $n }개, 저마다 더하는 벡터의 크기, 그리고 가장 크게 활성화되는 토큰들.
block-units-name = 피드포워드 유닛 { $token }
block-unit-heading = { $stack ->
    [encoder] 인코더 { $layer }층의 유닛 { $unit }
   *[decoder] 디코더 { $layer }층의 유닛 { $unit }
 }
block-unit-promotes = 이 유닛이 더하는 벡터는 다음 토큰의 확률을 높입니다(뒤에 아무것도 없다고 치고 출력층으로 읽은 것): { $tokens }.
block-unit-fires = 위치의 { $share }에서 활성화됩니다. 가장 크게 활성화되는 곳:
block-unit-unknown = 이 유닛은 측정하지 않았습니다. 층마다 많이 더하는 유닛으로 가장 자주 꼽힌 것들만 측정했습니다.
block-unit-before = 앞
block-unit-encoder = 뒤
block-unit-decoder = 쓰는 것
block-unit-token = 토큰
block-unit-activation = 활성값
block-unit-places-alt = 검증 문장에서 이 유닛이 가장 크게 활성화되는 곳: 앞에 있는 것, 토큰, 뒤에 오는 것, 활성값.
