# The score of a head as a sum: what query and key are made of.

why-place = Head
why-query = Query
why-key = Key
why-asks = Query part
why-asks-help = The map shows only what this part of the queries contributes to the scores. The parts are what the embedding, the positions and the earlier sub-layers wrote into the residual stream.
why-answers = Key part
why-answers-help = The map shows only what this part of the keys contributes to the scores.

why-part-content = content
why-part-position = position
why-part-biases = biases
why-part = { $name ->
    [self] L{ $layer } attention
    [feed_forward] L{ $layer } FFN
   *[other] L{ $layer } { $name }
 }
why-pair = { $query } → { $key }
why-rest = other pairs ({ $n })
why-score = Score
why-mean = Mean of the row
why-centred = Score − mean of the row
why-contribution = Query part → key part
why-head = Head { $head }
why-shares = Share of the variance of the scores
why-share = Share

why-found = Layer { $layer }, head { $head }: **{ $segment }** explains **{ PERCENT($share, digits: 0) }** of the variation of this head’s scores within rows.
why-alt = Map of the scores of head { $head }, layer { $layer }; a bar chart of the parts of the score of “{ $row }” → “{ $column }”; and stacked bars with the share of each part in all heads of the layer.
why-file = Score decomposition { $text }
why-caption = “{ $row }” → “{ $column }” scores { SIGNED($value) }, the sum of { $n } parts. Click another cell to see its parts. The black line on each bar is the mean over the row: only what differs from it changes the weights.
