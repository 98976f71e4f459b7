# Word alignments and files of sentences, from the command line.

align-command = Link the words of sentence pairs by attention, and write one line of links per pair (i-j, the Pharaoh format).
align-path = a model (a name under checkpoints/ or a path), or a recording (NPZ or JSON)
align-option-input = file of pairs, source and target separated by a tab or by “|||”, or a table with columns source and target (TSV, JSON lines, Parquet); - reads standard input. Not needed for a recording
align-option-head = attention map that links the words: a head (cross.1.8), a layer (cross.1) or all layers (cross), counted from 0
align-option-measure = attention weights, norms of the weighted vectors, or shares of the layer’s output (ALTI)
align-option-row = decoder row that stands for a target word: the one that reads the word or the one that predicts it
align-option-symmetrize = how to combine the two directions; forward links each target word, backward each source word
align-option-reverse = model of the opposite direction; by default, the columns of the same map link the source words
align-option-reverse-head = attention map of that model (default: the same name as --head)
align-option-gold = gold alignments, one line per pair: 0-0 is sure, 0p1 is possible. Prints the AER
align-option-first = whether the gold file counts words from 0 or from 1
align-option-table = write a tab-separated table instead: source, target, links and gold links. The app opens it under “Many sentences”
align-option-output = file to write, as Parquet or JSON lines if it ends in .parquet or .jsonl (default: standard output). If the command is stopped, run it again: it continues where it stopped
align-name = “{ $name }” is not the name of an attention map.
align-hint = Name a site, with a layer and a head counted from 0: cross, cross.1 or cross.1.8.
align-site = “{ $name }”: there is no attention “{ $site }” from target to source. { $n ->
    [0] This model has none at all.
   *[other] Available: { $known }.
 }
align-layer = “{ $name }”: { $site } has { $n ->
    [one] one layer, number 0.
   *[other] { $n } layers, numbered 0 to { $last }.
 }
align-head = “{ $name }”: { $site } has { $n ->
    [one] one head, number 0.
   *[other] { $n } heads, numbered 0 to { $last }.
 }
align-alti = “{ $name }”: ALTI is a measure of one whole layer. Name it without a head: { $site }.1.
align-norm = “{ $name }”: norms are measured in one layer. Name it: { $site }.1, or a head of it: { $site }.1.0.
align-no-target = The recording has no target tokens, so there is nothing to link. Record an encoder–decoder with target_tokens and cross (docs/recordings.md).
align-needs-input = A model needs sentence pairs. Give a file of them: --input pairs.tsv.
align-own-pair = A recording already contains a pair of texts, so --{ $option } cannot be used with it.
align-reverse-unused = --reverse links source words, which --symmetrize forward leaves out. Choose another way, such as grow-diag-final-and.
align-told = { $name } is { $of ->
    [head] layer { $layer }, head { $head } in the app.
    [layer] the mean of all heads of layer { $layer } in the app.
   *[site] the mean of all layers and heads.
 }
align-rates = AER { PERCENT($error) }, precision { PERCENT($precision) }, recall { PERCENT($recall) } over { $n ->
    [one] { $n } pair.
   *[other] { $n } pairs.
 }
align-no-rates = AER cannot be computed: neither the alignments nor the gold file has a link. Check that both files belong to these pairs.

translate-command = Translate the sentences of a file and write a table: output, log P, the probability of each token, the mean attention to special tokens such as </s>, and the roles that heads show. The app opens it under “Many sentences”.
translate-path = a model that generates text (a name under checkpoints/ or a path)
translate-option-input = file with one sentence per line, or a table with a column source (TSV, JSON lines, Parquet); - reads standard input
translate-option-json = write one JSON object per line instead of a tab-separated table
translate-option-beam = beam width; 1 is greedy search
translate-option-alpha = exponent of the length penalty

lines-none = { $file } is empty, expected at least one line with text.
lines-encoding = { $file }, line { $line }: this is not UTF-8 text.
lines-encoding-hint = Save the file as UTF-8.
lines-columns = { $file }, line { $line }: expected two texts, found { $n }.
lines-columns-hint = Each line has a source and its target, separated by a tab or by “|||”.
lines-count = { $file } has { $n ->
    [one] { $n } line
   *[other] { $n } lines
 }, but there are { $expected } pairs. Give one line per pair, in the same order.
lines-gold = { $file }, line { $line }: { $fault }
lines-gold-hint = Links are source word, - (sure) or p (possible), target word: 0-0 1p2. Files that count from 1 need --first 1.
lines-failed = Line { $line }: { $fault }
lines-failures = { $n ->
    [one] One line has no result.
   *[other] { $n } lines have no result.
 }

table-large = { $file } is larger than { $most } MB, the most that is read here. Split it into several files.
table-lines = { $file } has { GROUPED($n) } lines; at most { GROUPED($most) } are allowed here. Split the file, or use the command (python -m model translate).
table-letters = { $file }, line { $line }: a text of { GROUPED($n) } characters; at most { GROUPED($most) } are allowed. Shorten it, or split it into several lines.
table-twice = { $file }, line 1: two columns are called “{ $column }”. Rename one.
table-many-columns = { $file } has { $n } columns; at most { $most } are allowed. Remove those that you do not need.
table-columns = { $file }, line { $line }: expected { $expected } columns as in line 1, found { $n }. Check for a missing or an extra tab.
table-quotes = { $file }, line { $line }: a quotation mark is not closed, or text follows it.
table-quotes-hint = Close it, or write the table as JSON with one object per line.
table-object = { $file }, line { $line }: this is not a JSON object.
table-object-hint = The command python -m model translate --json writes one object per line.
table-value = { $file }, line { $line }, column “{ $column }”: expected { $expected ->
    [number] a number
    [log-prob] a logarithm of a probability, a number of 0 or less
    [share] numbers from 0 to 1
    [line] a whole number from 1
    [list] a list
    [roles] roles of heads, such as next 3/4
   *[text] a text of at most 5,000 characters
 }, found “{ $found }”.
table-lengths = { $file }, line { $line }: { $n ->
    [one] one token
   *[other] { $n } tokens
 }, but { $expected ->
    [one] one probability.
   *[other] { $expected } probabilities.
 } Give one probability per token.

corpus-option-engine = local computes in this process; ray on the cores of this machine or of a cluster (the optional extra “cluster”). Needs --output
corpus-option-workers = number of Ray processes, each with one core and one copy of the model (default: one per core). Needs --engine ray
corpus-needs-output = --engine ray needs a file to write. Name it: --output table.parquet.
corpus-no-ray = --engine ray needs Ray, which is not installed.
corpus-no-ray-hint = Install it in the folder of the repository: { $command }
corpus-cores = { $n } workers need as many cores, but Ray has { $cores }. Choose fewer with --workers.
corpus-workers-local = --workers is the number of Ray processes. Add --engine ray, or leave --workers out.
corpus-busy = Another command with this --output is running and writes to { $folder }.
corpus-busy-hint = Wait until it ends, or choose another --output.
corpus-other-job = { $folder } contains parts of another run, with other options, another file or an earlier version of the model.
corpus-other-job-hint = Run the earlier command to finish it, delete the folder, or choose another --output.
corpus-parquet = { $file } is not a Parquet file, or is damaged.
corpus-column = { $file } has no column “{ $column }”. Its columns: { $names }.
corpus-text = { $file }, row { $line }, column “{ $column }”: expected a text, found { $value }.
