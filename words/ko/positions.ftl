# The page of positions and its figures.

positions-position = 위치
positions-other-position = 다른 위치
positions-token = 토큰
positions-dimension = 차원
positions-dimension-n = { $n }번 차원
positions-dimensions = 차원
positions-pair = 쌍
positions-pair-legend = 쌍(차원)
positions-pair-dimensions = { $sine }(사인), { $cosine }(코사인)
positions-function = 함수
positions-value = 값
positions-sine = 사인
positions-cosine = 코사인
positions-even = 짝수: 사인
positions-odd = 홀수: 코사인
positions-wavelength = 파장
positions-turns = 이 문장 안의 회전수
positions-this-sentence = 이 문장: { $n }
positions-longest = 모델의 최대 길이: { $n }
positions-farthest = 이 문장에서 가장 먼 간격: { $n }
positions-offset-k = 간격 k
positions-dot = 내적
positions-smallest = pos에 따른 최솟값
positions-largest = pos에 따른 최댓값
positions-before = 전
positions-after = 후
positions-axis-row = 위치(행)
positions-axis-column = 위치(열)
positions-axis-dimension = 차원(열)
positions-axis-pair = 쌍 i(차원 2i와 2i + 1)
positions-axis-wavelength = 파장, 위치 단위(로그 눈금)
positions-axis-dot = 내적 PE(pos)·PE(pos + k)
positions-rotation-x = 코사인: 차원 2i + 1
positions-rotation-y = 사인: 차원 2i

# The encoding

