# The page of masks, and what a change of the model's run does.

masks-nothing-written = *nothing: it ended at once*
masks-token-change = “{ $token }” { $change }

# The effect of a change, beside the plain run

masks-effect-none = Nothing is changed yet. Change something, and the effect on the translation, its probability and its attention stands here.

masks-effect-unchanged = **Unchanged:** { $text }
masks-effect-before = :violet-badge[before] { $text }
masks-effect-after = :green-badge[after] { $text }
masks-effect-same-words = The words are the same, cut into other pieces.
masks-effect-unfinished = The search under the change reached its longest output before the sentence ended.
masks-effect-no-pronoun = none
masks-effect-pronouns = { $n ->
    [one] Pronoun
   *[other] Pronouns
 }: { $before } → **{ $after }**

masks-effect-total = log P of the original output: { $before } → **{ $after }** ({ $change })
masks-effect-same = no change
masks-effect-hardly = changed by less than 0.001
masks-effect-likelier = { $change }, { $factor } times likelier
masks-effect-less-likely = { $change }, { $factor } times less likely
masks-effect-peeking = The causal mask is off: re-reading the output, every position sees the tokens to come as well, which no search has. This log P is not that of writing it.
masks-effect-largest = Largest changes in log p: { $changes }.
masks-effect-log-probs-alt = Change in log-probability of each token of the original output; the largest changes are written out as text.
masks-effect-log-probs-file = change in log p { $text }

masks-effect-position = Next-token probabilities at
masks-effect-position-difference = first difference: { $token }
masks-effect-position-drop = largest drop: { $token }
masks-effect-next-caption = Hollow purple, above: before. Solid green, below: after. ▸ stands in the original output. Likeliest before: “{ $first }” { $first_before } (after { $first_after }); after: “{ $second }” { $second_after } (before { $second_before }).
masks-effect-next-alt = Probability of the likeliest next tokens at the chosen position, before and after the change. The largest are written out as text.
masks-effect-next-file = next token at { $position } { $text }

masks-effect-head-before = Before
masks-effect-head-after = After
masks-effect-head-difference = Difference
masks-effect-head-alt = { $side }: the chosen head of { $site }, { $rows ->
    [one] { $rows } query row
   *[other] { $rows } query rows
 } by { $columns ->
    [one] { $columns } key column
   *[other] { $columns } key columns
 }. How much moved is written as text.
masks-effect-head-file = { $site } { $head } before and after: { $text }
masks-effect-moved = Weight that moved in { $head } of { $site }: **{ $mean }** of a row on average{ $row ->
    [0] {""}
   *[other] , most in row { $row } “{ $token }”: { $most }
 }. Half the summed absolute differences of a row; both sides read the original output.{ $forbidden ->
    [yes] {" "}Hatched: forbidden by the change.
   *[no] {""}
 }
masks-effect-unmoved = No weight moved at any place: nothing that comes after what was changed attends to anything.
masks-effect-most-moved = Most moved: { $site } { $head }, { $share }

# Stored measurements, and words that several views say

masks-none = none
masks-made-command = Made by `{ $command }`.
masks-made-hardware = On { $hardware }.
masks-made-command-hardware = Made by `{ $command }` on { $hardware }.
masks-not-measurable = Averages over held-out sentences are not known: they are measured where words can be hidden from an encoder’s own attention too.

# The pronoun put to the test

masks-pronoun-here = This sentence
masks-pronoun-held-out = Over the held-out sentences
masks-pronoun-no-words = The sentence has no word that could be hidden.
masks-pronoun-choose = Choose the pronoun and a word to hide from it.
masks-pronoun-choose-known = Choose the pronoun and a word to hide from it. Both are known for the examples under “{ $group }”.
masks-pronoun-menu-pronoun = Pronoun
masks-pronoun-menu-antecedent = Its noun
masks-pronoun-menu-other = Other noun
masks-pronoun-menu-control = Control word
masks-pronoun-menu-written = Written in its place
masks-pronoun-menu-antecedent_phrase = Its noun's phrase
masks-pronoun-menu-other_phrase = Other noun's phrase
masks-pronoun-menu-phrase-help = The noun, its determiner and its adjectives. They are hidden together.
masks-pronoun-progress = Hiding the words from each place
masks-pronoun-refused = “{ $word }” cannot be hidden from { $place }: { $why }

