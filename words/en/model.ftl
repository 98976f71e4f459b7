# Messages of models: errors with hints, and the reasons for the course of a search.

# Why a node of a search was not grown

model-reason-beyond-beam = ranked below the beam width
model-reason-overtaken = finished, then overtaken by a higher score
model-reason-too-short = finished before the minimum length
model-reason-out-of-length = reached the maximum length
model-reason-search-ended = the search ended first
model-reason-stopped = the search was stopped
model-reason-no-child-kept = no continuation stayed in the beam
model-reason-nothing-follows = no token can follow
model-reason-forced = forced

# Why an exact search is not proven

model-exact-out-of-expansions = the maximum number of expansions was reached
model-exact-out-of-time = the time limit was reached
model-exact-stopped = the search was stopped

# Why there is no verdict on a reference

model-void-unknown = the vocabulary lacks { $characters }
model-void-unfinished = no hypothesis finished within { $n ->
    [one] { $n } token
   *[other] { $n } tokens
 }

# Texts

model-text-empty = { $text ->
    [reference] The reference translation is empty.
    [translation] The given translation is empty.
    [second] Sentence 2 is empty.
    [document] The document is empty.
   *[sentence] The sentence is empty.
 }
model-text-invisible = { $text ->
    [reference] The reference translation has no visible characters.
    [translation] The given translation has no visible characters.
    [second] Sentence 2 has no visible characters.
    [document] The document has no visible characters.
   *[sentence] The sentence has no visible characters.
 }
model-text-empty-hint = Type a sentence, or choose an example.
model-text-long = { $text ->
    [reference] The reference translation has { $n } tokens. The model takes at most { $most }.
    [translation] The given translation has { $n } tokens. The model takes at most { $most }.
    [second] Sentence 2 has { $n } tokens. The model takes at most { $most }.
    [document] The document has { $n } tokens. The model takes at most { $most }.
   *[sentence] The sentence has { $n } tokens. The model takes at most { $most }.
 }
model-text-long-hint = Shorten it, or split it into sentences.
model-prefix-unknown = The forced prefix contains { $characters }, which the vocabulary lacks.
model-prefix-unknown-hint = Start the prefix with other characters.
model-prefix-full = The forced prefix has { $n ->
    [one] { $n } token
   *[other] { $n } tokens
 }. The whole output takes at most { $most }.
model-prefix-full-hint = Shorten the prefix, or raise the maximum length.
model-prefix-ended = The hypothesis is finished there, so no token can follow.
model-prefix-ended-hint = Choose an earlier token.

# Sentence pairs given as token ids

model-pair-length = { $text ->
    [translation] the translation has { $n } tokens, expected 1 to { $most }
   *[sentence] the sentence has { $n } tokens, expected 1 to { $most }
 }
model-pair-id = { $what ->
    [translation] a token of the translation has the id { $id }, expected 0 to { $most }
    [choice] a choice has the id { $id }, expected 0 to { $most }
   *[sentence] a token of the sentence has the id { $id }, expected 0 to { $most }
 }
model-knockout-choices = choices are given without a position
model-knockout-position = position { $position } is given, but the output has { $n ->
    [one] { $n } token
   *[other] { $n } tokens
 }
model-knockout-unfit = Heads cannot be ablated here: { $faults }.
model-choose-token = Choose a token of the output.
model-explain-one-token = The sentence has only one token, so no token can be hidden.
model-explain-one-word = The sentence has only one word, and at least one word must be read.
model-explain-one-token-hint = Type more words.

# Interventions that do not fit

model-change-unfit = The intervention does not fit: { $faults }.
model-change-unfit-hint = Remove the part that does not fit.
model-change-hidden = token { $position } is hidden, but the sentence has { $n } tokens
model-change-unread = token { $position } is deleted, but the sentence has { $n } tokens
model-change-unread-end = the end-of-sentence token is always read
model-change-unread-all = every word is deleted, so no word is left to read
model-change-lacks = this model does not support { $capability }
model-change-place = { $part ->
    [layer] layer { $number } of { $site } does not exist; the last one is layer { $n }
    [head] head { $number } of { $site } does not exist; the last one is head { $n }
    [query] query { $number } of { $site } does not exist; the last one is query { $n }
   *[key] key { $number } of { $site } does not exist; the last one is key { $n }
 }
model-change-no-means = this checkpoint has no stored mean head outputs
model-change-unlearned = the intervention needs { $n } positions, but this model has learned vectors for { $most } only
model-change-unlearned-hint = Shift by less: a learned position embedding ends where its table ends.
model-change-span-source = { $span } positions are rearranged, but the sentence has { $n } tokens
model-change-span-target = { $span } positions are rearranged, but the model takes { $n }
model-change-weight-on-key = a row of { $site } gives weight to key { $key }, but the last key is { $n }
model-change-nothing-left = A row of { $site } has no position left to attend to.
model-change-nothing-left-row = { $single ->
    [yes] Row { $row } of { $site } has no position left to attend to.
   *[no] Row { $row } of { $site }, layer { $layer }, head { $head }, has no position left to attend to.
 }
