# Many sentences in one table: files, columns, alignments.

many-open = Open a file
many-file = Sentences, pairs or a table
many-file-help = Text with one sentence per line (up to 500). Or pairs, with a tab or “|||” between source and target. Or a table that python -m model translate or align wrote. The file is kept only in the memory of your session.
many-links = Alignments of these pairs
many-links-help = Pharaoh format, one line per row of the table: “0-0 2-1” links source word 0 to target word 0. The command python -m model align writes such a file.
many-first = First word number
many-first-0 = 0
many-first-1 = 1
many-first-help = Number of the first word of a sentence in the gold file.
many-gold = Gold alignments
many-gold-help = Links made by people, one line per row: “0-0” is sure, “1p2” is possible.
many-close = Close the file
many-cancel = Cancel
many-again = Compute again
many-again-help = Reads the file again with the selected model and the current search settings.
many-working = The model reads { $n ->
    [one] one sentence
   *[other] { GROUPED($n) } sentences
 } of { $file }. If you cancel, the open table stays.
many-kept = The table below is still “{ $file }”.
translate-table-progress = Translating the sentences…
force-table-progress = Reading the pairs…

many-column-line = Row
many-column-source = Source
many-column-target = Target
many-column-target-help = The translation in the file. The numbers are those of this target, read under teacher forcing.
many-column-output = Output
many-column-log_prob = log P
many-column-log_prob-help = Natural logarithm of the probability of the whole output; the sum over its tokens.
many-column-score = Score
many-column-score-help = log P divided by the length penalty, as given in the file.
many-column-lowest = Least likely
many-column-lowest-help = Probability of the least likely token of the output.
many-column-probabilities = Each token
many-column-probabilities-help = Probability of each token of the output, from the first to </s>. The bars go from 0 to 1.
many-column-end_share = Looks at </s>
many-column-end_share-help = Share of cross-attention on special tokens of the source such as </s>: the mean over all layers, heads and output tokens.
many-column-roles = Heads in role
many-column-roles-help = Of the heads with a measured role, the share that show it in this sentence: the mean over its rows reaches the minimum of the role (docs/roles.md). Alignment and coreference heads are left out, because they need known word pairs.
many-column-aer = Error rate (AER)
many-column-aer-help = Alignment error rate of this sentence (Och and Ney 2003): 1 − (|A∩S| + |A∩P|) / (|A| + |S|). A are the links in the file, S the sure gold links, P all gold links.
many-column-error = Error
many-table-alt = Table of { $n } sentences with output, log P and further numbers. A click on a row opens its sentence.

many-found = Row { $place }: the least likely token of the output is “{ $token }” (**{ PERCENT($lowest, digits: 0) }**). The whole output has a log P of **{ FIXED($log_prob) }**.
many-weakest = { $n } sentences: { $unsure ->
    [0] in none of them is a token less likely than 50%
    [one] one has a token less likely than 50%
   *[other] { $unsure } have a token less likely than 50%
 }. { $weakest ->
    [0] No other row has a less likely one than this.
   *[other] The least likely of all is in row { $weakest } ({ PERCENT($least, digits: 0) }).
 }
many-log-prob = Row { $place }: log P **{ FIXED($log_prob) }**.
many-opened = Row { $place } is open on every page.
many-none = None of the { $n } rows has the sentence above. Click a row to open its sentence on every page.
many-aligned = **Alignment error rate (AER) { PERCENT($rate) }** over { $n ->
    [one] one pair
   *[other] { $n } pairs
 }{ $place ->
    [0] .
   *[other] ; row { $place }: **{ PERCENT($own) }**.
 }
many-row = Row { $place }: { $source } → { $written }
many-columns = log P: 0 is certain. Each token: bars from 0 to 100%. Looks at </s>: cross-attention on special tokens. Heads in role: share that play it here.
many-roles = Of { $n } heads with a role, { $shown } play it in this sentence: { $roles }
many-role = { $role } { $shown } of { $n }

many-examples = Examples of this model. Open a file of your own, or a table that a command has written.
many-from-file = { $file }: the numbers are those in the file, from whichever model wrote it.
many-made-sentences = { $file }: translated by { $model }, beam width { $width }, length penalty α = { SHORT($alpha) }.
many-made-pairs = { $file }: the targets in the file, read by { $model } under teacher forcing.

many-long = This pair has more than { $most } words on one side, too many for a legible grid. Choose a shorter pair.
many-no-words = One side of this pair is empty, so there are no words to link. Choose another row.
many-links-alt = Grid of target words by source words of row { $line } with { $n } links in the file{ $rated ->
    [yes] , { $right } of them gold links; AER { PERCENT($rate) }
   *[no] {""}
 }.
many-links-file = links { $text }
many-links-caption = A filled cell is a link in the file.{ $gold ->
    [0] {""}
   *[other] {" "}A dot marks a sure gold link, a ring a possible one. { $right } of the { $n } links are gold links.
 }
