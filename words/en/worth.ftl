# The page “Beyond attention weights”.

page-worth = Beyond attention weights
subtitle-worth = What attention weights do not explain.

view-worth = Measure beyond attention weights
view-worth-why = Score decomposition
view-worth-share = Source contributions (ALTI+)
view-worth-gold = Word alignment (AER)
