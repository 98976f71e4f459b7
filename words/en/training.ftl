# The page “Training”.

page-training = Training
view-training = Training view
view-training-forming = Heads & learning curves
view-training-warmup = Learning-rate warmup
view-training-smoothing = Label smoothing
view-training-here = Train a toy model

training-step = Training step
training-column-steps = Training steps
training-step-axis = Training step
training-recorded-axis = Recorded step (not to scale)
training-run = Training run
training-column-run = Training run
training-column-checked = Validation loss
training-column-score = BLEU
training-column-score-help = Held-out generated pairs, greedy search
training-place = Position
training-probability = Probability
training-log-prob = log p (token)
training-likeliest = Most likely token
training-tokens = Tokens

# Heads over training

forming_of = Training run
forming_of-checkpoint = Run: { $name }
forming_of-small = Run: small model
forming_sentence = Sentence read at every step
forming_measure = Head metric
forming_measure-sharpness = Sharpness (0: looks everywhere, 1: at one token)
forming_measure-largest = Max. weight
forming_measure-previous = Previous-token attention
forming_measure-same = Same-token attention
forming_measure-next = Next-token attention
forming_measure-final = Overlap with final pattern
forming_measure-pair = Pronoun → antecedent attention
forming_measure-answer = Attention to correct letter
forming_measure-help = Every metric is between 0 and 1. Sharpness is 1 − normalised entropy: 0 for uniform attention, 1 if one token has all the weight. Overlap with the final pattern is the share of the last recorded attention map that is already there.
forming_does-sharpness = focus on few tokens
forming_does-largest = give most of its weight to one token
forming_does-previous = attend to the previous token
forming_does-same = attend to the token itself
forming_does-next = attend to the next token
forming_does-final = form its final pattern
forming_does-pair = attend from the pronoun to its antecedent
forming_does-answer = attend to the correct letter
forming_head = Selected head

training-step-help = Training step: slider, buttons, arrow keys and playback
training-at-step = Step { GROUPED($step) }
training-no-formation = No heads were recorded while { $name } was trained. A run records them at the steps that its config lists as “formation_steps”, and the export stores them next to the weights. Below is a small model that was recorded from the start of its training.
training-began-trained = { $n } steps are recorded, from { GROUPED($first) } to { GROUPED($last) }. This run continued from trained weights, so most heads were already formed; the changes shown are what this run added.
training-began-random = { $n } steps are recorded, from { GROUPED($first) } to { GROUPED($last) }. This run started from random weights.

training-tokens-alt = The { $n } tokens of the target, each with its probability at the selected step
training-tokens-file = target tokens: { $text }
training-tokens-caption = The model reads the target token by token (teacher forcing), and each cell shows the probability of the target token. { $likeliest ->
    [yes] The token below is the most likely one at that position, in red where it differs from the target.
   *[no] This run did not record the most likely token; newer runs do.
 }
training-heads-alt = All { $n } heads at the selected step, one small attention map each
training-heads-file = all heads over training, { $measure }
training-one-alt = Attention weights of { $head } at the selected step
training-one-file = { $head } over training
training-one-known = A frame marks the correct letter of each row: the correct alignment of this task.
training-lines-alt = { $measure } of every head by training step
training-lines-file = { $measure } over training
training-lines-formed = ● learned: { $late } of { $n } · grey: other heads
training-lines-caption = Each line is a head. A dot: from here it keeps at least half of its final value (hollow: from the first step on). Click a line to select its head.

training-formed-at = Between steps { GROUPED($before) } and { GROUPED($step) } of training, **{ $head }** learns to **{ $does }**.
training-formed-before = At the first recorded step, { GROUPED($step) }, **{ $head }** could already **{ $does }**.
training-formed-held = Its line in the curves rises from { $before } to { $at } there, and stays at half of its final value or more.
training-formed-never = **{ $head }** does not learn to **{ $does }** in this run.
training-formed-not-measured = “{ $measure }” is not defined for { $head }.
training-formed-all = { $late } of { $n } heads learned this in the run.

# Two published claims, tested on the run

