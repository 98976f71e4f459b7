# The page “Beam search” and its figures.

beam-token = Token
beam-tokens = Tokens
beam-step = Step { $n }
beam-step-title = Decoder step
beam-start = Start
beam-log-p = log p (token)
beam-log-sum = log P (sequence)
beam-probability = Probability
beam-rank = Rank
beam-status = Status
beam-hypothesis = Hypothesis
beam-output = Output
beam-reference = Reference
beam-column-penalty = Length penalty
beam-score = Score
beam-column-finished = Finished
beam-width = Beam width
beam-empty = (empty)
beam-status-kept = kept
beam-status-finished = finished
beam-status-pruned = pruned
beam-fate = { $status }: { $reason }
beam-side = Tree
beam-side-first = Original search
beam-side-second = Forced prefix

# The tree

beam-tree-key-best = Best hypothesis
beam-tree-key-kept = Kept
beam-tree-key-pruned = Pruned
beam-tree-key-finished = Finished, with its score
beam-tree-key-chosen = Path to the selected node
beam-tree-key-forced = Forced
beam-tree-key-greedy = Greedy search
beam-tree-key-greedy-score = Greedy search, ends at { FIXED($score) }
beam-tree-goes-on = …{ FIXED($score) }
beam-tree-key-only = Only in this tree
beam-tree-key-width = Line width: share of the probability at its step
beam-tree-probability = Token probability
beam-tree-sum = Cumulative log p
beam-tree-penalty = Length penalty
beam-tree-score = Normalised score
beam-tree-share = Share at its step
beam-tree-rank = Rank at its step
beam-tree-wide = The beam width is { $width }, but the vocabulary has only { $n ->
    [one] { $n } token
   *[other] { $n } tokens
 }, so the first step keeps all of them.
beam-tree-alt = Search tree from left to right, one column per decoder step. A description follows below it.
beam-tree-told = Search tree from left to right, { $steps ->
    [one] { $steps } decoder step
   *[other] { $steps } decoder steps
 }: { $kept ->
    [one] { $kept } node
   *[other] { $kept } nodes
 } kept, { $finished } finished, { $pruned } pruned. The best hypothesis is “{ $text }”. The menus above select a node, and its numbers follow below.
beam-tree-found = { $better ->
    [beam] Greedy search returns “{ $greedy }” (score **{ FIXED($other) }**); beam width { $width } finds “{ $text }”, which scores higher (**{ FIXED($score) }**).
    [greedy] Greedy search returns “{ $greedy }”, which scores higher (**{ FIXED($other) }**) than “{ $text }” (**{ FIXED($score) }**). Beam width { $width } prunes it.
   *[none] Greedy search returns “{ $greedy }”; beam width { $width } finds “{ $text }”.
 }
beam-tree-blunder = The wrong turn is at step { $step }: greedy search takes the more likely “{ $other }” ({ PERCENT($p_other, digits: 0) }) instead of “{ $token }” ({ PERCENT($p_token, digits: 0) }) and cannot backtrack.
beam-tree-pruned = The beam prunes it at step { $step } (“{ $token }”).
beam-tree-greedy = Greedy search finds “{ $text }” too: the most likely token of every step leads there.
beam-tree-width-one = A beam width of 1 is greedy search: it keeps the most likely token of each step and cannot backtrack. Compare a wider beam.
beam-tree-file = search tree, beam width { $width }, { $side }: { $source }
beam-tree-step = Decoder step
beam-tree-step-help = Later steps stay in place, faded. The arrow keys ← and → also move the slider.

# Forced prefix

beam-steer-box = Forced prefix
beam-steer-placeholder = Type a beginning
beam-steer-help = The search continues from this prefix (forced decoding). A click on a candidate below adds it to the prefix. The last word may be incomplete; a space ends it.
undo = Undo
reset = Clear prefix
reset-help = Removes the forced prefix. Undo restores it.
beam-steer-stays = The original search is unchanged. Edit the prefix or undo it.
beam-steer-found = Forced “{ $forced }” → “{ $text }”. { $gain }
beam-column-tree = Tree
beam-steer-alt = Best hypotheses of the original search and of the search with the forced prefix, with their scores.
beam-gain-none-ended = Neither tree has a finished hypothesis, so their scores cannot be compared fairly.
beam-gain-one-ended = One of the trees has no finished hypothesis, so their scores cannot be compared fairly.
beam-gain-same = Both searches return the same output: the original search already had this prefix.
beam-gain-more = The output with the forced prefix scores **{ FIXED($gain) } higher**, so the original search missed it: a proven **search error**.
beam-gain-less = The output with the forced prefix scores **{ FIXED($loss) } lower**. By the model’s own score, the original output is better.
beam-gain-equal = Both outputs have the same score, to two decimals.

