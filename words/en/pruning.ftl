# Head pruning: heads are removed in order of importance and in random order.

pruning-bleu = BLEU
pruning-pronoun = Pronoun accuracy
pruning-aer = AER
pruning-ranked = Least important first
pruning-random = Random order
pruning-order = Order
pruning-left = Remaining heads
pruning-value = Value
pruning-low = Minimum
pruning-high = Maximum
pruning-without-roles = Head importance has not been measured for { $name }. Run `python -m evaluation roles` first.