masks-pronoun-role-antecedent = its noun
masks-pronoun-role-antecedent_phrase = its noun's phrase
masks-pronoun-role-other = other noun
masks-pronoun-role-other_phrase = other noun's phrase
masks-pronoun-role-control = control word

masks-pronoun-place-encoder_from_it_best = “{ $pronoun }”, { $head }
masks-pronoun-place-encoder_from_it_others = “{ $pronoun }”, all heads of its layer but { $head }
masks-pronoun-place-encoder_from_it_guided = “{ $pronoun }”, guided { $head }
masks-pronoun-place-encoder_from_it = “{ $pronoun }”, all encoder heads
masks-pronoun-place-cross_from_pronoun_best = row of “{ $written }”, { $head }
masks-pronoun-place-cross_from_pronoun = row of “{ $written }”, all cross heads
masks-pronoun-place-it_and_pronoun = “{ $pronoun }” and row of “{ $written }”
masks-pronoun-place-cross = all of cross-attention
masks-pronoun-place-encoder = all of the encoder
masks-pronoun-place-both = everything
masks-pronoun-place-unread = not read at all

masks-pronoun-stored-encoder_from_it_best = “{ $pronoun }”, best encoder head
masks-pronoun-stored-encoder_from_it_others = “{ $pronoun }”, all other heads of that layer
masks-pronoun-stored-encoder_from_it_guided = “{ $pronoun }”, guided encoder head
masks-pronoun-stored-encoder_from_it = “{ $pronoun }”, all encoder heads
masks-pronoun-stored-cross_from_pronoun_best = pronoun's row, best cross head
masks-pronoun-stored-cross_from_pronoun = pronoun's row, all cross heads
masks-pronoun-stored-it_and_pronoun = “{ $pronoun }” and the pronoun's row
masks-pronoun-stored-cross = all of cross-attention
masks-pronoun-stored-encoder = all of the encoder
masks-pronoun-stored-both = everything
masks-pronoun-stored-unread = not read at all

masks-pronoun-plain = P({ $written }) is { $share } with nothing hidden.
masks-pronoun-hidden = Hidden { $places }.
masks-pronoun-hidden-cross_from_pronoun = from the row that writes “{ $written }”, { $leaves }
masks-pronoun-hidden-encoder_from_it = from “{ $pronoun }” in the encoder, { $leaves }
masks-pronoun-hidden-both = from everything, { $leaves }
masks-pronoun-hidden-unread = from everything, so that it is not read, { $leaves }
masks-pronoun-leaves = “{ $word }” leaves **{ $share }**
masks-pronoun-leaves-now = “{ $word }” leaves **{ $share }** (now “{ $now }”)
masks-pronoun-leaves-both = { $noun } and { $phrase }
masks-pronoun-verdict-encoder_from_it = So the encoder's “{ $pronoun }” carries the link to “{ $what }”, as the textbook has it{ $rest ->
    [enough] ; with “{ $noun }” alone hidden, the rest of its phrase is enough.
   *[unknown] .
 }
masks-pronoun-verdict-cross_from_pronoun = So the link does not run through “{ $pronoun }”: the decoder looks up “{ $what }” itself when it writes the pronoun{ $rest ->
    [enough] ; with “{ $noun }” alone hidden, the rest of its phrase is enough.
   *[unknown] .
 }
masks-pronoun-verdict-it_and_pronoun = Either way alone is enough for the model; only both together matter.
masks-pronoun-verdict-encoder = So the link runs neither through “{ $pronoun }” nor through the pronoun's own look at “{ $what }”: it needs other rows of the encoder that read “{ $what }”{ $rest ->
    [enough] ; with “{ $noun }” alone hidden, the rest of its phrase is enough.
   *[unknown] .
 }
masks-pronoun-verdict-cross = So the decoder needs “{ $what }”, but at other positions than the pronoun's{ $rest ->
    [enough] ; with “{ $noun }” alone hidden, the rest of its phrase is enough.
   *[unknown] .
 }
masks-pronoun-verdict-both = So encoder and cross-attention can each make up for the other: only when “{ $what }” is hidden from both does the pronoun become unsure{ $rest ->
    [enough] ; with “{ $noun }” alone hidden, the rest of its phrase is enough.
   *[unknown] .
 }
