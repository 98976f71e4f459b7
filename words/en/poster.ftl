### The poster: a printable sheet of the model and the sentence on screen.

poster = Poster
poster-help = Save a printable poster of this model and this text
poster-told = A printable A3 sheet: the map of the model, this text and what the model wrote, its most telling heads, the search tree, and the address of this page.
poster-attention = What its heads attend to
poster-search = Beam search, width { $n }
poster-role = { $does }: { FIXED($value) } over { $over } ({ $control }: { FIXED($against) })
poster-largest = mean of the largest weight per query: { FIXED($value) }
