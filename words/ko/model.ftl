# 모델이 하는 말: 무엇이 잘못되었고 어떻게 하면 되는지, 탐색이 왜 그렇게 했는지.

# 탐색의 노드가 더 자라지 않은 이유

model-reason-beyond-beam = 빔 너비 안에 들지 못함
model-reason-overtaken = 끝난 뒤 더 높은 점수의 가설에 밀림
model-reason-too-short = 최소 길이가 되기 전에 완료됨
model-reason-out-of-length = 최대 길이에 도달
model-reason-search-ended = 탐색이 먼저 끝남
model-reason-stopped = 탐색이 중단됨
model-reason-no-child-kept = 이어지는 후보가 모두 빔에서 탈락
model-reason-nothing-follows = 이어질 수 있는 토큰이 없음
model-reason-forced = 강제 선택

# 전수 탐색이 증명되지 않은 이유

model-exact-out-of-expansions = 최대 확장 횟수에 도달
model-exact-out-of-time = 제한 시간에 도달
model-exact-stopped = 탐색이 중단됨

# 참조 번역에 대해 말할 수 없는 이유

model-void-unknown = 어휘에 { $characters }{ JOSA($characters, "이/가") } 없음
model-void-unfinished = { $n }토큰 안에 완료된 가설이 없음

# 텍스트

model-text-empty = { $text ->
    [reference] 참조 번역이 비어 있습니다.
    [translation] 주어진 번역이 비어 있습니다.
    [second] 두 번째 문장이 비어 있습니다.
    [document] 문서가 비어 있습니다.
   *[sentence] 문장이 비어 있습니다.
 }
model-text-invisible = { $text ->
    [reference] 참조 번역에 보이는 글자가 없습니다.
    [translation] 주어진 번역에 보이는 글자가 없습니다.
    [second] 두 번째 문장에 보이는 글자가 없습니다.
    [document] 문서에 보이는 글자가 없습니다.
   *[sentence] 문장에 보이는 글자가 없습니다.
 }
model-text-empty-hint = 문장을 입력하거나 예문을 선택하세요.
model-text-long = { $text ->
    [reference] 참조 번역이 { $n }토큰입니다. 이 모델은 { $most }토큰까지 읽습니다.
    [translation] 주어진 번역이 { $n }토큰입니다. 이 모델은 { $most }토큰까지 읽습니다.
    [second] 두 번째 문장이 { $n }토큰입니다. 이 모델은 { $most }토큰까지 읽습니다.
    [document] 문서가 { $n }토큰입니다. 이 모델은 { $most }토큰까지 읽습니다.
   *[sentence] 문장이 { $n }토큰입니다. 이 모델은 { $most }토큰까지 읽습니다.
 }
model-text-long-hint = 줄이거나 여러 문장으로 나누어 보세요.
model-prefix-unknown = 강제 접두부에 어휘에 없는 글자가 있습니다: { $characters }.
model-prefix-unknown-hint = 접두부를 다른 글자로 시작하세요.
model-prefix-full = 강제 접두부가 { $n }토큰입니다. 전체 출력은 { $most }토큰까지입니다.
model-prefix-full-hint = 접두부를 줄이거나 최대 길이를 늘리세요.
model-prefix-ended = 가설이 거기서 완료되므로 이어질 수 있는 토큰이 없습니다.
model-prefix-ended-hint = 더 앞의 토큰을 선택하세요.

# 주어진 그대로 읽는 쌍

model-pair-length = { $text ->
    [translation] 번역이 { $n }토큰입니다(1–{ $most }토큰이어야 함)
   *[sentence] 문장이 { $n }토큰입니다(1–{ $most }토큰이어야 함)
 }
model-pair-id = { $what ->
    [translation] 번역에 있는 토큰의 id가 { $id }입니다(0–{ $most }여야 함)
    [choice] 선택지의 id가 { $id }입니다(0–{ $most }여야 함)
   *[sentence] 문장에 있는 토큰의 id가 { $id }입니다(0–{ $most }여야 함)
 }
model-knockout-choices = 선택지는 있지만 위치가 없습니다
model-knockout-position = { $position }번 위치를 지정했지만 출력은 { $n }토큰입니다
model-knockout-unfit = 여기서는 헤드를 제거할 수 없습니다: { $faults }.
model-choose-token = 출력의 토큰을 하나 선택하세요.
model-explain-one-token = 문장이 토큰 하나뿐이라 가릴 수 없습니다.
model-explain-one-word = 문장이 한 단어뿐이라 가릴 수 없습니다. 읽을 단어가 하나는 남아야 합니다.
model-explain-one-token-hint = 단어를 더 입력하세요.

