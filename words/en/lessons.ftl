# The lessons: their page, the panel next to each page, the worksheet, presentation mode.

page-lessons = Lessons
lesson_new = Start here: Lesson 1
lesson-in-path = { $path } · { $n } of { $of }
lesson-listed = { $path } · { $title }
lesson-guess = Your guess
lesson_show = Show me
lesson-said-right = You guessed: { $said }. Correct.
lesson-said-wrong = You guessed: { $said }. The answer for this model: { $right }.
lesson-right = The answer for this model: { $right }.
lesson-right-measured = The measured answer: { $right }.
lesson-no-answer = There is no answer with this model: it has no attention of this kind, or its translation does not contain the word in question.
lesson-elsewhere = You have moved on. These numbers are for “{ $text }”.
lesson_again = Reopen the view
lesson-first = Open the first view
lesson_next = Next: { $title }
lesson-link = Copy link to this step
lesson_all = All lessons
lesson_close = Close
lesson_vote = Vote
lesson-votes = { $words } · { $n }
lesson-vote-keys = Click an answer for each raised hand, or press 1 to { $n }. The right arrow shows the result.
lesson-voted = Votes:
lessons-intro = Each lesson asks one question and takes about two minutes. Guess, then see the answer. It is computed with the selected model, or with a model of the architecture in question; slow measurements are stored. { $n } of { $of } done; the address of this page keeps your progress.
lessons-continue = Continue: { $title }
lessons-begin = Begin: { $title }
lessons-complete = All done
lessons-of-path = { $n }/{ $of }
lessons-list = Choose a lesson
path-heads = Attention heads
path-masks = Masking & interventions
path-positions = Positional encoding
path-search = Beam search
path-explain = Attention as explanation
path-block = Transformer block & training
path-relatives = Other architectures
lessons-teacher = For teachers
lessons-sheet = Printable worksheet
lessons_slides = Lessons as slides
lessons-teacher-text = Choose paths or single lessons to get one page to print. It has the questions with boxes to tick, room for answers and the addresses to open. The last page lists the answers for this model.
lessons-choose-paths = Paths on the worksheet
lessons-choose = Lessons on the worksheet
lessons-choose-none = Choose lessons
lessons-save = Save worksheet
lessons-sheet-file = worksheet
sheet-title = Attention Lab: worksheet
sheet-name = Name:
sheet-seen = What did you see?
sheet-open = Open in the app:
sheet-answers = Answers
sheet-answers-from = Computed with the model { $checkpoint } ({ $fingerprint }).
sheet-right = The answer for this model: { $right }.
projector = Presentation mode
projector-help = Makes headlines 1.4 times as large and the figure as large as the screen allows, and hides the sidebar. Keys: p turns this mode on or off, f shows the figure in full screen. The address keeps this setting.
projector-page = Page
projector-back = Previous view
projector-next = Next view
projector-leave = Leave presentation mode

# Each lesson: title, the term for it, question, choices, the finding of each step, and the button to the next steps.

lesson-head = What does one head do?
lesson-head-term = coreference head
lesson-head-question = “The animal didn’t cross the street because it was too tired.” While the model encodes “it”, one head attends to a noun. Which one?
lesson-head-says-animal = “animal”
lesson-head-says-street = “street”
lesson-head-says-both = both equally
lesson-head-tired = { $choice ->
    [both] No head distinguishes the nouns: the largest weight is { $weight } on “{ $noun }” and { $best } on “{ $other }”.
   *[other] Layer { $layer }, head { $head } puts { $weight } of its weight on “{ $noun }” and { $there } on “{ $other }”.
  } See the row of “it” in the matrix.
lesson-head-wide-open = Replace “tired” with “wide”
lesson-head-wide = { $choice ->
    [both] With “wide”, no head distinguishes the nouns: the largest weight is { $weight } on “{ $noun }” and { $best } on “{ $other }”.
   *[other] With “wide”, layer { $layer }, head { $head } puts { $weight } on “{ $noun }” and { $there } on “{ $other }”. A street can be too wide and an animal too tired, so one word decides the antecedent.
  }