training-claims-title = Testing two published claims
training-words-claim = **In translation models, attention stays uniform until single words are known, then follows them** (Snell et al. 2021). *Word-level gain* is what the model gains from word pairs alone, under uniform attention. *Sharpness* is 0 for uniform attention and 1 for a single key.
training-words-words-first = *As published.* Word-level gain reached half of its rise at step { GROUPED($words_step) }, attention sharpness only at step { GROUPED($focus_step) }.
training-words-together = *Undecided.* Word-level gain and attention sharpness reached half of their rise at the same recorded step, { GROUPED($focus_step) }.
training-words-attention-first = *Not as published.* Attention sharpness reached half of its rise at step { GROUPED($focus_step) }, word-level gain only at step { GROUPED($words_step) }.
training-words-not-uniform = *Not testable with this run.* Attention was not uniform at the first recorded step: its sharpness was { $focus_first } then and is { $focus_last } at the end, where 0 is uniform.
training-words-unknown = *Not testable with this run.* Attention was uniform at first: its sharpness was { $focus_first } then and { $focus_last } at the end. But word-level gain was not recorded, or one of the two never rose.
training-words-unrecorded = Word-level gain was not recorded either; newer runs record it.
training-words-open = *Too few sentences to decide.* Word-level gain reached half of its rise at step { GROUPED($words_step) }, attention sharpness at step { GROUPED($focus_step) }. If the sentences are resampled (bootstrap), the order is reversed too often.
training-claims-basis = Measured on { $n ->
    [one] { $n } sentence
   *[other] { $n } sentences
 } ({ $sites }). Of 1,000 bootstrap samples, { PERCENT($same, digits: 0) } give the same verdict.
training-claims-went-on = Neither claim can be tested here: both concern the start of training, and this run continued from trained weights.
training-claims-window = *Not testable with this model.* Its attention window cuts off part of each row, so rows sum to less than 1. Such rows have no entropy, and their weights are not shares.
training-words-no-cross = This model has no cross-attention.
training-frequent-claim = **Attention first concentrates on frequent tokens, then spreads** (Chen et al. 2026, arXiv 2605.01199). The paper studies one-layer models on Markovian data. Here the claim is tested on a translation model.
training-frequent-gathers-spreads = *As published.* At first, frequent tokens got { $first } times the weight that uniform attention gives them. This rose to { $highest } times at step { GROUPED($step) } and fell to { $last } times by the end.
training-frequent-gathers = *Half as published.* At first, frequent tokens got { $first } times the weight that uniform attention gives them. This rose to { $highest } times at step { GROUPED($step) }, but was still { $last } times at the end, a fall of less than a tenth.
training-frequent-spreads = *Half as published.* At first, frequent tokens got { $first } times the weight that uniform attention gives them, at the end { $last } times. Before this fall, there was no rise of a tenth or more.
training-frequent-open = *Too few sentences to decide.* Frequent tokens got { $first } times the weight of uniform attention at first, { $highest } times at step { GROUPED($step) } and { $last } times at the end. If the sentences are resampled (bootstrap), the curve too often has another shape.
training-frequent-steady = *Not seen here.* Frequent tokens got { $first } times the weight of uniform attention at first and { $last } times at the end. This ratio neither rose by a tenth nor ended a tenth below its peak.
training-frequent-pieces = Frequent tokens are the subwords in at least half of the training sources: { $pieces }. Special tokens are left out, and the weight on the end-of-sentence token is not counted.
training-frequent-guessed = Token frequency in training was not recorded, so frequent tokens are the subwords in at least half of the recorded sources: { $pieces }.
training-frequent-none = No subword in the recorded sentences is known to be frequent.
training-claim-focus = Cross-attention sharpness (0 to 1)
training-claim-knowledge = Word-level gain (nats/token)
training-claim-ratio = Weight on frequent tokens (× uniform)
training-claim-alt = { $what } by training step
training-claim-file = { $what } over training
training-knock-title = Head ablation over training
training-knock-run = Measured on { $run }, a shorter repeat of this run that kept its weights.
knock_of = Metric
knock_of-token = log p (all tokens)
knock_of-pronoun = log p (pronoun)
training-claim-log_prob = log p of the correct pronoun
training-claim-noun_hidden = Change of log p, antecedent hidden
training-knock-needed = Hiding the antecedent phrase from “it” in every encoder head changes log p of the correct pronoun by **{ SIGNED($last) }** nats at the last saved step. Half of the largest change is reached at step { GROUPED($step) }. Hiding the distractor’s phrase changes it by { SIGNED($other) } nats ({ $n } held-out sentences).
training-knock-found-pronoun = Ablating { $head } lowers log p of the correct pronoun most: by **{ $drop }** nats at step { GROUPED($step) }. Every head was ablated in turn (zero ablation) at { $n } saved steps.
training-knock-found-token = Ablating { $head } lowers log p of the recorded sentences most: by **{ $drop }** nats per token at step { GROUPED($step) }. Every head was ablated in turn (zero ablation) at { $n } saved steps.
training-knock-alt = Change of log p without each head, one column per step
training-knock-name = Head

# Curves

