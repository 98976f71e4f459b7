# Score decomposition: the score of a head as a sum of parts.

why-place = Head
why-query = Query
why-key = Key
why-asks = Query part
why-asks-help = The map shows only what this part of the query contributes to the scores. The parts are what embedding, position and earlier sub-layers added to the token’s vector (residual stream).
why-answers = Key part
why-answers-help = The map shows only what this part of the key contributes to the scores.

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
why-mean = Row mean
why-centred = Score − row mean
why-contribution = Query part → key part
why-shares = Shares in all heads of this layer
why-shares-told = Share of the variation within rows; below 0: against the rest
why-share = Share

why-cell = Layer { $layer }, head { $head } gives “{ $row }” → “{ $column }” a score of **{ SIGNED($value) }**. The largest part comes from **{ $pair ->
    [content-content] the content of both words
    [content-position] the content of “{ $row }” and the position of “{ $column }”
    [position-content] the position of “{ $row }” and the content of “{ $column }”
    [position-position] the positions of both words
   *[other] { $part }
 }**: { SIGNED($amount) }.
why-sum = This score as a sum
why-sum-told = Part of the query → part of the key
why-found = The map shows { SIGNED($centred) }: the score minus its row mean. Over all pairs here, { $segment } explains { PERCENT($share, digits: 0) } of the variation within rows.
why-alt = Map of the scores of layer { $layer }, head { $head }; bar chart of the parts of the score of “{ $row }” → “{ $column }”; stacked bars with the share of each part in all heads of the layer.
why-file = Score decomposition { $text }
why-caption = “{ $row }” → “{ $column }” has a score of { SIGNED($value) }, the sum of { $n } parts. “Content → position”: what the query is, where the key stands. Only the difference between a part and its row mean changes the weights; hover over a bar to see that mean.
