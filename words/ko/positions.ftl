# 위치 인코딩 페이지와 그 그림.

positions-position = 위치
positions-other-position = 다른 위치
positions-token = 토큰
positions-dimension = 차원
positions-dimension-n = { $n }번 차원
positions-dimensions = 차원
positions-pair = 쌍 i
positions-pair-legend = 쌍(차원)
positions-pair-dimensions = { $sine }(사인), { $cosine }(코사인)
positions-function = 함수
positions-value = 값
positions-sine = 사인
positions-cosine = 코사인
positions-even = 짝수(사인)
positions-odd = 홀수(코사인)
positions-wavelength = 파장(위치 단위)
positions-turns = 문장 내 회전수
positions-this-sentence = 이 문장(n = { $n })
positions-longest = 모델의 최대 길이(n = { $n })
positions-farthest = 문장 내 최대 간격(k = { $n })
positions-offset-k = 간격 k
positions-dot = 내적
positions-smallest = pos에 따른 최솟값
positions-largest = pos에 따른 최댓값
positions-before = pos
positions-after = pos + k
positions-axis-row = pos(첫 토큰이 0)
positions-axis-column = 위치(열)
positions-axis-dimension = 차원(일부, 왼쪽: 짝수 차원의 사인, 오른쪽: 홀수 차원의 코사인)
positions-axis-alike = 선택한 위치와의 코사인 유사도
positions-axis-pair = 쌍 i(차원 2i와 2i + 1)
positions-axis-wavelength = 파장(위치 단위, 로그 눈금)
positions-axis-dot = 내적 PE(pos)·PE(pos + k)
positions-rotation-x = 코사인(차원 2i + 1)
positions-rotation-y = 사인(차원 2i)
positions-component-n = 주성분 { $n }
positions-component-axis = { $name } ({ $share })

# The encoding

encoding_part = 인코딩 그림
encoding_part-curves = 곡선
encoding_part-heatmap = 히트맵
encoding_part-wavelengths = 파장
encoding_part-similarity = 유사도
encoding_part-rotation = 회전
encoding_part-surface = 곡면
encoding_part-helix = PCA 곡선
encoding_values = 값의 출처
encoding_values-formula = 공식
encoding_values-model = 모델의 표
encoding_mark = 문장 강조
encoding_mark-help = 문장에 있는 토큰의 위치를 표시합니다. 공간이 있으면 토큰 이름도 함께 표시합니다.
encoding_length = 위치 수
encoding_length-help = 위치 0부터 표시할 위치의 개수입니다.
encoding_length-ends = 모델의 표는 위치 { $last }에서 끝납니다.
encoding_reset = 모델에 맞추기
encoding_reset-help = 모델과 같이 d_model = { $d_model }, 밑 = { $base }, 위치 { $n }개로 설정합니다.
encoding_fit = 문장에 맞추기
encoding_fit-help = 토큰마다 위치가 하나씩 있도록 길이를 { $n }{ JOSA($n, "으로/로") } 설정합니다.
encoding_d_model = d_model
encoding_d_model-help = 모델 차원 d_model, 즉 인코딩 하나를 이루는 값의 개수입니다. 사인과 코사인이 쌍을 이루므로 짝수입니다.
encoding_d_model-odd = 사인과 코사인이 쌍을 이루므로 d_model은 짝수여야 합니다. { $asked } 대신 { $shown }{ JOSA($shown, "을/를") } 사용합니다.
encoding_base = 밑
encoding_base-help = 파장이 늘어나는 속도를 정하며, 로그 눈금입니다. 가장 긴 파장은 밑의 2π배에 가깝습니다.
encoding_pos = 위치 pos
encoding_pos-beyond = 마지막 위치가 { $last }이므로 { $asked } 대신 이 위치를 표시합니다.
encoding_dim = 차원
encoding_dim-beyond = 마지막 차원이 { $last }이므로 { $asked } 대신 이 차원을 표시합니다.
positions-who-token = “{ $token }”{ JOSA($token, "은/는") } { $nth }번 토큰이므로 pos = { $position }이고(0부터 셈), 여기서 i = { $i }입니다.
positions-who = 위치 { $position }에서 i = { $i }입니다.
positions-in-table = 모델의 표에 있는 값은 **{ FIXED($value, digits: 3) }**이며, 공식과의 차이는 { SCIENTIFIC($away) }입니다.
positions-in-table-not = 모델의 표에는 이 값이 없습니다.
positions-adds-title = 모델과 공식 비교
positions-adds = 모델은 임베딩에 { $rows } × { $columns } 크기의 표를 더합니다. 공식과의 차이는 최대 **{ SCIENTIFIC($difference) }**입니다.
positions-adds-rounded = 모델은 임베딩에 { $rows } × { $columns } 크기의 표를 더합니다. 이 표는 float32의 반올림 오차({ SCIENTIFIC($difference) }) 안에서 공식과 같습니다.
positions-kept = { $kind ->
    [sines] {""}
    [halves] 이 모델은 사인을 모두 앞에, 코사인을 모두 뒤에 저장합니다. 여기서는 사인과 코사인을 쌍으로 나란히 놓았습니다.{" "}
   *[tensor2tensor] 이 모델은 사인을 모두 앞에, 코사인을 모두 뒤에 저장하며 지수는 i / (d_model/2 − 1)입니다. 여기서는 사인과 코사인을 쌍으로 나란히 놓았고, 밑 { $base }이면 주파수가 같습니다.{" "}
 }{ $first ->
    [0] {""}
   *[other] 첫 위치의 번호는 { $first }입니다. 그림의 위치 pos는 공식에서 pos + { $first }입니다.
 }
