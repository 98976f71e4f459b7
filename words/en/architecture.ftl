# The map of the model: its boxes and the pages they open.

architecture-open = Map of the model
architecture-hint = Each box opens the page that explains it. The red box is the subject of this page.
architecture-close = Close the map
architecture-play = ▶ Follow a token
architecture-pause = Pause
architecture-step = Step
architecture-length = { $part }: norm of the token’s vector { $length }
architecture-at = “{ $token }”: { $part }
# The mean over the heads of a layer.
architecture-most = “{ $token }” → “{ $key }” (mean { $weight })
architecture-positions-short = Embedding
architecture-decoder-short = Masked attention
architecture-feed-forward-short = Feed-forward
architecture-softmax-short = Softmax
architecture-guess-short = Softmax
architecture-ssru-short = SSRU
architecture-door = { $part }. Opens the page “{ $page }”
architecture-heads = { $n ->
    [one] { $n } head
   *[other] { $n } heads
 }
architecture-layer = Layer { $i } of { $n }
architecture-layers = { $n } layers
architecture-lane-encoder = Encoder
architecture-lane-decoder = Decoder
architecture-lane-both = Encoder

architecture-positions = Embedding + position
architecture-embedding = Embedding
architecture-encoder = Self-attention
architecture-decoder = Masked self-attention
architecture-cross = Cross-attention
architecture-feed-forward = Feed-forward network
architecture-norm = Add & norm
architecture-only-norm = Norm
architecture-ssru = Recurrence (SSRU)
architecture-softmax = Linear + softmax
architecture-guess = Linear + softmax
architecture-search = Beam search
architecture-recurrence = Recurrent network
architecture-vector = One vector
architecture-convolution = Convolution (GLU)
architecture-scene = Image grid
architecture-gaze = Image attention
architecture-words = Word attention
architecture-sentences = Sentence attention
architecture-classes = Linear + softmax
