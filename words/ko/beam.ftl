# The page of the beam search and its figures.

beam-token = 토큰
beam-tokens = 토큰 수
beam-step = 스텝 { $n }
beam-step-title = 디코더 스텝
beam-start = 시작
beam-log-p = log p(토큰)
beam-log-sum = log P(시퀀스)
beam-probability = 확률
beam-rank = 순위
beam-status = 상태
beam-hypothesis = 가설
beam-output = 출력
beam-reference = 참조 번역
beam-column-penalty = 길이 페널티
beam-score = 점수
beam-column-finished = 완료
beam-width = 빔 너비
beam-empty = (비어 있음)
beam-status-kept = 유지
beam-status-finished = 완료
beam-status-pruned = 탈락
beam-fate = { $status }: { $reason }
beam-side = 트리
beam-side-first = 원래 탐색
beam-side-second = 강제 접두부

# The tree

beam-tree-key-best = 1위 가설
beam-tree-key-kept = 유지
beam-tree-key-pruned = 탈락
beam-tree-key-finished = 완료(점수)
beam-tree-key-chosen = 선택한 노드까지의 경로
beam-tree-key-forced = 강제 선택
beam-tree-key-greedy = 그리디 서치
beam-tree-key-greedy-score = 그리디 서치(최종 점수 { FIXED($score) })
beam-tree-goes-on = …{ FIXED($score) }
beam-tree-key-only = 이 트리에만 있음
beam-tree-key-width = 선 굵기: 스텝 내 확률 비율
beam-tree-probability = 토큰 확률
beam-tree-sum = 누적 log p
beam-tree-penalty = 길이 페널티
beam-tree-score = 정규화 점수
beam-tree-share = 스텝 내 확률 비율
beam-tree-rank = 스텝 내 순위
beam-tree-wide = 빔 너비가 { $width }인데 어휘의 토큰은 { $n }개뿐이어서, 첫 스텝에서는 모든 토큰을 유지합니다.
beam-tree-alt = 왼쪽에서 오른쪽으로 이어지는 탐색 트리. 열 하나가 디코더 스텝 하나이며, 자세한 설명은 바로 아래에 있습니다.
beam-tree-told = 왼쪽에서 오른쪽으로 이어지는 디코더 스텝 { $steps }개의 탐색 트리. 유지된 노드 { $kept }개, 완료된 노드 { $finished }개, 탈락한 노드 { $pruned }개가 있습니다. 1위 가설은 “{ $text }”입니다. 위의 메뉴에서 노드를 선택하면 아래에 그 수치가 표시됩니다.
beam-tree-found = { $better ->
    [beam] 그리디 서치는 “{ $greedy }”{ JOSA($greedy, "이라고/라고") } 출력합니다(점수 **{ FIXED($other) }**). 빔 너비 { $width }에서는 점수가 더 높은(**{ FIXED($score) }**) “{ $text }”{ JOSA($text, "이/가") } 나옵니다.
    [greedy] 그리디 서치의 출력 “{ $greedy }”{ JOSA($greedy, "은/는") } 점수(**{ FIXED($other) }**)가 빔 너비 { $width }의 출력 “{ $text }”(**{ FIXED($score) }**)보다 더 높습니다. 빔이 이 가설을 도중에 버렸습니다.
   *[none] 그리디 서치는 “{ $greedy }”{ JOSA($greedy, "이라고/라고") } 출력하고, 빔 너비 { $width }에서는 “{ $text }”{ JOSA($text, "이/가") } 나옵니다.
 }
beam-tree-blunder = 그리디 서치는 스텝 { $step }에서 “{ $token }”({ PERCENT($p_token, digits: 0) }) 대신 “{ $other }”({ PERCENT($p_other, digits: 0) }){ JOSA($other, "을/를") } 고르며, 그 뒤로는 되돌아갈 수 없습니다.
beam-tree-pruned = 빔에서는 이 경로가 스텝 { $step }의 “{ $token }”에서 탈락합니다.
beam-tree-greedy = 그리디 서치로도 “{ $text }”{ JOSA($text, "이/가") } 나옵니다. 스텝마다 확률이 가장 높은 토큰만 골라도 같은 출력에 이릅니다.
beam-tree-width-one = 빔 너비 1은 그리디 서치입니다. 스텝마다 확률이 가장 높은 토큰만 유지하고 되돌아가지 않습니다. 더 넓은 빔과 비교해 보세요.
beam-tree-file = 탐색 트리, 빔 너비 { $width }, { $side }: { $source }
beam-tree-step = 디코더 스텝
beam-tree-step-help = 이후 스텝은 그 자리에 흐리게 표시됩니다. 화살표 키 ←와 →로도 이동할 수 있습니다.

