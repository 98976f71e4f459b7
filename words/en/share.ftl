# Contributions of source and prefix to every generated token (ALTI+).

share-source = Source contribution
share-prefix = Contribution of earlier output tokens
share-from = Strongest source token
share-part = Its contribution
share-beside-source = source sentence
share-beside-prefix = earlier output
share-beside-mean = mean of test set
share-mean = Mean of the test set here
share-share = Contribution
share-token = Generated token
share_token = Output token
share-source-tokens = Source
share-prefix-tokens = Earlier output tokens (prefix)
share-tokens = Contribution of each token
share-token-found = **{ PERCENT($share, digits: 0) }** of “{ $token }” comes from the source, above all from “{ $source }” (**{ PERCENT($part, digits: 0) }**).
share-tokens-found = “{ $most_token }” draws most on the source ({ PERCENT($most, digits: 0) }), “{ $least_token }” least ({ PERCENT($least, digits: 0) }).
share-found = On average, { PERCENT($mean, digits: 0) } of a generated token comes from the source and { $whole ->
    [yes] the rest
   *[no] { PERCENT($prefix, digits: 0) }
 } from the tokens generated before it (the prefix).
share-curve-alt = Source contribution to { $n } generated tokens as bars, that of earlier output tokens above them; where measured, the test-set mean as a dashed line.
share-curve-file = Source contribution { $text }
share-curve-caption = ALTI+ follows the vectors of all tokens through all layers, not only the weights. Strong colour: the source token that contributes most.{ $usual ->
    [none] { "" }
   *[other] { " " }Dashed: the test set at the same part of the output ({ PERCENT($usual, digits: 0) } on average), with its 95% interval.
 }
share-map-alt = Two maps with the contributions of source and prefix tokens to { $n } generated tokens. Each row sums to { $whole ->
    [yes] 100%
   *[no] at most 100%
 } over both maps.
share-map-file = Token contributions { $text }
share-map-caption = { $whole ->
    [yes] Each row sums to 100% over both maps.
   *[no] Each row sums to at most 100% over both maps. The rest cannot be assigned to a token: in some layer, none of the added vectors is close enough to the output to count (ALTI+).
 }
share-agreement = An independent check is leave-one-out (LOO) importance, the drop of log p when a token is hidden. In this sentence, its rank correlation (Spearman ρ, mean over tokens) is { SIGNED($alti) } with ALTI+ and { SIGNED($weights) } with the mean attention weight.
share-agreement-stored = Over { $n } sentences, this correlation is **{ SIGNED($alti_value) }** ({ SIGNED($alti_low) } to { SIGNED($alti_high) }) with ALTI+. With the mean weight, it is **{ SIGNED($weights_value) }** ({ SIGNED($weights_low) } to { SIGNED($weights_high) }). { $truer ->
    [yes] So for this model, ALTI+ agrees better with leave-one-out than the attention weights do.
   *[no] So for this model, ALTI+ agrees no better with leave-one-out than the attention weights do. Use it for the balance of source and prefix.
 }