lesson-head-hidden-open = Hide “animal” and watch the pronoun
lesson-head-hidden = { $choice ->
    [same] “animal” is hidden from the whole model, and the pronoun is still “{ $pronoun }”: “{ $after }”
   *[other] “animal” is hidden from the whole model, and “{ $pronoun }” becomes “{ $other }”: “{ $after }”
  }

lesson-decides = Which word decides the meaning of “it”?
lesson-decides-term = Winograd schema
lesson-decides-question = Average over all encoder heads. Which of these words does “it” attend to most?
lesson-decides-says-animal = “animal”, the antecedent
lesson-decides-says-tired = “tired”, the word that decides the antecedent
lesson-decides-says-because = “because”
lesson-decides-says-end = the end-of-sentence token (EOS)
lesson-decides-tired = On average, “{ $word }” gets { $share } of the attention and “animal” { $animal }. Single heads differ: layer { $layer }, head { $head } puts most on “{ $word }”.
lesson-decides-wide-open = Replace “tired” with “wide”
lesson-decides-wide = Now “{ $word }” gets { $share } on average, and { $heads ->
    [0] no head gives it more than half of its attention.
    [one] 1 of { $of } heads gives it more than half of its attention.
   *[other] { $heads } of { $of } heads give it more than half of their attention.
  } Select other tokens to find the heads that attend to them.

lesson-many = Do all heads do the same?
lesson-many-term = head specialisation
lesson-many-question = How many encoder heads put more than half of the attention of “it” on “animal”?
lesson-many-says-none = none
lesson-many-says-few = one to four
lesson-many-says-many = five or more
lesson-many-count = { $n ->
    [0] None of the { $of } heads does.
    [one] 1 of { $of } heads does.
   *[other] { $n } of { $of } heads do.
  } The largest weight is { $weight }, in layer { $layer }, head { $head }. From “it”, the other heads attend mostly to other tokens.
lesson-many-mean-open = Show the mean of all heads
lesson-many-mean = Averaged over all { $of } heads, “it” gives “animal” a weight of { $mean }, although one head alone gives { $weight }. The mean hides single heads.

lesson-layers = Do all layers do the same?
lesson-layers-term = attention distance, entropy
lesson-layers-question = Attention distance measures how many tokens away a head attends. In which encoder layer is it largest on average?
lesson-layers-says-first = the first layer
lesson-layers-says-middle = a middle layer
lesson-layers-says-last = the last layer
lesson-layers-far = Layer { $layer } of { $of } attends farthest: { $value } tokens on average. Layer by layer: { $all }. The number under each head is its own attention distance.
lesson-layers-sharp-open = Find the most focused layer
lesson-layers-sharp = Layer { $layer } of { $of } has the lowest attention entropy: { $value } bits. With 0 bits, all attention would be on one token. Layer by layer: { $all }.

lesson-sinks = Why do heads attend to the end of the sentence?
lesson-sinks-term = attention sink
lesson-sinks-question = The full stop and the end-of-sentence token do not help to find what “it” refers to. How much of the attention in the last encoder layer do the two get together?
lesson-sinks-says-less = far less than with uniform attention
lesson-sinks-says-even = about as much as with uniform attention
lesson-sinks-says-more = far more than with uniform attention
lesson-sinks-last = They get { $share } in layer { $layer }; uniform attention over { $of } tokens would give them { $even }. { $choice ->
    [more] The weights of a row must sum to 1. A head without a relevant key puts its weight where it does no harm: an attention sink.
    [less] This model does not use them as an attention sink.
   *[other] That is close to uniform attention.
  }
lesson-sinks-without-open = Hide the end-of-sentence token
lesson-sinks-without = The end-of-sentence token, which had { $end } of this layer’s attention, is hidden, and the rows are renormalised to sum to 1. A note on the page says so: without it, the figure would overstate how focused the heads are.

lesson-norm = Is a large weight a large contribution?
lesson-norm-term = vector norm
lesson-norm-question = In one encoder layer, the end-of-sentence token gets a large share of the attention weights. A weight multiplies a value vector, whose norm may be small. What share of the vector norms does the token get?
lesson-norm-says-less = a much smaller share
lesson-norm-says-same = about the same share
lesson-norm-says-more = a much larger share
lesson-norm-length = In layer { $layer }, it gets { $share } of the weight and { $length } of the norm ‖αf(x)‖, averaged over heads and rows. { $choice ->
    [less] Its value vectors have a small norm: much weight, little contribution.
    [more] Its value vectors have a large norm: little weight, much contribution.
   *[other] Here, weight and contribution agree.
  }