masks-pronoun-verdict-unread = So the model needs “{ $what }” somewhere in what it has read{ $rest ->
    [enough] ; with “{ $noun }” alone left out, the rest of its phrase is enough.
   *[unknown] .
 }
masks-pronoun-verdict-none = So this choice hardly depends on “{ $what }”, by any of these ways.

masks-pronoun-dots-alt = Probability of { $choices } with each word hidden from each place; the table below holds the numbers.
masks-pronoun-dots-caption = Each line runs from the probability with nothing hidden (the tick) to that with the word hidden (the sign). The beginning of the translation is kept as it was.
masks-pronoun-dots-file = hidden from { $pronoun } { $text }
masks-pronoun-column-hidden = hidden
masks-pronoun-column-role = which is
masks-pronoun-column-from = from
masks-pronoun-column-likeliest = likeliest
masks-pronoun-column-output = the search then writes
masks-pronoun-table-alt = { $n ->
    [one] { $n } test
   *[other] { $n } tests
 }: what was hidden from where, and what became of the pronoun.

masks-pronoun-flips = The pronoun
masks-pronoun-flips-forced = in its place, the rest kept
masks-pronoun-flips-searched = in a whole new search
masks-pronoun-flips-alt = How often the pronoun flips when a word is hidden, for each place, with 95 % intervals; the table holds the numbers.
masks-pronoun-flips-file = pronoun flips { $checkpoint }
masks-pronoun-flips-table-alt = The same numbers as a table.
masks-pronoun-flips-column-place = hidden from
masks-pronoun-flips-column-hidden = hidden
masks-pronoun-flips-column-n = sentences
masks-pronoun-flips-column-flips = flips
masks-pronoun-flips-column-share = share
masks-pronoun-flips-column-low = 95 % from
masks-pronoun-flips-column-high = to
masks-pronoun-flips-column-right = still right
masks-pronoun-flips-column-log_odds = change of log-odds
masks-pronoun-flip = Hiding { $word } from { $place } flips the pronoun in **{ $share }** of { $n ->
    [one] { $n } sentence
   *[other] { $n } sentences
 }.
masks-pronoun-flip-compared = Hiding { $word } from { $place } flips the pronoun in **{ $share }** of { $n ->
    [one] { $n } sentence
   *[other] { $n } sentences
 }; { $others }.
masks-pronoun-flip-alone = { $word } alone in { $share }
masks-pronoun-flip-other = { $word } in { $share }
masks-pronoun-flip-cross_from_pronoun = the pronoun's row of cross-attention
masks-pronoun-flip-encoder_from_it = “{ $pronoun }” in the encoder
masks-pronoun-flip-both = everything
masks-pronoun-guided = The guided head, encoder layer { $layer }, head { $head }, puts **{ $weight }** of the weight of “{ $pronoun }” on its noun on average, and hiding { $word } from “{ $pronoun }” there flips the pronoun in **{ $flips } of { $n }**.
masks-pronoun-guided-unused = The guided head, encoder layer { $layer }, head { $head }, puts **{ $weight }** of the weight of “{ $pronoun }” on its noun on average, yet hiding { $word } from “{ $pronoun }” there flips the pronoun in **{ $flips } of { $n }**: a large weight is no proof of use.
masks-pronoun-use = With { $head } switched off the right pronoun is the likeliest in **{ $without }** of { $n } sentences, with all other heads of its layer switched off in **{ $alone }**, with nothing changed in { $plain }: { $kind ->
    [shared] the head can carry the link by itself, and the others can do without it.
    [needed] the head is needed, and it suffices.
    [part] the head is needed, and it does not suffice.
   *[other] the head is not needed, and it does not suffice.
  }
masks-pronoun-beam = { $n ->
    [1] The searches are greedy.
   *[other] The searches have a beam of { $n }.
 }
masks-pronoun-control = Control word: { $control }; it may be the adjective that decides, such as “tired”.
masks-pronoun-heads-used = Best heads over the held-out sentences: { $heads }.

# Heads knocked out

