# What a head does.

role = Head role
badge-role = Head role
role-title-all = All heads
role-none = no role

# A word below a small picture, at most nine letters.
role-noun = noun
role-aligns = aligns
role-aligns-read = aligns in
role-next = next
role-previous = previous
role-itself = itself
role-end = end
role-column = column
role-spread = spread

# A role that this sentence does not show.
role-faint = ({ $word })
role-tile = Over many sentences: { $does } ({ $many }). { $state ->
    [shown] On this sentence: { $here }.
    [faint] Not on this sentence ({ $here }).
    [absent] No such pair of tokens is known in this sentence.
   *[untested] Not tested on this sentence.
 }

role-title-noun = Antecedent
role-title-aligns = Alignment, token predicted
role-title-aligns-read = Alignment, token read
role-title-next = Next token
role-title-previous = Previous token
role-title-itself = Token itself
role-title-end = Special tokens
role-title-column = Same key for all queries
role-title-spread = Spread

role-does-noun = attends from a pronoun to its antecedent
role-does-aligns = attends to the source word of the token that it predicts
role-does-aligns-read = attends to the source word of the token that was just read
role-does-next = attends to the next token
role-does-previous = attends to the previous token
role-does-itself = attends to the token itself
role-does-end = attends to the token that ends or begins the text
role-does-column = attends to the same tokens from every query
role-does-spread = spreads its weight over all tokens

role-control-uniform = uniform attention
role-control-mean = mean head
role-control-offset = best fixed offset
role-control-other = distractor noun
role-control-shuffled = shuffled rows

role-over = { $of ->
    [noun] { GROUPED($n) } held-out sentences
    [rows] { GROUPED($n) } sentences
   *[other] { GROUPED($n) } words
 }
role-words = “{ $row }” → “{ $column }”{" "}
role-finding = { $state ->
    [shown] **{ $head }** { $does }: { $words }**{ $here }** here, **{ $value }** over { $over } ({ $control }: { $against }).
    [faint] **{ $head }** does not show its role in this sentence ({ $words }**{ $here }**). Over { $over } it { $does }: **{ $value }** ({ $control }: { $against }).
    [absent] This sentence has no known pair of tokens for the role of **{ $head }**. Over { $over } it { $does }: **{ $value }** ({ $control }: { $against }).
   *[untested] **{ $head }** { $does }: **{ $value }** over { $over } ({ $control }: { $against }). This sentence was not tested.
 }
role-finding-none = **{ $head }** has no role. { $why ->
    [little] The closest, “{ $word }”, reaches { $value } over { $over }; a role needs { $least }.
   *[control] The closest, “{ $word }”, is not clearly above its control: { $value } over { $over } ({ $control }: { $against }).
 }

role-column-site = Attention
role-column-layer = Layer
role-column-head = Head
role-column-role = Head role
role-column-candidate = Closest candidate
role-column-here = This sentence
role-column-many = Many sentences
role-column-low = 95% from
role-column-high = 95% to
role-column-control = Control
role-column-against = Its value
role-column-off = Δ log p
role-column-off-help = Mean change of log p per token if the output of the head is replaced by zeros.
role-table-alt = Roles of { $n } heads: value over many sentences, its 95% interval, the closest control and the change of log p without the head.

role-off = { $how }: log p per token { $matters ->
    [yes] changes by **{ FIXED($change, digits: 3) }** ({ FIXED($low, digits: 3) } to { FIXED($high, digits: 3) }).
   *[no] does not change measurably ({ FIXED($change, digits: 3) }; { FIXED($low, digits: 3) } to { FIXED($high, digits: 3) }).
 }
role-off-zero = Ablated with zeros
role-off-mean = Replaced by its mean output
role-link = Link to this head
role-atlas = What else it does: head atlas
