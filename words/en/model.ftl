# What a model says: what is wrong and what to try, and why a search did what it did.

# Why a node of a search was not grown

model-reason-beyond-beam = rank beyond the beam
model-reason-overtaken = finished, then overtaken by a better score
model-reason-too-short = ends before the minimum length
model-reason-out-of-length = reached the maximum length
model-reason-search-ended = search ended first
model-reason-stopped = search was stopped
model-reason-no-child-kept = no continuation stayed in the beam
model-reason-nothing-follows = nothing can follow
model-reason-forced = forced

# Why an exact search is not proven

model-exact-out-of-expansions = reached the greatest number of expansions
model-exact-out-of-time = reached the time limit
model-exact-stopped = was stopped

# Why nothing can be said about a reference

model-void-unknown = the vocabulary lacks { $characters }
model-void-unfinished = no hypothesis of the search ended within { $n ->
    [one] { $n } token
   *[other] { $n } tokens
 }

# Texts

model-text-empty = { $text ->
    [reference] The reference is empty.
    [translation] The given translation is empty.
    [second] The second sentence is empty.
    [document] The document is empty.
   *[sentence] The sentence is empty.
 }
model-text-invisible = { $text ->
    [reference] The reference holds no visible characters.
    [translation] The given translation holds no visible characters.
    [second] The second sentence holds no visible characters.
    [document] The document holds no visible characters.
   *[sentence] The sentence holds no visible characters.
 }
model-text-empty-hint = Type a sentence, or choose an example.
model-text-long = { $text ->
    [reference] The reference is { $n } tokens long; the model takes { $most }.
    [translation] The given translation is { $n } tokens long; the model takes { $most }.
    [second] The second sentence is { $n } tokens long; the model takes { $most }.
    [document] The document is { $n } tokens long; the model takes { $most }.
   *[sentence] The sentence is { $n } tokens long; the model takes { $most }.
 }
model-text-long-hint = Shorten it, or split it into sentences.
model-prefix-unknown = The beginning holds { $characters }, which the vocabulary lacks.
model-prefix-unknown-hint = Begin the translation with other characters.
model-prefix-full = The beginning is { $n ->
    [one] { $n } token
   *[other] { $n } tokens
 } long; { $most } may be produced in all.
model-prefix-full-hint = Shorten it, or allow a greater length.
model-prefix-ended = The hypothesis ends there; nothing can follow.
model-prefix-ended-hint = Choose an earlier token.

# Pairs that are read as they stand

model-pair-length = { $text ->
    [translation] the translation is { $n } tokens long, expected 1 to { $most }
   *[sentence] the sentence is { $n } tokens long, expected 1 to { $most }
 }
model-pair-id = { $what ->
    [translation] a token of the translation has the id { $id }, expected 0 to { $most }
    [choice] a choice has the id { $id }, expected 0 to { $most }
    [token] the token has the id { $id }, expected 0 to { $most }
    [rival] the rival has the id { $id }, expected 0 to { $most }
   *[sentence] a token of the sentence has the id { $id }, expected 0 to { $most }
 }
model-knockout-choices = choices are given but no position
model-knockout-position = position { $position } is named but { $n ->
    [one] { $n } token was produced
   *[other] { $n } tokens were produced
 }
model-knockout-unfit = Heads cannot be switched off for this: { $faults }.
model-trace-position = token { $position } is to be traced but { $n } were produced
model-trace-unfit = This decision cannot be traced: { $faults }.
model-choose-token = Choose a token of the translation.
model-explain-one-token = The sentence is one token long, so that none of it can be hidden.
model-explain-one-word = The sentence is one word long, and a word must be left to read.
model-explain-one-token-hint = Type more words.

# Changes that do not fit

model-change-unfit = The change does not fit: { $faults }.
model-change-unfit-hint = Remove what does not fit.
model-change-hidden = token { $position } is hidden but the sentence has { $n }
model-change-unread = token { $position } is to be left out but the sentence has { $n }
model-change-unread-end = the end of the sentence, the last token, is always read
model-change-unread-all = every word is left out, so that nothing is left to read
model-change-lacks = this model does not offer { $capability }
model-change-place = { $part ->
    [layer] layer { $number } of { $site } is named but there are { $n }
    [head] head { $number } of { $site } is named but there are { $n }
    [query] query { $number } of { $site } is named but there are { $n }
   *[key] key { $number } of { $site } is named but there are { $n }
 }