lesson-rollout = Where does the information in “it” come from?
lesson-rollout-term = attention rollout
lesson-rollout-question = Attention rollout multiplies the attention of all layers to estimate how much each input word contributes to the vector of “it”. Which of these contributes most?
lesson-rollout-says-animal = “animal”
lesson-rollout-says-tired = “tired”
lesson-rollout-says-it = “it” itself
lesson-rollout-says-end = the end-of-sentence token (EOS)
lesson-rollout-paths = According to rollout, “{ $word }” contributes { $share }, followed by “{ $second }” with { $less }. Rollout averages all heads and counts half of each layer as the residual connection, so a single focused head is lost.

lesson-cross = Where does a German word come from?
lesson-cross-term = cross-attention
lesson-cross-question = While the model generates “Tier”, cross-attention attends to the English sentence. Which of these words gets the most weight on average over all heads?
lesson-cross-says-the = “the”, the article
lesson-cross-says-animal = “animal”
lesson-cross-says-street = “street”
lesson-cross-says-end = the end-of-sentence token (EOS)
lesson-cross-noun = “{ $word }” gets the most attention ({ $share }), followed by “{ $second }” ({ $less }). { $choice ->
    [animal] It is the word that “{ $row }” translates.
   *[other] It is not the word that “{ $row }” translates.
  }
lesson-cross-pronoun-open = Select the pronoun “es”
lesson-cross-pronoun = While “{ $row }” is generated, “{ $word }” gets the most attention ({ $share }), followed by “{ $second }” ({ $less }). { $choice ->
    [it] The decoder attends to “it”, not to a noun. The encoder state of “it” may already contain the antecedent. Another lesson tests that: { lesson-cut }
    [animal] The decoder attends to the noun itself while it generates the pronoun.
   *[other] Neither the pronoun nor its antecedent gets the most attention.
  }

lesson-align = What if word order differs?
lesson-align-term = word alignment
lesson-align-question = “The old man who lives next door bought a new car yesterday.” In German, “gekauft” comes last. Which word gets the most cross-attention while it is generated?
lesson-align-says-car = “car”
lesson-align-says-yesterday = “yesterday”, which comes last, too
lesson-align-says-bought = “bought”, earlier in the sentence
lesson-align-verb = “{ $word }” gets the most attention ({ $share }), followed by “{ $second }” ({ $less }). { $choice ->
    [bought] In this sentence, cross-attention follows the word, not its position.
   *[other] The corresponding verb, “bought”, does not come first.
  }
lesson-align-adverb-open = Select “gestern”
lesson-align-adverb = While “{ $row }” is generated, “{ $word }” gets the most attention ({ $share }), followed by “{ $second }” ({ $less }).

lesson-causal = What can a decoder see?
lesson-causal-term = causal mask
lesson-causal-question = The decoder has just read “weil”, in the middle of its own output. How many of its positions can it attend to?
lesson-causal-says-one = only “weil”
lesson-causal-says-before = “weil” and everything before it
lesson-causal-says-all = all positions
lesson-causal-mask = { $n } of { $of } positions: { $choice ->
    [before] position { $place }, its own, and everything before it.
    [one] only its own, position { $place }.
   *[other] future positions as well.
  } The decoder must predict future tokens. If it could attend to them, it could simply copy them.
lesson-causal-peek-open = Turn the causal mask off
lesson-causal-peek = Without the mask, log P of the model’s own output is { $changed } instead of { $sum }, if the whole output is read at once. Each position then attends to the token that it should predict, which never happened in training. In a search, future tokens do not exist yet, so the output may stay the same.

lesson-padding = What is padding?
lesson-padding-term = padding mask
lesson-padding-question = “A dog runs.” shares a batch with a longer sentence and is filled up with padding tokens. If these are not masked, does the translation stay the same?
lesson-padding-says-same = yes, padding has no meaning
lesson-padding-says-other = no
lesson-padding-unmasked = { $choice ->
    [same] The translation stays “{ $before }”, although { $share } of the encoder’s attention goes to { $n } padding tokens.
   *[other] { $share } of the encoder’s attention goes to { $n } padding tokens, and “{ $before }” becomes “{ $after }”
  }
