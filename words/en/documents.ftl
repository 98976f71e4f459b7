# The page “Document classification”: a hierarchical attention network reads a review.

page-documents = Document classification (HAN)

view-documents = View of document classification
view-documents-read = Attention weights
view-documents-agree = Attention as explanation

site-words = word attention
site-words-attention = word attention
site-words-short = Words
site-words-name = words
site-sentences = sentence attention
site-sentences-attention = sentence attention
site-sentences-short = Sentences
site-sentences-name = sentences
family-hierarchical-attention = Hierarchical attention network (HAN)
system-documents-han = HAN (Yang 2016)
system-documents-uniform = HAN, uniform attention (control)
system-documents-no-mixing = HAN, no-context encoder (control)
set-polarity = Written reviews
set-reviews = Generated reviews

# The model and the document.

documents-none = No model for document classification is installed. Two commands train and install one:
document_model = Model
document = Example
documents-review = Review
document-others = Other people’s opinions
document-negated = Negated words
document-expected = Expectation and opinion
document-verb = Opinion in a verb
document-not = Negated opinion
document-late = Opinion changes late
document-pretty = Praise before criticism
document-mixed = Mixed review
document_text = English film review
document_text-help = Paste any text. A sentence ends at a full stop, question mark, exclamation mark or line break.
document_text-none = Paste a review or choose an example
documents-still = Showing the previous text: { $text }
documents-unknown = { $n } of { $of } words ({ PERCENT($share, digits: 0) }) are not in the vocabulary, which comes from English film reviews. The model reads them all as the same unknown word, so the prediction is not reliable.
documents-short = The text is very short. The model still classifies it as a review.
documents-text = Document with { measured-all }, sentence by sentence

# The prediction and the changes to its weights.

document_weights = Attention weights
document_weights-own = Learned
document_weights-uniform = Uniform
document_weights-shuffled = Permuted
document_weights-help = Replaces the weights of words and sentences. The rest of the model stays the same.
document_how = Removal method
document_how-unread = Delete from input
document_how-unseen = Set weight to 0
document_how-help = Delete: the model reads the text without the word or sentence. Weight 0: the model still encodes it, so neighbouring vectors may contain its information.
document_another = Permute again
document_put_back = Restore all
documents-truth = This review was generated, so the deciding sentence and words are known and marked by lines. Correct label: “{ $label }”.
documents-class-pos = Positive
documents-class-neg = Negative
documents-moved = { SIGNED($points, digits: 1) } points
documents-probabilities = Predicted probability
documents-level-sentence = Sentences
documents-level-word = Their words
documents-share-of = Text
documents-share = Share of the document
documents-sentence = Sentence
documents-shares-alt = Shares of the { measured-all } of a document: { $n ->
    [one] { $n } sentence
   *[other] { $n } sentences
 } in a row, and below each its words
documents-shares-file = shares of a document
documents-shares-caption = The width of a block is its share of the whole document. Top: sentences. Bottom: their words (word { measured } × sentence { measured }). If you remove a sentence, the others share its space.
documents-judged = Prediction: **{ $label }** (**{ PERCENT($prob) }**).
documents-turned = The prediction changes from { $before } to **{ $label }** (**{ PERCENT($prob) }**).
documents-stays = The prediction stays **{ $label }** (**{ PERCENT($prob) }**).
documents-largest = Sentence { $n } has the largest { $measure ->
    [weight] attention weight
   *[other] { measured }
 } (**{ PERCENT($share, digits: 0) }**), above all { $deciding ->
    [yes] its deciding word
   *[no] its word
 } “{ $word }”.
documents-sentence-told = Sentence { $n }: { measured } { $weight } in the document
documents-sentence-out = Sentence { $n }: deleted from the input
documents-word-told = “{ $word }”: { $measure ->
    [weight] √(sentence weight) · word weight
   *[other] √(sentence norm) · word norm
 } = √{ $sentence } · { $weight } = { $shown }.
documents-word-out = “{ $word }”: deleted from the input
documents-word-unknown = Not in the vocabulary.
documents-point = Hover over or tap a word or a sentence number to see its { measured }.
documents-point-clicks = Hover over a word or a sentence number to see its { measured }. Click or tap to remove it.

