# The page “Complexity” and its figures.

page-cost = Complexity

view-cost = View of complexity
view-cost-counted = Complexity table
view-cost-measured = Benchmark

# Layers

cost-layer = Layer type
cost-layer-attention = Self-attention
cost-layer-gru = Recurrent (GRU)
cost-layer-lstm = Recurrent (LSTM)
cost-layer-recurrent = Recurrent
cost-layer-convolution = Convolution
cost-layer-dilated = Dilated convolution
cost-layer-restricted = Self-attention (restricted)
cost-layer-dot = Dot-product scores
cost-layer-additive = Additive scores

# Sliders

cost-n = Sequence length n
cost-n-help = Number of tokens in the sentence.
cost-d = Model dimension d
cost-d-help = Number of values in the vector of each token.
cost-k = Kernel size k
cost-k-help = Number of positions that one convolution covers.
cost-r = Window size r
cost-r-help = Number of positions that restricted self-attention attends to.
cost-letters = n: tokens in the sentence, d: numbers in the vector of a token, k: tokens under one convolution, r: tokens in the window of restricted self-attention.

# The complexity table

cost-head-formula = Complexity
cost-head-operations = Operations
cost-head-steps = Sequential operations
cost-head-path = Maximum path length
cost-head-time = Measured time
cost-cheaper = Self-attention needs { $which ->
    [-1] **{ FACTOR($factor) } times fewer** operations than a recurrent layer here, as n = { GROUPED($n) } is smaller than d = { GROUPED($d) }.
    [0] as many operations as a recurrent layer here, as n = d = { GROUPED($d) }.
   *[1] **{ FACTOR($factor) } times more** operations than a recurrent layer here, as n = { GROUPED($n) } is larger than d = { GROUPED($d) }.
 }
cost-time-where = Measured time: one forward pass on { $hardware }. It does not follow the operations alone: a convolution is one large matrix product, the fastest kind; a recurrent layer takes n steps in turn; restricted self-attention multiplies a small window for each token.
cost-counted-alt = Table 1 of Vaswani et al. (2017) with numbers: for six layer types the complexity, the operations, the sequential operations and the maximum path length. Bars show the operations; the last column is the measured time of a forward pass.
cost-counted-file = complexity table
cost-counted-how = Operations follow Table 1 of Vaswani et al. (2017), without constant factors. Time is one measured forward pass of a layer on one sentence, always with k = { $k } and r = { $r }.
cost-when = Date: { $date }.

# The benchmark

cost_of = Measured layers
cost_of-layers = Layer types
cost_of-scores = Additive vs. dot-product
cost_measure = Measured quantity
cost_measure-forward = Forward time
cost_measure-both = Forward + backward time
cost_measure-kept = Activation memory
cost-forward-axis = Forward time
cost-both-axis = Forward + backward time
cost-kept-axis = Activation memory
cost-n-axis = Sequence length n (tokens)
cost-crossing = n = d
cost-measured-alt = { $measure ->
    [kept] Log–log line chart, one line per layer type: activation memory by sequence length n, for one model dimension d. A dashed line marks n = d.
    [both] Log–log line chart, one line per layer type: forward and backward time by sequence length n, for one model dimension d. A dashed line marks n = d.
   *[forward] Log–log line chart, one line per layer type: forward time by sequence length n, for one model dimension d. A dashed line marks n = d.
 }
cost-measured-file = { $measure ->
    [kept] activation memory of layers
    [both] forward and backward time of layers
   *[forward] forward time of layers
 }
cost-crossed = Beyond about **{ FIXED($n, digits: 0) } tokens**, **{ $first }** { $measure ->
    [kept] needs more memory than
   *[other] takes longer than
 } **{ $second }** (measured, d = { $d }).
cost-not-crossed = The lines of **{ $first }** and **{ $second }** do not cross (d = { $d }): at n = { $n }, they still differ by a factor of **{ FACTOR($factor) }**.
cost-crossed-at = { FIXED($n, digits: 0) } tokens: equal
cost-crossed-later = Operations are equal at n = d = { $d }. Measured, self-attention stays ahead for longer: it is a few large matrix products, a recurrent layer n small ones in turn.
cost-cliff = Operation counts do not explain everything: from n = { $before } to { $after }, the time of additive scores grows { FACTOR($growth) }-fold, not 4-fold. Their { SIZE($size) } may no longer fit into the processor’s cache.
cost-exponents-title = Scaling exponents
cost-exponents-none = Too few lengths were measured to fit an exponent.
cost-exponent = Fitted exponent
cost-interval = 95% CI
cost-interval-told = { $low } to { $high }
cost-counted = Theoretical exponent
cost-from-to = { $low } to { $high }
cost-points = Lengths fitted
cost-exponents-alt = Table for each layer type: fitted exponent of n with its 95% confidence interval, theoretical exponent and number of lengths.
cost-exponents-caption = Exponents are least-squares fits of the logarithms for n ≥ { $first } and d = { $d }, with Student-t intervals.
cost-here = Run benchmark
cost-here-help = Times a few lengths and dimensions on the machine that serves this page, in under ten seconds. Anyone who clicks within a minute gets the same times.
cost-here-point = Measured here just now
cost-here-working = Timing layers on this machine…
cost-here-done = { $n ->
    [one] The ring shows { $n } measurement
   *[other] Rings show { $n } measurements
 } taken here just now (n = 32, 128, 512; d = 64, 256). Other users may share this machine.

# Path length

cost-paths-caption = Each segment is a layer or a sequential step between the first token and the last, counted exactly. The table above gives the order of growth, as in the paper.
cost-paths-alt = Five strips, one per layer type: self-attention, recurrent, convolution, dilated convolution, restricted self-attention. Each is divided into the layers or sequential steps that information takes from the first position to the last, with their number.
cost-paths-file = path length between positions
cost-path-axis = Path from the first token to the last: exact count of steps (the table gives its order of growth)
cost-path-position = Position reached
cost-path-step = Layer or step
cost-path-steps = Path length
