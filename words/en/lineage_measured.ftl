# The systems of the lineage in numbers, and the papers in a row.

# Systems, as menus and curves call them: paper, then what it is.

system-cho = Cho 2014 · one vector
system-sutskever = Sutskever 2014 · reversed source
system-sutskever-forward = Sutskever 2014 · source as it stands
system-bahdanau = Bahdanau 2015 · additive attention
system-luong-global-general = Luong 2015 · global, general
system-luong-global-general-unfed = Luong 2015 · global, general, no feeding
system-luong-global-dot = Luong 2015 · global, dot
system-luong-global-concat = Luong 2015 · global, concat
system-luong-global-location = Luong 2015 · global, location
system-luong-local-m-general = Luong 2015 · local-m, general
system-luong-local-m-dot = Luong 2015 · local-m, dot
system-luong-local-m-concat = Luong 2015 · local-m, concat
system-luong-local-p-general = Luong 2015 · local-p, general
system-luong-local-p-dot = Luong 2015 · local-p, dot
system-luong-local-p-concat = Luong 2015 · local-p, concat
system-transformer = Vaswani 2017 · small Transformer, 6,000 steps
system-transformer-2000 = Vaswani 2017 · small Transformer, 2,000 steps

# Families, in the menu of checkpoints

checkpoint-of-family = { $name } · { $family }
family-transformer = Transformer
family-rnn-encoder-decoder = one vector
family-lstm-seq2seq = deep LSTM
family-additive-attention = additive attention
family-luong-attention = global and local attention

# What was measured


# Views

view-lineage-length = Length
view-lineage-table = Gains and numbers
view-lineage-timeline = Timeline

# Length

lineage-length = What the curves are of
lineage-length-joined = Joined captions
lineage-length-captions = Single captions
lineage-length-places = Places in a text
lineage-length-systems = Systems on and off
lineage-length-none = No system is switched on that has such a curve.
lineage-length-along-joined = words of the source, mean
lineage-length-along-captions = words of the source, mean
lineage-length-along-places = token of the translation
lineage-length-measure-joined = BLEU
lineage-length-measure-captions = BLEU
lineage-length-measure-places = mean log p a token
lineage-length-about-joined = Texts of 2 to 6 captions of the Multi30k test set of 2016, one after another, the same for all systems; beam 5, α 0.6. In training all of them saw joined texts of up to { $seen } captions, none longer. Bands: 95 %, by drawing the texts anew.
lineage-length-about-captions = The 1,000 captions of the Multi30k test set of 2016 by their words, the same for all systems; beam 5, α 0.6. Bands: 95 %, by drawing the captions anew.
lineage-length-about-places = The reference of a joined text is read, and log p of its tokens is averaged over stretches of 10, in the texts that reach the end of the stretch. Training saw joined texts of up to { $seen } captions. Bands: 95 %, by drawing the texts anew.
lineage-length-alt = { $measure } of every system that is switched on, over the length of the text, with bands of 95 %.
lineage-length-file = lineage { $part }
lineage-curve-system = system
lineage-curve-low = 95 % from
lineage-curve-high = to
lineage-curve-texts = texts
lineage-curve-seen = longer than in training

# What each step gains

lineage-gains = What each step gains
lineage-gains-none = No two systems that are set against each other are measured yet.
lineage-gains-alt = For each step of the lineage the difference in BLEU and the ratio of the perplexities, with intervals, beside what its paper prints.
lineage-gains-about = Ours: the 1,000 captions of the Multi30k test set of 2016, English to German, small networks on the same text; intervals of 95 % from drawing the same sentences for both systems 1,000 times. Theirs: other data, other sizes, other languages; with attention, Luong’s systems read the source backwards, ours as it stands. So only the sign can be compared, and that only where a paper varied the same thing; elsewhere its figure is a near comparison. A perplexity below 1 times the other's is a gain.
lineage-gains-one = Of these { $n } gains { $one ->
    [0] none is
    [one] one is
   *[other] { $one } are
 } of two systems that differ in one thing{ $one ->
    [0] .
   *[other] : { $steps }.
 } In all others several things differ at once, and the gain is that of all of them.
lineage-gains-seed = One seed each: every system was trained once. Another seed changed the BLEU of a set by up to { $bleu } in the one training of this project that was done twice. { $n ->
    [0] All differences in BLEU here are larger.
   *[other] Smaller differences cannot be told from a change of seed: { $steps }.
 }
