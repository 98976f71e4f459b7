# What several pages say.

head-name = layer { $layer }, head { $head }
quoted = “{ $text }”

# Where a model pays attention: within a sentence, by its full name, and in a menu

site-encoder = the encoder
site-decoder = the decoder
site-cross = cross-attention
site-encoder-attention = encoder self-attention
site-decoder-attention = decoder self-attention
site-cross-attention = cross-attention
site-encoder-short = Encoder
site-decoder-short = Decoder
site-cross-short = Cross