# The selected node

open_step = Decoder step
beam-node-open = Selected node
beam-node-none = No node selected
beam-node-name = { $token } · rank { $rank } · { $status }
beam-node-after = { $node } · after { $before }
beam-node-start = Start: no token generated yet
beam-ledger-start = No token has been generated yet, so log P = 0. Every hypothesis starts here.
beam-ledger-token = Token: probability **{ PERCENT($probability) }**, log p **{ FIXED($log_prob) }**
beam-ledger-sum = log P: { $terms } = **{ FIXED($sum) }**
beam-ledger-left-out = … { $n } more …
beam-ledger-penalty-none = Length penalty: none (1)
beam-ledger-penalty-length = Length penalty: { $length }^{ SHORT($alpha) } = **{ FIXED($value, digits: 3) }**
beam-ledger-penalty-wu = Length penalty: ((5 + { $length }) / 6)^{ SHORT($alpha) } = **{ FIXED($value, digits: 3) }**
beam-ledger-score = Score: { FIXED($sum) } ÷ { FIXED($penalty, digits: 3) } = **{ FIXED($score) }**
beam-ledger-fate = Status: **{ $status }**{ $why ->
    [known] { " " }({ $reason })
    [forced] { " " }(forced)
    [both] { " " }({ $reason }, forced)
   *[none] { "" }
 }
beam-candidates-title = Next-token candidates
beam-candidates-ended = This hypothesis is finished, so no token follows.
candidates = Candidates shown
beam-candidates-alt = { $n ->
    [one] The most likely next token as a bar. The menu above forces it.
   *[other] The { $n } most likely next tokens as bars. The menu above forces one of them.
 }
beam-candidates-caption = An outline marks tokens that the search kept. Click a bar to force that token instead.
beam-candidates-menu = Forced token
beam-candidates-placeholder = Choose a token
force_token = Force
beam-candidates-file = next-token candidates: { $text }
beam-candidates-axis = Next-token probability
beam-candidates-others = All others
beam-candidates-ranked = { $token } (rank { GROUPED($rank) })
beam-looked-title = Attention at this step: { $site }
beam-looked-nothing = This model has no attention to the source, so there are no weights to show.
beam-looked-start = No token is generated at the start, so there are no attention weights.
beam-looked-alt = Weights of { $site } in { $layers ->
    [one] { $layers } layer
   *[other] { $layers } layers
 } with { $heads ->
    [one] { $heads } head
   *[other] { $heads } heads
 } each over { $tokens ->
    [one] { $tokens } source token
   *[other] { $tokens } source tokens
 }. The largest weights are listed below.
beam-looked-file = { $site } at { $token }: { $text }
beam-looked-strongest = Largest weights: { $heads }.
beam-looked-head = { $head } to “{ $token }” (position { $position }): **{ $weight }**
beam-looked-sums = Every row sums to 1.
beam-looked-free = By design, rows of this model need not sum to 1.
beam-looked-no-sums = Not every row sums to 1.

# The hypotheses

beam-hypotheses-cut = No hypothesis finished within { $n ->
    [one] { $n } token
   *[other] { $n } tokens
 }, so those below are cut off there.
beam-what-if = Rerank with α
beam-what-if-help = Reorders the hypotheses below by their score at this α, without a new search. A search with another α could have found others.
beam-rank-leads = At α = { SHORT($alpha) }, “{ $text }” ranks first.{ $was ->
    [1] { "" }
   *[other] { " " }In the search, with α = { SHORT($own) }, its rank was { $was }.
 }
beam-rank-no-penalty = Without a length penalty, α has no effect. Choose a penalty in the search settings.
beam-rank-changes = The best hypothesis changes at α = { $alphas }.
beam-rank-always = It ranks first at every α from { SHORT($lowest) } to { SHORT($highest) }.
beam-column-was = Original rank
beam-column-rank = Rank
beam-column-text = Output
beam-column-log_prob = log P (sequence)
beam-column-length = Tokens
beam-column-score = Score
beam-column-beam_size = Beam width
beam-column-length-help = Includes the end-of-sentence token.
beam-hypotheses-alt = { $n ->
    [one] { $n } hypothesis.
   *[other] { $n } hypotheses, best first.
 }
