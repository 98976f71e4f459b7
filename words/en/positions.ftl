# The page of positions and its figures.

positions-position = position
positions-other-position = other position
positions-token = token
positions-dimension = dimension
positions-dimension-n = dimension { $n }
positions-dimensions = dimensions
positions-pair = pair
positions-pair-legend = pair (dimensions)
positions-pair-dimensions = { $sine } (sine), { $cosine } (cosine)
positions-function = function
positions-value = value
positions-sine = sine
positions-cosine = cosine
positions-even = even: sine
positions-odd = odd: cosine
positions-wavelength = wavelength
positions-turns = turns in this sentence
positions-this-sentence = this sentence: { $n }
positions-longest = longest the model takes: { $n }
positions-farthest = farthest in this sentence: { $n }
positions-offset-k = offset k
positions-dot = dot product
positions-smallest = smallest over pos
positions-largest = largest over pos
positions-before = before
positions-after = after
positions-axis-row = position (row)
positions-axis-column = position (column)
positions-axis-dimension = dimension (column)
positions-axis-pair = pair i (dimensions 2i and 2i + 1)
positions-axis-wavelength = wavelength in positions (log scale)
positions-axis-dot = dot product PE(pos)·PE(pos + k)
positions-rotation-x = cosine: dimension 2i + 1
positions-rotation-y = sine: dimension 2i

# The encoding

encoding_part-label = Part of the encoding
encoding_part-curves = Curves
encoding_part-heatmap = Heat map
encoding_part-wavelengths = Wavelengths
encoding_part-similarity = Similarity
encoding_part-rotation = Rotation
encoding_values-label = Values from
encoding_values-formula = The formula
encoding_values-model = The model's own
positions-formula-title = The formula
positions-mark-label = Mark the sentence
positions-mark-help = Positions of the sentence's tokens, with their names where there is room.
positions-length-label = Length
positions-length-help = Positions shown, from 0 on.
positions-table-ends = The model's table ends at position { $last }.
positions-as-model-label = As in the model
positions-as-model-help = d_model { $d_model }, base { $base }, { $n } positions
positions-as-sentence-label = As the sentence
positions-as-sentence-help = { $n ->
    [one] A length of { $n } position, one for each token
   *[other] A length of { $n } positions, one for each token
 }
positions-d-model-label = d_model
positions-d-model-help = Numbers in one encoding; even, because sines and cosines come in pairs.
positions-d-model-odd = d_model must be even, because sines and cosines come in pairs; { $asked } was asked for, { $shown } is shown.
positions-base-label = Base
positions-base-help = On a log scale. The longest wavelength comes close to 2π times the base.
positions-pos-label = Position pos
positions-pos-beyond = Position { $asked } lies beyond the last, { $last }, which is shown instead.
positions-dim-label = Dimension
positions-dim-beyond = Dimension { $asked } lies beyond the last, { $last }, which is shown instead.
positions-who-token = Position { $position } is “{ $token }” and i = { $i }.
positions-who = Position { $position }: i = { $i }.
positions-in-table = In the model's own table: **{ $value }**, which is { $away } away.
positions-in-table-not = The model's own table does not reach that far.
positions-adds-title = What the model adds
positions-adds = The loaded model adds a table of { $rows } × { $columns } numbers, with base { $base }. Largest difference from the formula: **{ $difference }**.
positions-adds-rounded = The loaded model adds a table of { $rows } × { $columns } numbers, with base { $base }. Largest difference from the formula: **{ $difference }**, the rounding of float32.
positions-lengths = An encoding has length √({ $d_model } / 2) = { $expected }; measured **{ $measured }**. The embeddings of this sentence, multiplied by √{ $d_model } = { $scale }, have a mean length of **{ $mean }** ({ $shortest } to { $longest }).
positions-dims-label = Dimensions
positions-dims-help = Even dimensions are sines, odd ones cosines; 2i and 2i + 1 are a pair of one wavelength. { $most } at most.
positions-dims-none = No dimension is chosen, so a few are shown that lie far apart.
positions-curves-alt = Values of the dimensions { $names } over { $n } positions as curves.
positions-heatmap-alt = Heat map of { $rows } positions by { $columns } dimensions, from -1 to 1. The chosen value is written out beside the formula.
positions-heatmap-caption = The ring is the value worked out beside it. The fast pairs are on the left; on the right sines stay near 0 and cosines near 1.
positions-wavelengths-alt = Wavelengths of { $n } pairs on a log scale, from { $shortest } to { $longest } positions.
positions-wavelengths = { $formula }: from **{ $shortest }** to **{ $longest }** positions; pair { $pair } has **{ $own }**.
positions-turns-sentence = { $n ->
    [one] { $n } of { $pairs } pairs makes a full turn within this sentence ({ $tokens }).
   *[other] { $n } of { $pairs } pairs make a full turn within this sentence ({ $tokens }).
 }
positions-turns-longest = { $n ->
    [one] { $n } of { $pairs } pairs makes a full turn within the longest sentence the model takes ({ $tokens }).
   *[other] { $n } of { $pairs } pairs make a full turn within the longest sentence the model takes ({ $tokens }).
 }
positions-similarity-alt = Dot product and cosine of two encodings against their offset.
positions-similarity = { $formula } does not depend on pos. Measured over all { $n } positions and all offsets, pos makes a difference of at most **{ $spread }**, on products of up to { $largest }.
positions-similarity-matrix-alt = Cosine of every two positions as a matrix; it is constant along each diagonal.
positions-offset-label = Offset k
positions-offset-help = How many positions the rotation goes on. The pair and the position are those of the formula.
positions-offset-beyond = { $n } positions are shown, so the largest offset between two of them, { $largest }, takes the place of { $asked }.
positions-rotation-alt = Pair { $pair } on the unit circle at position { $position } and { $offset } later.
positions-turned = ω = { $frequency } radians a position; k = { $offset } turns pair { $pair } by **{ $radians }** radians = { $degrees }°, that is { $turns } turns.
positions-turned-less = ω = { $frequency } radians a position; k = { $offset } turns pair { $pair } by **{ $radians }** radians = { $degrees }°.
positions-rotation-error-model = Measured over all { $positions } pos and all { $pairs } pairs, with the model's float32 values, in float64: max |R·PE(pos) − PE(pos + { $offset })| = **{ $error }**.
positions-rotation-error-formula = Measured over all { $positions } pos and all { $pairs } pairs, with the formula, in float64: max |R·PE(pos) − PE(pos + { $offset })| = **{ $error }**.
positions-rotation-caption = R depends on k = { $offset }, not on pos. Faint dots are the other positions shown.

# Errors of another order

positions-order-no-words = There are no words to put into another order.
positions-order-no-words-hint = Type two words or more.
positions-order-long = These words are { $n } tokens long; this view takes { $most }.
positions-order-long-hint = Type fewer words.
positions-order-one-word = One word has only one order.
positions-order-one-word-hint = Type two words or more, such as I go home.
positions-order-lacks = The typed order is not the same words: it lacks { $missing }.
positions-order-adds = The typed order is not the same words: it adds { $extra }.
positions-order-lacks-and-adds = The typed order is not the same words: it lacks { $missing } and it adds { $extra }.
positions-order-words-hint = Type every word of the first box once, in another order.
