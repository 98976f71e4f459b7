# The page of the beam search and its figures.

beam-token = token
beam-tokens = tokens
beam-step = step { $n }
beam-step-title = step
beam-start = start
beam-log-p = log p
beam-log-sum = log P
beam-probability = probability
beam-rank = rank
beam-status = status
beam-hypothesis = hypothesis
beam-output = output
beam-reference = reference
beam-divided = ÷ penalty
beam-score = score
beam-ended = ended
beam-width = width
beam-empty = (empty)
beam-status-kept = kept
beam-status-finished = finished
beam-status-pruned = pruned
beam-fate = { $status }: { $reason }
beam-side = Tree
beam-side-first = as searched
beam-side-second = steered

# The tree

beam-tree-key-best = best hypothesis
beam-tree-key-kept = kept
beam-tree-key-pruned = pruned
beam-tree-key-finished = finished
beam-tree-key-forced = forced
beam-tree-key-only = only in this tree
beam-tree-key-width = the wider the link, the likelier the path among those of its step
beam-tree-probability = probability of the token
beam-tree-sum = running sum of log p
beam-tree-penalty = ÷ length penalty
beam-tree-score = = normalised score
beam-tree-share = share of its step
beam-tree-rank = rank at its step
beam-tree-wide = The beam is { $width } wide, but the vocabulary has { $n ->
    [one] { $n } token
   *[other] { $n } tokens
 }: at the first step all of them are kept.
beam-tree-alt = The search tree from left to right, one column for each step. What it holds is told below it.
beam-tree-told = Search tree of { $steps ->
    [one] { $steps } step
   *[other] { $steps } steps
 } from left to right: { $kept ->
    [one] { $kept } node
   *[other] { $kept } nodes
 } kept, { $finished } finished, { $pruned } pruned. The best hypothesis is “{ $text }”. Below are the open node's numbers; the menu there opens other nodes.
beam-tree-file = beam { $width } { $side }: { $source }
beam-tree-back = Step back
beam-tree-play = Play
beam-tree-pause = Pause
beam-tree-on = Step on
beam-tree-step = Step
beam-tree-step-help = Later steps stay in their place and only shimmer through. The arrow keys ← and → move it too.

# Steering

beam-steer-box = Begin the translation with
beam-steer-placeholder = Type a beginning, or click a candidate below
beam-steer-help = The search then grows from this beginning. The last word may be half typed; a space after it ends it.
beam-steer-undo = Undo
beam-steer-reset = As searched
beam-steer-reset-help = Takes the forced beginning away; Undo brings it back.
beam-steer-forced = Forced beginning: “{ $text }”.
beam-steer-stays = The search itself stays as it is. Change the beginning, or undo it.
beam-steer-tree = tree
beam-steer-best = best output
beam-steer-alt = The best output of the search and of the steered search with their scores.
beam-gain-none-ended = Neither tree has finished a hypothesis, so the scores say little.
beam-gain-one-ended = One of the trees has not finished a hypothesis, so the scores say little.
beam-gain-same = Both trees end in the same output: the beginning was the search's own choice.
beam-gain-more = The steered output scores **{ $gain } more**: the search had lost it. That is a **search error**, for certain.
beam-gain-less = The steered output scores **{ $loss } less**: by its own score the model prefers what the search found.
beam-gain-equal = Both outputs score the same, to four decimals.

# The open node

