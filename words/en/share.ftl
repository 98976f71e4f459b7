# The share of the source and of the prefix in every generated token (ALTI+).

share-source = Source share
share-prefix = Prefix share
share-mean = Source share, mean of this tenth
share-share = Contribution
share-token = Generated token
share-source-tokens = Source
share-prefix-tokens = Prefix (already generated)
share-tokens = Contribution of every token
share-found = The source contributes **{ PERCENT($mean, digits: 0) }** to a token on average, most to “{ $most_token }” ({ PERCENT($most, digits: 0) }), least to “{ $least_token }” ({ PERCENT($least, digits: 0) }); the prefix { $whole ->
    [yes] the rest
   *[no] { PERCENT($prefix, digits: 0) }
 }.
share-curve-alt = Source share of { $n } generated tokens as a curve over bars, the prefix share above them; where measured, the mean over many sentences as a dashed line.
share-curve-file = Source share { $text }
share-curve-caption = Blue-green: source. Sand: prefix, including `<s>`. Dashed with its 95% interval: the mean over a test set at the same tenth of the output.
share-map-alt = Two maps with the contributions of the source tokens and of the prefix to { $n } generated tokens. Each row sums to { $whole ->
    [yes] 1
   *[no] at most 1
 } over both maps.
share-map-file = Token contributions { $text }
share-map-caption = { $whole ->
    [yes] Each row sums to 1 over both maps.
   *[no] Each row sums to at most 1 over both maps. The rest cannot be assigned to a token: in some layer, no token’s vector brings the output closer (ALTI+).
 }
share-agreement = In this sentence, the rank correlation with leave-one-out (LOO) importance (Spearman ρ, mean over tokens) is { SIGNED($alti) } for ALTI+ and { SIGNED($weights) } for the mean attention weight.
share-agreement-stored = Over { $n } sentences it is **{ SIGNED($alti_value, digits: 3) }** ({ SIGNED($alti_low, digits: 3) } to { SIGNED($alti_high, digits: 3) }) for ALTI+ and **{ SIGNED($weights_value, digits: 3) }** ({ SIGNED($weights_low, digits: 3) } to { SIGNED($weights_high, digits: 3) }) for the mean weight. { $truer ->
    [yes] So here ALTI+ predicts what hiding a token does better than the weights.
   *[no] So for this model, ALTI+ agrees no better with leave-one-out than the attention weights do. Use it for the balance of source and prefix.
 }
