# The page “Masking & interventions”.

masks-nothing-written = *empty output*
masks-token-change = “{ $token }” { $change }

# The effect of an intervention, compared with the run without it

masks-effect-none = No intervention yet. Add one to see its effect on the output, its probability and the attention.

masks-effect-unchanged = **Output unchanged:** { $text }
masks-effect-before = :violet-badge[Before] { $text }
masks-effect-after = :green-badge[After] { $text }
masks-effect-same-words = The words are the same, but they are split into other subwords.
masks-effect-unfinished = Under the intervention, the search reached its maximum length before the end-of-sentence token.
masks-effect-no-pronoun = none
masks-effect-pronouns = { $n ->
    [one] Pronoun
   *[other] Pronouns
 }: { $before } → **{ $after }**

masks-effect-total = log P of the original output: { $before } → **{ $after }** ({ $change })
masks-effect-same = no change
masks-effect-hardly = changes by less than 0.001
masks-effect-likelier = P rises to { FACTOR($factor) } times its value
masks-effect-less-likely = P falls to 1/{ FACTOR($factor) } of its value
masks-effect-peeking = The causal mask is off. If the whole output is read at once, as for log p and attention, each position also attends to the token that it should predict. During a search, that token does not exist yet, so the output and the next-token probabilities may stay the same.
masks-effect-log-probs-caption = Largest changes of log p: { $changes }.
masks-effect-log-probs-alt = Bar chart of the change in log p for each token of the original output. The caption names the largest changes.
masks-effect-log-probs-file = Change in log p { $text }

masks-effect-position = Position
masks-effect-position-difference = First difference: { $token }
masks-effect-position-drop = Largest drop: { $token }
masks-effect-position-pronoun = Pronoun: { $token }
masks-effect-next-title = **Next token at position { $token }**
masks-effect-next-caption = Hollow purple bars show the probability before the intervention, solid green bars after it, and ▸ marks the original token. The most likely token is “{ $first }” ({ PERCENT($first_before) }) before and “{ $second }” ({ PERCENT($second_after) }) after.
masks-effect-next-alt = Bar chart of the most likely next tokens before and after the intervention. The caption names the first of each.
masks-effect-next-file = Next token { $position } { $text }

masks-effect-head-before = Before
masks-effect-head-after = After
masks-effect-head-difference = Δ { measured }
masks-effect-head-alt = { $side }: { measured } of the selected head of { $site }, { $rows ->
    [one] { $rows } query row
   *[other] { $rows } query rows
 } by { $columns ->
    [one] { $columns } key column
   *[other] { $columns } key columns
 }. The caption gives the share that moved.
masks-effect-head-file = { measured } { $site } { $head } before and after { $text }
masks-effect-moved = In { $head } of { $site }, **{ PERCENT($mean) }** of a row’s { measured } moves on average{ $row ->
    [0] {""}
   *[other] , and up to { PERCENT($most) } in row { $row } (“{ $token }”)
 } (total variation distance).{ $forbidden ->
    [yes] {" "}Hatched cells are masked by the intervention.
   *[no] {""}
 }
view-masks-seen-no-norms = This view ends at the weights; no vectors are summed here.
view-masks-explain-no-norms = All correlations here use attention weights.
masks-effect-unmoved = No { measured } changes, because no attention comes after the intervention.
masks-effect-most-moved = Show most changed: { $site } { $head } ({ PERCENT($share, digits: 0) })

# Stored measurements, and messages that several views share

masks-made-command = Measured with `{ $command }`.
masks-made-hardware = Measured on { $hardware }.
masks-made-command-hardware = Measured with `{ $command }` on { $hardware }.
masks-not-measurable = Averages over held-out sentences exist only for models in which words can also be hidden from encoder self-attention.

# Head ablation

ablate-each-head-progress = Ablating each head…
knock_how = Ablation
knock_how-help = Zero ablation removes everything the head adds. Mean ablation replaces its output by the mean over validation sentences, which removes only what is specific to this sentence. Uniform attention keeps the values but gives all keys the same weight.
knock_how-zero = Zero ablation
knock_how-mean = Mean ablation
knock_how-uniform = Uniform attention
masks-knockout-missed = No single head decides the output: it stays the same whichever of the { $n } heads is ablated. The most important one is **{ $head }**, mainly for “{ $token }” (Δ log P = { SIGNED($change) }).
masks-knockout-likelier = Ablating { $head } makes the output more likely (Δ log P = { SIGNED($change) }).
masks-knockout-time = { $n ->
    [one] { $n } run took { $seconds } s.
   *[other] { $n } runs took { $seconds } s.
 }
