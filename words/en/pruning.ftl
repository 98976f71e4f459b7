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
pruning-without-roles = The importance of the heads of { $name } was not measured. First run python -m evaluation roles.
