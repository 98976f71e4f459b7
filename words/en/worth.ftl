# The page “Beyond attention weights”.

page-worth = Beyond attention weights
subtitle-worth = What attention weights explain, and what they do not.

view-worth = Measure beyond attention weights
view-worth-why = Score decomposition
view-worth-share = ALTI+ contributions
view-worth-gold = Word alignment (AER)
