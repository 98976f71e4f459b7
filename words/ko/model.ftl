# 모델이 하는 말: 무엇이 잘못되었고 어떻게 하면 되는지, 탐색이 왜 그렇게 했는지.

# 탐색의 노드가 더 자라지 않은 이유

model-reason-beyond-beam = 순위가 빔 밖
model-reason-overtaken = 끝났지만 더 높은 점수에 밀림
model-reason-too-short = 최소 길이 전에 끝남
model-reason-out-of-length = 최대 길이에 도달
model-reason-search-ended = 탐색이 먼저 끝남
model-reason-stopped = 탐색이 중단됨
model-reason-no-child-kept = 이어지는 후보가 빔에 남지 않음
model-reason-nothing-follows = 뒤에 올 수 있는 것이 없음
model-reason-forced = 강제 선택

# 전수 탐색이 증명되지 않은 이유

model-exact-out-of-expansions = 최대 확장 횟수에 도달
model-exact-out-of-time = 제한 시간에 도달
model-exact-stopped = 중단됨

# 참조 번역에 대해 말할 수 없는 이유

model-void-unknown = 어휘에 { $characters }{ JOSA($characters, "이/가") } 없음
model-void-unfinished = { $n }토큰 안에 끝난 가설이 탐색에 없음

# 텍스트

model-text-empty = { $text ->
    [reference] 참조 번역이 비어 있습니다.
    [translation] 주어진 번역이 비어 있습니다.
    [second] 둘째 문장이 비어 있습니다.
    [document] 문서가 비어 있습니다.
   *[sentence] 문장이 비어 있습니다.
 }
model-text-invisible = { $text ->
    [reference] 참조 번역에 보이는 글자가 없습니다.
    [translation] 주어진 번역에 보이는 글자가 없습니다.
    [second] 둘째 문장에 보이는 글자가 없습니다.
    [document] 문서에 보이는 글자가 없습니다.
   *[sentence] 문장에 보이는 글자가 없습니다.
 }
model-text-empty-hint = 문장을 입력하거나 예문을 고르세요.
model-text-long = { $text ->
    [reference] 참조 번역이 { $n }토큰입니다. 이 모델은 { $most }토큰까지 읽습니다.
    [translation] 주어진 번역이 { $n }토큰입니다. 이 모델은 { $most }토큰까지 읽습니다.
    [second] 둘째 문장이 { $n }토큰입니다. 이 모델은 { $most }토큰까지 읽습니다.
    [document] 문서가 { $n }토큰입니다. 이 모델은 { $most }토큰까지 읽습니다.
   *[sentence] 문장이 { $n }토큰입니다. 이 모델은 { $most }토큰까지 읽습니다.
 }
model-text-long-hint = 줄이거나 여러 문장으로 나누어 보세요.
model-prefix-unknown = 시작 부분에 어휘에 없는 글자가 있습니다: { $characters }.
model-prefix-unknown-hint = 번역을 다른 글자로 시작하세요.
model-prefix-full = 시작 부분이 { $n }토큰입니다. 출력은 모두 합해 { $most }토큰까지입니다.
model-prefix-full-hint = 줄이거나 최대 길이를 늘리세요.
model-prefix-ended = 가설이 거기서 끝나 뒤에 올 수 있는 것이 없습니다.
model-prefix-ended-hint = 더 앞의 토큰을 고르세요.

# 주어진 그대로 읽는 쌍

model-pair-length = { $text ->
    [translation] 번역이 { $n }토큰입니다. 1토큰에서 { $most }토큰까지 읽습니다
   *[sentence] 문장이 { $n }토큰입니다. 1토큰에서 { $most }토큰까지 읽습니다
 }
model-pair-id = { $what ->
    [translation] 번역의 토큰 id { $id }, 0에서 { $most }까지여야 합니다
    [choice] 고른 것의 id { $id }, 0에서 { $most }까지여야 합니다
    [token] 토큰의 id { $id }, 0에서 { $most }까지여야 합니다
    [rival] 경쟁 토큰의 id { $id }, 0에서 { $most }까지여야 합니다
   *[sentence] 문장의 토큰 id { $id }, 0에서 { $most }까지여야 합니다
 }
