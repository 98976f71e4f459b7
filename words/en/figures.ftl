# Texts in charts: titles of axes and colour bars, tooltips, labels of marks.

figures-query = Query
figures-head = Head
figures-head-code = L{ $layer } H{ $head }
figures-layer-code = L{ $layer }
figures-head-of = { $site }, layer { $layer }, head { $head }
figures-key = Key
figures-layer = Layer
figures-looks-at = Key
figures-probability = Probability
figures-probability-of-being-next = Next-token probability
figures-source-token = Source token
figures-token = Token
figures-value = Value
figures-weight = Weight
figures-weight-short = Weight
figures-length-short = Norm
figures-normed-short = Norm
figures-zeroing-short = Share
figures-length = Norm of weight × value, share of row
figures-normed = Norm added to output, share of row
figures-zeroing = Effect of value zeroing, share of row

## Matrices of tokens by tokens

figures-matrix-key = Key (column)
figures-matrix-query = Query (row)
figures-matrix-query-attends = Query (row) attends to →

## One head in detail

figures-heatmap-top = { $what }, colours from 0 to { $top }
figures-heatmap-contrast = { $what } ÷ row maximum
figures-heatmap-product = Dot product q·k
figures-heatmap-score = Scaled score q·k / √d_k
figures-heatmap-may-look = Mask: allowed
figures-heatmap-rank = Rank in row
figures-heatmap-row-sum = Row sum
figures-heatmap-column-sum = Column sum
figures-together-single = { $what } in a single head
figures-together-group = { $n ->
    [one] { $n } head
   *[other] { $n } heads
 }: { $key }

## Two sentences

figures-pairs-key = Shared key (column)
figures-pairs-query = Shared query (row) attends to →
figures-pairs-first = Sentence 1
figures-pairs-second = Sentence 2
figures-pairs-difference = Δ weight
figures-pairs-second-minus-first-weight = Δ weight (sentence 2 − sentence 1)
figures-pairs-second-minus-first-length = Δ vector norm (sentence 2 − sentence 1)
figures-pairs-second-minus-first-normed = Δ output norm (sentence 2 − sentence 1)

## Effect of an intervention

figures-effect-before = Before
figures-effect-after = After
figures-effect-after-minus-before-weight = Δ weight (after − before)
figures-effect-after-minus-before-length = Δ vector norm (after − before)
figures-effect-after-minus-before-normed = Δ output norm (after − before)
figures-effect-change = Δ log p
figures-effect-change-of-log-p = Change of log p (Δ log p)
figures-effect-log-p-before = log p before
figures-effect-log-p-after = log p after
figures-effect-rank-before = Rank before
figures-effect-rank-after = Rank after
figures-effect-forbidden = Masked by the intervention

## Attention compared with other measures

figures-explain-asks-attention = Where attention goes
figures-explain-asks-drop = What is lost without it (leave-one-out, LOO)
figures-explain-asks-gradient = What a tiny change would do
figures-explain-attention = Attention weight
figures-explain-attention-short = Attention
figures-explain-drop = Drop of log-probability when hidden
figures-explain-rank = { FIXED($value) } (rank { $rank })
figures-explain-fall = { PERCENT($before) } → { PERCENT($after) }
figures-explain-gradient = Gradient × input
figures-explain-correlation = Rank correlation

## All heads at a glance

figures-overview-by-layer = Layers of { $site }

## Ablated heads

figures-knockout-output = Output
figures-knockout-without = Ablated head

## Hidden words
figures-pronoun-flips = Flip rate
figures-pronoun-from = Hidden from
figures-pronoun-hidden = Hidden word
figures-pronoun-hidden-from = Hidden from
figures-pronoun-interval-from = 95% CI low
figures-pronoun-interval-to = 95% CI high
figures-pronoun-pronoun-flips = Pronoun flip rate
figures-pronoun-sentences = Sentences

## Ribbons

figures-ribbons-key = → To (key)
figures-ribbons-key-up = ↑ To (key)
figures-ribbons-mean = Mean
figures-ribbons-query = From (query) →
figures-ribbons-query-up = ↑ From (query)
figures-ribbons-sum = Sum
figures-ribbons-note =
    { $n ->
        [one] Layer { $layer }: { $links } edge. Hidden: { $hidden } of all weight
       *[other] Layer { $layer }: { $links } edges. Hidden: { $hidden } of all weight
    }