masks-knockout-bars = Δ log P: change of the output’s log-probability, { $how ->
    [zero] zero ablation
    [mean] mean ablation
   *[uniform] uniform attention
 }
knock-bars-alt = Grid of { $n } heads, a row for each layer, with a number for the output without each head. The table below contains the numbers.
knock-bars-caption = Each cell is one run without that head. Dark frame: its ablation changes the greedy output. Pale: below 0.05. Click a cell to select the head.
knock-bars-file = Head ablation { $how } { $text }
masks-knockout-lowest = The probability of “{ $written }” is { PERCENT($plain) } with all heads. It is lowest, **{ PERCENT($share) }**, with **{ $head }** ablated.
masks-knockout-never-overtaken = No single head decides the form: it stays the most likely one, whichever head is ablated.
masks-knockout-overtaken = Another form becomes more likely when one of these heads is ablated: { $heads }.
masks-knockout-overtaken-head = { $head } ({ $rival } { PERCENT($share) })
knock_head = Head
knock_keep = Add to “{ view-masks-change }”
masks-knockout-spared = The coreference head, { $head }, is not needed here: with all other heads in place, log P changes by { SIGNED($change) } without it.
masks-knockout-kept = In the view “{ $view }”, { $head } is now ablated.
masks-knockout-without = Effect of ablating { $site }, layer { $layer }, head { $head }
masks-knockout-greedy-all = :violet-badge[Greedy, all heads] { $text }
masks-knockout-greedy-without = :green-badge[Greedy, head ablated] { $text }
masks-knockout-greedy-stays = The greedy output stays the same: { $text }
masks-knockout-search = Below, the current search (beam width { $beam }) is compared with and without this head.
masks-knockout-all = All heads
knock-table-name = Head
knock-table-change = Δ log P
knock-table-changed = Output changes
knock-table-token = Most affected
knock-table-token_change = Δ log p (token)
knock-table-text = Greedy output, ablated
knock-table-alt = Table of all { $n } heads, the most important first. Click a column title to sort.

# Does attention explain?

explain-progress = Hiding each source token…
explain_hidden = Hidden from
explain_hidden-both = Encoder and cross-attention
explain_hidden-unread = Everything (deleted)
explain_hidden-cross = Cross-attention
explain_hidden-encoder = Encoder
explain_method = Rank correlation
explain_method-spearman = Spearman ρ
explain_method-kendall = Kendall τ-b
explain_against = Comparison measure
explain_against-drops = Leave-one-out (LOO)
explain_against-gradient = Gradient × input
masks-explain-of = { $method }, attention vs. { $against ->
    [gradient] gradient × input
   *[drops] LOO importance
 }
explain_start = Run leave-one-out
masks-explain-long = The sentence has { $source } tokens and the output { $target }, so this takes a while. Start it with the button.
explain_token = Token
explain_head = Head
explain_head-help = Cross-attention head. A click on the grid below also selects one.
masks-explain-no-attention = This model provides no attention weights over the source, so only the other two measures are shown.
explain-bars-alt = { $attention ->
    [none] Bar charts of two importance measures for { $n } source tokens. Largest by leave-one-out: { $drop }, by gradient × input: { $gradient }.
   *[other] Bar charts of three importance measures for { $n } source tokens. Largest by attention: { $attention }, by leave-one-out: { $drop }, by gradient × input: { $gradient }.
 }
explain-bars-caption = Gradient × input asks about a tiny change. Once the model is sure of a token, such a change hardly matters, so this measure can miss words whose removal matters a lot.
explain-bars-file = Token importance { $token } { $text }
masks-explain-number = For “{ $token }”, { $method } of { $head } with { $against ->
    [drops] LOO importance
   *[gradient] gradient × input
 } is { $here } (mean over { $n ->
    [one] { $n } token
   *[other] { $n } tokens
 }: { $mean }).
