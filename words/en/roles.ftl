# What a head does.

role = Head role
badge-role = Head role
role-title-all = All heads
role-none = no role

# A word below a small picture, at most nine letters.
role-noun = coref
role-aligns = align out
role-aligns-read = align in
role-next = next
role-previous = previous
role-itself = self
role-end = special
role-column = same key
role-spread = broad

# A role that this sentence does not show.
role-faint = ({ $word })
role-tile = On average over many sentences, this head { $does } ({ $many }). { $state ->
    [shown] In this sentence: { $here }.
    [faint] Not in this sentence ({ $here }).
    [absent] This sentence has no such pair of tokens.
   *[untested] It was not tested on this sentence.
 }

role-title-noun = Coreference (antecedent)
role-title-aligns = Alignment, output token
role-title-aligns-read = Alignment, input token
role-title-next = Next token
role-title-previous = Previous token
role-title-itself = Same token
role-title-end = Special tokens
role-title-column = Same key for all queries
role-title-spread = Broad attention

role-does-noun = attends from a pronoun to its antecedent
role-does-aligns = attends to the source word that its output token translates
role-does-aligns-read = attends to the source word that its input token translates
role-does-next = attends to the next token
role-does-previous = attends to the previous token
role-does-itself = attends to its own token
role-does-end = attends to special tokens
role-does-column = attends to the same keys from every query
role-does-spread = spreads its attention over all tokens

role-control-uniform = uniform attention
role-control-mean = the mean head
role-control-offset = the best fixed offset
role-control-other = the distractor noun
role-control-shuffled = shuffled rows

role-over = { $of ->
    [noun] { GROUPED($n) } held-out sentences
    [rows] { GROUPED($n) } sentences
   *[other] { GROUPED($n) } words
 }
role-words = “{ $row }” → “{ $column }”{" "}
role-finding = { $state ->
    [shown] **{ $head }** { $does }: { $words }**{ $here }** in this sentence, **{ $value }** on average over { $over }.
    [faint] **{ $head }** does not show its role in this sentence ({ $words }**{ $here }**). On average over { $over }, it { $does }: **{ $value }**.
    [absent] This sentence has no pair of tokens for the role of **{ $head }**. On average over { $over }, it { $does }: **{ $value }**.
   *[untested] **{ $head }** { $does }: **{ $value }** on average over { $over }. This sentence was not tested.
 }
role-finding-none = **{ $head }** has no role. { $why ->
    [little] The closest one, “{ $word }”, reaches **{ $value }** over { $over }; a role needs { $least }.
   *[control] The closest one, “{ $word }”, is not clearly above its control: **{ $value }** over { $over }, against { $against } for { $control }.
 }

role-column-site = Attention
role-column-layer = Layer
role-column-head = Head
role-column-role = Head role
role-column-candidate = Closest candidate
role-column-here = This sentence
role-column-many = Mean over sentences
role-column-low = 95% CI low
role-column-high = 95% CI high
role-column-control = Control
role-column-against = Control value
role-column-off = Δ log p
role-column-off-help = Mean change of log p per token if the output of the head is replaced by zeros.
role-table-alt = Roles of { $n } heads: mean over many sentences with its 95% CI, the closest control, and Δ log p when the head is ablated.

role-off = { $how }: log p per token { $matters ->
    [yes] changes by **{ FIXED($change, digits: 3) }** ({ FIXED($low, digits: 3) } to { FIXED($high, digits: 3) }).
   *[no] does not change measurably: { FIXED($change, digits: 3) } ({ FIXED($low, digits: 3) } to { FIXED($high, digits: 3) }).
 }
role-off-zero = Zero ablation
role-off-mean = Mean ablation
role-link = Link to this head
role-atlas = All measurements of this head: head atlas
