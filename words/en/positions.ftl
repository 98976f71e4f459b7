# The page “Positional encoding” and its figures.

positions-position = Position
positions-other-position = Other position
positions-token = Token
positions-dimension = Dimension
positions-dimension-n = Dimension { $n }
positions-dimensions = Dimensions
positions-pair = Pair i
positions-pair-legend = Pair (dimensions)
positions-pair-dimensions = { $sine } (sine), { $cosine } (cosine)
positions-function = Function
positions-value = Value
positions-sine = Sine
positions-cosine = Cosine
positions-even = Even (sine)
positions-odd = Odd (cosine)
positions-wavelength = Wavelength (positions)
positions-turns = Turns within sentence
positions-this-sentence = This sentence (n = { $n })
positions-longest = Model maximum (n = { $n })
positions-farthest = Largest offset in sentence (k = { $n })
positions-offset-k = Offset k
positions-dot = Dot product
positions-smallest = Minimum over pos
positions-largest = Maximum over pos
positions-before = pos
positions-after = pos + k
positions-axis-row = pos (0 is the first token)
positions-axis-column = Position (column)
positions-axis-dimension = Dimension (a sample; even: sines on the left; odd: cosines on the right)
positions-axis-alike = Cosine with the chosen position
positions-axis-pair = Pair i (dimensions 2i and 2i + 1)
positions-axis-wavelength = Wavelength (positions, log scale)
positions-axis-dot = Dot product PE(pos)·PE(pos + k)
positions-rotation-x = Cosine (dimension 2i + 1)
positions-rotation-y = Sine (dimension 2i)
positions-component-n = PC { $n }
positions-component-axis = { $name } ({ $share })

# The encoding

encoding_part = Plot of the encoding
encoding_part-curves = Curves
encoding_part-heatmap = Heat map
encoding_part-wavelengths = Wavelengths
encoding_part-similarity = Similarity
encoding_part-rotation = Rotation
encoding_part-surface = Surface
encoding_part-helix = PCA curve
encoding_values = Source of values
encoding_values-formula = Formula
encoding_values-model = Model’s table
encoding_mark = Highlight sentence
encoding_mark-help = Marks the positions of the sentence’s tokens and names the tokens where there is room.
encoding_length = Positions
encoding_length-help = Number of positions shown, starting at position 0.
encoding_length-ends = The model’s table ends at position { $last }.
encoding_reset = Match model
encoding_reset-help = Sets d_model = { $d_model }, base = { $base } and { $n } positions, as in the model.
encoding_fit = Match sentence
encoding_fit-help = { $n ->
    [one] Sets the length to { $n } position, one for each token.
   *[other] Sets the length to { $n } positions, one for each token.
 }
encoding_d_model = d_model
encoding_d_model-help = Model dimension d_model: number of values in one encoding. It is even because sines and cosines come in pairs.
encoding_d_model-odd = d_model must be even because sines and cosines come in pairs, so { $shown } is shown instead of { $asked }.
encoding_base = Base
encoding_base-help = Sets how fast the wavelengths grow, on a log scale. The longest wavelength is close to 2π times the base.
encoding_pos = Position pos
encoding_pos-beyond = The last position is { $last }, so it is shown instead of { $asked }.
encoding_dim = Dimension
encoding_dim-beyond = The last dimension is { $last }, so it is shown instead of { $asked }.
positions-who-token = “{ $token }” is token number { $nth }, so pos = { $position }; here i = { $i }.
positions-who = Position { $position } has i = { $i }.
positions-in-table = The model’s table has **{ FIXED($value, digits: 3) }** here; the formula differs by { SCIENTIFIC($away) }.
positions-in-table-not = The model’s table has no entry here.
positions-adds-title = Model vs. formula
positions-adds = The model adds a table of { $rows } × { $columns } values to its embeddings. It differs from the formula by at most **{ SCIENTIFIC($difference) }**.
positions-adds-rounded = The model adds a table of { $rows } × { $columns } values to its embeddings. Up to float32 rounding ({ SCIENTIFIC($difference) }), it equals that of the formula.
positions-kept = { $kind ->
    [sines] {""}
    [halves] This model stores all sines first, then all cosines. Here each sine is shown next to its cosine.{" "}
   *[tensor2tensor] This model stores all sines first, then all cosines, with the exponent i / (d_model/2 − 1). Here each sine is shown next to its cosine, and base { $base } gives the same frequencies.{" "}
 }{ $first ->
    [0] {""}
   *[other] Its first position has number { $first }: position pos of the plots is pos + { $first } in the formula.
 }
