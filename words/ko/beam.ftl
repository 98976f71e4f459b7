# The page of the beam search and its figures.

beam-token = 토큰
beam-tokens = 토큰 수
beam-step = 스텝 { $n }
beam-step-title = 스텝
beam-start = 시작
beam-log-p = log p
beam-log-sum = log P
beam-probability = 확률
beam-rank = 순위
beam-status = 상태
beam-hypothesis = 가설
beam-output = 출력
beam-reference = 참조 번역
beam-divided = ÷ 페널티
beam-score = 점수
beam-ended = 끝남
beam-width = 너비
beam-empty = (비어 있음)
beam-status-kept = 유지
beam-status-finished = 완료
beam-status-pruned = 탈락
beam-fate = { $status }: { $reason }
beam-side = 트리
beam-side-first = 원래 탐색
beam-side-second = 직접 이끈 탐색

# The tree

beam-tree-key-best = 최고 가설
beam-tree-key-kept = 유지
beam-tree-key-pruned = 탈락
beam-tree-key-finished = 완료
beam-tree-key-forced = 강제 선택
beam-tree-key-only = 이 트리에만 있음
beam-tree-key-width = 선이 굵을수록 같은 스텝에서 확률이 높은 경로
beam-tree-probability = 토큰의 확률
beam-tree-sum = log p의 누적 합
beam-tree-penalty = ÷ 길이 페널티
beam-tree-score = = 정규화 점수
beam-tree-share = 스텝 내 비율
beam-tree-rank = 스텝 내 순위
beam-tree-wide = 빔 너비는 { $width }인데 어휘의 토큰은 { $n }개뿐입니다. 그래서 첫 스텝에서는 모두 유지합니다.
beam-tree-alt = 왼쪽에서 오른쪽으로 나아가는 탐색 트리로, 스텝마다 열이 하나씩 있습니다. 담긴 내용은 아래에 글로 설명합니다.
beam-tree-told = 왼쪽에서 오른쪽으로 스텝 { $steps }개를 나아가는 탐색 트리. 노드는 유지 { $kept }개, 완료 { $finished }개, 탈락 { $pruned }개입니다. 최고 가설은 “{ $text }”입니다. 아래에 열린 노드의 수치가 있고, 그곳의 메뉴로 다른 노드를 열 수 있습니다.
beam-tree-file = 빔 { $width } { $side }: { $source }
beam-tree-back = 이전 스텝
beam-tree-play = 재생
beam-tree-pause = 일시 정지
beam-tree-on = 다음 스텝
beam-tree-step = 스텝
beam-tree-step-help = 이후 스텝은 제자리에 흐리게 비칩니다. 화살표 키 ←와 →로도 움직입니다.

# Steering

beam-steer-box = 번역문의 시작 부분
beam-steer-placeholder = 시작 부분을 입력하거나 아래 후보를 누르세요
beam-steer-help = 탐색이 이 시작 부분에서 이어집니다. 마지막 단어는 일부만 입력해도 됩니다. 뒤에 공백을 넣으면 단어가 끝난 것으로 봅니다.
beam-steer-undo = 실행 취소
beam-steer-reset = 원래 탐색으로
beam-steer-reset-help = 강제한 시작 부분을 지웁니다. 실행 취소로 되살릴 수 있습니다.
beam-steer-forced = 강제한 시작 부분: “{ $text }”
beam-steer-stays = 탐색 결과는 그대로 둡니다. 시작 부분을 고치거나 실행 취소를 누르세요.
beam-steer-tree = 트리
beam-steer-best = 최고 출력
beam-steer-alt = 원래 탐색과 직접 이끈 탐색의 최고 출력과 점수.
beam-gain-none-ended = 두 트리 모두 완료된 가설이 없어 점수에 큰 의미가 없습니다.
beam-gain-one-ended = 두 트리 중 하나에는 완료된 가설이 없어 점수에 큰 의미가 없습니다.
beam-gain-same = 두 트리의 출력이 같습니다. 탐색도 스스로 이 시작 부분을 골랐습니다.
beam-gain-more = 직접 이끈 출력의 점수가 **{ $gain } 더 높습니다**. 탐색이 이 출력을 놓쳤으므로 확실한 **탐색 오류**입니다.
beam-gain-less = 직접 이끈 출력의 점수가 **{ $loss } 더 낮습니다**. 모델 자신의 점수로는 탐색이 찾은 출력이 더 좋습니다.
beam-gain-equal = 두 출력의 점수는 소수점 아래 네 자리까지 같습니다.

