# The page “From RNNs to Transformers”: one sentence through all models.

# Which models

lineage-systems = Models
lineage-systems-help = Installed models that translate between the same two languages as the selected one, ordered by the year of their paper.
lineage-systems-none = Choose models
lineage-not-installed = None of the models that led to the Transformer is installed yet. Train one with a command like this, then export it to checkpoints/:
lineage-other-languages = The models that led to the Transformer cannot read this sentence, because they translate between other languages than the selected model: { $systems }
lineage-named = { $title } · { $name }
lineage-opened = { $title } · selected
lineage-family-transformer = Transformer (Vaswani 2017)

# The sentence through every model

lineage_target = Translation to score
lineage_target-help = Attention maps depend on the translation that the decoder reads. If all models read the same one (teacher forcing), their maps have the same rows and can be compared.
lineage_target-open = Selected model’s translation
lineage_target-reference = Reference translation
lineage_target-own = Each model’s own translation
lineage_shown = Map
lineage_shown-help = Attention weights show which source tokens the decoder attends to. Leave-one-out importance shows how much log p falls when a source token is left out. It also works for models without attention.
lineage_shown-attention = Attention weights
lineage_shown-left_out = Leave-one-out importance
lineage_heads = Heads
lineage_heads-help = For a model with several heads, the map shows their mean, or the head with the highest max. weight (mean over queries).
lineage_heads-mean = Mean over heads
lineage_heads-sharpest = Head with max. weight
lineage_reference = Reference translation
lineage_reference-none = Type a correct translation
lineage_reference-empty = Until you type a reference, all models read the selected model’s translation.
lineage-words = The models split the texts into different subwords, so rows and columns are whole words. Weights are summed over the subwords of a source word and averaged over those of a target word.
lineage-found = { $n ->
    [one] **{ $by_most }** gives the tokens of the translation an average probability of **{ PERCENT($most, digits: 0) }**.
   *[other] **{ $by_most }** gives the tokens of { $rows ->
    [own] its own translation
    [reference] the reference translation
   *[open] the translation above
 } an average probability of **{ PERCENT($most, digits: 0) }**, { $by_least } **{ PERCENT($least, digits: 0) }**.
 }
lineage-per-token = **{ PERCENT($share, digits: 0) }** per token of { $rows ->
    [own] this output
    [reference] the reference. Own output:
   *[open] the top line. Own output:
 }
lineage-numbers = log P of the scored translation: { $log_p } ({ $mean } per token: a geometric mean of { PERCENT($share, digits: 0) }; { $n ->
    [one] { $n } token
   *[other] { $n } tokens
 })
lineage-of-mean = The map shows the attention weights, averaged over all { $n } heads.
lineage-of-head = The map shows { $head }, which has the highest max. weight of { $n } heads.
lineage-is-weights = The map shows the attention weights.
lineage-is-drops = This model has no attention, so the map shows how much less likely each output token becomes when a source token is left out: its log-probability (log p) falls. Models before the Transformer cannot leave out the end-of-sentence token.
lineage-drop = Log-probability lost (1 nat: ÷ 2.7)
lineage-window = The red line marks the centre of each step’s window. The thin lines mark its ends, { $d } tokens to either side.
lineage-rows-free = Row sums range from { $least } to { $most }, because the Gaussian reduces some weights.
lineage-too-long = { $source } source tokens by { $n } target tokens are too many for this map. Shorten the sentence.
lineage-map-alt = { $kind ->
    [drops] Leave-one-out importance of each source token for { $system }
   *[weights] Attention weights of { $system }
 }: { $rows } rows by { $columns } columns.
lineage-map-file = { $system } { $text }

