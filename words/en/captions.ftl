# The page “Image captioning”: a scene, its caption, and the image attention of each word.

page-captions = Image captioning
view-captions = View of image captioning
view-captions-gaze = Caption a scene
need-scene = Its image attention cannot be shown here.
language-scene = scene
example-three = three shapes
example-overlap = overlap
example-two = two shapes
example-four = four shapes
example-new-two = held-out: two
example-new-three = held-out: three
family-captioner = Image captioning model
system-captions-soft = Soft-attention captioner (Xu 2015)
system-captions-soft-ko = Korean soft-attention captioner (Xu 2015)
system-captions-hard = Hard-attention captioner (Xu 2015)
system-captions-mean = Mean-pooling captioner (control)
site-gaze = image attention
site-gaze-attention = image attention
site-gaze-short = Image
site-gaze-name = image

# A scene as text

scene-empty = The scene is empty.
scene-many = The scene has { $n } objects, but only { $most } fit. Remove some.
scene-crowded = Row { $row }, column { $column } has more than one object. Only a small object fits inside a large ring or frame.
scene-placeless = “{ $part }” has no position. Write “at”, then a row and a column.
scene-word = “{ $word }” does not describe an object. Known words: { $known }
scene-twice = “{ $first }” and “{ $second }” describe the same object. Keep one of the two.
scene-no-shape = “{ $part }” has no shape. Known shapes: { $known }
scene-no-colour = “{ $part }” has no colour. Known colours: { $known }
scene-place = “{ $part }” needs a row and a column from 1 to { $most }.
scene-hint = Describe objects like “large red circle at 1 2; small striped blue star at 3 4”, or draw them on the page Image captioning.

# Drawing

captions_tool = Click action
captions_tool-help = What a click on the picture does. You can always drag an object. With “Move”, the first click picks an object up and the second puts it down. Keyboard: Tab to a position, then Enter.
captions_tool-place = Place
captions_tool-move = Move
captions_tool-remove = Remove
captions_tool-cover = Cover
captions_size = Size
captions_pattern = Pattern
captions_pattern-help = Rings and frames have no pattern.
captions_colour = Colour
captions_shape = Shape
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
captions_draw_usual = Draw random scene
captions_draw_usual-help = A random scene like those in training, with two to five objects.
captions_draw_held_out = Draw held-out scene
captions_draw_held_out-help = A random scene with a colour–shape pair that never occurred in training.
captions_clear = Clear scene
captions-place-filled = Row { $row }, column { $column }: { $things }
captions-place-free = Row { $row }, column { $column }: free
captions-place-covered = Row { $row }, column { $column }: covered
captions-places = Positions in the picture
captions-words = Words of the caption
captions-title = While “{ $word }” is generated · bright: large { measured }
captions-picture-alt = A picture with { $n ->
    [one] one object
   *[other] { $n } objects
 }: { $things }.
captions-refused-taken = Row { $row }, column { $column } is occupied. Only a small object fits inside a large ring or frame.
captions-refused-many = The picture has room for { $most } objects. Remove one first.
captions-empty = The scene is empty. Choose an object below and click a position in the picture.

# The caption and its image attention

captions-held-out = Held-out pair
captions-held-out-things = { $n ->
    [one] This shape never had this colour in training: { $things }.
   *[other] These shapes never had these colours in training: { $things }.
 }
captions-unusual = This scene has { $n ->
    [one] one object
   *[other] { $n } objects
 }{ $covered ->
    [0] {""}
    [one] {" "}and one covered position
   *[other] {" "}and { $covered } covered positions
 }. Training scenes had { $least } to { $most } objects and no covered positions.
captions_beside = Compare with
captions_beside-help = Another model captions the same scene.
captions_beside-none = None
captions-exact = All of it is true.
captions-no-grammar = This sentence does not follow the grammar of the training captions.
captions-no-language = This caption is not checked, because there is no grammar for its language. Languages with a grammar: { $languages }
captions-wrong = Incorrect: { $wrong }.
captions-wrong-part = { $part } “{ $word }”
captions-wrong-relation = relation between the objects
captions-wrong-count = number of objects
captions-wrong-same = one object described twice
captions-missing-pattern = pattern of the { $noun } missing
captions-part-noun = shape
captions-part-colour = colour
captions-part-size = size
captions-part-pattern = pattern
captions-score = Over the words that name an object (pointing game), on average { PERCENT($share, digits: 0) } of the { measured-mass } is in the cells of the box (uniform: { PERCENT($even, digits: 0) }).
captions-score-none = No word names an object in the scene, so the pointing game does not apply.
captions-moved = From one of these words to the next, { PERCENT($moved, digits: 0) } of the { measured-mass } moves to other cells.
captions-idle = Hover over a word to see the { measured-all } while it is generated. Click to keep it. The number below a word is the share of { measured-mass } on the object that it names.
captions-found = **{ $text }** { $truth } { $verdict }
captions-input = In the input, “at 2 1” is row 2, column 1 of 4.
captions-verdict = For **{ $hits } of { $n }** words, the largest { measured } is on the named object.
captions-note = While “{ $word }” is generated, { PERCENT($share, digits: 0) } of the { measured-mass } is in the dashed cells, which touch the red box ({ $thing }); uniform attention would put { PERCENT($even, digits: 0) } there. { $hit ->
    [yes] The largest { measured } is there, too.
    [other] The largest { measured } is on another object.
   *[no] The largest { measured } is on no object.
 }
captions-note-free = “{ $word }” does not name a single object of the scene, so no position counts as correct. The largest { measured } is { PERCENT($most, digits: 0) }.
captions-no-values-hard = Hard attention passes on a single annotation vector, so there is no weighted sum.
captions-no-values-mean = This model passes on the mean of all annotation vectors, whatever its weights.
captions-sum = all words (sum)
captions-gaze-name = image attention{ $measure ->
    [weight] {""}
   *[other] , { measured }
 } “{ $text }”
captions-note-sum = Sum of the { measured-all } over all { $steps } steps: { FIXED($mean, digits: 3) } per cell on average ({ $least } to { $most }).{ $measure ->
    [weight] {" "}In training, the doubly stochastic penalty pulls each sum towards 1.
   *[other] {""}
 }

# Another model

captions_model = Model