# 맞지 않는 변경

model-change-unfit = 개입을 적용할 수 없습니다: { $faults }.
model-change-unfit-hint = 맞지 않는 항목을 제거하세요.
model-change-hidden = { $position }번 토큰을 가리려 했지만 문장은 { $n }토큰입니다
model-change-unread = { $position }번 토큰을 삭제하려 했지만 문장은 { $n }토큰입니다
model-change-unread-end = 종료 토큰은 항상 읽습니다
model-change-unread-all = 모든 단어를 삭제해 읽을 단어가 없습니다
model-change-lacks = 이 모델은 { $capability } 기능을 지원하지 않습니다
model-change-place = { $part ->
    [layer] { $site }에는 { $number }층이 없습니다. 마지막 층은 { $n }층입니다
    [head] { $site }에는 { $number }번 헤드가 없습니다. 마지막 헤드는 { $n }번입니다
    [query] { $site }에는 { $number }번 쿼리가 없습니다. 마지막 쿼리는 { $n }번입니다
   *[key] { $site }에는 { $number }번 키가 없습니다. 마지막 키는 { $n }번입니다
 }
model-change-no-means = 이 체크포인트에는 헤드의 평균 출력이 저장되어 있지 않습니다
model-change-unlearned = 위치 { $n }개가 필요하지만 이 모델이 학습한 위치 벡터는 { $most }개뿐입니다
model-change-unlearned-hint = 이동 거리를 줄이세요. 학습된 위치 임베딩에는 표에 있는 위치만 있습니다.
model-change-span-source = 위치 { $span }개를 재배열하려 했지만 문장은 { $n }토큰입니다
model-change-span-target = 위치 { $span }개를 재배열하려 했지만 이 모델은 { $n }토큰까지 읽습니다
model-change-weight-on-key = { $site }의 행이 { $key }번 키에 가중치를 주지만 마지막 키는 { $n }번입니다
model-change-nothing-left = { $site }의 한 행에 주목할 위치가 남지 않습니다.
model-change-nothing-left-row = { $single ->
    [yes] { $site }의 { $row }행에 주목할 위치가 남지 않습니다.
   *[no] { $site } { $layer }층 { $head }번 헤드의 { $row }행에 주목할 위치가 남지 않습니다.
 }
model-change-nothing-left-layer = { $single ->
    [yes] { $site }의 모든 행에 주목할 위치가 남지 않습니다.
   *[no] { $site } { $layer }층의 모든 행에 주목할 위치가 남지 않습니다.
 }
model-change-nothing-left-hint = 모든 행에 주목할 위치를 하나 이상 남기세요.
model-change-unwritten = 직접 지정한 { $site }의 행이 아직 생성되지 않은 위치를 봅니다.
model-change-unwritten-hint = 앞쪽 위치에만 가중치를 주세요.
model-change-masked-weight = { $single ->
    [yes] { $site }의 { $row }행이 마스킹된 { $key }번 위치에 가중치를 줍니다.
   *[no] { $site } { $layer }층 { $head }번 헤드의 { $row }행이 마스킹된 { $key }번 위치에 가중치를 줍니다.
 }
model-change-masked-weight-hint = 마스크가 허용하는 위치에만 가중치를 주세요.

# 체크포인트