masks-knockout-progress = Switching every head off in turn
masks-knockout-how = In the place of the head
masks-knockout-how-help = Zeros take away all the head would add. Its mean output takes away only what it says about this sentence. Even weights leave what it carries and take away where it looks.
masks-knockout-how-zero = zeros
masks-knockout-how-mean = its mean output
masks-knockout-how-uniform = even weights
masks-knockout-order = Heads
masks-knockout-order-ranked = ranked
masks-knockout-order-place = by place
masks-knockout-missed = Without one head, the greedy output changes for **{ $changed } of { $n }** heads. Missed most: **{ $head }**; without it log P changes by { $change }, most of it at “{ $token }” ({ $token_change }).
masks-knockout-likelier = Without { $head } the translation becomes likelier: { $change }.
masks-knockout-time = { $n ->
    [one] { $n } run
   *[other] { $n } runs
 } in { $seconds } s.
masks-knockout-change = change in log P
masks-knockout-bars-zero = Change in log P of the translation, each head's output put to zero
masks-knockout-bars-mean = Change in log P of the translation, each head's output put to its mean over validation sentences
masks-knockout-bars-uniform = Change in log P of the translation, each head's weights made even over what it may see
masks-knockout-bars-alt = Change in log P of the translation without each of { $n } heads; the table below holds the numbers.
masks-knockout-bars-caption = Strong bars: the greedy output becomes another. Pale bars: it stays. “2.1” is layer 2, head 1. Click a bar to open its head below.
masks-knockout-bars-file = knock-out { $how } { $text }
masks-knockout-choices-zero = Probability of { $written } and of { $rivals } in its place, each head's output put to zero
masks-knockout-choices-mean = Probability of { $written } and of { $rivals } in its place, each head's output put to its mean over validation sentences
masks-knockout-choices-uniform = Probability of { $written } and of { $rivals } in its place, each head's weights made even over what it may see
masks-knockout-rivals = { $first } and { $second }
masks-knockout-choices-alt = Probability of { $choices } without each head; dashed lines are those with all heads.
masks-knockout-choices-file = knock-out { $how } pronoun { $text }
masks-knockout-lowest = P({ $written }) is { $plain } with all heads and lowest, **{ $share }**, without **{ $head }**.
masks-knockout-never-overtaken = No single head decides it: without any of them it stays the likeliest form.
masks-knockout-overtaken = Another form is likelier without { $heads }.
masks-knockout-overtaken-head = { $head } ({ $rival } { $share })
masks-knockout-head = Head switched off
masks-knockout-keep = Keep it off
masks-knockout-kept = Head { $head } is now off in the change you are building: see “{ $view }” above.
masks-knockout-without = Without { $site }, layer { $layer }, head { $head }
masks-knockout-greedy-all = :violet-badge[greedy, all heads] { $text }
masks-knockout-greedy-without = :green-badge[greedy, without it] { $text }
masks-knockout-greedy-stays = The greedy output stays: { $text }
masks-knockout-search = Below: the search in use, beam width { $beam }, with and without this head.
masks-knockout-all = All heads
masks-knockout-column-name = head
masks-knockout-column-change = change in log P
masks-knockout-column-changed = output changes
masks-knockout-column-token = hardest hit token
masks-knockout-column-token_change = change in its log p
masks-knockout-column-text = greedy output without it
masks-knockout-table-alt = All { $n } heads, the one missed most first; click a title to sort.

# A decision traced

masks-trace-progress = Knocking out every link
masks-trace-token = Token decided for
masks-trace-rival = against the rival
masks-trace-no-rival = There is nothing else that could stand there, so there is no decision to trace.
masks-trace-no-link = No single link changes the log-odds, so there is no path to draw.
masks-trace-start = Knock out every link
masks-trace-long = { $n } positions lie before this decision, so tracing every link takes a while. The button starts it; another choice ends it.
masks-trace-decision = ln P(“{ $token }”) / P(“{ $rival }”) = **{ $odds }**, { $factor } to 1 { $side ->
    [for] for
   *[against] against
 } “{ $token }”. { $links } links; { $run } of them can reach this decision and were knocked out one by one in { $seconds } s.
