# 계보 페이지: 한 문장을 모든 모델로.

# 모델 고르기

lineage-systems = 모델
lineage-systems-help = 선택한 모델과 같은 언어 쌍을 번역하는 모델 가운데 설치된 것이며, 논문이 나온 연도순입니다.
lineage-systems-none = 모델 선택
lineage-not-installed = 이 페이지에서 비교할 모델이 아직 하나도 설치되어 있지 않습니다. 다음과 같은 명령으로 학습한 뒤 checkpoints/로 내보내세요:
lineage-other-languages = 이 페이지에서 비교할 모델은 선택한 모델과 다른 언어를 번역하므로 이 문장을 읽을 수 없습니다: { $systems }
lineage-named = { $title } · { $name }
lineage-opened = { $title } · 선택한 모델
lineage-family-transformer = 트랜스포머(Vaswani 2017)

# 모든 모델을 거친 문장

lineage_target = 비교 기준 번역
lineage_target-help = 어텐션 맵은 디코더가 읽는 번역에 따라 달라집니다. 모든 모델이 같은 번역을 읽으면(교사 강요) 행이 같으므로 맵을 비교할 수 있습니다.
lineage_target-open = 선택한 모델의 번역
lineage_target-reference = 참조 번역
lineage_target-own = 모델별 번역
lineage_shown = 맵 종류
lineage_shown-help = 어텐션 가중치는 디코더가 어느 원문 토큰에 주목하는지 나타냅니다. 하나씩 제거(LOO) 중요도는 원문 토큰을 하나 뺐을 때 log p가 줄어드는 양이며, 어텐션이 없는 모델에서도 구할 수 있습니다.
lineage_shown-attention = 어텐션 가중치
lineage_shown-left_out = 하나씩 제거(LOO) 중요도
lineage_heads = 헤드
lineage_heads-help = 헤드가 여러 개인 모델에서 헤드 전체의 평균을 볼지, 최대 가중치(쿼리 평균)가 가장 큰 헤드 하나를 볼지 정합니다.
lineage_heads-mean = 헤드 평균
lineage_heads-sharpest = 최대 가중치 헤드
lineage_reference = 참조 번역
lineage_reference-none = 올바른 번역을 입력하세요
lineage_reference-empty = 참조 번역을 입력하기 전까지는 모든 모델이 선택한 모델의 번역을 읽습니다.
lineage-words = 모델마다 서브워드를 나누는 방식이 달라서 행과 열을 단어 단위로 표시합니다. 원문 단어는 서브워드의 가중치를 더하고, 번역문 단어는 평균을 냅니다.
lineage-found = { $n ->
    [1] 번역의 토큰당 확률(기하평균)은 **{ $by_most }** 모델이 **{ PERCENT($most, digits: 0) }입니다**.
   *[other] { $rows ->
    [own] 각 모델이 출력한 번역
    [reference] 참조 번역
   *[open] 위 번역
 }의 토큰당 확률(기하평균)은 **{ $by_most }** 모델이 **{ PERCENT($most, digits: 0) }**, { $by_least } 모델이 **{ PERCENT($least, digits: 0) }입니다**.
 }
lineage-per-token = { $rows ->
    [own] 이 출력의 토큰당 확률 **{ PERCENT($share, digits: 0) }**
    [reference] 참조 번역의 토큰당 확률 **{ PERCENT($share, digits: 0) }**. 이 모델의 출력:
   *[open] 맨 위 번역의 토큰당 확률 **{ PERCENT($share, digits: 0) }**. 이 모델의 출력:
 }
