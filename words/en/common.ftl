# What several pages say.

head-name = layer { $layer }, head { $head }
