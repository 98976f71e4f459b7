# The page “inside a block” and its figures.

page-block = Inside a block
heading-block = { $app }: inside a block

view-block = View of a block
view-block-stream = What is added
view-block-norm = Layer norm
view-block-without = Take something away
view-block-lens = After every layer
view-block-gradients = Gradients
view-block-units = Feed-forward units

# Choosing a place

block-stack = Stack
block-stack-encoder = Encoder
block-stack-decoder = Decoder
block-token = Token
block-layer = Layer
block-sublayer = Sub-layer
block-sublayer-self = self-attention
block-sublayer-cross = cross-attention
block-sublayer-feed_forward = feed-forward
block-place = { $layer } · { $name }
block-place-in = { $stack ->
    [encoder] encoder { $layer } · { $name }
   *[decoder] decoder { $layer } · { $name }
 }
block-input = input
block-order = { $order ->
    [pre] Pre-norm: this model normalises before each sub-layer, and the sum goes on as it is (Xiong et al. 2020).
   *[post] Post-norm: this model normalises after each sum, as in Vaswani et al. 2017. x is what was there; the sub-layer is attention or feed-forward.
 }

# What is added

block-before = length of what was there
block-added = length of what is added
block-cosine = cosine between both
block-summed = length of the sum
block-after = length of what goes on
block-lengths-axis = length of the vector (grey: was there · colour: is added · line: sum · ring: goes on)
block-cosine-axis = cosine of what is added with what was there
block-stream-alt = For { $token }: { $n } sub-layers, and for each the length of what was there, of what it adds, of the sum and of what goes on; beside it the cosine between what was there and what is added.
block-stream-name = residual stream { $token }
block-stream-told = { $order ->
    [pre] **{ $sublayer }**, at “{ $token }”: a vector of length { $before } was there, the sub-layer adds one of length { $added }, at a cosine of { $cosine }; a sum of length { $summed } goes on.
   *[post] **{ $sublayer }**, at “{ $token }”: a vector of length { $before } was there, the sub-layer adds one of length { $added }, at a cosine of { $cosine }. The sum has length { $summed }; after the layer norm { $after } goes on.
 }

# Layer norm

block-stage = stage
block-stage-given = what it is given
block-stage-standardised = mean 0, variance 1
block-stage-scaled = times gain, plus bias
block-dimension = dimension
block-value = value
block-value-axis = value of each dimension (one tick each); red: mean, band: one standard deviation
block-mean = mean
block-variance = variance
block-smallest = smallest
block-largest = largest
block-moments-alt = Mean, variance, smallest and largest value of the vector before and after the layer norm.
block-norm-alt = All values of the vector as ticks: as the layer norm is given it, with mean 0 and variance 1, and after gain and bias.
block-norm-name = layer norm { $token }
block-norm-told = The gains of **{ $sublayer }** run from { $low } to { $high }: each dimension has its own, learned. ε is { $eps }, so a variance of 1 comes out a little below.
block-batch-title = Beside batch norm
block-batch-cut = { $n } of { $of } tokens are drawn; all of them count.
block-norm-given = what it is given
block-norm-layer = layer norm: along each row
block-norm-batch = batch norm: down each column
block-dimensions-axis = some of the dimensions
block-shade = value (left: in standard deviations)
block-of = of
block-batch-alt = Three matrices of tokens by dimensions: the values, the same with mean 0 and variance 1 in each row, and with mean 0 and variance 1 in each column. Beside the rows and below the columns stand mean and variance.
block-batch-name = layer norm and batch norm { $token }
block-batch-told = { $n ->
    [one] There is a single token, so batch norm would have nothing to compare: every dimension would be 0.
   *[other] Take one other token out of these { $n }: the layer norm of “{ $token }” moves by { $layer }, its batch norm by up to { $batch }. Layer norm asks only the token itself; batch norm asks the company it is in, so the same word would come out differently in another batch.
 }

# Something left out

block-cut = Leave out
block-cut-residual = A residual connection
block-cut-norm = A layer norm
block-cut-stack = Stack
block-cut-stack-all = both
block-cut-stack-encoder = encoder
block-cut-stack-decoder = decoder
block-cut-layer = Layer
block-cut-layer-all = all
block-cut-name = Sub-layer
block-cut-name-all = all
block-run = run
block-run-plain = as it is
block-run-changed = with it left out
block-length-axis = mean length of the states
block-alike-axis = mean cosine between two positions
block-without-title = The states on their way
block-without-told = At the end of the { $stack } the states are { $length } long instead of { $plain }. The mean cosine between two of its positions is { $alike } instead of { $plain_alike }; at 1 every position holds the same and nothing tells the tokens apart.
block-without-alt = Two lines over the sub-layers, as the model is and with something left out: the mean length of the states, and the mean cosine between two positions.
block-without-name = states with something left out { $text }