masks-trace-share = A link must be worth (% of the strongest)
masks-trace-others = Other links drawn
masks-trace-path = The path: { $path }
masks-trace-stop = { $token } ({ $site } layer { $layer } head { $head }, { $change })
masks-trace-no-path = No chain of links from the deciding position is strong enough; the strongest link of all is { $head } from “{ $start }” to “{ $end }” ({ $change }).
masks-trace-textbook = This is the textbook's path: { $written } → { $pronoun } → { $noun }.
masks-trace-elsewhere = This is **not** the textbook's path, { $written } → { $pronoun } → { $noun }: it does not reach “{ $stop }”.
masks-trace-straight = This is **not** the textbook's path, { $written } → { $pronoun } → { $noun }: it reaches “{ $stop }” straight from the decoder.
masks-trace-by-way = This is **not** the textbook's path, { $written } → { $pronoun } → { $noun }: it reaches “{ $stop }” by way of { $by }.
masks-trace-check = Check: with the { $n ->
    [one] { $n } link
   *[other] { $n } links
 } of the path knocked out together the log-odds change by **{ $change }** to { $odds } (the changes one by one sum to { $sum }), and the model { $turn ->
    [same] still decides the same
    [rival] turns to the rival
   *[token] turns to the token
 }.
masks-trace-no-check = The path cannot be knocked out as a whole: { $why }
masks-trace-flow-alt = The strongest links between the layers of encoder and decoder; the path is written out as text above.
masks-trace-file = trace { $token } { $text }
masks-trace-links = The strongest links
masks-trace-column-from = token that looks
masks-trace-column-to = looks at
masks-trace-column-name = head
masks-trace-column-weight = weight
masks-trace-column-change = change in log-odds
masks-trace-table-alt = { $n ->
    [one] The link that changes
   *[other] The { $n } links that change
 } the log-odds most.
masks-trace-heads = Whole heads, their output put to zero
masks-trace-ranked = Ranked
masks-trace-change = change of the log-odds
masks-trace-heads-alt = Change of the log-odds without each of { $n } heads; lowest without { $head }, { $change }.
masks-trace-heads-caption = Bars below 0: the head speaks for “{ $token }”. Above 0: for “{ $rival }”. Lowest: { $head }, { $change }.
masks-trace-heads-file = trace heads { $token } { $text }

# Does attention explain?

masks-explain-progress = Hiding every source token in turn…
masks-explain-hidden = Source tokens hidden from
masks-explain-hidden-both = everything
masks-explain-hidden-unread = everything: not read
masks-explain-hidden-cross = cross-attention
masks-explain-hidden-encoder = the encoder
masks-explain-method = Rank correlation
masks-explain-method-spearman = Spearman ρ
masks-explain-method-kendall = Kendall τ-b
masks-explain-against = of attention with
masks-explain-against-drops = hiding
masks-explain-against-gradient = gradient × input
masks-explain-of = { $method } of attention with { $other }
masks-explain-start = Hide every source token
masks-explain-long = The sentence and its translation have { $source } and { $target } tokens, so this takes a while. The button starts it.
masks-explain-token = Produced token
masks-explain-head = Cross-attention head
masks-explain-head-help = Layer and head, from 1. A click on the grid below chooses one too.
masks-explain-depends = What “{ $token }” depends on{ $head ->
    [none] {""}
   *[other] , by { $head }
 }, by { $where ->
    [unread] leaving each token out
    [both] hiding from everything
   *[other] hiding from { $place }
 } and by gradient
masks-explain-no-attention = No weights of this model on its source are known here, so there is nothing to hold against the other two measures.
masks-explain-bars-alt = { $attention ->
    [none] Two measures of each of { $n } source tokens. Largest by drop: { $drop }, gradient: { $gradient }.
   *[other] Three measures of each of { $n } source tokens. Largest by attention: { $attention }, drop: { $drop }, gradient: { $gradient }.
 }
masks-explain-bars-file = importance for { $token } { $text }
masks-explain-number-drops = { $method } of the attention of { $head } with the drops: { $here } for this token, { $mean } averaged over the { $n ->
    [one] { $n } token
   *[other] { $n } tokens
 } of the translation.
masks-explain-number-gradient = { $method } of the attention of { $head } with gradient × input: { $here } for this token, { $mean } averaged over the { $n ->
    [one] { $n } token
   *[other] { $n } tokens
 } of the translation.
