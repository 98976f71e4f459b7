# The page of masks, and what a change of the model's run does.

masks-nothing-written = *빈 출력*
masks-token-change = “{ $token }” { $change }

# The effect of a change, beside the plain run

masks-effect-none = 아직 개입이 없습니다. 개입을 추가하면 출력과 그 확률, 어텐션이 어떻게 달라지는지 여기에 나옵니다.

masks-effect-unchanged = **출력 변화 없음:** { $text }
masks-effect-before = :violet-badge[개입 전] { $text }
masks-effect-after = :green-badge[개입 후] { $text }
masks-effect-same-words = 단어는 같지만 다른 서브워드로 나뉩니다.
masks-effect-unfinished = 개입한 상태에서는 종료 토큰이 나오기 전에 최대 길이에 이르러 탐색이 끝났습니다.
masks-effect-no-pronoun = 없음
masks-effect-pronouns = { $n ->
   *[other] 대명사
 }: { $before } → **{ $after }**

masks-effect-total = 원래 출력의 log P: { $before } → **{ $after }**({ $change })
masks-effect-same = 변화 없음
masks-effect-hardly = 변화가 0.001 미만
masks-effect-likelier = 확률이 { FACTOR($factor) }배로 증가
masks-effect-less-likely = 확률이 { FACTOR($factor) }분의 1로 감소
masks-effect-peeking = 인과 마스크가 꺼져 있습니다. 출력 전체를 한꺼번에 읽으면(토큰별 log p, 어텐션) 각 위치가 예측해야 할 토큰까지 봅니다. 탐색할 때와 다음 토큰을 예측할 때는 그 토큰을 아직 생성하지 않았으므로 결과가 그대로일 수 있습니다.
masks-effect-log-probs-caption = log p가 가장 크게 변하는 토큰은 { $changes }입니다.
masks-effect-log-probs-alt = 원래 출력의 토큰별 log p 변화를 나타낸 막대그래프. 가장 큰 변화는 캡션에 적혀 있습니다.
masks-effect-log-probs-file = log p 변화 { $text }

masks-effect-position = 위치
masks-effect-position-difference = 처음 달라지는 위치: { $token }
masks-effect-position-drop = 가장 크게 감소한 위치: { $token }
masks-effect-position-pronoun = 대명사: { $token }
masks-effect-next-title = **위치 { $token }의 다음 토큰**
masks-effect-next-caption = 속이 빈 보라색 막대는 개입 전, 속이 찬 초록색 막대는 개입 후의 확률이며, ▸는 원래 토큰을 나타냅니다. 확률이 가장 높은 토큰은 개입 전 “{ $first }”({ PERCENT($first_before) }), 개입 후 “{ $second }”({ PERCENT($second_after) })입니다.
masks-effect-next-alt = 개입 전과 후에 확률이 높은 다음 토큰을 나타낸 막대그래프. 각각의 1위는 캡션에 적혀 있습니다.
masks-effect-next-file = 다음 토큰 { $position } { $text }

masks-effect-head-before = 개입 전
masks-effect-head-after = 개입 후
masks-effect-head-difference = Δ { measured }
masks-effect-head-alt = { $side }: { $site }에서 선택한 헤드의 { measured }, 쿼리 { $rows }행, 키 { $columns }열. 옮겨진 비율은 캡션에 적혀 있습니다.
masks-effect-head-file = { measured } { $site } { $head } 개입 전후 { $text }
masks-effect-moved = { $site } { $head }에서는 한 행의 { measured }{ JOSA(measured, "이/가") } 평균 **{ PERCENT($mean) }** 옮겨 갔습니다(총변동 거리{ $row ->
    [0] {""}
   *[other] , { $row }행 “{ $token }”에서 최대 { PERCENT($most) }
 }).{ $forbidden ->
    [yes] {" "}빗금 친 칸은 개입으로 차단된 칸입니다.
   *[no] {""}
 }
view-masks-seen-no-norms = 이 보기는 점수에서 가중치까지만 다루므로, 벡터를 더하는 과정은 나오지 않습니다.
view-masks-explain-no-norms = 이 문장의 상관과 저장된 상관 모두 어텐션 가중치로 구합니다.
masks-effect-unmoved = 개입한 지점 뒤에 어텐션이 없어 { measured }{ JOSA(measured, "이/가") } 변하지 않습니다.
masks-effect-most-moved = 변화가 가장 큰 헤드 보기: { $site } { $head }({ PERCENT($share, digits: 0) })