beam-node-step = Step of the open node
beam-node-open = Open node
beam-node-none = none
beam-node-name = { $token } · rank { $rank } · { $status }
beam-node-start = Start: nothing is written yet
beam-ledger-start = No token has been chosen, so log P = 0. Every hypothesis begins here.
beam-ledger-token = This token: probability **{ $probability }**, log p = **{ $log_prob }**, rank **{ $rank }** at step { $step }
beam-ledger-sum = Running sum: { $terms } = **{ $sum }** = log P
beam-ledger-left-out = … { $n } more …
beam-ledger-penalty-none = Length penalty: no penalty: 1
beam-ledger-penalty-length = Length penalty: { $length }^{ $alpha } = **{ $value }**
beam-ledger-penalty-wu = Length penalty: ((5 + { $length }) / 6)^{ $alpha } = **{ $value }**
beam-ledger-score = Score: { $sum } ÷ { $penalty } = **{ $score }**
beam-ledger-fate = Fate: **{ $status }**
beam-ledger-fate-forced = Fate: **{ $status }** (forced)
beam-ledger-fate-why = Fate: **{ $status }**: { $reason }
beam-ledger-fate-why-forced = Fate: **{ $status }**: { $reason } (forced)
beam-candidates-title = What could follow
beam-candidates-ended = This hypothesis has ended; nothing can follow.
beam-candidates-count = Candidates
beam-candidates-alt = { $n ->
    [one] The { $n } likeliest next token as a bar; the menu below forces it.
   *[other] The { $n } likeliest next tokens as bars; the menu below forces one.
 }
beam-candidates-caption = Red outline: kept by the search. Click a bar to force that token instead.
beam-candidates-menu = Force by menu
beam-candidates-placeholder = choose a token
beam-candidates-name = { $rank } · { $token }
beam-candidates-force = Force
beam-candidates-file = candidates after { $source }
beam-candidates-axis = probability of being next
beam-candidates-others = all others
beam-looked-title = { $n ->
    [one] Where it looked: { $site }
   *[other] Where it looked: { $site } of every layer and head
 }
beam-looked-nothing = This model does not attend to its source, so there is nothing to draw here.
beam-looked-start = Nothing has been produced at the start, so nothing was looked at.
beam-looked-alt = Weights of { $site } in { $layers ->
    [one] { $layers } layer
   *[other] { $layers } layers
 } by { $heads ->
    [one] { $heads } head
   *[other] { $heads } heads
 } over { $tokens ->
    [one] { $tokens } source token
   *[other] { $tokens } source tokens
 }; the strongest are written out below.
beam-looked-file = { $site } of { $token }: { $source }
beam-looked-strongest = Strongest: { $heads }.
beam-looked-head = { $head } on “{ $token }” (position { $position }) **{ $weight }**
beam-looked-sums = Every row sums to one.
beam-looked-free = By design, rows need not sum to one here.
beam-looked-no-sums = Not every row sums to one.

# The hypotheses

beam-hypotheses-cut = No hypothesis ended within { $n ->
    [one] { $n } token
   *[other] { $n } tokens
 }; those below were cut off there.
beam-what-if = What if α were
beam-what-if-help = Ranks the hypotheses below anew. Nothing is searched: another α might have led the search to others.
beam-rank-leads = At α = { $alpha } “{ $text }” leads with { $score }.
beam-rank-leads-anew = At α = { $alpha } “{ $text }” leads with { $score }; the search, with α = { $own }, ranked it { $was }.
beam-rank-no-penalty = Without a penalty α changes nothing; choose one in the sidebar.
beam-rank-changes = The lead changes hands at α = { $alphas }.
beam-rank-always = It leads at every α from { $lowest } to { $highest }.
beam-hypotheses-was = searched as
beam-hypotheses-tokens-help = The end sign counts.
beam-hypotheses-alt = { $n ->
    [one] { $n } hypothesis.
   *[other] { $n } hypotheses, best first.
 }
beam-hypotheses-tick = Tick the box at the left of a line to open its last token in the tree.
beam-lines-alt = Score against alpha, one line a hypothesis, dots where two change places.
beam-lines-file = scores against alpha: { $source }
beam-lines-alpha = α, exponent of the length penalty
beam-lines-score = score = log P ÷ penalty
beam-lines-log-score = score = log P ÷ penalty (log scale)
beam-lines-now = α = { $alpha }
beam-lines-name = { $rank } · { $text }
beam-lines-equal = equal at α
beam-lines-there = score there
beam-lines-ahead = ahead beyond it
beam-lines-behind = behind

# Other ways to a translation

