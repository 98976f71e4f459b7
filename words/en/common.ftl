# Messages that several pages share.

head-name = layer { $layer }, head { $head }
head-single = the only head
head-single-title = The only head
head-title = Layer { $layer }, head { $head }
layer-name = layer { $layer }
layer-title = Layer { $layer }
quoted = “{ $text }”
interval = { $value } ({ $low } to { $high })

# Attention sites: in a sentence, by full name, and in a menu

site-encoder = the encoder
site-decoder = the decoder
site-cross = cross-attention
site-encoder-attention = encoder self-attention
site-decoder-attention = decoder self-attention
site-cross-attention = cross-attention
site-encoder-short = Encoder
site-decoder-short = Decoder
site-cross-short = Cross
site-encoder-name = encoder
site-decoder-name = decoder
site-cross-name = cross
head-at = { $site } L{ $layer } H{ $head }

# Menus for a head.

layer = Layer
head = Head
every = All
layers = Layers
layers-all = All layers

# Head view: edges between two columns or rows of tokens. Row bars: weights that can be dragged.

ribbons-heads = Heads
ribbons-queries = Queries
ribbons-keys = Keys
ribbons-chip = Head { $head }
ribbons-chip-hint = Click: show or hide this head. Double-click or Shift-click: show this head only.
ribbons-every = All heads
ribbons-every-hint = Shows every head. Click again: only the selected head.
ribbons-query = Query { $place }: { $token }
ribbons-key = Key { $place }: { $token }
ribbons-none = No head is shown. Click a head number above.
ribbons-point = Hover over a token to see only its edges. Click to keep them; Shift-click to add more tokens.
ribbons-some = The { $most } strongest of { $all } edges are drawn. Hover over a token to see only its edges. Click to keep them; Shift-click to add more tokens.
ribbons-several = Select several
ribbons-several-hint = On: each click adds or removes a token, as Shift-click and Ctrl-click always do.
ribbons-clear = Clear selection
ribbons-end = { $token } { $weight }
ribbons-end-of = { $token } { $weight } (head { $head })
ribbons-end-several = { $token } { $weight } ({ $sum })
ribbons-end-several-of = { $token } { $weight } ({ $sum }, head { $head })
ribbons-more = { $list } and more
ribbons-nothing = no edge drawn
ribbons-attends = { $who } attends to { $list }. The edges not drawn carry { $part } of its weight.
ribbons-attends-several = { $who } attend to { $list }: mean (sum) of { $n } rows. Means add up to { $mean }, sums to { $sum }. The edges not drawn carry { $part } of their weight.
ribbons-attended = Attention to { $who } comes from { $list }. The edges not drawn carry { $part } of the weight it receives.
row-bars = Weights of the row
row-as-computed = Reset
row-even = Make uniform
row-all-on-one = Put all on one key
row-sum = sum { $sum }

# The pages.

app-title = Attention Lab
page-title = { $page } · { $app }
page-attention = Attention heads
page-beam = Beam search
page-masks = Masking & interventions
page-positions = Positional encoding
page-lineage = From RNNs to Transformers

# The language of the page, by its own name.

language = Language
language-own-name = English
language-unknown = The address asks for the language “{ $asked }”, which is not supported. Supported languages: { $known }. This page is in { $used }.

# Around the pages: the model, the sentence, the search.

checkpoint = Model
open-model = Open a model
open-path = Path of a folder or file
open-path-none = /path/to/model
open-path-told = A model on this computer, for this session only. Formats: { $formats }. To keep it, run `python -m model open PATH`.
open-path-alone = The menu lists the models in { $variable }, which replace those that come with the app.
checkpoint-unknown = The address names the model “{ $asked }”, which is not installed. This page uses { $shown } instead.
checkpoint-path = The address names the model at { $asked }. Paths open only if the app runs on your own computer (`make app`). This page uses { $shown } instead.
page-unknown = The address names the page “{ $asked }”, which does not exist. This is the page “{ $shown }”.
checkpoint-help = A trained model. Each is a checkpoint: a folder under checkpoints/ with config.json, model.safetensors and tokenizer.json.
sentence = { $language ->
    [scene] Scene description
    [source] Sentence
   *[other] { $name } sentence
  }
