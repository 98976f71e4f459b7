# The head atlas: all heads as points, and the card of one head.

view-worth-atlas = Head atlas

atlas-x = Horizontal axis
atlas-y = Vertical axis
atlas-colour = Colour
atlas_head = Head
atlas_decile = Decile
atlas_decile-help = Sentences ranked by the largest weight of this head: 10 is the strongest tenth, 1 the weakest.

atlas-axis-kind = Attention
atlas-axis-layer = Layer
atlas-axis-head = Head
atlas-axis-role = Head role
atlas-axis-depth = Layer
atlas-axis-entropy = Entropy (bits)
atlas-axis-distance = Attention distance (tokens)
atlas-axis-largest = Max. weight
atlas-axis-previous = Previous-token attention
atlas-axis-same = Same-token attention
atlas-axis-next = Next-token attention
atlas-axis-special = Special-token attention
atlas-axis-rare = Rare tokens (above chance)
atlas-axis-rare-help = Share of queries whose largest weight is on one of the two rarest tokens of the sentence, minus the share expected by chance.
atlas-axis-syntax = Syntax (above fixed offset)
atlas-axis-syntax-help = Share of words whose largest weight is on the other word of a syntactic relation, minus the share that the best fixed offset reaches.
atlas-axis-pronoun = Weight on antecedent − distractor
atlas-axis-pronoun-help = Weight from “it” to its antecedent, minus the weight to the distractor noun.
atlas-left = ← { $n ->
    [one] { $n } head
   *[other] { $n } heads
 }
atlas-below = ↓ { $n ->
    [one] { $n } head
   *[other] { $n } heads
 }
atlas-axis-off = Change of log p without the head
atlas-axis-off-help = Mean change of log p per token when the output of the head is replaced by zeros.
atlas-axis-error = Alignment error rate (AER)
atlas-axis-root = { $axis }, root scale

atlas-open = **{ $head }** { $does }.
atlas-open-none = **{ $head }** has no measured role.
atlas-open-off = Without it, log p per token changes by **{ SIGNED($off) }**.
atlas-few = Only { $n } of { $of } heads cost more than { FIXED($loss) } of log p (log-probability) per token when ablated (switched off).
atlas-found = { $roles } of { GROUPED($n) } have a role ({ GROUPED($sentences) } sentences).
atlas-next = Largest loss
atlas-next-head = { $head } · { $role }: { SIGNED($off) }
atlas-both = { $n ->
    [0] No head has a value on both axes.
    [one] One head has a value on both axes.
   *[other] { GROUPED($n) } heads have a value on both axes.
 }
atlas-depth = :gray[:small[Within a layer, the heads are in the order of their numbers.]]
atlas-root = :gray[:small[“{ $axis }” has a square-root scale: on a linear scale, an outlier such as { $head } ({ SIGNED($value) }) would squeeze the other heads together.]]
atlas-points-alt = Scatter plot of { $n } heads: { $x } (horizontal) against { $y } (vertical).
atlas-points-file = head atlas
atlas-table-alt = Table of measurements for { $n } heads.

atlas-tested =
    - **{ $role }**: { $value }
    - Control, { $control }: { $against }
atlas-relation = Syntax: for **{ PERCENT($value) }** of { GROUPED($n) } words, the largest weight goes { $to ->
    [head] from a dependent to its syntactic head
   *[dependent] from a syntactic head to its dependent
 } (“{ $name }”). The best fixed offset reaches { PERCENT($offset) }.
atlas-similar = Most similar heads (JS divergence, bits):
atlas-near = { $head }: { FIXED($apart) }
atlas_matrix = Show the matrix of this head
atlas-matrix = Show the matrix of this head

atlas-examples = Top-activating sentences, by decile
atlas-examples-how = From { GROUPED($n) } sentences of this project (generated sentences and examples). Each line shows the query with the largest weight. Special tokens, and queries with a single key, are left out.
atlas-reading = Reading the sentences…
atlas-query = { $written ->
    [none] { $read } →
   *[other] { $read } (predicts { $written }) →
 }
atlas-told-text = Sentences with tokens shaded by weight
atlas-told-sentence = Sentence { $n }: largest weight { $weight }.
atlas-told-word = “{ $word }”: weight { $weight }.
atlas-told-point = Hover over a token to see its weight.

atlas-occurring = Token pairs in data
atlas-possible = Token pairs from QK circuit
atlas-pair-query = Query
atlas-pair-key = Key
atlas-pair-occurring = Mean weight
atlas-pair-possible = Score
atlas-pair-written = { $token } (predicted)
atlas-pair-value = { FIXED($value) } (n = { GROUPED($n) })
