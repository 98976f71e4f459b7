# The page of captions: a picture told in words, and where the model looks meanwhile.

page-captions = Captions
heading-captions = { $app }: captions
view-captions = View of captions
view-captions-gaze = Scene and gaze
view-captions-measured = Measured
need-scene = Its gaze on a scene cannot be shown here.
language-scene = scene
example-scene = Scene
example-scene-new = Never seen
family-captioner = pictures told in words
system-captions-soft = Xu 2015 · soft
system-captions-soft-ko = Xu 2015 · soft, in Korean
system-captions-hard = Xu 2015 · hard
system-captions-mean = Xu 2015 · gaze ignored
site-gaze = gaze
site-gaze-attention = attention to the picture
site-gaze-short = Gaze
site-gaze-name = gaze

# A scene as text

scene-empty = The picture is empty.
scene-many = There are { $n } things in the picture; there is room for { $most }.
scene-crowded = More than one thing stands at row { $row }, column { $column }. Only something small fits inside a large ring or frame.
scene-placeless = “{ $part }” does not say where: write “at”, a row and a column.
scene-word = “{ $word }” is none of the words for things: { $known }.
scene-twice = “{ $first }” and “{ $second }” are said of one thing.
scene-no-shape = “{ $part }” names no shape: { $known }.
scene-no-colour = “{ $part }” names no colour: { $known }.
scene-place = “{ $part }” needs a row and a column from 1 to { $most }.
scene-hint = Write things like “large red circle at 1 2; small striped blue star at 3 4”, or place them on the page of captions.

# Drawing

captions-tool = A click
captions-tool-help = What a click on the picture does. A thing can be dragged with every tool; with “moves” the first click takes it and the second puts it down. With the keyboard: Tab to a place, then Enter.
captions-tool-place = places
captions-tool-move = moves
captions-tool-remove = removes
captions-tool-cover = covers
captions-size = Size
captions-pattern = Pattern
captions-pattern-help = Rings and frames have none.
captions-colour = Colour
captions-shape = Shape
captions-word-small = small
captions-word-large = large
captions-word-plain = plain
captions-word-striped = striped
captions-word-dotted = dotted
captions-word-red = red
captions-word-blue = blue
captions-word-green = green
captions-word-yellow = yellow
captions-word-purple = purple
captions-word-orange = orange
captions-word-circle = circle
captions-word-square = square
captions-word-triangle = triangle
captions-word-diamond = diamond
captions-word-cross = cross
captions-word-star = star
captions-word-ring = ring
captions-word-frame = frame
captions-thing-plain = { $size } { $colour } { $shape }
captions-thing-patterned = { $size } { $pattern } { $colour } { $shape }
captions-draw-usual = Draw a scene
captions-draw-usual-help = A scene as training had them, two to five things.
captions-draw-held_out = Draw one never seen
captions-draw-held_out-help = A scene with a thing whose shape never had its colour in training.
captions-clear = Clear
captions-place-filled = Row { $row }, column { $column }: { $things }
captions-place-free = Row { $row }, column { $column }: free
captions-place-covered = Row { $row }, column { $column }: covered
captions-places = The places of the picture
captions-words = The words of the caption
captions-picture-alt = A picture with { $n ->
    [one] one thing
   *[other] { $n } things
 }: { $things }.
captions-refused-taken = At row { $row }, column { $column } stands something else; only something small fits inside a large ring or frame.
captions-refused-many = There is room for { $most } things. Remove one first.
captions-empty = Nothing stands here yet. Choose a thing above and click a place of the picture.

# The caption and its gaze

captions-held-out = never seen
captions-held-out-things = { $n ->
    [one] In training this shape never had this colour: { $things }.
   *[other] In training these shapes never had these colours: { $things }.
 }
captions-unusual = Training had { $least } to { $most } things and nothing covered. Here { $n ->
    [one] is one thing
   *[other] are { $n } things
 }{ $covered ->
    [0] {""}
    [one] {" "}and one covered place
   *[other] {" "}and { $covered } covered places
 }.
captions-beside = Beside it
captions-beside-help = The same scene as another model tells it.
captions-beside-none = nothing
captions-exact = All of it is true.
captions-no-grammar = This is no sentence of the grammar that it learnt from.
captions-no-language = There is no grammar for captions in this language, so nothing of it is judged; there are some for: { $languages }.
captions-wrong = Not true: { $wrong }.
captions-wrong-part = { $part } “{ $word }”
captions-wrong-relation = how the things stand to each other
captions-wrong-count = the number of things
captions-wrong-same = two phrases for one thing
captions-missing-pattern = the pattern of the { $noun } is not said
captions-part-noun = shape
captions-part-colour = colour
captions-part-size = size
captions-part-pattern = pattern
captions-score = The largest weight lies on the right thing at { $hits } of { $n } words that speak of one; { $share } of the weight lies there, of an even gaze { $even }.
captions-score-none = No word speaks of a thing that is there, so the gaze cannot be scored.
captions-moved = From word to word { $moved } of the weight moves.
captions-idle = Point at a word to see where the model looked while it wrote it; a click keeps it. The number below a word is the share of the gaze on what the word speaks of.
captions-note = While “{ $word }” is written { $share } of the weight lies in the red box, on the { $thing }; of an even gaze { $even } would. { $hit ->
    [yes] The largest weight, { $most }, lies there too.
    [other] The largest weight, { $most }, lies on another thing.
   *[no] The largest weight, { $most }, lies beside it.
 }
captions-note-free = “{ $word }” speaks of no single thing that is there, so there is no right place to look. Largest weight: { $most }.
captions-sum = Σ
captions-gaze-name = gaze while “{ $text }” is written
captions-note-sum = The weights of all { $steps } steps together: a cell gets { $least } to { $most }, { $mean } on average. The doubly stochastic penalty of training draws each towards 1.

# Another model, and numbers

captions-model = Model
captions-kind = Scenes
captions-kind-seen = as in training
captions-kind-held_out = with a thing never seen
captions-how = The gaze while it
captions-how-read = reads a true caption
captions-how-own = writes its own
captions-measured-true = What is true in its captions
captions-measured-true-alt = For { $n } models the share of captions, things and parts of them that are true.
captions-measured-gaze = Does it look at what it speaks of?
captions-measured-gaze-alt = For { $n } rows how often the largest weight lies on the thing that a word speaks of.
captions-even-row = an even gaze
captions-random-row = on a thing at random
captions-first-row = always on the first thing
captions-measured-about = { $scenes } generated scenes that training did not have, a beam of { $beam }. In brackets the 95 % interval (Wilson). A gaze is right where its largest weight lies in a cell that touches the box of the thing; “on the thing” is the share of all weight there. The last three rows know no word: a gaze that is even, one on the middle of a thing of the scene at random, and one on the middle of its first thing, in the order of captions. One that always rests on the same cell, the best one, is right in { $still }.
captions-commands = The commands
captions-column-system = Model
captions-column-caption = whole caption
captions-column-thing = things
captions-column-noun = shapes
captions-column-colour = colours
captions-column-size = sizes
captions-column-pattern = patterns
captions-column-relation = relations
captions-column-bleu = BLEU
captions-column-mass = on the thing
captions-column-movement = moves
captions-column-cells = cells wide