masks-explain-even = not defined, one side is even
masks-explain-undefined = not defined
masks-explain-gradient = Rank correlation of gradient × input with the drops, for this token: { $number }.
masks-explain-rests = It rests on { $n ->
    [one] { $n } source token
   *[other] { $n } source tokens
 }{ $ties ->
    [0] ,
   *[other] , { $ties } of them tied,
 } so a single number says little; and a drop is itself only one notion of importance (Jain and Wallace 2019; Wiegreffe and Pinter 2019).
masks-explain-here = This sentence, mean over its tokens
masks-explain-heads-alt = Rank correlation of { $n } cross-attention heads. { $largest ->
    [none] None is defined.
   *[other] Largest: { $largest }.
 }
masks-explain-heads-file = { $method ->
    [kendall] rank correlation kendall { $text }
   *[spearman] rank correlation spearman { $text }
  }
masks-explain-stored = Validation sentences, mean over them
masks-explain-stored-alt = Rank correlation of { $n } heads over validation sentences.
masks-explain-not-stored = Averages are stored for hiding from everything and from cross-attention.
masks-explain-over = Layer { $layer }, head { $head }: **{ $mean }**{ $spread ->
    [none] {""}
   *[other] {" "}(standard deviation { $spread })
 } over { $n ->
    [0] many sentences
   *[other] { $n } validation sentences
 }{ $here ->
    [none] .
   *[other] , { $here } here.
 }
masks-explain-over-average = All heads averaged: { $mean }.
masks-explain-over-gradient = Rank correlation of gradient × input with the drops: { $mean }.
masks-explain-over-permuted_heads = The same rows shuffled: { $mean }.

# What may be seen

masks-seen-part = Which mask
masks-seen-part-causal = Causal mask
masks-seen-part-padding = Padding mask
masks-seen-part-both = Both together
masks-seen-query = Query (row)
masks-seen-best = Open { $head }: most weight moved ({ $share })
masks-seen-stages-alt = Layer { $layer }, head { $head } of the decoder: the causal mask, scores with the mask added, exponentials and weights; below, the same without the mask and the share of each row that the mask moves.
masks-seen-stages-file = causal mask { $head } { $text }
masks-seen-one-position = There is only one position, so the causal mask hides nothing here.
masks-seen-moved = From the same scores, a softmax without the mask would give **{ $share }** of a row's weight to later positions (mean over { $n ->
    [one] the one row that has
   *[other] the { $n } rows that have
 } any).
masks-seen-row = In the chosen row, “{ $token }”, it is **{ $share }**.
masks-seen-row-last = The chosen row, “{ $token }”, has no later positions.
masks-seen-strip-score = score
masks-seen-strip-mask = + mask
masks-seen-strip-exp = exp(· − max)
masks-seen-strip-weight = ÷ sum = weight
masks-seen-strip-free = without the mask
masks-seen-row-alt = The chosen row: score, mask, exponential and weight of every key, and the weight without the mask.
masks-seen-row-caption = The row's largest score is taken off before the exponential; that leaves the weights as they are. Worked out from the scores, they differ from those the model used by at most { $difference }.
masks-seen-row-file = row { $row } causal mask { $head } { $text }
masks-seen-without = Without the causal mask
masks-seen-with = With it: what it takes from the softmax
masks-seen-peek = Causal mask off (peeking)
masks-seen-peek-help = The whole decoder runs again, and every position may look at all later ones.
masks-seen-weight = weight
masks-seen-later = weight on later positions
masks-seen-nothing-later = There is only one position, so there is nothing later to look at.
masks-seen-peek-words = In { $head }, the decoder now puts **{ $share }** of a row's weight on later positions. Its strongest look ahead: “{ $query }” looks at “{ $key }” with { $weight }.
masks-seen-peek-alt = Layer { $layer }, head { $head } of the decoder without the causal mask; later positions have a colour of their own, and bars show their share of every row.
masks-seen-peek-file = without causal mask { $head } { $text }
masks-seen-peek-most = Heads that peek most
masks-seen-peek-heads-alt = Heads of the decoder by the mean share of a row that lies on later positions.
masks-seen-peek-heads-file = heads that peek { $text }
masks-seen-forced = Forced to write a text
masks-seen-target = Another text to force on the decoder
masks-seen-target-empty = Empty: the translation above
masks-seen-target-kept = The model's own output stays below.
masks-seen-with-mask = with the mask
masks-seen-without-mask = without it
masks-seen-forced-own-falls = log P of its own output falls from **{ $before }** to **{ $after }** when the mask goes: from { $before_each } to { $after_each } per token.
masks-seen-forced-own-rises = log P of its own output rises from **{ $before }** to **{ $after }** when the mask goes: from { $before_each } to { $after_each } per token.
masks-seen-forced-typed-falls = log P of the text typed falls from **{ $before }** to **{ $after }** when the mask goes: from { $before_each } to { $after_each } per token.
masks-seen-forced-typed-rises = log P of the text typed rises from **{ $before }** to **{ $after }** when the mask goes: from { $before_each } to { $after_each } per token.
masks-seen-forced-alt = Log-probability of every token with the causal mask and without it, with sums.
masks-seen-forced-file = forced with and without causal mask { $text }

