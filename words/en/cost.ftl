# The page “cost” and its figures.

page-cost = Cost
heading-cost = { $app }: cost

view-cost = View of cost
view-cost-counted = Counted
view-cost-measured = Measured
view-cost-paths = Paths
view-cost-scores = Two kinds of scores

# Layers

cost-layer = layer
cost-layer-attention = self-attention
cost-layer-gru = recurrent (GRU)
cost-layer-lstm = recurrent (LSTM)
cost-layer-recurrent = recurrent
cost-layer-convolution = convolution
cost-layer-dilated = dilated convolution
cost-layer-restricted = restricted attention
cost-layer-dot = dot-product scores
cost-layer-additive = additive scores

# Sliders

cost-n = length n
cost-n-help = How many tokens the sentence has.
cost-d = width d
cost-d-help = How many numbers the vector of each token has.
cost-k = kernel k
cost-k-help = How many neighbours a convolution sees.
cost-r = window r
cost-r-help = How many neighbours restricted attention looks at.
cost-step = steps
cost-step-help = Steps or layers that have been worked out. Arrow keys step too.
cost-back = One step back
cost-on = One step on
cost-play = Play
cost-pause = Pause

# Counted

cost-operations-axis = operations (each line of the grid is a power of ten)
cost-head-formula = complexity
cost-head-operations = operations
cost-head-steps = one after another
cost-head-path = longest path
cost-head-time = measured
cost-counted-alt = The table of Vaswani et al. 2017: for six kinds of layers the complexity, the number of operations, how many must wait for each other, and the longest path between two positions; a bar for the operations and the measured time of a forward pass beside them.
cost-counted-name = cost of layers
cost-counted-caption = Measured: forward pass of one layer, one sentence, with k = { $k } and r = { $r } whatever the sliders say. Operations: in the order of the paper’s table 1, without factors.
cost-when = Measured on { $date }.

# Measured

cost-measure = Measure
cost-measure-forward = Forward
cost-measure-both = Forward and backward
cost-measure-kept = Memory
cost-forward-axis = time of a forward pass
cost-both-axis = time of a forward and a backward pass
cost-kept-axis = kept for the backward pass
cost-n-axis = length n (tokens)
cost-crossing = n = d
cost-measured-alt = { $measure ->
    [kept] Lines on logarithmic axes, one for each kind of layer: the memory kept for the backward pass against the length n, for one width d. A dashed line stands where n equals d.
    [both] Lines on logarithmic axes, one for each kind of layer: the time of a forward and a backward pass against the length n, for one width d. A dashed line stands where n equals d.
   *[forward] Lines on logarithmic axes, one for each kind of layer: the time of a forward pass against the length n, for one width d. A dashed line stands where n equals d.
 }
cost-measured-name = { $measure ->
    [kept] memory of layers
    [both] time of layers forward and backward
   *[forward] time of layers forward
 }
cost-crossed = With d = { $d }, **{ $first }** { $measure ->
    [kept] keeps more than
   *[other] takes longer than
 } **{ $second }** from about n = { $n } on, by these measurements.
cost-not-crossed = With d = { $d }, the lines of **{ $first }** and **{ $second }** do not cross between the lengths measured, up to n = { $most }.
cost-exponents-title = By which power of n it grows
cost-exponents-none = Too few lengths were measured to fit a power.
cost-exponent = fitted power of n
cost-interval-title = 95 % interval
cost-interval = { $low } to { $high }
cost-counted = counted
cost-from-to = { $low } to { $high }
cost-points = lengths
cost-exponents-alt = For each kind of layer the fitted power of n with its interval, and the power that counting gives.
cost-exponents-how = Least squares on logarithms over the lengths from { $first } on, d = { $d }; the interval is that of Student’s t. “1 to 2”: the four projections grow with n, the scores with n².
cost-here = Measure here, now
cost-here-help = Times a few lengths and widths on the machine that serves this page, in under ten seconds. Others who press within a minute are given the same times.
cost-here-working = Timing layers on this machine
cost-here-done = Rings: { $n ->
    [one] { $n } place
   *[other] { $n } places
 } measured here just now (n = 32, 128, 512; d = 64, 256), while others may use the machine.

# Paths

cost-paths-told = A sentence of { $n } tokens. How far has what the **first** token says come after each step? Convolutions see { $k } positions, their own and those before it, restricted attention { $r }; dilations grow { $k }-fold from layer to layer.
cost-paths-alt = Five strips of { $n } positions: full attention, recurrent, convolution, dilated convolution, restricted attention. Filled are the positions that the first token has reached at the step of the slider; beside each strip stands how many it takes to the last.
cost-paths-name = paths between positions
cost-path-axis = position
cost-path-position = position
cost-path-step = reached after
cost-path-steps = { $n ->
    [one] { $n } step, one after another
   *[other] { $n } steps, one after another
 }
cost-path-layers = { $n ->
    [one] { $n } layer
   *[other] { $n } layers
 }