model-change-nothing-left-layer = { $single ->
    [yes] Every row of { $site } has no position left to attend to.
   *[no] Every row of { $site }, layer { $layer }, has no position left to attend to.
 }
model-change-nothing-left-hint = Leave every row at least one position to attend to.
model-change-unwritten = A row of { $site } set by hand attends to positions that are not generated yet.
model-change-unwritten-hint = Give weight to earlier positions only.
model-change-masked-weight = { $single ->
    [yes] Row { $row } of { $site } is given weight on position { $key }, which is masked for it.
   *[no] Row { $row } of { $site }, layer { $layer }, head { $head }, is given weight on position { $key }, which is masked for it.
 }
model-change-masked-weight-hint = Give weight only to positions that the masks allow.

# Checkpoints

model-checkpoint-unknown = there is no checkpoint { $name }
model-device = the device { $device } cannot be used: { $error }
model-device-hint = Choose one of { $known }; “cuda” needs an NVIDIA GPU and a build of PyTorch with CUDA.
model-checkpoint-nothing = there is neither a folder nor a file { $path }
model-checkpoint-unknown-near = Did you mean { $name }?
model-checkpoint-unknown-known = Choose one of { $names }, or give the path of a folder.
model-checkpoint-unknown-none = Put a folder with { $files } into { $folder }/.
model-checkpoint-unfit = checkpoint { $name } cannot be used: { $faults }
model-checkpoint-same-run = Export config.json, model.safetensors and tokenizer.json from the same run.
model-checkpoint-missing = { $file } is missing
model-checkpoint-architecture-near = config.json names the architecture { $name } (did you mean { $near }?)
model-checkpoint-architecture = config.json names the architecture { $name } (known: { $known })
model-checkpoint-damaged = { $file } cannot be read because it is damaged or cut short: { $error }
model-checkpoint-no-json = { $file } is not valid JSON: { $error }
model-checkpoint-no-object = { $file } contains a { $type }, expected an object
model-checkpoint-vocabulary = { $file } has { $n } entries, but { $entry } is { $expected }
model-checkpoint-special = { $entry } is { $id }, but { $file } gives { $token } the id { $found }
model-checkpoint-whole = { $file } contains integers ({ $type }) where floating-point numbers are expected: { $names }. Quantised weights are not supported; store them as float32 or float16
model-checkpoint-type = { $name } is { $found }, but the model expects { $expected }
model-checkpoint-writes-nothing = checkpoint { $name } does not generate text: its architecture, { $architecture }, only reads
model-checkpoint-writes-nothing-hint = Choose a checkpoint that translates.
model-family-unknown-capability = its architecture claims { $capability }, which is not a known capability
model-family-absent = its architecture claims { $capability }, which the model lacks
model-family-fails = the model cannot be built and run: { $error }
model-site-undeclared = the model attends at { $site }, which is not among its declared sites
model-site-silent = no layer attends at { $site }, although it is a declared site
model-site-layers = { $site } is declared with { $n ->
    [one] { $n } layer
   *[other] { $n } layers
 }, but the model has { $found }
model-site-heads = { $site } is declared with { $n ->
    [one] { $n } head
   *[other] { $n } heads
 }, but the model has { $found }