encoding_part = 인코딩 보기
encoding_part-curves = 곡선
encoding_part-heatmap = 히트맵
encoding_part-wavelengths = 파장
encoding_part-similarity = 유사도
encoding_part-rotation = 회전
encoding_values = 값의 출처
encoding_values-formula = 공식
encoding_values-model = 모델 자신의 값
positions-formula-title = 공식
positions-mark-label = 문장 표시
positions-mark-help = 문장에 있는 토큰의 위치를 표시합니다. 자리가 있으면 토큰의 이름도 적습니다.
positions-length-label = 길이
positions-length-help = 보여 줄 위치의 수, 0부터.
positions-table-ends = 모델의 표는 위치 { $last }에서 끝납니다.
positions-as-model-label = 모델과 같게
positions-as-model-help = d_model { $d_model }, 밑 { $base }, 위치 { $n }개
positions-as-sentence-label = 문장과 같게
positions-as-sentence-help = 길이 { $n }, 토큰마다 위치 하나
positions-d-model-label = d_model
positions-d-model-help = 인코딩 하나에 든 숫자의 개수입니다. 사인과 코사인이 쌍을 이루므로 짝수입니다.
positions-d-model-odd = 사인과 코사인이 쌍을 이루므로 d_model은 짝수여야 합니다. { $asked } 대신 { $shown }{ JOSA($shown, "을/를") } 보여 줍니다.
positions-base-label = 밑
positions-base-help = 로그 눈금입니다. 가장 긴 파장은 밑의 2π배에 가깝습니다.
positions-pos-label = 위치 pos
positions-pos-beyond = 위치 { $asked }{ JOSA($asked, "은/는") } 범위를 벗어나므로 마지막 위치 { $last }{ JOSA($last, "을/를") } 보여 줍니다.
positions-dim-label = 차원
positions-dim-beyond = 차원 { $asked }{ JOSA($asked, "은/는") } 범위를 벗어나므로 마지막 차원 { $last }{ JOSA($last, "을/를") } 보여 줍니다.
positions-who-token = 위치 { $position }의 토큰은 “{ $token }”이고, i = { $i }입니다.
positions-who = 위치 { $position }: i = { $i }.
positions-in-table = 모델의 표에 있는 값은 **{ $value }**, 차이는 { $away }입니다.
positions-in-table-not = 모델의 표에는 이 위치가 없습니다.
positions-adds-title = 모델이 더하는 값
positions-adds = 불러온 모델은 { $rows } × { $columns }개의 수가 든 표를 더하며, 밑은 { $base }입니다. 공식과의 차이는 최대 **{ $difference }**입니다.
positions-adds-rounded = 불러온 모델은 { $rows } × { $columns }개의 수가 든 표를 더하며, 밑은 { $base }입니다. 공식과의 차이는 최대 **{ $difference }**{ JOSA($difference, "으로/로") }, float32의 반올림 오차입니다.
positions-lengths = 위치 인코딩 벡터의 크기는 √({ $d_model } / 2) = { $expected }이고, 재어 보면 **{ $measured }**입니다. 이 문장의 임베딩에 √{ $d_model } = { $scale }{ JOSA($scale, "을/를") } 곱한 벡터의 크기는 평균 **{ $mean }**입니다(최소 { $shortest }, 최대 { $longest }).
positions-dims-label = 차원
positions-dims-help = 짝수 차원은 사인, 홀수 차원은 코사인입니다. 2i와 2i + 1은 파장이 같은 한 쌍입니다. { $most }개까지 고를 수 있습니다.
positions-dims-none = 고른 차원이 없어서 서로 멀리 떨어진 몇 개를 보여 줍니다.
positions-curves-alt = 위치 { $n }개에서 차원 { $names }의 값을 그린 곡선.
positions-heatmap-alt = 위치 { $rows }개와 차원 { $columns }개의 히트맵, 값은 -1에서 1까지. 고른 값은 공식 옆에 적혀 있습니다.
positions-heatmap-caption = 고리는 옆에서 계산한 값입니다. 왼쪽에는 빠르게 도는 쌍이 있고, 오른쪽에서는 사인이 0, 코사인이 1 가까이에 머무릅니다.
positions-wavelengths-alt = 로그 눈금에 그린 { $n }개 쌍의 파장, 위치 단위로 { $shortest }에서 { $longest }까지.
positions-wavelengths = { $formula }: 파장은 위치 단위로 **{ $shortest }**에서 **{ $longest }**까지이며, { $pair }번 쌍의 파장은 **{ $own }**입니다.
positions-turns-sentence = { $pairs }개 쌍 중 { $n }개가 이 문장({ $tokens }토큰) 안에서 한 바퀴를 다 돕니다.
positions-turns-longest = { $pairs }개 쌍 중 { $n }개가 모델이 읽는 가장 긴 문장({ $tokens }토큰) 안에서 한 바퀴를 다 돕니다.
positions-similarity-alt = 간격에 따른 두 인코딩의 내적과 코사인.
positions-similarity = { $formula }, 곧 pos와 관계가 없습니다. 위치 { $n }개와 모든 간격에서 재어 보면, 내적의 최댓값이 { $largest }인데 pos에 따른 차이는 최대 **{ $spread }**입니다.
positions-similarity-matrix-alt = 두 위치 사이의 코사인을 모두 담은 행렬. 대각선을 따라 값이 같습니다.
positions-offset-label = 간격 k
positions-offset-help = 회전이 몇 위치 앞으로 나아가는지 정합니다. 쌍과 위치는 공식에서 고른 것입니다.
positions-offset-beyond = 위치를 { $n }개만 보여 주므로, { $asked } 대신 두 위치 사이의 가장 큰 간격 { $largest }{ JOSA($largest, "을/를") } 씁니다.
positions-rotation-alt = 단위원 위의 { $pair }번 쌍: 위치 { $position }, 그리고 { $offset }만큼 뒤.
positions-turned = ω = 위치당 { $frequency }라디안입니다. k = { $offset }이면 { $pair }번 쌍은 **{ $radians }**라디안 = { $degrees }°, 곧 { $turns }바퀴 돕니다.
positions-turned-less = ω = 위치당 { $frequency }라디안입니다. k = { $offset }이면 { $pair }번 쌍은 **{ $radians }**라디안 = { $degrees }° 돕니다.
positions-rotation-error-model = 위치 { $positions }개와 쌍 { $pairs }개 모두에서 모델의 float32 값을 float64로 재어 보면: max |R·PE(pos) − PE(pos + { $offset })| = **{ $error }**.
positions-rotation-error-formula = 위치 { $positions }개와 쌍 { $pairs }개 모두에서 공식의 값을 float64로 재어 보면: max |R·PE(pos) − PE(pos + { $offset })| = **{ $error }**.
positions-rotation-caption = R은 k = { $offset }에 달려 있고 pos와는 관계가 없습니다. 흐린 점은 그 밖의 위치입니다.

# Errors of another order

positions-order-no-words = 순서를 바꿀 단어가 없습니다.
positions-order-no-words-hint = 두 단어 이상 입력하세요.
positions-order-long = 입력한 단어가 { $n }토큰입니다. 이 보기는 { $most }토큰까지 읽습니다.
positions-order-long-hint = 단어를 줄이세요.
positions-order-one-word = 단어가 하나이면 순서도 하나뿐입니다.
positions-order-one-word-hint = I go home처럼 두 단어 이상 입력하세요.
positions-order-lacks = 입력한 순서의 단어가 원래 단어와 다릅니다. 빠진 단어: { $missing }.
positions-order-adds = 입력한 순서의 단어가 원래 단어와 다릅니다. 더해진 단어: { $extra }.
positions-order-lacks-and-adds = 입력한 순서의 단어가 원래 단어와 다릅니다. 빠진 단어: { $missing }, 더해진 단어: { $extra }.
positions-order-words-hint = 첫째 칸의 단어를 모두 한 번씩, 다른 순서로 입력하세요.
# Figures of order, layers and heads