masks-explain-signed = **{ SIGNED($number) }**
masks-explain-even = undefined (all values of one measure are equal)
masks-explain-undefined = undefined
masks-explain-gradient = For this token, the rank correlation of gradient × input with LOO importance is { SIGNED($number) }.
masks-explain-rests = A ranking of { $n ->
    [one] { $n } source token
   *[other] { $n } source tokens
 }{ $ties ->
    [0] {""}
   *[other] {" "}({ $ties } of them tied)
 } is weak evidence, and LOO is only one notion of importance (Jain and Wallace 2019; Wiegreffe and Pinter 2019).
masks-explain-here = This sentence (mean over tokens)
explain-heads-caption = A cell is a cross-attention head. +1: it ranks the tokens as the other measure does; 0: no relation.
explain-heads-alt = Grid of rank correlations of { $n } cross-attention heads. { $largest ->
    [none] None is defined.
   *[other] Largest: { $largest }.
 }
explain-heads-file = { $method ->
    [kendall] Rank correlation Kendall { $text }
   *[spearman] Rank correlation Spearman { $text }
  }
masks-explain-stored = Validation sentences (mean)
explain-stored-alt = Grid of rank correlations of { $n } heads, averaged over validation sentences.
explain-stored-file = { $method ->
    [kendall] Rank correlation Kendall { $text }
   *[spearman] Rank correlation Spearman { $text }
  }
masks-explain-not-stored = Averages are stored only for the scopes “Encoder and cross-attention” and “Cross-attention”.
masks-explain-over = Layer { $layer }, head { $head } has a mean correlation of **{ SIGNED($mean) }**{ $spread ->
    [none] {""}
   *[other] {" "}(SD { $spread })
 } over { $n ->
    [0] many sentences
   *[other] { $n } validation sentences
 }{ $here ->
    [none] .
   *[other] , and of { SIGNED($here) } on this sentence.
 }
masks-explain-over-average = Attention averaged over all heads: { SIGNED($mean) }.
masks-explain-over-gradient = Gradient × input: { SIGNED($mean) }.
masks-explain-over-permuted_heads = Weights of each row permuted (chance level): { SIGNED($mean) }.

# Causal and padding masks

seen_part = Show
seen_part-causal = Causal mask
seen_part-padding = Padding mask
seen_part-both = Both
seen_row = Query (row)
seen_best = Select { $head } (most weight moved, { $share })
seen-stages-alt = Two matrices of layer { $layer }, head { $head } of the decoder with the causal mask and without it: { $step ->
    [score] scores
    [exp] exponentials
   *[weight] weights
 }. Bars show the share of each row that goes to future tokens without the mask.
seen-stages-file = Causal mask layer { $layer }, head { $head } { $text }
masks-seen-one-position = There is only one position, so the causal mask has nothing to mask.
masks-seen-moved = In this head, future tokens would get **{ PERCENT($share, digits: 0) }** on average (over { $n ->
    [one] one row
   *[other] { $n } rows
 }).
masks-seen-row = “{ $token }” attends to itself and earlier tokens only. Without the mask, **{ PERCENT($share, digits: 0) }** of its weight would go to future tokens.
masks-seen-row-last = “{ $token }” is the last token, so there are no future tokens to hide.
masks-seen-strip-score = Score
masks-seen-strip-mask = + mask
masks-seen-strip-exp = exp(· − max)
masks-seen-strip-weight = ÷ sum = weight
masks-seen-strip-free = Weight without mask
seen-row-numbers-alt = The selected row: score, mask, exponential and weight of every key, and the weight without the mask.
seen-row-numbers-caption = The row maximum is subtracted before exp, which leaves the weights unchanged. The weights computed here differ from those of the model by at most { SCIENTIFIC($difference) }.
seen-row-numbers-file = Causal mask layer { $layer }, head { $head } row { $row } { $text }
seen_peek = Mask future tokens
seen_peek-help = If it is off, the whole decoder runs again, and every position can attend to future tokens as well.
masks-seen-nothing-later = There is only one position, so there are no future tokens.
masks-seen-peek-words = In { $head }, a row now gives future tokens **{ PERCENT($share, digits: 0) }** of its weight on average. The largest such weight, from “{ $query }” to “{ $key }”, is { $weight }.
masks-seen-forced = Probability of each token when the output is read at once
seen_target = Forced target text
seen_target-none = Default: the output above
seen_target-kept = The chart below still shows the model’s own output.
masks-seen-with-mask = With mask
masks-seen-forced-words = Without the mask, log P of { $whose ->
    [own] the model’s own output
   *[typed] the typed text
 } { $way ->
    [falls] falls
   *[rises] rises
 } from **{ $before }** to **{ $after }** (per token: from { $before_each } to { $after_each }).
