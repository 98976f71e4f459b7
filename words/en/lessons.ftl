# The lessons: their page, the strip on top of every page, the class sheet, the projector.

page-lessons = Lessons
lesson-new = New here? Lesson 1
lesson-title = Lesson { $n } of { $of } · { $title }
lesson-listed = { $n } · { $title }
lesson-guess = What do you think?
lesson-show = Show me
lesson-guess-first = Choose an answer first; there is no harm in a wrong one.
lesson-said-right = You said: { $said }. So it is with this model.
lesson-said-wrong = You said: { $said }. This model says: { $right }.
lesson-right = This model says: { $right }.
lesson-no-answer = Nothing answers this with the model on screen: no such attention of it is known here, or its translation lacks the word that is asked about.
lesson-elsewhere = The page shows something else by now; these numbers belong to “{ $text }”.
lesson-again = Open it again
lesson-try = Try next:
lesson-first = The first picture
lesson-next = Next lesson
lesson-all = All lessons
lesson-close = Close
lessons-intro = Each lesson asks one thing. Guess, press “Show me”, and the lab opens where the answer stands, worked out by the model on screen. About two minutes each.
lessons-done = { $n ->
    [0] None done yet.
    [one] One of { $of } done; the address of this page remembers it.
   *[other] { $n } of { $of } done; the address of this page remembers it.
  }
lessons-teacher = For teachers: a class sheet
lessons-teacher-text = Choose lessons and get one page to print: the questions with boxes to tick, room for an answer, the addresses to open, and on the last page what this model answers.
lessons-choose = Lessons on the sheet
lessons-choose-none = Choose lessons
lessons-save = Save the sheet
lessons-sheet-file = class-sheet
sheet-title = Attention lab: class sheet
sheet-name = Name:
sheet-seen = What did you see?
sheet-open = Open in the lab:
sheet-answers = Answers
sheet-answers-from = Worked out by the checkpoint { $checkpoint } ({ $fingerprint }).
sheet-right = This model says: { $right }.
projector = Projector
projector-help = Large type and no sidebar. The address keeps it.
projector-leave = Leave the projector view

# Each lesson: title, question, choices, what every step found, and the button to the next steps.

lesson-head = What does one head do?
lesson-head-question = “The animal didn't cross the street because it was too tired.” While the model reads “it”, one of its heads looks at a noun. At which?
lesson-head-says-animal = “animal”
lesson-head-says-street = “street”
lesson-head-says-both = at both alike
lesson-head-tired = { $choice ->
    [both] No head tells the nouns apart: the most that one gives “{ $noun }” is { $weight }, the most for “{ $other }” is { $best }.
   *[other] Layer { $layer }, head { $head } gives “{ $noun }” { $weight } of its attention and “{ $other }” { $there }. Nobody told it to.
  } It is the row of “it” in the matrix below.
lesson-head-wide-open = The same with “wide”
lesson-head-wide = { $choice ->
    [both] With “wide”, no head tells the nouns apart: { $weight } for “{ $noun }”, { $best } for “{ $other }”.
   *[other] With “wide”, layer { $layer }, head { $head } gives “{ $noun }” { $weight } and “{ $other }” { $there }. The street is too wide, the animal is too tired: one word decides.
  }
lesson-head-hidden-open = Hide “animal” and watch the pronoun
lesson-head-hidden = { $choice ->
    [same] “animal” is hidden from the whole model, and the pronoun is still “{ $pronoun }”: “{ $after }”
   *[other] “animal” is hidden from the whole model, and “{ $pronoun }” becomes “{ $other }”: “{ $after }”
  }

lesson-decides = What tells who “it” is?
lesson-decides-question = Take all encoder heads together. Which of these words does “it” look at most?
lesson-decides-says-animal = “animal”, whom it means
lesson-decides-says-tired = “tired”, which decides whom it means
lesson-decides-says-because = “because”
lesson-decides-says-end = the sign at the end
lesson-decides-tired = On average “{ $word }” gets { $share }, “animal” { $animal }. { $heads ->
    [0] No head
    [one] One head
   *[other] { $heads } heads
  } of { $of } give “{ $word }” more than half; most of all layer { $layer }, head { $head } ({ $weight }).
lesson-decides-wide-open = The same with “wide”
lesson-decides-wide = Now “{ $word }” gets { $share } on average, and more than half in { $heads ->
    [one] one head
   *[other] { $heads } heads
  } of { $of }. Choose other tokens below and see who looks at them.