curve_runs = Training runs
training-curves-range = Step range
training-curves-found = **{ $run }**: the validation loss is lowest at step { GROUPED($val_loss_step) } (**{ $val_loss_least }**). The training loss falls to **{ $loss_least }**.
training-curves-none-chosen = Choose a run to see its learning curves.
training-curves-empty = No values were logged in this step range.
training-curves-alt = Learning curves of { $names } by training step
training-curves-file = learning curves: { $names }
training-curves-caption = Drag over a range to zoom, double-click to reset; the toolbar also pans. Hover to see the values of every run at that step.
training-curves-went-on = { $runs } continued from trained weights, so the loss starts low and falls only a little.
training-curves-table-alt = Final values of the chosen runs
training-curves-table-caption = Loss is the negative log-likelihood per token, in nats, without smoothing. Validation losses of runs with other data or another vocabulary are not comparable.
training-no-metrics = The learning curves of { $name } are not stored with its checkpoint (metrics.jsonl).
training-metrics-cut = { $n ->
    [one] { $n } line of the learning curves of { $name } could not be read and is left out. This happens when a run is killed.
   *[other] { $n } lines of the learning curves of { $name } could not be read and are left out. This happens when a run is killed.
  }
training-measure-loss = Training loss
training-measure-val_loss = Validation loss
training-measure-lr = Learning rate
training-measure-gradient_norm = Gradient norm
training-column-loss = Final training loss
training-column-lowest = Lowest validation loss
training-column-bleu = BLEU
training-column-where = BLEU dataset
training-bleu-held-out = Held-out generated pairs, greedy search

small-run-plain = Small model, baseline
small-run-no-warmup = Small model, no warmup
small-run-ten-times = Small model, 10× learning rate
small-run-smoothed = Small model, label smoothing

# Warmup

rate_warmup = Warmup steps
rate_warmup-help = During warmup the learning rate rises linearly. Afterwards it falls with the inverse square root of the step.
rate_factor = Learning-rate factor
rate_factor-help = Multiplies the learning rate of the formula. The paper uses no such factor.
rate_d_model = $d_{"{"}model{"}"}$
training-warmup-ends = End of warmup (step { $n })
training-rate-alt = Learning rate of the formula by training step, with its peak at step { $warmup }, and the learning rate that the run used
training-rate-file = learning rate, warmup { $warmup }, d_model { $d_model }
training-rate-formula = Formula
training-rate-caption = The learning-rate factor scales the whole curve. It peaks at { FIXED($peak, digits: 5) } here, and at { FIXED($paper, digits: 5) } in the paper’s base model (d_model = 512, 4,000 warmup steps).
training-rate-peak = In the formula, the learning rate rises for **{ GROUPED($step) }** steps (warmup), which keeps the first updates small, and then falls.
training-rate-own = The learning rate that { $name } used (gold) peaks at **{ FIXED($rate, digits: 5) }** at step { GROUPED($step) }.
training-rate-restart = At step { GROUPED($step) } its schedule begins a second, smaller rise (a warm restart).
training-rate-unknown = The learning rate that { $name } used is not stored here.
training-rate-plain = It follows the formula with the settings of its model card and differs from it by at most { SCIENTIFIC($error) }.
training-rate-shaped = It leaves the formula on purpose: its config multiplies the formula by a further factor, set at { $n } steps and interpolated between them. Formula times this factor gives the gold line (largest difference: { SCIENTIFIC($error) }).
training-warmup-found = Without warmup, a small model’s validation loss ends at **{ $without }**, not **{ $plain }**. A learning rate 10 times too high ruins it even with warmup.
training-warmup-read = Loss: how unlikely the right token is to the model; 0 is perfect. Learning rate: how far one step moves the weights.
training-rate-title = The schedule of this model
training-small-table-caption = The small models started from the same random weights and were trained on { GROUPED($pairs) } generated pairs by `{ $command }` on { $hardware }.
training-small-table-alt = Results of the small runs on held-out pairs
training-column-perplexity = Perplexity
training-column-perplexity-help = The exponential of the mean −log p per token, on held-out pairs with teacher forcing. Lower is better.
training-column-calibration = Expected calibration error (ECE)
training-column-calibration-help = Mean difference between confidence and accuracy over ten bins (Guo et al. 2017). Lower is better.

# Label smoothing