sentence-none = Type a sentence and press Enter
language-source = source
language-target = target
examples = Examples
example-long = long sentence
example-beams = beam ≠ greedy
example-word-order = word order
example-relative = relative clause
example-idiom = idiom
example-no-subject = no subject
example-two-meanings = two meanings
sentence-unread = This view does not use your sentence.
sentence-send = Run
search-width = Beam width
search-width-help = Number of hypotheses kept at each step (`num_beams` in Hugging Face). 1 is greedy search.
alpha = Length penalty α
alpha-help = The score of a hypothesis is its log P divided by a length penalty, which grows with length and α. At α = 0 there is no penalty, which favours short outputs.
search-more = Search settings
runners-up = Pruned candidates per step
runners-up-help = Number of pruned candidates drawn at each step, the most likely first. Display only: the search does not change.
least-tokens = Min. length (tokens)
least-tokens-help = The end-of-sentence token counts. It is blocked until this length is reached.
most-tokens = Max. length (tokens)
most-tokens-none = Auto
most-tokens-help = The output is cut off at this length. Empty: twice the source tokens plus 10.
least-above-most = The min. length { $least } is larger than the max. length { $most }, so the minimum is ignored.
penalty = Length normalisation
penalty-help = The score is log P divided by this value. ((5 + length) / 6)^α is equation 14 of Wu et al. (2016). length^α is what Hugging Face uses (`length_penalty`); with α = 1 it gives the mean log p per token.
penalty-wu = ((5 + length) / 6)^α
penalty-length = length^α
penalty-none = None
penalise = Apply length penalty
penalise-help = “Final ranking only” applies the penalty when finished hypotheses are ranked. With pruning as well, a finished hypothesis stays in the beam and competes with longer ones.
penalise-final = Final ranking only
penalise-pruning = Final ranking and pruning

# The views of each page.

view-attention = View of attention
view-attention-matrix = Matrix
view-attention-ribbons = Head view
view-attention-arithmetic = Q·K·V steps
view-attention-together = Aggregate heads
view-attention-pair = Minimal pair

view-beam = View of the search
view-beam-tree = Search tree
view-beam-methods = Decoding strategies
view-beam-width = Beam width
view-beam-errors = Search vs. model errors
view-beam-many = Many sentences

view-masks = View of masking and interventions
view-masks-seen = Causal & padding masks
view-masks-change = Interventions
view-masks-knockout = Head ablation
view-masks-explain = Attention as explanation

view-positions = View of positional encoding
view-positions-encoding = Position vectors
view-positions-order = Word order

view-lineage = View of the models
view-lineage-systems = Compare models & timeline
view-lineage-step = Decoder step
view-lineage-bottleneck = Bottleneck & length

# How attention is shown.

kind = Attention
rows = Decoder row labels
rows-help = Each decoder position reads one token, beginning with the start token, and predicts the next. Only the label of a row changes, not its weights.
rows-read = Input token
rows-produced = Output token
special = Special tokens
special-help = A head without a relevant key puts much weight on the end-of-sentence token: an attention sink. Hiding special tokens makes the rest easier to see. Rows then sum to less than 1 unless they are renormalised.
special-show = Show
special-hide = Hide
special-renormalise = Hide and renormalise rows
display = Display
merge-words = Merge subwords into words
merge-words-help = Weights are summed over the subwords of a key word and averaged over those of a query word. Rows still sum to 1.
merge-sentences = Merge tokens into sentences
merge-sentences-help = Weights are summed over the tokens of a key sentence and averaged over those of a query sentence. Special tokens stay by themselves.
contrast = Scale colours per row
contrast-help = Scales the colours of each row to its largest weight. The numbers stay the same.
sums = Show row and column sums
sums-help = A row of weights sums to 1 unless tokens are hidden. The sum of a column is the attention that a key receives from all queries.
badge = Metric under each head
badge-weight = Max. { $measure ->
    [weight] weight
    [zeroing] share
   *[other] norm
  } (mean over queries)
badge-weight-row = Max. { $measure ->
    [weight] weight
    [zeroing] share
   *[other] norm
  } of the selected query
badge-weight-pair = { $measure ->
    [weight] Weight
    [zeroing] Share
   *[other] Norm
  } of the selected pair
badge-entropy = Attention entropy (bits)
badge-distance = Attention distance (tokens)
badge-previous = Previous-token attention
badge-same = Same-token attention
badge-next = Next-token attention
badge-special = Special-token attention
item = Attention map
more = { $n } more
guided = Guided

# Input and output of a model.

run-nothing = *The output is empty: the model predicted the end-of-sentence token at once.*
run-numbers = Source tokens: { $n_src } · target tokens: { $n_tgt } · beam width { $beam } · score { FIXED($score) }
run-numbers-read = { $n ->
    [one] The input has { $n } position.
   *[other] The input has { $n } positions.
  }
run-sites = This model has { $sites }.
run-unknown = { $n ->
    [one] { $n } of { $of } tokens (marked red below) is not in the vocabulary: { $pieces }. The model reads the unknown token `<unk>` instead.
   *[other] { $n } of { $of } tokens (marked red below) are not in the vocabulary: { $pieces }. The model reads each of them as the same unknown token, `<unk>`.
  }
