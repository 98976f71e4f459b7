# Head roles.

role = Head role
badge-role = Head role
role-title-all = All heads
role-none = no role
role-none-tile = No tested role fits this head.

# Names of roles: a word below a small picture, at most nine letters, with which the full name begins.
role-noun = coref
role-aligns = align
role-aligns-read = align in
role-next = next
role-previous = prev.
role-itself = self
role-end = spec.
role-column = same
role-spread = broad

role-tile = { $title }: on average over many sentences, this head { $does } ({ $many }). { $state ->
    [shown] In this sentence: { $here }.
    [faint] Not in this sentence ({ $here }).
    [absent] This sentence has no such pair of tokens.
   *[untested] It was not tested on this sentence.
 }

role-spelled = { $word } = { $title }
role-title-noun = Coreference
role-title-aligns = Align output token
role-title-aligns-read = Align input token
role-title-next = Next token
role-title-previous = Previous token
role-title-itself = Self
role-title-end = Special tokens
role-title-column = Same key
role-title-spread = Broad

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
role-control-shuffled = permuted rows

role-over = { $of ->
    [noun] { GROUPED($n) } held-out sentences{ $pronoun ->
        [none] {""}
       *[other] {" "}with “{ $pronoun }”
    }
    [rows] { GROUPED($n) } sentences
   *[other] { GROUPED($n) } words
 }
role-many = { $head } · { $title }: { $value } on average over { $over }.{ $state ->
    [faint] {" "}This sentence shows less of it ({ $here }).
    [absent] {" "}This sentence has no such pair of tokens.
   *[shown] {""}
 }
role-unmarked = Unlike “it”, “{ $word }” has the same translation for every antecedent.
role-earlier = Among the earlier words, { $key } gets the most attention here ({ $most }).
role-finding-none = { $head } · no role. { $why ->
    [little] The closest role, “{ $word }”, reaches { $value } over { $over }; a role needs { $least }.
   *[control] The closest role, “{ $word }”, is not clearly above its control: { $value } over { $over }, compared with { $against } for { $control }.
 }

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
