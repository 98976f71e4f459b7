# Value zeroing: the effect on a layer if the values of one token are 0.

zeroing-found = In layer { $layer }, “{ $token }” gets { PERCENT($weight, digits: 0) } of the weight and accounts for **{ PERCENT($share, digits: 0) }** of the effect on the output.