# Stored measurements, and words that several views say

masks-made-command = `{ $command }` 명령으로 측정했습니다.
masks-made-hardware = 측정 장비는 { $hardware }입니다.
masks-made-command-hardware = `{ $command }` 명령으로 측정했습니다(장비: { $hardware }).
masks-not-measurable = 학습에 쓰지 않은 문장의 평균이 없습니다. 인코더 셀프 어텐션에서도 단어를 가릴 수 있는 모델에서만 측정합니다.

# Heads knocked out

ablate-each-head-progress = 헤드를 하나씩 제거하는 중…
knock_how = 제거 방식
knock_how-help = 0으로 대체(zero ablation)하면 헤드가 더하는 값이 모두 없어집니다. 평균으로 대체(mean ablation)하면 출력이 검증 문장의 평균이 되어, 이 문장에만 해당하는 정보가 없어집니다. 균등 어텐션은 밸류는 그대로 두고, 볼 곳을 고르는 기능만 없앱니다.
knock_how-zero = 0으로 대체
knock_how-mean = 평균으로 대체
knock_how-uniform = 균등 어텐션
masks-knockout-missed = 혼자서 출력을 결정하는 헤드는 없습니다. 헤드 { $n }개 가운데 어느 하나를 제거해도 출력은 그대로입니다. 가장 중요한 헤드는 **{ $head }**이며, 그 영향은 주로 “{ $token }”에서 나타납니다(Δ log P = { SIGNED($change) }).
masks-knockout-likelier = { $head }{ JOSA($head, "을/를") } 제거하면 출력의 확률이 오히려 높아집니다(Δ log P = { SIGNED($change) }).
masks-knockout-time = { $n }번 실행하는 데 { $seconds }초 걸렸습니다.
masks-knockout-bars = Δ log P: 출력의 로그 확률이 바뀐 양, { $how ->
    [zero] 0으로 대체
    [mean] 평균으로 대체
   *[uniform] 균등 어텐션
 }
knock-bars-alt = 헤드 { $n }개의 격자. 층마다 한 행이며, 칸의 수는 그 헤드를 제거했을 때의 값입니다. 수치는 아래 표에 있습니다.
knock-bars-caption = 칸마다 그 헤드를 제거하고 한 번 실행한 결과입니다. 진한 테두리는 제거하면 그리디 출력이 바뀌는 헤드입니다. 칸을 클릭하면 헤드가 선택됩니다. 0.05보다 작은 차이는 흐리게 표시합니다.
knock-bars-file = 헤드 제거 { $how } { $text }
masks-knockout-lowest = 모든 헤드가 있으면 “{ $written }”의 확률은 { PERCENT($plain) }입니다. **{ $head }**{ JOSA($head, "을/를") } 제거하면 **{ PERCENT($share) }{ JOSA(PERCENT($share), "으로/로") }** 가장 낮습니다.
masks-knockout-never-overtaken = 헤드 하나가 결정하지는 않습니다. 어느 헤드를 제거해도 이 형태의 확률이 가장 높습니다.
masks-knockout-overtaken = 다음 헤드를 제거하면 다른 형태의 확률이 더 높아집니다: { $heads }.
masks-knockout-overtaken-head = { $head }({ $rival } { PERCENT($share) })
knock_head = 헤드
knock_keep = “{ view-masks-change }”에 추가
masks-knockout-spared = 상호참조 헤드({ $head })는 여기서 꼭 필요하지는 않습니다. 이 헤드만 제거하고 나머지를 그대로 두면 log P의 변화는 { SIGNED($change) }입니다.
masks-knockout-kept = “{ $view }” 보기에서도 { $head }{ JOSA($head, "을/를") } 제거했습니다.
masks-knockout-without = { $site } { $layer }층 { $head }번 헤드 제거의 효과
masks-knockout-greedy-all = :violet-badge[그리디, 모든 헤드] { $text }
masks-knockout-greedy-without = :green-badge[그리디, 헤드 제거] { $text }
masks-knockout-greedy-stays = 그리디 출력은 그대로입니다: { $text }
masks-knockout-search = 아래에서는 현재 탐색(빔 너비 { $beam })의 결과를 이 헤드가 있을 때와 없을 때 비교합니다.
masks-knockout-all = 모든 헤드
knock-table-name = 헤드
knock-table-change = Δ log P
knock-table-changed = 출력 변화
knock-table-token = 영향이 가장 큰 토큰
knock-table-token_change = Δ log p(토큰)
knock-table-text = 헤드 제거 시 그리디 출력
knock-table-alt = 헤드 { $n }개 전체의 표. 영향이 큰 헤드가 먼저 나오며, 열 제목을 클릭하면 순서가 바뀝니다.

