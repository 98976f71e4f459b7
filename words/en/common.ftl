# What several pages say.

head-name = layer { $layer }, head { $head }
head-single = the only head
head-single-title = The only head
head-title = Layer { $layer }, head { $head }
quoted = “{ $text }”
interval = { $value } ({ $low } to { $high })

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
site-encoder-name = encoder
site-decoder-name = decoder
site-cross-name = cross
head-at = { $site } { $layer }.{ $head }

# Menus for a head.

layer = Layer
head = Head
every = all
layers = Layers

# The links of heads between two columns of tokens, and a row whose weights can be dragged.

ribbons-heads = Heads
ribbons-queries = Queries
ribbons-keys = Keys
ribbons-chip = head { $head }
ribbons-chip-hint = Click: on or off. Double-click, or Shift with a click: this head alone.
ribbons-every = all heads
ribbons-every-hint = Every head on; again: only the open head.
ribbons-query = query { $place }: { $token }
ribbons-key = key { $place }: { $token }
ribbons-none = No head is on. Click a number above.
ribbons-point = Point at a token to see its links alone; click to keep them.
ribbons-some = The { $most } strongest of { $all } links are drawn. Point at a token to see its links alone; click to keep them.
ribbons-end = { $token } { $weight }
ribbons-end-of = { $token } { $weight } (head { $head })
ribbons-more = { $list } and more
ribbons-nothing = nothing drawn
ribbons-attends = { $who } attends to → { $list }. Hidden: { $part } of its weight.
ribbons-attended = { $who } is attended to by ← { $list }. Hidden: { $part } of what it receives.
row-bars = Weights of the row
row-as-computed = as computed
row-even = even
row-all-on-one = all on one
row-sum = sum { $sum }

# The pages.

app-title = Attention lab
app-sentence = See where a network looks while it reads and writes: every head, on a sentence of yours.
page-title = { $page } · { $app }
heading-attention = { $app }
heading-beam = { $app }: beam search
heading-masks = { $app }: masks
heading-positions = { $app }: positions
heading-lineage = { $app }: lineage
heading-lessons = { $app }: lessons
heading-glossary = { $app }: glossary
page-attention = Attention
page-beam = Beam search
page-masks = Masks
page-positions = Positions
page-lineage = Lineage

# The language that the page speaks, by the name that it has in itself.

language = Language
language-own-name = English
language-unknown = The address asks for the language “{ $asked }”, which is not spoken here. There are { $known }; you are reading { $used }.

# Around the pages: the model, the sentence, the search.

checkpoint = Checkpoint
checkpoint-unknown = The address asks for the checkpoint “{ $asked }”, which is not installed; { $shown } is open instead.
page-unknown = The address asks for the page “{ $asked }”, which does not exist; this is the page { $shown }.
checkpoint-help = A folder under checkpoints/ with config.json, model.safetensors and tokenizer.json.
sentence = { $language ->
    [en] English sentence
    [de] German sentence
    [ko] Korean sentence
    [scene] Scene, as text
   *[other] Sentence
  }
sentence-none = Type a sentence
language-en = English
language-de = German
language-fr = French
language-ko = Korean
language-source = source
language-target = target
examples = Examples
examples-none = Choose an example
example = { $group }: { $text }
example-riddle = Who is it?
example-caption = Caption
example-everyday = Everyday
example-notes = Course notes
example-own = Own
search-width = Beam width
search-width-help = Hypotheses kept alive at each step; 1 is greedy search.
alpha = Length penalty α
alpha-help = Scores are log-probabilities divided by a penalty that grows with length and α; 0 switches it off and favours short translations.
search-more = More about the search
runners-up = Runners-up per step
runners-up-help = The likeliest candidates that were dropped, kept for the drawing of the tree. They change nothing in the search.
least-tokens = Least tokens
least-tokens-help = The end sign counts. Before that, ending is forbidden.
most-tokens = Most tokens
most-tokens-none = auto
most-tokens-help = Empty: twice the tokens of the sentence and ten more. A translation that never ends stops there.
least-above-most = The least length, { $least }, is more than the most, { $most }; the least is left out.
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

