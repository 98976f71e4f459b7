# The page of documents: judged by sentences, and those by words.

page-documents = Documents
heading-documents = { $app }: documents

view-documents = View of documents
view-documents-read = Read
view-documents-agree = Does the map say why?
view-documents-other = Another map
view-documents-measured = Measured

site-words = the words of a sentence
site-words-attention = attention to words
site-words-short = Words
site-words-name = words
site-sentences = the sentences
site-sentences-attention = attention to sentences
site-sentences-short = Sentences
site-sentences-name = sentences
family-hierarchical-attention = hierarchical attention
system-documents-han = Yang 2016 · hierarchical attention
system-documents-uniform = Yang 2016 · all weights alike
system-documents-no-mixing = Yang 2016 · each word by itself
set-polarity = written reviews
set-reviews = generated reviews

# The model and the document.

documents-none = No checkpoint that judges documents is installed. Two commands train and install one:
documents-model = Model
documents-example = Example
documents-example-others = What others thought
documents-example-negated = Never ridiculous
documents-example-expected = Expected otherwise
documents-example-verb = Between two opinions
documents-example-not = Not inspired
documents-example-late = It ends better than it begins
documents-example-pretty = Pretty, and empty
documents-example-mixed = Neither, nor
documents-box = English film review
documents-box-help = Paste any text. A sentence ends at a full stop, a question mark, an exclamation mark or a line.
documents-box-none = Paste a review, or choose an example
documents-still = Still showing: { $text }
documents-unknown = { $n } of { $of } words ({ $share }) are not in the vocabulary of this model, which learnt from English film reviews. It reads all of them as one and the same unknown word, so its judgement means little.
documents-short = There is little to read here. A single word or two is judged all the same, as a review would be.
documents-text = The document, sentence by sentence

# The decision, and what is changed.

documents-weights = Weights
documents-weights-own = the model's own
documents-weights-uniform = all alike
documents-weights-shuffled = shuffled
documents-weights-help = Replaces the weights at both levels, while everything else of the model stays as it is.
documents-how = What is taken out
documents-how-unread = is not read
documents-how-unseen = has no weight
documents-how-help = Not read, it is as if it did not stand there. Without weight it is read, so its neighbours still know of it.
documents-another = Shuffle again
documents-put-back = Put everything back
documents-truth = This review was generated, and what decides it is known: it is marked by lines. Right is “{ $label }”.
documents-class-pos = Good
documents-class-neg = Bad
documents-moved = { $points } points
documents-judged = The review is judged to be **{ $label }**.
documents-turned = The decision turns: **{ $label }** now, { $before } before.
documents-stays = The decision stays: **{ $label }**.
documents-sentence-told = Sentence { $n }: weight { $weight } in the document.
documents-sentence-out = Sentence { $n } is not read.
documents-word-told = “{ $word }”: weight { $weight } in its sentence, whose weight is { $sentence }; shaded by √{ $sentence } · { $weight } = { $shown }.
documents-word-out = “{ $word }” is not read.
documents-word-unknown = The vocabulary lacks it.
documents-point = Point at a word or at the number of a sentence to see its weight.
documents-point-clicks = Point at a word or at the number of a sentence to see its weight; click to take it out.

# Leaving out, gradients, another map.

documents-leaving-out = Reading it without each word…
documents-seeking = Looking for another map…
documents-level = Level
documents-level-sentences = sentences
documents-level-words = words
documents-agree-long = { $n } words are too many to leave out one by one; up to { $most } it is done.
documents-agree-one = With one sentence, or one word, there is nothing to compare.
documents-agree-most-sentences = The { $n } sentences with the largest weights, of { $of }; the numbers below are of all.
documents-agree-most-words = The { $n } words with the largest weights, of { $of }; the numbers below are of all.
documents-agree-alt-sentences = Attention, drop and gradient of { $n } sentences side by side.
documents-agree-alt-words = Attention, drop and gradient of { $n } words side by side.
documents-agree-file = What the judgement depends on { $text }
documents-tau-drops = Kendall's τ of attention and leaving out: { $tau }
documents-tau-gradient = Kendall's τ of attention and gradients: { $tau }
documents-tau-both = Kendall's τ of leaving out and gradients, which have no map in them: { $tau }
documents-tau-none = none, one side is even
documents-tau-mean-polarity = Mean over { $n } written reviews: { $drops } with leaving out, { $gradient } with gradients.
documents-tau-mean-reviews = Mean over { $n } generated reviews: { $drops } with leaving out, { $gradient } with gradients.
documents-other-found = The map on the right is another one by **{ $divergence }** of at most { $most } nats (Jensen-Shannon divergence), and the model says nearly the same with it: “{ $label }” { $after }, with its own { $before }. Up to { $epsilon } of difference was allowed.
documents-other-none = No other map was found that moves the probabilities by no more than { $epsilon }: “{ $label }” is { $before } with the model's own.
documents-map-own = The model's own
documents-map-other = Another, with the same decision
documents-other-mean-polarity = Over { $n } written reviews such a map is { $divergence } nats away, in { $share } of them more than 0.4.
documents-other-mean-reviews = Over { $n } generated reviews such a map is { $divergence } nats away, in { $share } of them more than 0.4.

# What was measured.

documents-accuracy = Which is right more often?
documents-accuracy-about = Shares of documents judged rightly, with 95 % intervals (bootstrap over documents). Reported elsewhere for a bag of words on all 2,000 written reviews, ten folds: { $published } % (from notes, not read again).
documents-better = { $first } is better than { $second } on { $set }: { $difference } points.
documents-worse = { $first } is worse than { $second } on { $set }: { $difference } points.
documents-open = { $first } and { $second } cannot be told apart on { $set }: { $difference } points, and the interval holds zero.
documents-set-polarity = written reviews
documents-set-reviews = generated reviews
documents-system-han = Hierarchical attention
documents-system-uniform = All weights alike
documents-system-no-mixing = Each word by itself
documents-system-bag = Bag of words
documents-folds = Bag of words, { $n } folds of all { $documents }
documents-pointing = Do the maps point at what decides?
documents-pointing-about = Of generated reviews the deciding sentence and words are known. A map points right if its largest weight lies there; a map that is the same everywhere scores what chance does, and the network with all weights alike must.
documents-by-attention = attention
documents-by-drops = leaving out
documents-by-gradient = gradient
documents-by-chance = chance
documents-outlives = Does the decision need these weights?
documents-outlives-about = How often the decision stays when the weights of both levels are replaced, how far the probabilities move (total variation, 0 to 1), and how often the new decision is right.
documents-explains = Do the maps agree with other measures?
documents-explains-about = Kendall's τ between the weights and the sizes of drops and gradients, −1 to 1, and of these two with each other; then how far away a map can be that leaves the probabilities alone, in nats, at most 0.69.
documents-column-system = System
documents-column-polarity = Written reviews
documents-column-reviews = Generated reviews
documents-column-by = Pointed by
documents-column-sentence = Sentence
documents-column-word = Word
documents-column-word_there = Word, in that sentence
documents-column-set = Reviews
documents-column-with = Weights
documents-column-same = Decision stays
documents-column-distance = Moves by
documents-column-accuracy = Right
documents-column-level = Level
documents-column-drops = τ with leaving out
documents-column-gradient = τ with gradients
documents-column-both = τ of the two
documents-column-divergence = Another map, nats