# Does attention explain?

explain-progress = 원문 토큰을 하나씩 가리는 중…
explain_hidden = 가리는 곳
explain_hidden-both = 인코더와 크로스 어텐션
explain_hidden-unread = 모든 곳(입력에서 삭제)
explain_hidden-cross = 크로스 어텐션
explain_hidden-encoder = 인코더
explain_method = 순위 상관
explain_method-spearman = 스피어만 ρ
explain_method-kendall = 켄달 τ-b
explain_against = 비교 지표
explain_against-drops = 하나씩 제거(LOO)
explain_against-gradient = 기울기 × 입력
masks-explain-of = { $method }, 어텐션과 { $against ->
    [gradient] 기울기 × 입력
   *[drops] LOO 중요도
 }
explain_start = 하나씩 제거(LOO) 실행
masks-explain-long = 원문은 { $source }토큰, 출력은 { $target }토큰이어서 시간이 걸립니다. 버튼을 클릭하면 시작합니다.
explain_token = 토큰
explain_head = 헤드
explain_head-help = 크로스 어텐션 헤드입니다. 아래 격자를 클릭해서 고를 수도 있습니다.
masks-explain-no-attention = 이 모델에서는 원문 토큰의 어텐션 가중치를 구할 수 없어 나머지 두 지표만 표시합니다.
explain-bars-alt = { $attention ->
    [none] 원문 토큰 { $n }개의 두 가지 중요도를 나타낸 막대그래프. 가장 큰 토큰은 하나씩 제거 { $drop }, 기울기 × 입력 { $gradient }.
   *[other] 원문 토큰 { $n }개의 세 가지 중요도를 나타낸 막대그래프. 가장 큰 토큰은 어텐션 { $attention }, 하나씩 제거 { $drop }, 기울기 × 입력 { $gradient }.
 }
explain-bars-caption = 기울기 × 입력은 아주 작은 변화만 봅니다. 모델이 어떤 토큰을 확신하면 작은 변화로는 확률이 거의 바뀌지 않으므로, 가렸을 때 크게 영향을 주는 단어도 이 척도로는 놓칠 수 있습니다.
explain-bars-file = 토큰 중요도 { $token } { $text }
masks-explain-number = “{ $token }”에서 { $head }의 어텐션과 { $against ->
    [drops] LOO 중요도의
   *[gradient] 기울기 × 입력의
 } { $method } 값은 { $here }입니다({ $n }토큰의 평균 { $mean }).
masks-explain-signed = **{ SIGNED($number) }**
masks-explain-even = 정의되지 않음(한쪽 값이 모두 같음)
masks-explain-undefined = 정의되지 않음
masks-explain-gradient = 이 토큰에서 기울기 × 입력과 LOO 중요도의 순위 상관은 { SIGNED($number) }입니다.
masks-explain-rests = 원문 토큰 { $n }개{ $ties ->
    [0] {""}
   *[other] (그중 { $ties }개는 동순위)
 }의 순위이므로 이 값만으로 판단하기는 어렵습니다. LOO도 중요도를 재는 한 가지 방법일 뿐입니다(Jain and Wallace 2019; Wiegreffe and Pinter 2019).
masks-explain-here = 이 문장(토큰 평균)
explain-heads-caption = 칸은 크로스 어텐션 헤드입니다. +1이면 토큰의 순위가 다른 척도와 같고, 0이면 관계가 없습니다.
explain-heads-alt = 크로스 어텐션 헤드 { $n }개의 순위 상관을 나타낸 격자. { $largest ->
    [none] 정의된 값이 없습니다.
   *[other] 가장 큰 헤드: { $largest }.
 }
explain-heads-file = { $method ->
    [kendall] 순위 상관 켄달 { $text }
   *[spearman] 순위 상관 스피어만 { $text }
 }