model-checkpoint-unknown = { $name } 체크포인트가 없습니다
model-device = { $device } 장치를 사용할 수 없습니다: { $error }
model-device-hint = { $known } 가운데 하나를 선택하세요. “cuda”를 쓰려면 NVIDIA GPU와 CUDA용 PyTorch가 필요합니다.
model-checkpoint-nothing = { $path } 경로에 폴더나 파일이 없습니다
model-checkpoint-unknown-near = 혹시 { $name } 아닌가요?
model-checkpoint-unknown-known = { $names } 가운데 하나를 선택하거나 폴더의 경로를 입력하세요.
model-checkpoint-unknown-none = { $folder }/ 아래에 { $files } 파일이 있는 폴더를 넣으세요.
model-checkpoint-unfit = { $name } 체크포인트를 사용할 수 없습니다: { $faults }
model-checkpoint-same-run = config.json, model.safetensors, tokenizer.json을 같은 학습 실행에서 내보내세요.
model-checkpoint-missing = { $file } 파일이 없습니다
model-checkpoint-architecture-near = config.json에 적힌 아키텍처 { $name }{ JOSA($name, "은/는") } 없습니다(혹시 { $near }?)
model-checkpoint-architecture = config.json에 적힌 아키텍처 { $name }{ JOSA($name, "은/는") } 없습니다(사용 가능: { $known })
model-checkpoint-damaged = { $file } 파일을 읽을 수 없습니다. 손상되었거나 잘렸습니다: { $error }
model-checkpoint-no-json = { $file } 파일이 올바른 JSON이 아닙니다: { $error }
model-checkpoint-no-object = { $file } 파일에 객체가 아니라 { $type }{ JOSA($type, "이/가") } 있습니다
model-checkpoint-vocabulary = { $file }의 항목은 { $n }개인데 { $entry }에는 { $expected }{ JOSA($expected, "이라고/라고") } 적혀 있습니다
model-checkpoint-special = { $entry }에는 { $id }{ JOSA($id, "이라고/라고") } 적혀 있지만 { $file }에서 { $token }의 id는 { $found }입니다
model-checkpoint-whole = { $file } 파일에 부동소수점 수가 있어야 할 곳에 정수({ $type })가 있습니다: { $names }. 양자화된 가중치는 지원하지 않으므로 float32나 float16으로 저장하세요
model-checkpoint-type = { $name }{ JOSA($name, "은/는") } { $found }이지만 모델에는 { $expected }{ JOSA($expected, "이/가") } 필요합니다
model-checkpoint-writes-nothing = { $name } 체크포인트는 텍스트를 생성하지 않습니다. { $architecture } 아키텍처는 읽기만 합니다
model-checkpoint-writes-nothing-hint = 번역하는 체크포인트를 선택하세요.
model-family-unknown-capability = 아키텍처가 { $capability } 기능을 선언했지만 그런 기능은 없습니다
model-family-absent = 아키텍처가 { $capability } 기능을 선언했지만 모델에 없습니다
model-family-fails = 모델을 만들어 실행할 수 없습니다: { $error }
model-site-undeclared = 모델의 { $site }에 어텐션이 있지만 어텐션 목록에 없습니다
model-site-silent = 어텐션 목록에 { $site }{ JOSA($site, "이/가") } 있지만 어느 층에서도 쓰지 않습니다
model-site-layers = { $site }의 층은 { $n }개로 선언되었지만 모델에는 { $found }개입니다
model-site-heads = { $site }의 헤드는 { $n }개로 선언되었지만 모델에는 { $found }개입니다
model-site-side = { $site }에 지정한 쪽(side)은 { $side }이지만 원문에는 { $known }만 있습니다
model-site-size = { $site }의 어텐션 맵 크기는 { $found }이지만 양쪽 크기에 따르면 { $expected }여야 합니다
model-site-rows = { $site }의 행은 정규화된다고 선언되었지만 합이 1이 아닙니다
model-site-scores = 아키텍처가 점수를 제공한다고 선언했지만 { $site }에는 점수가 없습니다
model-site-values = { $site }에 밸류가 있다고 선언되었지만 프로브가 받은 밸류가 없습니다
model-no-values = { $name }에서는 가중치로 더하는 벡터를 알 수 없어 노름을 표시할 수 없습니다.
model-checkpoint-lacks = { $file }에 없는 항목: { $names }
model-checkpoint-foreign = { $file }에 알 수 없는 항목이 있습니다: { $names }
model-checkpoint-more = { $names } 외 { $n }개
model-checkpoint-shape = { $name }의 크기는 { $found }이지만 설정에 따르면 { $expected }여야 합니다
model-checkpoint-not-finite = { $name }에 NaN이나 무한대가 있습니다
model-config-unfit = { $name } 파일이 모델을 나타내지 않습니다: { $faults }
model-config-unknown = 알 수 없는 항목 { $entry }
model-config-unknown-near = 알 수 없는 항목 { $entry }(혹시 { $near }?)
model-config-missing = { $entry } 항목이 없습니다
model-config-whole = { $entry }의 값이 { $value }입니다(정수여야 함)
model-config-number = { $entry }의 값이 { $value }입니다(숫자여야 함)
model-config-truth = { $entry }의 값이 { $value }입니다(true 또는 false여야 함)
model-config-text = { $entry }의 값이 { $value }입니다(문자열이어야 함)
model-config-list = { $entry }의 값이 { $value }입니다(목록이어야 함)
model-config-one-of = { $entry }의 값이 { $value }입니다({ $allowed } 가운데 하나여야 함)
model-config-least = { $entry }의 값이 { $value }입니다({ $least } 이상이어야 함)
model-config-most = { $entry }의 값이 { $value }입니다({ $most } 이하여야 함)
model-config-above = { $entry }의 값이 { $value }입니다({ $least }보다 커야 함)
model-config-share = { $entry }의 값이 { $value }입니다(0 이상 1 미만이어야 함)
model-config-heads = d_model { $d_model }{ JOSA($d_model, "은/는") } n_heads { $n_heads }의 배수가 아닙니다
model-config-odd = d_model { $d_model }{ JOSA($d_model, "은/는") } 홀수입니다. 사인과 코사인은 짝을 이루어야 합니다
model-config-vocabulary = { $entry }의 값이 { $value }입니다(어휘 { $n }개의 범위를 벗어남)
model-config-location = 점수 “location”은 모든 위치에 주목하지만 attention은 { $attention }입니다
model-config-vocabularies = 양쪽이 임베딩 하나를 함께 쓰는데 vocab_size는 { $n }, source_vocab_size는 { $source }입니다
model-config-special = 특수 토큰의 id는 서로 달라야 합니다: { $ids }
model-tokenizer-unreadable = { $file } 파일을 읽을 수 없습니다: { $error }
model-tokenizer-lacks = { $file }에 없는 토큰: { $tokens }
model-tokenizer-lost = 이 어휘로는 텍스트를 그대로 복원하지 못하는 경우가 있습니다. “{ $text }”{ JOSA($text, "을/를") } 넣으면 “{ $back }”{ JOSA($back, "이/가") } 나옵니다. 이 모델의 출력은 철자나 띄어쓰기가 틀리게 보일 수 있습니다.
model-tokenizer-hint = 가중치를 만든 학습 실행의 tokenizer.json을 사용하세요.

