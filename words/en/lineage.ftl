# The page of the lineage: one sentence through all systems.

# Which systems

lineage-systems = Systems
lineage-systems-help = Every installed checkpoint of the same two languages that can search, the oldest paper first.
lineage-systems-none = Choose systems
lineage-not-installed = No system of the lineage is installed yet. Each is trained by one command, and exported into checkpoints/:
lineage-other-languages = The installed systems of the lineage translate between other languages than the open checkpoint, so they cannot read its sentence: { $systems }.
lineage-named = { $title } ({ $name })
lineage-opened = { $title } · open now

# The sentence through every system

lineage-target = All read
lineage-target-help = A map belongs to a translation that is read while the model looks at the source. Read the same one, the maps have the same rows and can be compared.
lineage-target-open = the open system's translation
lineage-target-reference = a reference
lineage-target-own = each its own
lineage-shown = Shown
lineage-shown-help = Attention is what a system looked at. Leaving a token out shows what it would be worse off without, and can be asked of a system that has no attention too.
lineage-shown-attention = attention
lineage-shown-left_out = what leaving out each token costs
lineage-heads = Of several heads
lineage-heads-mean = the mean
lineage-heads-sharpest = the sharpest
lineage-reference = Reference
lineage-reference-none = A translation that you think correct
lineage-reference-empty = Until a reference is typed, all read the open system's translation.
lineage-words = The systems cut the texts into different pieces, so rows and columns are words: weights are summed over the pieces of a word that is looked at, and averaged over those of a word that is written.
lineage-numbers = log P of what it reads: { $log_p } ({ $mean } a token, { $n ->
    [one] { $n } token
   *[other] { $n } tokens
 })
lineage-of-mean = Weights, the mean of all { $n } heads.
lineage-of-head = Weights of { $head }, the sharpest of { $n }.
lineage-is-weights = Weights: where it looked.
lineage-is-drops = How far log p of each written token falls when a token of the source is left out; a network that reads in order must read its end sign.
lineage-drop = drop of log p
lineage-window = The red line is the place that each step looks around, the thin ones are the ends of its window of { $d } on either side.
lineage-rows-free = Rows sum to { $least } to { $most }: a Gaussian takes some of the weight away.
lineage-too-long = { $source } tokens of the source by { $n } of the target are too many to draw and to leave out one by one.
lineage-map-alt = { $kind ->
    [drops] What leaving out each token of the source costs { $system }
   *[weights] Where { $system } looks
 }: { $rows } rows by { $columns } columns.
lineage-map-file = { $system } { $text }

lineage-difference = The difference of two
lineage-difference-one = Choose two systems above whose maps are drawn.
lineage-first = From
lineage-second = to
lineage-difference-kinds = One of the two has no attention, so its picture shows something else. Show for all what leaving out each token costs, and they can be compared.
lineage-difference-sizes = The two do not read the same translation, so their maps have different rows. Let all read the same one.
lineage-difference-weight = weight, second minus first
lineage-difference-drop = drop of log p, second minus first
lineage-difference-words = On average **{ $mean }** of a row's weight lies elsewhere, most, { $most }, while “{ $token }” is written.
lineage-difference-alt = The difference of the maps of { $first } and { $second }, { $rows } rows.
lineage-difference-file = { $first } to { $second } { $text }

# One step in numbers

step-token = Written token
step-source = Score of
step-unit = Unit
lineage-step = Step { $n } reads { $read } and writes { $written }. Every number here is the model's own, rounded so that each column adds up to the sum below it.
lineage-sources = { $n ->
    [one] One vector
   *[other] { $n } vectors, one for each token of the source
 }, of { $units } numbers each. They are drawn under “Into one vector”.
lineage-vector = { $name }: { $n } numbers from { $least } to { $most }.
lineage-vector-alt = { $name }, a bar for each of its { $n } numbers.
lineage-vector-file = { $name } { $text }
lineage-centre = The window lies around place **{ $place }** of the source, nearest to “{ $token }”, and holds { $n } of { $of } tokens, from “{ $first }” to “{ $last }”.
lineage-terms = The score of { $token } is a sum over the units of the layer:
lineage-terms-rest = all others together
lineage-softmax-gaussian = Without the Gaussian the weights would sum to one; with it, they sum to { $sum }.
lineage-context = Unit { $unit } of the context is { $value }.
lineage-sum = sum
lineage-others = all { $n } others
lineage-unit = unit
lineage-term = its part of the score
lineage-token = token
lineage-score = score
lineage-below = less the largest
lineage-exponential = exp
lineage-share = share
lineage-gaussian = Gaussian
lineage-weight = weight
lineage-state = the token's state
lineage-product = weight × state
lineage-logit = logit
lineage-probability = probability
lineage-table-alt = A sum worked out, in { $n } lines.