masks-explain-stored = 검증 문장(평균)
explain-stored-alt = 헤드 { $n }개의 순위 상관을 검증 문장에서 평균한 격자.
explain-stored-file = { $method ->
    [kendall] 순위 상관 켄달 { $text }
   *[spearman] 순위 상관 스피어만 { $text }
 }
masks-explain-not-stored = 평균은 “인코더와 크로스 어텐션”과 “크로스 어텐션” 범위에만 저장되어 있습니다.
masks-explain-over = { $layer }층 { $head }번 헤드의 { $n ->
    [0] 여러 문장
   *[other] 검증 문장 { $n }개
 } 평균은 **{ SIGNED($mean) }**{ $spread ->
    [none] {""}
   *[other] (표준편차 { $spread })
 }입니다{ $here ->
    [none] .
   *[other] (이 문장에서는 { SIGNED($here) }).
 }
masks-explain-over-average = 모든 헤드의 어텐션을 평균하면 { SIGNED($mean) }입니다.
masks-explain-over-gradient = 기울기 × 입력과 LOO 중요도의 순위 상관은 { SIGNED($mean) }입니다.
masks-explain-over-permuted_heads = 행마다 가중치를 무작위로 섞으면 { SIGNED($mean) }입니다(우연 수준).

# What may be seen

seen_part = 표시
seen_part-causal = 인과 마스크
seen_part-padding = 패딩 마스크
seen_part-both = 둘 다
seen_row = 쿼리(행)
seen_best = { $head } 선택(가중치가 가장 많이 옮겨짐, { $share })
seen-stages-alt = 디코더 { $layer }층 { $head }번 헤드의 행렬 두 개(인과 마스크가 있을 때와 없을 때): { $step ->
    [score] 점수
    [exp] 지수값
   *[weight] 가중치
 }. 막대는 마스크가 없을 때 각 행에서 미래 토큰으로 가는 비율을 나타냅니다.
seen-stages-file = 인과 마스크 { $layer }층 { $head }번 헤드 { $text }
masks-seen-one-position = 위치가 하나뿐이어서 인과 마스크로 가려지는 토큰이 없습니다.
masks-seen-moved = 마스크가 없으면 이 헤드에서 미래 토큰이 가중치의 평균 **{ PERCENT($share, digits: 0) }를** 받습니다({ $n }개 행).
masks-seen-row = “{ $token }”{ JOSA($token, "은/는") } 자신과 앞에 있는 토큰에만 주목합니다. 마스크가 없으면 가중치의 **{ PERCENT($share, digits: 0) }가** 미래 토큰으로 갑니다.
masks-seen-row-last = “{ $token }”{ JOSA($token, "이/가") } 마지막 토큰이므로 가릴 미래 토큰이 없습니다.
masks-seen-strip-score = 점수
masks-seen-strip-mask = + 마스크
masks-seen-strip-exp = exp(· − 최댓값)
masks-seen-strip-weight = ÷ 합 = 가중치
masks-seen-strip-free = 마스크 없는 가중치
seen-row-numbers-alt = 선택한 행의 키마다 점수, 마스크, 지수, 가중치, 마스크가 없을 때의 가중치.
seen-row-numbers-caption = 지수를 취하기 전에 행의 최댓값을 빼지만 가중치는 달라지지 않습니다. 여기서 계산한 가중치와 모델의 가중치는 최대 { SCIENTIFIC($difference) } 차이가 납니다.
seen-row-numbers-file = 인과 마스크 { $layer }층 { $head }번 헤드 { $row }행 { $text }
seen_peek = 미래 토큰 가리기
seen_peek-help = 끄면 디코더 전체를 다시 계산하며, 모든 위치가 미래 토큰도 볼 수 있습니다.
masks-seen-nothing-later = 위치가 하나뿐이어서 미래 토큰이 없습니다.
masks-seen-peek-words = 이제 { $head }에서 미래 토큰이 가중치의 평균 **{ PERCENT($share, digits: 0) }를** 받습니다. 그중 “{ $query }”에서 “{ $key }”{ JOSA($key, "으로/로") } 가는 가중치가 가장 큽니다({ $weight }).
masks-seen-forced = 출력을 한 번에 읽을 때의 토큰별 확률
seen_target = 강제할 번역문
seen_target-none = 기본값: 위의 출력
seen_target-kept = 아래 차트는 모델이 생성한 출력을 그대로 보여 줍니다.
masks-seen-with-mask = 마스크 있음
masks-seen-forced-words = 마스크가 없으면 { $whose ->
    [own] 모델이 생성한 출력의
   *[typed] 입력한 텍스트의
 } log P가 **{ $before }**에서 **{ $after }**{ JOSA($after, "으로/로") } { $way ->
    [falls] 낮아집니다
   *[rises] 높아집니다
 }. 토큰당 평균은 { $before_each }에서 { $after_each }{ JOSA($after_each, "으로/로") } 바뀝니다.