lineage-gain-beyond = yes
lineage-gain-within = may be the seed
lineage-gain-same = { $source }: { $first } → { $second }
lineage-gain-near = { $source }: { $first } → { $second } (near comparison)
lineage-differs-attention = attention
lineage-differs-score = score
lineage-differs-heads = heads ({ $ours }/{ $others })
lineage-differs-feeding = input feeding
lineage-differs-cell = recurrent cell
lineage-differs-layers = layers ({ $ours }/{ $others })
lineage-differs-hidden = hidden units ({ $ours }/{ $others })
lineage-differs-directions = encoder directions ({ $ours }/{ $others })
lineage-differs-order = order of the source
lineage-differs-width = embedding width ({ $ours }/{ $others })
lineage-differs-steps = steps ({ $ours }/{ $others })
lineage-differs-rate = peak rate ({ $ours }/{ $others })
lineage-gain-column-step = Step
lineage-gain-column-differs = Differs in (ours / other)
lineage-gain-column-bleu = BLEU, ours
lineage-gain-column-beyond_seed = More than another seed
lineage-gain-column-published_bleu = BLEU, theirs
lineage-gain-column-perplexity = Perplexity times, ours
lineage-gain-column-published_perplexity = Perplexity times, theirs
lineage-gain-column-joined = BLEU of joined texts, ours
lineage-gain-column-papers = Where theirs stands
lineage-gain-reversed = Source reversed (LSTM)
lineage-gain-additive = Additive attention instead of one vector (GRU)
lineage-gain-additive-lstm = Additive attention instead of a reversed LSTM
lineage-gain-global-gru = Global attention instead of one vector (LSTM against GRU)
lineage-gain-global = Global attention and input feeding instead of a reversed LSTM
lineage-gain-feeding = Input feeding
lineage-gain-local = Local-p attention instead of global
lineage-gain-self = Self-attention instead of recurrence
lineage-gain-self-longer = Self-attention instead of recurrence, with three times the steps
lineage-gain-score-global-location = Location score instead of general
lineage-gain-score-global-dot = Dot score instead of general
lineage-gain-score-global-concat = Concat score instead of general
lineage-gain-score-local-m-general = Local-m attention instead of global
lineage-gain-score-local-m-dot = Local-m with dot instead of global with general
lineage-gain-score-local-m-concat = Local-m with concat instead of global with general
lineage-gain-score-local-p-dot = Local-p with dot instead of global with general
lineage-gain-score-local-p-concat = Local-p with concat instead of global with general
lineage-gain-open = { $measure ->
    [bleu] { $step }: our difference in BLEU is { $ours }, which holds no difference too; { $source } has one.
   *[perplexity] { $step }: our perplexity is { $ours } times the other's, which holds no difference too; { $source } has one.
 }
lineage-gain-opposite = { $measure ->
    [bleu] { $step }: our difference in BLEU is { $ours }, the other way than in { $source }.
   *[perplexity] { $step }: our perplexity is { $ours } times the other's, the other way than in { $source }.
 }

# All systems

lineage-systems-all = All systems
lineage-systems-all-alt = Every measured system with perplexity, BLEU, alignment accuracy, speed and size.
lineage-systems-about = Perplexity is teacher-forced, a token of the captions. BLEU: sacreBLEU, cased, beam 5, α 0.6, on 1,000 captions, texts of 2 to 6 joined captions, 500 everyday sentences (Tatoeba validation) and 400 held-out generated sentences. Alignment accuracy: of the words of generated sentences whose counterpart the grammar knows, the share whose largest weight lies on it, by the one map or by the head that was best on other sentences; leave-one-out: the share whose counterpart is the word without which log p falls most. Speed in sentences a second of processor time, all systems in turn, one thread: { $hardware }. Operations a target token, matrix products alone.
lineage-column-system = System
lineage-column-perplexity = Perplexity
lineage-column-captions = BLEU, captions
lineage-column-joined = BLEU, joined
lineage-column-everyday = BLEU, everyday
lineage-column-generated = BLEU, generated
lineage-column-points = Alignment accuracy, %
lineage-column-left_out = Alignment accuracy, leave-one-out, %
lineage-column-uniform = Uniform attention
lineage-column-greedy = Greedy, a second
lineage-column-beam = Beam 5, a second
lineage-column-parameters = Parameters
lineage-column-operations = Operations
lineage-column-training = Training
lineage-no-map = no map
lineage-millions = { $n } M
lineage-minutes = { $n } min
lineage-commands = The commands
lineage-commands-measure = Measures all trained systems of a folder of runs:
lineage-commands-train = { $n ->
    [one] Trains the one that is here as numbers alone, without its weights:
   *[other] Train those that are here as numbers alone, without their weights:
 }

# The papers in a row

timeline-open = Open
timeline-open-help = Open the checkpoint of { $title } in all pages.
timeline-opened = Open now.
timeline-not-installed = Its family is in the lab, but no checkpoint of it is installed.
timeline-cho = Cho et al.: an encoder and a decoder
timeline-cho-new = One recurrent network reads the sentence into a vector **c**, another writes from it; c enters every step. The gated unit is new here too. Whatever the sentence's length, all of it passes through one vector.
timeline-sutskever = Sutskever et al.: deep LSTMs, the source reversed
timeline-sutskever-new = Four layers of LSTM instead of one gated layer, and a trick: read the sentence backwards, so that its first words are near the first words of the translation.
timeline-bahdanau = Bahdanau et al.: align and translate
timeline-bahdanau-new = The one vector is gone. Before each step a small network scores every source word against the decoder's state, and the context is their weighted sum: attention.
timeline-luong = Luong et al.: global, local, and three scores
timeline-luong-new = Attention after the step instead of before it, by a product instead of a network; a local window that moves; the attentional vector is fed to the next step, so that past choices are known.
timeline-captioner = Xu et al.: show, attend and tell
timeline-captioner-new = The same attention over the cells of a picture: keys need no order and no words.
timeline-hierarchical = Yang et al.: hierarchical attention
timeline-hierarchical-new = Attention without a decoder: a learned query weighs the words of a sentence, then the sentences of a document.
timeline-vaswani = Vaswani et al.: the Transformer
timeline-vaswani-new = Recurrence is gone too. Queries, keys and values of the same sentence look at one another, in many heads at once; positions are added instead of read in order.
timeline-bert = Devlin et al.: BERT
timeline-bert-new = The encoder alone, trained to guess masked words from both sides, then used for whatever is asked of a text.
