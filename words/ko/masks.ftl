# The page of masks, and what a change of the model's run does.

masks-nothing-written = *아무것도 쓰지 않고 바로 끝냄*
masks-token-change = “{ $token }” { $change }

# The effect of a change, beside the plain run

masks-effect-none = 아직 바꾼 것이 없습니다. 무언가를 바꾸면 번역과 그 확률, 어텐션이 어떻게 달라지는지 여기에 나옵니다.

masks-effect-unchanged = **그대로:** { $text }
masks-effect-before = :violet-badge[변경 전] { $text }
masks-effect-after = :green-badge[변경 후] { $text }
masks-effect-same-words = 단어는 같고, 조각으로 나뉜 자리만 다릅니다.
masks-effect-unfinished = 변경한 상태의 탐색은 문장이 끝나기 전에 최대 길이에 이르렀습니다.
masks-effect-no-pronoun = 없음
masks-effect-pronouns = { $n ->
   *[other] 대명사
 }: { $before } → **{ $after }**

masks-effect-total = 원래 출력의 log P: { $before } → **{ $after }**({ $change })
masks-effect-same = 변화 없음
masks-effect-hardly = 변화가 0.001 미만
masks-effect-likelier = { $change }, 확률 { $factor }배
masks-effect-less-likely = { $change }, 확률 1/{ $factor }배
masks-effect-peeking = 인과 마스크가 꺼져 있습니다. 출력을 다시 읽을 때 모든 위치가 뒤에 올 토큰까지 보는데, 실제 탐색에서는 볼 수 없는 토큰입니다. 그래서 이 log P는 그 문장을 써 나갈 때의 log P와 다릅니다.
masks-effect-largest = log p가 가장 크게 변한 토큰: { $changes }.
masks-effect-log-probs-alt = 원래 출력의 토큰별 로그 확률 변화. 가장 큰 변화는 글로 적혀 있습니다.
masks-effect-log-probs-file = log p의 변화 { $text }

masks-effect-position = 다음 토큰의 확률을 볼 위치
masks-effect-position-difference = 처음 달라지는 곳: { $token }
masks-effect-position-drop = 가장 크게 떨어지는 곳: { $token }
masks-effect-next-caption = 위쪽의 속이 빈 보라색 막대: 변경 전. 아래쪽의 속이 찬 초록색 막대: 변경 후. ▸ 표시는 원래 출력의 토큰입니다. 변경 전 1위: “{ $first }” { $first_before }(변경 후 { $first_after }). 변경 후 1위: “{ $second }” { $second_after }(변경 전 { $second_before }).
masks-effect-next-alt = 고른 위치에서 다음에 올 확률이 높은 토큰들의 변경 전과 변경 후 확률. 가장 큰 값은 글로 적혀 있습니다.
masks-effect-next-file = 다음 토큰 { $position } { $text }

masks-effect-head-before = 변경 전
masks-effect-head-after = 변경 후
masks-effect-head-difference = 차이
masks-effect-head-alt = { $side }: { $site }에서 고른 헤드, 쿼리 { $rows }행, 키 { $columns }열. 가중치가 얼마나 옮겨졌는지는 글로 적혀 있습니다.
masks-effect-head-file = { $site } { $head } 변경 전과 후: { $text }
masks-effect-moved = { $site } { $head }에서 옮겨진 가중치: 행마다 평균 **{ $mean }**{ $row ->
    [0] {""}
   *[other] , 가장 많이 옮겨진 곳은 { $row }행 “{ $token }”: { $most }
 }. 행마다 차이의 절댓값을 더해 반으로 나눈 값이며, 양쪽 모두 원래 출력을 읽습니다.{ $forbidden ->
    [yes] {" "}빗금: 변경으로 차단된 칸.
   *[no] {""}
 }
masks-effect-unmoved = 가중치가 옮겨진 곳이 없습니다. 바꾼 곳 뒤에는 어텐션이 없기 때문입니다.
masks-effect-most-moved = 가장 많이 옮겨진 곳: { $site } { $head }, { $share }

# Stored measurements, and words that several views say

masks-none = 없음
masks-made-command = 측정: `{ $command }`.
masks-made-hardware = 측정 장비: { $hardware }.
masks-made-command-hardware = 측정: `{ $command }`, { $hardware }.
masks-not-measurable = 학습에 쓰지 않은 문장의 평균은 알 수 없습니다. 인코더 자신의 어텐션에서도 단어를 가릴 수 있는 모델에서만 측정합니다.

# The pronoun put to the test

masks-pronoun-here = 이 문장
masks-pronoun-held-out = 학습에 쓰지 않은 문장 전체
masks-pronoun-no-words = 이 문장에는 가릴 수 있는 단어가 없습니다.
masks-pronoun-choose = 대명사와, 그 대명사가 보지 못하게 가릴 단어를 고르세요.
masks-pronoun-choose-known = 대명사와, 그 대명사가 보지 못하게 가릴 단어를 고르세요. “{ $group }” 예문에는 둘 다 정해져 있습니다.
masks-pronoun-menu-pronoun = 대명사
masks-pronoun-menu-antecedent = 선행사
masks-pronoun-menu-other = 다른 명사
masks-pronoun-menu-control = 대조 단어
masks-pronoun-menu-written = 대명사로 쓴 토큰
masks-pronoun-menu-antecedent_phrase = 선행사의 명사구
masks-pronoun-menu-other_phrase = 다른 명사의 명사구
masks-pronoun-menu-phrase-help = 명사와 그 한정사, 형용사를 함께 가립니다.
masks-pronoun-progress = 곳마다 단어를 가려 보는 중
masks-pronoun-refused = “{ $word }”{ JOSA($word, "을/를") } 가릴 수 없습니다. 가릴 곳: { $place }. 이유: { $why }