# Steering

beam-steer-box = 강제 접두부
beam-steer-placeholder = 시작 부분을 입력하세요
beam-steer-help = 이 접두부에서 탐색을 이어 갑니다(강제 디코딩). 아래 후보를 클릭해도 됩니다. 마지막 단어는 일부만 입력해도 되고, 뒤에 공백을 넣으면 단어가 끝난 것으로 처리합니다.
undo = 실행 취소
reset = 접두부 지우기
reset-help = 강제 접두부를 지웁니다. 실행 취소로 되돌릴 수 있습니다.
beam-steer-stays = 원래 탐색 결과는 그대로입니다. 접두부를 고치거나 실행 취소를 클릭하세요.
beam-steer-found = 강제 접두부 “{ $forced }” → “{ $text }”. { $gain }
beam-column-tree = 트리
beam-steer-alt = 원래 탐색과 강제 접두부 탐색의 1위 가설과 점수.
beam-gain-none-ended = 두 트리 모두 완료된 가설이 없어 점수를 공정하게 비교할 수 없습니다.
beam-gain-one-ended = 두 트리 중 하나에는 완료된 가설이 없어 점수를 공정하게 비교할 수 없습니다.
beam-gain-same = 두 탐색의 출력이 같습니다. 원래 탐색도 스스로 이 접두부를 골랐습니다.
beam-gain-more = 강제 접두부를 쓴 출력의 점수가 **{ FIXED($gain) } 더 높습니다**. 원래 탐색이 이 출력을 놓쳤으므로 확실한 **탐색 오류**입니다.
beam-gain-less = 강제 접두부를 쓴 출력의 점수가 **{ FIXED($loss) } 더 낮습니다**. 모델의 점수로는 원래 출력이 더 좋습니다.
beam-gain-equal = 두 출력의 점수는 소수점 아래 두 자리까지 같습니다.

# The selected node

open_step = 디코더 스텝
beam-node-open = 선택한 노드
beam-node-none = 선택한 노드 없음
beam-node-name = { $token } · { $rank }위 · { $status }
beam-node-after = { $node } · 앞: { $before }
beam-node-start = 시작: 아직 생성된 토큰 없음
beam-ledger-start = 아직 생성된 토큰이 없으므로 log P = 0입니다. 모든 가설이 여기에서 시작합니다.
beam-ledger-token = 토큰: 확률 **{ PERCENT($probability) }**, log p **{ FIXED($log_prob) }**
beam-ledger-sum = log P: { $terms } = **{ FIXED($sum) }**
beam-ledger-left-out = … 외 { $n }개 …
beam-ledger-penalty-none = 길이 페널티: 없음(1)
beam-ledger-penalty-length = 길이 페널티: { $length }^{ SHORT($alpha) } = **{ FIXED($value, digits: 3) }**
beam-ledger-penalty-wu = 길이 페널티: ((5 + { $length }) / 6)^{ SHORT($alpha) } = **{ FIXED($value, digits: 3) }**
beam-ledger-score = 점수: { FIXED($sum) } ÷ { FIXED($penalty, digits: 3) } = **{ FIXED($score) }**
beam-ledger-fate = 상태: **{ $status }**{ $why ->
    [known] ({ $reason })
    [forced] (강제 선택)
    [both] ({ $reason }, 강제 선택)
   *[none] { "" }
 }
