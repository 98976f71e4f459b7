# Value zeroing: what a layer loses with the values of one token.

zeroing-found = In layer { $layer }, “{ $token }” gets { PERCENT($weight, digits: 0) } of the weight and accounts for **{ PERCENT($share, digits: 0) }** of the effect on the output.
