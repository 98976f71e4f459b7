# The attention page.

# The heads in the browser.

heads-open = { $site }, layer { $layer }, head { $head }
heads-open-single = { $site }
heads-open-layer = { $site }, layer { $layer }
heads-open-several = { $site }, layer { $layer }, heads { $heads }
heads-token = Token { $place }, id { $id }. Click to select it. “·” before a token means that it continues a word.
heads-unknown = Token { $place }: “{ $token }” is not in the vocabulary. The model reads the unknown token instead (id { $id }).
heads-hide = Hide “{ $word }”
heads-unhide = Show “{ $word }” again
heads-guided = ◆ guided head (trained where to attend)
heads-masked = Masked
heads-framed = Selected row
heads-most = row max.
heads-enlarge = Full screen
heads-leave = Exit full screen
heads-closer = Enlarge the matrix
heads-farther = Shrink the matrix
heads-point = Hover over a row to see its { $measure ->
    [weight] weights
    [zeroing] shares
   *[other] norms
  } as bars. Click to keep it.

# Headline of a head: what it attends to in this sentence.

attention-headline = { $n ->
    [one] { $query } attends { $only ->
        [yes] to
       *[no] most to
    } { $key } ({ $weight }).
   *[other] On average, { $query } attend { $only ->
        [yes] to
       *[no] most to
    } { $key } ({ $weight }).
  }
attention-headline-other = { $n ->
    [one] { $query } attends
   *[other] On average, { $query } attend
  } most to { $largest } ({ $most }). The weight on { $key } is { $weight }.
attention-headline-role = In this sentence, the head { $does } ({ $value }).
attention-headline-largest = The largest weight of this head is from { $query } to { $key } ({ $weight }).

# Norms instead of weights.

attention-measure = Numbers shown
attention-measure-weight = Weight
attention-measure-length = Vector norm
attention-measure-normed = Output norm
attention-measure-zeroing = Value zeroing
attention-measure-length-told = Vector norm ‖αf(x)‖: norm of the vector that a key contributes (weight × value, after W_O), as a share of its row (Kobayashi et al. 2020).
attention-measure-normed-told = Output norm: norm of what a key contributes to the layer’s output, as a share of its row (Kobayashi et al. 2021). It includes all heads, the residual connection and the linear part of LayerNorm. { $residual ->
    [own] The diagonal contains the query’s own residual as well.
   *[other] The query’s own residual is the rest of its row.
  }
attention-measure-zeroing-told = Value zeroing of an encoder layer, all heads together, as a share of its row (Mohebbi et al. 2023). It measures how much the output of the query changes in direction (1 − cos) when the key’s values are 0. Single heads have no map.
attention-sink = In { $site }, { $tokens } get this mean share of a row, first by weight, then by norm: { $layers }.
attention-sink-layer = { $open ->
    [1] **layer { $layer } { PERCENT($weight, digits: 0) } → { PERCENT($norm, digits: 0) }**
   *[other] layer { $layer } { PERCENT($weight, digits: 0) } → { PERCENT($norm, digits: 0) }
  }

attention-overview-name = All heads, { $badge }
attention-open-link = Select { $head }: “{ $row }” → “{ $column }”, { $weight }
attention-open-measured = Select { $head }: best on held-out sentences
attention-routes = No head was given a target to attend to. In part of the training, the translation of “{ $pronoun }” could be predicted only from the encoder state of “{ $pronoun }”.
attention-guided = :orange-badge[guided] Layer { $layer }, head { $head } of this model was *trained* to { $site ->
    [cross] align the words of both languages
   *[other] attend from the pronoun to its antecedent
 }. It did not learn this by itself.
attention-link = { $n ->
    [one] The weight from { $who } to “{ $noun }” is
   *[other] Of all { $n } heads here, { $best } has the largest weight from { $who } to “{ $noun }”:
 } **{ $weight }**{ $other ->
    [none] .
   *[other] {" "}(to “{ $other }”: { $there }).
 }{ $size ->
    [little] {" "}This is small: no head of this attention type links the two words in this sentence.
   *[large] {""}
 }