lesson-many = Do all heads do the same?
lesson-many-question = How many of the encoder's heads give “animal” more than half of what “it” has to give?
lesson-many-says-none = none
lesson-many-says-few = a few, four at most
lesson-many-says-many = more than four
lesson-many-count = { $n ->
    [0] No head
    [one] One head
   *[other] { $n } heads
  } of { $of }. Most in layer { $layer }, head { $head }: { $weight }. The others read “it” for other reasons.
lesson-many-mean-open = Now the mean of all heads
lesson-many-mean = In the mean of all { $of } heads, “it” gives “animal” { $mean }, though one head gives { $weight }. A mean of heads hides what a head does.

lesson-layers = Do all layers do the same?
lesson-layers-question = In which layer of the encoder do the heads look farthest away from the token they read?
lesson-layers-says-first = in the first
lesson-layers-says-middle = in one between
lesson-layers-says-last = in the last
lesson-layers-far = In layer { $layer } of { $of }: { $value } tokens away on average. Layer by layer: { $all }. The number stands under each head below.
lesson-layers-sharp-open = Which layer is surest?
lesson-layers-sharp = Layer { $layer } of { $of }, with { $value } bits of entropy; 0 bits would be all on one token. Layer by layer: { $all }.

lesson-sinks = Why do heads look at the end?
lesson-sinks-question = The full stop and the sign at the end say nothing about “it”. How much of the last encoder layer's attention do the two get together?
lesson-sinks-says-less = less than an even share
lesson-sinks-says-even = about an even share
lesson-sinks-says-more = far more than that
lesson-sinks-last = { $share } in layer { $layer }; an even share of two out of { $of } tokens would be { $even }. { $choice ->
    [more] A softmax must give its weight to something. A head that finds nothing leaves it where it does no harm: a sink.
    [less] This model does not rest there.
   *[other] That is no more than chance.
  }
lesson-sinks-without-open = Leave the end sign out
lesson-sinks-without = Without the end sign, which had { $end } of that layer, the rows are divided anew to sum to one. The page says so; a picture that does it silently makes heads look surer than they are.

lesson-rollout = Follow the paths down
lesson-rollout-question = Rollout multiplies the layers, to see which words of the sentence arrive in the vector of “it”. Which of these contributes most?
lesson-rollout-says-animal = “animal”
lesson-rollout-says-tired = “tired”
lesson-rollout-says-it = “it” itself
lesson-rollout-says-end = the sign at the end
lesson-rollout-paths = “{ $word }” with { $share }, then “{ $second }” with { $less }. Rollout takes every head as one of a mean and every layer as half its input; one sharp head drowns in it.

lesson-cross = Where does a German word come from?
lesson-cross-question = While “Tier” is written, cross-attention looks at the English sentence. All heads together, where most?
lesson-cross-says-the = “the”, the word beside it
lesson-cross-says-animal = “animal”
lesson-cross-says-street = “street”
lesson-cross-says-end = the sign at the end
lesson-cross-noun = At “{ $word }”: { $share }, then “{ $second }” with { $less }. { $choice ->
    [animal] Nobody gave it a dictionary; it learned which word goes with which.
   *[other] It is not the word that “{ $row }” translates.
  }
lesson-cross-pronoun-open = And the pronoun “es”?
lesson-cross-pronoun = While “{ $row }” is written, most goes to “{ $word }” ({ $share }), then to “{ $second }” ({ $less }). { $choice ->
    [it] What “it” means was settled before, in the encoder.
    [animal] The noun is looked up while the pronoun is written.
   *[other] Neither the pronoun nor its noun is looked at most.
  }

lesson-align = What if the order differs?
lesson-align-question = “The old man who lives next door bought a new car yesterday.” German puts “gekauft” last. Where does cross-attention look while it is written?
lesson-align-says-car = at “car”
lesson-align-says-yesterday = at “yesterday”, which is last, too
lesson-align-says-bought = back at “bought”
lesson-align-verb = At “{ $word }” with { $share }, then “{ $second }” with { $less }. { $choice ->
    [bought] Attention jumps back over the end of the sentence: it follows words, not places.
   *[other] It does not find “bought” first.
  }
lesson-align-adverb-open = And “gestern”?
lesson-align-adverb = While “{ $row }” is written, most goes to “{ $word }” ({ $share }), then to “{ $second }” ({ $less }).

