# 계보 페이지: 한 문장을 모든 시스템으로.

# 시스템 고르기

lineage-systems = 시스템
lineage-systems-help = 설치된 체크포인트 가운데 두 언어가 같고 탐색할 수 있는 것 전부이며, 오래된 논문부터 놓았습니다.
lineage-systems-none = 시스템 고르기
lineage-not-installed = 계보의 시스템이 아직 하나도 설치되어 있지 않습니다. 시스템마다 명령 하나로 학습해서 checkpoints/ 아래로 내보냅니다:
lineage-other-languages = 설치된 계보의 시스템은 열린 체크포인트와 다른 언어를 번역하므로 이 문장을 읽을 수 없습니다: { $systems }.
lineage-named = { $title } ({ $name })
lineage-opened = { $title } · 지금 열려 있음

# 모든 시스템을 거친 문장

lineage-target = 모두가 읽는 번역
lineage-target-help = 맵은 모델이 원문을 보면서 어떤 번역을 읽느냐에 따라 달라집니다. 모두 같은 번역을 읽으면 행이 같아져 맵을 비교할 수 있습니다.
lineage-target-open = 열려 있는 시스템의 번역
lineage-target-reference = 참조 번역
lineage-target-own = 저마다 자기 번역
lineage-shown = 보여 줄 것
lineage-shown-help = 어텐션은 시스템이 본 곳입니다. 토큰 빼기는 그 토큰이 없으면 무엇을 잃는지 보여 주며, 어텐션이 없는 시스템에서도 잴 수 있습니다.
lineage-shown-attention = 어텐션
lineage-shown-left_out = 토큰을 하나씩 뺐을 때 잃는 것
lineage-heads = 헤드가 여럿일 때
lineage-heads-mean = 평균
lineage-heads-sharpest = 가장 뾰족한 헤드
lineage-reference = 참조 번역
lineage-reference-none = 정답으로 삼을 번역
lineage-reference-empty = 참조 번역을 입력할 때까지는 모든 시스템이 지금 열려 있는 시스템의 번역을 읽습니다.
lineage-words = 시스템마다 글을 서로 다른 조각으로 자르므로 행과 열은 단어 단위입니다. 키(원문) 쪽 조각의 가중치는 더하고, 쿼리(번역문) 쪽 조각의 가중치는 평균을 냅니다.
lineage-numbers = 읽은 번역의 log P: { $log_p }(토큰당 { $mean }, { $n }토큰)
lineage-of-mean = 헤드 { $n }개 전체의 평균 가중치입니다.
lineage-of-head = 헤드 { $n }개 가운데 가장 뾰족한 { $head }의 가중치입니다.
lineage-is-weights = 가중치: 본 곳.
lineage-is-drops = 원문의 토큰을 하나 뺐을 때, 쓴 토큰마다 log p가 줄어드는 양입니다. 차례로 읽는 신경망에서 끝 기호는 뺄 수 없습니다.
lineage-drop = log p 감소량
lineage-window = 빨간 선은 스텝마다 중심으로 삼는 자리이고, 가는 선은 양쪽으로 { $d }칸인 창의 양 끝입니다.
lineage-rows-free = 행의 합은 { $least }에서 { $most }까지입니다. 가우시안이 가중치의 일부를 덜어 냅니다.
lineage-too-long = 원문 { $source }토큰, 번역문 { $n }토큰은 너무 많아서 그리거나 하나씩 빼 볼 수 없습니다.
lineage-map-alt = { $kind ->
    [drops] { $system }: 원문의 토큰을 하나씩 뺐을 때 잃는 것
   *[weights] { $system }: 본 곳
 }, { $rows }행 { $columns }열.
lineage-map-file = { $system } { $text }

lineage-difference = 둘의 차이
lineage-difference-one = 위에서 맵이 나오는 시스템을 두 개 고르세요.
lineage-first = 첫째
lineage-second = 둘째
lineage-difference-kinds = 둘 가운데 하나에는 어텐션이 없어 서로 다른 것을 그렸습니다. 보여 줄 것을 “토큰을 하나씩 뺐을 때 잃는 것”으로 바꾸면 비교할 수 있습니다.
lineage-difference-sizes = 둘이 서로 다른 번역을 읽어 맵의 행이 다릅니다. 모두 같은 번역을 읽게 하세요.
lineage-difference-weight = 가중치, 둘째 − 첫째
lineage-difference-drop = log p 감소량, 둘째 − 첫째
lineage-difference-words = 한 행의 가중치 가운데 다른 곳으로 간 몫은 평균 **{ $mean }**, 가장 많은 곳은 “{ $token }”{ JOSA($token, "을/를") } 쓰는 자리(**{ $most }**)입니다.
lineage-difference-alt = { $first } 맵과 { $second } 맵의 차이, { $rows }행.
lineage-difference-file = { $first } { $second } 차이 { $text }