positions-layer = 층
positions-layer-from-embedding = 층(0: 임베딩)
positions-embedding-short = 임베딩
order_measure = 비교 기준
order_measure-distance = 유클리드 거리
order_measure-cosine = 각의 코사인
positions-axis-numbers = 벡터의 성분(앞부분)
positions-vector = 벡터
positions-number = 성분 번호
positions-case-with = 위치 있음, float{ $bits }
positions-case-without = 위치 없음, float{ $bits }
positions-axis-difference = 차이의 최대 절댓값
positions-encoder = 인코더
positions-permutation = 순열
positions-largest-difference = 가장 큰 차이
positions-rounding-step = 반올림 간격 하나
positions-head-title = 헤드
positions-axis-words = 단어를 바꿔도 유지(겹침)
positions-axis-absent = 위치를 없애도 유지(겹침)
positions-sharpness = 가장 큰 가중치, 행 평균
positions-words = 단어를 바꿔도 유지
positions-spread = ± 다른 문장들 사이
positions-absent = 위치를 없애도 유지
positions-special = 특수 토큰에 준 가중치
positions-chance-of = 비교 기준을 잰 곳
positions-chance = 서로 다른 두 헤드
positions-axis-offset = 모든 위치에 더한 이동량
positions-axis-log-p = 원래 번역문의 log P
positions-of-side = 위치를 바꾼 쪽
positions-side = 쪽
positions-offset = 이동량
positions-log-p = log P
positions-of-model = 모델의 위치 수

# The view of order
positions-order-title = 같은 단어, 다른 순서
positions-order-maps-title = 두 순서에서 본 한 헤드의 맵
positions-exact-title = 정확히: 화면의 문장으로
order_text-label = 단어 몇 개
order_how = 다른 순서
order_how-reversed = 거꾸로
order_how-shuffled = 섞기
order_how-typed = 직접 입력
order_seed-label = 시드
order_shuffle-label = 다시 섞기
order_typed-label = 같은 단어를 원하는 순서로
positions-order-unknown = 어휘에 없는 조각: { $pieces }. 모델에는 모두 똑같은 미등록 토큰으로 보입니다.
positions-order-first-chips = **첫째 순서** { $chips }
positions-order-second-chips = **둘째 순서** { $chips }
positions-order-same = 두 순서의 토큰이 같아서 견주어 볼 것이 없습니다.
positions-order-caption = 단어는 통째로 움직이고 끝 기호는 마지막에 둡니다. 각 토큰을 다른 순서에 있는 같은 토큰과 비교합니다.
order_case = 인코더
order_case-without = 위치 없음
order_case-with = 위치 있음
positions-layers-alt = 층마다 각 토큰의 두 벡터 사이의 { $measure }.
positions-layers = 위치가 없으면 마지막 층 뒤에서 어느 토큰의 두 벡터도 **{ $without }** 넘게 떨어지지 않습니다. float32의 반올림 오차일 뿐, 두 벡터는 같습니다. 위치가 있으면 “{ $word }”의 벡터는 **{ $moved }**만큼 움직입니다(코사인 { $cosine }). 그 벡터의 크기는 { $length }입니다.
order_token-label = 마지막 층 뒤의 벡터를 볼 토큰
positions-strip-without-first = 위치 없음, 첫째 순서
positions-strip-without-second = 위치 없음, 둘째 순서
positions-strip-with-first = 위치 있음, 첫째 순서
positions-strip-with-second = 위치 있음, 둘째 순서
positions-strips-alt = 위치가 없을 때와 있을 때, 두 순서에서 한 토큰의 벡터 앞부분.
positions-first-order = 첫째 순서
positions-second-order = 둘째 순서
positions-order-maps-alt = 두 순서에서 본 { $layer }층 { $head }번 헤드.
positions-order-maps-differ = 둘째 맵의 행과 열을 첫째 순서로 되돌려 놓으면 두 맵의 차이는 최대 **{ $difference }**입니다.
positions-order-maps-equal = 둘째 맵의 행과 열을 첫째 순서로 되돌려 놓으면 두 맵은 **비트까지 똑같습니다**.
positions-exact-what = 끝 기호까지 토큰 { $n }개 전체의 무작위 순열 { $orders }개:
positions-exact-alt = 순열마다 encode(P x)와 P encode(x)의 가장 큰 차이.
positions-exact-caption = 빨간 눈금은 출력에서 가장 큰 수 { $largest }에서 이웃한 두 부동소수점 수의 간격입니다. 남은 차이는 합을 더하는 순서가 달라서 생깁니다.
positions-exact = 위치가 없으면 encode(P x) = P encode(x)가 성립하며, 오차는 float32에서 최대 **{ $single }**, float64에서 최대 **{ $double }**입니다. 위치가 있으면 정밀도와 관계없이 둘의 차이가 **{ $positions }**에 이릅니다.

# The view of the trained model