positions-lengths = { $scaled ->
    [no] 위치 인코딩의 노름(벡터의 크기)은 평균 **{ $measured }**입니다(공식으로는 √(d_model / 2)). 이 모델은 임베딩에 아무것도 곱하지 않고 위치 인코딩을 더합니다. 이 문장의 임베딩은 노름이 평균 **{ $mean }**입니다({ $shortest }–{ $longest }).
   *[yes] 위치 인코딩의 노름(벡터의 크기)은 평균 **{ $measured }**입니다(공식으로는 √(d_model / 2)). 모델은 위치 인코딩을 더하기 전에 임베딩에 √d_model = { $scale }{ JOSA($scale, "을/를") } 곱합니다. 스케일을 적용한 이 문장의 임베딩은 노름이 평균 **{ $mean }**입니다({ $shortest }–{ $longest }).
 }
encoding_dims = 차원
encoding_dims-help = 짝수 차원은 사인, 홀수 차원은 코사인입니다. 2i와 2i + 1은 파장이 같은 한 쌍입니다. 최대 { $most }개까지 고를 수 있습니다.
encoding_dims-none = 선택한 차원이 없어 간격이 넓은 차원 몇 개를 표시합니다.
encoding-curves-alt = 위치 { $n }개에서 차원 { $names }의 값을 그린 선그래프.
encoding-heatmap-alt = 위치 { $n }개와 차원 { $columns }개의 히트맵. 값은 −1에서 1까지이며, 선택한 값의 계산은 아래의 공식에 있습니다.
encoding-heatmap-caption = 행은 위치 하나의 벡터이고 열은 차원입니다. 왼쪽 절반에는 빠른 사인부터 느린 사인까지, 오른쪽 절반에는 같은 순서의 코사인이 있습니다. 색이 고른 열은 느린 파동이라 한 문장 안에서는 거의 변하지 않습니다. 고리는 아래 공식으로 계산한 값입니다.
encoding-wavelengths-alt = 쌍 { $pairs }개의 파장을 로그 눈금에 그린 그래프. 파장은 위치 단위로 { $shortest }–{ $longest }입니다.
encoding-wavelengths-caption = 파장 { $formula }의 범위는 { $shortest }–{ $longest }입니다(위치 단위). { $pair }번 쌍의 파장은 **{ $own }**입니다. 모델의 최대 길이({ $tokens }토큰) 안에서는 쌍 { $pairs }개 중 { $turning }개가 한 바퀴 이상 회전합니다.
positions-turns-within = 빠른 쌍은 이웃한 위치를, 느린 쌍은 멀리 떨어진 위치를 구별합니다. 이 문장 안에서 쌍 **{ $pairs }개 중 { $turning }개**가 한 바퀴 이상 돕니다.
positions-named = 위치 { $position }
positions-near-far = 가까운 위치일수록 벡터가 비슷합니다. { $here } 벡터의 코사인 유사도는 이웃한 { $near }{ JOSA($near, "과/와") } **{ FIXED($near_cosine) }**, 멀리 있는 { $far }{ JOSA($far, "과/와") } **{ FIXED($far_cosine) }**입니다(1이면 같은 방향).
encoding-similarity-alt = 간격에 따른 두 인코딩의 내적과 코사인 유사도를 그린 선그래프.
positions-similarity = 유사도는 간격에 따라서만 달라집니다. 코사인은 이웃한 두 위치라면 어디서나 **{ FIXED($near) }**{ $apart ->
    [0] 입니다.
    [1] 입니다.
   *[other] , { $apart }만큼 떨어진 두 위치라면 어디서나 **{ FIXED($far) }**입니다.
 }