masks-pronoun-role-antecedent = 선행사
masks-pronoun-role-antecedent_phrase = 선행사의 명사구
masks-pronoun-role-other = 다른 명사
masks-pronoun-role-other_phrase = 다른 명사의 명사구
masks-pronoun-role-control = 대조 단어

masks-pronoun-place-encoder_from_it_best = “{ $pronoun }”, { $head }
masks-pronoun-place-encoder_from_it_others = “{ $pronoun }”, 같은 층에서 { $head } 외 모든 헤드
masks-pronoun-place-encoder_from_it_guided = “{ $pronoun }”, 유도된 { $head }
masks-pronoun-place-encoder_from_it = “{ $pronoun }”, 인코더 모든 헤드
masks-pronoun-place-cross_from_pronoun_best = “{ $written }” 행, { $head }
masks-pronoun-place-cross_from_pronoun = “{ $written }” 행, 크로스 모든 헤드
masks-pronoun-place-it_and_pronoun = “{ $pronoun }”{ JOSA($pronoun, "과/와") } “{ $written }” 행
masks-pronoun-place-cross = 크로스 어텐션 전체
masks-pronoun-place-encoder = 인코더 전체
masks-pronoun-place-both = 모든 곳
masks-pronoun-place-unread = 아예 읽지 않음

masks-pronoun-stored-encoder_from_it_best = “{ $pronoun }”, 최고 인코더 헤드
masks-pronoun-stored-encoder_from_it_others = “{ $pronoun }”, 같은 층의 나머지 헤드 전부
masks-pronoun-stored-encoder_from_it_guided = “{ $pronoun }”, 유도된 인코더 헤드
masks-pronoun-stored-encoder_from_it = “{ $pronoun }”, 인코더 모든 헤드
masks-pronoun-stored-cross_from_pronoun_best = 대명사 행, 최고 크로스 헤드
masks-pronoun-stored-cross_from_pronoun = 대명사 행, 크로스 모든 헤드
masks-pronoun-stored-it_and_pronoun = “{ $pronoun }”{ JOSA($pronoun, "과/와") } 대명사 행
masks-pronoun-stored-cross = 크로스 어텐션 전체
masks-pronoun-stored-encoder = 인코더 전체
masks-pronoun-stored-both = 모든 곳
masks-pronoun-stored-unread = 아예 읽지 않음

masks-pronoun-plain = 아무것도 가리지 않으면 P({ $written }) = { $share }입니다.
masks-pronoun-hidden = 가린 뒤의 값: { $places }.
masks-pronoun-hidden-cross_from_pronoun = “{ $written }”{ JOSA($written, "을/를") } 쓰는 행에서 { $leaves }
masks-pronoun-hidden-encoder_from_it = 인코더의 “{ $pronoun }”에서 { $leaves }
masks-pronoun-hidden-both = 모든 곳에서 { $leaves }
masks-pronoun-hidden-unread = 모든 곳에서 빼고 읽지 않으면 { $leaves }
masks-pronoun-leaves = “{ $word }”{ JOSA($word, "을/를") } 가리면 **{ $share }**
masks-pronoun-leaves-now = “{ $word }”{ JOSA($word, "을/를") } 가리면 **{ $share }**(1위는 “{ $now }”)
masks-pronoun-leaves-both = { $noun }, { $phrase }
masks-pronoun-verdict-encoder_from_it = 따라서 교과서의 설명대로, 인코더의 “{ $pronoun }”{ JOSA($pronoun, "이/가") } “{ $what }”{ JOSA($what, "과/와") }의 연결을 맡습니다.{ $rest ->
    [enough] {" "}“{ $noun }”만 가렸을 때는 명사구의 나머지가 그 몫을 대신합니다.
   *[unknown] {""}
 }
masks-pronoun-verdict-cross_from_pronoun = 따라서 연결은 “{ $pronoun }”{ JOSA($pronoun, "을/를") } 거치지 않습니다. 디코더가 대명사를 쓸 때 “{ $what }”{ JOSA($what, "을/를") } 직접 봅니다.{ $rest ->
    [enough] {" "}“{ $noun }”만 가렸을 때는 명사구의 나머지가 그 몫을 대신합니다.
   *[unknown] {""}
 }
masks-pronoun-verdict-it_and_pronoun = 모델에는 두 경로 중 하나만 있어도 충분합니다. 둘을 함께 막아야 결과가 달라집니다.
masks-pronoun-verdict-encoder = 따라서 연결은 “{ $pronoun }”{ JOSA($pronoun, "을/를") } 거치지 않고, 대명사가 “{ $what }”{ JOSA($what, "을/를") } 직접 보아서 생기는 것도 아닙니다. “{ $what }”{ JOSA($what, "을/를") } 읽은 인코더의 다른 행이 필요합니다.{ $rest ->
    [enough] {" "}“{ $noun }”만 가렸을 때는 명사구의 나머지가 그 몫을 대신합니다.
   *[unknown] {""}
 }
masks-pronoun-verdict-cross = 따라서 디코더에는 “{ $what }”{ JOSA($what, "이/가") } 필요하지만, 대명사가 아닌 다른 위치에서 필요합니다.{ $rest ->
    [enough] {" "}“{ $noun }”만 가렸을 때는 명사구의 나머지가 그 몫을 대신합니다.
   *[unknown] {""}
 }
masks-pronoun-verdict-both = 따라서 인코더와 인코더-디코더 어텐션은 서로를 대신할 수 있습니다. “{ $what }”{ JOSA($what, "을/를") } 양쪽 모두에서 가려야 대명사가 불확실해집니다.{ $rest ->
    [enough] {" "}“{ $noun }”만 가렸을 때는 명사구의 나머지가 그 몫을 대신합니다.
   *[unknown] {""}
 }