seen-forced-alt = Table of the probability of every token in three runs: with the causal mask, without it when the output is read at once, and without it when it is generated token by token.
seen-forced-file = Teacher forcing causal mask { $text }

seen_second = Sentence 2
seen_second-none = Sentence of a different length
seen_second-fault = Sentence 1 is unchanged.
padded-pair-progress = Reading both sentences…
masks-seen-pad-title-of = Sentence { $nth ->
    [first] 1
   *[second] 2
 }, { $n ->
    [0] no padding
    [one] { $n } padding token
   *[other] { $n } padding tokens
 }
seen-pad-masks-alt = Padding masks of the encoder for both sentences. No query can attend to padding.
seen-pad-masks-file = Padding mask { $text }
seen_padding_mask = Mask padding
seen_padding_mask-help = If the mask is off, the encoder and cross-attention can attend to padding like to any other token.
masks-seen-pad-found = Without the padding mask, padding tokens take part, and the output for sentence { $nth ->
    [first] 1
   *[second] 2
 } suffers: its log P falls from { $masked } to **{ $unmasked }**.
seen_pad_best = Select { $head } (most weight on padding, { $share })
masks-seen-pad-share = In layer { $layer }, head { $head }, the rows of sentence { $nth ->
    [first] 1
   *[second] 2
 } give their { $n ->
    [one] { $n } padding token
   *[other] { $n } padding tokens
 } **{ PERCENT($share, digits: 0) }** of their weight on average.{ $rows ->
    [produced] {" "}Rows are labelled with their output token.
   *[read] {""}
 }
seen-pad-matrix-alt = Attention maps of layer { $layer }, head { $head } for the shorter sentence, with the padding mask and without it. Bars show the share of every row that goes to padding without the mask.
seen-pad-matrix-file = Padding { $site } layer { $layer }, head { $head }
masks-seen-damage = Effect on the output
masks-seen-column-alone = Alone
masks-seen-column-masked = Batch with mask
masks-seen-column-unmasked = Batch without mask
masks-seen-damage-log-prob = log P of the “Alone” output
masks-seen-damage-change = Largest Δ log p of a token
masks-seen-damage-weight = Largest weight on padding (all rows and heads)
masks-seen-output-alone = Alone: { $text }
masks-seen-output-masked = Batch with mask: { $text }
masks-seen-output-unmasked = Batch without mask: { $text }
masks-seen-padding-on = With padding mask
masks-seen-padding-off = Without padding mask
seen-pad-forced-alt = Table of the probability of every token alone, in the batch with the padding mask, and in the batch without it.
seen-pad-forced-file = Teacher forcing padding mask
masks-seen-longer = Sentence { $nth ->
    [first] 1
   *[second] 2
 } is longer and has no padding. In the batch, log p of its tokens changes by at most { $masked } with the mask and { $unmasked } without it. Sentences in a batch never attend to each other, only to their own padding.
masks-seen-nothing = exactly 0

masks-seen-both-causal = Causal mask
masks-seen-both-padding = Padding mask
masks-seen-both-joined = Combined mask
masks-seen-both-told = The decoder reads output { $nth ->
    [first] 1
   *[second] 2
 }, “{ $text }”, with { $padding ->
    [one] { $padding } padding token
   *[other] { $padding } padding tokens
 } at its end. In these { $padding } rows of padding, the two masks differ in { $hidden } cells. With the causal mask alone, the largest weight of a real row on padding in this batch is **{ $largest }**.
seen-both-masks-alt = Three grids for the shorter output: the causal mask, the padding mask and the combined mask.
seen-both-masks-file = Causal and padding mask
masks-seen-both-found = In the { $real } rows of real tokens, the combined mask and the causal mask differ in **{ $kept }** cells.

# Interventions

