# The page on what is checked of every picture.

page-proofs = Numerical checks
subtitle-proofs = What every picture must equal, and how far it was found to be off.

view-proofs = View of numerical checks
view-proofs-identities = Identities
view-proofs-views = Checks by view

# The button

proofs-check = Check again
proofs-check-help = Computes every identity of the selected model again, on the machine that runs the app.
proofs-stop = Stop
proofs-working = Checking the identities…

# What was found

proofs-found = { $false ->
    [0] All **{ $n }** identities hold{ $now ->
        [yes] {" "}on this machine
       *[no] {""}
     }. The largest difference is **{ $difference }** (tolerance { $most }): { $claim }.
   *[other] **{ $false }** { $false ->
        [one] identity does
       *[other] identities do
     } not hold{ $now ->
        [yes] {" "}on this machine
       *[no] {""}
     }. The largest difference is **{ $difference }** (tolerance { $most }): { $claim }.
 }
proofs-none = { $view ->
    [cost-counted] – (counted by a formula)
    [training-warmup] – (drawn by a formula)
    [training-here] – (a model trained in the page)
   *[other] – (stored measurements: the command below the view repeats them)
 }

# Columns and the figure

proofs-column-page = Page
proofs-column-view = View
proofs-column-checkpoint = Model
proofs-column-identity = Identity
proofs-column-views = Views
proofs-column-difference = Largest difference
proofs-column-difference-help = Largest difference between two ways to the same number. For numbers above 1 it is divided by the largest of them.
proofs-column-now = Now
proofs-column-now-help = Largest difference that was just computed on this machine.
proofs-column-when = Date
proofs-column-hardware = Machine
proofs-of = Result
proofs-of-other = Other models, stored
proofs-of-open = Selected model, stored
proofs-of-now = Selected model, now
proofs-no-number = no number
proofs-allowed = Tolerance { $most }
proofs-dots-alt = { $n } identities, a line each, and the largest difference of { $checkpoints } models from each on a log scale. A dashed line marks the tolerance of { $most }.
proofs-dots-caption = Largest difference between two ways to the same number, one mark per model. Left of the dashed line, the identity holds.
proofs-dots-file = numerical checks
proofs-table-alt = Table of { $n } lines: model, identity, the views that rest on it, largest difference, date and machine.
proofs-views-alt = Table of { $n } lines: each view of the selected model, the identities it rests on, and the largest difference from each.

# Names of the identities

proof-search = Search step = whole path
proof-teacher-forcing = Prediction = that of the prefix
proof-scores = Softmax of scores = weights
proof-vectors = q · k / √d = score
proof-positions = Embedding + sinusoids = input
proof-learned-positions = Added vector = row of its table
proof-relative-positions = Score − q · k / √d = relative bias
proof-values = Sum of terms = score of a step
proof-documents = Batch of sentences = document
proof-masked-words = Masked token = any other token
proof-order = Permuted vectors = encoder
proof-padding = Padded = unpadded sentence
proof-block = Sum of sub-layers = state
proof-tree-attention = Attention in tree = path alone
proof-changes = No intervention = ordinary run
proof-change-hide = Hidden token = weight of 0
proof-change-unread = Skipped token = no token
proof-change-mask = Masked edge = no score
proof-change-ablate = Ablated head = output of 0
proof-change-row = Row set = row used
proof-change-positions = Shift by 0 = ordinary run
proof-change-causal = No causal mask = all scores
proof-change-residual = No residual = own output
proof-change-norm = No LayerNorm = plain sum
proof-rows = Sum of a row = 1
proof-contributions = Sum of vectors = layer output
proof-score-split = Sum of parts = score
proof-source-share = Source + prefix share = 1
proof-rollout = Sum of a rollout row = 1