seen-forced-alt = 세 가지 실행에서 각 토큰의 확률을 보여 주는 표: 인과 마스크가 있을 때, 마스크 없이 출력을 한 번에 읽을 때, 마스크 없이 한 토큰씩 생성할 때.
seen-forced-file = 교사 강요 인과 마스크 { $text }

seen_second = 두 번째 문장
seen_second-none = 길이가 다른 문장
seen_second-fault = 첫 번째 문장은 그대로입니다.
padded-pair-progress = 두 문장을 읽는 중…
masks-seen-pad-title-of = { $nth ->
    [first] 첫 번째
   *[second] 두 번째
 } 문장, { $n ->
    [0] 패딩 없음
   *[other] 패딩 토큰 { $n }개
 }
seen-pad-masks-alt = 두 문장의 인코더 패딩 마스크. 어떤 쿼리도 패딩을 볼 수 없습니다.
seen-pad-masks-file = 패딩 마스크 { $text }
seen_padding_mask = 패딩 가리기
seen_padding_mask-help = 마스크를 끄면 인코더와 크로스 어텐션이 패딩도 다른 토큰처럼 볼 수 있습니다.
masks-seen-pad-found = 패딩 마스크가 없으면 패딩 토큰까지 계산에 들어가 출력이 나빠집니다. { $nth ->
    [first] 첫 번째
   *[second] 두 번째
 } 문장의 log P는 { $masked }에서 **{ $unmasked }**{ JOSA($unmasked, "으로/로") } 낮아집니다.
seen_pad_best = { $head } 선택(패딩의 가중치가 가장 큼, { $share })
masks-seen-pad-share = { $layer }층 { $head }번 헤드에서 { $nth ->
    [first] 첫 번째
   *[second] 두 번째
 } 문장의 패딩 토큰 { $n }개가 가중치의 평균 **{ PERCENT($share, digits: 0) }를** 받습니다.{ $rows ->
    [produced] {" "}행의 이름은 출력 토큰입니다.
   *[read] {""}
 }
seen-pad-matrix-alt = 짧은 문장에서 { $layer }층 { $head }번 헤드의 어텐션 맵(패딩 마스크가 있을 때와 없을 때). 막대는 마스크가 없을 때 각 행에서 패딩으로 가는 비율입니다.
seen-pad-matrix-file = 패딩 { $site } { $layer }층 { $head }번 헤드
masks-seen-damage = 출력에 미치는 효과
masks-seen-column-alone = 단독
masks-seen-column-masked = 배치, 마스크 있음
masks-seen-column-unmasked = 배치, 마스크 없음
masks-seen-damage-log-prob = “단독” 출력의 log P
masks-seen-damage-change = 토큰별 Δ log p의 최대 크기
masks-seen-damage-weight = 패딩의 최대 가중치(모든 행과 헤드)
masks-seen-output-alone = 단독: { $text }
masks-seen-output-masked = 배치, 마스크 있음: { $text }
masks-seen-output-unmasked = 배치, 마스크 없음: { $text }
masks-seen-padding-on = 패딩 마스크 있음
masks-seen-padding-off = 패딩 마스크 없음
seen-pad-forced-alt = 각 토큰의 확률을 보여 주는 표: 단독, 패딩 마스크가 있는 배치, 패딩 마스크가 없는 배치.
seen-pad-forced-file = 교사 강요 패딩 마스크
masks-seen-longer = { $nth ->
    [first] 첫 번째
   *[second] 두 번째
 } 문장이 더 길어서 패딩이 없습니다. 배치로 읽을 때 이 문장의 토큰별 log p가 가장 크게 변한 값은 마스크가 있으면 { $masked }, 없으면 { $unmasked }입니다. 같은 배치의 문장끼리는 서로 볼 수 없고, 문장마다 자기 패딩만 볼 수 있기 때문입니다.