lesson-padding-masked-open = Turn the padding mask on
lesson-padding-masked = With the mask, padding tokens get no attention. In the batch, the translation is “{ $masked }”, alone it is “{ $before }”

lesson-order = Does attention know word order?
lesson-order-term = permutation equivariance
lesson-order-question = Remove the positional encoding and read “I go home” and “home go I”. Does the encoder compute different vectors for “home”?
lesson-order-says-same = no, the vectors are the same
lesson-order-says-other = yes
lesson-order-vectors = The two vectors of a word differ by at most { $without } without positional encoding, and by up to { $with } with it. { $choice ->
    [same] Attention alone treats a sentence as a bag of words; the rest is rounding error.
   *[other] This model distinguishes the two orders even without positions.
  }
lesson-order-absent-open = Translate without positional encoding
lesson-order-absent = { $choice ->
    [same] The translation is still “{ $after }”
   *[other] “{ $before }” becomes “{ $after }”
  }

lesson-waves = What do the sines encode?
lesson-waves-term = sinusoidal encoding
lesson-waves-question = Positions 3 and 8 are five apart, and so are 23 and 28. Which pair has the more similar encodings?
lesson-waves-says-same = both pairs are equally similar
lesson-waves-says-nearer = 3 and 8 are more similar
lesson-waves-says-farther = 23 and 28 are more similar
lesson-waves-similar = The dot product of position { $first } with the position { $step } later is { $near }. For position { $second } it is { $far }. { $choice ->
    [same] Only the distance counts, wherever the pair is.
   *[other] In this model, the position counts as well.
  }
lesson-waves-rotation-open = Show why
lesson-waves-rotation = A shift by { $step } positions rotates each pair of sine and cosine by the same angle, wherever it starts. So the dot products stay equal: { $near } and { $far }.

lesson-shift = Does absolute position matter?
lesson-shift-term = shift invariance
lesson-shift-question = Shift the positional encoding of the encoder so that the sentence begins at position 6 instead of 1. Does the translation change?
lesson-shift-says-same = no
lesson-shift-says-other = yes
lesson-shift-later = { $choice ->
    [same] The translation stays “{ $after }” (log P { $changed } instead of { $sum }). The distances between the words are the same.
   *[other] “{ $before }” becomes “{ $after }”, and log P of the first is { $changed } instead of { $sum }.
  }
lesson-shift-reversed-open = Reverse the positions
lesson-shift-reversed = With reversed positions, { $choice ->
    [same] the translation is still “{ $after }”
   *[other] the translation is “{ $after }”
  }

lesson-scaling = Why divide by √d_k?
lesson-scaling-term = scaled dot-product attention
lesson-scaling-question = Attention scores are divided by √d_k before the softmax. Without this division, is the largest weight of a row smaller or larger?
lesson-scaling-says-smaller = smaller
lesson-scaling-says-same = the same
lesson-scaling-says-larger = larger
lesson-scaling-undivided = The largest weight is { $plain } instead of { $divided }, averaged over all encoder rows (d_k = { $d_k }). { $choice ->
    [larger] Large scores saturate the softmax: one token takes nearly all the weight, and the gradient almost vanishes.
   *[other] In this model, the scores are so small that the division hardly matters.
  }

lesson-greedy = Is the most likely next word the best?
lesson-greedy-term = greedy vs. beam search
lesson-greedy-question = “I would like to book a table for two.” Greedy search takes the most likely token at each step. With beam width 5, beam search keeps five hypotheses. How likely is the greedy translation?
lesson-greedy-says-less = less likely than that of the beam
lesson-greedy-says-same = it is the same translation
lesson-greedy-says-more = more likely than that of the beam
lesson-greedy-one = Greedy search: “{ $first }” (log P { $sum }). Beam width { $wide }: “{ $second }” ({ $other }). { $choice ->
    [less] The best token at one step led to a worse sentence, and greedy search cannot backtrack.
    [more] Here the beam pruned what greedy search kept.
   *[other] Here one hypothesis is enough.
  }
