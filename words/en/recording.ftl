# Recordings of attention from other programs: the drop box, and errors in a file.

checkpoint-recording = Recording from a file
recording-drop = Recording (NPZ or JSON), or one matrix (CSV, NPY)
recording-drop-help = Tokens and attention weights that you saved from another model. The file is kept only in the memory of your session.
recording-another = Open another file
recording-rows = Rows of { $site } do not all sum to 1 (from { FIXED($least, digits: 3) } to { FIXED($most, digits: 3) }). They are shown as recorded.
recording-parts = Some characters are split over several tokens. Each token is labelled with the whole character and its part, as in { $token }.
recording-float16 = Weights of { $site } are stored as 16-bit numbers. { $source ->
    [file] According to the file, the largest error is { SCIENTIFIC($error) }.
    [opened] They were rounded when the file was opened, with an error of at most { SCIENTIFIC($error) }.
   *[bound] Rounding changes a weight by at most { SCIENTIFIC($error) }.
 }
recording-uint8 = Weights of { $site } are stored as 8-bit numbers. { $source ->
    [file] According to the file, the largest error is { SCIENTIFIC($error) }.
   *[other] Rounding changes a weight by at most { SCIENTIFIC($error) }.
 } Rows therefore sum to 1 only roughly.
recording-kept = The recording below is still “{ $name }”.
recording-elsewhere = The recording of this address was kept in the memory of another session, or of one that has ended. Drop the file again.
recording-no-values = A recording contains weights but no vectors.
none-model = A recording contains attention weights but no model.
recording-source = Tokens
recording-target = Output tokens
heads-token-recorded = Token { $place }. Click to select it.

recording-hint = docs/recordings.md describes the file format.
recording-large = “{ $field }” is larger than { $most } MB. Record a shorter text or fewer layers.
recording-nothing = “{ $field }” contains no attention weights. Name an array { $names }.
recording-json = “{ $field }” is larger than { $most } MB, the limit of JSON and CSV. Save it as NPZ, with weights in float16.
recording-many = “{ $field }” has more than { GROUPED($most) } weights or values, the limit of JSON and CSV. Save it as NPZ, with weights in float16.
recording-weights = “{ $field }” has { GROUPED($n) } weights; at most { GROUPED($most) } are allowed.
recording-thin = These lines of Python write a file within the limits, with the first tokens and every n-th layer and head. The page numbers the remaining layers and heads from 1 again.
recording-order = “{ $field }” is stored column by column. Save `np.ascontiguousarray(weights)` instead.
recording-no-scale = “{ $field }” has 8-bit numbers above 1, but the file has no array with the largest weight of each row. `attention_npz(record, storage="uint8")` writes both.
recording-beside = “{ $field }” is { $found }, but numbers of type float32 and of shape { $expected } are expected.
recording-error = “{ $field }” is { SCIENTIFIC($found) }, but this storage changes a weight by at most { SCIENTIFIC($most) }. Save the largest error, or leave the entry out.
recording-damaged = “{ $field }” cannot be read: { $told }.
recording-kind = “{ $field }” has the type { $found }. { $expected ->
    [tokens] Tokens must be strings of at most 256 characters each. If you have ids, save the result of `tokenizer.convert_ids_to_tokens(ids)`.
   *[weights] Weights must be numbers, such as float32 or float16.
 }
recording-rank = “{ $field }” has { $n ->
    [0] no dimensions
    [one] { $n } dimension
   *[other] { $n } dimensions
 }. { $expected ->
    [tokens] Tokens must be one list of strings.
   *[weights] Weights need the dimensions (layers, heads, queries, keys), where a batch of one may follow the layers. One layer can do without the first, and one head without the first two.
 }
recording-size = { $n ->
    [0] { $what ->
        [layers] “{ $field }” is empty. With transformers, load the model with `attn_implementation="eager"`; other implementations return no weights.
       *[other] “{ $field }” is empty.
    }
   *[other] { $what ->
        [parts] “{ $field }” has { $n } parts; at most { $most } are allowed.
        [layers] “{ $field }” has { $n } layers; at most { $most } are allowed.
        [batch] “{ $field }” has a batch of { $n } texts. Record one text at a time and, from a beam search, one hypothesis.
        [heads] “{ $field }” has { $n } heads; at most { $most } are allowed.
        [letters] “{ $field }” has a token of { $n } characters; at most { $most } are allowed.
       *[tokens] “{ $field }” has { $n } tokens; at most { $most } are allowed.
    }
 }
recording-no-tokens = “{ $field }” has weights, but the file has no “{ $tokens }” for their rows and columns.
recording-unlike = “{ $tokens }” has { $n ->
    [one] { $n } token
   *[other] { $n } tokens
 }, but “{ $field }” has weights for { $expected }.
recording-text = “{ $field }” has a token that is not valid text: it contains half of a surrogate pair.
recording-neither = it is neither NPZ, NPY, JSON nor a table of numbers
recording-ragged = “{ $field }” has rows of { $least } to { $most } cells. A matrix has one column for each key.
recording-uneven = “{ $field }” is not a list of numbers with rows of one length.
recording-cell = “{ $field }” has “{ $found }” in row { $row }, column { $column }, where a weight is expected.
recording-short = it declares { GROUPED($expected) } bytes, but contains at most { GROUPED($n) }
recording-nan = “{ $field }” contains NaN or infinite numbers. Record the weights in float32.
recording-range = “{ $field }” has values from { FIXED($least, digits: 3) } to { FIXED($most, digits: 3) }, but weights are between 0 and 1. Call `model.eval()` before recording, and save the weights after the softmax, not the scores.
recording-full = The recordings of all sessions have used up the memory that this server reserves for them.
recording-full-hint = Record a shorter text, or try again later.