masks-seen-nothing = 정확히 0

masks-seen-both-causal = 인과 마스크
masks-seen-both-padding = 패딩 마스크
masks-seen-both-joined = 결합 마스크
masks-seen-both-told = 디코더는 { $nth ->
    [first] 첫 번째
   *[second] 두 번째
 } 출력 “{ $text }” 뒤에 패딩 토큰 { $padding }개를 붙여 읽습니다. 결합 마스크와 인과 마스크는 이 패딩 토큰의 행 { $padding }개에서만 { $hidden }칸 다릅니다. 인과 마스크만 써도 이 배치에서 실제 토큰의 행이 패딩에 주는 가중치는 최대 **{ $largest }**입니다.
seen-both-masks-alt = 짧은 출력의 인과 마스크, 패딩 마스크, 결합 마스크를 나타낸 격자 세 개.
seen-both-masks-file = 인과 마스크와 패딩 마스크
masks-seen-both-found = 실제 토큰의 행 { $real }개에서 결합 마스크와 인과 마스크가 다른 칸은 **{ $kept }개**입니다.

# Change something

change_tool = 개입 유형
change_tool-tokens = 토큰
change_tool-cells = 어텐션 연결
change_tool-heads = 헤드
change_tool-row = 어텐션 가중치
change_tool-positions = 위치 인코딩
change_tool-sublayers = 서브레이어
masks-change-head = 개입 전후의 헤드
masks-change-head-single = 개입 전후의 어텐션
masks-change-still = 마지막으로 적용된 개입의 효과를 그대로 보여 줍니다.
masks-change-opening = 예시 개입입니다. 지우거나 직접 개입을 만들어 보세요.
masks-change-count = { $n ->
    [0] **개입 없음**
   *[other] **개입 { $n }개**
 }
change_preset = 해 보기
change_preset-antecedent = “{ $word }” 가리기(선행사)
change_preset-other = “{ $word }” 가리기(방해 명사)
change_preset-control = “{ $word }” 가리기(대조 단어)
change_preset-residual = 잔차 연결 제거
change_preset-norm = 층 정규화 제거
change_preset-attention-encoder = 인코더 셀프 어텐션 제거
change_preset-attention-decoder = 디코더 셀프 어텐션 제거
change_preset-attention-cross = 크로스 어텐션 제거
change_preset-source-absent = 위치 인코딩 제거(원문)
change_preset-target-absent = 위치 인코딩 제거(번역문)
change_preset-shifted = 위치를 50만큼 이동
change_preset-permuted = 위치를 무작위로 섞기
masks-change-pronoun = 앞부분(접두부)이 같을 때 “{ $written }”의 확률은 { PERCENT($before) }에서 **{ PERCENT($after) }로** 바뀌고, { $stays ->
    [yes] 여전히 확률이 가장 높은 대명사입니다.
   *[no] “**{ $now }**”{ JOSA($now, "이/가") } 확률이 가장 높은 대명사가 됩니다.
 }
masks-change-flips = 학습에 쓰지 않은 문장 { $n }개에서 { $role ->
    [antecedent] 선행사를
    [other] 방해 명사를
   *[control] 대조 단어를
 } 가릴 때 대명사가 바뀌는 비율은 **{ PERCENT($share) }입니다**.
masks-pronoun-use = { $kind ->
    [shared] { $head }{ JOSA($head, "은/는") } 없어도 되고, 같은 층에서는 이 헤드 하나로 충분합니다.
    [needed] { $head }{ JOSA($head, "이/가") } 필요하며, 같은 층에서는 이 헤드 하나로 충분합니다.
    [part] { $head }{ JOSA($head, "이/가") } 필요하지만, 같은 층에서도 이 헤드 하나로는 부족합니다.
   *[other] { $head }{ JOSA($head, "은/는") } 없어도 되고, 같은 층에서도 이 헤드 하나로는 부족합니다.
  } 학습에 쓰지 않은 문장 { $n }개의 대명사 정확도는 이 헤드를 제거하면 **{ PERCENT($without) }**(모든 헤드가 있으면 { PERCENT($plain) }), 같은 층에 이 헤드만 남기면 **{ PERCENT($alone) }입니다**.