positions-every-change-title = 모든 변경을 한쪽씩
positions-shift-title = 위치를 얼마나 옮길 수 있을까?
position_source = 원문의 위치
position_target = 번역문의 위치
positions-mode-normal = 그대로
positions-mode-absent = 없음
positions-mode-permuted = 섞기
positions-mode-shifted = 옮기기
positions-mode-reversed = 거꾸로
positions-permutation-seed = 섞기의 시드
positions-shift-label = 이동량
positions-shift-help = 모든 위치에 더하는 수입니다. 모델은 위치 { $n }개까지 쓰도록 만들어졌지만, 인코딩 공식은 그 너머에서도 쓸 수 있습니다.
positions-translating = 모든 변경으로 번역하는 중…
positions-changed-absent = 없음
positions-changed-permuted = 섞기, 시드 { $seed }
positions-changed-shifted = { $offset }만큼 옮기기
positions-changed-reversed = 거꾸로
positions-source = 원문
positions-target = 번역문
positions-column = 위치
positions-output = 출력
positions-same = 출력이 같음
positions-plain-log-p = 원래 출력의 log P
positions-change = 변화
positions-summary-alt = 위치를 바꿀 때마다의 출력과 원래 출력의 로그 확률.
positions-summary = 원문의 위치를 없애면 원래 출력의 log P가 **{ $source }** 변하고, 번역문의 위치를 없애면 **{ $target }** 변합니다. 원문의 변경 { $n }가지 중 { $kept_source }가지, 번역문의 변경 { $n }가지 중 { $kept_target }가지에서 출력이 그대로입니다.
positions-offsets-alt = 이동량에 따른 원래 출력의 로그 확률.
positions-offsets-caption = “{ $text }”의 log P. 점선은 모델이 쓰도록 만들어진 위치 수({ $n }개)이고, 그 너머의 인코딩은 공식으로 계산합니다.

# The view of heads

position_words-label = 다른 단어의 시드
position_words_next-label = 다른 단어로
positions-reading-others = 다른 단어로 된 문장 { $n }개를 읽는 중…
positions-chance-level = { $site } { $level }
positions-heads-verdict = 단어를 바꿔도 맵이 가장 잘 유지되는 헤드는 **{ $first }**: 겹침 **{ $words }**. 위치를 없애도 가장 잘 유지되는 헤드는 **{ $second }**: 겹침 **{ $positions }**. 헤드 { $n }개 중 { $places }개는 위치를 없앨 때보다 단어를 바꿀 때 맵이 더 많이 유지됩니다.
positions-heads-verdict-chance = { positions-heads-verdict } 비교 기준은 서로 다른 두 헤드의 겹침입니다: { $levels }.
position_head-help = 점을 눌러도 됩니다.
positions-scatter-alt = 모든 헤드: 단어를 바꾼 맵과의 겹침, 위치를 없앤 맵과의 겹침.
positions-map-plain = 이 문장
positions-map-absent = 위치 없음
positions-map-others = 다른 단어, { $n }
positions-head-maps-alt = { $head }: 이 문장, 위치 없음, 다른 단어 두 가지.
positions-head-caption = 다른 단어와의 겹침 { $words } ± { $spread }(문장 { $n }개의 평균과 표준편차), 위치를 없앨 때 { $positions }. 행에서 가장 큰 가중치의 평균 { $sharpness }, 특수 토큰에 준 가중치 { $special }.
position_others-label = 다른 단어들
positions-heads-table-alt = 모든 헤드와 그 겹침. 단어를 바꿔도 맵이 가장 잘 유지되는 헤드가 먼저입니다.
position_head = 헤드
positions-permuting = 문장을 섞는 중…
positions-shifting = 위치를 옮기는 중…

# What figures are called when they are saved.

positions-offsets-name = 위치 옮기기: { $text }
positions-layers-name = 두 순서, 층별: { $text }
positions-strips-name = { $token }의 벡터: { $text }
positions-order-maps-name = 두 순서의 { $layer }층 { $head }번 헤드: { $text }
positions-exact-name = 순열 등변성: { $text }
positions-scatter-name = 위치를 따르는 헤드
positions-head-maps-name = { $head }, 다른 단어
positions-encoding-name-curves = 위치 인코딩 곡선 { $what }
positions-encoding-name-heatmap = 위치 인코딩 히트맵 { $what }
positions-encoding-name-wavelengths = 위치 인코딩 파장 { $what }
positions-encoding-name-similarity = 위치 인코딩 유사도 { $what }
positions-encoding-name-matrix = 위치 인코딩 행렬 { $what }
positions-encoding-name-rotation = 위치 인코딩 회전 { $what }
positions-encoding-what-formula = d_model { $d_model } 밑 { $base } 길이 { $length } 공식
positions-encoding-what-model = d_model { $d_model } 밑 { $base } 길이 { $length } 모델