positions-similarity-formula = { $formula }이며, pos와 무관합니다. 위치 { $n }개와 모든 간격에서 pos에 따른 내적의 차이는 최대 { SCIENTIFIC($spread) }입니다.
encoding-matrix-alt = 모든 위치 쌍의 코사인 유사도 행렬. 대각선을 따라 값이 같습니다.
encoding_offset = 간격 k
encoding_offset-help = 쌍을 회전시킬 위치의 수입니다. 쌍과 위치는 공식에서 고른 값을 따릅니다.
encoding_offset-beyond = 위치가 { $n }개이므로 최대 간격은 { $largest }입니다. { $asked } 대신 이 간격을 사용합니다.
encoding-rotation-alt = 단위원 위의 { $pair }번 쌍. 위치 { $position }의 점과, 그보다 { $offset }만큼 뒤에 있는 위치의 점입니다.
positions-turned = 간격이 k = { $offset }이면 { $pair }번 쌍은 어디에서 시작하든 **{ FIXED($radians) }**라디안, 즉 { $turns }바퀴 회전합니다.
positions-turned-less = 간격이 k = { $offset }이면 { $pair }번 쌍은 어디에서 시작하든 **{ FIXED($radians) }**라디안({ $degrees }°) 회전합니다.
positions-rotation-error-model = 위치 { $positions }개와 쌍 { $pairs }개에서 R·PE(pos)와 PE(pos + { $offset })의 차이는 최대 **{ SCIENTIFIC($error) }**입니다(모델의 float32 값을 float64로 계산).
positions-rotation-error-formula = 위치 { $positions }개와 쌍 { $pairs }개에서 R·PE(pos)와 PE(pos + { $offset })의 차이는 최대 **{ SCIENTIFIC($error) }**입니다(공식의 값을 float64로 계산).
encoding-rotation-caption = R은 k = { $offset }에만 의존하고 pos와는 무관합니다. 쌍은 위치마다 ω = { SHORT($frequency) }라디안씩 회전합니다. 흐린 점은 나머지 위치입니다.
encoding-surface-alt = 위치 { $n }개와 차원 { $columns }개의 인코딩을 그린 곡면. 높이와 색이 값을 나타냅니다.
encoding-surface-caption = 끌면 곡면이 회전하고 스크롤하면 확대됩니다. 빨간 점은 공식으로 계산한 값입니다{ $halved ->
    [yes] . 왼쪽은 짝수 차원, 오른쪽은 홀수 차원입니다.
   *[no] .
 }
positions-one-position = 이 그림에는 위치가 두 개 이상 필요합니다. 길이를 늘리세요.
encoding-helix-alt = 위치 { $n }개를 처음 세 주성분 공간에서 이은 곡선. 각 주성분의 분산 비율은 { $first }, { $second }, { $third }입니다.
encoding-helix-caption = 끌면 곡선이 회전하고 스크롤하면 확대됩니다. 축에는 각 주성분의 분산 비율이 있으며, 빨간 점은 위치 pos입니다{ $bunched ->
    [yes] . “문장에 맞추기”를 클릭하면 토큰이 넓게 퍼집니다.
   *[no] .
 }
positions-helix = 처음 세 주성분의 분산 비율은 **{ PERCENT($share, digits: 0) }**(인코딩 { $n }개)입니다. 그림에서 잰 거리가 모든 차원에서 잰 거리보다 클 수는 없습니다.
positions-helix-flat = { $k ->
    [one] 인코딩 { $n }개가 한 직선 위에 있으므로 주성분 하나가 분산을 모두 설명합니다.
   *[other] 인코딩 { $n }개가 한 평면 위에 있으므로 주성분 두 개가 분산을 모두 설명합니다.
 }
positions-helix-none = 인코딩에 차이가 없어 그릴 주성분이 없습니다. 길이를 늘리세요.

# Learned position embeddings