masks-pronoun-verdict-unread = 따라서 모델이 읽은 것 어딘가에 “{ $what }”{ JOSA($what, "이/가") } 필요합니다.{ $rest ->
    [enough] {" "}“{ $noun }”만 뺐을 때는 명사구의 나머지로 충분합니다.
   *[unknown] {""}
 }
masks-pronoun-verdict-none = 따라서 어느 경로로 보아도 이 선택은 “{ $what }”에 거의 좌우되지 않습니다.

masks-pronoun-dots-alt = 곳마다 단어를 가렸을 때 { $choices }의 확률. 수치는 아래 표에 있습니다.
masks-pronoun-dots-caption = 선은 아무것도 가리지 않았을 때의 확률(눈금)에서 단어를 가렸을 때의 확률(기호)까지 이어집니다. 번역문의 앞부분은 그대로 둡니다.
masks-pronoun-dots-file = { $pronoun }에서 가리기 { $text }
masks-pronoun-column-hidden = 가린 단어
masks-pronoun-column-role = 역할
masks-pronoun-column-from = 가린 곳
masks-pronoun-column-likeliest = 1위
masks-pronoun-column-output = 다시 탐색한 출력
masks-pronoun-table-alt = 시험 { $n }가지: 어디에서 무엇을 가렸고 대명사가 어떻게 되었는지.

masks-pronoun-flips = 대명사
masks-pronoun-flips-forced = 그 자리만, 나머지는 그대로
masks-pronoun-flips-searched = 처음부터 다시 탐색
masks-pronoun-flips-alt = 곳마다 단어를 가렸을 때 대명사가 바뀐 비율과 95% 구간. 수치는 표에 있습니다.
masks-pronoun-flips-file = 대명사 바뀜 { $checkpoint }
masks-pronoun-flips-table-alt = 같은 수치를 담은 표.
masks-pronoun-flips-column-place = 가린 곳
masks-pronoun-flips-column-hidden = 가린 단어
masks-pronoun-flips-column-n = 문장 수
masks-pronoun-flips-column-flips = 바뀐 수
masks-pronoun-flips-column-share = 비율
masks-pronoun-flips-column-low = 95% 하한
masks-pronoun-flips-column-high = 상한
masks-pronoun-flips-column-right = 여전히 정답
masks-pronoun-flips-column-log_odds = 로그 오즈 변화
masks-pronoun-flip = { $place }에서 { $word }{ JOSA($word, "을/를") } 가렸을 때 대명사가 바뀐 비율({ $n }문장): **{ $share }**.
masks-pronoun-flip-compared = { $place }에서 { $word }{ JOSA($word, "을/를") } 가렸을 때 대명사가 바뀐 비율({ $n }문장): **{ $share }**, { $others }.
masks-pronoun-flip-alone = { $word }만 가리면 { $share }
masks-pronoun-flip-other = { $word }{ JOSA($word, "을/를") } 가리면 { $share }
masks-pronoun-flip-cross_from_pronoun = 인코더-디코더 어텐션의 대명사 행
masks-pronoun-flip-encoder_from_it = 인코더의 “{ $pronoun }”
masks-pronoun-flip-both = 모든 곳
masks-pronoun-guided = 유도된 헤드(guided, 인코더 { $layer }층 { $head }번 헤드)에서 “{ $pronoun }”{ JOSA($pronoun, "은/는") } 선행사에 평균 **{ $weight }**의 가중치를 주며, 이 헤드의 “{ $pronoun }”에서 { $word }{ JOSA($word, "을/를") } 가리면 대명사가 **{ $n }문장 중 { $flips }문장**에서 바뀝니다.
masks-pronoun-guided-unused = 유도된 헤드(guided, 인코더 { $layer }층 { $head }번 헤드)에서 “{ $pronoun }”{ JOSA($pronoun, "은/는") } 선행사에 평균 **{ $weight }**의 가중치를 줍니다. 그런데도 이 헤드의 “{ $pronoun }”에서 { $word }{ JOSA($word, "을/를") } 가리면 대명사는 **{ $n }문장 중 { $flips }문장**에서만 바뀝니다. 가중치가 크다고 해서 모델이 그것을 쓴다는 증거는 아닙니다.
masks-pronoun-use = 문장 { $n }개에서 정답 대명사의 확률이 가장 높은 비율은 { $head }{ JOSA($head, "을/를") } 끄면 **{ $without }**, 같은 층의 나머지 헤드를 모두 끄면 **{ $alone }**, 아무것도 바꾸지 않으면 { $plain }입니다. { $kind ->
    [shared] 즉, 이 헤드 하나로도 충분하지만 없어도 다른 헤드가 대신합니다.
    [needed] 즉, 이 헤드가 필요하고 이 헤드 하나로 충분합니다.
    [part] 즉, 이 헤드가 필요하지만 이 헤드 하나로는 부족합니다.
   *[other] 즉, 이 헤드가 없어도 되고 이 헤드 하나로는 부족합니다.
  }
masks-pronoun-beam = { $n ->
    [1] 탐색은 그리디 서치입니다.
   *[other] 탐색의 빔 너비는 { $n }입니다.
 }
masks-pronoun-control = 대조 단어: { $control }. “tired”처럼 답을 정하는 형용사일 수도 있습니다.
masks-pronoun-heads-used = 학습에 쓰지 않은 문장에서 가장 좋은 헤드: { $heads }.

# Heads knocked out

