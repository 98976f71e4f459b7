### The frame of the app: groups of pages, subtitles, and facts about the model.

group-learn = Learn
group-attention = Attention & interpretability
group-transformer = Transformer
group-decoding = Decoding & training
group-others = Other architectures

fold-roles = Roles of all heads
fold-reading = Explanation
fold-hypotheses = Hypotheses
fold-curves = Learning curves
fold-papers = Papers
fold-claims = Published claims and head ablation
fold-numbers = Tokens, ids and score
fold-table = Numbers
fold-about = About this model
link-undo = Undo
link-copy = Copy link
link-copied = Copied
settings = Settings
full-screen = Full screen
model-shown = This page shows { $model }
embed-open = Open in the lab
hidden-undo = Show all words
hidden-more = Details
hidden-more-help = Opens “{ view-masks-change }” with the same words hidden: log p of each token, next tokens, and attention before and after.

# The subtitle of each page, under its title.
subtitle-lessons = Guess, then see what a real model does.
subtitle-glossary = Every term, with its paper and code name.
subtitle-attention = What each head attends to in your sentence.
subtitle-masks = Change the computation and see the effect.
subtitle-positions = How word order enters the network.
subtitle-block = One token through every sub-layer.
subtitle-cost = How cost grows with sequence length.
subtitle-beam = How the model searches for its output.
subtitle-training = How heads, loss and learning rate develop.
subtitle-lineage = From one fixed vector to self-attention.
subtitle-captions = What the model attends to, word by word.
subtitle-documents = Do attention weights explain the label?
subtitle-masked = Predict masked words from both sides.

# Links of a page

page-doc = Measured results of these models, as tables and figures (docs/{ $file })
