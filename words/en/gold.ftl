# Heads against gold word alignments.

gold_part = Part
gold_part-heads = All heads
gold_part-pair = One pair
gold_reading = Row
gold_reading-reads = Token read (AWI)
gold_reading-writes = Token predicted (AWO)
gold_reading-help = The row of a target word: the one that reads it as input (AWI), or the one that predicts it (AWO). In lower layers the first aligns better, in upper layers the second.
gold_set = Test set
gold_set-rwth-de-en = RWTH, German–English
gold_set-rwth-de-en-short = RWTH, at most 12 words
gold_set-pud-en-ko = PUD, English–Korean
gold_set-pud-en-ko-short = PUD, at most 12 words
gold_pair = Gold pair
gold-own = Own pair
gold_source = Source text
gold_target = Target text
gold_links = Gold links
gold_links-help = Pharaoh format: “0-0 1p2” links source word 0 to target word 0 (sure) and source word 1 to target word 2 (possible). Words are separated by spaces and counted from 0.

gold-map-weight = Head { $layer }.{ $head }
gold-map-length = Head { $layer }.{ $head }
gold-map-mean = Layer { $layer }, mean
gold-map-summed = Layer { $layer }, sum
gold-map-shares = Layer { $layer }, ALTI
gold-map-all = All layers, mean
gold-map-diagonal = Diagonal
gold-map = Map
gold-error = Alignment error rate (AER)
gold-low = 95% interval from
gold-high = 95% interval to
gold-precision = Precision
gold-recall = Recall
gold-by-MGIZA = MGIZA
gold-by-fast_align = fast_align
gold-by-local = Luong, local-m
gold-by-global = Luong, global

gold-found = **{ $best }** aligns best, with an AER of **{ $error }** on { $n } pairs. A diagonal has { PERCENT($diagonal) }.
gold-rates-alt = Alignment error rate of every map with its 95% interval, the lowest first: { $best } with { $error }.
gold-rates-file = Alignment error rates { $set }
gold-rates-caption = AER of all heads (green), layers (black; white on a dark background) and controls (grey) with 95% intervals; lower is better, but the AER measures word alignment, not translation quality.{ $published ->
    [0] {""}
   *[other] {" "}Dashed lines are published results of other systems, trained on more data.
 } Click a head to open it.

gold-target = Target word
gold-source = Source word
gold-share = Share of the row
gold-link = Gold link
gold-pair-found = { $head }: AER **{ PERCENT($error) }**. Of its { $n } links { $right } are gold links (precision { PERCENT($precision, digits: 0) }); of { $sure } sure links it has { $met } (recall { PERCENT($recall, digits: 0) }).
gold-pair-none = { $head } has { $n } links. Type gold links to compare with.
gold-pair-alt = Map of target words by source words with gold links. { $head } has { $n } links, { $right } of them gold links.
gold-pair-file = Gold links { $text }
gold-pair-caption = A filled dot is a sure gold link, a ring a possible one. The red frame in each row is the link of the head: the source word with the largest share, or none on </s>.
gold-ours = This pair and its links were made by hand for this app.

gold-too-many = There are { $n } links, and at most { $most } are read. Shorten the list.
gold-no-link = “{ $part }” is no link. Write links as 0-0 (sure) or 1p2 (possible), with spaces between them.
gold-no-source-word = The link “{ $part }” names no source word: the text has { $n } words, the last is number { $last }.
gold-no-target-word = The link “{ $part }” names no target word: the text has { $n } words, the last is number { $last }.
