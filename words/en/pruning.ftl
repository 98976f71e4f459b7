# Heads removed one by one, in the order of their importance and in random order.

pruning-bleu = BLEU
pruning-pronoun = Correct pronouns
pruning-aer = AER
pruning-ranked = Least important first
pruning-random = Random order
pruning-order = Order
pruning-left = Heads left
pruning-value = Value
pruning-low = Minimum
pruning-high = Maximum
pruning-found = { $first ->
    [none] None of the measures loses more than 10% before the last of the { $n } heads is removed.
   *[other] Least important first, **{ $name }** breaks first: it loses more than 10% once **{ $removed }** of { $n } heads are removed.
 }
pruning-alt = Curves of the measures by number of heads left in { $site }, in order of importance and in random order.
pruning-file = Head pruning { $site }
pruning-caption = Measured on { $n } sentences for each measure. The band spans { $seeds } random orders. AER (lower is better) is that of the best cross-attention head that is left.
pruning-without-roles = The importance of the heads of { $name } was not measured. First run python -m training roles.