masks-seen-second = Second sentence of the batch
masks-seen-second-empty = Type a sentence of another length
masks-seen-second-fault = The first sentence stays as it is.
masks-seen-reading = Reading both sentences…
masks-seen-first-title = { $n ->
    [0] First sentence, no padding tokens
    [one] First sentence, { $n } padding token
   *[other] First sentence, { $n } padding tokens
 }
masks-seen-second-title = { $n ->
    [0] Second sentence, no padding tokens
    [one] Second sentence, { $n } padding token
   *[other] Second sentence, { $n } padding tokens
 }
masks-seen-pad-masks-alt = The padding mask of the encoder for both sentences: no query may look at padding.
masks-seen-pad-masks-file = padding masks { $text }
masks-seen-padding-mask = Padding mask on
masks-seen-padding-mask-help = Off: the encoder and cross-attention may look at padding as at any token.
masks-seen-pad-best = Open { $head }: most weight on padding ({ $share })
masks-seen-on-padding = weight on padding
masks-seen-pad-share = Layer { $layer }, head { $head }, { $nth ->
    [first] first
   *[second] second
 } sentence{ $rows ->
    [produced] , rows named by the token produced
   *[read] {""}
 }: **{ $share }** of a row's weight lies on its { $n ->
    [one] { $n } padding token
   *[other] { $n } padding tokens
 }, on average.
masks-seen-pad-alt = Layer { $layer }, head { $head } of the shorter sentence with its padding, and the share of every row that lies on padding.
masks-seen-pad-file = padding { $site } { $head } { $mask ->
    [on] mask on
   *[off] mask off
  }
masks-seen-damage = What becomes of its translation
masks-seen-column-alone = alone
masks-seen-column-masked = batch, mask on
masks-seen-column-unmasked = batch, mask off
masks-seen-damage-log-prob = log P of the translation it has alone
masks-seen-damage-change = largest change of a token's log p
masks-seen-damage-weight = largest weight on padding, any row and head
masks-seen-output-alone = Alone: { $text }
masks-seen-output-masked = Mask on: { $text }
masks-seen-output-unmasked = Mask off: { $text }
masks-seen-padding-on = padding mask on
masks-seen-padding-off = padding mask off
masks-seen-pad-forced-alt = Log-probability of every token with the padding mask and without it, with sums.
masks-seen-pad-forced-file = padding mask on and off
masks-seen-longer = The { $nth ->
    [first] first
   *[second] second
 } sentence is the longer one and has no padding. In the batch the largest change of a token's log p is { $masked } with the mask and { $unmasked } without it: sentences of a batch do not see each other, only their own padding.
masks-seen-nothing = exactly 0

masks-seen-both-causal = Causal
masks-seen-both-padding = Padding
masks-seen-both-joined = Both joined
masks-seen-both-reads = The decoder reads the { $nth ->
    [first] first
   *[second] second
 } translation, “{ $text }”, with { $n ->
    [one] { $n } padding token
   *[other] { $n } padding tokens
 } at its end.
masks-seen-both-alt = The causal mask, the padding mask and both joined for the shorter translation.
masks-seen-both-file = causal and padding mask
masks-seen-both-differ = In the { $real } rows of real tokens, the joined mask and the causal mask differ in **{ $kept }** cells; in the { $padding } rows of padding, in { $hidden }. Measured in this batch with the causal mask alone, the largest weight of a real row on padding is **{ $largest }**.

