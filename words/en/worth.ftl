# The page on what an attention weight is worth.

page-worth = What a weight is worth
subtitle-worth = Where an attention weight comes from, what it carries, and what it does not explain.

view-worth = View of what a weight is worth
view-worth-why = Decomposition
view-worth-share = Contributions
view-worth-made-up = Hallucination
view-worth-gold = Alignment
view-worth-pruning = Pruning
