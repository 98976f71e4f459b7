# Heads compared with gold word alignments (links made by people).

gold_part = Part
gold_part-heads = All heads
gold_part-pair = One pair
gold_reading = Alignment row
gold_reading-reads = Input token (AWI)
gold_reading-writes = Output token (AWO)
gold_reading-help = The decoder row that stands for a target word: the one that reads it as input (AWI) or the one that predicts it as output (AWO). AWI aligns better in lower layers, AWO in upper layers (Kobayashi et al. 2020).
gold_set = Test set
gold_set-rwth-de-en = RWTH, German–English
gold_set-rwth-de-en-short = RWTH, at most 12 words
gold_set-pud-en-ko = PUD, English–Korean
gold_set-pud-en-ko-short = PUD, at most 12 words
gold_pair = Gold pair
gold-own = Your own pair
gold_source = Source text
gold_target = Target text
gold_links = Gold links
gold_links-help = Links that a person would draw, in the Pharaoh format: “0-0 1p2” links source word 0 to target word 0 (sure) and source word 1 to target word 2 (possible). Words are separated by spaces and counted from 0.

gold-map-weight = cross L{ $layer } H{ $head }
gold-map-length = cross L{ $layer } H{ $head }, norm
gold-map-mean = Layer { $layer }, mean
gold-map-summed = Layer { $layer }, sum of norms
gold-map-shares = Layer { $layer }, ALTI
gold-map-all = All layers, mean
gold-map-diagonal = Diagonal
gold-of-head = Cross-attention head
gold-of-layer = Mean over heads
gold-of-control = Control
gold-map = Map
gold-error = Alignment error rate (AER)
gold-low = 95% CI low
gold-high = 95% CI high
gold-precision = Precision
gold-recall = Recall
gold-by-MGIZA = MGIZA
gold-by-fast_align = fast_align
gold-by-local = Luong, local-m
gold-by-global = Luong, global

gold-found = **{ $head }** aligns words best. Compared with links made by people, its error rate (AER) is **{ PERCENT($rate, digits: 0) }**.
gold-measured = Its AER is { $error } over { $n } sentence pairs; linking words along the diagonal gives { PERCENT($diagonal) }.
gold-rates-alt = Alignment error rate of every map with its 95% interval, the lowest first: { $best } with { $error }.
gold-rates-file = Alignment error rates { $set }
gold-rates-caption = AER of cross-attention heads, means and controls, with 95% intervals. Lower is better. AER measures word alignment, not translation quality.{ $published ->
    [0] {""}
   *[other] {" "}Dashed lines: published statistical and neural aligners, trained on more data.
 } Click a head to open it.

gold-target = Target word
gold-source = Source word
gold-share = Share of the row
gold-link = Gold link
gold-sure = sure
gold-possible = possible
gold-in-file = Link in the file
gold-linked = linked
gold-mean = Mean over all heads
gold-panel = { $map }: { $met } of { $sure } sure links
gold-pair-other = Your sentence has no gold links. The pair shown has some: “{ $source }”
gold-pair-found = { $mean ->
    [none] { $head } finds **{ $met } of { $sure }** sure links made by people.
   *[other] { $reading ->
        [reads] { $head } finds **{ $met } of { $sure }** sure links where a word is read; the mean over heads finds **{ $shifted }** one row earlier, where it is written.
       *[writes] { $head } finds **{ $met } of { $sure }** sure links where a word is written; the mean over heads finds **{ $shifted }** one row later, where it is read.
    }
 }
gold-pair-numbers = People made the sure links. Alignment error rate (AER) of the head: { PERCENT($error) }; 0 is perfect.{ $mean ->
    [none] {""}
   *[other] {" "}In the same rows, as drawn here, the mean finds { $mean }.
 }
gold-pair-none = { $head } has { $n } links. Type gold links to score them.
gold-pair-alt = Two maps of target words by source words with gold links: { $head } with { $n } links, { $right } of them gold links, and the mean over all heads.
gold-pair-file = Gold links { $text }
gold-pair-caption = A filled dot is a sure gold link, a ring a possible one. The red frame marks the link of each row: the source word with the largest share. A row whose largest share is on `</s>` has no link.{ $sure ->
    [0] {""}
   *[other] {" "}Precision: { PERCENT($precision, digits: 0) }. Recall: { PERCENT($recall, digits: 0) } ({ $met } of { $sure } sure links).
 }
gold-ours = This pair and its links were made by hand for this app.

gold-too-many = The list has { $n } links; at most { $most } are allowed. Shorten it.
gold-no-link = “{ $part }” is not a link. Write 0-0 for a sure link or 1p2 for a possible one, with spaces between links.
gold-no-source-word = “{ $part }” points beyond the source: it has { $n } words, numbered 0 to { $last }.
gold-no-target-word = “{ $part }” points beyond the target: it has { $n } words, numbered 0 to { $last }.
