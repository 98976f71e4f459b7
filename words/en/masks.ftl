# The page of masks, and what a change of the model's run does.

masks-nothing-written = *nothing: it ended at once*
masks-token-change = “{ $token }” { $change }

# The effect of a change, beside the plain run

masks-effect-none = Nothing is changed yet. Change something, and the effect on the translation, its probability and its attention stands here.

masks-effect-unchanged = **Unchanged:** { $text }
masks-effect-before = :violet-badge[before] { $text }
masks-effect-after = :green-badge[after] { $text }
masks-effect-same-words = The words are the same, cut into other pieces.
masks-effect-unfinished = The search under the change reached its longest output before the sentence ended.
masks-effect-no-pronoun = none
masks-effect-pronouns = { $n ->
    [one] Pronoun
   *[other] Pronouns
 }: { $before } → **{ $after }**

masks-effect-total = log P of the original output: { $before } → **{ $after }** ({ $change })
masks-effect-same = no change
masks-effect-hardly = changed by less than 0.001
masks-effect-likelier = { $change }, { $factor } times likelier
masks-effect-less-likely = { $change }, { $factor } times less likely
masks-effect-peeking = The causal mask is off: re-reading the output, every position sees the tokens to come as well, which no search has. This log P is not that of writing it.
masks-effect-largest = Largest changes in log p: { $changes }.
masks-effect-log-probs-alt = Change in log-probability of each token of the original output; the largest changes are written out as text.
masks-effect-log-probs-file = change in log p { $text }

masks-effect-position = Next-token probabilities at
masks-effect-position-difference = first difference: { $token }
masks-effect-position-drop = largest drop: { $token }
masks-effect-next-caption = Hollow purple, above: before. Solid green, below: after. ▸ stands in the original output. Likeliest before: “{ $first }” { $first_before } (after { $first_after }); after: “{ $second }” { $second_after } (before { $second_before }).
masks-effect-next-alt = Probability of the likeliest next tokens at the chosen position, before and after the change. The largest are written out as text.
masks-effect-next-file = next token at { $position } { $text }

masks-effect-head-before = Before
masks-effect-head-after = After
masks-effect-head-difference = Difference
masks-effect-head-alt = { $side }: the chosen head of { $site }, { $rows ->
    [one] { $rows } query row
   *[other] { $rows } query rows
 } by { $columns ->
    [one] { $columns } key column
   *[other] { $columns } key columns
 }. How much moved is written as text.
masks-effect-head-file = { $site } { $head } before and after: { $text }
masks-effect-moved = Weight that moved in { $head } of { $site }: **{ $mean }** of a row on average{ $row ->
    [0] {""}
   *[other] , most in row { $row } “{ $token }”: { $most }
 }. Half the summed absolute differences of a row; both sides read the original output.{ $forbidden ->
    [yes] {" "}Hatched: forbidden by the change.
   *[no] {""}
 }
masks-effect-most-moved = Most moved: { $site } { $head }, { $share }