attention-link-word = “{ $word }”
attention-link-writer = the position that predicts “{ $word }”
attention-decides = { $head } attends from the pronoun to “{ $word }”, the word that decides the antecedent: **{ $weight }**.
attention-serves = The margin of { $head }, its weight on the antecedent minus that on the distractor noun, is **{ $margin }** (mean over { $n } held-out sentences). With the head on the deciding word ablated, the margin is **{ $without }**. With { $server } ablated, on which it depends most, it is **{ $without_server }**.
attention-two-heads-alt = { $site }, the row of “{ $pronoun }” in two heads, one below the other: { $first } attends to “{ $noun }”, { $second } to “{ $word }”.
attention-measured-title = Statistics
attention-measured-over = { $n ->
    [0] held-out sentence pairs
    [one] { $n } held-out sentence pair
   *[other] { $n } held-out sentence pairs
  }
attention-measured = { $found ->
    [little] On { $over }, no head of this attention type tracks the antecedent. The closest, { $head }, gives it **{ $margin }** more weight than the distractor noun on average
    [best] On { $over }, { $head } tracks the antecedent best. It gives the antecedent **{ $margin }** more weight than the distractor noun on average
   *[nothing] On { $over }, { $head } tracks the antecedent best
  }{ $halves ->
    [told] {" "}({ $first } and { $second } in the two halves of the pairs).
   *[untold] .
  }
attention-measured-other = In { $site }, the best head is { $head }, with **{ $margin }** more weight.

attention-together = Aggregation
attention-together-mean = Mean
attention-together-max = Max
attention-together-spread = Std. dev.
attention-together-rollout = Rollout
attention-together-flow = Flow
attention-head-name = { $site } { $head }{ $measure ->
    [weight] {""}
    [zeroing] , value zeroing
    [length] , vector norm
   *[other] , output norm
  }: { $text }
attention-together-of-layer = { $how }, layer { $layer }
attention-together-alt = { $how } over the heads of { $site }: { $n_rows } query rows by { $n_columns } key columns, with the row of “{ $row }” in each of { $n_heads } heads.
attention-together-file = { $short } { $which }: { $text }
attention-together-largest = “{ $row }” has its largest value at “{ $key }” (**{ $value }**).
attention-together-agree = { $n ->
    [0] No single head agrees.
    [one] **{ $n } of { $of } heads** agrees.
   *[other] **{ $n } of { $of } heads** agree.
 }
attention-together-hides = Not visible in this map: { $head } attends to “{ $key }” (**{ $weight }**).
attention-together-from = It comes from { $head }.
attention-together-range = There, single heads range from { $low } to { $high }.
attention-what-mean = { $measure ->
    [weight] Mean weight
   *[other] Mean share of norm
  }
attention-what-max = { $measure ->
    [weight] Max. weight
   *[other] Max. share of norm
  }
attention-what-spread = { $measure ->
    [weight] Standard deviation
   *[other] Standard deviation of the share of norm
  }
attention-what-rollout = Attention rollout
attention-what-flow = Maximum flow
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
attention-flow-one-row = For a sentence of this length, flow is computed for one row only: the selected row, or else the last.
attention-sums-one = Each row sums to 1.
attention-sums-other = Rows do *not* sum to 1 here, but to { $low }.
attention-sums-between = Rows do *not* sum to 1 here; their sums range from { $low } to { $high }.
attention-merged-combined = Subwords are merged into words before the heads are aggregated.
attention-merged-rollout = Subwords are merged into words at the end: columns are summed and rows averaged.
attention-merged-flow = Subwords are merged into words: those of a column share one flow, and those of a row are averaged.
attention-left-out = Special tokens are hidden. All other weights are unchanged.
attention-renormalised-flow = Special tokens are hidden. Flow is not renormalised.
attention-renormalised-combined = Special tokens are hidden, and each head’s rows are renormalised before aggregation.
attention-renormalised-rollout = Special tokens are hidden, and the rows are renormalised.

attention-checks = Self-check results
attention-checks-failed = { $n ->
    [one] { $n } of { $of } checks fails. Open the self-check results for the numbers.
   *[other] { $n } of { $of } checks fail. Open the self-check results for the numbers.
  }
attention-checks-measured = The checks use the weights of { $site } as the model computed them.

attention-strongest = **{ $best }** puts **{ $weight }** of its { $measure ->
    [weight] weight
    [zeroing] effect
   *[other] norm
  } from { $queries } on { $keys }, the most of { $n } { $measure ->
    [normed] layers
    [zeroing] layers
   *[other] heads
  }.{ $rank ->
    [1] {""}
   *[other] {" "}The selected { $open } puts { $here } there.
  }