beam-methods-limit = Give the exact search up after (seconds)
beam-methods-temperature = Temperature
beam-methods-temperature-help = Divides the log-probabilities before the draw; 0 always takes the likeliest.
beam-methods-top-k = Top k
beam-methods-top-k-help = Draw among the k likeliest tokens only; 0 among all (Fan et al. 2018).
beam-methods-top-p = Top p
beam-methods-top-p-help = Draw among the fewest tokens that hold this much probability (Holtzman et al. 2020).
beam-methods-seed = Seed
beam-methods-samples = Samples
beam-methods-method = method
beam-methods-alt = { $n ->
    [one] { $n } way
   *[other] { $n } ways
 } to search with output, log-probability, score and time.
beam-method-beam = beam { $width }
beam-method-greedy = greedy (beam 1)
beam-method-samples = { $n ->
    [one] best of { $n } sample
   *[other] best of { $n } samples
 }
beam-method-exact = exact
beam-method-exact-given-up = exact, given up
beam-exact-searching = Searching everything…
beam-exact-work = { $n ->
    [one] { $n } prefix
   *[other] { $n } prefixes
 } looked into in { $seconds } s
beam-exact-ends-best = The beam ended nothing of { $least } to { $most } tokens, so its score says little. “{ $text }” is the best of all that end ({ $work }).
beam-exact-ends-found = The beam ended nothing of { $least } to { $most } tokens, so its score says little. “{ $text }” is the best found that ends ({ $work }).
beam-exact-better-best = “{ $text }” scores { $gain } more than the beam's best: a **search error, for certain**. No translation scores more. ({ $work }.)
beam-exact-better-found = “{ $text }” scores { $gain } more than the beam's best: a **search error, for certain**. There may be better ones yet. ({ $work }.)
beam-exact-none = No translation of { $least } to { $most } tokens exists ({ $work }).
beam-exact-proven = **Proven: no search error.** No translation of { $least } to { $most } tokens scores more than the beam's best, so what is wrong with it is the model's own wish ({ $work }).
beam-exact-unproven = **Not proven** ({ $reason }; { $work }). Nothing better was found, but not everything was looked into.
beam-samples-title = { $n ->
    [one] { $n } sample
   *[other] { $n } samples
 }, { $different } different
beam-samples-drawn = drawn
beam-samples-alt = The samples, most often drawn first.
beam-samples-tree-alt = The samples as a tree; the best one is “{ $text }”.
beam-samples-file = samples: { $source }

# The width

beam-width-sentence = This sentence
beam-width-test-set = Over the test set
beam-width-greedy = 1, greedy
beam-width-alt = Output, log-probability, score and time for each width of the beam.
beam-width-same = Every width finds the same output: the model's choice is clear on this sentence.
beam-width-raises = { $n } different outputs. Going from greedy to the widest beam raises the score ({ $first } → { $last }); width { $best } is the narrowest with the best one.
beam-width-lowers = { $n } different outputs. Going from greedy to the widest beam lowers the score ({ $first } → { $last }); width { $best } is the narrowest with the best one.
beam-width-keeps = { $n } different outputs. Going from greedy to the widest beam does not change the score ({ $first } → { $last }); width { $best } is the narrowest with the best one.
beam-sweep-axis = beam width B
beam-sweep-beam_size = beam width
beam-sweep-bleu = BLEU
beam-sweep-mean_log_prob = mean log P
beam-sweep-length_ratio = length ÷ reference
beam-sweep-seconds = seconds per sentence
beam-sweep-seconds-short = s per sentence
beam-sweep-alt = Quality, probability, length and time by beam width.
beam-sweep-table-alt = The same numbers as a table.
beam-sweep-file = width sweep of { $name }

# What a search costs

beam-cost-milliseconds = milliseconds
beam-cost-per-token = milliseconds per token
beam-cost-length = tokens of output
beam-cost-tokens = output tokens
beam-cost-of-width = B = { $n }
beam-cost-of-length = { $n ->
    [one] { $n } token
   *[other] { $n } tokens
 }