positions-lengths = { $scaled ->
    [no] The encodings have a mean norm of **{ $measured }**, close to √(d_model / 2). The model adds them to its embeddings unscaled, which have a mean norm of **{ $mean }** ({ $shortest } to { $longest }) in this sentence.
   *[yes] The encodings have a mean norm of **{ $measured }**, close to √(d_model / 2). Before adding them, the model multiplies the embeddings by √d_model = { $scale }. The scaled embeddings of this sentence have a mean norm of **{ $mean }** ({ $shortest } to { $longest }).
 }
encoding_dims = Dimensions
encoding_dims-help = Even dimensions are sines, odd ones are cosines. Dimensions 2i and 2i + 1 form a pair with one wavelength. You can choose up to { $most }.
encoding_dims-none = No dimension is chosen, so a few widely spaced ones are shown.
encoding-curves-alt = { $n ->
    [one] Line chart of dimensions { $names } at { $n } position.
   *[other] Line chart of dimensions { $names } over { $n } positions.
 }
encoding-heatmap-alt = Heat map of positions (n = { $n }) by dimensions (n = { $columns }), with values from −1 to 1. The formula below it computes the chosen value.
encoding-heatmap-caption = Each row is the vector of one position, each column one dimension: fast sines, then slow ones, and the same for cosines. Evenly coloured columns are slow waves, which hardly change within one sentence. The ring marks the value computed below.
encoding-wavelengths-alt = Wavelengths of all pairs (n = { $pairs }) on a log scale, from { $shortest } to { $longest } positions.
encoding-wavelengths-caption = Wavelengths { $formula } range from { $shortest } to { $longest } positions; pair { $pair } has wavelength **{ $own }**. Within the model’s maximum length ({ $tokens } tokens), { $turning } of { $pairs } pairs complete a full turn.
positions-turns-within = Fast pairs distinguish neighbours, slow pairs distant positions: **{ $turning } of { $pairs }** complete a turn within this sentence.
positions-named = position { $position }
positions-near-far = The nearer two positions, the more similar their vectors (cosine, 1 = same direction): { $here } and its neighbour { $near } **{ FIXED($near_cosine) }**, { $here } and { $far } **{ FIXED($far_cosine) }**.
encoding-similarity-alt = Line chart of the dot product and cosine similarity of two encodings by offset.
positions-similarity = Only the offset counts: any two neighbours have a cosine of **{ FIXED($near) }**{ $apart ->
    [0] .
    [1] .
   *[other] , any two positions { $apart } apart one of **{ FIXED($far) }**.
 }
positions-similarity-formula = { $formula } does not depend on pos: over { $n } positions, pos changes a dot product by at most { SCIENTIFIC($spread) }.
encoding-matrix-alt = Matrix of cosine similarities between every two positions. It is constant along each diagonal.
encoding_offset = Offset k
encoding_offset-help = Number of positions by which the pair is rotated. The pair and the position are those chosen in the formula.
encoding_offset-beyond = At length { $n } the largest offset is { $largest }, so it is shown instead of { $asked }.
encoding-rotation-alt = Pair { $pair } on the unit circle, at position { $position } and { $offset } positions later.
positions-turned = An offset of k = { $offset } rotates pair { $pair } by **{ FIXED($radians) }** radians ({ $turns } turns) wherever it starts.
positions-turned-less = An offset of k = { $offset } rotates pair { $pair } by **{ FIXED($radians) }** radians ({ $degrees }°) wherever it starts.
positions-rotation-error-model = Over { $positions } positions and { $pairs } pairs, R·PE(pos) differs from PE(pos + { $offset }) by at most **{ SCIENTIFIC($error) }** (the model’s float32 values, computed in float64).
positions-rotation-error-formula = Over { $positions } positions and { $pairs } pairs, R·PE(pos) differs from PE(pos + { $offset }) by at most **{ SCIENTIFIC($error) }** (values of the formula, computed in float64).
encoding-rotation-caption = The rotation matrix R depends only on k = { $offset }, not on pos: the pair rotates by ω = { SHORT($frequency) } radians per position. Faint dots are the other positions.
encoding-surface-alt = Surface of the encoding over { $n } positions and { $columns } dimensions, its height and colour the value.
encoding-surface-caption = Drag to turn the surface, scroll to zoom. The red dot is the value computed in the formula{ $halved ->
    [yes] . Even dimensions are on the left, odd ones on the right.
   *[no] .
 }