# 텍스트가 아닌 입력

model-grid = 입력이 숫자 격자가 아닙니다. 모든 행의 길이가 같아야 합니다.
model-grid-hint = 숫자의 행을 “/”로 구분해 입력하세요. 예: 0 9 0 / 9 9 9
model-grid-shape = 격자가 { $rows }행 { $columns }열입니다. 이 모델은 { $most_rows }행 { $most_columns }열을 읽습니다.
model-grid-shape-hint = 모델이 읽는 크기에 맞추어 행과 열을 입력하세요.

# 구조가 할 수 없는 일

model-lacks = { $name } 체크포인트로는 할 수 없습니다. { $architecture } 아키텍처는 “{ $capability }” 기능을 지원하지 않습니다.
model-lacks-hint = 다른 모델이나 다른 보기를 선택하세요.

# 바꾼 것을 말로

model-heads-all = { $site }의 모든 헤드
model-heads-of-layers = { $site } 모든 층의 { $head }번 헤드
model-heads-of-layer = { $site } { $layer }층의 모든 헤드
model-heads-one = { $site } { $layer }층 { $head }번 헤드
model-heads-single = { $site }
model-change-words-lifted = 인과 마스크 해제: { $site }에서 미래 토큰을 볼 수 있음
model-change-words-hidden = { $site }에서 “{ $token }” 가림
model-change-words-unread = 입력에서 “{ $token }” 삭제
model-sites = { $others }, { $last }
model-change-words-cell-any = { $heads }: 모든 연결 차단
model-change-words-cell-query = { $heads }: { $row }행 “{ $query }”의 모든 연결 차단
model-change-words-cell-key = { $heads }: “{ $key }”{ JOSA($key, "으로/로") } 가는 모든 연결 차단
model-change-words-cell-query-key = { $heads }: { $row }행 “{ $query }”에서 “{ $key }”{ JOSA($key, "으로/로") } 가는 연결 차단
model-change-words-off = { $how ->
    [zero] { $heads }: 0으로 대체
    [mean] { $heads }: 평균으로 대체
   *[uniform] { $heads }: 균등 어텐션
 }
model-change-words-row = { $more ->
    [yes] { $heads }: { $row }행 “{ $query }”의 가중치 지정({ $weights }, …)
   *[no] { $heads }: { $row }행 “{ $query }”의 가중치 지정({ $weights })
 }
model-change-words-positions = { $side ->
    [target] 번역문
   *[source] 원문
 } 위치 인코딩: { $mode ->
    [absent] 제거
    [permuted] 시드 { $seed }{ JOSA($seed, "으로/로") } 무작위로 섞음
    [shifted] { $offset }만큼 이동
    [reversed] 역순
   *[normal] 변경 없음
 }