lineage-numbers = 기준 번역의 log P: { $log_p }(토큰당 { $mean }, 기하평균 { PERCENT($share, digits: 0) }, { $n }토큰)
lineage-of-mean = 헤드 { $n }개 전체에서 평균한 어텐션 가중치입니다.
lineage-of-head = 헤드 { $n }개 가운데 최대 가중치가 가장 큰 { $head }의 어텐션 가중치입니다.
lineage-is-weights = 어텐션 가중치를 나타낸 맵입니다.
lineage-is-drops = 이 모델에는 어텐션이 없으므로, 원문 토큰을 하나 뺐을 때 번역문 토큰별 로그 확률(log p)이 얼마나 감소하는지 나타낸 맵입니다. 트랜스포머 이전의 모델에서는 종료 토큰을 뺄 수 없습니다.
lineage-drop = log p 감소량(1 nat이면 확률 1/2.7)
lineage-window = 빨간 선은 스텝별 윈도의 중심입니다. 가는 선은 윈도의 양 끝으로, 중심에서 { $d }토큰 떨어져 있습니다.
lineage-rows-free = 가우시안이 일부 가중치를 줄이므로 행의 합은 { $least }–{ $most }입니다.
lineage-too-long = 원문 { $source }토큰, 번역문 { $n }토큰은 너무 길어서 이 맵을 만들 수 없습니다. 문장을 줄이세요.
lineage-map-alt = { $kind ->
    [drops] { $system }의 원문 토큰별 하나씩 제거(LOO) 중요도
   *[weights] { $system }의 어텐션 가중치
 }, { $rows }행 { $columns }열.
lineage-map-file = { $system } { $text }

lineage-difference = 차이 맵
lineage-difference-one = 맵이 있는 모델을 두 개 이상 선택하면 두 맵의 차이를 볼 수 있습니다.
lineage_first = 모델 A
lineage_second = 모델 B
lineage-difference-kinds = 두 모델 중 하나에는 어텐션이 없어서 두 맵의 값이 서로 다른 종류입니다. 맵 종류를 “하나씩 제거(LOO) 중요도”로 바꾸면 비교할 수 있습니다.
lineage-difference-sizes = 두 모델이 서로 다른 번역을 읽어서 맵의 행이 다릅니다. 모든 모델의 기준 번역을 같게 하면 비교할 수 있습니다.
lineage-difference-weight = Δ 가중치(B − A)
lineage-difference-drop = Δ 하나씩 제거(LOO) 중요도(B − A)
lineage-difference-words = 두 모델은 한 행의 가중치 가운데 평균 **{ PERCENT($mean) }를** 서로 다른 토큰에 줍니다. “{ $token }” 행의 차이가 가장 큽니다({ PERCENT($most) }).
lineage-difference-alt = { $second } 맵에서 { $first } 맵을 뺀 차이, { $rows }행.
lineage-difference-file = { $second } − { $first } { $text }

# 숫자로 보는 한 스텝

step_token = 출력 토큰
step_source = 원문 토큰
step_unit = 문맥 벡터 유닛
lineage-step = 스텝 { $n }에서는 { $read }{ JOSA($read, "을/를") } 읽고 확률 **{ PERCENT($p) }{ JOSA(PERCENT($p), "으로/로") }** { $written }{ JOSA($written, "을/를") } 생성합니다.
lineage-step-weight = 어텐션 가중치가 가장 큰 토큰은 { $token }입니다(**{ PERCENT($weight) }**).
lineage-step-alt = 스텝 { $n }에서 생성할 수 있는 토큰의 확률, 그리고 어텐션이 있는 모델이면 그 가중치.
lineage-step-file = 스텝 { $n } { $token } { $text }
lineage-step-caption = 모든 숫자는 모델이 계산한 값입니다. 아래 표의 각 열은 맨 아래의 합계와 맞도록 반올림했습니다.
lineage-sources = { $n ->
    [1] 인코더의 출력은 { $units }차원 벡터 하나입니다.
   *[other] 인코더의 출력은 { $units }차원 벡터 { $n }개이며, 원문 토큰마다 하나씩 있습니다.
 } 이 모델을 선택하면 “{ view-lineage-bottleneck }” 보기에서 그림으로 볼 수 있습니다.