positions-one-position = This plot needs two or more positions. Increase the length.
encoding-helix-alt = Curve through { $n } positions in their first three principal components, which explain { $first }, { $second } and { $third } of the variance.
encoding-helix-caption = Drag to turn the curve, scroll to zoom. Each axis gives its component’s share of the variance, and the red dot is position pos{ $bunched ->
    [yes] . Choose “Match sentence” to spread the tokens.
   *[no] .
 }
positions-helix = The first three principal components explain **{ PERCENT($share, digits: 0) }** of the variance of { $n } encodings. Distances in the plot are never larger than in all dimensions.
positions-helix-flat = { $k ->
    [one] The { $n } encodings lie on a line, so one principal component explains all of the variance.
   *[other] The { $n } encodings lie in a plane, so two principal components explain all of the variance.
 }
positions-helix-none = These encodings do not vary, so there are no principal components to plot. Increase the length.

# Learned position embeddings

learned_side = Side
learned_side-source = Source
learned_side-target = Target
learned_length = Positions
learned_length-help = Number of positions shown, starting at position 0.
positions-learned-finding = Neighbouring positions have a mean cosine similarity of **{ FIXED($near) }**, positions { $apart } apart one of **{ FIXED($far) }** (first { $n } positions).
positions-learned-alt = Matrix of cosine similarities between the learned embeddings of every two of { $n } positions.
positions-learned-caption = Each position has a learned vector of { $columns } numbers, added to the token embedding. Their norms range from { FIXED($shortest) } to { FIXED($longest) }.
positions-learned-file = learned position embeddings { $side } { $n }

# Relative position bias

relative_site = Attention
relative_reach = Maximum offset
relative_reach-help = Keys up to this many positions before or after the query are shown.
positions-head-n = Head { $n }
positions-bias = Bias
positions-axis-relative = Position of the key minus position of the query
positions-relative-finding = Head { $head } depends most on distance: it adds **{ SIGNED($high) }** to the score of a key at offset { SIGNED($high_at, digits: 0) } and **{ SIGNED($low) }** at offset { SIGNED($low_at, digits: 0) }.
positions-relative-alt = Heat map of the relative position bias: { $n } heads by offsets up to { $reach }, { $site }.
positions-relative-caption = This model adds no positions to its embeddings. Instead, each head adds a learned number (relative position bias) to q·k / √d_k that depends only on the offset between key and query. All layers share it, and large offsets share one number in groups (Raffel et al. 2020).
positions-relative-file = relative position bias { $site }

# Errors in a second word order

positions-order-output = Output without positional encoding
positions-order-no-words = There are no words to reorder.
positions-order-no-words-hint = Type two or more words.
positions-order-long = This text has { $n } tokens. This view takes at most { $most }.
positions-order-long-hint = Type fewer words.
positions-order-one-word = A single word has only one order.
positions-order-one-word-hint = Type two or more words, such as “I go home”.
positions-order-words = Both orders must use the same words. { $what ->
    [lacks] Missing in yours: { $missing }.
    [adds] Extra in yours: { $extra }.
   *[both] Missing in yours: { $missing }. Extra in yours: { $extra }.
 }
positions-order-words-hint = Type every word of the first box exactly once, in another order.
# Figures of order, layers and heads

positions-layer = Layer
positions-layer-from-embedding = Layer (0: embedding)
positions-embedding-short = emb
order_measure = Comparison measure
order_measure-distance = Euclidean distance
order_measure-cosine = Cosine similarity
positions-number = Component
positions-case-with = With positional encoding, float{ $bits }
positions-case-without = No positional encoding, float{ $bits }
positions-axis-difference = Largest absolute difference
positions-encoder = Encoder
positions-permutation = Permutation
positions-largest-difference = Largest difference
positions-rounding-step = 1 ulp
positions-head = Head
positions-offset = Position offset

