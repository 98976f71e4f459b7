# The page “Transformer block” and its figures.

page-block = Transformer block

view-block = View of the Transformer block
view-block-stream = Residual stream
view-block-norm = LayerNorm
view-block-lens = Logit lens
view-block-gradients = Gradient flow

# Selecting a sub-layer

block-stack = Stack
block-stack-encoder = Encoder
block-stack-decoder = Decoder
block-token = Token
block-sublayer = Sub-layer
block-sublayer-self = Self-attention
block-sublayer-recurrence = Recurrence
block-sublayer-cross = Cross-attention
block-sublayer-feed_forward = Feed-forward
block-place = { $layer } · { $name }
block-place-in = { $stack ->
    [encoder] Encoder { $layer } · { $name }
   *[decoder] Decoder { $layer } · { $name }
 }
block-input = Input
block-order = { $order ->
    [pre] Pre-norm: this model normalises before each sub-layer and does not normalise the sum (Xiong et al. 2020). x is the residual stream, Sublayer is attention or feed-forward.
   *[post] Post-norm: this model normalises after each sum, as in Vaswani et al. (2017). x is the residual stream, Sublayer is attention or feed-forward.
 }

# The residual stream

block-before = ‖x‖ before
block-added = ‖sub-layer output‖
block-key-summed = x + output: their sum
block-key-ring = { $order ->
    [pre] norm of x passed on
   *[post] norm of x after LayerNorm
 }
block-key-added = { $name }: its output
block-key-before = x before the sub-layer
block-key-turn = Arrow length: norm. Angle from x to the sum: how far the output turns x.
block-cosine = cos(output, x)
block-summed = ‖x + output‖
block-after = ‖x‖ after
block-turn = Rotation (degrees)
block-stream-numbers = { FIXED($ratio, digits: 1) } times as long as x, turns x by { FIXED($turn, digits: 0) }°
block-stream-alt = One triangle of arrows for each of { $n } sub-layers at { $token }: the residual stream before it, the sub-layer output, and their sum. All have the same scale; a ring marks the norm of the stream after it.
block-stream-file = residual stream { $token }
block-stream-found = **{ $sublayer }** adds { $most ->
    [yes] the largest vector of all sub-layers
   *[no] a vector
 } to “{ $token }”. Its length (norm) is { FIXED($ratio, digits: 1) } times that of the residual stream, which turns by **{ FIXED($turn, digits: 0) }°**.
block-stream-caption = All boxes have the same scale; read them in the order of the layers, each column from top to bottom. Two vectors and their sum always fit into one plane, so lengths and angles are exact. Click a box to select it.

# The recurrence that replaces self-attention

block-gates = Gates of recurrence { $layer }
block-gates-left = Remaining share
block-gates-row = Input token (row)
block-gates-column = Earlier token (column)
block-gates-told = At “{ $token }”, the forget gates keep **{ PERCENT($kept, digits: 0) }** of the cell on average. The token’s own input then has a weight of **{ FIXED($own) }** in the cell, and earlier tokens together { FIXED($before) }.
block-gates-alt = Matrix of the tokens that the decoder reads: the share of each earlier token’s input that is left at each of the tokens after it in recurrence { $layer }.
block-gates-file = gates of recurrence { $layer } { $text }
block-gates-caption = A recurrence replaces self-attention: a cell c = f · c + (1 − f) · xW passes from token to token (SSRU, Kim et al. 2019). Of the input of token s, (1 − f_s) · f_s+1 ⋯ f_t is left at token t. The matrix shows the mean over all units.

# LayerNorm

block-stage = Stage
block-stage-given = Input
block-stage-standardised = Normalised
block-stage-scaled = After gain and bias
block-stage-gained = After gain
block-dimension = Dimension
block-value = Value
block-value-axis = Value per dimension (band: ± one SD)
block-strip-sd = SD { FIXED($sd) }
block-mean = Mean
block-sd = Standard deviation
block-moments-heading = Mean, SD
block-moments-below = SD
block-moments-alt = Table with mean, variance, minimum and maximum of the vector at each stage of LayerNorm.
block-moments-stage = { block-stage }
block-moments-mean = { block-mean }
block-moments-variance = Variance
block-moments-smallest = Minimum
block-moments-largest = Maximum
block-norm-alt = All values of the vector as ticks: { $kind ->
    [rms] the input of RMSNorm, normalised to mean square 1, and after the gain.
   *[layer] the input of LayerNorm, normalised to mean 0 and variance 1, and after gain and bias.
 }
