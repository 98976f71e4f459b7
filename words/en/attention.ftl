# The attention page.

# The heads in the browser.

heads-open = { $site }, layer { $layer }, head { $head }
heads-open-single = { $site }
heads-token = Token { $place }, id { $id }: click to see where it looks
heads-unknown = Token { $place }: “{ $token }” is not in the vocabulary; the model sees an unknown token, id { $id }
heads-guided = ◆ trained to look there
heads-masked = masked: may not look
heads-enlarge = Full screen
heads-leave = Leave full screen
heads-point = Point at a row to see its weights as bars; click to keep it.

attention-overview-name = overview { $badge }
attention-open-link = “{ $row }” → “{ $column }”: { $head }, { $weight }
attention-open-measured = Best over many sentences: { $head }
attention-routes = No head was told where to look. In part of the training the translation of “{ $pronoun }” had to be read off “{ $pronoun }” alone.
attention-guided = :orange-badge[guided] Layer { $layer }, head { $head } of this checkpoint was *trained* to look from the pronoun to its noun; it did not find that by itself.
attention-link = { $n ->
    [one] From { $who } the model looks at “{ $noun }” with { $weights }.
   *[other] From { $who }, { $best } looks most at “{ $noun }” of all { $n } heads here: { $weights }.
 }
attention-link-word = “{ $word }”
attention-link-writer = the position that writes “{ $word }”
attention-link-weight = **{ $weight }**
attention-link-weights = **{ $weight }** (on “{ $other }”: { $there })
attention-link-little = That is little: no head of this kind makes the link in this sentence.
attention-decides = { $head } looks at “{ $word }”, which decides which noun is meant: **{ $weight }**.
attention-serves = { $head } looks at the noun meant by { $margin } more than at the other one, over { $n } held-out sentences; with the head of the property switched off by { $without }, without { $server }, which it needs most, by { $without_server }.
attention-two-heads-alt = { $site }, rows of two heads: the weights of “{ $pronoun }” in two heads, one below the other: { $first } looks at “{ $noun }”, { $second } at “{ $word }”.
attention-measured-title = Measured
attention-measured-over = { $n ->
    [0] held-out pairs
    [one] { $n } held-out sentence pair
   *[other] { $n } held-out sentence pairs
  }
attention-measured = Over { $over }, { $head } follows the antecedent best.
attention-measured-best = { $halves ->
    [told] Over { $over }, { $head } follows the antecedent best: on average **{ $margin }** more weight on it than on the other noun ({ $first } in one half of the pairs, { $second } in the other).
   *[untold] Over { $over }, { $head } follows the antecedent best: on average **{ $margin }** more weight on it than on the other noun.
  }
attention-measured-little = { $halves ->
    [told] Over { $over }, no head of this kind follows the antecedent; { $head } comes closest: on average **{ $margin }** more weight on it than on the other noun ({ $first } in one half of the pairs, { $second } in the other).
   *[untold] Over { $over }, no head of this kind follows the antecedent; { $head } comes closest: on average **{ $margin }** more weight on it than on the other noun.
  }
attention-measured-other = In { $site }, { $head } does: **{ $margin }** more.

attention-together = All heads together
attention-together-mean = Mean
attention-together-max = Largest
attention-together-spread = Spread
attention-together-rollout = Rollout
attention-together-flow = Flow
attention-head-name = { $site } { $head }: { $text }
attention-together-of-layer = { $how } of layer { $layer }
attention-together-alt = { $how } over the heads of { $site }: { $n_rows } query rows by { $n_columns } key columns.
attention-together-name = { $site } { $which }: { $text }
attention-what-mean = mean weight
attention-what-max = largest weight
attention-what-spread = standard deviation
attention-what-rollout = rollout
attention-what-flow = maximum flow
attention-heads = { $n ->
    [one] the only head
   *[other] all { $n } heads
  }
attention-layers = { $n ->
    [one] the only layer
   *[other] all { $n } layers
  }
attention-layers-of-target = { $n ->
    [one] the only layer of the decoder
   *[other] all { $n } layers of the decoder
  }
attention-layers-of-site = { $n ->
    [one] the only layer of { $site }
   *[other] all { $n } layers of { $site }
  }
attention-heads-of-layer = { $n ->
    [one] the only head of layer { $layer } of { $site }
   *[other] all { $n } heads of layer { $layer } of { $site }
  }
attention-heads-of-site = { $n ->
    [one] the only head
   *[other] all { $n } heads
  } of { $site } ({ $n_layers ->
    [one] { $n_layers } layer
   *[other] { $n_layers } layers
  } of { $n_heads ->
    [one] { $n_heads } head
   *[other] { $n_heads } heads
  })