# 숫자로 보는 한 스텝

step-token = 쓴 토큰
step-source = 점수를 볼 토큰
step-unit = 유닛
lineage-step = 스텝 { $n }: { $read }{ JOSA($read, "을/를") } 읽고 { $written }{ JOSA($written, "을/를") } 씁니다. 여기의 모든 숫자는 모델이 계산한 값이며, 열마다 아래의 합과 맞아떨어지도록 반올림했습니다.
lineage-sources = { $n ->
    [1] 벡터가 하나입니다
   *[other] 원문의 토큰마다 하나씩, 벡터가 { $n }개입니다
 }. 벡터 하나에 수가 { $units }개 들어 있습니다. “벡터 하나에 담기”에 그려져 있습니다.
lineage-vector = { $name }: { $least }에서 { $most }까지의 수 { $n }개.
lineage-vector-alt = { $name }: 수 { $n }개를 막대로 그린 것.
lineage-vector-file = { $name } { $text }
lineage-centre = 창의 중심은 원문의 자리 **{ $place }**이고, 여기서 가장 가까운 토큰은 “{ $token }”입니다. 원문 { $of }토큰 가운데 “{ $first }”에서 “{ $last }”까지 { $n }토큰이 창에 들어 있습니다.
lineage-terms = { $token }의 점수는 층의 유닛마다 나온 값을 더한 것입니다:
lineage-terms-rest = 나머지 전부의 합
lineage-softmax-gaussian = 가우시안이 없으면 가중치의 합이 1이고, 있으면 { $sum }입니다.
lineage-context = 문맥 벡터의 유닛 { $unit } 값은 { $value }입니다.
lineage-sum = 합
lineage-others = 나머지 { $n }개 전부
lineage-unit = 유닛
lineage-term = 점수에 더하는 값
lineage-token = 토큰
lineage-score = 점수
lineage-below = − 최댓값
lineage-exponential = exp
lineage-share = 몫
lineage-gaussian = 가우시안
lineage-weight = 가중치
lineage-state = 토큰의 상태
lineage-product = 가중치 × 상태
lineage-logit = 로짓
lineage-probability = 확률
lineage-table-alt = 합을 { $n }줄로 풀어 쓴 표.

value-summary = c, 요약
value-last = h, 마지막 상태
value-state = 디코더의 상태
value-context = 문맥 벡터
value-attentional = 어텐션 벡터
value-part-forwards = 앞에서부터 읽음
value-part-backwards = 뒤에서부터 읽음