# After every layer

block-lens-aid = A reading aid (“logit lens”), not something the model does: each state is put through the output layer as if no layer came after it. The layers were never trained to be read so.
block-lens-rows = state after …
block-lens-columns = position
block-after-which = after
block-lens-five = likeliest tokens
block-lens-wanted = probability of its own token
block-lens-rank = rank of its own token
block-lens-prob = probability of the likeliest token (red frame: its own)
block-lens-alt = { $stack ->
    [encoder] A matrix of the encoder’s sub-layers by source tokens; each cell names the likeliest token there, red frames where it is the token that was read.
   *[decoder] A matrix of the decoder’s sub-layers by positions; each cell names the likeliest token there, red frames where it is the token that is written.
 }
block-lens-name = after every layer { $text }
block-lens-from = { $stack ->
    [encoder] “{ $token }” is still the likeliest token of its own position after **{ $place }** and from there to the end of the encoder.
   *[decoder] “{ $token }” is the likeliest token after **{ $place }**, and stays so to the end.
 }
block-lens-never = { $stack ->
    [encoder] At the end of the encoder “{ $token }” is no longer the likeliest token of its own position (rank { $rank }): what was added has turned the state elsewhere.
   *[decoder] “{ $token }” is not the likeliest token at the end (rank { $rank }); the search chose it for the sum of the whole sentence.
 }
block-lens-position = Position { $token }
block-lens-table-alt = For the chosen position, after every sub-layer: the five likeliest tokens with their probabilities, and probability and rank of its own token.

# Gradients

block-weights = Weights
block-weights-random = Random, as before training
block-weights-trained = Trained
block-gradients-plain = as it is
block-gradients-residual = without residual connections
block-gradients-norm = without layer norms
block-gradients-both = without either
block-gradient-axis = length of the gradient (mean over positions)
block-gradients-working = Working out gradients
block-gradients-alt = Four lines over the sub-layers of encoder and decoder, as the model is, without residual connections, without layer norms and without either: the length of the gradient of the loss, and the mean cosine between two positions.
block-gradients-name = gradients { $text }
block-gradients-how = Loss: mean −log p of the { $n ->
    [one] { $n } token
   *[other] { $n } tokens
 } of the translation above. Gradient: of that loss with respect to the output of each sub-layer, by backpropagation, no dropout. Worked out in float64; a point that is missing is 0, or too small to tell from rounding: shaking the last bit of the states turns it by more than a tenth of its length.
block-gradients-told = { $weights ->
    [random] With random weights
   *[trained] With the trained weights
 } and no residual connections, { $decoder } of the decoder’s { $n_decoder } sub-layers and { $encoder } of the encoder’s { $n_encoder } get less than { $vanished } of the gradient that they get with them. At the encoder’s first sub-layer it is { $first } with and { $first_cut } without. The loss is { $loss } with and { $cut_loss } without{ $weights ->
    [random] .
   *[trained] ; these weights were learned with the connections in place.
 }
block-gradients-untold = too small to tell from rounding
block-gradients-way = { $order ->
    [pre] Pre-norm: nothing stands in the way beside the sub-layers, where the gradient passes unchanged (Xiong et al. 2020).
   *[post] Post-norm: the way beside a sub-layer leads through its layer norm, which scales the gradient and takes a part of it away. It would pass unchanged in a pre-norm model only (Xiong et al. 2020).
 }

# Feed-forward units

block-unit = unit { $n }
block-unit-title = Unit
block-unit-axis = length of what the unit adds
block-activation = fires
block-unit-added = adds a vector of length
block-unit-told = fires most on
block-units-told = At “{ $token }” **{ $n }** of { $of } units fire ({ $share }); over all positions of this sentence { $mean } do. Bars: those that add most. Beside them: the tokens on which they fire most over validation sentences.
block-units-none = No unit of this layer fires at this token.
block-units-alt = For { $token }: the { $n } units that add most, the length of what each adds, and the tokens on which it fires most.
block-units-name = feed-forward units { $token }
block-unit-heading = { $stack ->
    [encoder] Unit { $unit } of encoder layer { $layer }
   *[decoder] Unit { $unit } of decoder layer { $layer }
 }
block-unit-promotes = What it adds makes these tokens likelier, read off the output layer as if nothing came after: { $tokens }.
block-unit-fires = It fires at { $share } of the positions. Where it fires most:
block-unit-unknown = It is not among the units that were measured: those that add most, most often, in each layer.
block-unit-before = before
block-unit-encoder = after
block-unit-decoder = writes
block-unit-token = token
block-unit-activation = fires
block-unit-places-alt = Places in validation sentences where the unit fires most: what stands before, the token, what comes after, and how strongly.