masks-knockout-progress = 헤드를 하나씩 끄는 중
masks-knockout-how = 헤드 대신 넣을 것
masks-knockout-how-help = 0으로 두면 헤드가 더하는 것이 모두 없어집니다. 평균 출력으로 바꾸면 이 문장에 대한 내용만 없어집니다. 가중치를 균등하게 하면 헤드가 옮기는 내용은 남고, 어디를 볼지 고르는 일만 없어집니다.
masks-knockout-how-zero = 0
masks-knockout-how-mean = 평균 출력
masks-knockout-how-uniform = 균등한 가중치
masks-knockout-order = 헤드 순서
masks-knockout-order-ranked = 순위순
masks-knockout-order-place = 위치순
masks-knockout-missed = 헤드를 하나씩 끄면 **{ $n }개 중 { $changed }개**에서 그리디 출력이 바뀝니다. 영향이 가장 큰 헤드는 **{ $head }**입니다. log P 변화는 { $change }{ JOSA($change, "이며/며") }, 그중 가장 크게 변한 토큰은 “{ $token }”입니다({ $token_change }).
masks-knockout-likelier = { $head }{ JOSA($head, "을/를") } 끄면 번역문의 확률이 오히려 높아집니다: { $change }.
masks-knockout-time = 실행 { $n }번, { $seconds }초.
masks-knockout-change = log P의 변화
masks-knockout-bars-zero = 헤드의 출력을 0으로 했을 때 번역문의 log P 변화
masks-knockout-bars-mean = 헤드의 출력을 검증 문장에서의 평균으로 바꿨을 때 번역문의 log P 변화
masks-knockout-bars-uniform = 헤드의 가중치를 볼 수 있는 곳에 균등하게 나눴을 때 번역문의 log P 변화
masks-knockout-bars-alt = 헤드 { $n }개를 하나씩 껐을 때 번역문의 log P 변화. 수치는 아래 표에 있습니다.
masks-knockout-bars-caption = 진한 막대: 그리디 출력이 바뀝니다. 옅은 막대: 그대로입니다. “2.1”은 2층 1번 헤드입니다. 막대를 누르면 그 헤드가 아래에 열립니다.
masks-knockout-bars-file = 헤드 끄기 { $how } { $text }
masks-knockout-choices-zero = 헤드의 출력을 0으로 했을 때 그 자리에 { $written }, { $rivals }{ JOSA($rivals, "이/가") } 올 확률
masks-knockout-choices-mean = 헤드의 출력을 검증 문장에서의 평균으로 바꿨을 때 그 자리에 { $written }, { $rivals }{ JOSA($rivals, "이/가") } 올 확률
masks-knockout-choices-uniform = 헤드의 가중치를 볼 수 있는 곳에 균등하게 나눴을 때 그 자리에 { $written }, { $rivals }{ JOSA($rivals, "이/가") } 올 확률
masks-knockout-rivals = { $first }, { $second }
masks-knockout-choices-alt = 헤드를 하나씩 껐을 때 { $choices }의 확률. 점선은 모든 헤드가 있을 때의 값입니다.
masks-knockout-choices-file = 헤드 끄기 { $how } 대명사 { $text }
masks-knockout-lowest = P({ $written })의 값은 모든 헤드가 있으면 { $plain }이고, **{ $head }**{ JOSA($head, "을/를") } 끄면 **{ $share }**{ JOSA($share, "으로/로") } 가장 낮습니다.
masks-knockout-never-overtaken = 헤드 하나가 결정하지는 않습니다. 어느 하나를 꺼도 확률이 가장 높은 형태는 그대로입니다.
masks-knockout-overtaken = 끄면 다른 형태가 앞서는 헤드: { $heads }.
masks-knockout-overtaken-head = { $head }({ $rival } { $share })
masks-knockout-head = 끈 헤드
masks-knockout-keep = 끈 채로 두기
masks-knockout-kept = 만들고 있는 변경에서 { $head }{ JOSA($head, "을/를") } 껐습니다. 위의 “{ $view }”에서 확인하세요.
masks-knockout-without = { $site } { $layer }층 { $head }번 헤드를 끄면
masks-knockout-greedy-all = :violet-badge[그리디, 모든 헤드] { $text }
masks-knockout-greedy-without = :green-badge[그리디, 이 헤드 없이] { $text }
masks-knockout-greedy-stays = 그리디 출력은 그대로입니다: { $text }
masks-knockout-search = 아래: 지금 쓰는 탐색(빔 너비 { $beam })에서 이 헤드가 있을 때와 없을 때.
masks-knockout-all = 모든 헤드
masks-knockout-column-name = 헤드
masks-knockout-column-change = log P의 변화
masks-knockout-column-changed = 출력이 바뀜
masks-knockout-column-token = 영향을 가장 크게 받은 토큰
masks-knockout-column-token_change = 그 토큰의 log p 변화
masks-knockout-column-text = 이 헤드 없이 쓴 그리디 출력
masks-knockout-table-alt = 헤드 { $n }개 전체. 영향이 큰 헤드가 먼저이고, 열 제목을 누르면 정렬됩니다.

# A decision traced

masks-trace-progress = 연결을 하나씩 끊는 중
masks-trace-token = 선택된 토큰
masks-trace-rival = 경쟁 토큰
masks-trace-no-rival = 그 자리에 올 수 있는 다른 토큰이 없으므로 추적할 결정도 없습니다.
masks-trace-no-link = 혼자서 로그 오즈를 바꾸는 연결이 없으므로 그릴 경로도 없습니다.
masks-trace-start = 모든 연결 끊어 보기
masks-trace-long = 이 결정 앞에 위치가 { $n }개 있어서 모든 연결을 추적하는 데 시간이 걸립니다. 버튼을 누르면 시작하고, 다른 것을 고르면 멈춥니다.
masks-trace-decision = ln P(“{ $token }”) / P(“{ $rival }”) = **{ $odds }**, { $side ->
    [for] “{ $token }”
   *[against] “{ $rival }”
 } 쪽이 { $factor }배입니다. 연결 { $links }개 가운데 이 결정에 영향을 줄 수 있는 { $run }개를 { $seconds }초 동안 하나씩 끊어 보았습니다.