lesson-greedy-five-open = Set the beam width to 5
lesson-greedy-five = With beam width { $wide }, “{ $second }” is kept even while other hypotheses score higher. Follow its path in the search tree. Greedy search found “{ $first }”

lesson-length = Why are short outputs favoured?
lesson-length-term = length penalty
lesson-length-question = Each token multiplies the probability of the output by a number below 1. Without a length penalty (α = 0), is the best translation shorter than with α = 0.6?
lesson-length-says-shorter = shorter
lesson-length-says-same = of the same length
lesson-length-says-longer = longer
lesson-length-plain = Without a length penalty: “{ $plain }” ({ $n } tokens). With α = { $alpha }: “{ $divided }” ({ $m } tokens). { $choice ->
    [same] Here the penalty makes no difference.
   *[other] The first has the higher log P. Divided by length, the second wins.
  }
lesson-length-divided-open = Restore the length penalty
lesson-length-divided = With α = { $alpha }, the best hypothesis is “{ $divided }” Change α and see where the lines cross.

lesson-search = Can beam search miss the best output?
lesson-search-term = search error
lesson-search-question = “The children who are playing in the garden are tired.” Does beam width 5 find the same translation as beam width 20?
lesson-search-says-found = yes, 5 is enough
lesson-search-says-missed = no, it misses a more likely one
lesson-search-width = Beam width { $narrow }: “{ $first }” (log P { $sum }). Beam width { $wide }: “{ $second }” ({ $other }). { $choice ->
    [missed] This is a search error: the model gives the second output the higher probability, but the narrow beam pruned it.
   *[other] There is no search error here.
  }
lesson-search-wide-open = Set the beam width to 20
lesson-search-wide = With beam width { $wide }, the search finds “{ $second }” ({ $other }) instead of “{ $first }” ({ $sum }). Change the beam width above the tree and see when it appears.

lesson-model = Whose error is it?
lesson-model-term = model error
lesson-model-question = “I would like to book a table for two.” The reference translation, made by a person, is “Ich würde gern einen Tisch für zwei Personen reservieren.” Why is this not the output of the model?
lesson-model-says-search = the search missed it
lesson-model-says-model = the model gives its own output a higher probability
lesson-model-says-penalty = the length penalty decides
lesson-model-says-none = it is the output
lesson-model-verdict = The output is “{ $output }” (log P { $sum }); the reference translation has log P { $other }. { $choice ->
    [search] The reference translation has the better score, so this is a search error.
    [model] The model gives its own output the higher probability, so no search would return the reference translation.
    [penalty] Only the length penalty makes the difference.
   *[other] The two are the same.
  }

lesson-knock = Does the model need that head?
lesson-knock-term = head ablation
lesson-knock-question = One head attends from “it” to “animal”. Ablate it by setting its output to zero. Does the translation change?
lesson-knock-says-same = no
lesson-knock-says-other = yes
lesson-knock-one = Without layer { $layer }, head { $head }, { $choice ->
    [same] the translation stays “{ $after }” (log P { $changed } instead of { $sum }). What a head attends to is not necessarily what the model needs.
   *[other] “{ $before }” becomes “{ $after }”.
  }
lesson-knock-each-open = Ablate each head in turn
lesson-knock-each = { $n ->
    [0] None of the { $of } heads changes the translation when it is ablated alone.
    [one] 1 of { $of } heads changes the translation when it is ablated alone.
   *[other] { $n } of { $of } heads change the translation when they are ablated alone.
  } The most important one is layer { $layer }, head { $head } of { $site ->
    [cross] cross-attention
    [encoder] the encoder
   *[other] the decoder
  }: Δ log P is { $change }.

lesson-explain = Is attention an explanation?
lesson-explain-term = faithfulness
lesson-explain-question = Hide each English word in turn. The larger the drop in log p, the more important the word. How well do the weights of a cross-attention head match this ranking?
lesson-explain-says-strong = well (correlation of 0.7 or more)
lesson-explain-says-middle = moderately (0.4 to 0.7)
lesson-explain-says-weak = poorly (below 0.4)
lesson-explain-drops = The rank correlation is { $mean } on average over { $of } heads; the best head, layer { $layer }, head { $head }, reaches { $best } (1 is the same ranking). { $choice ->
    [weak] The weights show where a head attends. What the output depends on is a separate question.
   *[other] Here the weights reflect to some extent what the output depends on.
  }