model-knockout-choices = 고를 토큰은 있지만 위치가 없습니다
model-knockout-position = { $position }번째 위치를 물었지만 만든 토큰은 { $n }개입니다
model-knockout-unfit = 여기서는 헤드를 끌 수 없습니다: { $faults }.
model-trace-position = { $position }번째 토큰을 추적하려 했지만 만든 토큰은 { $n }개입니다
model-trace-unfit = 이 결정은 추적할 수 없습니다: { $faults }.
model-choose-token = 번역문의 토큰을 하나 고르세요.
model-explain-one-token = 문장이 토큰 하나뿐이라 가릴 수 있는 것이 없습니다.
model-explain-one-word = 문장이 단어 하나뿐이고, 읽을 단어가 하나는 남아야 합니다.
model-explain-one-token-hint = 단어를 더 입력하세요.

# 맞지 않는 변경

model-change-unfit = 변경이 맞지 않습니다: { $faults }.
model-change-unfit-hint = 맞지 않는 것을 빼세요.
model-change-hidden = { $position }번째 토큰을 가리려 했지만 문장은 { $n }토큰입니다
model-change-unread = { $position }번째 토큰을 빼려 했지만 문장은 { $n }토큰입니다
model-change-unread-end = 문장의 끝인 마지막 토큰은 언제나 읽습니다
model-change-unread-all = 모든 단어를 빼서 읽을 것이 남지 않습니다
model-change-lacks = 이 모델에는 { $capability } 기능이 없습니다
model-change-place = { $part ->
    [layer] { $site }의 { $number }층을 적었지만 층은 { $n }개입니다
    [head] { $site }의 { $number }번 헤드를 적었지만 헤드는 { $n }개입니다
    [query] { $site }의 { $number }번째 쿼리를 적었지만 쿼리는 { $n }개입니다
   *[key] { $site }의 { $number }번째 키를 적었지만 키는 { $n }개입니다
 }
model-change-no-means = 이 체크포인트에는 헤드의 평균 출력이 저장되어 있지 않습니다
model-change-span-source = 위치 { $span }개를 다시 놓으려 했지만 문장은 { $n }토큰입니다
model-change-span-target = 위치 { $span }개를 다시 놓으려 했지만 이 모델은 { $n }토큰까지 읽습니다
model-change-weight-on-key = { $site }의 행이 { $key }번째 키에 가중치를 주지만 키는 { $n }개입니다
model-change-nothing-left = { $site }의 어떤 행에는 볼 것이 남지 않습니다.
model-change-nothing-left-row = { $single ->
    [yes] { $site }의 { $row }행에는 볼 것이 남지 않습니다.
   *[no] { $site } { $layer }층 { $head }번 헤드의 { $row }행에는 볼 것이 남지 않습니다.
 }
model-change-nothing-left-layer = { $single ->
    [yes] { $site }의 모든 행에 볼 것이 남지 않습니다.
   *[no] { $site } { $layer }층의 모든 행에 볼 것이 남지 않습니다.
 }
model-change-nothing-left-hint = 모든 행에 볼 수 있는 위치를 하나 이상 남기세요.
model-change-unwritten = 직접 정한 { $site }의 행이, 그 행을 읽을 때 아직 쓰지 않은 위치를 봅니다.
model-change-unwritten-hint = 앞의 위치에만 가중치를 주세요.
model-change-masked-weight = { $single ->
    [yes] { $site }의 { $row }행이, 볼 수 없는 { $key }번째 위치에 가중치를 받았습니다.
   *[no] { $site } { $layer }층 { $head }번 헤드의 { $row }행이, 볼 수 없는 { $key }번째 위치에 가중치를 받았습니다.
 }
model-change-masked-weight-hint = 마스크가 허락하는 위치에만 가중치를 주세요.

# 체크포인트

