# The page of training.

page-training = Training
heading-training = { $app }: training
view-training = View of training
view-training-forming = Heads forming
view-training-curves = Curves
view-training-warmup = Warm-up
view-training-smoothing = Label smoothing
view-training-here = Train one here

training-step = step
training-steps = steps
training-step-axis = training step
training-run = run
training-place = place
training-probability = probability
training-log-prob = log p
training-likeliest = likeliest here
training-tokens = tokens
training-whose = whose
training-made = Measured with `{ $command }`.

# Heads forming

forming_of = Training of
forming_of-checkpoint = { $name }
forming_of-small = A small model, from random weights
forming_sentence = Recorded sentence
forming_measure = Number under each head
forming_measure-sharpness = Sharpness
forming_measure-largest = Largest weight
forming_measure-previous = On the token before
forming_measure-same = On the same token
forming_measure-next = On the next token
forming_measure-final = Of its last map
forming_measure-pair = From the pronoun to its noun
forming_measure-answer = On the correct letter
forming_measure-help = Sharpness is 0 where a head looks everywhere alike and 1 where all weight lies on one token. “Of its last map” is how much of what the head does at the end is there already. All numbers go from 0 to 1.
forming_head = Open head

training-dial-help = Step of the training: slider, buttons, arrow keys, play
training-at-step = step { $step }
training-no-formation = No heads were recorded while { $name } was trained. A run records them at the steps that its config names as “formation_steps”, and the export puts them beside the weights. Below is a small model that was recorded from random weights on.
training-began-trained = { $n } steps are recorded, from { $first } to { $last }. This training went on from weights that were trained before, so step { $first } is not a beginning: most heads are what they were, and what is seen to form here is what this training added.
training-began-random = { $n } steps are recorded, from { $first } to { $last }. The training began with random weights.

training-tokens-alt = The { $n } tokens of the target, each with its log p at the step of the slider
training-tokens-name = expected tokens of { $text }
training-tokens-likeliest = The target is given, token by token; under each stands its log p, and below that the token that was likeliest in its place. Red is another than the target’s.
training-tokens-unrecorded = The target is given, token by token; in each stands its log p. Which token was likeliest in its place was not recorded in this training; newer trainings record it.
training-heads-alt = All { $n } heads at the step of the slider, one small map each
training-heads-name = all heads over the training, { $measure }
training-one-alt = Weights of { $head } at the step of the slider
training-one-name = { $head } over the training
training-one-known = A red frame marks the letter that is asked for in each row: the correct alignment of this task.
training-lines-alt = { $measure } of every head over the training steps
training-lines-name = { $measure } over the training
training-lines-caption = One line a head, recorded steps at equal distances. A dot stands where a head had come half way to what it does at the end and did not fall back. Click a line to open its head.

training-formed-at = **{ $head }** came to do it between step { $before } and step { $step } ({ $measure }: { $first } at first, { $last } at the end).
training-formed-before = **{ $head }** did it when the record began, at step { $step } ({ $measure }: { $first } at first, { $last } at the end).
training-formed-never = **{ $head }** does not do this at the end ({ $measure }: { $first } at first, { $last } at the end).
training-formed-not-measured = “{ $measure }” says nothing about { $head }.
training-formed-all = Of { $n } heads, { $late ->
    [0] none came to do it on the way
    [one] { $late } came to do it on the way
   *[other] { $late } came to do it on the way
  }, and { $early ->
    [0] none did it from the first recorded step
    [one] { $early } did it from the first recorded step
   *[other] { $early } did it from the first recorded step
  }.

# Published claims