lineage-difference = Difference map
lineage-difference-one = The difference appears here when you choose at least two models that have a map.
lineage_first = Model A
lineage_second = Model B
lineage-difference-kinds = One of the two models has no attention, so their maps show different quantities. To compare them, choose “Leave-one-out importance” as the map.
lineage-difference-sizes = The two models read different translations, so their maps have different rows. To compare them, let all models score the same translation.
lineage-difference-weight = Δ weight (B − A)
lineage-difference-drop = Δ leave-one-out importance (B − A)
lineage-difference-words = On average, the two models put **{ PERCENT($mean) }** of a row’s weight on different tokens. The row of “{ $token }” differs most ({ PERCENT($most) }).
lineage-difference-alt = Difference of two maps, { $second } minus { $first }, with { $rows } rows.
lineage-difference-file = { $second } minus { $first } { $text }

# One decoder step in numbers

step_token = Output token
step_source = Source token
step_unit = Context unit
lineage-step = Step { $n } reads { $read } and generates { $written } with probability **{ PERCENT($p) }**.
lineage-step-weight = The largest attention weight, **{ PERCENT($weight) }**, is on { $token }.
lineage-step-alt = Probabilities of the tokens that step { $n } could generate, and its attention weights where the model has them.
lineage-step-file = step { $n } { $token } { $text }
lineage-step-caption = Every number is the model’s own. In the tables below, each column is rounded so that it adds up to the sum below it.
lineage-sources = { $n ->
    [one] The encoder outputs one vector of { $units } numbers.
   *[other] The encoder outputs { $n } vectors of { $units } numbers, one per source token.
 } With this model open, the view “{ view-lineage-bottleneck }” shows them.
lineage-vector-caption = { $name }: its { $n } units range from { SIGNED($least, digits: 3) } to { SIGNED($most, digits: 3) }.
lineage-vector-alt = { $name } as a bar chart, one bar for each of its { $n } units.
lineage-vector-file = { $name } { $text }
lineage-centre = The window is centred at source position **{ $place }**, closest to “{ $token }”. It covers { $n } of { $of } tokens, from “{ $first }” to “{ $last }”.
lineage-terms = The score of { $token } is a sum with one term per unit:
lineage-terms-rest = All other units
lineage-softmax-gaussian = The softmax weights sum to 1. Multiplied by the Gaussian, they sum to { FIXED($sum, digits: 4) }.
lineage-context = Unit { $unit } of the context vector is { SIGNED($value, digits: 4) }.
lineage-sum = Sum
lineage-others = { $n } other tokens
lineage-table-unit = Unit
lineage-table-term = Score term
lineage-table-token = Token
lineage-table-score = Score
lineage-table-below = Minus maximum
lineage-table-exponential = exp
lineage-table-share = Softmax
lineage-table-gaussian = Gaussian
lineage-table-weight = Weight
lineage-table-weight-heading = Where it looks: weight of each source token
lineage-table-state = Encoder state
lineage-table-product = Weight × state
lineage-table-logit = Logit
lineage-table-probability = Probability
lineage-table-probability-heading = What comes next: the most likely tokens (▸ generated)
lineage-table-alt = Table of a sum, with { $n } rows.

value-summary = c, fixed-length vector
value-last = h, last hidden state
value-state = Decoder state
value-context = Context vector
value-attentional = Attentional vector
value-part-forwards = Forward direction
value-part-backwards = Backward direction