lesson-causal = What may a decoder see?
lesson-causal-question = The decoder has just read “weil”, in the middle of its own sentence. How many of its positions may it look at?
lesson-causal-says-one = only “weil”
lesson-causal-says-before = “weil” and all before it
lesson-causal-says-all = all of them
lesson-causal-mask = { $n } of { $of }: { $choice ->
    [before] its own place, number { $place }, and everything before.
    [one] its own place alone.
   *[other] also places that come later.
  } What follows is what it must predict; seeing it would be copying.
lesson-causal-peek-open = Let it look ahead
lesson-causal-peek = Read again with the mask lifted, the model's own translation has log P { $changed } instead of { $sum }. In training it never saw what comes.

lesson-padding = What is padding?
lesson-padding-question = “A dog runs.” shares a batch with a longer sentence and is filled up with pad tokens. If the model may see them, is it still translated as alone?
lesson-padding-says-same = yes, they mean nothing
lesson-padding-says-other = no
lesson-padding-unmasked = { $choice ->
    [same] It stays “{ $before }”, though { $share } of the encoder's attention lies on { $n } pad tokens.
   *[other] { $share } of the encoder's attention goes to { $n } pad tokens, and “{ $before }” becomes “{ $after }”
  }
lesson-padding-masked-open = Put the mask back
lesson-padding-masked = With the mask, pad tokens get nothing, and the batch gives “{ $masked }”; alone it was “{ $before }”

lesson-order = Does attention know the order?
lesson-order-question = Take the positions away and read “I go home” and “home go I”. Are the vectors that the encoder makes of “home” different?
lesson-order-says-same = no, they are the same
lesson-order-says-other = yes
lesson-order-vectors = Without positions the words' vectors differ by { $without } at most, with positions by { $with }. { $choice ->
    [same] Attention alone sees a bag of words; what is left is rounding.
   *[other] This model tells the orders apart even so.
  }
lesson-order-absent-open = Translate without positions
lesson-order-absent = { $choice ->
    [same] Even so it writes “{ $after }”
   *[other] “{ $before }” becomes “{ $after }”
  }

lesson-waves = What do the sines say?
lesson-waves-question = Positions 3 and 8 are five apart, so are 23 and 28. How alike are the encodings of the two pairs?
lesson-waves-says-same = equally alike
lesson-waves-says-nearer = the early pair is more alike
lesson-waves-says-farther = the late pair is more alike
lesson-waves-similar = The product of { $first } with the one { $step } later is { $near }, that of { $second } with the one { $step } later { $far }. { $choice ->
    [same] Only the distance counts, wherever it lies.
   *[other] In this model the place counts, too.
  }
lesson-waves-rotation-open = Why is that so?
lesson-waves-rotation = A step of { $step } turns each pair of sine and cosine by the same angle wherever it begins. Products stay as they are: { $near } and { $far }.

lesson-shift = Does the place itself matter?
lesson-shift-question = Tell the encoder that the sentence begins at position 6 instead of 1. Does the translation change?
lesson-shift-says-same = no
lesson-shift-says-other = yes
lesson-shift-later = { $choice ->
    [same] It stays “{ $after }”, with log P { $changed } instead of { $sum }. The distances are the same.
   *[other] “{ $before }” becomes “{ $after }”, and the first has log P { $changed } instead of { $sum }.
  }
lesson-shift-reversed-open = Count from the end instead
lesson-shift-reversed = With the positions reversed { $choice ->
    [same] it still writes “{ $after }”
   *[other] it writes “{ $after }”
  }

lesson-scaling = Why divide by √d_k?
lesson-scaling-question = Scores are divided by the root of { "d_k" } before the softmax. Without it, how large is the largest weight of a row?
lesson-scaling-says-smaller = smaller
lesson-scaling-says-same = the same
lesson-scaling-says-larger = larger
lesson-scaling-undivided = { $plain } instead of { $divided }, mean over all encoder rows, with { "d_k" } = { $d_k }. { $choice ->
    [larger] Large scores make a softmax take one token and nothing else, and then little can be learned through it.
   *[other] In this model the scores are so small that it hardly matters.
  }

lesson-greedy = Is the best next word the best?
lesson-greedy-question = Greedy search takes the likeliest token at each step; a beam keeps five beginnings. “I would like to book a table for two.” Is the greedy translation as likely?
lesson-greedy-says-less = less likely
lesson-greedy-says-same = the same translation
lesson-greedy-says-more = more likely
lesson-greedy-one = Greedy: “{ $first }” with log P { $sum }. Beam of { $wide }: “{ $second }” with { $other }. { $choice ->
    [less] A good next word led astray, and greedy search cannot turn back.
    [more] Here the beam lost what greedy search kept.
   *[other] Here one beginning is enough.
  }