value-summary = c, the summary
value-last = h, the last state
value-state = the decoder's state
value-context = the context
value-attentional = the attentional vector
value-part-forwards = read forwards
value-part-backwards = read backwards

equation-summary = The encoder's last state becomes c, a vector of a fixed size: all that the decoder will ever know of the sentence.
equation-state-summary = The next state, from the state before, the token written last, and c, which enters every step.
equation-output-summary = The state, the token before and c give a logit for every token of the vocabulary; the softmax makes probabilities of them.
equation-last = The encoder's last states, of which the upper layer's is drawn: the decoder begins in them, and they are all that it knows of the sentence.
equation-state-last = The next state, from the state before and the token written last. The sentence does not enter again.
equation-output-last = The upper state gives a logit for every token of the vocabulary; the softmax makes probabilities of them.
equation-annotations-both = Each source token has an annotation: the state of a network that read up to it, and of another that read from the end back to it.
equation-annotations-one = The states of the encoder's upper layer, one for each token of the source.
equation-score-additive = A small network scores every source token against the state before this step.
equation-score-dot = The score of a source token is the dot product of its state with the decoder's.
equation-score-general = The score of a source token is the product of the decoder's state, a learnt matrix and the token's state.
equation-score-concat = A small network scores every source token against the decoder's state.
equation-score-location = The score of a place is worked out from the decoder's state alone, whatever token stands there.
equation-softmax = The softmax makes shares of the scores: together they are one.
equation-softmax-local-m = The softmax is taken over the scores in the window, and over them alone.
equation-softmax-local-p = The softmax is taken over the scores in the window; a Gaussian around its middle then takes from what lies far off, so the weights sum to less than one.
equation-centre-local-m = The window moves on by one token with every step.
equation-centre-local-p = The middle of the window is predicted from the decoder's state, as a part of the sentence's length S. Here places count from 1.
equation-context = The context is the sum of the tokens' states, each by its weight.
equation-state-context = The context and the token written last lead to the new state.
equation-state-fed = The next state, from the state before, the token written last and the attentional vector of the step before, which is fed in.
equation-state-unfed = The next state, from the state before and the token written last.
equation-attentional = Context and state together, through one layer: the attentional vector.
equation-output-context = State, context and the token before give a logit for every token of the vocabulary; the softmax makes probabilities of them.
equation-output-attentional = The attentional vector gives a logit for every token of the vocabulary; the softmax makes probabilities of them.

# Into one vector

lineage-growing = A sentence that grows
lineage-growing-of = How likely each system finds “{ $target }”, the translation of the first sentence, while more and more words follow that sentence:
lineage-growing-alt = Log-probability of the beginning against the length of the source: { $n ->
    [one] one system
   *[other] { $n } systems
 }, { $texts } lengths.
lineage-growing-file = growing { $text }
lineage-more = It goes on with
lineage-more-help = Words that are put behind the sentence on top, one after the other. What is measured is always the translation of that first sentence.
lineage-no-target = The open system wrote nothing. Type a reference under “All systems”, and its probability is followed.
lineage-not-loaded = { $system } cannot be loaded.
lineage-not-read = { $system }: { $why }
lineage-cut = { $system } takes no more than { $most } tokens, so its line has { $n ->
    [0] no point
    [one] one point
   *[other] { $n } points
 }.
lineage-fall = With { $system } log p of a token goes from **{ $first }** to **{ $last }**.
lineage-states = What the encoder holds
lineage-states-alt = { $units } units of the encoder by { $n } tokens, { $part ->
    [backwards] read from the end
    [forwards] read from the beginning
   *[other] { $part }
 }.
lineage-states-file = states { $part } { $text }
lineage-states-caption = { $units } units, one a line, ordered by the token at which each is largest. { $part ->
    [backwards] This direction reads from right to left.
    [forwards] This direction reads from left to right.
   *[other] { $part }
 }

figures-lineage-centre = middle of the window
figures-lineage-unit = unit
figures-lineage-value = value
figures-lineage-largest = largest size of a unit
figures-lineage-words = words of the source
figures-lineage-log-p = log p of a token
figures-lineage-system = system
