# The page “Masked language model”: an encoder alone, with context on both sides.

page-masked = Masked language model (BERT)

view-masked = View of the masked language model
view-masked-guess = Fill mask
view-masked-agreement = Subject–verb agreement

family-masked-language-model = Masked language model (BERT)
system-masked-lm = BERT-style masked LM (Devlin 2019)
need-masked-words = Its predictions for masked tokens cannot be shown here.

# The model and the sentence.

masked-none = No masked language model is installed. Two commands train and install one:
masked_words = Words to mask
masked_words-help = Click a word to mask it. Each of its tokens is replaced by [MASK]. You can also type [MASK] into the sentence.
masked-click-one = Click a word or type [MASK] into the sentence. The model then predicts the token at this position.
masked-all = Every word is masked, so the model reads only the length of the sentence and predicts the tokens that were most frequent in training.
masked-most = { $n } tokens are masked. Predictions are shown for the first { $most }.
masked-apart = Each masked token is predicted independently of the others, as in the paper, so the predictions need not make sense together.
masked-found-typed = With context on both sides, the most likely token is “{ $both }” (**{ PERCENT($both_share) }**); with left context only, it is “{ $left }” ({ PERCENT($left_share) }).
masked-found = With context on both sides, “{ $token }” gets **{ PERCENT($both) }**{ $both_rank ->
    [1] , the most of all tokens
   *[other] {" "}(“{ $top }” gets more)
 }; with left context only, it gets { PERCENT($left) }.

# Predictions.

masked-piece = Masked token “{ $token }”
masked-typed = Typed [MASK]
masked-both = **With context on both sides**
masked-left = **With left context only**
masked-both-title = Bidirectional
masked-left-title = Left context only
masked-own = The original token has a probability of { PERCENT($share) } (rank { GROUPED($rank) }). { masked-entropy }
masked-entropy = { $choices ->
    [1] The model hardly hesitates (entropy { $entropy } nats).
   *[other] The model is as unsure as among { GROUPED($choices) } equally likely tokens (entropy { $entropy } nats).
 }
masked-candidates-axis = Probability
masked-candidates-file = predictions for masked token { $side ->
    [both] bidirectional
   *[alone] left context only
 }
masked-candidates-alt = Predicted tokens with their probabilities; the first is { $token } with { PERCENT($share) }
masked-rests-title = One more token masked
masked-rests-found = Masking “{ $token }” as well lowers the log-probability of the original token most, by { $drop } nats.
masked-rests-raised = Masking “{ $token }” raises it most, by { $rise }: without this word, the original token fits better.
masked-rests-none = Masking another token as well never lowers the log-probability of the original token.
masked-rests-heads = With the { measured-all }, averaged over { $measure ->
    [normed] layers
   *[other] heads
 }, the drops have a rank correlation (Spearman ρ) of { SIGNED($number) } (+1: same order, 0: no relation, −1: reverse order).
masked-rests-nothing = No other token is left to mask.
masked-rests-alt = Change in log p of the first masked token when each of { $n } other tokens is masked as well
masked-rests-file = one more token masked
masked-rests-caption = Each other token is masked in turn, in addition to those already masked. Bars show by how much the log-probability of the first masked token changes (Δ log p, both sides): the lower, the more it relies on that token.
masked-heads-title = { $measure ->
    [weight] Attention
    [length] Vector norms
   *[other] Output norms
 } from masked token
masked-heads-alt = { $measure ->
    [weight] Attention weights
    [length] Vector norms
   *[other] Output norms
 } of { $n } { $measure ->
    [normed] layers
   *[other] heads
 } over the tokens of the sentence, one per line
masked-heads-file = { measured-mass } from masked token
masked-heads-caption = Each line is one { $measure ->
    [normed] layer
   *[other] head
 } and shows what position { $place }, the first masked token, attends to.
masked_open = Open Attention heads page

# Bidirectional context.

masked_part = Tokens to mask
masked_part-chosen = Chosen words
masked_part-each = Every token in turn
masked-sides-found = With context on both sides, { $better ->
    [0] { $n ->
        [one] “{ $token }” is not
       *[other] none of the { $n } tokens is
    } more likely than with left context only.
   *[other] “{ $token }” gets **{ PERCENT($both) }** instead of { PERCENT($left) } with left context only{ $n ->
        [one] .
       *[other] , the largest gain of { $n } tokens.
    }
 }