# The open node

beam-node-step = 열린 노드의 스텝
beam-node-open = 열린 노드
beam-node-none = 없음
beam-node-name = { $token } · { $rank }위 · { $status }
beam-node-start = 시작: 아직 쓴 토큰이 없습니다
beam-ledger-start = 아직 고른 토큰이 없으므로 log P = 0입니다. 모든 가설이 여기서 시작합니다.
beam-ledger-token = 이 토큰: 확률 **{ $probability }**, log p = **{ $log_prob }**, 스텝 { $step }에서 **{ $rank }위**
beam-ledger-sum = 누적 합: { $terms } = **{ $sum }** = log P
beam-ledger-left-out = … 외 { $n }개 …
beam-ledger-penalty-none = 길이 페널티: 없음(1)
beam-ledger-penalty-length = 길이 페널티: { $length }^{ $alpha } = **{ $value }**
beam-ledger-penalty-wu = 길이 페널티: ((5 + { $length }) / 6)^{ $alpha } = **{ $value }**
beam-ledger-score = 점수: { $sum } ÷ { $penalty } = **{ $score }**
beam-ledger-fate = 결과: **{ $status }**
beam-ledger-fate-forced = 결과: **{ $status }**(강제 선택)
beam-ledger-fate-why = 결과: **{ $status }**({ $reason })
beam-ledger-fate-why-forced = 결과: **{ $status }**({ $reason }, 강제 선택)
beam-candidates-title = 다음에 올 수 있는 토큰
beam-candidates-ended = 이 가설은 끝났으므로 더 이어질 토큰이 없습니다.
beam-candidates-count = 후보 수
beam-candidates-alt = 다음에 올 확률이 가장 높은 토큰 { $n }개의 막대. 아래 메뉴에서 강제로 고를 수 있습니다.
beam-candidates-caption = 빨간 테두리: 탐색이 유지한 토큰. 막대를 누르면 그 토큰을 강제로 고릅니다.
beam-candidates-menu = 메뉴로 강제 선택
beam-candidates-placeholder = 토큰 선택
beam-candidates-name = { $rank } · { $token }
beam-candidates-force = 강제 선택
beam-candidates-file = 다음 후보: { $source }
beam-candidates-axis = 다음 토큰일 확률
beam-candidates-others = 나머지 전부
beam-looked-title = { $n ->
    [1] 본 곳: { $site }
   *[other] 본 곳: 모든 층과 헤드의 { $site }
 }
beam-looked-nothing = 이 모델에는 원문을 보는 어텐션이 없으므로 여기에 그릴 것이 없습니다.
beam-looked-start = 시작 노드에서는 아직 만든 토큰이 없으므로 본 곳도 없습니다.
beam-looked-alt = { $site }: { $layers }개 층의 헤드 { $heads }개씩이 원문 토큰 { $tokens }개에 준 가중치. 가장 큰 값은 아래에 적혀 있습니다.
beam-looked-file = “{ $token }”의 { $site }: { $source }
beam-looked-strongest = 가장 큰 가중치: { $heads }.
beam-looked-head = { $head } → “{ $token }”({ $position }번째) **{ $weight }**
beam-looked-sums = 모든 행의 합은 1입니다.
beam-looked-free = 이 모델은 설계상 행의 합이 1이 아니어도 됩니다.
beam-looked-no-sums = 합이 1이 아닌 행이 있습니다.

# The hypotheses

