# The page on what an attention weight is worth.

page-worth = What a weight is worth
subtitle-worth = Where an attention weight comes from, what it carries, and what it does not explain.

view-worth = View of what a weight is worth
view-worth-why = Score decomposition
view-worth-share = Source contribution
view-worth-made-up = Hallucination detection
view-worth-gold = Gold alignments
view-worth-zeroing = Value zeroing
view-worth-pruning = Head pruning