smoothing_token = Output token
smoothing_epsilon = Smoothing ε
smoothing_epsilon-help = Share of the target probability that is spread evenly over all tokens. The paper uses 0.1.
training-target-smoothed = Target with ε = { FIXED($epsilon) }
training-target-plain = Target without smoothing
training-target-model = The model’s probability
training-target-whose = Bar
training-target-right = “{ $token }”, the right token
training-target-others = All { GROUPED($n) } other tokens together
training-target-alt = Bars: the target without and with label smoothing and the model’s probability, for the right token “{ $token }” and for all other tokens together
training-target-found = Label smoothing asks for **{ PERCENT($on_label) }** on “{ $token }” instead of 100%, and spreads the rest over the whole vocabulary. The model gives it **{ PERCENT($given) }**.
training-target-caption = Each of the { GROUPED($others) } other tokens alone has a target of { $on_others }. The loss (cross-entropy of target and model, in nats) is { FIXED($smoothed) } here, { FIXED($least) } at best, and { FIXED($plain) } without smoothing.
training-smoothing-effect = Effect on training: two small models
training-smoothing-perplexity-more = Perplexity (among how many tokens the model hesitates; 1 is best) changes from **{ FIXED($plain, digits: 1) }** to **{ FIXED($smoothed, digits: 1) }** with label smoothing: it is worse, as in the paper.
training-smoothing-perplexity-less = Perplexity (among how many tokens the model hesitates; 1 is best) changes from **{ FIXED($plain, digits: 1) }** to **{ FIXED($smoothed, digits: 1) }** with label smoothing: unlike in the paper, it is not worse.
training-smoothing-bleu-more = BLEU (overlap with the reference translation, 100 is best) changes from **{ FIXED($plain, digits: 1) }** to **{ FIXED($smoothed, digits: 1) }** with label smoothing: it is higher, as in the paper.
training-smoothing-bleu-less = BLEU (overlap with the reference translation, 100 is best) changes from **{ FIXED($plain, digits: 1) }** to **{ FIXED($smoothed, digits: 1) }** with label smoothing: unlike in the paper, it is not higher.
training-smoothing-calibration-error-more = The calibration error (mean gap between confidence and accuracy) changes from **{ PERCENT($plain) }** to **{ PERCENT($smoothed) }** with label smoothing: the model is worse calibrated.
training-smoothing-calibration-error-less = The calibration error (mean gap between confidence and accuracy) changes from **{ PERCENT($plain) }** to **{ PERCENT($smoothed) }** with label smoothing: the model is no worse calibrated.
training-target-file = smoothed target of { $token }: { $text }
training-smoothing-empty = The output on this page is empty, so there is no token to show.
training-calibration-chart-alt = Reliability diagram: confidence against accuracy, with and without label smoothing
training-calibration-chart-file = reliability diagram with and without label smoothing
training-calibration-chart-caption = On the dashed line, confidence equals accuracy. Below it the model is overconfident; above it, underconfident: smoothing trains it never to be sure. Each run has one seed, so a small difference can be chance.
training-sure = Confidence (probability of the predicted token)
training-right = Accuracy (share of right tokens)

# Train a toy model

toy_task = Task
toy_task-copy = Copy
toy_task-reverse = Reverse
toy_task-sort = Sort
toy_task-help = Each word has four to eight different Greek letters.
toy_word = Word
training-here-what = A small Transformer learns to copy, reverse or sort words over an alphabet of { $letters } letters in { GROUPED($steps) } training steps. It has one layer on each side, { $heads } heads and { $d_model } dimensions. No head is told where to attend, but the correct alignment is known, so this view can show when attention finds it.
toy_seed = Seed
toy_seed-help = Determines the random weights and words. The same seed gives the same training run.
toy_start = Train
toy_stop = Stop
training-here-begin = Before training, attention is near chance: the best head puts **{ PERCENT($weight, digits: 0) }** of its weight on the correct letter, averaged over held-out words (chance: { PERCENT($chance, digits: 1) }). Press “Train” to see it find the letters (half a minute).
training-here-starting = Starting
training-here-refused = { $n ->
    [one] Another user is training at the moment, and this server trains { $n } model at a time. Your settings are kept. Try again in a minute.
   *[other] Other users are training at the moment, and this server trains { $n } models at a time. Your settings are kept. Try again in a minute.
  }
training-here-progress = Step { GROUPED($step) } of { GROUPED($last) }, loss { $loss }, letter accuracy { PERCENT($right, digits: 0) } on held-out words
training-here-word = { $source } → { $target }, step { GROUPED($step) }
training-here-head = { $head }, framed cells: **{ PERCENT($mean, digits: 0) }** on average, { PERCENT($weight, digits: 0) } here
training-here-done = **{ $task }** is trained after { GROUPED($step) } steps, with a letter accuracy of **{ PERCENT($right, digits: 0) }** on held-out words.
training-here-stopped = **{ $task }** was stopped at step { GROUPED($step) }, with a letter accuracy of **{ PERCENT($right, digits: 0) }** on held-out words. The result so far is below.
training-here-out-of-time = **{ $task }** ran out of time at step { GROUPED($step) } because the server is busy, with a letter accuracy of **{ PERCENT($right, digits: 0) }** on held-out words. The result so far is below.
training-here-failed = This training failed. Nothing else is affected. Press “Train” to try again.
training-here-found = Attention has found the correct letter since step { GROUPED($step) }: { $head } now puts **{ PERCENT($weight, digits: 0) }** of its weight there (mean over held-out words).
training-here-not-found = Attention has not found the correct letter yet: the best head, { $head }, puts **{ PERCENT($weight, digits: 0) }** of its weight there (mean over held-out words).
training-here-learnt = At least 95% of the letters have been correct since step { GROUPED($step) }.