lesson-explain-it-open = Show what the pronoun depends on
lesson-explain-it = While “{ $pronoun }” is generated, cross-attention attends most to “{ $looked }”. Hiding “{ $needed }” from the encoder lowers log p most, by { $drop }. { $choice ->
    [same] Here the two agree.
   *[other] The encoder may already have passed that information on to “{ $looked }”.
  }

lesson-cut = Does “it” have to see “animal”?
lesson-cut-term = masked attention edge
lesson-cut-question = In every encoder head, mask the attention from “it” to “animal”. Does the German pronoun change?
lesson-cut-says-same = no, it stays “es”
lesson-cut-says-other = yes
lesson-cut-row = { $choice ->
    [same] The pronoun stays “{ $pronoun }” (log P { $changed } instead of { $sum }). Other tokens carry the noun to “it”, or to the decoder directly.
   *[other] “{ $pronoun }” becomes “{ $other }”: “{ $after }”
  }
lesson-cut-encoder-open = Hide “animal” from every encoder token
lesson-cut-encoder = { $choice ->
    [same] Even now the pronoun stays “{ $pronoun }”: “{ $after }”
   *[other] Now “{ $pronoun }” becomes “{ $other }”: “{ $after }” The decoder still sees “animal”, but no other encoder token carries its meaning.
  }

lesson-place = Do heads follow words or positions?
lesson-place-term = positional heads
lesson-place-question = Over many sentences, some encoder heads put much of their weight on the next or the previous token, whatever the words are. How many of the heads do?
lesson-place-says-none = none
lesson-place-says-few = up to half of them
lesson-place-says-most = more than half of them
lesson-place-heads = { $n } of { $of } heads have such a role (positional heads). The clearest one, layer { $layer }, head { $head }, gives the { $where ->
    [next] next
   *[previous] previous
 } token { $share } of its weight. { $choice ->
    [most] Most heads follow positions.
   *[other] The other heads have another role, or none that was tested.
  }

lesson-offset = Does a head need the word, or a rule?
lesson-offset-term = fixed-offset baseline
lesson-offset-question = Over many sentences, one encoder head attends from “it” to its antecedent. A rule without any model could always pick the word a fixed number of tokens earlier. How much weight would the best such rule put on the antecedent?
lesson-offset-says-less = less than half of what the head puts there
lesson-offset-says-near = more than half
lesson-offset-says-same = as much as the head
lesson-offset-rule = Over { $n } sentences, layer { $layer }, head { $head } puts { $share } of its weight on the antecedent on average. A head that always attends at the best fixed offset would put { $rule } there. { $choice ->
    [same] So the head may only have learned a distance, and no role is claimed.
   *[other] The head is above its control, so the role may be claimed.
  }
lesson-offset-failed-open = Show a head that fails its control
lesson-offset-failed = { $choice ->
    [none] { $of } encoder heads attend to the same keys from every position. In all of them, the rows agree more than permuted rows do.
   *[other] { $of } encoder heads seem to attend to the same keys from every position. For { $n } of them, permuted rows agree almost as well (in layer { $layer }, head { $head }: { $value } and { $against }). So the app gives these heads no such role.
  }

lesson-token = Which token comes next?
lesson-token-term = next-token prediction
lesson-token-question = “I would like to book a table for two.” The model has generated “{ $begin }”. These are its four most likely next tokens. Which one has the highest probability?
lesson-token-says-a = “{ $a }”
lesson-token-says-b = “{ $b }”
lesson-token-says-c = “{ $c }”
lesson-token-says-d = “{ $d }”
lesson-token-likeliest = “{ $word }” is the most likely ({ $share }). But the best hypothesis continues with “{ $taken }” ({ $less }): beam search keeps several beginnings, because a less likely token can lead to a better sentence. Follow its path in the search tree.

