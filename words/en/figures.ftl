# What charts say: titles of axes and colour bars, tooltips, words beside the marks.

figures-query = query
figures-key = key
figures-weight = weight

## Matrices of tokens by tokens

figures-matrix-key = key (column)
figures-matrix-query = query (row)
figures-matrix-query-attends = query (row) attends to →

## One head in detail

figures-heatmap-contrast = { $what } ÷ largest of its row
figures-heatmap-product = score q·k
figures-heatmap-score = scaled: ÷ √d_k
figures-heatmap-may-look = mask: may look
figures-heatmap-rank = rank in row
figures-heatmap-row-sum = sum of the row
figures-heatmap-column-sum = sum of the column