beam-hypotheses-caption = Click the box at the left of a row to select its last token in the search tree above.
beam-lines-alt = Score by α, one line per hypothesis. Dots mark where two hypotheses swap ranks.
beam-lines-file = scores by alpha: { $source }
beam-lines-alpha = Length penalty α
beam-lines-score = Score (log P ÷ length penalty)
beam-lines-log-score = Score (log P ÷ length penalty, log scale)
beam-lines-now = α = { $alpha }
beam-lines-name = { $rank } · { $text }
beam-lines-equal = Equal scores at α
beam-lines-there = Score at this α
beam-lines-ahead = Higher score above α
beam-lines-behind = Lower score above α

# Other decoding strategies

exact_limit = Exact search time limit (s)
temperature = Temperature of the samples
temperature-help = Divides the log-probabilities before sampling. Below 1, likely tokens are drawn more often; above 1, less often. At 0, the most likely token is always chosen.
top_k = Top-k
top_k-help = Samples from the k most likely tokens only. At 0 all tokens are allowed (Fan et al. 2018).
top_p = Top-p (nucleus)
top_p-help = Samples from the smallest set of tokens that holds at least this much probability (Holtzman et al. 2020).
min_p = Min-p
min_p-help = Samples only tokens whose probability is at least this share of the most likely token’s (Nguyen et al. 2025). 0 keeps all.
seed = Seed
samples = Samples
beam-dots-axis = Score (log-probability ÷ length penalty): higher is better
beam-methods-dots-alt = Outputs of { $n } decoding strategies. A dot below each output marks its score; the highest is gold.
beam-methods-dots-caption = Each row is the output of a strategy, and the dot below it marks its score. Gold is the highest score. Purple marks words that differ from the best output or are missing.
beam-methods-dots-file = decoding strategies: { $source }
beam-column-method = Strategy
beam-methods-alt = { $n ->
    [one] { $n } decoding strategy
   *[other] { $n } decoding strategies
 } with output, log P, length and score.
beam-method-beam = Beam search (width { $width })
beam-method-greedy = Greedy search
beam-method-samples = { $n ->
    [one] Best of { $n } sample
   *[other] Best of { $n } samples
 }
beam-method-exact = Exact search
beam-method-exact-given-up = Exact search (unfinished)
beam-method-beam-does = keeps the { $width } best partial outputs
beam-method-greedy-does = takes the most likely token
beam-method-samples-does = draws tokens at random
beam-method-exact-does = proves the highest score
beam-method-exact-given-up-does = ran out of time
exact-search-progress = Running exact search…
beam-exact-work = { $n ->
    [one] { $n } prefix
   *[other] { $n } prefixes
 } explored in { $seconds } s
beam-exact-ends-best = The beam finished no hypothesis of { $least } to { $most } tokens, so its score is not comparable. The best finished output is “{ $text }” ({ $work }).
beam-exact-ends-found = The beam finished no hypothesis of { $least } to { $most } tokens, so its score is not comparable. The best finished output found so far is “{ $text }” ({ $work }).
beam-exact-better-best = “{ $text }” scores **{ FIXED($gain) }** higher than the beam’s best output: a proven **search error**. No output scores higher than this one ({ $work }).
beam-exact-better-found = “{ $text }” scores **{ FIXED($gain) }** higher than the beam’s best output: a proven **search error**. Even better outputs are possible ({ $work }).
beam-exact-none = No output of { $least } to { $most } tokens exists ({ $work }).
beam-exact-proven = **No search error (proven).** No output of { $least } to { $most } tokens scores higher than the beam’s best, so any fault lies with the model ({ $work }).
beam-exact-unproven = **Not proven** ({ $reason }; { $work }). Nothing better was found, but the search is unfinished.
beam-samples-title = { $n ->
    [one] { $n } sample
   *[other] { $n } samples
 }, { $different } distinct
beam-column-times = Count
beam-samples-alt = The distinct samples, most frequent first.
beam-samples-tree-alt = The samples as a tree. The best one is “{ $text }”.
beam-samples-tree-caption = Each path is one output, drawn at random token by token. Likely tokens (in a stronger colour) are drawn more often. At a lower temperature the paths become more alike; at 0 all take the most likely token.
beam-samples-tree-file = samples: { $source }