model-checkpoint-unknown = { $name } 체크포인트는 없습니다
model-checkpoint-unknown-near = 혹시 { $name } 아닌가요?
model-checkpoint-unknown-known = { $names } 가운데 하나를 고르거나 폴더의 경로를 적으세요.
model-checkpoint-unknown-none = { $folder }/ 아래에 { $files } 파일이 있는 폴더를 넣으세요.
model-checkpoint-unfit = { $name } 체크포인트를 쓸 수 없습니다: { $faults }
model-checkpoint-same-run = config.json, model.safetensors, tokenizer.json을 같은 학습에서 내보내세요.
model-checkpoint-missing = { $file } 파일이 없습니다
model-checkpoint-architecture-near = config.json에 적힌 구조 { $name }{ JOSA($name, "은/는") } 없습니다(혹시 { $near }?)
model-checkpoint-architecture = config.json에 적힌 구조 { $name }{ JOSA($name, "은/는") } 없습니다(있는 것: { $known })
model-checkpoint-damaged = { $file } 파일을 읽을 수 없습니다. 손상되었거나 잘렸습니다: { $error }
model-checkpoint-no-json = { $file } 파일이 올바른 JSON이 아닙니다: { $error }
model-checkpoint-no-object = { $file } 파일에 객체가 아니라 { $type }{ JOSA($type, "이/가") } 있습니다
model-checkpoint-vocabulary = { $file }의 항목은 { $n }개인데 { $entry }에는 { $expected }{ JOSA($expected, "이라고/라고") } 적혀 있습니다
model-checkpoint-special = { $entry }에는 { $id }{ JOSA($id, "이라고/라고") } 적혀 있지만 { $file }에서 { $token }의 id는 { $found }입니다
model-checkpoint-whole = { $file } 파일에 부동소수점 수가 있어야 할 곳에 정수({ $type })가 있습니다: { $names }. 양자화된 가중치는 읽지 않으니 float32나 float16으로 저장하세요
model-checkpoint-type = { $name }{ JOSA($name, "은/는") } { $found }이지만 모델에는 { $expected }{ JOSA($expected, "이/가") } 필요합니다
model-checkpoint-writes-nothing = { $name } 체크포인트는 글을 쓰지 않습니다. { $architecture } 구조는 읽기만 합니다
model-checkpoint-writes-nothing-hint = 번역하는 체크포인트를 고르세요.
model-family-unknown-capability = 구조가 { $capability }{ JOSA($capability, "을/를") } 할 수 있다고 하지만 그런 기능은 없습니다
model-family-absent = 구조가 { $capability }{ JOSA($capability, "을/를") } 할 수 있다고 하지만 모델에 없습니다
model-family-fails = 모델을 만들어 실행할 수 없습니다: { $error }
model-site-undeclared = 모델이 { $site }에서 어텐션을 쓰지만 어텐션 목록에 없습니다
model-site-silent = 어텐션 목록에 { $site }{ JOSA($site, "이/가") } 있지만 쓰는 곳이 없습니다
model-site-layers = { $site }의 층이 { $n }개라고 적혀 있지만 모델에는 { $found }개입니다
model-site-heads = { $site }의 헤드가 { $n }개라고 적혀 있지만 모델에는 { $found }개입니다
model-site-side = { $site }에 적힌 쪽은 { $side }이지만, 있는 것은 { $known }입니다
model-site-size = { $site }의 맵 크기는 { $found }이지만 양쪽의 크기로는 { $expected }여야 합니다
model-site-rows = { $site }의 행은 합이 1이 아닌데 정규화되었다고 적혀 있습니다
model-site-scores = 구조가 점수를 준다고 하지만 { $site }에는 점수가 없습니다
model-checkpoint-lacks = { $file }에 없는 것: { $names }
model-checkpoint-foreign = { $file }에 있지만 알 수 없는 것: { $names }
model-checkpoint-more = { $names } 외 { $n }개
model-checkpoint-shape = { $name }의 크기는 { $found }이지만 설정에 따르면 { $expected }여야 합니다
model-checkpoint-not-finite = { $name }에 NaN이나 무한대가 있습니다
model-config-unfit = { $name } 파일이 모델을 나타내지 않습니다: { $faults }
model-config-unknown = 알 수 없는 항목 { $entry }
model-config-unknown-near = 알 수 없는 항목 { $entry }(혹시 { $near }?)
model-config-missing = { $entry } 항목이 없습니다
model-config-whole = { $entry }의 값 { $value }: 정수여야 합니다
model-config-number = { $entry }의 값 { $value }: 수여야 합니다
model-config-truth = { $entry }의 값 { $value }: true 또는 false여야 합니다
model-config-text = { $entry }의 값 { $value }: 텍스트여야 합니다
model-config-list = { $entry }의 값 { $value }: 목록이어야 합니다
model-config-one-of = { $entry }의 값 { $value }: { $allowed } 가운데 하나여야 합니다
model-config-least = { $entry }의 값 { $value }: { $least } 이상이어야 합니다
model-config-most = { $entry }의 값 { $value }: { $most } 이하여야 합니다
model-config-above = { $entry }의 값 { $value }: { $least }보다 커야 합니다
model-config-share = { $entry }의 값 { $value }: 0 이상 1 미만이어야 합니다
model-config-heads = d_model { $d_model }{ JOSA($d_model, "은/는") } n_heads { $n_heads }의 배수가 아닙니다
model-config-odd = d_model { $d_model }{ JOSA($d_model, "은/는") } 홀수입니다. 사인과 코사인은 짝을 이루어야 합니다
model-config-vocabulary = { $entry }의 값 { $value }: 어휘 { $n }개의 범위를 벗어납니다
model-config-location = 점수 "location"은 모든 곳을 보아야 하는데 어텐션이 { $attention }입니다
model-config-special = 특수 토큰의 id는 서로 달라야 합니다: { $ids }
model-tokenizer-unreadable = { $file } 파일을 읽을 수 없습니다: { $error }
model-tokenizer-lacks = { $file }에 없는 토큰: { $tokens }
model-tokenizer-lost = 어휘에 넣은 텍스트가 그대로 되돌아오지 않습니다. “{ $text }”{ JOSA($text, "을/를") } 넣으면 “{ $back }”{ JOSA($back, "이/가") } 나옵니다. 이 모델이 쓴 글의 철자나 띄어쓰기가 틀리게 보일 수 있습니다.
model-tokenizer-hint = 가중치를 만든 학습에서 나온 tokenizer.json을 쓰세요.