model-change-no-means = no mean outputs of heads are stored with this checkpoint
model-change-span-source = { $span } positions are rearranged but the sentence has { $n }
model-change-span-target = { $span } positions are rearranged; the model takes { $n }
model-change-weight-on-key = a row of { $site } gives weight to key { $key } of { $n }
model-change-nothing-left = A row of { $site } has nothing left to look at.
model-change-nothing-left-row = { $single ->
    [yes] Row { $row } of { $site } has nothing left to look at.
   *[no] Row { $row } of { $site }, layer { $layer }, head { $head }, has nothing left to look at.
 }
model-change-nothing-left-layer = { $single ->
    [yes] Every row of { $site } has nothing left to look at.
   *[no] Every row of { $site }, layer { $layer }, has nothing left to look at.
 }
model-change-nothing-left-hint = Leave every row at least one position to look at.
model-change-unwritten = A row given by hand of { $site } looks at positions that have not been written when it is read.
model-change-unwritten-hint = Give weight to earlier positions only.
model-change-masked-weight = { $single ->
    [yes] Row { $row } of { $site } is given weight on position { $key }, at which it may not look.
   *[no] Row { $row } of { $site }, layer { $layer }, head { $head }, is given weight on position { $key }, at which it may not look.
 }
model-change-masked-weight-hint = Give weight only to positions that the masks allow.

# Checkpoints

model-checkpoint-unknown = there is no checkpoint { $name }
model-checkpoint-unknown-near = Did you mean { $name }?
model-checkpoint-unknown-known = Choose one of { $names }, or give the path of a folder.
model-checkpoint-unknown-none = Put a folder with { $files } into { $folder }/.
model-checkpoint-unfit = checkpoint { $name } cannot be used: { $faults }
model-checkpoint-same-run = Export config.json, model.safetensors and tokenizer.json from the same run.
model-checkpoint-missing = { $file } is missing
model-checkpoint-architecture-near = config.json names architecture { $name } (did you mean { $near }?)
model-checkpoint-architecture = config.json names architecture { $name } (known: { $known })
model-checkpoint-damaged = { $file } cannot be read, it is damaged or cut short: { $error }
model-checkpoint-no-json = { $file } is not valid JSON: { $error }
model-checkpoint-no-object = { $file } holds a { $type }, expected an object
model-checkpoint-vocabulary = { $file } has { $n } entries but { $entry } is { $expected }
model-checkpoint-special = { $entry } is { $id } but { $file } gives { $token } { $found }
model-checkpoint-whole = { $file } holds whole numbers ({ $type }) where fractions are asked for: { $names }. Quantised weights are not read; store them as float32 or float16
model-checkpoint-type = { $name } holds { $found }, the model asks for { $expected }
model-checkpoint-writes-nothing = checkpoint { $name } writes no text: its architecture, { $architecture }, only reads
model-checkpoint-writes-nothing-hint = Choose a checkpoint that translates.
model-family-unknown-capability = its architecture claims { $capability }, which is no capability
model-family-absent = its architecture claims { $capability }, which the model lacks
model-family-fails = the model cannot be built and run: { $error }
model-site-undeclared = the model attends at { $site }, which its sites do not name
model-site-silent = nothing attends at { $site }, which its sites name
model-site-layers = { $site } is said to have { $n ->
    [one] { $n } layer
   *[other] { $n } layers
 }, the model has { $found }
model-site-heads = { $site } is said to have { $n ->
    [one] { $n } head
   *[other] { $n } heads
 }, the model has { $found }