equation-summary = The encoder’s last state becomes c, a vector of fixed length. The decoder gets nothing else from the source.
equation-state-summary = The new state is computed from the previous state, the previous token and c. The vector c enters every step.
equation-output-summary = The state, the previous token and c give a logit for every token of the vocabulary. The softmax turns logits into probabilities.
equation-last = The decoder starts from the encoder’s last states and gets nothing else from the source. The chart shows the upper layer.
equation-state-last = The new state is computed from the previous state and the previous token. The source does not enter again.
equation-output-last = The state of the upper layer gives a logit for every token of the vocabulary. The softmax turns logits into probabilities.
equation-annotations-both = Each source token has an annotation. It joins the states of a forward and a backward RNN at that token (a bidirectional RNN).
equation-annotations-one = The upper layer of the encoder outputs one state per source token.
equation-score-additive = A small network scores each source token against the previous decoder state.
equation-score-dot = The score of a source token is the dot product of its state and the decoder state.
equation-score-general = The score of a source token is the product of the decoder state, a learned matrix and the token’s state.
equation-score-concat = A small network scores each source token against the decoder state.
equation-score-location = The score of a source position depends only on the decoder state, not on the token at that position.
equation-softmax = The softmax turns the scores into weights that sum to 1.
equation-softmax-local-m = The softmax is taken over the scores inside the window only.
equation-softmax-local-p = The softmax is taken over the scores inside the window. A Gaussian around the centre then reduces distant weights, so the weights sum to less than 1.
equation-centre-local-m = The window moves by one token per step.
equation-centre-local-p = The centre of the window is predicted from the decoder state, as a fraction of the source length S. Positions count from 1 here.
equation-context = The context vector is the sum of the encoder states, each multiplied by its weight.
equation-state-context = The new state is computed from the previous state, the previous token and the context vector.
equation-state-fed = The new state is computed from the previous state, the previous token and the previous attentional vector (input feeding).
equation-state-unfed = The new state is computed from the previous state and the previous token.
equation-attentional = One layer combines the context vector and the state into the attentional vector.
equation-output-context = The state, the context vector and the previous token give a logit for every token of the vocabulary. The softmax turns logits into probabilities.
equation-output-attentional = The attentional vector gives a logit for every token of the vocabulary. The softmax turns logits into probabilities.

# The fixed-length bottleneck

lineage-growing-caption = Each line shows one model’s probability per token (geometric mean) for “{ $target }” as words (see “Settings”) are appended to the source. This tests the fixed-length bottleneck. The end token is not counted, as the text goes on; “{ view-lineage-systems }” counts it, so its percentages differ a little.
lineage-growing-alt = Probability per token of the first sentence’s translation against the length of the source: { $n ->
    [one] one model
   *[other] { $n } models
 }, { $texts } lengths.
lineage-growing-file = growing source { $text }
lineage_more = Appended words
lineage_more-help = These words are appended to the sentence one by one. The score is always that of the first sentence’s translation.
lineage-no-target = The selected model generated no translation. Type a reference under “{ view-lineage-systems }”, and this view follows its probability.
lineage-not-loaded = { $system } cannot be loaded.
lineage-not-read = { $system }: { $why }
lineage-cut = { $system } reads at most { $most } tokens, so its line has { $n ->
    [0] no points
    [one] one point
   *[other] { $n } points
 }.
lineage-fall = With { $added } more words, the average probability per token of **{ $most }** { $falls ->
    [yes] falls
   *[no] changes
 } from { $most_from } to **{ $most_to }**{ $n ->
    [one] .
   *[other] , the largest loss of the { $n } models.
 }
lineage-states = Encoder states
lineage-states-alt = States of the encoder, { $units } units by { $n } tokens, { $part ->
    [backwards] backward direction
    [forwards] forward direction
   *[other] { $part }
 }.
lineage-states-file = encoder states { $part } { $text }
lineage-states-caption = Each of the { $units } rows is one unit. Rows are ordered by the token at which the unit’s absolute value is largest. { $part ->
    [backwards] This direction reads right to left.
    [forwards] This direction reads left to right.
   *[other] { $part }
 }

figures-lineage-gain = ΔBLEU
figures-lineage-seed = another seed: ±{ $bleu }
figures-lineage-paper = Paper
figures-lineage-at = Year
figures-lineage-axes = Source (column), output (row)
figures-lineage-drops = Effect of leaving a word out
figures-lineage-weights = Attention weights
figures-lineage-centre = Window centre
figures-lineage-unit = Unit
figures-lineage-value = Value
figures-lineage-largest = Largest absolute value
figures-lineage-words = Source length (words): the sentence, then with words appended
figures-lineage-share = Probability per token (geometric mean)
figures-lineage-system = Model