change_tool = Intervention type
change_tool-tokens = Tokens
change_tool-cells = Attention edges
change_tool-heads = Heads
change_tool-row = Attention weights
change_tool-positions = Positional encoding
change_tool-sublayers = Sub-layers
masks-change-head = Head before and after
masks-change-head-single = Attention before and after
masks-change-still = The effect of the last intervention that worked is still shown.
masks-change-opening = This intervention is an example. Remove it or make your own.
masks-change-count = { $n ->
    [0] **No intervention**
    [one] **{ $n } intervention**
   *[other] **{ $n } interventions**
 }
change_preset = Try
change_preset-antecedent = Hide “{ $word }” (antecedent)
change_preset-other = Hide “{ $word }” (distractor)
change_preset-control = Hide “{ $word }” (control)
change_preset-residual = No residuals
change_preset-norm = No LayerNorm
change_preset-attention-encoder = No encoder attention
change_preset-attention-decoder = No decoder attention
change_preset-attention-cross = No cross-attention
change_preset-source-absent = No source positions
change_preset-target-absent = No target positions
change_preset-shifted = Positions + 50
change_preset-permuted = Permuted positions
masks-change-pronoun = After the same prefix, the probability of “{ $written }” changes from { PERCENT($before) } to **{ PERCENT($after) }**, { $stays ->
    [yes] and “{ $written }” stays the most likely pronoun.
   *[no] and “**{ $now }**” becomes the most likely pronoun.
 }
masks-change-flips = Over { $n } held-out sentences, hiding { $role ->
    [antecedent] the antecedent
    [other] the distractor noun
   *[control] the control word
 } changes the pronoun in **{ PERCENT($share) }** of them.
masks-pronoun-use = Without { $head }, **{ PERCENT($without) }** of { $n } held-out pronouns are correct; with all heads, { PERCENT($plain) }. With { $head } as the only head of its layer, **{ PERCENT($alone) }** are. { $kind ->
    [shared] So this head is not necessary; within its layer it is sufficient.
    [needed] So this head is necessary and, within its layer, sufficient.
    [part] So this head is necessary but, even within its layer, not sufficient.
   *[other] So this head is not necessary and, within its layer, not sufficient.
  }
change_undo = Undo
change_undo-help = Undoes the last step.
change_clear = Remove all
masks-change-causal = Causal mask
masks-change-causal-help = If the mask is on, no position of the decoder can attend to future tokens. It was on in training.

change_where = Hiding scope
masks-change-hide = Hidden tokens
masks-change-hide-help = Click a token to hide it. No query in these layers can then attend to it, and its key is removed from every row.
masks-change-unread = Deleted tokens
masks-change-unread-help = Click a token to delete it from the input. The model then reads the sentence without it. The end-of-sentence token is always read.

change_query = Query (row)
change_key = Key (column)
masks-change-every-row = All rows
masks-change-mean-weight = Weight (mean over heads)
masks-change-matrix-alt = Attention map of { $heads }: { $rows ->
    [one] { $rows } query row
   *[other] { $rows } query rows
 } by { $columns ->
    [one] { $columns } key column
   *[other] { $columns } key columns
 }. Click a cell to mask or allow its edge, or use the menus below.
masks-change-matrix-caption = Click a cell to mask its edge, and click again to allow it. Masked cells are hatched.
masks-change-matrix-file = { $heads } { $text }
masks-change-allow = Allow edge
masks-change-forbid = Mask edge
masks-change-forbidden-already = Another intervention already masks this edge. Remove that one from the list.
masks-change-causal-already = The causal mask already masks this edge.

masks-change-no-means = Mean ablation is not available, because this checkpoint stores no mean head outputs. `python -m evaluation intervene` measures them.
masks-change-heads-of = Ablated heads, layer { $layer }
masks-change-all-off = { $n ->
    [one] Ablate
   *[other] Ablate all { $n }
 }
masks-change-all-on = { $n ->
    [one] Restore
   *[other] Restore all
 }

masks-change-row-empty = All keys of this row are masked, so there is no weight to set.
masks-change-row = Row { $row }, “{ $token }”, of { $heads } { $given ->
    [yes] is set **by hand**
   *[no] shows the computed weights
 }. Drag a bar, and the other bars share the rest.
masks-change-row-caption = The dotted line on a bar marks the computed weight{ $heads ->
    [several] {" "}(mean over heads)
   *[one] {""}
 }.
masks-change-row-numbers = { $n ->
    [one] Weight ({ $n } key)
   *[other] Weights ({ $n } keys, in order)
 }
