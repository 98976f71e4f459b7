# Is a translation made up? Signs of a hallucination, held against human ratings.

made_up_way = Direction
made_up_example = Example
made_up_example-own = Translation
made_up_example-other = Translation of another sentence
made_up_example-half = Half of the translation
made_up_fault = Kind of error
made_up_fault-unsupported = Detached (fully or strongly)
made_up_fault-detached = Fully detached
made_up_fault-strong = Strongly detached
made_up_fault-repetition = Repetition
made_up_fault-omission = Omission
made_up_fault-names = Named entity
made_up_source = Source
made_up_source-none = Source
made_up_translation = Translation
made_up_translation-none = Translation
made-up-pair = { $source } → { $target }
made-up-log_p = log p per token
made-up-without = log p per token without the other text
made-up-gain = Δ log p per token
made-up-sharp = Alignment sharpness
made-up-share = Source share
made-up-sound = no error
made-up-faulty = error
made-up-group = Rating
made-up-pairs = Share of the pairs
made-up-found = Of the { $n } rated pairs closest in { $name } of { $model } ({ $value }), **{ PERCENT($near, digits: 0) }** ({ PERCENT($near_low, digits: 0) }–{ PERCENT($near_high, digits: 0) }) are { $kind ->
    [detached] **fully detached**
    [strong] **strongly detached**
    [repetition] **repetitions**
    [omission] **omissions**
    [names] wrong **named entities**
   *[unsupported] **detached** from the source
 }; of all, { PERCENT($base, digits: 0) }. No measure below has a higher AUROC ({ $auroc }, { $auroc_low } to { $auroc_high }).
made-up-not-calibrated = For { $pair } there are no human ratings here, so the numbers below come without a verdict.
made-up-no-reverse = No model for { $pair } is installed, so only the forward numbers are shown.
made-up-unread = The output of this model is empty or too long to be read as a pair. Enter a source and a translation above.
made-up-same = The translation is the same text as the source. The numbers say nothing about a copied text.
made-up-language = “{ $text }” does not look like { $language }{ $other ->
    [none] {""}
   *[other] , but like { $other }
 }. The ratings do not apply to such a pair.
made-up-title-sign = { $name }, { $model }
made-up-title-auroc = AUROC { $auroc } ({ $auroc_low } to { $auroc_high })
made-up-alt = Distributions of { $panels } measures over { $all } rated pairs, with and without an error. A red line marks the pair on screen.
made-up-file = Hallucination measures { $name }
made-up-caption = Each curve shows how the rated pairs with or without the error are distributed. The red line is the pair on screen. Where the curves overlap, the measure cannot decide. A model that reads the source predicts the translation, a model that reads the translation predicts the source.
made-up-span = { $value } ({ $low } to { $high })
made-up-signs-alt = { $n } measures with their values, AUROC and share of errors among similar pairs.
made-up-column-model = Model
made-up-column-sign = Measure
made-up-column-value = This pair
made-up-column-auroc = AUROC (95% interval)
made-up-column-near = Errors among similar pairs
made-up-numbers-alt = The measures of { $n } models for the pair on screen.
made-up-numbers-model = Model
made-up-numbers-pair = Reads → predicts
made-up-numbers-log_p = log p
made-up-numbers-without = log p without the other text
made-up-numbers-gain = Δ log p
made-up-numbers-sharp = Alignment sharpness
made-up-numbers-share = Source share
made-up-numbers-caption = Means over the tokens of the text that the model predicts given the other one (in nats). Source share: of the text that it reads.