attention-strongest-summed = { $measure ->
    [weight] Weights
    [zeroing] Shares
   *[other] Norms
  } are summed over the keys and averaged over the queries.

attention-share = Attention mass drawn
attention-share-help = For each query and head, edges are drawn from the largest weight down until they add up to this share of the row’s weight. The text below the figure states the share that is not drawn.
ribbons_layout = Layout
ribbons_layout-vertical = Vertical
ribbons_layout-horizontal = Horizontal
ribbons_layout-help = Vertical: queries on the left, keys on the right. Horizontal: the same picture turned left, so that queries are below and keys above.
attention-ribbons-name = Head view, { $head }
attention-ribbons-none = No head is shown, so no edges are drawn.
attention-ribbons-drawn = In layer { $layer }, { $n_heads ->
    [one] head { $heads } has
   *[other] heads { $heads } have
  } { $n ->
    [one] { GROUPED($n) } edge
   *[other] { GROUPED($n) } edges
  } at this setting. The edges left out contain { PERCENT($hidden) } of all { $measure ->
    [weight] weight
   *[other] norms
  }.
attention-ribbons-drawn-single = { $n ->
    [one] The head has { GROUPED($n) } edge
   *[other] The head has { GROUPED($n) } edges
  } at this setting. The edges left out contain { PERCENT($hidden) } of all { $measure ->
    [weight] weight
   *[other] norms
  }.
attention-ribbons-lost = For heads with very many edges, only the strongest are drawn. This alone leaves out up to { PERCENT($share) } of a head’s weight.

# Part of a long text, where a picture cannot show all tokens.

window-queries = First token shown
window-keys = First key shown
window-queries-help = The text is too long to be drawn at once. The part opens at the selected token; move the slider to see another part.
window-keys-help = The text is too long to be drawn at once. The part opens at the selected key, or at the largest value of the first query; move the slider to see another part.
window-shown = Only a part is drawn: queries { $first } to { $last } of { $of }, keys { $first_key } to { $last_key } of { $of_keys }. In { $head }, these queries have { PERCENT($outside) } of their { $measure ->
    [weight] weight
    [zeroing] effect
   *[other] norm
  } on other keys.

attention-pair-badge-first = Sentence 1
attention-pair-badge-second = Sentence 2
attention-pair-second = Sentence 2
attention-pair-second-none = Type a sentence that differs in one word
attention-pair-use = Use “{ $text }”
attention-pair-first-stays = Sentence 1 is unchanged.
attention-pair-ended = → *empty output: the model predicted the end-of-sentence token at once*
attention-pair-row = { $row } (in sentence 2: { $second })
attention-pair-first-alt = { $head } of { $site } for sentence 1: { $n_rows } query rows by { $n_columns } key columns.
attention-pair-second-alt = { $head } of { $site } for sentence 2: { $n_rows } query rows by { $n_columns } key columns.
attention-pair-first-file = { $file }
attention-pair-second-file = { $file }
attention-pair-difference = Δ { measured } (sentence 2 − sentence 1), { $head }
attention-pair-difference-alt = Sentence 2 minus sentence 1, { measured } of { $head }: { $n_rows } shared query rows by { $n_columns } shared key columns. The largest changes are written out as text.
attention-pair-difference-file = Δ { measured }, { $file } vs. { $text }
attention-pair-heads = Most changed heads
attention-pair-heads-name = Head
attention-pair-heads-moved = Weight moved
attention-pair-heads-moved-help = Total variation distance (TVD) over the shared keys: half the summed absolute difference of a row, averaged over the shared rows.
attention-pair-heads-first = Sentence 1
attention-pair-heads-second = Sentence 2
attention-pair-heads-weight = The last two columns give the { measured } from { $row } to { $column } in each sentence.
attention-pair-heads-alt = { $n ->
    [one] The only head of { $site }.
   *[other] All { $n } heads of { $site }, most changed first.
  }
