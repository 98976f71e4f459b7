# Attention that the reader recorded elsewhere: where it is dropped, what is wrong with a file.

checkpoint-recording = Recording from a file
recording-drop = Recording (NPZ or JSON)
recording-drop-help = Tokens and attention weights that you saved elsewhere. The file stays in the memory of your session and is gone with it.
recording-another = Open another file
recording-rows = The rows of { $site } do not all sum to 1 (from { FIXED($least, digits: 3) } to { FIXED($most, digits: 3) }). They are shown as they were recorded.
recording-parts = Some characters are split into several tokens. Each is labelled with the whole character and its part, as in { $token }.
recording-kept = The recording below is still “{ $name }”.
recording-no-values = A recording holds weights, but no vectors.
none-model = A recording holds attention weights, but no model.
recording-source = Tokens
recording-target = Output tokens
heads-token-recorded = Token { $place }. Click to select it.

recording-hint = See docs/recordings.md for what a file must hold.
recording-large = “{ $field }” is larger than { $most } MB.
recording-nothing = “{ $field }” holds no attention weights. Name an array { $names }.
recording-many = “{ $field }” holds more than { GROUPED($most) } weights or values. Record a shorter text, or fewer layers.
recording-damaged = “{ $field }” cannot be read: { $told }.
recording-kind = “{ $field }” is of the type { $found }. { $expected ->
    [tokens] Tokens must be text, each of at most 256 characters. Ids need the vocabulary of their model: save what `tokenizer.convert_ids_to_tokens(ids)` gives.
   *[weights] Weights must be numbers, such as float32 or float16.
 }
recording-rank = “{ $field }” has { $n ->
    [0] no dimensions
    [one] { $n } dimension
   *[other] { $n } dimensions
 }. { $expected ->
    [tokens] Tokens are one list of texts.
   *[weights] Weights have four, (layers, heads, queries, keys), or five with a batch of one after the layers.
 }
recording-size = { $n ->
    [0] { $what ->
        [layers] “{ $field }” is empty. With transformers, load the model with `attn_implementation="eager"`: other implementations give no weights.
       *[other] “{ $field }” is empty.
    }
   *[other] { $what ->
        [parts] “{ $field }” has { $n } parts. At most { $most } are read.
        [layers] “{ $field }” has { $n } layers. At most { $most } are read.
        [batch] “{ $field }” has a batch of { $n } texts. Record one text at a time, and of a beam search one hypothesis.
        [heads] “{ $field }” has { $n } heads. At most { $most } are read.
        [letters] “{ $field }” has a token of { $n } characters. At most { $most } are read.
       *[tokens] “{ $field }” has { $n } tokens. At most { $most } are read.
    }
 }
recording-no-tokens = “{ $field }” has weights, but the file has no “{ $tokens }” to name their rows and columns.
recording-unlike = “{ $tokens }” has { $n ->
    [one] { $n } token
   *[other] { $n } tokens
 }, but “{ $field }” has weights for { $expected }.
recording-text = “{ $field }” has a token that is no text: half of a pair of surrogates.
recording-neither = it is neither NPZ nor a JSON object
recording-nan = “{ $field }” contains NaN or infinite numbers. Record the weights in float32.
recording-range = “{ $field }” has numbers from { FIXED($least, digits: 3) } to { FIXED($most, digits: 3) }. Weights lie between 0 and 1. Call `model.eval()` before recording, and save the weights after the softmax, not the scores.
recording-full = The recordings of all sessions fill the memory that this server has for them.
recording-full-hint = Record a shorter text, or try again once others have closed theirs.