block-norm-file = LayerNorm { $token }
block-norm-found = { $kind ->
    [rms] After **{ $sublayer }**, the numbers of “{ $token }” have a root mean square of **{ $given }**. RMSNorm sets it to 1, the learned gain to **{ $scaled }**.
   *[layer] After **{ $sublayer }**, the numbers of “{ $token }” have a standard deviation of **{ $given }**. LayerNorm sets it to 1, gain and bias to **{ $scaled }**.
 }
block-norm-told = { $kind ->
    [rms] This RMSNorm (Zhang and Sennrich 2019) subtracts no mean and adds no bias. It has one learned gain per dimension, from { $low } to { $high }. Because ε = { $eps } is added to the mean square, the normalised mean square is slightly below 1.
   *[layer] This LayerNorm has one learned gain per dimension, from { $low } to { $high }. Because ε = { $eps } is added to the variance, the normalised variance is slightly below 1.
 }
block-batch = { $kind ->
    [rms] RMSNorm vs. BatchNorm
   *[layer] LayerNorm vs. BatchNorm
 }
block-batch-cut = The plot shows { $n } of { $of } tokens; means and standard deviations use all of them.
block-norm-given = Input
block-norm-layer = LayerNorm: each row
block-norm-rms = RMSNorm: each row
block-norm-batch = BatchNorm: each column
block-dimensions-axis = Dimensions (sample)
block-shade = Value (input in SDs)
block-of = Token or dimension
block-batch-alt = Three matrices of tokens by dimensions: the input, { $kind ->
    [rms] RMSNorm with mean square 1 in each row
   *[layer] LayerNorm with mean 0 and variance 1 in each row
 }, and BatchNorm with mean 0 and variance 1 in each column. Means and standard deviations are printed next to the rows and columns.
block-batch-file = LayerNorm and BatchNorm { $token }
block-batch-caption = { $n ->
    [one] With a single token, BatchNorm has nothing to compare, so every dimension becomes 0.
   *[other] { $kind ->
        [rms] If one of the other tokens is removed, the RMSNorm of “{ $token }” changes by up to { $layer } and its BatchNorm by up to **{ $batch }**. RMSNorm depends on this token only, BatchNorm on the whole batch.
       *[layer] If one of the other tokens is removed, the LayerNorm of “{ $token }” changes by up to { $layer } and its BatchNorm by up to **{ $batch }**. LayerNorm depends on this token only, BatchNorm on the whole batch.
    }
 }

# Ablation

block-run = Run
block-alike-axis = Mean cosine similarity (1: the same)

# The logit lens

block-lens-after = After sub-layer
block-lens-columns-decoder = Token to predict (read so far: all tokens to its left)
block-lens-columns-encoder = Token read
block-lens-five = Top tokens
block-lens-wanted = { $stack ->
    [encoder] p(input token)
   *[decoder] p(output token)
 }
block-lens-rank = { $stack ->
    [encoder] Rank of input token
   *[decoder] Rank of output token
 }
block-lens-prob = { $stack ->
    [encoder] Probability of the word in the cell (frame: input token)
   *[decoder] Probability of the word in the cell (frame: output token)
 }
block-lens-alt = { $stack ->
    [encoder] Matrix of encoder sub-layers by source tokens. Each cell names the most likely token; a frame means it is the input token.
   *[decoder] Matrix of decoder sub-layers by positions. Each cell names the most likely token; a frame means it is the output token.
 }