view-lineage = View of the lineage
view-lineage-systems = All systems
view-lineage-step = One step
view-lineage-bottleneck = Into one vector

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
display = Display
merge-words = Merge pieces into words
merge-words-help = Weights are summed over the pieces of the word looked at and averaged over the pieces of the word that looks; rows still sum to one.
contrast = Contrast per row
contrast-help = Divides each row by its largest weight, for the colours only. Numbers stay as they are.
badge = Number under each head
badge-weight = largest weight, mean of rows
badge-weight-row = largest weight of the chosen query
badge-weight-pair = weight of the chosen pair
badge-entropy = entropy in bits, mean of rows
badge-distance = distance in tokens, mean of rows
badge-previous = weight on the previous token, mean of rows
badge-same = weight on the same token, mean of rows
badge-next = weight on the next token, mean of rows
badge-special = weight on special tokens, mean of rows
item = Map
none = none
more = { $n } more
focus-row = { $n ->
    [0] Query (row)
    [one] Query (row)
   *[other] Query (row), first of { $n }
  }
focus-column = { $n ->
    [0] Key (column)
    [one] Key (column)
   *[other] Key (column), first of { $n }
  }
guided = guided

# What a model read and wrote.

run-nothing = *The model ended the sentence at once.*
run-numbers = Tokens with their ids: { $n_src } in, { $n_tgt } out · beam { $beam }, score { $score }
run-numbers-read = { $n ->
    [one] { $n } position read
   *[other] { $n } positions read
  }