beam-hypotheses-cut = { $n }토큰 안에 끝난 가설이 없습니다. 아래 가설은 거기서 잘린 것입니다.
beam-what-if = α를 바꾼다면
beam-what-if-help = 아래 가설의 순위만 다시 매깁니다. 다시 탐색하지는 않습니다. α가 달랐다면 탐색이 다른 가설에 이르렀을 수도 있습니다.
beam-rank-leads = α = { $alpha }일 때 1위는 “{ $text }”입니다(점수 { $score }).
beam-rank-leads-anew = α = { $alpha }일 때 1위는 “{ $text }”입니다(점수 { $score }). α = { $own }{ JOSA($own, "으로/로") } 탐색했을 때는 { $was }위였습니다.
beam-rank-no-penalty = 페널티가 없으면 α는 아무것도 바꾸지 않습니다. 사이드바에서 페널티를 고르세요.
beam-rank-changes = 1위가 바뀌는 곳은 α = { $alphas }입니다.
beam-rank-always = α가 { $lowest }에서 { $highest }까지 어떤 값이어도 1위는 그대로입니다.
beam-hypotheses-was = 탐색 때 순위
beam-hypotheses-tokens-help = 끝 기호도 셉니다.
beam-hypotheses-alt = 점수순으로 늘어놓은 가설 { $n }개.
beam-hypotheses-tick = 줄 왼쪽의 칸을 체크하면 그 가설의 마지막 토큰이 트리에서 열립니다.
beam-lines-alt = α에 따른 점수. 선 하나가 가설 하나이고, 점은 두 가설의 순위가 바뀌는 곳입니다.
beam-lines-file = α에 따른 점수: { $source }
beam-lines-alpha = α, 길이 페널티의 지수
beam-lines-score = 점수 = log P ÷ 페널티
beam-lines-log-score = 점수 = log P ÷ 페널티(로그 눈금)
beam-lines-now = α = { $alpha }
beam-lines-name = { $rank } · { $text }
beam-lines-equal = 점수가 같아지는 α
beam-lines-there = 그때의 점수
beam-lines-ahead = 이후 앞서는 가설
beam-lines-behind = 뒤지는 가설

# Other ways to a translation

beam-methods-limit = 정확 탐색 제한 시간(초)
beam-methods-temperature = 온도
beam-methods-temperature-help = 뽑기 전에 로그 확률을 이 값으로 나눕니다. 0이면 언제나 확률이 가장 높은 토큰을 고릅니다.
beam-methods-top-k = Top k
beam-methods-top-k-help = 확률이 높은 k개 토큰 중에서만 뽑습니다. 0이면 모든 토큰에서 뽑습니다(Fan et al. 2018).
beam-methods-top-p = Top p
beam-methods-top-p-help = 확률의 합이 이 값에 이르는 가장 적은 수의 토큰 중에서 뽑습니다(Holtzman et al. 2020).
beam-methods-seed = 시드
beam-methods-samples = 샘플 수
beam-methods-method = 방법
beam-methods-alt = { $n }가지 탐색 방법의 출력, 로그 확률, 점수, 시간.
beam-method-beam = 빔 { $width }
beam-method-greedy = 그리디(빔 1)
beam-method-samples = { $n ->
    [1] 샘플 1개
   *[other] 샘플 { $n }개 중 최고
  }
beam-method-exact = 정확 탐색
beam-method-exact-given-up = 정확 탐색, 중단
beam-exact-searching = 모든 경우를 찾는 중…
beam-exact-work = 문장 앞부분 { $n }개를 { $seconds }초 동안 조사
beam-exact-ends-best = 빔 서치에는 { $least }토큰에서 { $most }토큰 사이로 끝난 가설이 없어 점수에 큰 의미가 없습니다. 끝까지 쓴 번역 가운데 최고는 “{ $text }”입니다({ $work }).
beam-exact-ends-found = 빔 서치에는 { $least }토큰에서 { $most }토큰 사이로 끝난 가설이 없어 점수에 큰 의미가 없습니다. 끝까지 쓴 번역 가운데 지금까지 찾은 최고는 “{ $text }”입니다({ $work }).
beam-exact-better-best = “{ $text }”의 점수가 빔 서치의 최고 점수보다 { $gain } 높습니다. **확실한 탐색 오류**입니다. 이보다 점수가 높은 번역은 없습니다({ $work }).
beam-exact-better-found = “{ $text }”의 점수가 빔 서치의 최고 점수보다 { $gain } 높습니다. **확실한 탐색 오류**입니다. 이보다 나은 번역이 더 있을 수도 있습니다({ $work }).
beam-exact-none = { $least }토큰에서 { $most }토큰 사이의 번역은 없습니다({ $work }).
beam-exact-proven = **증명됨: 탐색 오류가 아닙니다.** { $least }토큰에서 { $most }토큰 사이의 번역 가운데 빔 서치의 최고보다 점수가 높은 것은 없습니다. 번역이 틀렸다면 모델 자신이 그렇게 고른 것입니다({ $work }).
beam-exact-unproven = **증명되지 않음**({ $reason }, { $work }). 더 나은 번역을 찾지 못했지만, 모든 경우를 살펴본 것은 아닙니다.
beam-samples-title = 샘플 { $n }개, 서로 다른 것 { $different }개
beam-samples-drawn = 뽑힌 횟수
beam-samples-alt = 많이 뽑힌 순서로 늘어놓은 샘플.
beam-samples-tree-alt = 샘플을 트리로 그린 것. 최고 샘플은 “{ $text }”입니다.
beam-samples-file = 샘플: { $source }