# Permutation equivariance
positions-order-maps-title = Attention maps in both orders
positions-exact-title = Equivariance check
order_text = Words
order_how = Second order
order_how-reversed = Reversed
order_how-shuffled = Permuted
order_how-typed = Typed
order_seed = Seed
order_shuffle = Permute again
order_typed = Your order
positions-order-unknown = Not in the vocabulary: { $pieces }. The model reads each as the same unknown token.
positions-order-same = Both orders give the same tokens, so there is nothing to compare.
order_case = Encoder
order_case-without = No positional encoding
order_case-with = With positional encoding
order-layers-alt = { $measure } between the two vectors of each token, by layer.
positions-order = Without positional encoding, “{ $second }” only permutes the same vectors. With it, they move, “{ $word }” most, by **{ PERCENT($share, digits: 0) }** of its length.
order-words-caption = Each strip is the start of a word’s output vector: first order on the left, second on the right. “Moved” is the distance as a share of the vector’s length (norm). “Same” means equal up to rounding (here at most { SCIENTIFIC($without) }). The end-of-sentence token stays last.
order-words-alt = Vectors of each word after the last layer, without and with positional encoding: first order on the left, second on the right. Lines join equal words.
positions-order-moved = moved by { PERCENT($share, digits: 0) }
positions-order-kept = same vector
positions-order-layers-title = Distance by layer
order-layers-caption = Distance between the two vectors of each token. With positional encoding, the vector of “{ $word }” moves by { $moved } after the last layer; its norm in the first order is { $length }.
positions-first-order = First order
positions-second-order = Second order
order-maps-alt = Attention maps of layer { $layer }, head { $head } in both orders.
positions-order-maps-differ = With rows and columns of the second map restored to the first order, the two maps differ by at most **{ SCIENTIFIC($difference) }**.
positions-order-maps-equal = With rows and columns of the second map restored to the first order, the two maps are **equal bit for bit**.
positions-exact-what = Each row shows { $orders } random permutations P of all { $n } tokens of your sentence, including the end-of-sentence token.
order-exact-alt = Largest difference between encode(P x) and P encode(x) for each permutation.
order-exact-caption = The vertical line marks 1 ulp, the spacing of floating-point numbers at the largest output ({ $largest }). The remaining differences come from adding numbers in a different order.
positions-exact = Without positional encoding, permuting the tokens only permutes the output: encode(P x) = P encode(x) up to rounding (**{ SCIENTIFIC($double) }** in float64). With it, the two differ by up to **{ $positions }** at any precision.

# Positional encoding of the trained model

position_source = Source positional encoding
position_target = Target positional encoding
positions-mode-normal = Original
positions-mode-absent = Removed (NoPE)
positions-mode-permuted = Permuted
positions-mode-shifted = Shifted
positions-mode-reversed = Reversed

# Progress, and views without norms

view-positions-encoding-no-norms = This view compares position vectors. No head adds anything to them.
view-positions-order-no-norms = This view compares hidden states and weights of one sentence in two orders, in a modified model.
equivariance-progress = Permuting the sentence…

# Names of saved figures.

order-layers-file = two word orders by layer: { $text }
order-maps-file = layer { $layer } head { $head } in two word orders: { $text }
order-words-file = vectors in two word orders: { $text }
order-exact-file = permutation equivariance: { $text }
encoding-curves-file = positional encoding curves { $what }
encoding-heatmap-file = positional encoding heatmap { $what }
encoding-wavelengths-file = positional encoding wavelengths { $what }
encoding-similarity-file = positional encoding similarity { $what }
encoding-matrix-file = positional encoding matrix { $what }
encoding-rotation-file = positional encoding rotation { $what }
encoding-surface-file = positional encoding surface { $what }
encoding-helix-file = positional encoding pca { $what }
positions-encoding-what-formula = d_model { $d_model } base { $base } length { $length } formula
positions-encoding-what-model = d_model { $d_model } base { $base } length { $length } model