lesson-aligner = Does the best aligner explain best?
lesson-aligner-term = alignment and faithfulness
lesson-aligner-question = One cross-attention head aligns words better than any other, measured against alignments made by people. Hide each English word in turn and rank the words by the drop in log p. How well does this head match that ranking, compared with all heads?
lesson-aligner-says-best = in the best quarter
lesson-aligner-says-middle = in the middle
lesson-aligner-says-worst = in the worst quarter
lesson-aligner-rank = Layer { $layer }, head { $head } aligns best. Its rank correlation with the drops is { $own }, rank { $rank } of { $of } heads; the highest is { $best }. { $choice ->
    [worst] Here, the word that the head aligns is not the word that the output depends on.
    [best] In this sentence, the aligned word is also the word that the output depends on.
   *[other] Aligning well does not mean explaining well.
  }

lesson-othermap = Is there only one explanation?
lesson-othermap-term = adversarial attention
lesson-othermap-question = A classifier reads a review and gives most attention to one sentence. Could most attention be on another sentence and the prediction still be the same?
lesson-othermap-says-yes = yes
lesson-othermap-says-no = no
lesson-othermap-other = Sentence { $n } has { $share } of the attention, and the prediction is { $label } ({ $before }). { $choice ->
    [yes] With other weights, most attention is on sentence { $second }, and the prediction stays. So the weights alone do not show why.
   *[other] No weights were found that put most attention on another sentence.
  }

lesson-residual = What does a residual connection carry?
lesson-residual-term = residual connection
lesson-residual-question = In the first encoder layer, remove the residual connection around self-attention and leave everything else as it is. Is the translation the same?
lesson-residual-says-same = yes, the other layers are intact
lesson-residual-says-other = no
lesson-residual-attention = { $choice ->
    [same] The translation stays “{ $after }”
   *[other] “{ $before }” becomes “{ $after }” The residual connection carried the word itself. What is left is the output of self-attention alone.
  }
lesson-residual-feedforward-open = Remove the feed-forward residual instead
lesson-residual-feedforward = Without the residual connection around the feed-forward layer instead, { $choice ->
    [same] the translation stays “{ $after }” (log P { $changed } instead of { $sum }).
   *[other] “{ $before }” becomes “{ $after }”
  }

lesson-lens = Where is the next word decided?
lesson-lens-term = logit lens
lesson-lens-question = The logit lens turns every state of the decoder into a prediction. From which state onwards is “Tier” the most likely token?
lesson-lens-says-input = from the input onwards
lesson-lens-says-early = in the first half of the decoder
lesson-lens-says-late = in the second half
lesson-lens-word = { $choice ->
    [never] “{ $word }” is not the most likely token in any state.
   *[other] “{ $word }” is the most likely token from this state onwards: { $place }. One state earlier, its rank was { $rank }.
  } For { $n } of { $of } tokens, the prediction settles in the second half.

lesson-cost = Is attention faster than an RNN?
lesson-cost-term = complexity per layer
lesson-cost-question = Self-attention compares all pairs of tokens; a GRU reads them one by one. Beyond which length is self-attention slower, measured with d = 256?
lesson-cost-says-short = fewer than 200 tokens
lesson-cost-says-middle = between 200 and 2,000 tokens
lesson-cost-says-never = more than 2,000 tokens, or never
lesson-cost-measured = { $choice ->
    [never] Up to { $n } tokens, self-attention is not slower.
   *[other] The lines cross at { $n } tokens. Below this length, self-attention is faster, because it computes all positions in parallel.
  } Pairs grow with n², so long texts become expensive.
lesson-cost-wide-open = Double the dimension to 512
lesson-cost-wide = { $choice ->
    [never] With d = { $d }, they do not cross up to { $n } tokens.
   *[other] With d = { $d }, they cross at { $n } tokens.
  } A larger dimension shifts the crossing: the cost of a GRU grows with d², that of the attention scores only with d.

lesson-warmup = Does the training recipe matter?
lesson-warmup-term = learning rate warmup
lesson-warmup-question = A small Transformer is trained twice on the same pairs, once with a learning rate that rises slowly at first, once without. How does training without warmup end?
lesson-warmup-says-worse = with a lower BLEU
lesson-warmup-says-same = about the same
lesson-warmup-says-better = with a higher BLEU
lesson-warmup-without = BLEU is { $other } without warmup and { $bleu } with it. { $choice ->
    [worse] Without warmup, this run ends worse. Large first updates are the usual explanation (Xiong et al. 2020); this comparison does not test it.
   *[other] In this comparison, training without warmup ends no worse.
  }