training-claims-title = Two claims put to this training
training-words-claim = **In models that translate, attention stays uniform until words are known one by one, then follows them** (Snell et al. 2021).
training-words-words-first = *As published.* The words’ gain had come half of its way at step { $words_step }, attention only at step { $focus_step }. Gain { $words_first } to { $words_last } nats a token; sharpness { $focus_first } to { $focus_last }.
training-words-together = *Undecided.* Both had come half of their way at the same recorded step, { $focus_step }. Gain { $words_first } to { $words_last } nats a token; sharpness { $focus_first } to { $focus_last }.
training-words-attention-first = *Not as published.* Attention had come half of its way at step { $focus_step }, the words’ gain only at step { $words_step }. Gain { $words_first } to { $words_last } nats a token; sharpness { $focus_first } to { $focus_last }.
training-words-not-uniform = *This training cannot tell.* Attention was not uniform when the record began: its sharpness was { $focus_first } then and is { $focus_last } at the end, where 0 is uniform.
training-words-unknown = *This training cannot tell.* Attention began uniform (sharpness { $focus_first }, at the end { $focus_last }), but what was known of single words was not recorded, or never grew.
training-words-unrecorded = What was known of single words was not recorded either; newer trainings record it.
training-words-open = *Cannot be told from so few sentences.* The words’ gain had come half of its way at step { $words_step }, attention at step { $focus_step }, and other sentences would turn that round too often. Gain { $words_first } to { $words_last } nats a token; sharpness { $focus_first } to { $focus_last }.
training-claims-basis = From { $n ->
    [one] { $n } sentence
   *[other] { $n } sentences
 } ({ $sites }); drawn anew from these, { $same } of 1,000 sets give the same verdict.
training-claims-went-on = Neither claim can be put to it: both are about the beginning, and this training went on from trained weights.
training-claims-window = *This model cannot tell.* Its rows are cut by a window and sum to less than one: they have no entropy, and weight on a token is no share.
training-words-no-cross = In this model nothing looks from one side at another.
training-words-name = words and attention over the training
training-frequent-claim = **Attention first gathers on frequent tokens, then spreads** (Chen et al. 2026, arXiv 2605.01199). The paper is about models of one layer on Markovian data; here the question is put to a model that translates.
training-frequent-gathers-spreads = *As published.* Frequent tokens had { $first } times the weight of uniform attention at first, most at step { $step } ({ $highest } times), and { $last } times at the end.
training-frequent-gathers = *Half of it.* The weight on frequent tokens rose from { $first } to { $highest } times that of uniform attention (step { $step }) and did not fall by a tenth afterwards: { $last } at the end.
training-frequent-spreads = *Half of it.* The weight on frequent tokens only fell, from { $first } to { $last } times that of uniform attention.
training-frequent-open = *Cannot be told from so few sentences.* Frequent tokens had { $first } times the weight of uniform attention at first, { $highest } times at step { $step } and { $last } times at the end; other sentences would have another course too often.
training-frequent-steady = *Not seen here.* The weight on frequent tokens was { $first } times that of uniform attention at first and { $last } times at the end. It neither rose by a tenth nor ended a tenth below its highest: between { $lowest } and { $highest } times on the way.
training-frequent-pieces = Frequent are here the pieces, special tokens aside, that stand in every second source of the training or more: { $pieces }. The end sign counts in neither weight.
training-frequent-guessed = How often pieces stood in the training was not recorded; frequent are here those in at least half of the recorded sources: { $pieces }.
training-frequent-none = In the recorded sentences no piece is known to be frequent.
training-frequent-name = weight on frequent tokens over the training
training-claim-focus = sharpness of cross-attention
training-claim-knowledge = gain by the words, nats a token
training-claim-ratio = weight on frequent tokens / uniform
training-claim-alt = { $what } over the training steps
training-knock-title = Every head switched off, at several steps
training-knock-run = Measured on another run, { $run }, which repeats this training in short and kept its weights.
knock_of = Log p of
knock_of-token = every token
knock_of-pronoun = the right pronoun
training-pronoun-name = the pronoun by training step
training-claim-log_prob = log p of the right pronoun
training-claim-noun_hidden = change: its noun hidden from “it”
training-knock-needed = From when on does the pronoun need it? { $n } held-out sentences with two nouns; log p of the right pronoun with the phrase of its noun hidden from “it” in every encoder head, against everything in view: { $first } nats at the first step kept, { $last } at the last. Half of the largest loss is reached at step { $step }. With the other noun’s phrase hidden: { $other } at the last.
training-knock-found-pronoun = At { $n } steps whose weights were kept, every head was switched off (zero) and the change of log p of the right pronoun measured. It falls most without { $head } at step { $step }: by { $drop } nats.
training-knock-found-token = At { $n } steps whose weights were kept, every head was switched off (zero) and the change of log p a token of the recorded sentences measured. It falls most without { $head } at step { $step }: by { $drop } nats a token.
training-knock-alt = Change of log p a token without each head, one column a step