equation-summary = 인코더의 마지막 상태가 고정 길이 벡터 c가 됩니다. 디코더가 문장에 대해 아는 것은 이것이 전부입니다.
equation-state-summary = 앞의 상태, 마지막에 쓴 토큰, 그리고 스텝마다 들어오는 c로 다음 상태를 만듭니다.
equation-output-summary = 상태, 앞의 토큰, c가 어휘의 모든 토큰에 로짓을 주고, 소프트맥스가 확률로 바꿉니다.
equation-last = 인코더의 마지막 상태입니다. 위층의 것을 그렸습니다. 디코더는 여기서 시작하며, 문장에 대해 아는 것은 이것이 전부입니다.
equation-state-last = 앞의 상태와 마지막에 쓴 토큰으로 다음 상태를 만듭니다. 문장은 다시 들어오지 않습니다.
equation-output-last = 위층의 상태가 어휘의 모든 토큰에 로짓을 주고, 소프트맥스가 확률로 바꿉니다.
equation-annotations-both = 원문의 토큰마다 어노테이션(annotation)이 있습니다. 앞에서부터 거기까지 읽은 신경망의 상태와 끝에서부터 거기까지 거꾸로 읽은 신경망의 상태를 합친 것입니다.
equation-annotations-one = 인코더 위층의 상태들이며, 원문의 토큰마다 하나씩입니다.
equation-score-additive = 작은 신경망이 원문의 토큰을 하나하나 이 스텝 직전의 디코더 상태와 견주어 점수를 매깁니다.
equation-score-dot = 원문 토큰의 점수는 그 상태와 디코더 상태의 내적입니다.
equation-score-general = 원문 토큰의 점수는 디코더의 상태, 학습한 행렬, 토큰의 상태를 곱한 것입니다.
equation-score-concat = 작은 신경망이 원문의 토큰을 하나하나 디코더의 상태와 견주어 점수를 매깁니다.
equation-score-location = 자리의 점수는 디코더의 상태만으로 계산합니다. 그 자리에 어떤 토큰이 있는지는 보지 않습니다.
equation-softmax = 소프트맥스가 점수를 몫으로 바꿉니다. 모두 더하면 1입니다.
equation-softmax-local-m = 소프트맥스는 창 안의 점수에만 취합니다.
equation-softmax-local-p = 소프트맥스는 창 안의 점수에 취합니다. 그다음 창의 중심에 놓인 가우시안이 먼 곳의 가중치를 덜어 내므로 합이 1보다 작습니다.
equation-centre-local-m = 창은 스텝마다 한 토큰씩 앞으로 갑니다.
equation-centre-local-p = 창의 중심은 디코더의 상태로 예측합니다. 0과 1 사이의 비율을 예측해 문장 길이 S에 곱하며, 여기서는 자리를 1부터 셉니다.
equation-context = 문맥 벡터는 토큰의 상태에 저마다 가중치를 곱해 더한 것입니다.
equation-state-context = 문맥 벡터와 마지막에 쓴 토큰으로 새 상태를 만듭니다.
equation-state-fed = 앞의 상태, 마지막에 쓴 토큰, 그리고 앞 스텝에서 넘겨받은 어텐션 벡터로 다음 상태를 만듭니다(인풋 피딩).
equation-state-unfed = 앞의 상태와 마지막에 쓴 토큰으로 다음 상태를 만듭니다.
equation-attentional = 문맥 벡터와 상태가 함께 한 층을 지나 어텐션 벡터가 됩니다.
equation-output-context = 상태, 문맥 벡터, 앞의 토큰이 어휘의 모든 토큰에 로짓을 주고, 소프트맥스가 확률로 바꿉니다.
equation-output-attentional = 어텐션 벡터가 어휘의 모든 토큰에 로짓을 주고, 소프트맥스가 확률로 바꿉니다.

# 벡터 하나에 담기

lineage-growing = 길어지는 문장
lineage-growing-of = 첫 문장 뒤에 단어를 하나씩 더 붙일 때, 첫 문장의 번역 “{ $target }”의 확률이 시스템마다 어떻게 달라지는지:
lineage-growing-alt = 원문의 길이에 따른 시작 부분의 로그 확률: 시스템 { $n }개, 길이 { $texts }가지.
lineage-growing-file = 길어지는 문장 { $text }
lineage-more = 이어 붙일 말
lineage-more-help = 맨 위의 문장 뒤에 하나씩 붙이는 단어입니다. 재는 것은 언제나 첫 문장의 번역입니다.
lineage-no-target = 열려 있는 시스템이 아무것도 쓰지 않았습니다. “모든 시스템”에서 참조 번역을 입력하면 그 확률을 따라갑니다.
lineage-not-loaded = { $system }: 불러올 수 없습니다.
lineage-not-read = { $system }: { $why }
lineage-cut = { $system }: { $most }토큰까지만 읽으므로 선에 점이 { $n ->
    [0] 없습니다
   *[other] { $n }개입니다
 }.
lineage-fall = { $system }: 토큰당 log p가 **{ $first }**에서 **{ $last }**{ JOSA($last, "으로/로") } 바뀝니다.
lineage-states = 인코더에 담긴 것
lineage-states-alt = 인코더의 유닛 { $units }개, 토큰 { $n }개, { $part ->
    [backwards] 뒤에서부터 읽음
    [forwards] 앞에서부터 읽음
   *[other] { $part }
 }.
lineage-states-file = 상태 { $part } { $text }
lineage-states-caption = 유닛 { $units }개를 한 줄에 하나씩, 값이 가장 커지는 토큰의 순서로 놓았습니다. { $part ->
    [backwards] 이 방향은 오른쪽에서 왼쪽으로 읽습니다.
    [forwards] 이 방향은 왼쪽에서 오른쪽으로 읽습니다.
   *[other] { $part }
 }

figures-lineage-centre = 창의 중심
figures-lineage-unit = 유닛
figures-lineage-value = 값
figures-lineage-largest = 유닛의 값 가운데 가장 큰 크기
figures-lineage-words = 원문의 단어 수
figures-lineage-log-p = 토큰당 log p
figures-lineage-system = 시스템