block-lens-file = logit lens { $text }
block-lens-caption = The logit lens applies the output layer to every hidden state (the vector after a sub-layer) as if it were the last. In the upper rows the token just read often comes back, because its own embedding still dominates the vector. The lens is a reading aid: the layers were not trained for it.
block-lens-found = { $place ->
    [none] { $stack ->
        [encoder] At the end of the encoder, “{ $token }” is no longer the most likely token at its own position (rank { $rank }): the sub-layers have moved the state away from it.
       *[decoder] At the end of the decoder, “{ $token }” is not the most likely token (rank { $rank }). The search chose it because the whole sequence scores higher.
     }
   *[other] { $stack ->
        [encoder] “{ $token }” is the most likely token at its own position { $once ->
            [yes] at the end of the encoder (**{ PERCENT($last, digits: 0) }**), after { $place }.
           *[no] from **{ $place }** (**{ PERCENT($first, digits: 0) }**) to the end of the encoder (**{ PERCENT($last, digits: 0) }**).
        }
       *[decoder] “{ $token }” is the most likely token { $once ->
            [yes] at the end of the decoder (**{ PERCENT($last, digits: 0) }**), after { $place }.
           *[no] from **{ $place }** (**{ PERCENT($first, digits: 0) }**) to the end of the decoder (**{ PERCENT($last, digits: 0) }**).
        }
     }
 }
block-lens-position = Top tokens at “{ $token }”
block-lens-table-alt = Table for the chosen position, after every sub-layer: the five most likely tokens with their probabilities, and probability and rank of its own token.

# Gradient flow

block-weights = Weights
block-weights-random = Random initialisation
block-weights-trained = Trained
block-gradients-plain = Full model
block-gradients-residual = No residual connections
block-gradients-norm = No LayerNorm
block-gradients-both = No residual or LayerNorm
block-gradient-axis = Gradient norm: strength of the signal
block-gradients-working = Computing gradients…
block-gradients-alt = Line chart over the sub-layers of encoder and decoder, for four models: full, without residual connections, without LayerNorm, and without both. It shows the norm of the loss gradient; a cross marks where it is zero up to rounding.
block-gradients-file = gradient flow { $text }
block-gradients-caption = A gradient counts as vanished below 0.1% of the full model’s norm (mean over positions). The loss is the mean −log p of the { $n ->
    [one] { $n } token
   *[other] { $n } tokens
 } of the output above: { $loss } for the full model and { $cut_loss } without residual connections.{ $weights ->
    [random] {" "}Random weights only guess, so which is lower is chance.
   *[trained] {""}
 }
block-gradients-found = Without residual connections, the gradient vanishes in { $decoder ->
    [0] no decoder sub-layer
   *[other] **{ $decoder } of { $n_decoder }** decoder sub-layers
 }{ $n_encoder ->
    [0] .
   *[other] {" "}and in { $encoder ->
        [0] no encoder sub-layer.
       *[other] **{ $encoder } of { $n_encoder }** encoder sub-layers.
     }
 }{ $weights ->
    [random] {""}
   *[trained] {" "}These weights were trained with residual connections.
 }
block-gradients-bypass =
    The encoder is spared: cross-attention
    reaches its output past these rows.
block-gradients-spared = From the last to the first sub-layer of the encoder, the norm changes to { PERCENT($cut, digits: 0) } without residual connections, and to { PERCENT($both, digits: 0) } without LayerNorm as well.
block-gradients-none = ✕ zero up to rounding
block-gradients-vanished = Grey: vanished, < { PERCENT($share) } of full model
block-gradient-rows = The gradient flows up, from loss to input →
block-alike-rows = ← From input to output
block-gradients-kept = From the last sub-layer up to the first, the norm changes to { $change } in the full model{ $grows ->
    [yes] ; without LayerNorm to scale it, it grows { $growth }.
   *[no] .
 }
block-gradients-named = { $name }: { $change }
block-gradients-share = { PERCENT($share, digits: 0) }
block-gradients-fold = { FACTOR($growth) }-fold
block-gradients-beside = Beside a name: norm at the top, relative to the bottom
block-alike = Similarity of the tokens
block-alike-alt = Line chart over the sub-layers of encoder and decoder, for four models: the mean cosine similarity of the outputs of any two positions.
block-alike-file = similarity of positions { $text }
block-alike-caption = At a cosine similarity of 1, all tokens have the same vector, and attention cannot tell them apart.
block-gradients-way = { $order ->
    [pre] Pre-norm: the residual path bypasses LayerNorm, so the gradient passes unchanged (Xiong et al. 2020).
   *[post] Post-norm: the residual path leads through LayerNorm, which rescales the gradient and removes part of it. The gradient would pass unchanged only in a pre-norm model (Xiong et al. 2020).
 }
