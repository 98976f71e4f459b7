# 다른 곳에서 기록한 어텐션: 파일을 놓는 곳, 파일의 문제.

checkpoint-recording = 어텐션 기록 파일
recording-drop = 어텐션 기록(NPZ 또는 JSON)이나 행렬 하나(CSV, NPY)
recording-drop-help = 다른 곳에서 저장한 토큰과 어텐션 가중치입니다. 파일은 이 세션의 메모리에만 있으며 세션이 끝나면 사라집니다.
recording-another = 다른 파일 열기
recording-rows = { $site }에는 합이 1이 아닌 행이 있습니다(최소 { FIXED($least, digits: 3) }, 최대 { FIXED($most, digits: 3) }). 기록된 값 그대로 표시합니다.
recording-parts = 일부 문자는 여러 토큰으로 나뉩니다. 각 토큰에는 { $token }처럼 문자 전체와 몇 번째 부분인지를 표시합니다.
recording-float16 = { $site }의 가중치는 16비트 숫자로 저장되어 있습니다. { $source ->
    [file] 파일에 적힌 최대 오차는 { SCIENTIFIC($error) }입니다.
    [opened] 파일을 열 때 반올림했으며 오차는 { SCIENTIFIC($error) } 이하입니다.
   *[bound] 반올림으로 생긴 오차는 { SCIENTIFIC($error) } 이하입니다.
 }
recording-uint8 = { $site }의 가중치는 8비트 숫자로 저장되어 있습니다. { $source ->
    [file] 파일에 적힌 최대 오차는 { SCIENTIFIC($error) }입니다.
   *[other] 반올림으로 생긴 오차는 { SCIENTIFIC($error) } 이하입니다.
 } 그래서 행의 합은 대략 1입니다.
recording-kept = 아래에는 “{ $name }” 기록이 그대로 표시됩니다.
recording-elsewhere = 이 주소의 기록은 다른 세션이나 이미 끝난 세션의 메모리에만 있었습니다. 파일을 다시 끌어다 놓으세요.
recording-no-values = 기록 파일에는 가중치만 있고 벡터는 없습니다.
none-model = 기록 파일에는 어텐션 가중치만 있고 모델은 없습니다.
recording-source = 토큰
recording-target = 출력 토큰
heads-token-recorded = { $place }번 토큰. 클릭하면 선택됩니다.

recording-hint = 파일 형식은 docs/recordings.md에 설명되어 있습니다.
recording-large = “{ $field }”: 파일이 { $most }MB보다 큽니다. 더 짧은 텍스트나 더 적은 층을 기록하세요.
recording-nothing = “{ $field }”: 어텐션 가중치가 없습니다. 배열 이름을 { $names } 중에서 정하세요.
recording-json = “{ $field }”: JSON과 CSV는 { $most }MB까지 읽습니다. 가중치를 float16으로 바꾸어 NPZ로 저장하세요.
recording-many = “{ $field }”: 가중치나 값이 { GROUPED($most) }개보다 많습니다. JSON과 CSV는 그만큼만 읽으므로 가중치를 float16으로 바꾸어 NPZ로 저장하세요.
recording-weights = “{ $field }”: 가중치가 { GROUPED($n) }개입니다. 최대 { GROUPED($most) }개까지 읽습니다.
recording-thin = 다음 파이썬 코드는 앞쪽 토큰과 몇 층, 몇 헤드마다 하나씩만 남겨 한도 안의 파일을 만듭니다. 남은 층과 헤드에는 화면에서 1번부터 다시 번호를 매깁니다.
recording-order = “{ $field }”: 열 순서로 저장되어 있습니다. `np.ascontiguousarray(weights)`로 바꾸어 저장하세요.
recording-no-scale = “{ $field }”: 1보다 큰 8비트 숫자가 있는데, 각 행의 최대 가중치가 든 배열이 파일에 없습니다. `attention_npz(record, storage="uint8")`은 둘 다 저장합니다.
recording-beside = “{ $field }”: { $found } 배열입니다. float32 숫자와 { $expected } 형태가 필요합니다.
recording-error = “{ $field }”: { SCIENTIFIC($found) }{ JOSA(SCIENTIFIC($found), "이라고/라고") } 적혀 있지만, 이 저장 방식의 오차는 최대 { SCIENTIFIC($most) }입니다. 최대 오차를 저장하거나 이 항목을 빼세요.
recording-damaged = “{ $field }”: 읽을 수 없습니다({ $told }).
recording-kind = “{ $field }”: 자료형이 { $found }입니다. { $expected ->
    [tokens] 토큰은 각각 256자 이하의 문자열이어야 합니다. 토큰 ID만 있다면 `tokenizer.convert_ids_to_tokens(ids)`의 결과를 저장하세요.
   *[weights] 가중치는 float32, float16 같은 숫자여야 합니다.
 }
