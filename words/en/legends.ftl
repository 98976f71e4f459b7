# What row, column, colour and number of a picture mean, behind the claim of its view.

legend-beam-tree = Column: decoder step. Circle: token, dark if it is likely. Pale: pruned.
legend-beam-methods = Row: output of a strategy. Dot: its score, better to the right.
legend-beam-width = Row: an output and the beam widths that return it. Dot: its score.
legend-beam-errors = Row: an output. Dot: its score, better to the right.
legend-captions-gaze = Bright: large attention weight. Percentage: weight inside the object’s box.
legend-cost-counted = Row: layer type. Bar: operations of one layer. Strip: path between two tokens.
legend-cost-measured = Line: layer type. Down is faster.
legend-documents-read = Bar: attention weight of a sentence. Shade: weight of a word.
legend-documents-agree = Row: sentence or word. Bars: its weight, and two measures of its effect.
legend-lineage-systems = Row: output word. Column: source word. Dark: large weight. Violet: differs from the selected model.
legend-lineage-step = Left: weight of each source token. Right: probability of each next token.
legend-lineage-bottleneck = Line: a model. Higher: the translation is more likely.
legend-masked-guess = Bar: probability of a word at the mask. Black frame: the original word.
legend-masked-agreement = Dot: how probable, or how often, the correct verb form is.
legend-training-forming = Row: query. Column: key. Number below a tile: the head metric.
legend-training-warmup = Line: one training run. Loss: lower is better.
legend-training-smoothing = Point: a token of the vocabulary. Height: its probability.
legend-training-here = Row: letter written. Column: letter read. Frame: the correct letter.