attention-flow-one-row = In a sentence of this length only one row is worked out: the chosen one, or else the last.
attention-sums-one = Rows sum to one.
attention-sums-other = Rows do *not* sum to one here, but to { $low }.
attention-sums-between = Rows do *not* sum to one here, but to between { $low } and { $high }.
attention-merged-combined = Pieces were merged into words before the heads were put together.
attention-merged-rollout = Pieces were merged into words at the end: columns summed, rows averaged.
attention-merged-flow = The pieces of a column's word share one flow; those of a row are averaged.
attention-left-out = Special tokens are left out and the rest is as it was.
attention-renormalised-flow = Special tokens are left out; flow is not re-normalised.
attention-renormalised-combined = Special tokens are left out, and each head's rows were divided by what is left first.
attention-renormalised-rollout = Special tokens are left out, and rows are divided by what is left of them.

attention-checks = The numbers of the self-check
attention-checks-failed = { $n ->
    [one] { $n } of { $of } checks fails; the numbers are below.
   *[other] { $n } of { $of } checks fail; the numbers are below.
  }
attention-checks-measured = Measured on { $site }, as computed.

attention-find-queries = Queries: tokens that look
attention-find-keys = Keys: tokens looked at
attention-find-choose = Choose at least one query and one key to rank the heads by the weight between them.
attention-find-best = From { $queries } to { $keys }: **{ $best }** has most of all { $n } heads, **{ $weight }**.
attention-find-better = From { $queries } to { $keys }: **{ $best }** has most of all { $n } heads, **{ $weight }**; the open { $open } has { $open_weight }, place { $place }.
attention-find-summed = Summed over the keys, averaged over the queries.
attention-find-open = Open: { $head }, line { $line } of { $of }. Click the box at the left of a line to open its head, a column's title to sort by it.
attention-find-layer = layer
attention-find-head = head
attention-find-weight = chosen pair
attention-find-largest = largest
attention-find-entropy = entropy, bits
attention-find-distance = distance, tokens
attention-find-previous = on previous
attention-find-same = on same
attention-find-next = on next
attention-find-special = on special

attention-share = Links that carry this part of each row's weight
attention-share-help = For every query and head the largest weights are drawn until they make up this part. The rest is hidden, and its sum is printed.
attention-ribbons-name = ribbons { $head }
attention-ribbons-none = No head is on, so no link is drawn.
attention-ribbons-drawn = Layer { $layer }, { $n_heads ->
    [one] head { $heads }
   *[other] heads { $heads }
  }: { $n ->
    [one] { $links } link
   *[other] { $links } links
  }. Hidden: { $hidden } of all weight.
attention-ribbons-drawn-single = { $n ->
    [one] { $links } link
   *[other] { $links } links
  }. Hidden: { $hidden } of all weight.
attention-ribbons-lost = Heads with very many links show their strongest only; that alone hides up to { $share } of a head's weight.

attention-pair-badge-first = First sentence
attention-pair-badge-second = Second sentence
attention-pair-second = Second sentence
attention-pair-second-none = Type a sentence that differs in one word
attention-pair-use = Use: { $text }
attention-pair-first-stays = The first sentence stays as it is.
attention-pair-ended = → *nothing: it ended at once*
attention-pair-row = { $row } (in the second sentence { $second })
attention-pair-alt-first = { $head } of { $site } in the first sentence: { $n_rows } query rows by { $n_columns } key columns.
attention-pair-alt-second = { $head } of { $site } in the second sentence: { $n_rows } query rows by { $n_columns } key columns.
attention-pair-difference = Second minus first, { $head }
attention-pair-difference-alt = Weights of { $head } in the second sentence minus those in the first: { $n_rows } shared query rows by { $n_columns } shared key columns. The largest changes are written out as text.
attention-pair-difference-name = difference { $head } and { $text }
attention-pair-heads = Heads that moved most
attention-pair-heads-name = head
attention-pair-heads-moved = moved
attention-pair-heads-moved-help = Half the summed absolute difference of a row, mean of the shared rows.
attention-pair-heads-first = first
attention-pair-heads-second = second
attention-pair-heads-weight = First and second: weight from { $row } to { $column }.
attention-pair-heads-alt = { $n ->
    [one] The only head of { $site }.
   *[other] All { $n } heads of { $site }, most moved first.
  }
attention-pair-heads-open = Open: { $head }, line { $line } of { $of }. Click the box at the left of a line to open its head.
attention-pair-choose = Choose a query and a key above to follow one weight from sentence to sentence.
attention-pair-weight = { $head }, first → second sentence: weight from { $row } { $weights }.
attention-pair-weight-to = to { $column } **{ $before }** → **{ $after }**
attention-pair-weight-most = No other of the { $n } heads changes the weight to { $column } more.
attention-pair-weight-other = Of all { $n } heads, { $head } changes the weight to { $column } most: **{ $before }** → **{ $after }**.
attention-pair-missing-rows = { $rows } of the first sentence has no partner in the second, so the chosen weight cannot be followed.
attention-pair-missing-columns = { $columns } of the first sentence has no partner in the second, so the chosen weight cannot be followed.
attention-pair-missing-rows-columns = { $rows } and { $columns } of the first sentence have no partner in the second, so the chosen weight cannot be followed.
attention-pair-moved = Over { $n ->
    [one] { $n } shared row
   *[other] { $n } shared rows
  } this head moves **{ $share }** of a row's weight on average, most in the row of { $row }, **{ $most }**: place { $place } of { $of } heads.