masked-sides-caption = Each of { $n } tokens is masked on its own. Bidirectional context is better for { $better } of them. Summed over all of them, log p is { FIXED($both, digits: 1) } nats with bidirectional context and { FIXED($left, digits: 1) } with left context only.
masked-sides-axis = Probability of the original token
masked-sides-alt = Probability of each of { $n } tokens with bidirectional context and with left context only
masked-sides-file = every token masked { $text }
masked-sides-maps = Bidirectional vs. left context
masked-sides-maps-alt = { $measure ->
    [weight] Attention weights
    [length] Vector norms
   *[other] Output norms
 } of { $head } with bidirectional context and with left context only
masked-sides-maps-file = { measured } bidirectional vs. left context

# Coreference.

masked-it-title = Attention from “it”
masked-it-found = In { $head }, the weight from “it” to its antecedent, minus that to the distractor noun, is { SIGNED($margin) } on average ({ $n } held-out sentences). The antecedent gets the larger weight in { PERCENT($right, digits: 0) } of them.
masked-it-alt = { $measure ->
    [weight] Attention weights
    [length] Vector norms
   *[other] Output norms
 } of { $n } { $measure ->
    [normed] layers
   *[other] heads
 } from “it” over the tokens of the sentence, one per line
masked-it-file = { measured-mass } from “it”
masked-it-caption = Each line is one { $measure ->
    [normed] layer
   *[other] head
 } and shows what “it” attends to.

# Agreement.

masked-agreement-how = The verb is masked, and the probabilities of its two forms are compared. If a noun of the other number comes between subject and verb (an attractor), the nearest noun suggests the wrong form.
masked-agreement-found = With context on both sides, the correct verb form is more likely in **{ $both } of { $n }** sentences; with left context only, in **{ $left }**.
masked-agreement-lowest = The lowest share is { PERCENT($share, digits: 0) }: “{ $text }”
masked-agreement-open = Fill the mask in
masked-agreement-sentence = { $text }
masked-agreement-examples = Probability of the correct verb form
masked-agreement-axis = Share of the correct form, of both forms
masked-agreement-accuracy = Share of sentences with the correct form
masked-agreement-chance = Guessing: 50%
masked-agreement-edge = ← Wrong form | Correct form →
masked-agreement-side = Context
masked-agreement-dots-alt = Share of the correct form in { $n } sentences with a masked verb, with context on both sides and with left context only
masked-agreement-dots-file = agreement in { $n } sentences
masked-agreement-accuracies-alt = Accuracy of the verb form with its 95% interval, by the words between subject and verb. Two marks per row: context on both sides, left context only
masked-agreement-accuracies-file = accuracy of agreement
masked-agreement-accuracies-caption = Ring: plural verbs alone, with context on both sides. Lines are 95% intervals. Left of 50%, guessing would be better.
masked-agreement-text = Sentence
masked-agreement-right = Correct form
masked-agreement-both = Both sides
masked-agreement-left = Left only
masked-agreement-dots-caption = The verb is masked. Each dot is the probability of the correct form [in brackets], divided by that of both forms. Left of 50%, the wrong form is more likely.
masked-agreement-caption = The share is p(correct form) divided by the sum of both forms. 50% is chance.
masked-agreement-alt = Share of the correct form in { $n } sentences with a masked verb
masked-agreement-measured = Correct verbs over many sentences
masked-agreement-measured-alt = Accuracy of the verb form by what comes between subject and verb
masked-agreement-kind = Between subject and verb
masked-agreement-plural-alone = Plural
masked-agreement-n = Sentences
masked-agreement-plain = No noun between subject and verb
masked-agreement-same = Noun of the same number
masked-agreement-other = Noun of the other number (attractor)
masked-agreement-preposition = Attractor after a new preposition
masked-agreement-phrases = Two attractors
masked-agreement-clause = Relative clause with attractor
masked-agreement-singular = Singular subject
masked-agreement-plural = Plural subject
masked-agreement-told = { $verdict ->
    [frames] Yet the model has not learned a general rule
   *[open] Guessing gives 50%
 }: of plural verbs alone (rings), { PERCENT($other, digits: 0) } are correct after one noun of the other number and { PERCENT($clause, digits: 0) } after an untrained relative clause.
masked-agreement-written = Any words (written sentences)

# Kinds of text.

set-multi30k-en-de = Captions
set-tatoeba-en-de = Everyday sentences
set-tatoeba-extra-en-de = Everyday sentences (newer)
set-chat-en-de = Chat
set-ted-en-de-nc = Talks
set-stories-en-de = Children’s stories
set-formality-en-de = Telephone and chat
set-riddles = Generated, with “it”
set-agreement = Generated, with agreement

# Model.

model-masked-empty = The text contains only the special tokens that the model adds to every sentence, so there is nothing to read.
