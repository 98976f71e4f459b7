# Value zeroing: what a layer loses with the values of one token.

zeroing-layer = Layer { $layer }
zeroing-share = Value zeroing (share of the row)
zeroing-weight = Weight (mean over heads)
zeroing-found = Layer { $layer }: “{ $token }” gets { PERCENT($weight, digits: 0) } of the weight and **{ PERCENT($share, digits: 0) }** of the effect on the layer’s output{ $known ->
    [yes] . Within a row, both have a rank correlation of **{ $correlation }** (mean).
   *[no] {"."}
 }
zeroing-alt = Two maps of layer { $layer } for { $n } tokens: how much each output changes when the values of a token are set to 0, and the attention weights (mean over heads).
zeroing-file = Value zeroing { $text }
zeroing-caption = Left: 1 − cosine of the layer’s output with and without the values of the key token, as a share of its row. Right: the attention weights of the same layer.