# 텍스트가 아닌 입력

model-grid = 입력이 길이가 같은 행으로 된 수의 격자가 아닙니다.
model-grid-hint = “/”로 나눈 수의 행으로 적으세요. 예: 0 9 0 / 9 9 9
model-grid-shape = 격자가 { $rows }행 { $columns }열입니다. 이 모델은 { $most_rows }행 { $most_columns }열을 읽습니다.
model-grid-shape-hint = 모델이 읽는 만큼의 행과 열을 적으세요.

# 구조가 할 수 없는 일

model-lacks = { $name } 체크포인트로는 할 수 없습니다. { $architecture } 구조에는 “{ $capability }” 기능이 없습니다.
model-lacks-hint = 다른 체크포인트나 다른 보기를 고르세요.

# 바꾼 것을 말로

model-heads-all = { $site }의 모든 헤드
model-heads-of-layers = { $site } 모든 층의 { $head }번 헤드
model-heads-of-layer = { $site } { $layer }층의 모든 헤드
model-heads-one = { $site } { $layer }층 { $head }번 헤드
model-heads-single = { $site }
model-change-words-lifted = 인과 마스크 끔: { $site }에서 뒤의 토큰을 볼 수 있음
model-change-words-hidden = “{ $token }” 가림: { $site }에서
model-change-words-unread = “{ $token }” 아예 읽지 않음
model-sites = { $others }, { $last }
model-change-words-cell-any = { $heads }: 어느 행에서도 아무것도 볼 수 없음
model-change-words-cell-query = { $heads }: { $row }행 “{ $query }”에서 아무것도 볼 수 없음
model-change-words-cell-key = { $heads }: 어느 행에서도 “{ $key }”{ JOSA($key, "을/를") } 볼 수 없음
model-change-words-cell-query-key = { $heads }: { $row }행 “{ $query }”에서 “{ $key }”{ JOSA($key, "을/를") } 볼 수 없음
model-change-words-off = { $how ->
    [zero] { $heads } 끔: 출력을 0으로
    [mean] { $heads } 끔: 출력을 평균값으로
   *[uniform] { $heads } 끔: 모든 곳에 같은 가중치
 }
model-change-words-row = { $more ->
    [yes] { $heads }의 { $row }행 “{ $query }” 직접 지정: { $weights }, …
   *[no] { $heads }의 { $row }행 “{ $query }” 직접 지정: { $weights }
 }
model-change-words-positions = { $side ->
    [target] 번역문
   *[source] 원문
 } 위치: { $mode ->
    [absent] 없음
    [permuted] 시드 { $seed }{ JOSA($seed, "으로/로") } 섞음
    [shifted] { $offset }만큼 옮김
    [reversed] 거꾸로
   *[normal] 그대로
 }