figures-ribbons-note-part =
    { $n ->
        [one] Layer { $layer }: { $links } edge, { $drawn } drawn. Hidden: { $hidden } of all weight
       *[other] Layer { $layer }: { $links } edges, { $drawn } drawn. Hidden: { $hidden } of all weight
    }
figures-ribbons-note-rows = { $n_heads ->
    [one] { $queries }: means add up to { $mean }, sums to { $sum }
   *[other] { $queries }: mean over { $n_heads } heads; means add up to { $mean }, sums to { $sum }
 }

## Masks

figures-mask = Mask
figures-mask-exp = exp(· − row maximum)
figures-mask-may-look = Allowed
figures-mask-may-not-look = Masked
figures-mask-score = Score
figures-mask-share-moved = Share on masked keys
figures-mask-weight = Weight

## The arithmetic of one row

figures-arithmetic-bias = Bias
figures-arithmetic-component = Component
figures-arithmetic-context = Sum = head output
figures-arithmetic-divided = Scaled (÷ √d_k)
figures-arithmetic-end-to-end = Concatenated heads
figures-arithmetic-entropy = Entropy (bits)
figures-arithmetic-exp = exp(· − max)
figures-arithmetic-gradient = Softmax gradient
figures-arithmetic-largest = Max. weight
figures-arithmetic-length-of-context = ‖W_O · head output‖ (norm)
figures-arithmetic-length-of-head = ‖W_O · head‖ (norm)
figures-arithmetic-mask = + mask
figures-arithmetic-not-divided = Unscaled
figures-arithmetic-other-heads = W_O · other heads
figures-arithmetic-others =
    { $n ->
        [one] { $n } other
       *[other] { $n } others
    }
figures-arithmetic-output = Sum = output
figures-arithmetic-part = Part
figures-arithmetic-relative = + relative bias
figures-arithmetic-row = Row
figures-arithmetic-scaled = Scaled (÷ √{ $d_k })
figures-arithmetic-this-head = W_O · this head
figures-arithmetic-unscaled = Unscaled
figures-arithmetic-weight = ÷ sum = weight
figures-arithmetic-weight-times-value = Weight × value

## Rules of attention, measured

figures-check-finite = All weights are finite
figures-check-finite-measured = { $n } of { $of } weights are not finite
figures-check-no-negative = No weight is negative
figures-check-no-negative-measured = smallest weight { $smallest }
figures-check-vectors = Vectors sum to the output (relative error { SCIENTIFIC($error) })
figures-check-vectors-measured = largest relative distance between the sum and the model’s own output: { SCIENTIFIC($error) } (tolerance { SCIENTIFIC($most) })
figures-check-rows = Rows sum to 1
figures-check-rows-measured = largest deviation { $deviation } in { $rows } rows of { $heads ->
        [one] { $heads } head
       *[other] { $heads } heads
    }
figures-check-rows-free = Rows need not sum to 1 here
figures-check-rows-free-measured = sums from { $least } to { $most } in { $rows } rows of { $heads ->
        [one] { $heads } head
       *[other] { $heads } heads
    }
figures-check-padding = Padding has weight 0
figures-check-padding-measured = with { $n_source } padding tokens in the source and { $n_target } in the target, the largest weight on padding is { SCIENTIFIC($weight) } and the largest change elsewhere { SCIENTIFIC($change) }
figures-check-future = Future tokens have weight exactly 0
figures-check-future-measured = { $n } of { $of } masked weights of { $heads ->
        [one] { $heads } head
       *[other] { $heads } heads
    } are not 0; the largest is { $largest }
figures-check-shown-and-hidden = Shown and hidden weights sum to 1
figures-check-shown-and-hidden-measured = { $shown } shown and { $hidden } hidden, mean of { $rows } rows
figures-check-rows-as-shown = Rows as shown sum to 1
figures-check-rows-as-shown-measured =
    { $empty ->
        [0] largest deviation { $deviation } in { $rows } rows
       *[other] largest deviation { $deviation } in { $rows } rows; left out because no weight remains: { $empty }
    }

## Queries and keys as points

figures-space-axis = PC { $n } ({ $share } of variance)
figures-space-edge = Weight ≥ { $least }
figures-space-largest = Largest weights
figures-mask-on-masked = Weight on masked keys