language-other = This looks like { $other }, but the model expects { $language }. The output is not reliable.
language-not = The spelling is unusual for { $language }, the language that the model expects. Possible reasons are rare words, typing errors or another language. The output may be unreliable.
language-open = Switch to { $source } → { $target }
run-unfinished = The output reached its maximum length before the end-of-sentence token and is cut off.
compare = Compare with: { $text }

# The measure shown, within a sentence: singular, plural, and as a mass.

measured = { $measure ->
    [weight] weight
    [zeroing] share of the effect
    [length] vector norm
   *[other] output norm
 }
measured-all = { $measure ->
    [weight] attention weights
    [zeroing] effects of value zeroing
    [length] vector norms
   *[other] output norms
 }
measured-mass = { $measure ->
    [weight] attention
    [zeroing] effect
    [length] vector norm
   *[other] output norm
 }

# One row of attention, and notes on changed weights.

row = { $n ->
    [one] { $who } attends most to { $keys }.
   *[other] On average, { $who } attend most to { $keys }.
  }
row-norm = { $n ->
    [one] In the row of { $who }, the largest norms are those of { $keys }.
   *[other] In the rows of { $who }, the largest mean norms are those of { $keys }.
  }
row-zeroing = { $n ->
    [one] In the row of { $who }, the largest effects come from { $keys }.
   *[other] In the rows of { $who }, the largest mean effects come from { $keys }.
  }
row-more = { $who } and { $n } more
row-chosen = Selected key: { $key } **{ FIXED($weight) }**, rank { $rank } of { $of }.
row-chosen-together = The { $n } selected keys sum to **{ FIXED($weight) }**.
token-at = “{ $token }” (position { $position })
note-words = Subwords are merged into words: weights are summed over keys and averaged over queries.
note-hide = Special tokens are hidden ({ PERCENT($share) } of an average row). The other weights are unchanged, so rows sum to less than 1.
note-renormalise = Special tokens are hidden ({ PERCENT($share) } of an average row), and rows are renormalised to sum to 1.
note-sentences = Tokens are merged into sentences: weights are summed over keys and averaged over queries.
note-sentences-hide = Tokens are merged into sentences: weights are summed over keys and averaged over queries. Special tokens are hidden ({ PERCENT($share) } of an average row), so rows sum to less than 1.
note-sentences-renormalise = Tokens are merged into sentences: weights are summed over keys and averaged over queries. Special tokens are hidden ({ PERCENT($share) } of an average row), and rows are renormalised to sum to 1.
note-words-hide = Subwords are merged into words: weights are summed over keys and averaged over queries. Special tokens are hidden ({ PERCENT($share) } of an average row), so rows sum to less than 1.
note-words-renormalise = Subwords are merged into words: weights are summed over keys and averaged over queries. Special tokens are hidden ({ PERCENT($share) } of an average row), and rows are renormalised to sum to 1.
grid-alt-site = { $site } ({ $n_layers ->
    [one] { $n_layers } layer
   *[other] { $n_layers } layers
  } × { $n_heads ->
    [one] { $n_heads } head
   *[other] { $n_heads } heads
  })
matrix-alt = { $measure ->
    [weight] Attention weights of one head of { $site }: { $n_rows } query rows by { $n_columns } key columns. Below them, bars show the weights of one row. The largest weights of the selected row are also given as text.
    [zeroing] Value zeroing in one layer of { $site }: how much each output changes without the values of a key, as shares of their rows: { $n_rows } query rows by { $n_columns } key columns. Below them, bars show the shares of one row. The largest shares of the selected row are also given as text.
    [length] Norms of the vectors that one head of { $site } adds, as shares of their rows: { $n_rows } query rows by { $n_columns } key columns. Below them, bars show the norms of one row. The largest norms of the selected row are also given as text.
   *[other] Norms of what the keys of { $site } add in one layer after residual connection and LayerNorm, as shares of their rows: { $n_rows } query rows by { $n_columns } key columns. Below them, bars show the norms of one row. The largest norms of the selected row are also given as text.
  }

# Facts about the model.

model-size = { $architecture }, { FIXED($millions, digits: 1) } million parameters
licence = Data and licence: { $text }
score-bleu = { $set }: BLEU { FIXED($value, digits: 1) }
score-accuracy = { $set }: accuracy { PERCENT($value) }
score-always = , baseline (always “{ $word }”) { PERCENT($value) }
set-multi30k_test_2016_flickr = Multi30k test 2016
set-multi30k_test_2017_flickr = Multi30k test 2017
set-multi30k_test_2018_flickr = Multi30k test 2018
set-multi30k_val = Multi30k validation
set-tatoeba_val = Tatoeba validation
set-coreference = Pronouns, held-out minimal pairs
set-natural = Pronouns, natural sentences
set-natural_validation = Pronouns, natural validation sentences
set-chains = Pronouns, sentence pairs with held-out nouns
set-ko-en-tatoeba = Tatoeba
set-ko-en-tatoeba-extra = Newer Tatoeba
set-ko-en-kss-nc = Textbooks (KSS)