model-site-side = { $site } names the side { $side }, but its source has { $known }
model-site-size = { $site } has attention maps of { $found }, but its sides require { $expected }
model-site-rows = rows of { $site } do not sum to 1, although it is declared normalised
model-site-scores = its architecture claims scores, but { $site } gives none
model-site-values = { $site } is declared to have values, but its probe gets none
model-no-values = { $name } does not expose the vectors that its weights sum, so norms cannot be shown.
model-checkpoint-lacks = { $file } lacks { $names }
model-checkpoint-foreign = { $file } contains unknown { $names }
model-checkpoint-more = { $names } and { $n } more
model-checkpoint-shape = { $name } has the shape { $found }, but the config requires { $expected }
model-checkpoint-not-finite = { $name } contains NaN or infinite numbers
model-config-unfit = { $name } does not describe a model: { $faults }
model-config-unknown = unknown entry { $entry }
model-config-unknown-near = unknown entry { $entry } (did you mean { $near }?)
model-config-missing = { $entry } is missing
model-config-whole = { $entry } is { $value }, expected a whole number
model-config-number = { $entry } is { $value }, expected a number
model-config-truth = { $entry } is { $value }, expected true or false
model-config-text = { $entry } is { $value }, expected a string
model-config-list = { $entry } is { $value }, expected a list
model-config-one-of = { $entry } is { $value }, expected one of { $allowed }
model-config-least = { $entry } is { $value }, expected { $least } or more
model-config-most = { $entry } is { $value }, expected at most { $most }
model-config-above = { $entry } is { $value }, expected more than { $least }
model-config-share = { $entry } is { $value }, expected at least 0 and less than 1
model-config-heads = d_model { $d_model } is not a multiple of n_heads { $n_heads }
model-config-odd = d_model { $d_model } is odd, but sines and cosines come in pairs
model-config-vocabulary = { $entry } is { $value }, outside the vocabulary of { $n }
model-config-location = the score “location” attends to all positions, but attention is { $attention }
model-config-vocabularies = both sides share one embedding, but vocab_size is { $n } and source_vocab_size { $source }
model-config-special = special ids must differ, found { $ids }
model-tokenizer-unreadable = { $file } cannot be read: { $error }
model-tokenizer-lacks = { $file } lacks the tokens { $tokens }
model-tokenizer-lost = The vocabulary does not restore every text: “{ $text }” comes back as “{ $back }”. The output of this model may be misspelled here.
model-tokenizer-hint = Use the tokenizer.json of the training run that made the weights.

# Sources that are not text

model-grid = The input must be a grid of numbers with rows of equal length.
model-grid-hint = Write rows of numbers separated by “/”, such as 0 9 0 / 9 9 9.
model-grid-shape = The grid is { $rows } by { $columns }. The model takes { $most_rows } by { $most_columns }.
model-grid-shape-hint = Use as many rows and columns as the model takes.

# Capabilities that a family lacks

model-lacks = Checkpoint { $name } cannot do this: its architecture, { $architecture }, does not support “{ $capability }”.
model-lacks-hint = Choose another model or another view.

# Interventions in words

model-heads-all = all heads of { $site }
model-heads-of-layers = head { $head } in every layer of { $site }
model-heads-of-layer = all heads of { $site }, layer { $layer }
model-heads-single = { $site }
model-heads-one = { $site }, layer { $layer }, head { $head }
model-change-words-lifted = causal mask disabled: { $site } can attend to future tokens
model-change-words-hidden = “{ $token }” hidden from { $site }
model-change-words-unread = “{ $token }” deleted from the input
model-sites = { $others } and { $last }
model-change-words-cell-any = { $heads }: every edge masked
model-change-words-cell-query = { $heads }: every edge from row { $row } “{ $query }” masked
model-change-words-cell-key = { $heads }: every edge to “{ $key }” masked
model-change-words-cell-query-key = { $heads }: edge from row { $row } “{ $query }” to “{ $key }” masked
model-change-words-off = { $how ->
    [zero] { $heads }: zero-ablated
    [mean] { $heads }: mean-ablated
   *[uniform] { $heads }: uniform attention
 }
model-change-words-row = { $more ->
    [yes] { $heads }: weights of row { $row } “{ $query }” set to { $weights }, …
   *[no] { $heads }: weights of row { $row } “{ $query }” set to { $weights }
 }
model-change-words-positions = { $side ->
    [target] target
   *[source] source
 } positional encoding { $mode ->
    [absent] removed
    [permuted] permuted with seed { $seed }
    [shifted] shifted by { $offset }
    [reversed] reversed
   *[normal] unchanged
 }

model-change-words-no-residual = residual connection ablated: { $name ->
    [all] every sub-layer
   *[other] { $name }
 } of { $stack ->
    [encoder] the encoder
    [decoder] the decoder
   *[all] encoder and decoder
 }, { $layer ->
    [all] every layer
   *[other] layer { $layer }
 }
model-change-words-no-norm = LayerNorm ablated: { $name ->
    [all] every sub-layer
   *[other] { $name }
 } of { $stack ->
    [encoder] the encoder
    [decoder] the decoder
   *[all] encoder and decoder
 }, { $layer ->
    [all] every layer
   *[other] layer { $layer }
 }

# Notes on the consequences of an intervention

model-change-note-uniform = Every head of { $site } attends uniformly to all allowed positions, so none of them selects any more.
model-change-note-off = { $of ->
    [cross] Every head of { $site } is ablated, so no information from the source reaches the output.
    [target] Every head of { $site } is ablated, so each position uses only the token that it reads and none of the earlier ones.
   *[source] Every head of { $site } is ablated, so each source token is encoded without the others.
 }
model-change-note-row = The weights set for a row of { $heads } have no effect, because the head is ablated.
model-change-note-absent = { $side ->
    [source] Without positional encoding the source is a bag of tokens: the model has no information about their order.
    [target] Without positional encoding the target is a bag of tokens: the model has no information about their order.
   *[masked] Without positional encoding, only the causal mask gives the model information about the order of the target tokens.
 }

