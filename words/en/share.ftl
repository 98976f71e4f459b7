# Contributions of source and prefix to every generated token (ALTI+).

share-source = Source contribution
share-prefix = Prefix contribution
share-mean = Test-set mean at this position
share-share = Contribution
share-token = Generated token
share_token = Output token
share-source-tokens = Source
share-prefix-tokens = Prefix (already generated)
share-tokens = Contribution of each token
share-token-found = **{ PERCENT($share, digits: 0) }** of “{ $token }” comes from the source, above all from “{ $source }” (**{ PERCENT($part, digits: 0) }**).
share-tokens-found = “{ $most_token }” draws most on the source ({ PERCENT($most, digits: 0) }), “{ $least_token }” least ({ PERCENT($least, digits: 0) }).
share-found = On average, { PERCENT($mean, digits: 0) } of a generated token comes from the source and { $whole ->
    [yes] the rest
   *[no] { PERCENT($prefix, digits: 0) }
 } from the prefix, the tokens generated before it.
share-curve-alt = Source contribution to { $n } generated tokens as bars, the prefix contribution above them; where measured, the test-set mean as a dashed line.
share-curve-file = Source contribution { $text }
share-curve-caption = The prefix includes `<s>`. The dashed line is the test-set mean at the same relative position, with its 95% interval.
share-map-alt = Two maps with the contributions of source and prefix tokens to { $n } generated tokens. Each row sums to { $whole ->
    [yes] 1
   *[no] at most 1
 } over both maps.
share-map-file = Token contributions { $text }
share-map-caption = { $whole ->
    [yes] Each row sums to 1 over both maps.
   *[no] Each row sums to at most 1 over both maps. The rest cannot be assigned to a token: in some layer, none of the added vectors is close enough to the output to count (ALTI+).
 }
share-agreement = An independent check is leave-one-out (LOO) importance, the drop of log p when a token is hidden. In this sentence, its rank correlation (Spearman ρ, mean over tokens) is { SIGNED($alti) } with ALTI+ and { SIGNED($weights) } with the mean attention weight.
share-agreement-stored = Over { $n } sentences, this correlation is **{ SIGNED($alti_value) }** ({ SIGNED($alti_low) } to { SIGNED($alti_high) }) with ALTI+. With the mean weight, it is **{ SIGNED($weights_value) }** ({ SIGNED($weights_low) } to { SIGNED($weights_high) }). { $truer ->
    [yes] So for this model, ALTI+ agrees better with leave-one-out than the attention weights do.
   *[no] So for this model, ALTI+ agrees no better with leave-one-out than the attention weights do. Use it for the balance of source and prefix.
 }
