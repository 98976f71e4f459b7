# Value zeroing: what a layer loses with the values of one token.

zeroing-found = Layer { $layer }: “{ $token }” gets { PERCENT($weight, digits: 0) } of the weight and **{ PERCENT($share, digits: 0) }** of the effect on the layer’s output{ $known ->
    [yes] . Within a row, both have a rank correlation of **{ $correlation }** (mean).
   *[no] {"."}
 }