lesson-greedy-five-open = Now a beam of five
lesson-greedy-five = The beam of { $wide } keeps “{ $second }” alive while it looks worse than its rivals; see its path in the tree. Greedy search found “{ $first }”

lesson-length = Why are short outputs favoured?
lesson-length-question = Each token multiplies by a probability below one. Without a length penalty (α = 0), is the best translation shorter than with α = 0.6?
lesson-length-says-shorter = shorter
lesson-length-says-same = as long
lesson-length-says-longer = longer
lesson-length-plain = { $n } tokens without a penalty: “{ $plain }” ({ $sum }). { $m } with α = { $alpha }: “{ $divided }” ({ $other }). { $choice ->
    [same] Here it makes no difference.
   *[other] By log P the first is likelier; divided by length, the second wins.
  }
lesson-length-divided-open = Put the penalty back
lesson-length-divided = With α = { $alpha } the best is “{ $divided }” Move α below and see where the lines cross.

lesson-search = Can a beam miss the best?
lesson-search-question = “The children who are playing in the garden are tired.” Does a beam of five find what a beam of twenty finds?
lesson-search-says-found = yes, five is enough
lesson-search-says-missed = no, it misses something likelier
lesson-search-width = Beam of { $narrow }: “{ $first }” with log P { $sum }. Beam of { $wide }: “{ $second }” with { $other }. Greedy search has { $greedy }. { $choice ->
    [missed] A search error: the model knew better, and the search dropped it on the way.
   *[other] No search error here.
  }
lesson-search-wide-open = A beam of twenty
lesson-search-wide = With { $wide } beginnings kept, “{ $second }” ({ $other }) is found instead of “{ $first }” ({ $sum }). Move the width in the sidebar and see when it comes.

lesson-model = Whose error is it?
lesson-model-question = A person translates the booking as “Ich würde gern einen Tisch für zwei Personen reservieren.” The model writes something else. Why?
lesson-model-says-search = the search lost it
lesson-model-says-model = the model likes its own better
lesson-model-says-penalty = the length penalty decided
lesson-model-says-none = it writes the very same
lesson-model-verdict = The model writes “{ $output }” (log P { $sum }); the person's sentence has { $other }. { $choice ->
    [search] The person's has the better score, { $below } against { $score }: a search error.
    [model] The model finds its own likelier: no search would help.
    [penalty] Only the penalty makes the difference: scores { $score } and { $below }.
   *[other] They are the same.
  } BLEU calls it { $bleu } of 100, though a reader might accept both.

lesson-knock = Does the model need that head?
lesson-knock-question = One head looks from “it” at “animal”. Switch it off. Does the translation change?
lesson-knock-says-same = no
lesson-knock-says-other = yes
lesson-knock-one = Without layer { $layer }, head { $head } { $choice ->
    [same] it stays “{ $after }”, and its log P is { $changed }, before { $sum }. What a head shows is not yet what the model needs.
   *[other] “{ $before }” becomes “{ $after }”.
  }
lesson-knock-each-open = Switch off each head in turn
lesson-knock-each = { $n ->
    [0] No head
    [one] One head
   *[other] { $n } heads
  } of { $of } changes the translation when it alone is off. Most missed is layer { $layer }, head { $head } of { $site ->
    [cross] cross-attention
    [encoder] the encoder
   *[other] the decoder
  }: log P changes by { $change }. Others stand in.

lesson-explain = Does attention explain?
lesson-explain-question = Hide each English word in turn: what costs most was needed most. How well do the weights of a cross-attention head rank the words by that?
lesson-explain-says-strong = well: a correlation of 0.7 or more
lesson-explain-says-middle = somewhat: 0.4 to 0.7
lesson-explain-says-weak = poorly: below 0.4
lesson-explain-drops = { $mean } on average over { $of } heads, at best { $best } (layer { $layer }, head { $head }); 1 would be the same order. { $choice ->
    [weak] The weights show where a head looks. What the model needs is another question.
   *[other] Here the weights do tell something of what is needed.
  }
lesson-explain-it-open = What does the pronoun need?
lesson-explain-it = While “{ $pronoun }” is written, cross-attention looks most at “{ $looked }”. Hidden from the encoder, “{ $needed }” costs most: { $drop } of log P. { $choice ->
    [same] Here the two agree.
   *[other] What is looked at had taken it in long before.
  }
