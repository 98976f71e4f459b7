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

encoding_part = Part of the encoding
encoding_part-curves = Curves
encoding_part-heatmap = Heat map
encoding_part-wavelengths = Wavelengths
encoding_part-similarity = Similarity
encoding_part-rotation = Rotation
encoding_values = Values from
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
# Figures of order, layers and heads

positions-layer = layer
positions-layer-from-embedding = layer (0: embedding)
positions-embedding-short = emb
order_measure = Compared by
order_measure-distance = Euclidean distance
order_measure-cosine = cosine of the angle
positions-axis-numbers = number of the vector (first ones)
positions-vector = vector
positions-number = number
positions-case-with = with positions, float{ $bits }
positions-case-without = without positions, float{ $bits }
positions-axis-difference = largest absolute difference
positions-encoder = encoder
positions-permutation = permutation
positions-largest-difference = largest difference
positions-rounding-step = one rounding step
positions-head-title = head
positions-axis-words = survives other words (overlap)
positions-axis-absent = survives without positions (overlap)
positions-sharpness = largest weight, mean of rows
positions-words = survives other words
positions-spread = ± over the other sentences
positions-absent = survives without positions
positions-special = weight on special tokens
positions-chance-of = chance level of
positions-chance = two different heads
positions-axis-offset = offset added to every position
positions-axis-log-p = log P of the plain translation
positions-of-side = positions of the
positions-side = side
positions-offset = offset
positions-log-p = log P
positions-of-model = positions of the model

# The view of order
positions-order-title = The same words in another order
positions-order-maps-title = The maps of one head in both orders
positions-exact-title = Exactly: on the sentence on screen
order_text-label = A few words
order_how = The other order
order_how-reversed = Reversed
order_how-shuffled = Shuffled
order_how-typed = Typed
order_seed-label = Seed
order_shuffle-label = Shuffle again
order_typed-label = The same words in your order
positions-order-unknown = The vocabulary lacks { $pieces }; the model sees all of that as the same unknown token.
positions-order-first-chips = **first order** { $chips }
positions-order-second-chips = **second order** { $chips }
positions-order-same = Both orders spell the same tokens, so there is nothing to tell apart.
positions-order-caption = Words move as wholes and the end sign stays last. Each token is compared with itself in the other order.
order_case = Encoder
order_case-without = Without positions
order_case-with = With positions
positions-layers-alt = { $measure } between the two vectors of each token, by layer.
positions-layers = After the last layer, without positions no token's two vectors are further apart than **{ $without }**: rounding of float32, the vectors are the same. With positions “{ $word }” moves by **{ $moved }** (cosine { $cosine }); its vector is { $length } long.
order_token-label = Vectors after the last layer of
positions-strip-without-first = without positions, first order
positions-strip-without-second = without positions, second order
positions-strip-with-first = with positions, first order
positions-strip-with-second = with positions, second order
positions-strips-alt = The first numbers of one token's vector in both orders, without and with positions.
positions-first-order = First order
positions-second-order = Second order
positions-order-maps-alt = Layer { $layer }, head { $head } in both orders.
positions-order-maps-differ = With the rows and columns of the second map put back into the first order, the largest difference between the two maps is **{ $difference }**.
positions-order-maps-equal = With the rows and columns of the second map put back into the first order, the two maps are **equal bit for bit**.
positions-exact-what = { $orders } random permutations of all { $n } tokens, the end sign among them:
positions-exact-alt = Largest difference between encode(P x) and P encode(x) for each permutation.
positions-exact-caption = A red tick is one step between neighbouring floating-point numbers at { $largest }, the largest number in the output. What is left of the differences comes from sums that are added up in another order.
positions-exact = Without positions encode(P x) = P encode(x) up to **{ $single }** in float32 and **{ $double }** in float64; with positions they differ by up to **{ $positions }**, whatever the precision.

# The view of the trained model

positions-every-change-title = Every change, one side at a time
positions-shift-title = How far may positions be shifted?
position_source = Positions of the source
position_target = Positions of the target
positions-mode-normal = Normal
positions-mode-absent = Absent
positions-mode-permuted = Permuted
positions-mode-shifted = Shifted
positions-mode-reversed = Reversed
positions-permutation-seed = Seed of the permutation
positions-shift-label = Offset
positions-shift-help = Added to every position. The model was made for { $n } positions; the formula of the encoding goes on beyond them.
positions-translating = Translating with every change…
positions-changed-absent = absent
positions-changed-permuted = permuted, seed { $seed }
positions-changed-shifted = shifted by { $offset }
positions-changed-reversed = reversed
positions-source = source
positions-target = target
positions-column = positions
positions-output = output
positions-same = same output
positions-plain-log-p = log P of plain output
positions-change = change
positions-summary-alt = Output and log-probability of the plain output for every change of positions.
positions-summary = Without positions of the source, log P of the plain output changes by **{ $source }**; without those of the target, by **{ $target }**. The output stays the same under { $kept_source } of { $n } changes of the source and { $kept_target } of { $n } of the target.
positions-offsets-alt = Log-probability of the plain output by offset.
positions-offsets-caption = Log P of “{ $text }”. The dashed line stands at the { $n } positions the model was made for; the encoding is worked out by its formula beyond them.

# The view of heads

position_words-label = Seed of the other words
position_words_next-label = Other words
positions-reading-others = Reading { $n } sentences of other words…
positions-chance-level = { $site } { $level }
positions-heads-verdict = The map of **{ $first }** survives other words best: overlap **{ $words }**. That of **{ $second }** survives the loss of positions best: **{ $positions }**. { $places } of { $n } heads keep more of their map under other words than without positions.
positions-heads-verdict-chance = { positions-heads-verdict } Yardstick, the overlap of two different heads: { $levels }.
position_head-help = Or click a dot.
positions-scatter-alt = Every head: overlap with its maps of other words, and with its map without positions.
positions-map-plain = This sentence
positions-map-absent = Without positions
positions-map-others = Other words, { $n }
positions-head-maps-alt = { $head }: this sentence, without positions, and two of other words.
positions-head-caption = Overlap with other words { $words } ± { $spread } (mean and standard deviation over { $n } sentences), without positions { $positions }; largest weight of a row, on average, { $sharpness }; weight on special tokens { $special }.
position_others-label = The other words
positions-heads-table-alt = Every head with its overlaps, the one that survives other words best first.
position_head = Head
positions-permuting = Permuting the sentence…
positions-shifting = Shifting positions…

# What figures are called when they are saved.

positions-offsets-name = shifted positions: { $text }
positions-layers-name = two orders by layer: { $text }
positions-strips-name = vectors of { $token }: { $text }
positions-order-maps-name = layer { $layer } head { $head } in two orders: { $text }
positions-exact-name = permutation equivariance: { $text }
positions-scatter-name = heads that follow position
positions-head-maps-name = { $head } with other words
positions-encoding-name-curves = positional encoding curves { $what }
positions-encoding-name-heatmap = positional encoding heatmap { $what }
positions-encoding-name-wavelengths = positional encoding wavelengths { $what }
positions-encoding-name-similarity = positional encoding similarity { $what }
positions-encoding-name-matrix = positional encoding matrix { $what }
positions-encoding-name-rotation = positional encoding rotation { $what }
positions-encoding-what-formula = d_model { $d_model } base { $base } length { $length } formula
positions-encoding-what-model = d_model { $d_model } base { $base } length { $length } model