attention-token-read = “{ $token }” (token read)
attention-token-produced = “{ $token }” (token produced)
attention-arithmetic-pieces = Words are merged in the other views. The model computes with pieces, so the arithmetic shows pieces.
attention-arithmetic-first = Of the { $n } chosen queries this is the first, { $query }.
attention-arithmetic-last = No query is chosen, so this is the last one.
attention-arithmetic-product-title = 1 · Query times key
attention-arithmetic-product = In { $head }, the query of { $query } meets the key of { $key }. Both have d_k = { $d_k } components; multiplied one by one and added up they give **q·k = { $dot }**.
attention-arithmetic-softmax-title = 2 · Divide, mask, softmax
attention-arithmetic-softmax = q·k = { $dot }, divided by √{ $d_k } = { $root }, is { $score }.
attention-arithmetic-unmasked = No key is masked here.
attention-arithmetic-masked = { $n ->
    [one] The mask adds 0 here and −∞ to { $n } later key.
   *[other] The mask adds 0 here and −∞ to { $n } later keys.
  }
attention-arithmetic-weight = The largest score, { $largest }, is taken off: exp({ $score } − { $bracketed }) = { $term }. All keys together have { $total }, so the weight is **{ $weight }**.
attention-arithmetic-future = This key lies in the future of the query: the mask adds −∞, exp(−∞) = 0, and the weight is **exactly 0**.
attention-arithmetic-equal = Worked out from q and k alone, the weights equal those the model used; largest difference { $difference }.
attention-arithmetic-unequal = The weights worked out from q and k differ from those the model used by up to { $difference }.
attention-arithmetic-values-title = 3 · Weights times values
attention-arithmetic-values = Every key's value vector is multiplied by its weight, and the sum is the context of this query. { $key } has the largest weight, { $weight }.
attention-arithmetic-smallest = The { $n } smallest are drawn as one row.
attention-arithmetic-output-title = 4 · All heads, then W_O
attention-arithmetic-output = { $n ->
    [one] The contexts of one head stand end to end: { $n } × { $d_k } = { $d_model } numbers.
   *[other] The contexts of { $n } heads stand end to end: { $n } × { $d_k } = { $d_model } numbers.
  } W_O turns them into the output of the sub-layer. This head's part has length { $length }, rank { $rank } of { $n }; the whole output has { $whole }.
attention-arithmetic-scaling-title = Without the division
attention-arithmetic-divide = Divide by √d_k
attention-arithmetic-divide-help = Off: what the softmax makes of the same dot products when they are not divided.
attention-arithmetic-scaling = Divided by √{ $d_k }, the largest weight of this row is **{ $largest }**, its entropy { $entropy } bits and the gradient of the softmax { $gradient }. Not divided: **{ $largest_off }**, { $entropy_off } bits and { $gradient_off }.
attention-arithmetic-additive-title = Additive attention beside it
attention-arithmetic-dot-product = dot product
attention-arithmetic-additive = additive (untrained)
attention-arithmetic-costs = One head with d_k = { $d_k } from vectors to weights, on this machine's CPU in float32. Time: median of three runs. Memory: all tensors made on the way.
attention-costs-size = queries × keys
attention-costs-dot-time = dot product: time
attention-costs-additive-time = additive: time
attention-costs-dot-memory = dot product: memory
attention-costs-additive-memory = additive: memory
attention-costs-here = { $size } (this sentence)
attention-arithmetic-alt-vectors = The { $d_k } components of the query, of the key and of their product as bars.
attention-arithmetic-alt-stages = For every key: dot product, scaled score, mask, exponential and weight. The numbers of the chosen key are written out as text.
attention-arithmetic-alt-values = Weight times value for each key, { $d_k } components across; the last row is their sum.
attention-arithmetic-alt-output = The contexts of all heads end to end, the length of what W_O makes of each, and the parts that add up to the output.
attention-arithmetic-alt-scaling = The weights of this row with the division by the root of d_k and without it.
attention-arithmetic-alt-curves = Largest weight, entropy and gradient of the softmax for random vectors of 1 to 512 components, divided by the root of d_k and not.
attention-arithmetic-alt-additive = The weights of dot-product attention and of untrained additive attention for this query.
attention-arithmetic-name-vectors = vectors { $head }
attention-arithmetic-name-stages = stages { $head }
attention-arithmetic-name-values = values { $head }
attention-arithmetic-name-output = output { $head }
attention-arithmetic-name-scaling = scaling { $head }
attention-arithmetic-name-curves = curves { $head }
attention-arithmetic-name-additive = additive { $head }