learned_side = 대상
learned_side-source = 원문
learned_side-target = 번역문
learned_length = 위치 수
learned_length-help = 위치 0부터 몇 개를 표시할지 정합니다.
positions-learned-finding = 코사인 유사도는 이웃한 위치끼리 평균 **{ FIXED($near) }**, { $apart }칸 떨어진 위치끼리 **{ FIXED($far) }**입니다(처음 { $n }개 위치).
positions-learned-alt = 위치 { $n }개에서 두 위치씩 학습된 임베딩을 비교한 코사인 유사도 행렬.
positions-learned-caption = 위치마다 학습한 { $columns }차원 벡터를 토큰 임베딩에 더합니다. 벡터의 노름은 { FIXED($shortest) }에서 { FIXED($longest) } 사이입니다.
positions-learned-file = 학습된 위치 임베딩 { $side } { $n }

# 상대 위치 편향

relative_site = 어텐션
relative_reach = 최대 거리
relative_reach-help = 쿼리에서 앞뒤로 이만큼 떨어진 키까지 표시합니다.
positions-head-n = { $n }번 헤드
positions-bias = 편향
positions-axis-relative = 키의 위치 − 쿼리의 위치
positions-relative-finding = 거리의 영향을 가장 크게 받는 헤드는 { $head }번입니다. 상대 위치 { SIGNED($high_at, digits: 0) }에 있는 키의 점수에 **{ SIGNED($high) }**, { SIGNED($low_at, digits: 0) }에 있는 키의 점수에 **{ SIGNED($low) }**만큼 더합니다.
positions-relative-alt = 상대 위치 편향의 히트맵. 헤드 { $n }개와 최대 { $reach }까지의 거리, { $site }.
positions-relative-caption = 이 모델은 임베딩에 위치를 더하지 않습니다. 대신 헤드마다 키와 쿼리 사이의 거리에 따라 학습한 값(상대 위치 편향)을 q·k / √d_k에 더합니다. 이 값은 모든 층이 함께 쓰며, 먼 거리는 구간별로 한 값을 씁니다(Raffel et al. 2020).
positions-relative-file = 상대 위치 편향 { $site }

# Errors of another order

positions-order-output = 위치 인코딩이 없을 때의 출력
positions-order-no-words = 순서를 바꿀 단어가 없습니다.
positions-order-no-words-hint = 두 단어 이상 입력하세요.
positions-order-long = 입력한 텍스트가 { $n }토큰입니다. 이 보기에서는 최대 { $most }토큰까지 사용할 수 있습니다.
positions-order-long-hint = 단어 수를 줄이세요.
positions-order-one-word = 단어가 하나뿐이라 순서를 바꿀 수 없습니다.
positions-order-one-word-hint = “I go home”처럼 두 단어 이상 입력하세요.
positions-order-words = 두 순서에 같은 단어를 사용해야 합니다. { $what ->
    [lacks] 빠진 단어: { $missing }
    [adds] 추가된 단어: { $extra }
   *[both] 빠진 단어: { $missing }, 추가된 단어: { $extra }
 }
positions-order-words-hint = 첫 번째 칸의 단어를 모두 한 번씩, 순서만 바꿔 입력하세요.
# Figures of order, layers and heads

positions-layer = 층
positions-layer-from-embedding = 층(0: 임베딩)
positions-embedding-short = 임베딩
order_measure = 비교 기준
order_measure-distance = 유클리드 거리
order_measure-cosine = 코사인 유사도
positions-number = 성분 번호
positions-case-with = 위치 인코딩 있음, float{ $bits }
positions-case-without = 위치 인코딩 없음, float{ $bits }
positions-axis-difference = 최대 절대 차이
positions-encoder = 인코더
positions-permutation = 순열
positions-largest-difference = 최대 차이
positions-rounding-step = 1 ulp
positions-head = 헤드
positions-offset = 위치 이동량