change_undo = 실행 취소
change_undo-help = 마지막 단계를 되돌립니다.
change_clear = 모두 지우기
masks-change-causal = 인과 마스크
masks-change-causal-help = 마스크를 켜면 디코더의 어떤 위치도 미래 토큰을 볼 수 없습니다. 학습할 때는 켜져 있었습니다.

change_where = 가리기 범위
masks-change-hide = 가린 토큰
masks-change-hide-help = 토큰을 클릭하면 가립니다. 그러면 해당 층의 어떤 쿼리도 이 토큰을 볼 수 없고, 모든 행에서 이 토큰의 키가 빠집니다.
masks-change-unread = 삭제한 토큰
masks-change-unread-help = 토큰을 클릭하면 입력에서 삭제합니다. 모델은 이 토큰이 없는 문장을 읽습니다. 종료 토큰은 항상 읽습니다.

change_query = 쿼리(행)
change_key = 키(열)
masks-change-every-row = 모든 행
masks-change-mean-weight = 가중치(헤드 평균)
masks-change-matrix-alt = { $heads }의 어텐션 맵: 쿼리 { $rows }행, 키 { $columns }열. 칸을 클릭하거나 아래 메뉴로 연결을 차단하거나 허용합니다.
masks-change-matrix-caption = 칸을 클릭하면 연결을 차단하고, 다시 클릭하면 허용합니다. 차단된 칸에는 빗금이 있습니다.
masks-change-matrix-file = { $heads } { $text }
masks-change-allow = 연결 허용
masks-change-forbid = 연결 차단
masks-change-forbidden-already = 다른 개입이 이미 이 연결을 차단하고 있습니다. 목록에서 그 개입을 지우세요.
masks-change-causal-already = 인과 마스크가 이미 이 연결을 차단하고 있습니다.

masks-change-no-means = 이 체크포인트에는 헤드의 평균 출력이 저장되어 있지 않아 평균으로 대체할 수 없습니다. `python -m evaluation intervene` 명령으로 측정하세요.
masks-change-heads-of = { $layer }층에서 제거한 헤드
masks-change-all-off = { $n ->
    [1] 제거
   *[other] { $n }개 모두 제거
 }
masks-change-all-on = { $n ->
    [1] 복원
   *[other] 모두 복원
 }

masks-change-row-empty = 이 행의 키가 모두 차단되어 있어 정할 가중치가 없습니다.
masks-change-row = { $heads }의 { $row }행 “{ $token }”, { $given ->
    [yes] **직접 정한 값**
   *[no] 계산된 가중치
 }입니다. 막대를 끌면 남은 비율을 나머지 막대가 나누어 받습니다.
masks-change-row-caption = 막대의 점선은 계산된 가중치입니다{ $heads ->
    [several] (헤드 평균)
   *[one] {""}
 }.
masks-change-row-numbers = 가중치(키 { $n }개, 순서대로)
masks-change-row-free = 이 모델이 계산한 행은 합이 1이 아닐 수 있으므로, 막대는 행의 합을 1로 볼 때의 비율입니다. 직접 정한 행은 합이 1이고, 윈도 밖의 토큰도 볼 수 있습니다.
masks-change-row-no-number = “{ $text }”{ JOSA($text, "은/는") } 숫자가 아닙니다. 0.25처럼 0에서 1까지의 가중치를 적으세요.
masks-change-row-count = 숫자가 { $found }개입니다. 이 행에는 키마다 하나씩 { $expected }개가 필요합니다.
masks-change-row-unseen = 이 행은 “{ $token }”{ JOSA($token, "을/를") } 볼 수 없으므로 그 가중치는 0이어야 합니다.

masks-change-positions-by = 이동량(위치)
masks-change-positions-seed = 난수 시드
masks-change-positions-caption = 토큰의 순서는 그대로이고, 토큰에 더하는 위치 인코딩만 바뀝니다. 번역문에서는 원래 출력의 위치 { $n }개를 무작위로 섞거나 역순으로 놓습니다.