# Beam width

beam-width-row = Beam width { $widths }{ $greedy ->
    [yes] { " " }(greedy)
   *[no] { "" }
 }
beam-width-searching = Searching with beam width { $width }
beam-width-test-set = The same widths on { GROUPED($n) } test sentences
beam-width-alt = Output, log P, length and score for each beam width.
beam-width-dots-alt = The { $n } distinct outputs of all beam widths. A dot below each output marks its score; the highest is gold.
beam-width-dots-caption = Beam widths with the same output share a row, and the dot below it marks its score. Gold is the highest score. Purple marks words that differ from the best output or are missing.
beam-width-dots-file = outputs by beam width: { $source }
beam-width-same = All beam widths return the same output, so greedy search is enough for this sentence.
beam-width-raises = For “{ $text }”, the best score here, a beam width of **{ $best }** is enough. Greedy search scores lower.
beam-width-lowers = For “{ $text }”, the best score here, a beam width of **{ $best }** is enough. The widest beam scores lower than greedy search.
beam-width-keeps = For “{ $text }”, the best score here, a beam width of **{ $best }** is enough. The widest beam scores no higher than greedy search.
beam-width-and = { $first } and { $last }
beam-width-sweep = On { GROUPED($n) } test sentences, quality (BLEU) is highest at { $several ->
    [yes] widths
   *[no] width
 } { $best } (**{ FIXED($high, digits: 1) }**). At width { $widest } it is **{ FIXED($low, digits: 1) }**, and outputs are shorter.
beam-sweep-axis = Beam width B
beam-sweep-beam_size = Beam width
beam-sweep-bleu = BLEU
beam-sweep-mean_log_prob = Mean log P (sequence)
beam-sweep-length_ratio = Length ratio (output ÷ reference)
beam-sweep-seconds = Time per sentence (s)
beam-sweep-bleu-told = Higher: closer to the references
beam-sweep-mean_log_prob-told = Higher: more likely outputs
beam-sweep-length_ratio-told = 1: as long as the reference
beam-sweep-seconds-told = Lower is faster
beam-sweep-alt = BLEU, mean log P, length ratio and time per sentence by beam width.
beam-sweep-table-alt = The same values as a table.
beam-sweep-file = beam-width sweep: { $name }

# What a search costs

beam-cost-milliseconds = Time (ms)
beam-cost-per-token = Time per token (ms)
beam-cost-length = Output length (tokens)
beam-cost-tokens = Output tokens
beam-cost-of-width = B = { $n }
beam-cost-of-length = { $n ->
    [one] { $n } token
   *[other] { $n } tokens
 }

# Errors