masks-trace-share = 연결의 최소 영향(가장 강한 연결의 %)
masks-trace-others = 함께 그릴 다른 연결 수
masks-trace-path = 경로: { $path }
masks-trace-stop = { $token }({ $site } { $layer }층 { $head }번 헤드, { $change })
masks-trace-no-path = 결정이 일어나는 위치에서 시작하는 충분히 강한 경로가 없습니다. 가장 강한 연결은 “{ $start }”에서 “{ $end }”{ JOSA($end, "으로/로") } 가는 { $head }입니다({ $change }).
masks-trace-textbook = 교과서에 나오는 경로입니다: { $written } → { $pronoun } → { $noun }.
masks-trace-elsewhere = 교과서의 경로({ $written } → { $pronoun } → { $noun })가 **아닙니다**. “{ $stop }”에 이르지 않습니다.
masks-trace-straight = 교과서의 경로({ $written } → { $pronoun } → { $noun })가 **아닙니다**. 디코더에서 “{ $stop }”{ JOSA($stop, "으로/로") } 곧장 갑니다.
masks-trace-by-way = 교과서의 경로({ $written } → { $pronoun } → { $noun })가 **아닙니다**. { $by }{ JOSA($by, "을/를") } 거쳐 “{ $stop }”에 이릅니다.
masks-trace-check = 확인: 경로의 연결 { $n }개를 한꺼번에 끊으면 로그 오즈가 **{ $change }** 변해 { $odds }{ JOSA($odds, "이/가") } 됩니다(하나씩 끊었을 때의 변화를 더하면 { $sum }). 모델의 선택은 { $turn ->
    [same] 그대로입니다
    [rival] 경쟁 토큰으로 바뀝니다
   *[token] 이 토큰으로 바뀝니다
 }.
masks-trace-no-check = 경로 전체를 한꺼번에 끊을 수 없습니다: { $why }
masks-trace-flow-alt = 인코더와 디코더의 층 사이에서 가장 강한 연결. 경로는 위에 글로 적혀 있습니다.
masks-trace-file = 추적 { $token } { $text }
masks-trace-links = 가장 강한 연결
masks-trace-column-from = 보는 토큰
masks-trace-column-to = 주목받는 토큰
masks-trace-column-name = 헤드
masks-trace-column-weight = 가중치
masks-trace-column-change = 끊었을 때 로그 오즈 변화
masks-trace-table-alt = 로그 오즈를 가장 크게 바꾸는 연결 { $n }개.
masks-trace-heads = 헤드 전체의 출력을 0으로 했을 때
masks-trace-ranked = 순위순
masks-trace-change = 로그 오즈 변화
masks-trace-heads-alt = 헤드 { $n }개를 하나씩 껐을 때 로그 오즈의 변화. 가장 낮은 것은 { $head }, { $change }.
masks-trace-heads-caption = 0보다 낮은 막대: “{ $token }”{ JOSA($token, "을/를") } 지지하는 헤드. 0보다 높은 막대: “{ $rival }”{ JOSA($rival, "을/를") } 지지하는 헤드. 가장 낮은 것: { $head }, { $change }.
masks-trace-heads-file = 헤드 추적 { $token } { $text }

# Does attention explain?

masks-explain-progress = 원문 토큰을 하나씩 가리는 중…
masks-explain-hidden = 원문 토큰을 가릴 곳
masks-explain-hidden-both = 모든 곳
masks-explain-hidden-unread = 모든 곳: 읽지 않음
masks-explain-hidden-cross = 인코더-디코더 어텐션
masks-explain-hidden-encoder = 인코더
masks-explain-method = 순위 상관
masks-explain-method-spearman = 스피어만 ρ
masks-explain-method-kendall = 켄달 τ-b
masks-explain-against = 어텐션과 비교할 것
masks-explain-against-drops = 가리기
masks-explain-against-gradient = 기울기 × 입력
masks-explain-of = { $method }: 어텐션과 { $other }
masks-explain-start = 원문 토큰 모두 가려 보기
masks-explain-long = 원문은 { $source }토큰, 번역문은 { $target }토큰이어서 시간이 걸립니다. 버튼을 누르면 시작합니다.
masks-explain-token = 만든 토큰
masks-explain-head = 인코더-디코더 어텐션 헤드
masks-explain-head-help = 층과 헤드, 1부터 셉니다. 아래 격자를 눌러서 고를 수도 있습니다.
masks-explain-depends = “{ $token }”{ JOSA($token, "은/는") } 무엇에 좌우될까: { $head ->
    [none] {""}
   *[other] { $head },{" "}
 }{ $where ->
    [unread] 토큰을 하나씩 빼기
    [both] 모든 곳에서 가리기
   *[other] { $place }에서 가리기
 }, 기울기로 본 결과
masks-explain-no-attention = 이 모델이 원문에 둔 가중치를 여기서는 알 수 없어, 다른 두 측정과 비교할 것이 없습니다.
masks-explain-bars-alt = { $attention ->
    [none] 원문 토큰 { $n }개의 두 가지 중요도. 가장 큰 토큰은 감소량 { $drop }, 기울기 { $gradient }.
   *[other] 원문 토큰 { $n }개의 세 가지 중요도. 가장 큰 토큰은 어텐션 { $attention }, 감소량 { $drop }, 기울기 { $gradient }.
 }