recording-rank = “{ $field }”: { $n }차원입니다. { $expected ->
    [tokens] 토큰은 문자열 목록 하나여야 합니다.
   *[weights] 가중치는 (층, 헤드, 쿼리, 키) 차원이어야 하고, 층 다음에 크기 1인 배치가 있어도 됩니다. 층이 하나면 첫 차원을, 헤드도 하나면 처음 두 차원을 뺄 수 있습니다.
 }
recording-size = { $n ->
    [0] { $what ->
        [layers] “{ $field }”: 비어 있습니다. transformers에서는 모델을 `attn_implementation="eager"`로 불러오세요. 다른 구현은 가중치를 반환하지 않습니다.
       *[other] “{ $field }”: 비어 있습니다.
    }
   *[other] { $what ->
        [parts] “{ $field }”: 배열이 { $n }개입니다. 최대 { $most }개까지 읽습니다.
        [layers] “{ $field }”: 층이 { $n }개입니다. 최대 { $most }개까지 읽습니다.
        [batch] “{ $field }”: 배치에 텍스트가 { $n }개 있습니다. 한 번에 하나씩 기록하고, 빔 서치에서는 가설 하나만 기록하세요.
        [heads] “{ $field }”: 헤드가 { $n }개입니다. 최대 { $most }개까지 읽습니다.
        [letters] “{ $field }”: { $n }자짜리 토큰이 있습니다. 최대 { $most }자까지 읽습니다.
       *[tokens] “{ $field }”: 토큰이 { $n }개입니다. 최대 { $most }개까지 읽습니다.
    }
 }
recording-no-tokens = “{ $field }”: 가중치는 있지만 행과 열의 이름이 될 “{ $tokens }”{ JOSA($tokens, "이/가") } 파일에 없습니다.
recording-unlike = “{ $tokens }”: 토큰이 { $n }개인데, “{ $field }”의 가중치는 토큰 { $expected }개의 것입니다.
recording-text = “{ $field }”: 문자가 아닌 토큰이 있습니다(짝이 없는 서로게이트).
recording-neither = NPZ, NPY, JSON, 숫자 표 가운데 어느 것도 아님
recording-ragged = “{ $field }”: 행마다 칸 수가 다릅니다({ $least }–{ $most }칸). 행렬에는 키마다 열이 하나씩 있어야 합니다.
recording-uneven = “{ $field }”: 행의 길이가 모두 같은 숫자 목록이 아닙니다.
recording-cell = “{ $field }”: { $row }행 { $column }열에 가중치가 아니라 “{ $found }”{ JOSA($found, "이/가") } 있습니다.
recording-short = { GROUPED($expected) }바이트라고 적혀 있으나 실제로는 많아야 { GROUPED($n) }바이트임
recording-nan = “{ $field }”: NaN이나 무한대가 들어 있습니다. 가중치를 float32로 기록하세요.
recording-range = “{ $field }”: 값의 범위가 { FIXED($least, digits: 3) }–{ FIXED($most, digits: 3) }입니다. 가중치는 0과 1 사이여야 합니다. 기록하기 전에 `model.eval()`을 호출하고, 점수가 아니라 소프트맥스를 적용한 가중치를 저장하세요.
recording-full = 이 서버에서 기록 파일에 쓸 수 있는 메모리가 모든 세션의 기록으로 찼습니다.
recording-full-hint = 더 짧은 텍스트를 기록하거나, 다른 사람이 기록을 닫은 뒤 다시 시도하세요.
