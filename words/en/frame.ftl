### The frame of the app: groups of pages, one sentence on each page, and what the model is.

group-learn = Learn
group-attention = Attention & interpretability
group-transformer = Transformer
group-decoding = Decoding & training
group-others = Other architectures

fold-roles = Roles of all heads
fold-reading = Explanation
fold-breaks = What breaks it
fold-numbers = Tokens, ids and score
fold-about = About this model
link-undo = Undo
link-copy = Copy link
link-copied = Copied
settings = Settings
embed-open = Open in the lab
hidden-undo = Show all words
hidden-more = Details
hidden-more-help = Opens “{ view-masks-change }” with the same words hidden: log p of each token, next tokens, and the attention before and after.

# What a page answers, under its name.
subtitle-lessons = Short lessons with a question, a guess and the answer measured on a real model.
subtitle-glossary = Every term of this lab: what it means, where it comes from, what it is called in the code.
subtitle-attention = Type a sentence and see what every attention head of the model attends to.
subtitle-masks = Mask tokens and edges, ablate heads, and see how the output changes.
subtitle-positions = How word order enters a network that has no order of its own.
subtitle-block = Follow one token through attention, feed-forward layers, residual connections and LayerNorm.
subtitle-cost = How time, memory and path length grow with the length of the sequence.
subtitle-beam = Watch the model choose among translations, and compare decoding strategies.
subtitle-training = How attention heads, loss and learning rate develop while a model is trained.
subtitle-lineage = One sentence through the models that led to self-attention.
subtitle-captions = Draw a scene and see which part of it the model attends to for each word of its caption.
subtitle-documents = Classify a review and check whether its attention weights explain the prediction.
subtitle-masked = Mask words of a sentence and let an encoder (BERT) predict them from both sides.

# Of a page

page-doc = Measured results of these models, as tables and figures: `docs/{ $file }`