masks-explain-bars-file = { $token }의 중요도 { $text }
masks-explain-number-drops = { $head }의 어텐션과 log p 감소량의 { $method }: 이 토큰에서는 { $here }, 번역문 { $n }토큰의 평균은 { $mean }.
masks-explain-number-gradient = { $head }의 어텐션과 기울기 × 입력의 { $method }: 이 토큰에서는 { $here }, 번역문 { $n }토큰의 평균은 { $mean }.
masks-explain-even = 정의되지 않음(한쪽 값이 모두 같음)
masks-explain-undefined = 정의되지 않음
masks-explain-gradient = 이 토큰에서 기울기 × 입력과 log p 감소량의 순위 상관: { $number }.
masks-explain-rests = 원문 토큰 { $n }개{ $ties ->
    [0] {""}
   *[other] (그중 { $ties }개는 동순위)
 }에서 구한 값이므로 수 하나만으로 알 수 있는 것은 적습니다. log p 감소량도 중요도를 보는 한 가지 방법일 뿐입니다(Jain and Wallace 2019; Wiegreffe and Pinter 2019).
masks-explain-here = 이 문장, 토큰들의 평균
masks-explain-heads-alt = 인코더-디코더 어텐션 헤드 { $n }개의 순위 상관. { $largest ->
    [none] 정의되는 것이 없습니다.
   *[other] 가장 큰 것: { $largest }.
 }
masks-explain-heads-file = { $method ->
    [kendall] 순위 상관 켄달 { $text }
   *[spearman] 순위 상관 스피어만 { $text }
 }
masks-explain-stored = 검증 문장의 평균
masks-explain-stored-alt = 검증 문장에서 헤드 { $n }개의 순위 상관.
masks-explain-not-stored = 평균은 모든 곳에서 가리기와 인코더-디코더 어텐션에서 가리기에만 저장되어 있습니다.
masks-explain-over = { $layer }층 { $head }번 헤드: { $n ->
    [0] 여러 문장
   *[other] 검증 문장 { $n }개
 }의 평균 **{ $mean }**{ $spread ->
    [none] {""}
   *[other] (표준편차 { $spread })
 }{ $here ->
    [none] .
   *[other] , 이 문장에서는 { $here }.
 }
masks-explain-over-average = 모든 헤드를 평균하면: { $mean }.
masks-explain-over-gradient = 기울기 × 입력과 log p 감소량의 순위 상관: { $mean }.
masks-explain-over-permuted_heads = 같은 행을 섞으면: { $mean }.

# What may be seen

masks-seen-part = 마스크 종류
masks-seen-part-causal = 인과 마스크
masks-seen-part-padding = 패딩 마스크
masks-seen-part-both = 둘 다
masks-seen-query = 쿼리(행)
masks-seen-best = { $head } 열기: 가중치가 가장 많이 옮겨짐({ $share })
masks-seen-stages-alt = 디코더 { $layer }층 { $head }번 헤드의 인과 마스크, 마스크를 더한 점수, 지수, 가중치. 아래는 마스크가 없을 때의 같은 계산과, 행마다 마스크가 옮기는 비율입니다.
masks-seen-stages-file = 인과 마스크 { $head } { $text }
masks-seen-one-position = 위치가 하나뿐이어서 인과 마스크가 가리는 것이 없습니다.
masks-seen-moved = 점수를 그대로 두고 마스크 없이 소프트맥스를 취하면 뒤 위치로 갈 가중치의 행 평균(뒤 위치가 있는 { $n }개 행): **{ $share }**.
masks-seen-row = 고른 행 “{ $token }”: **{ $share }**.
masks-seen-row-last = 고른 행 “{ $token }”에는 뒤 위치가 없습니다.
masks-seen-strip-score = 점수
masks-seen-strip-mask = + 마스크
masks-seen-strip-exp = exp(· − 최댓값)
masks-seen-strip-weight = ÷ 합 = 가중치
masks-seen-strip-free = 마스크 없이
masks-seen-row-alt = 고른 행의 키마다 점수, 마스크, 지수, 가중치와 마스크가 없을 때의 가중치.
masks-seen-row-caption = 지수를 취하기 전에 행의 최댓값을 뺍니다. 그래도 가중치는 달라지지 않습니다. 점수에서 계산한 가중치와 모델이 쓴 가중치의 차이는 최대 { $difference }입니다.
masks-seen-row-file = { $row }행 인과 마스크 { $head } { $text }
masks-seen-without = 인과 마스크가 없을 때
masks-seen-with = 인과 마스크가 있을 때: 소프트맥스에서 덜어 내는 몫
masks-seen-peek = 인과 마스크 끄기(엿보기)
masks-seen-peek-help = 디코더 전체를 다시 실행하며, 모든 위치가 뒤 위치를 모두 볼 수 있습니다.
masks-seen-weight = 가중치
masks-seen-later = 뒤 위치의 가중치
masks-seen-nothing-later = 위치가 하나뿐이어서 더 볼 뒤 위치가 없습니다.
masks-seen-peek-words = 이제 { $head }에서 뒤 위치로 가는 가중치의 행 평균: **{ $share }**. 가장 많이 엿보는 곳은 “{ $query }” → “{ $key }”이고, 가중치는 { $weight }입니다.
masks-seen-peek-alt = 인과 마스크가 없는 디코더 { $layer }층 { $head }번 헤드. 뒤 위치는 다른 색이고, 막대는 행마다 뒤 위치가 차지하는 비율입니다.
masks-seen-peek-file = 인과 마스크 없이 { $head } { $text }
masks-seen-peek-most = 가장 많이 엿보는 헤드
masks-seen-peek-heads-alt = 디코더의 헤드마다 뒤 위치가 행에서 차지하는 평균 비율.
masks-seen-peek-heads-file = 엿보는 헤드 { $text }
masks-seen-forced = 정해진 문장을 쓰게 하면
masks-seen-target = 디코더에 쓰게 할 다른 문장
masks-seen-target-empty = 비워 두면 위의 번역문
masks-seen-target-kept = 아래에는 모델 자신의 출력을 그대로 둡니다.
masks-seen-with-mask = 마스크 있음
masks-seen-without-mask = 마스크 없음
masks-seen-forced-own-falls = 마스크가 없으면 모델이 낸 출력의 log P가 **{ $before }**에서 **{ $after }**{ JOSA($after, "으로/로") } 낮아집니다(토큰당 { $before_each } → { $after_each }).
masks-seen-forced-own-rises = 마스크가 없으면 모델이 낸 출력의 log P가 **{ $before }**에서 **{ $after }**{ JOSA($after, "으로/로") } 높아집니다(토큰당 { $before_each } → { $after_each }).
masks-seen-forced-typed-falls = 마스크가 없으면 입력한 문장의 log P가 **{ $before }**에서 **{ $after }**{ JOSA($after, "으로/로") } 낮아집니다(토큰당 { $before_each } → { $after_each }).
masks-seen-forced-typed-rises = 마스크가 없으면 입력한 문장의 log P가 **{ $before }**에서 **{ $after }**{ JOSA($after, "으로/로") } 높아집니다(토큰당 { $before_each } → { $after_each }).
masks-seen-forced-alt = 인과 마스크가 있을 때와 없을 때 토큰별 로그 확률과 그 합.
masks-seen-forced-file = 인과 마스크 유무에 따른 log p { $text }