# Change something

masks-change-tool = What to change
masks-change-tool-tokens = Tokens
masks-change-tool-cells = Cells
masks-change-tool-heads = Heads
masks-change-tool-row = A row
masks-change-tool-positions = Positions
masks-change-head = One head, before and after
masks-change-head-single = Attention, before and after
masks-change-still = Still showing the effect of the last change that worked.
masks-change-count = { $n ->
    [0] **No change**
    [one] **{ $n } change**
   *[other] **{ $n } changes**
 }
masks-change-undo = Undo
masks-change-undo-help = Takes the last step back.
masks-change-undo-all = Undo all
masks-change-causal = Causal mask
masks-change-causal-help = With it, no position of the decoder looks at later ones. It was on in training.

masks-change-where = Hide tokens from
masks-change-where-both = the encoder and cross-attention
masks-change-hide = Click a token to hide it
masks-change-hide-caption = No query of those layers may look at a hidden token; its place in the row is gone.
masks-change-where-unread = everything: it is not read
masks-change-unread = Click a token to leave it out
masks-change-unread-caption = The model passes over such a token, as if the sentence did not have it. The end of the sentence is always read.

masks-change-query = Query (row)
masks-change-key = Key (column)
masks-change-every-row = every row
masks-change-mean-weight = weight, mean of the heads
masks-change-matrix-alt = Weights of { $heads }: { $rows ->
    [one] { $rows } query row
   *[other] { $rows } query rows
 } by { $columns ->
    [one] { $columns } key column
   *[other] { $columns } key columns
 }. A click on a cell forbids or allows it; the menus below do the same.
masks-change-matrix-caption = Click a cell to forbid it, again to allow it. Hatched cells are forbidden.
masks-change-matrix-file = { $heads }: { $text }
masks-change-allow = Allow
masks-change-forbid = Forbid
masks-change-forbidden-already = Another change forbids that cell already; take that one out of the list.
masks-change-causal-already = The causal mask forbids that cell already.

masks-change-how = How a head is switched off
masks-change-how-zero = output put to zero
masks-change-how-mean = output put to its mean
masks-change-how-uniform = the same weight everywhere
masks-change-no-means = The mean output of a head is not on offer: this checkpoint stores none. `python -m training intervene` measures them.
masks-change-heads-of = Layer { $layer }: click the heads to switch off
masks-change-all-off = { $n ->
    [one] Off
   *[other] All { $n } off
 }
masks-change-all-on = { $n ->
    [one] On
   *[other] All on
 }

masks-change-row-empty = This row has nothing left to look at, so there is nothing to give.
masks-change-row-computed = Row { $row } “{ $token }” of { $heads }, as computed. Drag a bar; the others share what is left.
masks-change-row-by-hand = Row { $row } “{ $token }” of { $heads }, **by hand**. Drag a bar; the others share what is left.
masks-change-row-caption = The dotted line on a bar is the weight as computed.{ $heads ->
    [several] {" "}The mean of the heads stands for the row as computed.
   *[one] {""}
 }
masks-change-row-numbers = { $n ->
    [one] The { $n } weight as a number
   *[other] The { $n } weights as numbers, first key first
 }
masks-change-row-free = The rows that this model computes need not sum to one: the softmax is weighed once more by the distance from a centre. Shown are the shares of such a row in its sum. A row given by hand stands in the place of the product: it sums to one, and may look outside the window too.
masks-change-row-no-number = “{ $text }” is no number.
masks-change-row-count = Found { $found ->
    [one] { $found } number
   *[other] { $found } numbers
 }, expected one for each of the { $expected } keys of this row.
masks-change-row-unseen = The row may not look at “{ $token }”, so its weight must be 0.

masks-change-positions-source = Positions of the source
masks-change-positions-target = Positions of the target
masks-change-mode-normal = normal
masks-change-mode-absent = absent
masks-change-mode-permuted = shuffled
masks-change-mode-shifted = shifted
masks-change-mode-reversed = reversed
masks-change-positions-by = by
masks-change-positions-seed = seed
masks-change-positions-caption = Tokens stay where they are; only the encoding that is added to them changes. Of the target, the { $n } positions of the original output are shuffled or reversed.
