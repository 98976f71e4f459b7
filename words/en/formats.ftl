# Files of other people: what is wrong with them. A block for each format.

format-damaged = { $file } is damaged at { $field }
format-not-read = { $file }: { $field } is { $value }, which this app does not read
format-not-read-hint = Convert the model to a layout without it, or write a family of your own (docs/adding-a-model.md).

# CTranslate2

format-ctranslate2-pieces = The { $side } vocabulary holds parts of words, such as { $piece }, but not how a text is cut into them
format-ctranslate2-pieces-hint = Put the model's SentencePiece file beside model.bin, as sentencepiece.model or as source.spm and target.spm.
format-ctranslate2-start = config.json: decoder_start_token is null: every text begins with a token that is given, such as its language
format-ctranslate2-start-hint = Give a token of the target vocabulary: --start TOKEN
format-option-start = the token that a target begins with, where the files leave it open (CTranslate2)