run-sites = It pays attention at { $sites }.
run-unknown = { $n } of { $of } pieces (marked red below) are not in the vocabulary: { $pieces }. The model sees all of them as the same unknown token.
confidence-other = This looks like { $other } rather than { $language }, which this model reads. It translates it anyway; do not trust what it says.
confidence-not = This does not look like { $language }, which this model reads. It translates it anyway; do not trust what it says.
confidence-open = Open { $source } → { $target }
confidence-low = The model was unsure
confidence-middle = The model was less sure
confidence-high = The model was sure
confidence-low-told = Unusual for this model: sentences it was so unsure of were translated at chrF { $chrf } on average (validation text); read it with care.
confidence-help = How sure the model was of the tokens that it wrote: their mean log p is { $value }. Of { $of } validation sentences { $n } lay in the same range; their translations reached chrF { $chrf } on average (0 to 100, letters shared with a person's translation), { $good } of them 50 or more.
confidence-auc = It is a hint only: of a good and a bad translation, the good one had the higher mean log p in { $auc } of 100 cases.
confidence-auc-within = (95 % interval: { $low } to { $high }.) Where both were of the same kind of text, in { $within }.
confidence-by-set = By the kind of text, { $least } to { $most }.
run-unfinished = The search reached its longest output before the sentence ended, so the translation stops in the middle.
compare = Compare: { $text }

# One row of attention, and what was done to the weights.

row = { $n ->
    [one] { $who } attends to → { $keys }.
   *[other] { $who } attend, on average, to → { $keys }.
  }
row-more = { $who } and { $n } more
row-chosen = Chosen: { $key } **{ $weight }**, rank { $rank } of { $of }.
row-chosen-together = The { $n } chosen keys together: **{ $weight }**.
token-at = “{ $token }” (position { $position })
note-words = Pieces merged into words: summed over keys, averaged over queries.
note-hide = Special tokens left out, which hold { $share } of an average row; the other weights are as the model computed them, so rows no longer sum to one.
note-renormalise = Special tokens left out, which hold { $share } of an average row, and the other weights divided by what was left, so that rows sum to one again.
note-words-hide = Pieces merged into words: summed over keys, averaged over queries; special tokens left out, which hold { $share } of an average row; the other weights are as the model computed them, so rows no longer sum to one.
note-words-renormalise = Pieces merged into words: summed over keys, averaged over queries; special tokens left out, which hold { $share } of an average row, and the other weights divided by what was left, so that rows sum to one again.
grid-alt-site = { $site } with { $n_layers ->
    [one] { $n_layers } layer
   *[other] { $n_layers } layers
  } by { $n_heads ->
    [one] { $n_heads } head
   *[other] { $n_heads } heads
  }
matrix-alt = Weights of one head of { $site }: { $n_rows } query rows by { $n_columns } key columns, and below them the weights of one row as bars. The largest weights of the chosen row are written out as text.

# What the model is.

model-size = { $architecture }, { $millions } million parameters
licence = Data and licence: { $text }
score-bleu = { $set } { $value } BLEU
score-accuracy = { $set } { $value } right
score-always = {" "}(always “{ $word }” { $value })
set-multi30k_test_2016_flickr = Multi30k test 2016
set-multi30k_test_2017_flickr = test 2017
set-multi30k_test_2018_flickr = test 2018
set-multi30k_val = Multi30k validation
set-tatoeba_val = Tatoeba validation
set-coreference = held-out pronouns
set-natural = natural sentences
set-natural_validation = natural sentences of validation
set-chains = joined sentences
set-ko-en-tatoeba = Tatoeba
set-ko-en-tatoeba-extra = newer Tatoeba
set-ko-en-kss-nc = textbooks (KSS)

# What could not be drawn, and the ways back.

mishap = This part could not be drawn because of a fault in the app, not in what you entered; its log holds the details.
mishap-again = Try again
mishap-start = To the start page

# Views that do not fit the model: it has none of what they need, or it cannot be shown here.

view-shown-with = **{ $open }**: { $why } This page is shown with **{ $other }** instead.
view-none = None of the views of this page fits this model.
view-unfit = Not for this model: { $views }. { $why }
view-unshown = Cannot be shown of this model here: { $views }. { $why }
none-writing = It writes no text.
none-text = It does not read text.
none-scene = It does not read scenes.
none-attention = It has no attention.
none-self-attention = It has no self-attention.
none-causal-attention = It has no attention with a causal mask.
none-several-heads = It has no more than one attention head.
none-positions = It is recurrent and has no encoding of positions.
none-layer-norm = It has no layer norms.
need-withdrawn = Its family says that { $claim }. { $known ->
    [yes] Held against a slower way this is false: the two are { $difference } apart.
   *[no] Held against a slower way this is false: there is no number to compare.
 }
need-any-attention = Where it attends is not known here.
need-self-attention = No self-attention of it is known here.
need-causal-attention = No attention of it with a causal mask is known here.
need-leave-out = None of its tokens can be hidden here.
need-several-heads = Not more than one of its heads is known here.
need-text = It does not read its source as one sentence.
need-documents = It cannot be asked here to judge documents.
need-search = It cannot be searched step by step here.
need-teacher-forcing = It cannot be made to read a given output here.
need-scores = Its scores before the softmax are not known here.
need-vectors = Queries, keys and values of heads cannot be read off it here.
need-positions = Whether it encodes positions, and how, cannot be shown here.
need-rollout = Its layers cannot be followed down to the input here.
need-trace = Its decisions cannot be split here into the parts that its heads wrote.
need-order = Its parts cannot be run on other orders here.
need-padding = How it reads padded batches cannot be shown here.
need-tree-attention = What all nodes of a search look at cannot be worked out in one batch here.
need-values = Its steps are not put down here as equations with values; the arithmetic of its heads, where it can be shown, stands on the first page.
need-changes = Nothing in it can be changed here.
need-change-hide = Its tokens cannot be hidden here.
need-change-unread = It cannot be made to pass over a token here.
need-change-mask = Its cells cannot be masked here.
need-change-ablate = Its heads cannot be switched off here.
need-change-row = Its rows cannot be given other weights here.
need-change-positions = Its positions cannot be changed here.
need-change-causal = No causal mask of it can be lifted here.
need-block = Its blocks cannot be taken apart here.
need-feed-forward = Units of its feed-forward layers cannot be shown here.
need-change-residual = Residual connections cannot be taken away from it here.
need-change-norm = Layer norms cannot be taken away from it here.

# The menu of files.

export = Export
export-heads = Export all heads

# While something is worked out, and when it cannot be.

loading = Loading the model…
# Waiting, where many use the app at once.

door-full = { $n ->
    [one] One person fits in here at once, and somebody is here.
   *[other] { $n } people fit in here at once, and all places are taken.
  } This page asks again every few seconds and opens by itself as soon as somebody leaves. Your address is kept: sentence and view open as you asked for them.
door-again = Try again now
long-queue = { $n ->
    [one] Long measurements go few at a time, so that everybody else is not kept waiting. Yours is the next one and begins by itself.
   *[other] Long measurements go few at a time, so that everybody else is not kept waiting. Yours is number { $n } in the queue and begins by itself.
  } If you choose something else meanwhile, that is done instead.

still-showing = Still showing “{ $text }” with checkpoint { $checkpoint }.
other-checkpoints = Other checkpoints can be chosen in the sidebar.