# Curves

training-curves-runs = Runs
training-curves-range = Steps shown
training-curves-none-chosen = Choose a run to see its curves.
training-curves-empty = In these steps nothing was noted.
training-curves-alt = Loss, validation loss, rate and gradient norm of { $names } over the training steps
training-curves-name = curves of { $names }
training-curves-zoom = Drag to move, turn the wheel to zoom, double-click to see all; the pointer tells the values.
training-curves-table-alt = The ends of the chosen runs
training-curves-validation = Loss is the negative log-likelihood a token, in nats, without smoothing. Validation losses of runs with other data or another vocabulary cannot be compared.
training-no-metrics = The curves of the training of { $name } are not beside its checkpoint (metrics.jsonl).
training-metrics-cut = { $n ->
    [one] { $n } line of the curves of { $name } could not be read, as when a run was killed; it is left out.
   *[other] { $n } lines of the curves of { $name } could not be read, as when a run was killed; they are left out.
  }
training-measure-loss = loss
training-measure-val_loss = validation loss
training-measure-lr = rate
training-measure-gradient_norm = gradient norm
training-last-loss = last loss
training-lowest-val-loss = lowest validation loss
training-bleu = BLEU
training-bleu-where = BLEU on
training-bleu-held-out = held-out generated pairs, greedy

small-run-plain = small, with warm-up
small-run-no-warmup = small, no warm-up
small-run-ten-times = small, ten times the rate
small-run-smoothed = small, smoothed labels

# Warm-up

training-warmup-label = Warm-up steps
training-warmup-help = While it warms up, the rate rises in a straight line; then it falls with the square root of the step.
training-factor-label = Factor
training-factor-help = Some trainings multiply the rate of the formula; the paper does not.
training-warmup-ends = warm-up ends, step { $n }
training-rate-alt = The rate of the formula over the steps, with its peak at step { $warmup }, and the rate that the training used
training-rate-name = rate, warm-up { $warmup }, d_model { $d_model }
training-rate-peak = Highest rate: { $peak }, at step { $warmup }. The paper’s base model (512 wide, 4,000 steps of warm-up) reaches { $paper }.
training-rate-own = In sand the rate that { $name } really used: at most { $rate }, at step { $step }.
training-rate-unknown = The rate that { $name } used is not known here.
training-rate-plain = It is the formula’s with the settings of its card: nowhere off by more than { $error }.
training-rate-shaped = Its config multiplies the formula’s rate along { $n } points, so that it sinks at the end; with them it is the formula’s, nowhere off by more than { $error }.
training-warmup-runs-title = With it, without it, and ten times too fast
training-small-made = Small models on { $pairs } generated pairs, all from the same random weights, trained by `{ $command }` on { $hardware }. “No warm-up” begins at the highest rate and stays there until warm-up would have ended; then both fall alike.
training-small-table-alt = What came of the small runs on held-out pairs
training-perplexity = perplexity
training-perplexity-help = On held-out pairs, teacher-forced: e to the mean negative log p a token. Lower is better.
training-calibration = calibration error
training-calibration-help = Mean distance between how sure the model was and how often it was right, in ten bins (Guo et al. 2017). Lower is better.

# Label smoothing