# Impossible interventions

model-faults = { $all }
model-change-no-sublayer = the model has no sub-layer “{ $place }”
model-change-no-layer = the model has { $n ->
    [one] { $n } layer
   *[other] { $n } layers
 }, so there is no layer { $layer }
model-change-no-site = the model has no attention “{ $site }”
model-change-not-causal = the model has no causal attention “{ $site }”
model-change-site-name = { $site } is not the name of an attention site
model-change-negative = { $name } is { $value }, expected 0 or more
model-change-unknown = { $name } is { $value }, expected one of { $known }
model-change-span = span is { $span }, expected 1 or more
model-change-needs-span = { $mode } positions of the target need a number of positions
model-change-row-everywhere = query is None, expected a position
model-change-row-not-finite = the weights of a row must be finite numbers
model-change-row-holds = the weights of a row contain { $weight }, expected 0 or more
model-change-row-sum = the weights of a row sum to { $sum }, expected 1

# Interventions in an address

model-address-long = The intervention in the address has { $n } characters. At most { $most } are read, so it was left out.
model-address-left-out = “{ $part }” in the address was left out: { $why }.
model-address-span-long = { $side ->
    [target] The address rearranges { $span } positions of the target, which has only { $n }. All { $n } are rearranged.
   *[source] The address rearranges { $span } positions of the source, which has only { $n }. All { $n } are rearranged.
 }
model-address-start = it must begin with { $known } or { $last }
model-address-incomplete = it is incomplete, expected something like { $example }
model-address-pair = { $text } is not a pair of numbers such as 2.1
model-address-zero = it contains 0, but numbers start at 1
model-address-digits = { $text } is not a valid number from 0
model-address-number = { $text } is not a number
model-address-mode = the mode of positions is { $mode }, expected one of { $known }
model-address-settings = the mode { $mode } takes at most { $n } numbers
model-address-span = the target needs the number of positions, as in target-reversed-12

# Files recorded during training

model-formation-damaged = The record { $file } is damaged or belongs to another model ({ $error })
model-formation-damaged-hint = The rest of this page works without it. `python -m training export` writes it again.
model-metrics-damaged = The file { $file } cannot be read ({ $error })

# Documents.

model-config-classes = at least two different classes are required, found { $found }
model-document-nothing = No word of the document is left to read.
model-document-nothing-hint = Restore a sentence or a word.
model-document-one-sentences = The document has only one sentence, so its weight is always 1. Add another sentence.
model-document-one-words = Every sentence has only one word, so its weight is always 1. Add words to a sentence.

# Claims of a family: which two numbers must be equal

check-search = each step of a search gives the same probabilities and attention as reading its whole path at once
check-teacher-forcing = the prediction after a token does not depend on future tokens
check-scores = the softmax of the scores gives the weights, and each row sums to 1
check-vectors = q · k / √d, plus any relative position bias, is the score, and W_O maps the weighted values to the output of the layer
check-positions = the input of the first layer is the embeddings plus the model’s table of positions, and sinusoids follow the formula
check-learned-positions = the position vectors added on each side are the first rows of its table
check-relative-positions = the bias of an offset is the score minus q · k / √d
check-values = the terms of a step sum to its scores, and its weights average to its context vector
check-documents = a batch of sentence vectors gets the same prediction as the whole document
check-masked-words = the token under a mask is not read, and with left context only, neither are the tokens to its right
check-order = the vectors of both orders are those of the encoder, and without positions both orders give the same vectors
check-padding = padding does not change how a sentence is read
check-block = the sub-layer outputs sum to the hidden states, and the last hidden state gives the output probabilities
check-tree-attention = every node of a search tree has the same attention as its path read alone
check-changes = a run without an intervention equals the ordinary run
check-change-hide = a hidden token gets no weight anywhere, and nothing else changes
check-change-unread = a deleted token has no effect: it can be replaced or left out
check-change-mask = a masked edge is cut before the softmax, and nothing else changes
check-change-ablate = an ablated head outputs zero or attends uniformly, and nothing else changes
check-change-row = a row takes the weights it is given, and nothing else changes
check-change-positions = a shift by 0 changes nothing, and without positions the order of the source does not matter
check-change-causal = without the causal mask, the softmax covers all scores
check-change-residual = without its residual connection, a sub-layer passes on only its own output
check-change-norm = without its LayerNorm, a sub-layer passes on the plain sum
check-rows = the weights of each row sum to 1, and masked weights are exactly 0
check-contributions = the vectors of all keys, the residual and the biases sum to the output of the layer
check-score-split = the parts of a score sum to the score
check-source-share = the shares of source and prefix sum to 1 for each token
check-rollout = each row of attention rollout sums to 1