change_part = 제거 대상
change_part-residual = 잔차 연결
change_part-norm = 층 정규화
change_part_stack = 스택
change_part_stack-all = 전체
change_part_layer = 층
change_part_layer-all = 전체
change_part_name = 서브레이어
change_part_name-all = 전체
change_leave_out = 제거
seen_tokens = 단어 가리기
seen_tokens-help = 어떤 단어든 가릴 수 있는 “{ view-masks-change }” 보기를 엽니다.
seen_heads = 헤드 제거
seen_heads-help = 어떤 헤드든 제거할 수 있는 “{ view-masks-change }” 보기를 엽니다.
seen_step = 단계
seen_step-score = 점수 + 마스크
seen_step-exp = exp
seen_step-weight = 가중치
seen-stages-caption = { $step ->
    [score] 마스크는 미래 토큰의 점수에 −∞를 더합니다. 마스크가 없으면 그 점수도 계산에 들어갑니다.
    [exp] exp(−∞)는 0이므로 마스킹된 칸은 비어 있습니다. 보라색은 미래 토큰의 값입니다.
   *[weight] 빗금 친 칸은 마스킹되어 있습니다. 보라색은 미래 토큰에 놓인 가중치입니다.
 } 막대는 마스크가 없을 때 각 행의 가중치가 미래 토큰으로 가는 비율입니다. 행을 클릭하면 선택됩니다.
masks-seen-steps = “{ $token }” 행: 점수에서 가중치까지
masks-seen-same-scores = 마스크 없음(같은 점수)
masks-seen-whole-decoder = 디코더 전체에서 마스크 없음
masks-seen-lifted = 인과 마스크가 없으면 각 위치가 미래 토큰에도 주목합니다. 출력을 한 번에 읽으면 “{ $token }”의 확률은 **{ PERCENT($before) }에서 { PERCENT($after) }로** { $way ->
    [falls] 낮아집니다
   *[rises] 높아집니다
 }.
masks-seen-written = { $same ->
    [yes] 한 토큰씩 생성하면 미래 토큰이 아직 없으므로 출력이 그대로입니다.
   *[no] 한 토큰씩 생성해도 출력이 달라집니다.
 }
masks-seen-writes = 마스크가 없을 때의 출력
masks-seen-run-masked = 마스크 있음
masks-seen-run-read = 마스크 없이 한 번에 읽기
masks-seen-run-written = 마스크 없이 한 토큰씩 생성
masks-seen-run-alone = 단독
masks-seen-run-unmasked = 마스크 없는 배치
seen-forced-caption = 한 번에 읽으면 각 위치가 자신이 예측할 토큰에도 주목하는데, 학습할 때는 없던 일입니다. 한 토큰씩 생성하면 첫 토큰을 예측할 때 미래 토큰이 없으므로 확률이 그대로입니다.
masks-seen-pad-on = 마스크가 있으면 패딩은 가중치를 받지 않습니다. { $nth ->
    [first] 첫 번째
   *[second] 두 번째
 } 문장의 log P는 배치에서 **{ $masked }**, 단독으로는 { $alone }입니다.
masks-knockout-needed = **{ $head }**{ JOSA($head, "을/를") } 제거했을 때의 출력(Δ log P = { SIGNED($change) }): { $text }
masks-knockout-others = { $others ->
    [0] 다른 헤드는 하나씩 제거해도 출력이 바뀌지 않습니다.
   *[other] 헤드 { $n }개 가운데 다른 { $others }개도 제거하면 출력이 바뀝니다.
 }
masks-knockout-bars-pronoun = 대명사의 확률 P, { $how ->
    [zero] 0으로 대체
    [mean] 평균으로 대체
   *[uniform] 균등 어텐션
 }
knock_measure = 표시할 값
knock_measure-all = Δ log P
knock_measure-pronoun = P({ $token })
masks-explain-needed = “{ $token }”의 확률은 “{ $needed }”{ JOSA($needed, "을/를") } 가릴 때 가장 크게 낮아집니다({ PERCENT($before) }에서 **{ PERCENT($after) }**).
masks-explain-same = { $layer }층 { $head }번 헤드도 같은 토큰에 가장 많이 주목합니다.
masks-explain-instead = 그런데 { $layer }층 { $head }번 헤드는 “{ $attended }”에 가장 많이 주목하고, “{ $needed }”의 순위는 { $of }개 중 { $rank }위입니다.
masks-change-becomes = **{ $n ->
    [1] { $change }
   *[other] 개입 { $n }개
 }** → { $text }
masks-change-stays = **{ $n ->
    [1] { $change }
   *[other] 개입 { $n }개
 }:** 출력은 그대로입니다. { $text }
