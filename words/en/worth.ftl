# The page on what attention weights leave out.

page-worth = Beyond attention weights
subtitle-worth = Where an attention weight comes from, what it carries, and what it does not explain.

view-worth = Measure beyond attention weights
view-worth-why = Score decomposition
view-worth-share = ALTI+ contributions
view-worth-gold = Word alignment (AER)
view-worth-zeroing = Value zeroing
