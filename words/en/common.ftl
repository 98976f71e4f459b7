# What several pages say.

head-name = layer { $layer }, head { $head }
quoted = “{ $text }”

# Where a model pays attention: within a sentence, by its full name, and in a menu

site-encoder = the encoder
site-decoder = the decoder
site-cross = cross-attention
site-encoder-attention = encoder self-attention
site-decoder-attention = decoder self-attention
site-cross-attention = cross-attention
site-encoder-short = Encoder
site-decoder-short = Decoder
site-cross-short = Cross

# Menus for a head.

layer = Layer
head = Head
every = all

# Around the pages: the search.

penalty = Log-probabilities are divided by
penalty-help = ((5 + length) / 6)^α is the penalty of Wu et al. (2016), equation 14; with length^α, α = 1 gives the mean log-probability per token.
penalty-wu = ((5 + length) / 6)^α
penalty-length = length^α
penalty-none = 1: no penalty
penalise = The penalty acts
penalise-help = In the final ranking, it orders the translations that have ended. In pruning too, a translation that has ended keeps its place in the beam, and defends it by its score against longer ones.
penalise-final = only in the final ranking
penalise-pruning = in pruning too

# The views of each page.

view-attention = View
view-attention-matrix = Matrix
view-attention-ribbons = Ribbons
view-attention-find = Find a head
view-attention-arithmetic = Arithmetic
view-attention-together = All heads together
view-attention-pair = Two sentences

view-beam = View of the search
view-beam-tree = Tree
view-beam-hypotheses = Hypotheses
view-beam-methods = Methods
view-beam-width = Width
view-beam-errors = Errors

view-masks = View of masks
view-masks-seen = What may be seen
view-masks-change = Change something
view-masks-knockout = Knock out heads
view-masks-pronoun = “It” put to the test
view-masks-trace = Trace a decision
view-masks-explain = Does attention explain?

view-positions = View of positions
view-positions-encoding = The encoding
view-positions-order = Why it is needed
view-positions-model = On this model
view-positions-heads = Heads that follow position

# How attention is shown.

kind = Attention
rows = Rows named by the token
rows-help = Each decoder position reads one token and produces the next. The weights of a row are the same either way; only its name changes.
rows-read = token read
rows-produced = token produced
special = Special tokens
special-help = The end sign takes much weight where a head has nothing to say. Leaving it out makes the rest easier to see, but rows no longer sum to one unless they are made to.
special-show = shown
special-hide = left out, weights as they are
special-renormalise = left out, rows made to sum to one again