model-change-words-no-residual = 잔차 연결 제거: { $stack ->
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
model-change-words-no-norm = 층 정규화 제거: { $stack ->
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

model-change-note-uniform = { $site }의 모든 헤드가 볼 수 있는 위치에 가중치를 균등하게 주므로, 어느 헤드도 더는 볼 곳을 고르지 않습니다.
model-change-note-off = { $of ->
    [cross] { $site }의 모든 헤드를 제거했으므로 원문의 정보가 출력에 전해지지 않습니다.
    [target] { $site }의 모든 헤드를 제거했으므로 각 위치는 입력 토큰만 쓰고 앞의 토큰은 쓰지 못합니다.
   *[source] { $site }의 모든 헤드를 제거했으므로 원문의 각 토큰이 다른 토큰과 무관하게 인코딩됩니다.
 }
model-change-note-row = { $heads }의 출력을 제거했으므로, 직접 지정한 행의 가중치는 결과에 영향을 주지 않습니다.
model-change-note-absent = { $side ->
    [source] 위치 인코딩이 없으면 원문은 순서 없는 토큰 묶음일 뿐이며, 모델은 순서를 전혀 알 수 없습니다.
    [target] 위치 인코딩이 없으면 번역문은 순서 없는 토큰 묶음일 뿐이며, 모델은 순서를 전혀 알 수 없습니다.
   *[masked] 위치 인코딩이 없으면 번역문 토큰의 순서를 알려 주는 것은 인과 마스크뿐입니다.
 }

# 있을 수 없는 변경

model-faults = { $all }
model-change-no-sublayer = 모델에 “{ $place }” 서브레이어가 없습니다
model-change-no-layer = 층이 { $n }개이므로 { $layer }층은 없습니다
model-change-no-site = 모델에 “{ $site }” 어텐션이 없습니다
model-change-not-causal = 모델에 인과 마스크가 있는 “{ $site }” 어텐션이 없습니다
model-change-site-name = { $site }{ JOSA($site, "은/는") } 어텐션의 이름이 아닙니다
model-change-negative = { $name }의 값이 { $value }입니다(0 이상이어야 함)
model-change-unknown = { $name }의 값이 { $value }입니다({ $known } 가운데 하나여야 함)
model-change-span = 위치의 수가 { $span }입니다(1 이상이어야 함)
model-change-needs-span = 번역문의 위치를 { $mode }{ JOSA($mode, "으로/로") } 바꾸려면 위치의 수를 지정해야 합니다
model-change-row-everywhere = 쿼리가 없습니다(위치를 지정해야 함)
model-change-row-not-finite = 행의 가중치는 유한한 수여야 합니다
model-change-row-holds = 행의 가중치에 { $weight }{ JOSA($weight, "이/가") } 있습니다(0 이상이어야 함)
model-change-row-sum = 한 행의 가중치 합이 { $sum }입니다(1이어야 함)

# 주소에 적힌 변경

model-address-long = 주소(URL)에 적힌 개입이 { $n }자입니다. { $most }자까지만 읽으므로 적용하지 않았습니다.
model-address-left-out = 주소(URL)의 “{ $part }” 부분은 적용하지 않았습니다: { $why }.
model-address-span-long = { $side ->
    [target] 주소(URL)에는 번역문의 위치 { $span }개를 재배열한다고 적혀 있지만 위치는 { $n }개입니다. { $n }개를 모두 재배열했습니다.
   *[source] 주소(URL)에는 원문의 위치 { $span }개를 재배열한다고 적혀 있지만 위치는 { $n }개입니다. { $n }개를 모두 재배열했습니다.
 }
model-address-start = { $known }, { $last } 가운데 하나로 시작해야 합니다
model-address-incomplete = 형식이 완전하지 않습니다. { $example }처럼 적어야 합니다
model-address-pair = { $text }{ JOSA($text, "은/는") } 2.1과 같은 숫자 쌍이 아닙니다
model-address-zero = 0이 있지만 번호는 1부터 셉니다
model-address-digits = { $text }{ JOSA($text, "은/는") } 여기서 쓸 수 있는 0 이상의 수가 아닙니다
model-address-number = { $text }{ JOSA($text, "은/는") } 숫자가 아닙니다
model-address-mode = 위치의 변경 방식이 { $mode }입니다({ $known } 가운데 하나여야 함)
model-address-settings = 변경 방식 { $mode }에는 숫자를 { $n }개까지 쓸 수 있습니다
model-address-span = 번역문의 위치를 바꾸려면 위치의 수를 적어야 합니다. 예: target-reversed-12

# 함께 저장된 측정

model-formation-damaged = { $file } 파일이 손상되었거나 다른 모델의 것입니다({ $error })
model-formation-damaged-hint = 이 페이지의 나머지 기능은 그 파일 없이도 쓸 수 있습니다. `python -m training export` 명령으로 다시 만들 수 있습니다.
model-metrics-damaged = { $file } 파일을 읽을 수 없습니다({ $error })

# 문서.

model-config-classes = 서로 다른 클래스가 둘 이상 필요합니다: { $found }
model-document-nothing = 문서에 읽을 단어가 남지 않았습니다.
model-document-nothing-hint = 문장이나 단어를 하나 되돌리세요.
model-document-one-sentences = 문서에 문장이 하나뿐이므로 그 가중치는 항상 1입니다. 문장을 더 입력하세요.
model-document-one-words = 문장마다 단어가 하나뿐이므로 그 가중치는 항상 1입니다. 단어를 더 입력하세요.

# 모델 구조가 내세우는 것: 무엇이 무엇과 같아야 하는가

check-search = 탐색의 각 스텝에서 나온 확률과 어텐션은 경로 전체를 읽었을 때와 같음
check-teacher-forcing = 어떤 토큰 다음의 예측은 미래 토큰에 의존하지 않음
check-scores = 점수에 소프트맥스를 적용하면 가중치가 되고, 각 행의 합은 1
check-vectors = q · k / √d에 상대 위치 편향이 있으면 더한 값은 점수와 같고, 가중합한 밸류에 W_O를 곱하면 층의 출력과 같음
check-positions = 첫 층의 입력은 임베딩과 모델의 위치 표를 더한 값과 같고, 사인파는 공식과 같음
check-learned-positions = 원문과 번역문에 더하는 위치 벡터는 각 표의 앞쪽 행과 같음
check-relative-positions = 상대 거리별 편향은 점수에서 q · k / √d를 뺀 값과 같음
check-values = 한 스텝의 항을 더하면 점수가 되고, 가중치로 평균하면 문맥 벡터가 됨
check-documents = 문장 벡터를 묶어서 예측한 결과는 문서 전체의 예측과 같음
check-masked-words = 마스킹한 토큰은 읽지 않으며, 왼쪽 문맥만 쓸 때는 오른쪽 토큰도 읽지 않음
check-order = 두 순서의 토큰 벡터는 모두 인코더의 출력과 같고, 위치가 없으면 순서를 바꾸어도 벡터가 같음
check-padding = 패딩을 붙여도 문장을 단독으로 읽을 때와 같음
check-block = 서브레이어의 출력을 더하면 은닉 상태가 되고, 마지막 상태에서 출력 확률이 나옴
check-tree-attention = 탐색 트리 각 노드의 어텐션은 그 경로만 따로 읽었을 때와 같음
check-changes = 개입이 없으면 일반 실행과 같음
check-change-hide = 가린 토큰은 어디에서도 가중치를 받지 않고, 나머지는 그대로임
check-change-unread = 삭제한 토큰은 다른 토큰으로 바꾸거나 없애도 결과가 같음
check-change-mask = 차단한 연결은 소프트맥스 전에 제외되고, 나머지는 그대로임
check-change-ablate = 제거한 헤드는 0을 출력하거나 균등하게 주목하고, 나머지는 그대로임
check-change-row = 행은 지정한 가중치를 그대로 쓰고, 나머지는 그대로임
check-change-positions = 위치를 0만큼 이동하면 그대로이고, 위치가 없으면 원문의 순서는 영향을 주지 않음
check-change-causal = 인과 마스크가 없으면 모든 점수에 소프트맥스를 적용함
check-change-residual = 잔차 연결이 없으면 서브레이어는 자기 출력만 전달함
check-change-norm = 층 정규화가 없으면 서브레이어는 합을 그대로 전달함
check-rows = 각 행의 가중치 합은 1이고, 마스킹한 가중치는 정확히 0
check-contributions = 모든 키의 벡터에 잔차와 편향을 더하면 층의 출력과 같음
check-score-split = 점수의 성분을 더하면 점수와 같음
check-source-share = 각 토큰에서 원문과 접두부의 기여를 더하면 1
check-rollout = 어텐션 롤아웃의 각 행의 합은 1