beam-candidates-title = 다음 토큰 후보
beam-candidates-ended = 이 가설은 완료되어 뒤에 올 토큰이 없습니다.
candidates = 표시할 후보 수
beam-candidates-alt = 다음 토큰 확률이 가장 높은 후보 { $n }개의 막대. 위의 메뉴에서 강제로 선택할 수 있습니다.
beam-candidates-caption = 진한 테두리는 탐색이 유지한 토큰입니다. 막대를 클릭하면 그 토큰을 강제로 선택합니다.
beam-candidates-menu = 강제할 토큰
beam-candidates-placeholder = 토큰 선택
force_token = 강제 선택
beam-candidates-file = 다음 토큰 후보: { $text }
beam-candidates-axis = 다음 토큰 확률
beam-candidates-others = 나머지 전부
beam-candidates-ranked = { $token }({ GROUPED($rank) }위)
beam-looked-title = 이 스텝의 어텐션: { $site }
beam-looked-nothing = 이 모델에는 원문에 주목하는 어텐션이 없어 표시할 가중치가 없습니다.
beam-looked-start = 시작 노드에서는 생성된 토큰이 없으므로 어텐션 가중치도 없습니다.
beam-looked-alt = { $site }: { $layers }개 층의 헤드 { $heads }개씩이 원문 토큰 { $tokens }개에 준 가중치. 가장 큰 가중치는 아래에 적혀 있습니다.
beam-looked-file = “{ $token }”의 { $site }: { $text }
beam-looked-strongest = 가장 큰 가중치: { $heads }.
beam-looked-head = { $head } → “{ $token }”({ $position }번) **{ $weight }**
beam-looked-sums = 모든 행의 합은 1입니다.
beam-looked-free = 이 모델은 설계상 행의 합이 1이 아니어도 됩니다.
beam-looked-no-sums = 합이 1이 아닌 행이 있습니다.

# The hypotheses

beam-hypotheses-cut = { $n }토큰 안에 완료된 가설이 없어, 아래 가설은 그 길이에서 잘렸습니다.
beam-what-if = 리랭킹(rerank) α
beam-what-if-help = 아래 가설의 순위를 이 α에서의 점수로 다시 매깁니다. 다시 탐색하지는 않으므로, 다른 α로 탐색했다면 다른 가설이 나왔을 수도 있습니다.
beam-rank-leads = α = { SHORT($alpha) }에서 1위는 “{ $text }”입니다.{ $was ->
    [1] { "" }
   *[other] { " " }α = { SHORT($own) }{ JOSA(SHORT($own), "으로/로") } 탐색했을 때는 { $was }위였습니다.
 }
beam-rank-no-penalty = 길이 페널티를 쓰지 않으면 α를 바꿔도 결과가 같습니다. 탐색 설정에서 페널티를 고르세요.
beam-rank-changes = 1위가 바뀌는 지점은 α = { $alphas }입니다.
beam-rank-always = α가 { SHORT($lowest) }에서 { SHORT($highest) }까지 어떤 값이어도 1위는 바뀌지 않습니다.
beam-column-was = 원래 순위
beam-column-rank = 순위
beam-column-text = 출력
beam-column-log_prob = log P(시퀀스)
beam-column-length = 토큰 수
beam-column-score = 점수
beam-column-beam_size = 빔 너비
beam-column-length-help = 종료 토큰도 포함합니다.
beam-hypotheses-alt = 점수가 높은 순서로 정렬한 가설 { $n }개.
beam-hypotheses-caption = 행 왼쪽의 칸을 체크하면 위 탐색 트리에서 그 가설의 마지막 토큰이 선택됩니다.
beam-lines-alt = α에 따른 점수. 선 하나가 가설 하나이고, 점은 두 가설의 순위가 바뀌는 곳입니다.
beam-lines-file = α에 따른 점수: { $source }
beam-lines-alpha = 길이 페널티 α
beam-lines-score = 점수(log P ÷ 길이 페널티)
beam-lines-log-score = 점수(log P ÷ 길이 페널티, 로그 눈금)
beam-lines-now = α = { $alpha }
beam-lines-name = { $rank } · { $text }
beam-lines-equal = 점수가 같은 α
beam-lines-there = 이 α에서의 점수
beam-lines-ahead = α가 커지면 더 높은 가설
beam-lines-behind = α가 커지면 더 낮은 가설

# Other ways to a translation