lineage-vector-caption = { $name }: 유닛 { $n }개의 값이 { SIGNED($least, digits: 3) }에서 { SIGNED($most, digits: 3) } 사이에 있습니다.
lineage-vector-alt = { $name }: 유닛 { $n }개의 값을 나타낸 막대그래프.
lineage-vector-file = { $name } { $text }
lineage-centre = 윈도의 중심은 원문 위치 **{ $place }**에 있으며, 가장 가까운 토큰은 “{ $token }”입니다. “{ $first }”부터 “{ $last }”까지 원문 { $of }토큰 중 { $n }토큰이 윈도에 들어갑니다.
lineage-terms = { $token }의 점수는 유닛별 항을 모두 더한 값입니다:
lineage-terms-rest = 나머지 유닛 전체
lineage-softmax-gaussian = 소프트맥스 가중치의 합은 1이고, 가우시안을 곱하면 합이 { FIXED($sum, digits: 4) }입니다.
lineage-context = 문맥 벡터의 { $unit }번 유닛은 { SIGNED($value, digits: 4) }입니다.
lineage-sum = 합계
lineage-others = 나머지 토큰 { $n }개
lineage-table-unit = 유닛
lineage-table-term = 점수의 항
lineage-table-token = 토큰
lineage-table-score = 점수
lineage-table-below = − 최댓값
lineage-table-exponential = exp
lineage-table-share = 소프트맥스
lineage-table-gaussian = 가우시안
lineage-table-weight = 가중치
lineage-table-weight-heading = 보는 곳: 원문 토큰별 가중치
lineage-table-state = 인코더 상태
lineage-table-product = 가중치 × 상태
lineage-table-logit = 로짓
lineage-table-probability = 확률
lineage-table-probability-heading = 다음 토큰: 확률이 높은 순서(▸ 생성한 토큰)
lineage-table-alt = 합계를 계산한 표, { $n }행.

value-summary = c, 고정 길이 벡터
value-last = h, 마지막 은닉 상태
value-state = 디코더 상태
value-context = 문맥 벡터
value-attentional = 어텐션 벡터
value-part-forwards = 순방향
value-part-backwards = 역방향

equation-summary = 인코더의 마지막 상태로 고정 길이 벡터 c를 만듭니다. 디코더는 원문의 정보를 이 벡터로만 받습니다.
equation-state-summary = 이전 상태, 이전 토큰, c로 새 상태를 계산합니다. c는 모든 스텝에 들어갑니다.
equation-output-summary = 상태, 이전 토큰, c로 어휘의 토큰마다 로짓을 계산하고, 소프트맥스로 확률을 구합니다.
equation-last = 디코더는 인코더의 마지막 상태에서 시작하며, 원문의 정보를 이 상태로만 받습니다. 그림은 위층의 상태입니다.
equation-state-last = 이전 상태와 이전 토큰으로 새 상태를 계산합니다. 원문은 다시 들어가지 않습니다.
equation-output-last = 위층의 상태로 어휘의 토큰마다 로짓을 계산하고, 소프트맥스로 확률을 구합니다.
equation-annotations-both = 원문 토큰마다 어노테이션(annotation)이 있습니다. 양방향 RNN(BRNN)이 그 토큰에서 만든 순방향 상태와 역방향 상태를 이어 붙인 벡터입니다.
equation-annotations-one = 인코더의 위층은 원문 토큰마다 상태를 하나씩 출력합니다.
equation-score-additive = 작은 신경망이 이전 디코더 상태와 원문 토큰을 하나씩 비교해 점수를 계산합니다.
equation-score-dot = 원문 토큰의 점수는 그 토큰의 상태와 디코더 상태의 내적입니다.
equation-score-general = 원문 토큰의 점수는 디코더 상태, 학습한 행렬, 그 토큰의 상태를 곱한 값입니다.
equation-score-concat = 작은 신경망이 디코더 상태와 원문 토큰을 하나씩 비교해 점수를 계산합니다.
equation-score-location = 원문 위치의 점수는 디코더 상태만으로 계산합니다. 그 위치에 어떤 토큰이 있는지는 반영하지 않습니다.
equation-softmax = 소프트맥스는 점수를 합이 1인 가중치로 바꿉니다.
equation-softmax-local-m = 소프트맥스를 윈도 안의 점수에만 적용합니다.
equation-softmax-local-p = 소프트맥스를 윈도 안의 점수에 적용합니다. 그다음 중심에서 먼 가중치를 가우시안으로 줄이므로 가중치의 합이 1보다 작습니다.
equation-centre-local-m = 윈도는 스텝마다 한 토큰씩 이동합니다(단조 정렬, monotonic alignment).
equation-centre-local-p = 윈도의 중심은 디코더 상태로 예측합니다(예측 정렬, predictive alignment). 0과 1 사이의 비율을 예측해 원문 길이 S를 곱하며, 여기서는 위치를 1부터 셉니다.
equation-context = 문맥 벡터는 인코더 상태에 각각 가중치를 곱해 더한 값입니다.
equation-state-context = 이전 상태, 이전 토큰, 문맥 벡터로 새 상태를 계산합니다.
equation-state-fed = 이전 상태, 이전 토큰, 이전 스텝의 어텐션 벡터로 새 상태를 계산합니다(인풋 피딩).
equation-state-unfed = 이전 상태와 이전 토큰으로 새 상태를 계산합니다.
equation-attentional = 문맥 벡터와 상태를 한 층에 통과시켜 어텐션 벡터를 계산합니다.
equation-output-context = 상태, 문맥 벡터, 이전 토큰으로 어휘의 토큰마다 로짓을 계산하고, 소프트맥스로 확률을 구합니다.
equation-output-attentional = 어텐션 벡터로 어휘의 토큰마다 로짓을 계산하고, 소프트맥스로 확률을 구합니다.