# Parts that could not be drawn, and buttons to recover.

mishap = This part could not be drawn because of a fault in the app, not because of your input. The app’s log has the details.
mishap-again = Try again
mishap-start = Go to the start page

# Views that do not fit the model: it has no such part, or the app cannot show it here.

view-shown-with = **{ $open }** cannot be used on this page. { $why } The page uses **{ $other }** instead.
view-brought = **{ $view }** is shown with **{ $other }**, because { $open } does not support it.
view-none = This model supports none of the views of this page.
view-unfit = Unavailable here: { $views }. { $why }
view-unshown = Not supported for this model: { $views }. { $why }
none-writing = This model does not generate text.
none-text = This model does not take text as input.
none-scene = This model does not take scenes as input.
none-attention = This model has no attention.
none-self-attention = This model has no self-attention.
none-recurrence = Its decoder has a recurrence instead of causal self-attention. “{ view-block-stream }” on the page “{ page-block }” shows its gates.
none-causal-attention = This model has no causal attention.
none-source-attention = This model has no attention from the target to the source.
none-several-heads = This model has at most one attention head.
none-positions = This model is recurrent and has no positional encoding.
none-layer-norm = This model has no LayerNorm.
need-withdrawn = Its architecture claims that { $claim }. { $known ->
    [yes] A slower computation contradicts this: the two differ by { $difference }.
   *[no] A slower check of it failed without giving a number.
 }
need-any-attention = The app does not know where this model uses attention.
need-self-attention = The app does not know whether this model has self-attention.
need-causal-attention = The app does not know whether this model has causal attention.
need-source-attention = The app does not know whether this model attends from the target to the source.
need-leave-out = Hiding tokens is not implemented for this architecture.
need-lineage = None of the earlier models in this app reads the source language of this model.
need-several-heads = The app does not know whether this model has more than one head.
need-text = This model does not read its input as one sentence.
need-documents = Document classification is not implemented for this architecture.
need-search = Step-by-step search is not implemented for this architecture.
need-teacher-forcing = Teacher forcing is not implemented for this architecture.
need-scores = The app cannot read the scores before the softmax from this model.
need-vectors = The app cannot read queries, keys and values from this model.
need-learned-positions = The app does not know whether this model has learned position embeddings.
need-positions = The app does not know whether this model adds a positional encoding to its embeddings.
need-relative-positions = The app does not know whether this model has a relative position bias.
need-position-table = The app does not know whether and how this model encodes positions.
need-rollout = Attention rollout is not implemented for this architecture.
need-order = Reordering the input is not implemented for this architecture.
need-padding = Reading padded batches is not implemented for this architecture.
need-tree-attention = Attention for all nodes of a search tree is not implemented for this architecture.
need-values = Step equations and hidden states are not implemented for this architecture. For a Transformer, see “Q·K·V steps” on the page “Attention heads”.
need-changes = Interventions are not implemented for this architecture.
need-change-hide = Hiding tokens is not implemented for this architecture.
need-change-unread = Deleting tokens is not implemented for this architecture.
need-change-mask = Masking attention edges is not implemented for this architecture.
need-change-ablate = Head ablation is not implemented for this architecture.
need-change-row = Setting attention weights is not implemented for this architecture.
need-change-positions = Changing positional encodings is not implemented for this architecture.
need-change-causal = Disabling a causal mask is not implemented for this architecture.
need-block = Reading sub-layers one by one is not implemented for this architecture.
need-change-residual = Ablating residual connections is not implemented for this architecture.
need-change-norm = Ablating LayerNorm is not implemented for this architecture.

# The export menu.

export = Export
export-heads = Export all heads

# While something is being computed, and if it fails.

loading = Loading the model…
# In place of a page that is not there yet; all languages are shown, one below the other.
page-coming = Preparing the page. The first visit after a start takes a few seconds.
# Waiting, if many people use the app at once.

door-full = { $n ->
    [one] The server is full: it takes one user at a time.
   *[other] The server is full: it takes { $n } users at a time.
  } This page tries again every few seconds and opens by itself when a place is free. Your sentence and view are kept.
door-again = Try again now
long-queue = { $n ->
    [one] Only a few long computations run at a time. Yours is next and starts automatically.
   *[other] Only a few long computations run at a time. Yours is number { $n } in the queue and starts automatically.
  } If you choose something else meanwhile, that runs instead.

still-showing = Still showing “{ $text }” with the model { $checkpoint }.
other-checkpoints = Choose another model in the sidebar.

stepper-back = Step back
stepper-play = Play
stepper-pause = Pause
stepper-on = Step forward

fault-missing = “{ $name }” is missing
fault-too-large = it nests too deeply or is too large
fault-unsaid = no reason is given