# Leave-one-out, gradients, adversarial attention.

importance-progress = Deleting one word at a time…
other-map-progress = Searching for adversarial attention…
document_level = Level
document_level-sentences = Sentences
document_level-words = Words
document_test = Test
document_test-importance = Attention vs. importance
document_test-adversarial = Adversarial attention
documents-agree-long = The text has { GROUPED($n) } words, but this analysis takes at most { GROUPED($most) }. Shorten the text.
documents-agree-one = There is only one sentence or word, so nothing can be compared. Type a longer text.
documents-agree-differ = { $level ->
    [sentences] Sentence { $most }
   *[words] “{ $most }”
 } has the largest { measured } (**{ PERCENT($share, digits: 0) }**), but removing { $level ->
    [sentences] sentence { $needed }
   *[words] “{ $needed }”
 } changes the probability of “{ $label }” most (**{ FIXED($points, digits: 0) }** points).
documents-agree-same = { $level ->
    [sentences] Sentence { $most }
   *[words] “{ $most }”
 } has the largest { measured } (**{ PERCENT($share, digits: 0) }**), and removing it changes the probability of “{ $label }” most (**{ FIXED($points, digits: 0) }** points): both agree.
documents-agree-idle = Yet { $level ->
    [sentences] sentence { $name }
   *[words] “{ $name }”
 } has { PERCENT($share, digits: 0) }, and removing it hardly changes the probability ({ PERCENT($change, digits: 0) }).
documents-agree-most-sentences = The chart shows the { $n } (of { $of }) sentences with the largest { measured-all }. The correlations use all of them.
documents-agree-most-words = The chart shows the { $n } (of { $of }) words with the largest { measured-all }. The correlations use all of them.
documents-agree-often = A single review proves little: over { $n } generated reviews, the order of the weights and the order of the effects have a rank correlation (Kendall’s τ) of **{ SIGNED($tau) }** on average. +1 is the same order, 0 no relation, −1 the reverse.
documents-agree-alt = { $measure ->
    [weight] Attention
   *[other] Vector norm
 }, leave-one-out importance and gradient × input of { $n } { $level ->
    [words] words
   *[sentences] sentences
 } side by side.
documents-agree-sentences = Sentence
documents-agree-words = Word
documents-agree-drop = Drop of the probability
documents-agree-file = { measured-mass } vs. importance { $text }
documents-tau-drops = Rank correlation (Kendall’s τ) of { measured-mass } and leave-one-out (LOO) importance: { $tau }
documents-tau-gradient = Kendall’s τ of { measured-mass } and gradient × input: { $tau }
documents-tau-both = Kendall’s τ of LOO and gradient × input, neither of which uses attention weights: { $tau }
documents-tau-none = undefined, because all values of one measure are equal
documents-tau-mean-polarity = Mean τ of attention over { $n } written reviews: { $drops } with LOO, { $gradient } with gradient × input
documents-tau-mean-reviews = Mean τ of attention over { $n } generated reviews: { $drops } with LOO, { $gradient } with gradient × input
documents-other-found = Attention can differ from the learned weights by **{ $divergence }** nats (JS divergence, 0.69 at most) while no probability changes by more than { PERCENT($epsilon, digits: 0) }.
documents-other-none = No adversarial attention was found that changes the probabilities by at most { PERCENT($epsilon, digits: 0) }. With learned attention, the probability of “{ $label }” is { PERCENT($before) }.
documents-other-no-norms = Adversarial attention is defined for weights, not for norms.
documents-map-own = Learned attention
documents-map-other = Adversarial attention
documents-other-mean-polarity = Over { $n } written reviews, adversarial attention differs by { $divergence } nats on average. In { PERCENT($share, digits: 0) } of them it differs by more than 0.4 nats.
documents-other-mean-reviews = Over { $n } generated reviews, adversarial attention differs by { $divergence } nats on average. In { PERCENT($share, digits: 0) } of them it differs by more than 0.4 nats.