# The width

beam-width-sentence = 이 문장
beam-width-test-set = 테스트 세트 전체
beam-width-greedy = 1, 그리디
beam-width-alt = 빔 너비마다의 출력, 로그 확률, 점수, 시간.
beam-width-same = 너비가 달라도 출력이 같습니다. 이 문장에서는 모델의 선택이 분명합니다.
beam-width-raises = 서로 다른 출력은 { $n }개입니다. 그리디 서치에서 가장 넓은 빔으로 가면 점수가 올라갑니다({ $first } → { $last }). 최고 점수를 내는 가장 좁은 너비는 { $best }입니다.
beam-width-lowers = 서로 다른 출력은 { $n }개입니다. 그리디 서치에서 가장 넓은 빔으로 가면 점수가 내려갑니다({ $first } → { $last }). 최고 점수를 내는 가장 좁은 너비는 { $best }입니다.
beam-width-keeps = 서로 다른 출력은 { $n }개입니다. 그리디 서치에서 가장 넓은 빔으로 가도 점수는 그대로입니다({ $first } → { $last }). 최고 점수를 내는 가장 좁은 너비는 { $best }입니다.
beam-sweep-axis = 빔 너비 B
beam-sweep-beam_size = 빔 너비
beam-sweep-bleu = BLEU
beam-sweep-mean_log_prob = 평균 log P
beam-sweep-length_ratio = 길이 ÷ 참조 번역
beam-sweep-seconds = 문장당 시간(초)
beam-sweep-seconds-short = 초/문장
beam-sweep-alt = 빔 너비에 따른 품질, 확률, 길이, 시간.
beam-sweep-table-alt = 같은 수치를 담은 표.
beam-sweep-file = 빔 너비 비교: { $name }

# What a search costs

beam-cost-milliseconds = 밀리초
beam-cost-per-token = 토큰당 밀리초
beam-cost-length = 출력의 토큰 수
beam-cost-tokens = 출력 토큰 수
beam-cost-of-width = B = { $n }
beam-cost-of-length = { $n }토큰

# Errors