model-site-side = { $site } names the side { $side }; its source has { $known }
model-site-size = { $site } has maps of { $found }, its sides ask for { $expected }
model-site-rows = rows of { $site } do not sum to one, but it is said to be normalised
model-site-scores = its architecture claims scores, but { $site } gives none
model-checkpoint-lacks = { $file } lacks { $names }
model-checkpoint-foreign = { $file } holds unknown { $names }
model-checkpoint-more = { $names } and { $n } more
model-checkpoint-shape = { $name } is { $found }, the config asks for { $expected }
model-checkpoint-not-finite = { $name } holds NaN or infinite numbers
model-config-unfit = { $name } does not describe a model: { $faults }
model-config-unknown = unknown entry { $entry }
model-config-unknown-near = unknown entry { $entry } (did you mean { $near }?)
model-config-missing = { $entry } is missing
model-config-whole = { $entry } is { $value }, expected a whole number
model-config-number = { $entry } is { $value }, expected a number
model-config-truth = { $entry } is { $value }, expected true or false
model-config-text = { $entry } is { $value }, expected a text
model-config-list = { $entry } is { $value }, expected a list
model-config-one-of = { $entry } is { $value }, expected one of { $allowed }
model-config-least = { $entry } is { $value }, expected { $least } or more
model-config-most = { $entry } is { $value }, expected at most { $most }
model-config-above = { $entry } is { $value }, expected more than { $least }
model-config-share = { $entry } is { $value }, expected 0 up to but not including 1
model-config-heads = d_model { $d_model } is not a multiple of n_heads { $n_heads }
model-config-odd = d_model { $d_model } is odd; sine and cosine come in pairs
model-config-vocabulary = { $entry } is { $value }, outside the vocabulary of { $n }
model-config-location = the score "location" looks everywhere, but attention is { $attention }
model-config-special = special ids must differ, found { $ids }
model-tokenizer-unreadable = { $file } cannot be read: { $error }
model-tokenizer-lacks = { $file } lacks the tokens { $tokens }
model-tokenizer-lost = A text does not come back from the vocabulary as it went in: “{ $text }” comes back as “{ $back }”. What this model writes may be spelled wrongly here.
model-tokenizer-hint = Take tokenizer.json from the run that made the weights.

# Sources that are not text

model-grid = The source is no grid of numbers, rows of one length.
model-grid-hint = Write rows of numbers parted by “/”, such as 0 9 0 / 9 9 9.
model-grid-shape = The grid is { $rows } by { $columns }; the model takes { $most_rows } by { $most_columns }.
model-grid-shape-hint = Give as many rows and columns as the model takes.

# What a family cannot do

model-lacks = Checkpoint { $name } cannot do this: its architecture, { $architecture }, does not offer “{ $capability }”.
model-lacks-hint = Choose another checkpoint, or another view.

# Changes of a run, in words

model-heads-all = all heads of { $site }
model-heads-of-layers = head { $head } in every layer of { $site }
model-heads-of-layer = { $site } layer { $layer } all heads
model-heads-single = { $site }
model-heads-one = { $site } layer { $layer } head { $head }
model-change-words-lifted = causal mask off: { $site } may look at later tokens
model-change-words-hidden = “{ $token }” hidden from { $site }
model-change-words-unread = “{ $token }” not read at all
model-sites = { $others } and { $last }
model-change-words-cell-any = { $heads } may not look from any row at anything
model-change-words-cell-query = { $heads } may not look from row { $row } “{ $query }” at anything
model-change-words-cell-key = { $heads } may not look from any row at “{ $key }”
model-change-words-cell-query-key = { $heads } may not look from row { $row } “{ $query }” at “{ $key }”
model-change-words-off = { $how ->
    [zero] { $heads } off: output put to zero
    [mean] { $heads } off: output put to its mean
   *[uniform] { $heads } off: the same weight everywhere
 }
model-change-words-row = { $more ->
    [yes] row { $row } “{ $query }” of { $heads } by hand: { $weights }, …
   *[no] row { $row } “{ $query }” of { $heads } by hand: { $weights }
 }
model-change-words-positions = { $side ->
    [target] target
   *[source] source
 } positions { $mode ->
    [absent] absent
    [permuted] shuffled with seed { $seed }
    [shifted] shifted by { $offset }
    [reversed] reversed
   *[normal] normal
 }