# 벡터 하나에 담기

lineage-growing-caption = 선 하나가 모델 하나입니다. 원문 뒤에 단어(“설정” 참고)를 덧붙일 때 첫 문장의 번역 “{ $target }”의 토큰당 확률(기하평균)이 어떻게 변하는지 보여 주며, 고정 길이 병목을 확인하는 실험입니다. 글이 이어지므로 종료 토큰은 세지 않습니다. “{ view-lineage-systems }”에서는 종료 토큰도 세므로 확률이 조금 다릅니다.
lineage-growing-alt = 원문 길이에 따른 첫 문장 번역의 토큰당 확률: 모델 { $n }개, 길이 { $texts }가지.
lineage-growing-file = 길어지는 원문 { $text }
lineage_more = 덧붙일 단어
lineage_more-help = 문장 뒤에 하나씩 덧붙이는 단어입니다. 확률은 항상 첫 문장의 번역으로 계산합니다.
lineage-no-target = 선택한 모델의 출력이 비어 있습니다. “{ view-lineage-systems }” 보기에서 참조 번역을 입력하면 그 번역의 확률을 표시합니다.
lineage-not-loaded = { $system }: 불러올 수 없습니다.
lineage-not-read = { $system }: { $why }
lineage-cut = { $system }: { $most }토큰까지만 읽으므로 선에 점이 { $n ->
    [0] 없습니다
   *[other] { $n }개입니다
 }.
lineage-fall = 단어 { $added }개를 덧붙이면 **{ $most }** 모델이 번역에 주는 토큰당 확률이 { $most_from }에서 **{ $most_to }{ JOSA($most_to, "으로/로") }** { $falls ->
    [yes] 떨어집니다
   *[no] 바뀝니다
 }{ $n ->
    [1] .
   *[other] . 모델 { $n }개 가운데 가장 크게 낮아집니다.
 }
lineage-states = 인코더 상태
lineage-states-alt = 인코더 상태, 유닛 { $units }개, 토큰 { $n }개, { $part ->
    [backwards] 역방향
    [forwards] 순방향
   *[other] { $part }
 }.
lineage-states-file = 인코더 상태 { $part } { $text }
lineage-states-caption = 행 { $units }개는 각각 유닛 하나이며, 유닛의 절댓값이 가장 커지는 토큰의 순서로 정렬했습니다. { $part ->
    [backwards] 이 방향은 오른쪽에서 왼쪽으로 읽습니다.
    [forwards] 이 방향은 왼쪽에서 오른쪽으로 읽습니다.
   *[other] { $part }
 }

figures-lineage-gain = BLEU의 변화(ΔBLEU)
figures-lineage-seed = 다른 시드: ±{ $bleu }
figures-lineage-paper = 논문
figures-lineage-at = 연도
figures-lineage-axes = 원문 토큰(열), 출력 토큰(행)
figures-lineage-drops = 단어를 뺐을 때의 영향
figures-lineage-weights = 어텐션 가중치
figures-lineage-centre = 윈도 중심
figures-lineage-unit = 유닛
figures-lineage-value = 값
figures-lineage-largest = 가장 큰 절댓값
figures-lineage-words = 원문 길이(단어): 문장 하나, 그 뒤로 덧붙인 단어
figures-lineage-share = 토큰당 확률(기하평균)
figures-lineage-system = 모델