model-change-words-no-residual = 잔차 연결 뺌: { $stack ->
    [encoder] 인코더
    [decoder] 디코더
   *[all] 인코더와 디코더
 } { $layer ->
    [all] 모든 층
   *[other] { $layer }층
 }의 { $name ->
    [all] 모든 서브레이어
   *[other] { $name }
 }
model-change-words-no-norm = 층 정규화 뺌: { $stack ->
    [encoder] 인코더
    [decoder] 디코더
   *[all] 인코더와 디코더
 } { $layer ->
    [all] 모든 층
   *[other] { $layer }층
 }의 { $name ->
    [all] 모든 서브레이어
   *[other] { $name }
 }

# 변경에 따르는 것

model-change-note-uniform = { $site }의 모든 헤드가 볼 수 있는 곳에 같은 가중치를 주므로, 이제 어느 헤드도 고르지 않습니다.
model-change-note-off = { $of ->
    [cross] { $site }의 모든 헤드를 껐습니다. 원문이 번역에 전혀 전해지지 않습니다.
    [target] { $site }의 모든 헤드를 껐습니다. 각 위치는 자기가 읽는 토큰만 알고 그 앞의 토큰은 모릅니다.
   *[source] { $site }의 모든 헤드를 껐습니다. 원문의 각 토큰을 다른 토큰 없이 읽습니다.
 }
model-change-note-row = { $heads }에서 직접 정한 행은 아무것도 바꾸지 않습니다. 헤드가 꺼져 있어 모은 것을 버리기 때문입니다.
model-change-note-absent = { $side ->
    [source] 위치가 없으면 원문은 토큰 주머니입니다. 모델은 순서를 전혀 알 수 없습니다.
    [target] 위치가 없으면 번역문은 토큰 주머니입니다. 모델은 순서를 전혀 알 수 없습니다.
   *[masked] 위치가 없으면 번역문은 토큰 주머니입니다. 순서에 대해 아는 것은 인과 마스크뿐입니다.
 }

# 있을 수 없는 변경

model-faults = { $all }
model-change-no-sublayer = 모델에 “{ $place }” 서브레이어가 없습니다
model-change-no-layer = 층이 { $n }개여서 { $layer }층은 없습니다
model-change-no-site = 모델에 “{ $site }” 어텐션이 없습니다
model-change-not-causal = 모델에 인과 마스크가 있는 “{ $site }” 어텐션이 없습니다
model-change-site-name = { $site }{ JOSA($site, "은/는") } 어텐션의 이름이 아닙니다
model-change-negative = { $name }의 값 { $value }: 0 이상이어야 합니다
model-change-unknown = { $name }의 값 { $value }: { $known } 가운데 하나여야 합니다
model-change-span = 위치의 수 { $span }: 1 이상이어야 합니다
model-change-needs-span = 번역문 위치를 { $mode }{ JOSA($mode, "으로/로") } 바꾸려면 몇 개인지 적어야 합니다
model-change-row-everywhere = 쿼리가 없습니다. 위치를 적어야 합니다
model-change-row-not-finite = 행의 가중치는 유한한 수여야 합니다
model-change-row-holds = 행의 가중치에 { $weight }{ JOSA($weight, "이/가") } 있습니다. 0 이상이어야 합니다
model-change-row-sum = 행의 가중치의 합이 { $sum }입니다. 1이어야 합니다

# 주소에 적힌 변경

model-address-long = 주소에 적힌 변경이 { $n }자입니다. { $most }자까지만 읽으므로 뺐습니다.
model-address-left-out = 주소의 “{ $part }” 부분을 뺐습니다: { $why }.
model-address-span-long = { $side ->
    [target] 주소는 번역문의 위치 { $span }개를 다시 놓지만 자리는 { $n }개입니다. 있는 위치를 모두 다시 놓았습니다.
   *[source] 주소는 원문의 위치 { $span }개를 다시 놓지만 자리는 { $n }개입니다. 있는 위치를 모두 다시 놓았습니다.
 }