masks-seen-second = 배치의 둘째 문장
masks-seen-second-empty = 길이가 다른 문장을 입력하세요
masks-seen-second-fault = 첫째 문장은 그대로입니다.
masks-seen-reading = 두 문장을 읽는 중…
masks-seen-first-title = { $n ->
    [0] 첫째 문장, 패딩 토큰 없음
   *[other] 첫째 문장, 패딩 토큰 { $n }개
 }
masks-seen-second-title = { $n ->
    [0] 둘째 문장, 패딩 토큰 없음
   *[other] 둘째 문장, 패딩 토큰 { $n }개
 }
masks-seen-pad-masks-alt = 두 문장에 대한 인코더의 패딩 마스크. 어떤 쿼리도 패딩을 볼 수 없습니다.
masks-seen-pad-masks-file = 패딩 마스크 { $text }
masks-seen-padding-mask = 패딩 마스크 켜기
masks-seen-padding-mask-help = 끄면 인코더와 인코더-디코더 어텐션이 패딩도 다른 토큰처럼 볼 수 있습니다.
masks-seen-pad-best = { $head } 열기: 패딩에 준 가중치가 가장 큼({ $share })
masks-seen-on-padding = 패딩의 가중치
masks-seen-pad-share = { $nth ->
    [first] 첫째
   *[second] 둘째
 } 문장, { $layer }층 { $head }번 헤드{ $rows ->
    [produced] (행 이름은 만든 토큰)
   *[read] {""}
 }: 패딩 토큰 { $n }개로 가는 가중치는 행마다 평균 **{ $share }**.
masks-seen-pad-alt = 짧은 문장과 그 패딩을 본 { $layer }층 { $head }번 헤드, 그리고 행마다 패딩이 차지하는 비율.
masks-seen-pad-file = 패딩 { $site } { $head } { $mask ->
    [on] 마스크 켬
   *[off] 마스크 끔
 }
masks-seen-damage = 번역은 어떻게 될까?
masks-seen-column-alone = 단독
masks-seen-column-masked = 배치, 마스크 켬
masks-seen-column-unmasked = 배치, 마스크 끔
masks-seen-damage-log-prob = 단독일 때 나온 번역문의 log P
masks-seen-damage-change = 토큰 log p의 가장 큰 변화
masks-seen-damage-weight = 패딩에 준 가장 큰 가중치(모든 행과 헤드)
masks-seen-output-alone = 단독: { $text }
masks-seen-output-masked = 마스크 켬: { $text }
masks-seen-output-unmasked = 마스크 끔: { $text }
masks-seen-padding-on = 패딩 마스크 켬
masks-seen-padding-off = 패딩 마스크 끔
masks-seen-pad-forced-alt = 패딩 마스크가 있을 때와 없을 때 토큰별 로그 확률과 그 합.
masks-seen-pad-forced-file = 패딩 마스크 켬과 끔
masks-seen-longer = { $nth ->
    [first] 첫째
   *[second] 둘째
 } 문장이 더 길어서 패딩이 없습니다. 배치에서 토큰 log p의 가장 큰 변화는 마스크가 있으면 { $masked }, 없으면 { $unmasked }입니다. 한 배치에 있어도 문장끼리는 서로를 보지 않고, 각자 자기 패딩만 볼 수 있기 때문입니다.
masks-seen-nothing = 정확히 0

masks-seen-both-causal = 인과
masks-seen-both-padding = 패딩
masks-seen-both-joined = 합친 마스크
masks-seen-both-reads = 디코더는 { $nth ->
    [first] 첫째
   *[second] 둘째
 } 번역문 “{ $text }” 끝에 패딩 토큰 { $n }개를 붙여 읽습니다.
