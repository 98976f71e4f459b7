# The page “cost” and its figures.

page-cost = Cost
heading-cost = { $app }: cost