model-address-start = 아는 말로 시작하지 않습니다. { $known }, { $last } 가운데 하나여야 합니다
model-address-incomplete = 끝까지 적혀 있지 않습니다. { $example }처럼 적어야 합니다
model-address-pair = { $text }{ JOSA($text, "은/는") } 2.1과 같은 수의 쌍이 아닙니다
model-address-zero = 0이 있습니다. 수는 1부터 셉니다
model-address-digits = { $text }{ JOSA($text, "은/는") } 여기서 쓸 수 있는 0 이상의 수가 아닙니다
model-address-number = { $text }{ JOSA($text, "은/는") } 수가 아닙니다
model-address-mode = 위치를 { $mode }{ JOSA($mode, "으로/로") } 바꾸려 합니다. { $known } 가운데 하나여야 합니다
model-address-settings = 위치를 { $mode }{ JOSA($mode, "으로/로") } 바꿀 때 수는 { $n }개까지입니다
model-address-span = 번역문은 위치가 몇 개인지 적어야 합니다. 예: target-reversed-12

# 함께 저장된 측정

model-formation-damaged = { $file } 파일이 손상되었거나 다른 모델의 것입니다({ $error })
model-formation-damaged-hint = 이 페이지의 나머지는 그 파일이 없어도 쓸 수 있습니다. `python -m training export` 명령으로 다시 만들 수 있습니다.
model-metrics-damaged = { $file } 파일을 읽을 수 없습니다({ $error })

# 문서.

model-config-classes = 서로 다른 클래스가 둘 이상 있어야 합니다: { $found }
model-document-nothing = 문서에 읽을 것이 남지 않았습니다.
model-document-nothing-hint = 문장이나 단어를 하나 되돌려 보세요.
model-document-one-sentences = 문장이 하나뿐인 문서입니다. 그 가중치는 언제나 1입니다.
model-document-one-words = 문장이 모두 한 단어입니다. 그 가중치는 언제나 1입니다.

# 모델 구조가 내세우는 것: 무엇이 무엇과 같아야 하는가

check-search = 탐색의 각 단계에서 나온 확률과 어텐션은 그 경로 전체를 읽었을 때와 같다
check-teacher-forcing = 어떤 토큰 다음에 나올 확률은 그 뒤의 토큰에 달려 있지 않다
check-scores = 점수에 소프트맥스를 취하면 가중치가 되고, 행마다 합이 1이다
check-vectors = q · k / √d가 점수이고, 가중치로 모은 값에 W_O를 곱하면 층의 출력이 된다
check-positions = 임베딩에 식의 사인값을 더한 것이 첫 층에 들어간다
check-values = 한 단계의 항을 모두 더하면 점수가 되고, 가중치로 모은 것이 문맥 벡터가 된다
check-documents = 문장 벡터를 묶어 판단한 결과가 문서 전체를 판단한 결과와 같다
check-masked-words = 가린 자리에 있던 토큰은 읽지 않고, 왼쪽에서만 읽을 때는 뒤의 토큰도 읽지 않는다
check-trace = 연결과 헤드 하나하나의 몫은 그것을 빼고 전체를 다시 돌렸을 때 달라지는 값과 같다
check-order = 순서를 어떻게 바꾸어도 토큰의 벡터는 인코더의 출력과 같다
check-padding = 패딩을 붙여도 문장을 홀로 읽을 때와 같다
check-block = 서브레이어가 더한 것을 쌓으면 상태가 되고, 마지막 상태를 출력층에 넣으면 확률이 된다
check-feed-forward = 유닛을 모두 더하면 그 층이 더하는 것이 되고, 유닛마다 표시된 만큼 로짓을 올린다
check-tree-attention = 트리의 각 노드가 본 곳은 그 경로만 따로 읽었을 때 보는 곳과 같다
check-changes = 아무것도 바꾸지 않으면 원래 결과와 같다
check-change-hide = 숨긴 토큰은 어디에서도 가중치를 받지 않고, 다른 것은 그대로다
check-change-unread = 건너뛴 토큰은 다른 토큰이어도, 없어도 결과가 같다
check-change-mask = 마스킹한 칸은 소프트맥스 전에 빠지고, 다른 것은 그대로다
check-change-ablate = 끈 헤드는 아무것도 내지 않거나 모두에 같은 가중치를 주고, 다른 것은 그대로다
check-change-row = 행은 정해 준 가중치를 그대로 쓰고, 다른 것은 그대로다
check-change-positions = 위치를 0만큼 옮기면 그대로이고, 위치를 빼면 아무것도 더하지 않는다
check-change-causal = 인과 마스크를 빼면 모든 점수에 소프트맥스를 취한다
check-change-residual = 잔차 연결을 빼면 서브레이어는 자기가 만든 것만 넘긴다
check-change-norm = 층 정규화를 빼면 서브레이어는 합을 그대로 넘긴다