smoothing_token = Token of the translation
training-epsilon-label = Smoothing ε
training-epsilon-help = How much of the target is spread over all tokens alike; the paper takes 0.1.
training-target-model = the model
training-target-smoothed = the smoothed target
training-target-alt = What the model and the smoothed target give “{ $token }” and its rivals
training-target-name = smoothed target of { $token } in { $text }
training-smoothing-empty = The translation on this page is empty, so there is no token to look at.
training-smoothing-token = With ε = { $epsilon } the target gives “{ $token }” { $on_label } and each of the { $n } tokens of the vocabulary besides { $on_others }. The model gives “{ $token }” { $given }.
training-smoothing-loss = Loss of this token: { $plain } nats against the plain target, { $smoothed } against the smoothed one. Less than { $least } is not possible against the smoothed one: that is its own entropy, so a model that is too sure pays for it.
training-smoothing-runs-title = A run with and without it
training-smoothing-perplexity-more = With smoothed labels perplexity is worse, as the paper says: { $perplexity_smoothed } after { $perplexity_plain }.
training-smoothing-perplexity-less = With smoothed labels perplexity is no worse here, other than in the paper: { $perplexity_smoothed } after { $perplexity_plain }.
training-smoothing-bleu-more = BLEU is higher, as the paper says: { $bleu_smoothed } after { $bleu_plain }.
training-smoothing-bleu-less = BLEU is not higher here, other than in the paper: { $bleu_smoothed } after { $bleu_plain }.
training-smoothing-calibration-error-more = Its probabilities are less to be believed: calibration error { $calibration_error_smoothed } after { $calibration_error_plain }.
training-smoothing-calibration-error-less = Its probabilities are more to be believed: calibration error { $calibration_error_smoothed } after { $calibration_error_plain }.
training-calibration-alt = How sure against how often right, with and without smoothed labels
training-calibration-name = calibration with and without smoothed labels
training-calibration-caption = On the dashed line every probability is true. Below it the model is too sure, above it not sure enough. One seed each: a small difference may be chance.
training-sure = how sure (mean probability)
training-right = how often right

# Train one here

toy_task = Task
toy_task-copy = Copy
toy_task-reverse = Reverse
toy_task-sort = Sort
toy_task-help = Each word has four to eight letters of the Greek alphabet, none twice.
toy_word = Word
training-here-what = A Transformer with one layer on each side, { $heads } heads and { $d_model } dimensions, learns to copy, reverse or sort words of { $letters } letters in { $steps } steps. Nobody tells it where to look; but where it should look is known, so the page can say when it does.
training-seed-label = Seed
training-seed-help = Random weights and words are drawn from it: the same seed gives the same training.
training-here-start = Train
training-here-stop = Stop
training-here-begin = Choose a task and press “Train”. It takes half a minute or so.
training-here-starting = Starting
training-here-refused = { $n ->
    [one] Another visitor is training just now, and this server trains { $n } model at a time. Nothing is lost: try again in a minute.
   *[other] Other visitors are training just now, and this server trains { $n } models at a time. Nothing is lost: try again in a minute.
  }
training-here-progress = Step { $step } of { $last }, loss { $loss }, { $right } of the letters right in words it has not seen
training-here-word = { $source } → { $target }, step { $step }
training-here-head = { $head }: { $weight } on the correct letter
training-here-alt = The { $n } heads of cross-attention at step { $step }
training-here-done = **{ $task }** is trained: { $step } steps, { $right } of the letters right in words it has not seen.
training-here-stopped = **{ $task }** was stopped at step { $step }, with { $right } of the letters right in words it has not seen. What it had learnt until then is below.
training-here-out-of-time = **{ $task }** was ended at step { $step }, because its time was over (the server is busy), with { $right } of the letters right in words it has not seen. What it had learnt until then is below.
training-here-failed = This training failed. Nothing else was touched; press “Train” to try again.
training-here-found = Attention has found the correct letter since step { $step }: { $head } now puts { $weight } of its weight there.
training-here-not-found = Attention has not found the correct letter yet: the best head, { $head }, puts { $weight } of its weight there.
training-here-learnt = At least 95% of the letters are right since step { $step }.