# Errors

beam-errors-reference = Reference translation
beam-errors-placeholder = Type the translation you had expected
beam-errors-validation = Over validation sentences
beam-errors-stays = The search stays as it is.
beam-verdict-by-score = With normalisation (by score): { $verdict }
beam-verdict-by-sum = Without (by log P): { $verdict }.
beam-verdict-same = **No error**: the search returned the reference itself.
beam-verdict-search-error = **Search error**: the reference scores more, and the search lost it.
beam-verdict-length-penalty = **Ranked lower by the length penalty**: the reference is likelier, but the penalty puts the output first.
beam-verdict-model-error = **Model error**: the model itself likes its output better; no search with this score would return the reference.
beam-verdict-void = **No verdict**: { $reason }.
beam-verdict-void-unknown = **No verdict**: { $reason }. The model reads and writes these as one unknown sign, so its probability of this reference means nothing.
beam-plain-verdict-same = the reference was found
beam-plain-verdict-search-error = **search error**: the reference is likelier, and the search lost it
beam-plain-verdict-length-penalty = the reference is likelier and finished in the beam; only the **length penalty** ranked it lower
beam-plain-verdict-model-error = **model error**: the output is likelier
beam-plain-verdict-void = no verdict
beam-fell-not = The reference finished in the beam, so the search did look at it.
beam-fell = The reference fell out of the beam at **step { $step }**, with “{ $token }”: { $reason }.
beam-errors-tokens-alt = Log-probability of every token of the output and of the reference, with sums.
beam-errors-tokens-file = output and reference: { $source }
beam-errors-log-p = log p of the token
beam-errors-sum = sum so far
beam-errors-output = output ŷ
beam-errors-expected = reference y\*
beam-bleu = **BLEU { $score }** of this one sentence, by sacreBLEU. Of the output's n-grams, those that the reference has too:
beam-bleu-n = n
beam-bleu-both = in both
beam-bleu-of = of
beam-bleu-precision = precision
beam-bleu-none = none
beam-bleu-shorter = Brevity penalty **{ $penalty }**: { $n ->
    [one] { $n } word
   *[other] { $n } words
 }, shorter than the reference's { $reference }.
beam-bleu-not-shorter = Brevity penalty **{ $penalty }**: { $n ->
    [one] { $n } word
   *[other] { $n } words
 }, not shorter than the reference's { $reference }.
beam-bleu-caption = Precisions without a match are smoothed (exponential), and orders the output is too short for are left out. { $signature }
beam-tally-plain = Without normalisation (by log P)
beam-tally-nothing = With width { $width }, over { $n ->
    [one] { $n } sentence
   *[other] { $n } sentences
 }: no reference was missed, so there is nothing to blame.
beam-tally-shares = With width { $width }, over { $n ->
    [one] { $n } sentence
   *[other] { $n } sentences
 }: of the references that were not returned, **{ $search }** are due to the search, **{ $penalty }** to the length penalty and **{ $model }** to the model itself.
beam-tally-wider = Most are lost on the way: a **wider beam** should help.
beam-tally-alpha = Most lose by their length: **another α** should help.
beam-tally-model = A wider beam would win back only the first part: what helps is **more data and a better model**.
beam-tally-alt = Share of each verdict for each set and width.
beam-tally-set = set
beam-tally-sentences = sentences
beam-tally-same = found
beam-tally-search-error = search error
beam-tally-model-error = model error
beam-tally-length-penalty = length penalty
beam-tally-void = void
beam-exact-tally = A reference is only one translation. Exact search looks for **any** that scores more than the output, which makes a search error certain. It found one with { $found }.
beam-exact-tally-width = width { $width }: { $n } of { $total }
beam-exact-tally-alt = Search errors that exact search proved.
beam-exact-tally-alpha = α
beam-exact-tally-not-best = search errors
beam-exact-tally-best = the best there is
beam-exact-tally-undecided = undecided