attention-pair-heads-caption = The selected head, { $head }, is in row { $line } of { $of }. Click the box at the left of a row to select its head.
attention-pair-choose = Select a query and a key above to compare their { measured } in both sentences.
attention-pair-weight = The { measured } from { $row } changes: { $weights } (sentence 1 → sentence 2).
attention-pair-largest = The largest change of all heads is in { $head }, from { $row } to { $column }: **{ $before }** → **{ $after }**.
attention-pair-most = No head changes more.
attention-pair-open = Open { $head }
attention-pair-weight-to = to { $column } **{ $before }** → **{ $after }**
attention-pair-weight-most = None of the { $n } heads changes the { measured } to { $column } more.
attention-pair-weight-other = Of all { $n } heads, { $head } changes the { measured } to { $column } most: **{ $before }** → **{ $after }**.
attention-pair-missing-rows = Sentence 2 has no counterpart for { $rows } of sentence 1, so the selected { measured } cannot be compared.
attention-pair-missing-columns = Sentence 2 has no counterpart for { $columns } of sentence 1, so the selected { measured } cannot be compared.
attention-pair-missing-rows-columns = Sentence 2 has no counterpart for { $rows } and { $columns } of sentence 1, so the selected { measured } cannot be compared.
attention-pair-moved = On average, this head moves **{ PERCENT($share) }** of a row’s { measured } (total variation distance over { $n ->
    [one] { $n } shared row
   *[other] { $n } shared rows
  }). The row of { $row } changes most: { PERCENT($most) }.

attention-token-read = “{ $token }” (input token)
attention-token-produced = “{ $token }” (output token)
attention-arithmetic-pieces = Other views merge subwords into words. The model computes with subwords, so this view shows subwords.
attention-arithmetic-first = Of the { $n } selected queries, the first is shown: { $query }.
attention-arithmetic-last = No query is selected, so the last one is shown.
attention-arithmetic-step = Step
attention-arithmetic-step-weight = Weight
attention-arithmetic-step-output = Output
attention-arithmetic-step-scaling = No √d_k
attention-arithmetic-step-additive = Additive
attention-arithmetic-product = For { $query } and { $key }, the dot product :blue[q]·:orange[k] (a sum of { $d_k } products) is **{ COMPACT($dot) }**. Divided by √{ $d_k }, it is **{ COMPACT($quotient) }**{ $biased ->
    [yes] ; with the position bias, **{ COMPACT($score) }**
   *[no] {""}
 }. The softmax over { $n } keys turns this score into a weight of **{ FIXED($weight) }**.
attention-arithmetic-softmax = Dividing :blue[q]·:orange[k] = { COMPACT($dot) } by √{ $d_k } = { $root } gives { $biased ->
    [yes] { COMPACT($quotient) }. The relative position bias of this head adds { COMPACT($relative) } at this distance, so the score is { COMPACT($score) }.
   *[no] { COMPACT($score) }.
 }
attention-arithmetic-weight = { $masked ->
    [0] No key is masked here.
    [one] The mask adds 0 to this key and −∞ to { $masked } future key.
   *[other] The mask adds 0 to this key and −∞ to { $masked } future keys.
  } For numerical stability, the largest score of the row, { COMPACT($largest) }, is subtracted: exp({ COMPACT($score) } − { $bracketed }) = { FIXED($term) }. The exponentials of all keys sum to { FIXED($total) }, so the weight is **{ FIXED($weight) }**.
attention-arithmetic-future = This key comes after the query. The mask adds −∞ and exp(−∞) = 0, so the weight is **exactly 0**.
attention-arithmetic-equal = The weights recomputed from q and k match the model’s own weights (largest difference { SCIENTIFIC($difference) }).
attention-arithmetic-unequal = The weights recomputed from q and k differ from the model’s own weights by up to { SCIENTIFIC($difference) }.
attention-arithmetic-values = Each key’s :green[value] vector is multiplied by its weight. The sum is the head’s output (context vector) for this query. { $key } has the largest weight: { FIXED($weight) }.
attention-arithmetic-smallest = The { $n } smallest terms are drawn as one row.
attention-arithmetic-output = { $n ->
    [one] The output of the only head ({ $n } × { $d_k } = { $d_model } numbers) is multiplied by W_O. The head contributes a vector of norm { $length } to an output of norm { $whole }.
   *[other] The outputs of { $n } heads are concatenated ({ $n } × { $d_k } = { $d_model } numbers) and multiplied by W_O. This head contributes a vector of norm { $length } (rank { $rank } of { $n }) to an output of norm { $whole }.
  }
