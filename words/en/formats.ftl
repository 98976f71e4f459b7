# Files of other people: what is wrong with them. A block for each format.

# What lies at a path is opened

format-unknown = { $name } is no model that this app opens. It holds { $found }; the formats are { $known }
format-unknown-hint = Convert it to one of them, or see docs/adding-a-model.md.
format-lies-here = { $file } lies here: python -m model open { $path }
format-unread = { $name } cannot be read: { $error }
format-many = { $name } holds more than { $n } files
format-many-hint = Give the folder of the model alone.
format-link = { $file } is a link to a place outside of the folder
format-link-hint = Copy what the links lead to, and open the copy: cp -rL { $path } COPY
format-options = { $format } does not ask for { $names }; it asks for { $known }
format-unfit-hint = The files were read as { $format }. Their configuration and tensors must be of one model.
format-fails = { $name } cannot be read as { $format }: { $error }
format-name = { $folder } exists already or is no folder of a checkpoint
format-name-hint = Give another name: --name NAME
format-command = Open the model of others, a folder or a file: convert it, check every claim on eight sentences, and write it under checkpoints/. Formats: { $formats }.
format-opened = Written to { $folder }. Open it with `make app` at http://localhost:8501/?checkpoint={ $name }
format-proof = Converted from { $format }; { $holding } of { $claims } claims hold on { $sentences ->
    [one] { $sentences } sentence
   *[other] { $sentences } sentences
 }, largest difference { $difference }
format-unproved = Not proved, so not offered: { $claims }

# Families from outside

model-families-import = ATTENTION_LAB_FAMILIES names the module { $module }, which cannot be imported: { $error }
model-families-none = ATTENTION_LAB_FAMILIES names the module { $module }, which exports no Family as FAMILY or FAMILIES
model-families-taken = ATTENTION_LAB_FAMILIES names the module { $module }, whose families { $names } exist already

# What a format says

format-damaged = { $file } is damaged at { $field }
format-not-read = { $file }: { $field } is { $value }, which this app does not read
format-not-read-hint = Convert the model to a layout without it, or write a family of your own (docs/adding-a-model.md).

# CTranslate2

format-ctranslate2-pieces = The { $side } vocabulary holds parts of words, such as { $piece }, but not how a text is cut into them
format-ctranslate2-pieces-hint = Put the model's SentencePiece file beside model.bin, as sentencepiece.model or as source.spm and target.spm.
format-ctranslate2-start = config.json: decoder_start_token is null: every text begins with a token that is given, such as its language
format-ctranslate2-start-hint = Give a token of the target vocabulary: --start TOKEN
format-option-start = the token that a target begins with, where the files leave it open (CTranslate2)

# Marian
format-option-guided = yes: it was trained with guided alignment, so mark the head that aligns words (Marian)
format-marian-several = Several models of Marian lie here: { $files }. Give the path of one of them.
format-marian-vocabulary = Beside { $file } must lie one .spm file for both languages, or two with “src” and “trg” in their names; found: { $found ->
    [none] none
   *[other] { $found }
 }
format-marian-card = Converted from { $file } of Marian. Where it was trained with guided alignment, head 1 of cross-attention in layer { $layer } was trained to align words. The file does not say whether it was.