model-change-words-no-residual = residual connection left out: { $name ->
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
model-change-words-no-norm = layer norm left out: { $name ->
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

# What follows from a change

model-change-note-uniform = Every head of { $site } gives all it may look at the same weight, so none of them chooses any more.
model-change-note-off = { $of ->
    [cross] Every head of { $site } is off: nothing of the sentence reaches the translation.
    [target] Every head of { $site } is off: each position knows the token it reads and none of those before it.
   *[source] Every head of { $site } is off: each source token is read without the others.
 }
model-change-note-row = The row given by hand in { $heads } changes nothing: what it gathers is thrown away, because the head is off.
model-change-note-absent = { $side ->
    [source] Without positions the source is a bag of tokens: the model is told nothing about their order.
    [target] Without positions the target is a bag of tokens: the model is told nothing about their order.
   *[masked] Without positions the target is a bag of tokens: the model is told nothing about their order but the causal mask.
 }

# Changes that cannot be

model-faults = { $all }
model-change-no-sublayer = the model has no sub-layer “{ $place }”
model-change-no-layer = it has { $n ->
    [one] { $n } layer
   *[other] { $n } layers
 }, no layer { $layer }
model-change-no-site = the model has no attention “{ $site }”
model-change-not-causal = the model has no causal attention “{ $site }”
model-change-site-name = { $site } is no name of an attention
model-change-negative = { $name } is { $value }, expected 0 or more
model-change-unknown = { $name } is { $value }, expected one of { $known }
model-change-span = span is { $span }, expected 1 or more
model-change-needs-span = positions of the target that are { $mode } need a span
model-change-row-everywhere = query is None, expected a position
model-change-row-not-finite = the weights of a row must be finite numbers
model-change-row-holds = the weights of a row hold { $weight }, expected 0 or more
model-change-row-sum = the weights of a row sum to { $sum }, expected 1

# Changes in an address

model-address-long = The change in the address is { $n } characters long; { $most } are read at most, so it was left out.
model-address-left-out = “{ $part }” in the address was left out: { $why }.
model-address-span-long = { $side ->
    [target] The address rearranges { $span } positions of the target, which has room for { $n }: all it has are rearranged.
   *[source] The address rearranges { $span } positions of the source, which has room for { $n }: all it has are rearranged.
 }
model-address-start = it begins with no known word, expected { $known } or { $last }
model-address-incomplete = it is not complete, expected something like { $example }
model-address-pair = { $text } is no pair of numbers such as 2.1
model-address-zero = it holds 0, expected numbers from 1 on
model-address-digits = { $text } is no number from 0 on that makes sense here
model-address-number = { $text } is no number
model-address-mode = it makes positions { $mode }, expected one of { $known }
model-address-settings = positions that are { $mode } take { $n } numbers at most
model-address-span = the target needs to know how many positions, as in target-reversed-12

# What a training left behind

model-formation-damaged = The record { $file } is damaged or is about another model ({ $error })
model-formation-damaged-hint = Everything else on this page works without it. `python -m training export` writes it anew.
model-metrics-damaged = The file { $file } cannot be read ({ $error })

# Documents.

model-config-classes = there must be at least two classes that differ, found { $found }
model-document-nothing = Nothing of the document is left to read.
model-document-nothing-hint = Put a sentence or a word back.
model-document-one-sentences = The document has one sentence, whose weight is always one.
model-document-one-words = The sentences are single words, whose weights are always one.

# What a family claims: what must equal what

check-search = every step of a search says and looks at what reading its whole path does
check-teacher-forcing = what is said after a token does not depend on those after it
check-scores = the scores through the softmax are the weights, whose rows sum to one
check-vectors = q · k / √d is the score, and the weighted values through W_O are what the layer gives
check-positions = embeddings plus the sines of the formula are what goes into the first layer
check-values = the terms of a step sum to its scores, and its weights mix its context
check-documents = a batch of sentence vectors is judged as the whole document is
check-masked-words = what stands in a masked place is not read, nor from the left what comes after
check-trace = each link and head counts for what a whole run without it changes
check-order = the vectors of the tokens, in any order, are those of the encoder
check-padding = a padded sentence is read as it is alone
check-block = what the sub-layers add makes the states, and the last state through the output layer makes the probabilities
check-feed-forward = the units sum to what their layer adds, and each raises the logits by what is told
check-tree-attention = every node of a tree looked where its path, read alone, looks
check-changes = a run in which nothing is changed is the plain one
check-change-hide = a hidden token gets no weight anywhere, and nothing else is changed
check-change-unread = a token that is passed over might be any other, or none
check-change-mask = a masked cell is cut before the softmax, and nothing else is changed
check-change-ablate = a head that is off gives nothing, or the same weight to all, and nothing else is changed
check-change-row = a row takes the weights that it is given, and nothing else is changed
check-change-positions = positions shifted by 0 are as they were, and without them nothing is added
check-change-causal = without the causal mask the softmax goes over all scores
check-change-residual = without its residual connection a sub-layer hands on what it makes alone
check-change-norm = without its layer norm a sub-layer hands on the bare sum