reference = Reference translation
reference-none = Type a reference
beam-errors-validation = Search errors over many sentences
beam-errors-proven = **No search error:** exact search proves that no output scores higher than the **{ FIXED($score) }** of beam width { $width }.
beam-errors-unproven = **No search error found:** in { FIXED($seconds, digits: 1) } s, exact search met no score higher than the **{ FIXED($score) }** of beam width { $width }. It did not finish, so there may be one.
beam-errors-missed = **Search error:** beam width { $width } missed “{ $text }”, which scores **{ FIXED($gain) }** higher.
beam-errors-type = Type the translation that you expected. It is added to the figure, and you see whether the search, the penalty or the model missed it.
beam-errors-dots-alt = The { $n } outputs of greedy, beam and exact search and the reference. A dot below each marks its score.
beam-errors-dots-file = search errors of one sentence: { $source }
beam-errors-dots-caption = Exact search tries every output that could still score higher. A search whose dot is left of gold missed the best score: a search error. Purple marks words that differ from the best output or are missing.
beam-errors-axis = Sentences where the search missed a better output (root scale)
beam-errors-share = { PERCENT($share) } (n = { $n })
beam-verdicts-axis = Share of sentences
beam-verdicts-search = Reference missed by the search: { PERCENT($share) }
beam-verdicts-alt = Stacked bars: share of each verdict for each validation set and beam width
beam-verdicts-file = verdicts by beam width
beam-verdicts-caption = Each row is a set of validation sentences at one beam width; red is the width nearest to yours. A model error need not be a wrong translation: a sentence has many right translations, and only one is the reference.
beam-errors-found-alt = Share of search errors that exact search proved, for each validation set and beam width, with intervals
beam-errors-found-file = search errors by beam width
beam-errors-found-caption = Each dot is the share of sentences for which exact search found a higher score than the beam, and the line is its 95% interval. The root scale makes small shares visible.
beam-errors-stays = The search result is unchanged.
beam-verdict-by-score = By score: { $verdict }
beam-verdict-by-sum = By log P alone: { $verdict }.
beam-verdict-same = **no error**. The search returned the reference itself.
beam-verdict-search-error = **search error**. The reference scores higher, but the search missed it.
beam-verdict-length-penalty = **length penalty**. The reference has a higher log P, but the penalty ranks the output first.
beam-verdict-model-error = **model error**. The model scores the reference no higher than the output, so a better search would not return the reference.
beam-verdict-void = **No verdict**: { $reason }.
beam-verdict-void-unknown = **No verdict**: { $reason }. The model reads and generates these as one unknown token, so its probability for this reference means nothing.
beam-plain-verdict-same = the reference was found
beam-plain-verdict-search-error = **search error** (the reference has a higher log P, but the search missed it)
beam-plain-verdict-length-penalty = **length penalty** only (the reference has a higher log P and finished in the beam)
beam-plain-verdict-model-error = **model error** (the reference has no higher log P)
beam-plain-verdict-void = no verdict
beam-fell-not = The reference finished in the beam, so the search considered it.
beam-fell = The reference left the beam at **step { $step }** (“{ $token }”): { $reason }.
beam-errors-tokens-alt = Log-probability of every token of the output and of the reference, with cumulative sums.
beam-errors-tokens-file = output and reference: { $text }
beam-errors-log-p = log p (token)
beam-errors-sum = Cumulative log p
beam-errors-output = Output ŷ
beam-errors-expected = Reference y\*
beam-bleu = **Sentence BLEU { FIXED($score, digits: 1) }** (sacreBLEU). The table counts the output’s n-grams that also occur in the reference.
beam-bleu-n = n
beam-bleu-both = Matches
beam-bleu-of = Total
beam-bleu-precision = Precision
beam-bleu-none = none
beam-bleu-shorter = Brevity penalty **{ FIXED($penalty, digits: 3) }**: the output has { $n ->
    [one] { $n } word
   *[other] { $n } words
 }, fewer than the reference ({ $reference }).
beam-bleu-not-shorter = Brevity penalty **{ FIXED($penalty, digits: 3) }**: the output has { $n ->
    [one] { $n } word
   *[other] { $n } words
 }, no fewer than the reference ({ $reference }).
beam-bleu-caption = Precisions without a match are smoothed (exponential); n-grams longer than the output are left out. { $signature }
tally_plain = Rank by log P only
beam-tally-nothing = At beam width { $width }, no reference was missed in { $n ->
    [one] { $n } sentence
   *[other] { $n } sentences
 }.
beam-tally-shares = At a beam width of { $width } (red), the model scores its own output at least as high as the reference in { $parts } (model error).
beam-tally-misses = In **{ PERCENT($search) }** of all { GROUPED($n) } sentences, the search missed a reference with a higher score (search error).
beam-tally-part = **{ PERCENT($share, digits: 0) }** of “{ $set }”
beam-helps-wider = The search pruned most of them on the way, so a **wider beam** should help.
beam-helps-alpha = The length penalty ranked most of them lower, so **another α** should help.
beam-helps-model = A wider beam would recover only search errors, so **more data and a better model** should help more.
beam-tally-alt = Share of each verdict for each dataset and beam width.
beam-tally-row = { $set }, beam width { $width }
beam-tally-outcome = Verdict
beam-tally-share = Share
beam-tally-set = Dataset
beam-tally-beam_size = Beam width
beam-tally-sentences = Sentences
beam-tally-same = Reference found
beam-tally-search-error = Search error
beam-tally-model-error = Model error
beam-tally-length-penalty = Length penalty
beam-tally-void = No verdict
beam-exact-tally = A second test: exact search looks for **any** output with a higher score, not only the reference, so it can find more search errors. It proved one in { $found }.
beam-exact-tally-width = { $n } of { $total } sentences at beam width { $width }
beam-exact-tally-alt = Search errors proven by exact search, for each dataset and beam width.
beam-tally-alpha = α
beam-tally-not_best = Search errors
beam-tally-best = Proven optimal
beam-tally-undecided = Undecided