exact_limit = 정확 탐색 제한 시간(초)
temperature = 샘플의 온도
temperature-help = 샘플링하기 전에 로그 확률을 이 값으로 나눕니다. 1보다 작으면 확률이 높은 토큰이 더 자주, 1보다 크면 덜 자주 나옵니다. 0이면 항상 확률이 가장 높은 토큰을 고릅니다.
top_k = Top-k
top_k-help = 확률이 가장 높은 k개 토큰에서만 샘플링합니다. 0이면 모든 토큰에서 샘플링합니다(Fan et al. 2018).
top_p = Top-p(nucleus)
top_p-help = 확률의 합이 이 값 이상이 되는 가장 작은 토큰 집합에서 샘플링합니다(Holtzman et al. 2020).
min_p = Min-p
min_p-help = 확률이 가장 높은 토큰 확률의 이 비율 이상인 토큰에서만 샘플링합니다(Nguyen et al. 2025). 0이면 모두 남깁니다.
seed = 시드
samples = 샘플 수
beam-dots-axis = 점수(로그 확률 ÷ 길이 페널티): 높을수록 좋음
beam-methods-dots-alt = 디코딩 전략 { $n }개의 출력. 출력마다 아래의 점이 점수이고, 가장 높은 점수는 금색입니다.
beam-methods-dots-caption = 줄 하나가 전략 하나의 출력이고, 그 아래의 점이 점수입니다. 금색은 가장 높은 점수, 보라색은 점수가 가장 높은 출력과 다른 단어이거나 빠진 자리입니다.
beam-methods-dots-file = 디코딩 전략: { $source }
beam-column-method = 전략
beam-methods-alt = 디코딩 전략 { $n }가지의 출력, log P, 길이, 점수.
beam-method-beam = 빔 서치(너비 { $width })
beam-method-greedy = 그리디 서치
beam-method-samples = { $n ->
    [1] 샘플 1개
   *[other] 샘플 { $n }개 중 1위
  }
beam-method-exact = 정확 탐색
beam-method-exact-given-up = 정확 탐색(미완료)
beam-method-beam-does = 가장 좋은 가설 { $width }개를 유지
beam-method-greedy-does = 가장 확률이 높은 토큰을 선택
beam-method-samples-does = 토큰을 무작위로 추출
beam-method-exact-does = 최고 점수를 증명
beam-method-exact-given-up-does = 제한 시간 안에 증명하지 못함
exact-search-progress = 정확 탐색 중…
beam-exact-work = 접두부 { $n }개를 { $seconds }초 동안 탐색
beam-exact-ends-best = 빔 서치에는 { $least }–{ $most }토큰에서 완료된 가설이 없어 점수를 비교할 수 없습니다. 완료된 출력 가운데 “{ $text }”의 점수가 가장 높습니다({ $work }).
beam-exact-ends-found = 빔 서치에는 { $least }–{ $most }토큰에서 완료된 가설이 없어 점수를 비교할 수 없습니다. 지금까지 찾은 완료된 출력 가운데 “{ $text }”의 점수가 가장 높습니다({ $work }).
beam-exact-better-best = 확실한 **탐색 오류**입니다. “{ $text }”의 점수가 빔 서치의 1위보다 { FIXED($gain) } 높고, 이보다 점수가 높은 출력은 없습니다({ $work }).
beam-exact-better-found = 확실한 **탐색 오류**입니다. “{ $text }”의 점수가 빔 서치의 1위보다 { FIXED($gain) } 높습니다. 이보다 더 좋은 출력이 있을 수도 있습니다({ $work }).
beam-exact-none = { $least }–{ $most }토큰 길이의 출력은 없습니다({ $work }).
beam-exact-proven = **탐색 오류 없음(증명됨).** { $least }–{ $most }토큰 길이의 출력 가운데 빔 서치의 1위보다 점수가 높은 것은 없습니다. 번역이 틀렸다면 원인은 모델에 있습니다({ $work }).
beam-exact-unproven = **증명되지 않음**({ $reason }, { $work }). 더 좋은 출력을 찾지 못했지만 탐색이 끝나지 않았습니다.
beam-samples-title = 샘플 { $n }개, 서로 다른 출력 { $different }개
beam-column-times = 횟수
beam-samples-alt = 서로 다른 샘플을 많이 나온 순서로 정렬한 표.
beam-samples-tree-alt = 샘플을 트리로 그린 그림. 점수가 가장 높은 샘플은 “{ $text }”입니다.
beam-samples-tree-caption = 경로 하나가 토큰을 하나씩 무작위로 뽑아 만든 출력 하나입니다. 확률이 높은 토큰(진한 색)일수록 자주 뽑힙니다. 온도를 낮추면 경로가 서로 비슷해지고, 0이면 모두 가장 확률이 높은 토큰을 고릅니다.
beam-samples-tree-file = 샘플: { $source }

