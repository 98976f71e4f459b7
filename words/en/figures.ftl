# What charts say: titles of axes and colour bars, tooltips, words beside the marks.

figures-query = query
figures-head = head
figures-head-code = L{ $layer } H{ $head }
figures-head-of = { $site }, layer { $layer }, head { $head }
figures-key = key
figures-layer = layer
figures-looks-at = looks at
figures-probability = probability
figures-probability-of-being-next = probability of being next
figures-share = share
figures-source-token = source token
figures-token = token
figures-value = value
figures-weight = weight

## Matrices of tokens by tokens

figures-matrix-key = key (column)
figures-matrix-query = query (row)
figures-matrix-query-attends = query (row) attends to →

## One head in detail

figures-heatmap-contrast = { $what } ÷ largest of its row
figures-heatmap-product = score q·k
figures-heatmap-score = scaled: ÷ √d_k
figures-heatmap-may-look = mask: may look
figures-heatmap-rank = rank in row
figures-heatmap-row-sum = sum of the row
figures-heatmap-column-sum = sum of the column

## Two sentences

figures-pairs-key = shared key (column)
figures-pairs-query = shared query (row) attends to →
figures-pairs-first = first sentence
figures-pairs-second = second sentence
figures-pairs-difference = difference
figures-pairs-second-minus-first = second minus first

## What a change does

figures-effect-before = before
figures-effect-after = after
figures-effect-after-minus-before = after minus before
figures-effect-change = change
figures-effect-change-of-log-p = change in log p
figures-effect-log-p-before = log p before
figures-effect-log-p-after = log p after
figures-effect-rank-before = rank before
figures-effect-rank-after = rank after
figures-effect-forbidden = forbidden by the change

## Attention beside other measures

figures-explain-attention = attention weight
figures-explain-attention-short = attention
figures-explain-drop = drop of log p when hidden
figures-explain-gradient = gradient × input
figures-explain-correlation = rank correlation

## All heads at a glance

figures-overview-by-layer = { $site }, by layer

## Heads switched off

figures-knockout-all-heads = { $token } { $probability }, all heads
figures-knockout-output = output
figures-knockout-probability = probability in its place
figures-knockout-without = without

## Words hidden

figures-hiding-flips = flips
figures-hiding-from = from
figures-hiding-hidden = hidden
figures-hiding-hidden-from = hidden from
figures-hiding-interval-from = 95 % from
figures-hiding-interval-to = 95 % to
figures-hiding-nothing = nothing hidden
figures-hiding-pronoun-flips = pronoun flips
figures-hiding-sentences = sentences

## Ribbons

figures-ribbons-head = ━ head { $head }
figures-ribbons-key = → key (column)
figures-ribbons-query = query (row) →
figures-ribbons-note =
    { $n ->
        [one] layer { $layer }: { $links } link; hidden: { $hidden } of all weight
       *[other] layer { $layer }: { $links } links; hidden: { $hidden } of all weight
    }
figures-ribbons-note-part =
    { $n ->
        [one] layer { $layer }: { $links } link, { $drawn } of them drawn; hidden: { $hidden } of all weight
       *[other] layer { $layer }: { $links } links, { $drawn } of them drawn; hidden: { $hidden } of all weight
    }

## A decision traced

figures-trace-change = change in log-odds
figures-trace-cross = cross { $layer }
figures-trace-decoder = decoder { $layer }
figures-trace-encoder = encoder { $layer }
figures-trace-for-rival = for the rival
figures-trace-for-token = for the token
figures-trace-from = token that looks
figures-trace-size = |change of the log-odds|
figures-trace-speaks = the link speaks

## Masks

figures-mask = mask
figures-mask-exp = exp(· − row's largest)
figures-mask-log-p = natural log p of the token
figures-mask-may-look = may look
figures-mask-may-not-look = may not look
figures-mask-mean-share = mean share
figures-mask-mean-share-of-row = mean share of a row
figures-mask-moved = moved by the mask
figures-mask-score = score
figures-mask-score-and-mask = score + mask
figures-mask-share-moved = share the mask moves
figures-mask-share-of-row = share of the row
figures-mask-share-of-sum = ÷ row's sum
figures-mask-sum = { $run }: sum { $sum }
figures-mask-weight = ÷ row's sum = weight
figures-mask-with = With the mask
figures-mask-without = Without it, from the same scores

## The arithmetic of one row

figures-stages-bias = bias
figures-stages-component = component
figures-stages-context = sum = context
figures-stages-divided = divided by √d_k
figures-stages-end-to-end = heads, end to end
figures-stages-entropy = entropy (bits)
figures-stages-exp = exp(· − max)
figures-stages-gradient = gradient of the softmax
figures-stages-largest = largest weight
figures-stages-length-of-context = length of W_O · context
figures-stages-length-of-head = length of W_O · head
figures-stages-mask = + mask
figures-stages-not-divided = not divided
figures-stages-other-heads = W_O · other heads
figures-stages-others =
    { $n ->
        [one] { $n } other
       *[other] { $n } others
    }
figures-stages-output = sum = output
figures-stages-part = part
figures-stages-row = row
figures-stages-scaled = with ÷ √{ $d_k }
figures-stages-this-head = W_O · this head
figures-stages-unscaled = without
figures-stages-weight = ÷ sum = weight
figures-stages-weight-times-value = weight × value

## Rules of attention, measured

figures-check-finite = every weight is a number
figures-check-finite-measured = { $n } of { $of } weights are not finite
figures-check-no-negative = no weight is negative
figures-check-no-negative-measured = smallest weight { $smallest }
figures-check-rows = rows sum to one
figures-check-rows-measured = largest deviation { $deviation } in { $rows } rows of { $heads ->
        [one] { $heads } head
       *[other] { $heads } heads
    }
figures-check-rows-free = rows need not sum to one here
figures-check-rows-free-measured = sums from { $least } to { $most } in { $rows } rows of { $heads ->
        [one] { $heads } head
       *[other] { $heads } heads
    }
figures-check-padding = padding is zero
figures-check-padding-measured = run again with { $n_source } padding tokens behind the source and { $n_target } behind the target: largest weight on them { $weight }, largest change of any other weight { $change }
figures-check-future = future weights are exactly zero
figures-check-future-measured = { $n } of { $of } masked weights in { $heads ->
        [one] { $heads } head
       *[other] { $heads } heads
    } differ from 0, the largest { $largest }
figures-check-shown-and-hidden = shown and hidden weight sum to one
figures-check-shown-and-hidden-measured = { $shown } shown and { $hidden } hidden, mean of { $rows } rows
figures-check-rows-as-shown = rows as shown sum to one
figures-check-rows-as-shown-measured =
    { $empty ->
        [0] largest deviation { $deviation } in { $rows } rows
       *[other] largest deviation { $deviation } in { $rows } rows; { $empty } with nothing left set aside
    }