attention-arithmetic-scaling = Without the division by √{ $d_k }, the largest weight of this row is **{ $largest_off }** instead of **{ $largest }**.
attention-arithmetic-additive-largest = From the same vectors, dot-product attention gives { $key } the largest weight ({ FIXED($weight) }). Untrained additive attention gives { $same ->
    [yes] the same key { FIXED($additive) }
   *[no] the largest weight to { $other } ({ FIXED($additive) })
 }.
attention-arithmetic-dot-product = Dot product
attention-arithmetic-additive =
    Additive
    (untrained)
attention-arithmetic-costs = The table gives the cost of one head with d_k = { $d_k }, from vectors to weights, on this machine’s CPU in float32. Time is the median of three runs; memory counts all intermediate tensors.
attention-costs-size = Queries × keys
attention-costs-dot-time = Dot: time
attention-costs-additive-time = Additive: time
attention-costs-dot-memory = Dot: memory
attention-costs-additive-memory = Additive: memory
attention-costs-here = { $size } (this sentence)
attention-arithmetic-stages-alt = The components of query, key and their product as bars. Below: dot product, scaled score, mask, exponential and weight for every key. The numbers of the selected key are written out as text.
attention-arithmetic-values-alt = Weight times value for each key, { $d_k } components across. The last row is their sum.
attention-arithmetic-output-alt = The concatenated outputs of all heads, the norm of each after W_O, and the parts that add up to the output.
attention-arithmetic-scaling-alt = The weights of this row with and without division by the square root of d_k.
attention-arithmetic-curves-alt = Largest weight, entropy and softmax gradient for random vectors of 1 to 512 components, with and without division by the square root of d_k.
attention-arithmetic-additive-alt = The weights of dot-product attention and of untrained additive attention for this query.
attention-arithmetic-stages-file = Scale, mask, softmax, { $head }
attention-arithmetic-values-file = Weighted values, { $head }
attention-arithmetic-output-file = W_O projection, { $head }
attention-arithmetic-scaling-file = Scaling, { $head }
attention-arithmetic-curves-file = Scaling curves, { $head }
attention-arithmetic-additive-file = Additive attention, { $head }

# Failures of a model: a name for each cause, then the note below its output.
attention-breaks = Failures
attention-breaks-chip = { $name } →
attention-breaks-opens = Opens “{ $page }”.
attention-breaks-greedy = Greedy search
attention-breaks-hidden = Hidden word
attention-breaks-padding = No padding mask
attention-breaks-residual = No residual (L4)
attention-breaks-first = No residual (L1)
attention-breaks-positions = No positions
attention-breaks-reversed = Reversed order
attention-breaks-sense = Wrong sense
attention-breaks-beer = Literal translation
attention-breaks-en-de-greedy = In English: “… reserve two a table for a table.” Beam search avoids this.
attention-breaks-en-de-hidden = In English: “The street didn’t cross the street because it was too tired.” Without “animal”, “street” becomes the subject as well.
attention-breaks-en-de-padding = The sentence is padded to 15 tokens. Its translation is followed by an invented word and stray symbols.
attention-breaks-en-de-residual = In English: “Our brother eats the saw. It is broken.” In encoder layer 4, the self-attention output replaces its input instead of being added to it.
attention-breaks-en-de-first = In English: “A vet.” In encoder layer 1, the self-attention output replaces its input instead of being added to it.
attention-breaks-en-de-positions = In English: “I would like a book.” Without word order, the verb “book” is read as a noun.
attention-breaks-en-de-reversed = In English: “Snow that plays in a ball plays dogs.”
attention-breaks-ko-en-greedy = Correct: “I’m in a bad mood because I failed the exam.” Beam search finds it.
attention-breaks-ko-en-sense = Correct: “I took a boat and ate a pear.” 배 means both.
attention-breaks-ko-en-beer = Correct: “I’ll have a beer.” The Korean has no word for “have”.
attention-breaks-ko-en-padding = Correct: “The cat is sleeping.” The sentence is padded to the length of a longer one in its batch.
attention-breaks-ko-en-first = The second sentence is lost: “She teaches children at school.” In encoder layer 1, the self-attention output replaces its input instead of being added to it.
attention-breaks-ko-en-positions = Correct: “My mother is a teacher. …” Without word order, the children take the teacher’s place.