# The width

beam-width-row = 빔 너비 { $widths }{ $greedy ->
    [yes] (그리디)
   *[no] { "" }
 }
beam-width-searching = 빔 너비 { $width }{ JOSA($width, "으로/로") } 탐색 중
beam-width-test-set = 같은 너비로 번역한 테스트 문장 { GROUPED($n) }개
beam-width-alt = 빔 너비별 출력, log P, 길이, 점수.
beam-width-dots-alt = 모든 빔 너비의 서로 다른 출력 { $n }개. 출력마다 아래의 점이 점수이고, 가장 높은 점수는 금색입니다.
beam-width-dots-caption = 출력이 같은 빔 너비는 한 줄에 모았고, 그 아래의 점이 점수입니다. 금색은 가장 높은 점수, 보라색은 점수가 가장 높은 출력과 다른 단어이거나 빠진 자리입니다.
beam-width-dots-file = 빔 너비별 출력: { $source }
beam-width-same = 모든 빔 너비에서 출력이 같으므로, 이 문장에는 그리디 서치로 충분합니다.
beam-width-raises = 점수가 가장 높은 출력 “{ $text }”{ JOSA($text, "을/를") } 찾는 데는 빔 너비 **{ $best }**{ JOSA($best, "이면/면") } 충분합니다. 그리디 서치의 점수는 더 낮습니다.
beam-width-lowers = 점수가 가장 높은 출력 “{ $text }”{ JOSA($text, "을/를") } 찾는 데는 빔 너비 **{ $best }**{ JOSA($best, "이면/면") } 충분합니다. 가장 넓은 빔의 점수는 그리디 서치보다 낮습니다.
beam-width-keeps = 점수가 가장 높은 출력 “{ $text }”{ JOSA($text, "을/를") } 찾는 데는 빔 너비 **{ $best }**{ JOSA($best, "이면/면") } 충분합니다. 가장 넓은 빔의 점수도 그리디 서치보다 높지 않습니다.
beam-width-and = { $first }, { $last }
beam-width-sweep = 테스트 문장 { GROUPED($n) }개에서 번역 품질(BLEU)은 빔 너비 { $best }에서 { $several ->
    [yes] 나란히 가장
   *[no] 가장
 } 높습니다(**{ FIXED($high, digits: 1) }**). 너비 { $widest }에서는 **{ FIXED($low, digits: 1) }**이고 출력이 더 짧습니다.
beam-sweep-axis = 빔 너비 B
beam-sweep-beam_size = 빔 너비
beam-sweep-bleu = BLEU
beam-sweep-mean_log_prob = 평균 log P
beam-sweep-length_ratio = 길이 비율
beam-sweep-seconds = 문장당 시간(초)
beam-sweep-bleu-told = 높을수록 참조 번역에 가까움
beam-sweep-mean_log_prob-told = 높을수록 확률이 높은 출력
beam-sweep-length_ratio-told = 1이면 참조 번역과 같은 길이
beam-sweep-seconds-told = 낮을수록 빠름
beam-sweep-alt = 빔 너비에 따른 BLEU, 평균 log P, 길이 비율, 문장당 시간.
beam-sweep-table-alt = 같은 값을 담은 표.
beam-sweep-file = 빔 너비 비교: { $name }

# What a search costs

beam-cost-milliseconds = 시간(ms)
beam-cost-per-token = 토큰당 시간(ms)
beam-cost-length = 출력 길이(토큰)
beam-cost-tokens = 출력 토큰 수
beam-cost-of-width = B = { $n }
beam-cost-of-length = { $n }토큰

# Errors

