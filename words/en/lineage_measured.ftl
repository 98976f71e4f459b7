# Measurements of the models, and the timeline of their papers.

# Names of the models in menus and curves: the kind of model, then its paper.

system-cho = RNN encoder–decoder (Cho 2014)
system-sutskever = LSTM, reversed source (Sutskever 2014)
system-sutskever-forward = LSTM, source in order (Sutskever 2014)
system-bahdanau = Additive attention (Bahdanau 2015)
system-luong-global-general = Global, general (Luong 2015)
system-luong-global-general-unfed = Global, general, no feeding (Luong 2015)
system-luong-global-dot = Global, dot (Luong 2015)
system-luong-global-concat = Global, concat (Luong 2015)
system-luong-global-location = Global, location (Luong 2015)
system-luong-local-m-general = Local-m, general (Luong 2015)
system-luong-local-m-dot = Local-m, dot (Luong 2015)
system-luong-local-m-concat = Local-m, concat (Luong 2015)
system-luong-local-p-general = Local-p, general (Luong 2015)
system-luong-local-p-dot = Local-p, dot (Luong 2015)
system-luong-local-p-concat = Local-p, concat (Luong 2015)
system-transformer = Transformer, 6,000 steps (Vaswani 2017)
system-transformer-2000 = Transformer, 2,000 steps (Vaswani 2017)

# Families, in the menu of models

checkpoint-of-family = { $name } · { $family }
family-transformer = Transformer
family-rnn-encoder-decoder = RNN encoder–decoder
family-lstm-seq2seq = LSTM seq2seq
family-additive-attention = Additive attention
family-luong-attention = Luong attention

# Views


# Length

length_part = Plot
length_part-sentence = This sentence, growing
length_part-joined = Concatenated captions
length_part-captions = Single captions
length_part-places = Token position
length_systems = Models
lineage-length-none = None of the chosen models has this curve. Choose others under “Settings”.
lineage-length-along-joined = Source length (words, mean)
lineage-length-along-captions = Source length (words, mean)
lineage-length-along-places = Target token position
lineage-length-measure-joined = BLEU
lineage-length-measure-captions = BLEU
lineage-length-measure-places = Mean log p per token
lineage-length-caption = { $part ->
    [captions] Each point is the BLEU of captions with a similar number of words, with a 95% bootstrap interval.
    [places] Each point is the mean log p over 10 target tokens of concatenated captions, with a 95% bootstrap interval. In training, no model saw more than { $seen } concatenated captions.
   *[joined] Each point is the BLEU of 2 to 6 concatenated captions, with a 95% bootstrap interval. In training, no model saw more than { $seen } concatenated captions.
 }
lineage-length-found = { $part ->
    [places] From the first to the last tokens, mean log p
   *[other] From the shortest to the longest texts, BLEU
 } of **{ $most }** changes from { $most_from } to **{ $most_to }**{ $n ->
    [one] .
   *[other] , the largest loss of the { $n } models.
 }
lineage-length-alt = { $measure } of every chosen model over the length of the text, with 95% intervals.
lineage-length-file = sentence length { $part }
lineage-curve-system = Model
lineage-curve-low = 95% CI low
lineage-curve-high = 95% CI high
lineage-curve-texts = Texts (n)
lineage-curve-seen = Longer than in training

# Gain of each change

lineage-gain-column-step = Change
lineage-gain-column-bleu = ΔBLEU, measured
lineage-gain-column-published_bleu = ΔBLEU, paper
lineage-gain-column-papers = Published comparison
lineage-gain-reversed = Reversed source (LSTM)
lineage-gain-additive = Fixed-length vector → additive attention (GRU)
lineage-gain-additive-lstm = Reversed LSTM → additive attention
lineage-gain-global-gru = Fixed-length vector (GRU) → global attention (LSTM)
lineage-gain-global = Reversed LSTM → global attention, input feeding
lineage-gain-feeding = Input feeding
lineage-gain-local = Global → local-p attention
lineage-gain-self = Recurrence → self-attention
lineage-gain-self-longer = Recurrence → self-attention (3× steps)
lineage-gain-score-global-location = General → location score
lineage-gain-score-global-dot = General → dot score
lineage-gain-score-global-concat = General → concat score
lineage-gain-score-local-m-general = Global → local-m attention
lineage-gain-score-local-m-dot = Global, general → local-m, dot
lineage-gain-score-local-m-concat = Global, general → local-m, concat
lineage-gain-score-local-p-dot = Global, general → local-p, dot
lineage-gain-score-local-p-concat = Global, general → local-p, concat

# Timeline

timeline-title = Timeline
timeline-caption = Red rings mark the models in the maps above. Click a dot to show or hide its model. Pale dots have no model that can read this sentence.
timeline-alt = { $n } papers on a line from { $first } to { $last }, coloured by how the decoder gets the source.
timeline-file = timeline { $first } to { $last }
timeline-kind-vector = One fixed-length vector
timeline-kind-attention = Recurrent network with attention
timeline-kind-self = Self-attention without recurrence
timeline-open = Select model
timeline-open-help = Makes “{ $title }” the selected model on all pages.
timeline-opened = This model is selected.
timeline-not-installed = The app supports this architecture, but no checkpoint of it is installed.
timeline-rnn-encoder-decoder = RNN encoder–decoder (Cho et al.)
timeline-rnn-encoder-decoder-new = One recurrent network encodes the sentence as a vector **c**, and another generates the translation from c, which enters every step. The gated unit (GRU) is introduced here. Everything passes through one fixed-length vector, however long the sentence is.
timeline-lstm-seq2seq = Deep LSTM with reversed source (Sutskever et al.)
timeline-lstm-seq2seq-new = A deep LSTM replaces the single layer of gated units. The source is read backwards, so that its first words are close to the first words of the translation.
timeline-additive-attention = Additive attention (Bahdanau et al.)
timeline-additive-attention-new = The single vector is gone. Before each step, a small network scores every source word against the decoder state. The context vector is the weighted sum of the encoder states. This is attention.
timeline-luong-attention = Global and local attention, three scores (Luong et al.)
timeline-luong-attention-new = Attention follows the decoder step instead of preceding it, and a dot product can replace the small network. Local attention covers a window: it moves one token per step (monotonic, local-m), or its centre is predicted (predictive, local-p). Input feeding passes the attentional vector to the next step.
timeline-captioner = Show, attend and tell (Xu et al.)
timeline-captioner-new = The same attention is applied to the grid cells of an image: its keys need neither words nor an order.
timeline-hierarchical-attention = Hierarchical attention network (Yang et al.)
timeline-hierarchical-attention-new = This attention needs no decoder. A learned query weights the words of a sentence, then the sentences of a document.
timeline-transformer = Transformer (Vaswani et al.)
timeline-transformer-new = Recurrence is gone, too. In self-attention, queries, keys and values come from the same sentence, in many heads at once (multi-head attention). Positional encodings are added, because the sentence is no longer read in order.
timeline-masked-language-model = BERT (Devlin et al.)
timeline-masked-language-model-new = Only the encoder remains. It is trained to predict masked words from both sides, then reused for other language tasks.