lesson-warmup-smoothed-open = Smooth the labels as well
lesson-warmup-smoothed = With label smoothing, perplexity is { $more } instead of { $perplexity }. { $choice ->
    [better] BLEU rises to { $other } all the same, as in the paper. Each run was done once, so chance is not excluded.
   *[other] BLEU is { $other } and does not rise.
  }

lesson-gain = Which change helped most?
lesson-gain-term = model comparison
lesson-gain-question = From 2014 to 2017, translation models changed step by step. All were retrained here on the same data. Which of these steps gained most BLEU?
lesson-gain-says-reversed = reversing the source sentence (2014)
lesson-gain-says-additive = attention instead of one vector (2015)
lesson-gain-says-self-longer = the Transformer instead of an RNN with attention (2017)
lesson-gain-gains = The step with the largest gain is { $name }: { $gain } BLEU (95% interval { $low } to { $high }). The next is { $second }. All models are small and were trained once, so small differences may be chance.

lesson-fall = Which model copes with long texts?
lesson-fall-term = length generalisation
lesson-fall-question = Captions are joined into longer and longer texts. Which of these three models loses most BLEU from the shortest to the longest?
lesson-fall-says-sutskever = an RNN with one vector (Sutskever 2014)
lesson-fall-says-bahdanau = an RNN with attention (Bahdanau 2015)
lesson-fall-says-transformer = the Transformer (2017)
lesson-fall-length = { $name } falls from { $begin } to { $end } BLEU, a larger loss than that of { $second }. { $choice ->
    [transformer] Its positions beyond the lengths seen in training are new to it. A low start can also hide a loss.
   *[other] A model that starts low cannot lose much.
  }

lesson-gaze = Does a captioner attend to the right object?
lesson-gaze-term = image attention
lesson-gaze-question = A model writes a caption for a scene word by word. For how many words that name an object is the most attended cell on that object?
lesson-gaze-says-all = for all of them
lesson-gaze-says-some = for some
lesson-gaze-says-none = for none
lesson-gaze-words = This holds for { $n } of { $of } words. Caption: “{ $text }” On average, { $share } of the attention is on the object; uniform attention would put { $even } there. Select a word to see where.

lesson-masked = Do words on the right help?
lesson-masked-term = masked language model
lesson-masked-question = “The dogs near the house are ▢ old.” The model sees either both sides of the mask or only the left side. Is the masked word “very” more likely with both sides?
lesson-masked-says-more = clearly more likely
lesson-masked-says-same = about equally likely
lesson-masked-says-less = less likely
lesson-masked-very = “very” has { $both } with both sides and { $left } with the left side only (first guess there: “{ $first }”). { $choice ->
    [more] The right side helps. The chart of one more masked token shows which token matters.
   *[other] Here the right side does not help.
  }
lesson-masked-house-open = Mask “house” instead
lesson-masked-house = “{ $word }” has { $both } with both sides and { $left } with the left side only. { $choice ->
    [more] The right side helps here, too.
   *[other] More context does not always make the right word more likely.
  }

lesson-recurrence = What does a decoder remember without self-attention?
lesson-recurrence-term = recurrence (SSRU)
lesson-recurrence-question = The decoder of this model has no self-attention. Each token passes a cell c on to the next. A forget gate f between 0 and 1 decides how much of it is kept. What share of the cell comes from earlier tokens?
lesson-recurrence-says-most = more than two thirds
lesson-recurrence-says-some = between one third and two thirds
lesson-recurrence-says-few = less than one third
lesson-recurrence-gates = In layer 1, { $share } of the cell comes from earlier tokens (mean from the second token onwards). The gates are { $gates } (mean over all units); the one at “{ $word }” is highest. No token is attended to again: f = σ(xW_f + b_f), c = f · c′ + (1 − f) · xW, then ReLU(c) (SSRU, Kim et al. 2019).
