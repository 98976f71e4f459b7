# The convolutional encoder–decoder of Gehring et al. 2017.

family-convolutional = Convolutional seq2seq
system-convolutional = Convolutions (Gehring 2017)
timeline-convolutional = Convolutional seq2seq (Gehring et al.)
timeline-convolutional-new = Convolutions replace recurrence: each layer combines a few neighbouring tokens, so training computes all positions at once. In a gated linear unit (GLU), one half of a layer’s output controls the other half. Every decoder layer has its own attention. Learned position embeddings are added, because a convolution does not show where in the sentence a token is.
lineage-gain-convolution = Recurrence → convolutions
lineage-gain-convolution-self = Convolutions → self-attention (3× steps)

# One step in equations

value-query = Query
value-part-around = Both directions
equation-annotations-convolution = For each source token, the encoder output **z** and the embedding **e** are added. The factor √0.5 keeps the variance of the sum.
equation-state-convolution = The last decoder layer combines the outputs of the layer below at this token and the tokens before it. The gated linear unit v multiplies one half of the result by the sigmoid of the other half.
equation-query-convolution = One layer maps the state to the embedding dimension. The embedding **g** of the previous token is added.
equation-score-convolution = The score of a source token is the dot product of the query and the token’s encoder output. Every decoder layer has its own scores; these are those of the last layer.
equation-output-convolution = The context vector is multiplied by √m, where m is the number of source tokens, and added to the state. The sum gives a logit for every token of the vocabulary. The softmax turns logits into probabilities.
