# The page of masked words: an encoder alone, read from both sides.

page-masked = Masked words
heading-masked = { $app }: masked words

view-masked = View of masked words
view-masked-guess = What stood there?
view-masked-sides = Why both sides?
view-masked-it = What is “it”?
view-masked-agreement = Is or are?
view-masked-measured = Measured

family-masked-language-model = masked words (BERT)
system-masked-lm = Devlin 2019 · masked words
need-masked-words = It cannot be asked here what stood in a masked place.

# The model and the sentence.

masked-none = No checkpoint that reads masked words is installed. Two commands train and install one:
masked-model = Read by { $name }.
masked-click = Click words to mask them
masked-click-help = A masked word is replaced by [MASK], one for each of its pieces. You can type [MASK] into the sentence, too.
masked-click-one = Click a word above, or type [MASK] into the sentence: the model says what may have stood there.
masked-all = Every word is masked, so nothing is left to read but the length of the sentence. What comes is what the model has met most often.
masked-most = { $n } pieces are masked; candidates are drawn for the first { $most }.
masked-apart = Each masked place is said by itself, without knowing what is said at the others, as in the paper. So two of them together need not make sense.

# Candidates.

masked-piece = In the place of “{ $token }”
masked-typed = In the place of [MASK]
masked-both = **Both sides.**
masked-left = **Left context only.**
masked-both-title = both sides
masked-left-title = left context only
masked-own = What stood there has { $share }, rank { $rank }; entropy { $entropy } nats.
masked-entropy = Entropy { $entropy } nats.
masked-candidates-axis = probability of having stood there
masked-candidates-alt = Candidates with their probabilities, the first is { $token } with { $share }
masked-rests-title = What the guess rests on
masked-rests-found = Masking “{ $token }” too costs most: log p of what stood there falls by { $drop } nats.
masked-rests-none = Masking another piece too never lowers log p of what stood there.
masked-rests-heads = Rank correlation (Spearman) of what is lost with the weight of all heads on average: { $number }.
masked-rests-nothing = Nothing else is left to mask.
masked-rests-alt = Change in log p of what stood in the masked place while each of { $n } other pieces is masked too
masked-rests-name = what a guess rests on
masked-rests-caption = Each other piece masked too, one after another; for the first masked place, both sides.
masked-heads-title = Where every head looks from there
masked-heads-alt = Weights of { $n } heads over the tokens of the sentence, one line a head
masked-heads-name = heads at a masked word
masked-heads-caption = Row { $place } of every head, the first masked place.
masked-open = Open every head on the page of attention

# Both sides.

masked-sides-found = Every one of { $n } pieces was masked alone. Sum of log p: **{ $both }** nats from both sides, **{ $left }** with left context only. { $better } of { $n } are likelier from both sides, most of all “{ $token }” (by { $gain } nats).
masked-sides-token = Piece
masked-sides-both = log p, both sides
masked-sides-left = log p, left context only
masked-sides-gain = Gain
masked-sides-alt = Log p of every piece from both sides and with left context only
masked-sides-maps = The same head with and without what stands to the right
masked-sides-maps-alt = Layer { $layer }, head { $head } with both sides and with left context only
masked-sides-name = both sides and left context only

# "It".

masked-it-none = There is no “it” in this sentence. Type one that has it, such as the animal that didn't cross the street.
masked-it-found = Measured on { $n } held-out sentences with two nouns: { $head }, chosen on other sentences, gives the noun that “it” stands for { $margin } of weight against the other noun (halves { $first } and { $second }), and more than the other in { $right } of them. Nothing in this training asks for it; the translator’s best head has its number on its own card.
masked-it-name = heads at it
masked-it-caption = The row of “it” in every head.

# Agreement.

masked-agreement-how = The verb is masked, and two forms are asked for. Where another noun stands between, nearness and grammar part ways.
masked-agreement-sentence = Sentence
masked-agreement-right = Correct form
masked-agreement-both = Both sides
masked-agreement-left = Left context only
masked-agreement-share = Share of the correct form in what both forms have together; half is a guess.
masked-agreement-alt = { $n } sentences with a masked verb, and the share of the correct form
masked-agreement-measured = Measured on sentences whose subjects were in no generated sentence of the training
masked-agreement-measured-alt = Share of correct verbs by what stands between subject and verb
masked-agreement-between = Between subject and verb
masked-agreement-sentences = Sentences
masked-agreement-plain = nothing
masked-agreement-same = another noun of the same number
masked-agreement-other = another noun of the other number
masked-agreement-preposition = the same, after an untrained preposition
masked-agreement-phrases = two nouns of the other number
masked-agreement-clause = a relative clause, noun of the other number
masked-agreement-singular = singular subject
masked-agreement-plural = plural subject
masked-agreement-told = With both sides, a plural subject gets its verb in { $other } where one noun of the other number stands between, in a frame of the training. In frames that no training sentence has: { $preposition } after another preposition, { $phrases } after two phrases, { $clause } after a relative clause. { $verdict ->
    [frames] Where it is below one half, a coin does better: that a verb agrees with its subject wherever that stands is not what it learned.
   *[open] Chance is one half.
 }
masked-agreement-written = anything: verbs of sentences that people wrote

# Measured.

masked-measured-set = Text
masked-measured-pieces = Masked pieces
masked-measured-both-right = Accuracy, both sides
masked-measured-left-right = Accuracy, left context
masked-measured-both-perplexity = MLM perplexity, both sides
masked-measured-left-perplexity = MLM perplexity, left context
masked-measured-alt = Accuracy and MLM perplexity on { $n } kinds of text
set-multi30k-en-de = captions
set-tatoeba-en-de = everyday sentences
set-tatoeba-extra-en-de = everyday sentences, newer
set-chat-en-de = chat
set-ted-en-de-nc = talks
set-stories-en-de = children’s stories
set-formality-en-de = telephone and chat
set-riddles = generated, with “it”
set-agreement = generated, with a verb that agrees

# Model.

model-masked-empty = There is nothing to read here but signs that the model puts around every sentence.