# The view of order
positions-order-maps-title = 두 순서의 어텐션 맵
positions-exact-title = 등변성 확인
order_text = 단어
order_how = 두 번째 순서
order_how-reversed = 역순
order_how-shuffled = 무작위로 섞음
order_how-typed = 직접 입력
order_seed = 시드
order_shuffle = 다시 섞기
order_typed = 원하는 순서
positions-order-unknown = 어휘에 없는 토큰: { $pieces }. 모델은 모두 같은 미등록 토큰으로 읽습니다.
positions-order-same = 두 순서의 토큰이 같아서 비교할 것이 없습니다.
order_case = 인코더
order_case-without = 위치 인코딩 없음
order_case-with = 위치 인코딩 있음
order-layers-alt = 토큰마다 두 순서의 벡터를 층별로 비교한 { $measure }.
positions-order = 위치 인코딩이 없으면 “{ $second }”에서는 같은 벡터의 자리만 바뀝니다. 있으면 “{ $word }”의 벡터가 노름의 **{ PERCENT($share, digits: 0) }만큼** 움직입니다(최대).
order-words-caption = 띠는 단어의 출력 벡터 앞부분입니다. 왼쪽은 첫 번째 순서, 오른쪽은 두 번째 순서입니다. 비율은 이동 거리를 벡터의 노름으로 나눈 값입니다. “같은 벡터”는 반올림 오차(여기서는 최대 { SCIENTIFIC($without) }) 안에서 같다는 뜻입니다. 종료 토큰은 항상 끝에 있습니다.
order-words-alt = 위치 인코딩이 없을 때와 있을 때, 마지막 층을 지난 단어 벡터. 왼쪽은 첫 번째 순서, 오른쪽은 두 번째 순서이며 선은 같은 단어를 잇습니다.
positions-order-moved = { PERCENT($share, digits: 0) } 이동
positions-order-kept = 같은 벡터
positions-order-layers-title = 층별 거리
order-layers-caption = 토큰마다 두 벡터 사이의 거리입니다. 위치 인코딩이 있으면 마지막 층을 지난 뒤 “{ $word }”의 벡터가 { $moved }만큼 달라집니다. 첫 번째 순서에서 이 벡터의 노름은 { $length }입니다.
positions-first-order = 첫 번째 순서
positions-second-order = 두 번째 순서
order-maps-alt = 두 순서에서 { $layer }층 { $head }번 헤드의 어텐션 맵.
positions-order-maps-differ = 두 번째 맵의 행과 열을 첫 번째 순서로 되돌리면 두 맵의 차이는 최대 **{ SCIENTIFIC($difference) }**입니다.
positions-order-maps-equal = 두 번째 맵의 행과 열을 첫 번째 순서로 되돌리면 두 맵은 **비트 단위까지 같습니다**.
positions-exact-what = 점 하나는 종료 토큰을 포함한 문장 전체({ $n }토큰)를 무작위 순열 P로 섞은 결과이며, 행마다 { $orders }개입니다.
order-exact-alt = 순열마다 encode(P x)와 P encode(x)의 최대 차이.
order-exact-caption = 세로선은 1 ulp, 즉 가장 큰 출력값 { $largest } 근처에서 이웃한 부동소수점 수의 간격입니다. 나머지 차이는 더하는 순서가 달라서 생깁니다.
positions-exact = 위치 인코딩이 없으면 반올림 오차 안에서 encode(P x) = P encode(x)입니다(float64에서 차이는 최대 **{ SCIENTIFIC($double) }**). 위치 인코딩이 있으면 정밀도와 관계없이 최대 **{ $positions }**만큼 차이가 납니다.

# The view of the trained model

position_source = 원문의 위치 인코딩
position_target = 번역문의 위치 인코딩
positions-mode-normal = 원래대로
positions-mode-absent = 제거(NoPE)
positions-mode-permuted = 무작위로 섞음
positions-mode-shifted = 이동
positions-mode-reversed = 역순

# Progress, and views without norms

view-positions-encoding-no-norms = 이 보기는 위치 벡터를 비교하므로, 헤드가 더하는 벡터는 나오지 않습니다.
view-positions-order-no-norms = 이 보기는 한 문장을 두 순서로 읽을 때의 은닉 상태와 가중치를, 일부를 바꾼 모델에서 비교합니다.
equivariance-progress = 문장의 순서를 섞는 중…

# What figures are called when they are saved.

order-layers-file = 두 가지 어순, 층별: { $text }
order-maps-file = 두 가지 어순, { $layer }층 { $head }번 헤드: { $text }
order-words-file = 두 가지 어순, 벡터: { $text }
order-exact-file = 순열 등변성: { $text }
encoding-curves-file = 위치 인코딩 곡선 { $what }
encoding-heatmap-file = 위치 인코딩 히트맵 { $what }
encoding-wavelengths-file = 위치 인코딩 파장 { $what }
encoding-similarity-file = 위치 인코딩 유사도 { $what }
encoding-matrix-file = 위치 인코딩 행렬 { $what }
encoding-rotation-file = 위치 인코딩 회전 { $what }
encoding-surface-file = 위치 인코딩 곡면 { $what }
encoding-helix-file = 위치 인코딩 PCA { $what }
positions-encoding-what-formula = d_model { $d_model } 밑 { $base } 길이 { $length } 공식
positions-encoding-what-model = d_model { $d_model } 밑 { $base } 길이 { $length } 모델