masks-seen-both-alt = 더 짧은 번역문의 인과 마스크, 패딩 마스크, 둘을 합친 마스크.
masks-seen-both-file = 인과 마스크와 패딩 마스크
masks-seen-both-differ = 실제 토큰의 { $real }개 행에서 합친 마스크와 인과 마스크가 다른 칸은 **{ $kept }개**, 패딩의 { $padding }개 행에서는 { $hidden }개입니다. 이 배치에서 인과 마스크만 쓰고 쟀을 때 실제 행이 패딩에 준 가장 큰 가중치: **{ $largest }**.

# Change something

masks-change-tool = 바꿀 것
masks-change-tool-tokens = 토큰
masks-change-tool-cells = 칸
masks-change-tool-heads = 헤드
masks-change-tool-row = 행
masks-change-tool-positions = 위치
masks-change-head = 한 헤드의 변경 전과 후
masks-change-head-single = 어텐션의 변경 전과 후
masks-change-still = 마지막으로 적용된 변경의 결과를 그대로 보여 줍니다.
masks-change-count = { $n ->
    [0] **변경 없음**
   *[other] **변경 { $n }개**
 }
masks-change-undo = 실행 취소
masks-change-undo-help = 마지막 변경을 되돌립니다.
masks-change-undo-all = 모두 취소
masks-change-causal = 인과 마스크
masks-change-causal-help = 켜면 디코더의 어떤 위치도 뒤 위치를 볼 수 없습니다. 학습할 때는 켜져 있었습니다.

masks-change-where = 토큰을 가릴 곳
masks-change-where-both = 양쪽 모두
masks-change-where-unread = 모든 곳: 읽지 않음
masks-change-hide = 가릴 토큰을 누르세요
masks-change-hide-caption = 해당 층의 어떤 쿼리도 가린 토큰을 볼 수 없습니다. 행에서 그 자리가 없어집니다.
masks-change-unread = 뺄 토큰을 누르세요
masks-change-unread-caption = 모델은 뺀 토큰이 문장에 없는 것처럼 건너뜁니다. 문장의 끝은 언제나 읽습니다.

masks-change-query = 쿼리(행)
masks-change-key = 키(열)
masks-change-every-row = 모든 행
masks-change-mean-weight = 가중치, 헤드 평균
masks-change-matrix-alt = { $heads }의 가중치: 쿼리 { $rows }행, 키 { $columns }열. 칸을 누르면 차단하거나 허용합니다. 아래 메뉴로도 할 수 있습니다.
masks-change-matrix-caption = 칸을 누르면 차단하고, 다시 누르면 허용합니다. 빗금 친 칸은 차단된 칸입니다.
masks-change-matrix-file = { $heads }: { $text }
masks-change-allow = 허용
masks-change-forbid = 차단
masks-change-forbidden-already = 다른 변경이 이미 이 칸을 차단하고 있습니다. 그 변경을 목록에서 빼세요.
masks-change-causal-already = 인과 마스크가 이미 이 칸을 차단하고 있습니다.

masks-change-how = 헤드를 끄는 방법
masks-change-how-zero = 출력을 0으로
masks-change-how-mean = 출력을 평균으로
masks-change-how-uniform = 가중치를 균등하게
masks-change-no-means = 이 체크포인트에는 헤드의 평균 출력이 저장되어 있지 않아 고를 수 없습니다. `python -m training intervene` 명령으로 측정합니다.
masks-change-heads-of = { $layer }층: 끌 헤드를 누르세요
masks-change-all-off = { $n ->
    [1] 끄기
   *[other] { $n }개 모두 끄기
 }
masks-change-all-on = { $n ->
    [1] 켜기
   *[other] 모두 켜기
 }

masks-change-row-empty = 이 행에는 볼 수 있는 것이 남아 있지 않아 줄 가중치도 없습니다.
masks-change-row-free = 이 모델이 계산한 행은 합이 1이 아닐 수 있습니다. 소프트맥스의 값에 중심에서의 거리에 따라 한 번 더 가중치를 곱하기 때문입니다. 화면에는 그런 행을 행의 합으로 나눈 몫을 보여 줍니다. 직접 정한 행은 그 곱을 대신합니다. 합은 1이고, 창 밖도 볼 수 있습니다.
masks-change-row-computed = { $heads }의 { $row }행 “{ $token }”, 계산된 그대로입니다. 막대를 끌면 나머지가 남은 몫을 나눠 갖습니다.
masks-change-row-by-hand = { $heads }의 { $row }행 “{ $token }”, **직접 정한 값**입니다. 막대를 끌면 나머지가 남은 몫을 나눠 갖습니다.
masks-change-row-caption = 막대의 점선은 계산된 가중치입니다.{ $heads ->
    [several] {" "}여기서 계산된 행은 헤드들의 평균입니다.
   *[one] {""}
 }
masks-change-row-numbers = 숫자로 입력: 가중치 { $n }개, 첫째 키부터
masks-change-row-no-number = “{ $text }”{ JOSA($text, "은/는") } 숫자가 아닙니다.
masks-change-row-count = 숫자가 { $found }개입니다. 이 행의 키마다 하나씩 { $expected }개가 필요합니다.
masks-change-row-unseen = 이 행은 “{ $token }”{ JOSA($token, "을/를") } 볼 수 없으므로 그 가중치는 0이어야 합니다.

masks-change-positions-source = 원문의 위치
masks-change-positions-target = 번역문의 위치
masks-change-mode-normal = 그대로
masks-change-mode-absent = 없음
masks-change-mode-permuted = 섞기
masks-change-mode-shifted = 옮기기
masks-change-mode-reversed = 거꾸로
masks-change-positions-by = 이동량
masks-change-positions-seed = 시드
masks-change-positions-caption = 토큰은 제자리에 있고, 토큰에 더하는 위치 인코딩만 바뀝니다. 번역문에서는 원래 출력의 위치 { $n }개를 섞거나 거꾸로 놓습니다.