masks-change-row-free = Computed rows of this model need not sum to 1, so the bars show shares of the row’s sum. A row set by hand sums to 1, and it can also attend outside the window.
masks-change-row-no-number = “{ $text }” is not a number. Write weights from 0 to 1, such as 0.25.
masks-change-row-count = The text has { $found ->
    [one] { $found } number
   *[other] { $found } numbers
 }, but this row needs { $expected }, one per key.
masks-change-row-unseen = This row cannot attend to “{ $token }”, so its weight must be 0.

masks-change-positions-by = Shift (positions)
masks-change-positions-seed = Random seed
masks-change-positions-caption = Tokens stay where they are; only the encoding added to them changes. In the target, the { $n } positions of the original output are permuted or reversed.

change_part = Ablated component
change_part-residual = Residual connection
change_part-norm = LayerNorm
change_part_stack = Stack
change_part_stack-all = Both
change_part_layer = Layer
change_part_layer-all = All
change_part_name = Sub-layer
change_part_name-all = All
change_leave_out = Ablate
seen_tokens = Hide words
seen_tokens-help = Opens “{ view-masks-change }”, where any word can be hidden.
seen_heads = Ablate heads
seen_heads-help = Opens “{ view-masks-change }”, where any head can be ablated.
seen_step = Step
seen_step-score = Score + mask
seen_step-exp = exp
seen_step-weight = Weight
seen-stages-caption = { $step ->
    [score] The mask adds −∞ to the scores of future tokens. Without the mask, their scores enter the softmax.
    [exp] exp(−∞) is 0, so masked cells are empty. Purple values are on future tokens.
   *[weight] Hatched cells are masked. Purple weight is on future tokens.
 } Bars: share of each row’s weight on future tokens without the mask. Click a row to select it.
masks-seen-steps = From scores to weights, row “{ $token }”
masks-seen-same-scores = Without mask, same scores
masks-seen-whole-decoder = Without mask in the whole decoder
masks-seen-lifted = Without the causal mask, each position also attends to future tokens. Read at once, “{ $token }” { $way ->
    [falls] falls
   *[rises] rises
 } from **{ PERCENT($before) }** to **{ PERCENT($after) }**.
masks-seen-written = { $same ->
    [yes] Generated token by token, the output stays the same, because future tokens do not exist yet.
   *[no] Generated token by token, the output changes, too.
 }
masks-seen-writes = Output without the mask
masks-seen-run-masked = With mask
masks-seen-run-read = No mask, read at once
masks-seen-run-written = No mask, token by token
masks-seen-run-alone = Alone
masks-seen-run-unmasked = No mask, in the batch
seen-forced-caption = Read at once, a position also attends to the token that it predicts, which never happened in training. Generated token by token, the first token has no future token to attend to, so it keeps its probability.
masks-seen-pad-on = With the mask, padding gets no weight: in the batch, log P of sentence { $nth ->
    [first] 1
   *[second] 2
 } is **{ $masked }**, compared with { $alone } alone.
masks-knockout-needed = Without **{ $head }** (Δ log P = { SIGNED($change) }), the output is: { $text }
masks-knockout-others = { $others ->
    [0] Ablated alone, none of the other heads changes the output.
    [one] One other head of { $n } changes the output, too.
   *[other] { $others } other heads of { $n } change the output, too.
 }
masks-knockout-bars-pronoun = Probability of the pronoun, { $how ->
    [zero] zero ablation
    [mean] mean ablation
   *[uniform] uniform attention
 }
knock_measure = Numbers
knock_measure-all = Δ log P
knock_measure-pronoun = P({ $token })
masks-explain-needed = Hiding “{ $needed }” lowers the probability of “{ $token }” most: from { PERCENT($before) } to **{ PERCENT($after) }**.
masks-explain-same = Layer { $layer }, head { $head } agrees: it attends most to the same token.
masks-explain-instead = Layer { $layer }, head { $head } attends most to “{ $attended }” instead; “{ $needed }” has rank { $rank } of { $of }.
masks-change-becomes = **{ $n ->
    [one] { $change }
   *[other] { $n } interventions
 }** → { $text }
masks-change-stays = **{ $n ->
    [one] { $change }
   *[other] { $n } interventions
 }:** the output stays the same, { $text }