reference = 참조 번역
reference-none = 참조 번역 입력
beam-errors-validation = 여러 문장의 탐색 오류
beam-errors-proven = **탐색 오류 없음:** 빔 너비 { $width }의 점수 **{ FIXED($score) }보다** 높은 출력이 없음을 정확 탐색으로 증명했습니다.
beam-errors-unproven = **탐색 오류를 찾지 못함:** 정확 탐색은 { FIXED($seconds, digits: 1) }초 동안 빔 너비 { $width }의 점수 **{ FIXED($score) }보다** 높은 점수를 찾지 못했습니다. 끝까지 탐색하지는 못했으므로 더 높은 점수가 있을 수도 있습니다.
beam-errors-missed = **탐색 오류:** 빔 너비 { $width }의 탐색이 점수가 **{ FIXED($gain) }** 더 높은 “{ $text }”{ JOSA($text, "을/를") } 놓쳤습니다.
beam-errors-type = 기대한 번역을 입력하면 그림에 함께 나타나고, 탐색, 길이 페널티, 모델 가운데 무엇 때문에 그 번역이 나오지 않았는지 알 수 있습니다.
beam-errors-dots-alt = 그리디 서치, 빔 서치, 정확 탐색의 출력과 참조 번역 { $n }개. 출력마다 아래의 점이 점수입니다.
beam-errors-dots-file = 한 문장의 탐색 오류: { $source }
beam-errors-dots-caption = 정확 탐색은 점수가 더 높을 수 있는 출력을 모두 살펴봅니다. 점이 금색보다 왼쪽에 있는 탐색은 최고 점수를 놓친 것(탐색 오류)이며, 보라색은 점수가 가장 높은 출력과 다른 단어이거나 빠진 자리입니다.
beam-errors-axis = 탐색이 더 나은 출력을 놓친 문장의 비율(제곱근 눈금)
beam-errors-share = { PERCENT($share) }({ $n }문장)
beam-verdicts-axis = 문장의 비율
beam-verdicts-search = 탐색이 놓친 참조 번역: { PERCENT($share) }
beam-verdicts-alt = 누적 막대: 검증 세트와 빔 너비별 판정 비율.
beam-verdicts-file = 빔 너비별 판정
beam-verdicts-caption = 줄 하나가 검증 세트 하나를 어느 빔 너비로 번역한 결과이고, 위에서 정한 너비에 가장 가까운 것이 빨간색입니다. 모델 오류라고 해서 반드시 틀린 번역은 아닙니다. 맞는 번역은 여럿이고 참조 번역은 그 가운데 하나일 뿐입니다.
beam-errors-found-alt = 검증 세트와 빔 너비별로 정확 탐색이 증명한 탐색 오류의 비율과 신뢰구간.
beam-errors-found-file = 빔 너비별 탐색 오류
beam-errors-found-caption = 점은 정확 탐색이 빔보다 점수가 높은 출력을 찾은 문장의 비율이고, 선은 95% 신뢰구간입니다. 작은 비율도 구별되도록 제곱근 눈금을 씁니다.
beam-errors-stays = 탐색 결과는 그대로입니다.
beam-verdict-by-score = 점수 기준: { $verdict }
beam-verdict-by-sum = log P 기준: { $verdict }.
beam-verdict-same = **오류 없음**. 탐색이 참조 번역을 그대로 찾았습니다.
beam-verdict-search-error = **탐색 오류**. 참조 번역의 점수가 더 높지만 탐색이 놓쳤습니다.
beam-verdict-length-penalty = **길이 페널티**. log P는 참조 번역이 더 높지만, 페널티 때문에 출력이 1위가 되었습니다.
beam-verdict-model-error = **모델 오류**. 모델이 참조 번역에 준 점수가 출력보다 높지 않으므로, 탐색을 개선해도 참조 번역은 나오지 않습니다.
beam-verdict-void = **판정 불가**: { $reason }.
beam-verdict-void-unknown = **판정 불가**: { $reason }. 모델은 이런 글자를 모두 같은 미등록 토큰으로 처리하므로, 이 참조 번역의 확률에는 의미가 없습니다.
beam-plain-verdict-same = 참조 번역을 찾음
beam-plain-verdict-search-error = **탐색 오류**(참조 번역의 log P가 더 높지만 탐색이 놓침)
beam-plain-verdict-length-penalty = **길이 페널티**(참조 번역의 log P가 더 높고 빔에서 완료됨)
beam-plain-verdict-model-error = **모델 오류**(참조 번역의 log P가 더 높지 않음)
beam-plain-verdict-void = 판정 불가
beam-fell-not = 참조 번역도 빔 안에서 완료되었으므로, 탐색이 이 번역까지 검토했습니다.
beam-fell = 참조 번역은 **스텝 { $step }**(“{ $token }”)에서 빔을 벗어났습니다: { $reason }.
beam-errors-tokens-alt = 출력과 참조 번역의 토큰별 로그 확률과 누적합.
beam-errors-tokens-file = 출력과 참조 번역: { $text }
beam-errors-log-p = log p(토큰)
beam-errors-sum = 누적 log p
beam-errors-output = 출력 ŷ
beam-errors-expected = 참조 번역 y\*
beam-bleu = **문장 BLEU { FIXED($score, digits: 1) }**(sacreBLEU). 표는 출력의 n-gram 중 참조 번역과 일치하는 개수입니다.
beam-bleu-n = n
beam-bleu-both = 일치
beam-bleu-of = 전체
beam-bleu-precision = 정밀도
beam-bleu-none = 없음
beam-bleu-shorter = 짧은 출력의 페널티(brevity penalty) **{ FIXED($penalty, digits: 3) }**: 출력은 { $n }단어로, 참조 번역({ $reference }단어)보다 짧습니다.
beam-bleu-not-shorter = 짧은 출력의 페널티(brevity penalty) **{ FIXED($penalty, digits: 3) }**: 출력은 { $n }단어로, 참조 번역({ $reference }단어)보다 짧지 않습니다.
beam-bleu-caption = 일치하는 n-gram이 없는 정밀도는 평활화했고(exponential), 출력보다 긴 n-gram은 계산하지 않았습니다. { $signature }
tally_plain = log P로만 순위 매기기
beam-tally-nothing = 빔 너비 { $width }에서 문장 { $n }개의 참조 번역을 하나도 놓치지 않았습니다.
beam-tally-shares = 빔 너비 { $width }(빨간 줄)에서 모델이 자기 출력에 참조 번역 이상의 점수를 준 문장(모델 오류)의 비율: { $parts }.
beam-tally-misses = 전체 문장 { GROUPED($n) }개 가운데 **{ PERCENT($search) }**: 탐색이 점수가 더 높은 참조 번역을 놓쳤습니다(탐색 오류).
beam-tally-part = “{ $set }” **{ PERCENT($share, digits: 0) }**
beam-helps-wider = 대부분 탐색 도중에 놓친 것이므로 **빔을 넓히면** 도움이 될 것입니다.
beam-helps-alpha = 대부분 길이 페널티 때문에 순위가 밀린 것이므로 **α를 바꾸면** 도움이 될 것입니다.
beam-helps-model = 빔을 넓혀서 줄일 수 있는 것은 탐색 오류뿐이므로, **더 많은 데이터와 더 나은 모델**이 더 도움이 될 것입니다.
beam-tally-alt = 데이터셋과 빔 너비별 판정 비율.
beam-tally-row = { $set }, 빔 너비 { $width }
beam-tally-outcome = 판정
beam-tally-share = 비율
beam-tally-set = 데이터셋
beam-tally-beam_size = 빔 너비
beam-tally-sentences = 문장 수
beam-tally-same = 참조 번역 찾음
beam-tally-search-error = 탐색 오류
beam-tally-model-error = 모델 오류
beam-tally-length-penalty = 길이 페널티
beam-tally-void = 판정 불가
beam-exact-tally = 두 번째 검사: 정확 탐색은 참조 번역만이 아니라 점수가 더 높은 출력이 **하나라도** 있는지 찾으므로 탐색 오류를 더 많이 찾을 수 있습니다. 오류가 증명된 문장: { $found }.
beam-exact-tally-width = 빔 너비 { $width }에서 { $total }개 중 { $n }개
beam-exact-tally-alt = 데이터셋과 빔 너비별로 정확 탐색이 증명한 탐색 오류.
beam-tally-alpha = α
beam-tally-not_best = 탐색 오류
beam-tally-best = 최적 증명됨
beam-tally-undecided = 미정
