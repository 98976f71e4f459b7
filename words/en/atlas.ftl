# All heads as points, and the card of one.

view-worth-atlas = Head atlas

atlas-x = Horizontal axis
atlas-y = Vertical axis
atlas-colour = Colour
atlas_head = Head
atlas_decile = Decile of sentences
atlas_decile-help = Sentences in the order of the largest weight of this head: 10 is the strongest tenth, 1 the weakest.

atlas-axis-kind = Attention
atlas-axis-layer = Layer
atlas-axis-head = Head
atlas-axis-role = Head role
atlas-axis-depth = Layer
atlas-axis-entropy = Entropy (bits)
atlas-axis-distance = Attention distance (tokens)
atlas-axis-largest = Largest weight
atlas-axis-previous = Weight on previous token
atlas-axis-same = Weight on same token
atlas-axis-next = Weight on next token
atlas-axis-special = Weight on special tokens
atlas-axis-rare = Rare tokens (over chance)
atlas-axis-rare-help = Share of queries whose largest weight is on one of the two rarest tokens, minus chance.
atlas-axis-syntax = Syntax (over fixed offset)
atlas-axis-syntax-help = Share of words whose largest weight is on the other word of a syntactic relation, minus the best fixed offset.
atlas-axis-pronoun = Pronoun margin
atlas-axis-pronoun-help = Weight from “it” to its antecedent minus weight to the distractor noun.
atlas-axis-off = Ablation (Δ log p)
atlas-axis-off-help = Mean change of log p per token if the output of the head is replaced by zeros.
atlas-axis-error = Alignment error rate

atlas-found = { GROUPED($n) } heads over { GROUPED($sentences) } sentences; **{ $roles }** have a role above its control. Click a point to open the head.
atlas-both = { $n ->
    [0] No head has
    [one] One head has
   *[other] { GROUPED($n) } heads have
 } a number on both axes.
atlas-points-alt = { $n } heads as points: { $x } (horizontal) against { $y } (vertical).
atlas-points-file = head atlas
atlas-table-alt = What was measured of { $n } heads.

atlas-tested = - **{ $role }**: { $value }; { $control } { $against }
atlas-relation = Syntax: largest weight { $to ->
    [head] from a dependent to its syntactic head
   *[dependent] from a syntactic head to its dependent
 } (“{ $name }”) for **{ PERCENT($value) }** of { GROUPED($n) } words; best fixed offset { PERCENT($offset) }.
atlas-similar = Most similar heads (Jensen–Shannon divergence in bits, 0 = same map):
atlas-near = { $head }: { FIXED($apart) }
atlas_matrix = Show the matrix of this head
atlas-matrix = Show the matrix of this head

atlas-examples = Sentences that show it, by strength
atlas-examples-how = From { GROUPED($n) } sentences of this project (generated sentences and examples). Each line is the query with the largest weight; queries and keys that are special tokens, and queries with a single key, do not count.
atlas-reading = Reading the sentences …
atlas-query = { $written ->
    [none] { $read } →
   *[other] { $read } (predicts { $written }) →
 }
atlas-told-text = Sentences with tokens shaded by weight
atlas-told-sentence = Sentence { $n }: largest weight { $weight }.
atlas-told-word = “{ $word }”: weight { $weight }.
atlas-told-point = Point at a token to see its weight.

atlas-occurring = Pairs that occur
atlas-possible = Pairs from the weights alone
atlas-pair-query = Query
atlas-pair-key = Key
atlas-pair-occurring = Mean weight
atlas-pair-possible = Score
atlas-pair-written = { $token } (predicted)
atlas-pair-value = { FIXED($value) } (n = { GROUPED($n) })