beam-errors-reference = 참조 번역
beam-errors-placeholder = 기대한 번역을 입력하세요
beam-errors-validation = 검증 문장 전체
beam-errors-stays = 탐색 결과는 그대로입니다.
beam-verdict-by-score = 정규화 있음(점수 기준): { $verdict }
beam-verdict-by-sum = 정규화 없음(log P 기준): { $verdict }.
beam-verdict-same = **오류 없음**: 탐색이 참조 번역을 그대로 찾았습니다.
beam-verdict-search-error = **탐색 오류**: 참조 번역의 점수가 더 높은데 탐색이 놓쳤습니다.
beam-verdict-length-penalty = **길이 페널티로 순위가 밀림**: 확률은 참조 번역이 더 높지만, 페널티 때문에 출력이 앞섭니다.
beam-verdict-model-error = **모델 오류**: 모델 자신이 출력을 더 높게 봅니다. 이 점수로는 어떤 탐색도 참조 번역을 내놓지 않습니다.
beam-verdict-void = **판정 불가**: { $reason }.
beam-verdict-void-unknown = **판정 불가**: { $reason }. 모델은 이 글자들을 모두 같은 미등록 토큰으로 읽고 쓰므로, 이 참조 번역의 확률에는 의미가 없습니다.
beam-plain-verdict-same = 참조 번역을 찾음
beam-plain-verdict-search-error = **탐색 오류**: 참조 번역의 확률이 더 높은데 탐색이 놓침
beam-plain-verdict-length-penalty = 참조 번역은 확률이 더 높고 빔에서 완료됨. **길이 페널티** 때문에 순위만 밀림
beam-plain-verdict-model-error = **모델 오류**: 출력의 확률이 더 높음
beam-plain-verdict-void = 판정 불가
beam-fell-not = 참조 번역은 빔 안에서 완료되었으므로, 탐색이 이 번역을 살펴보기는 했습니다.
beam-fell = 참조 번역은 **스텝 { $step }**의 “{ $token }”에서 빔 밖으로 밀려났습니다: { $reason }.
beam-errors-tokens-alt = 출력과 참조 번역의 토큰별 로그 확률과 그 합.
beam-errors-tokens-file = 출력과 참조 번역: { $source }
beam-errors-log-p = 토큰의 log p
beam-errors-sum = 여기까지의 합
beam-errors-output = 출력 ŷ
beam-errors-expected = 참조 번역 y\*
beam-bleu = 이 문장 하나의 BLEU: **{ $score }**(sacreBLEU). 출력의 n-gram 가운데 참조 번역에도 있는 것:
beam-bleu-n = n
beam-bleu-both = 양쪽에 있음
beam-bleu-of = 전체
beam-bleu-precision = 정밀도
beam-bleu-none = 없음
beam-bleu-shorter = 짧은 출력에 대한 페널티(brevity penalty) **{ $penalty }**: 출력은 { $n }단어로, 참조 번역의 { $reference }단어보다 짧습니다.
beam-bleu-not-shorter = 짧은 출력에 대한 페널티(brevity penalty) **{ $penalty }**: 출력은 { $n }단어로, 참조 번역의 { $reference }단어보다 짧지 않습니다.
beam-bleu-caption = 일치가 하나도 없는 정밀도는 평활화(exponential)했고, 출력이 너무 짧아 셀 수 없는 n은 뺐습니다. { $signature }
beam-tally-plain = 정규화 없이(log P 기준)
beam-tally-nothing = 너비 { $width }, { $n }문장: 놓친 참조 번역이 없으므로 따질 원인도 없습니다.
beam-tally-shares = 너비 { $width }, { $n }문장에서 찾지 못한 참조 번역의 원인: 탐색 **{ $search }**, 길이 페널티 **{ $penalty }**, 모델 자체 **{ $model }**.
beam-tally-wider = 대부분 탐색 도중에 놓쳤으므로 **빔을 넓히면** 도움이 될 것입니다.
beam-tally-alpha = 대부분 길이 때문에 밀렸으므로 **α를 바꾸면** 도움이 될 것입니다.
beam-tally-model = 빔을 넓혀도 되찾는 것은 탐색 때문에 놓친 몫뿐입니다. 정말 필요한 것은 **더 많은 데이터와 더 나은 모델**입니다.
beam-tally-alt = 데이터 세트와 너비마다 판정별 비율.
beam-tally-set = 세트
beam-tally-sentences = 문장 수
beam-tally-same = 찾음
beam-tally-search-error = 탐색 오류
beam-tally-model-error = 모델 오류
beam-tally-length-penalty = 길이 페널티
beam-tally-void = 판정 불가
beam-exact-tally = 참조 번역은 여러 번역 가운데 하나일 뿐입니다. 정확 탐색은 출력보다 점수가 높은 번역이 **하나라도** 있는지 찾으므로, 탐색 오류인지 확실히 알 수 있습니다. 그런 번역을 찾은 문장: { $found }.
beam-exact-tally-width = 너비 { $width }에서 { $total }개 중 { $n }개
beam-exact-tally-alt = 정확 탐색으로 증명된 탐색 오류.
beam-exact-tally-alpha = α
beam-exact-tally-not-best = 탐색 오류
beam-exact-tally-best = 최고 번역
beam-exact-tally-undecided = 미정
