# Files of other people: what is wrong with them. A block for each format.

# What lies at a path is opened

format-unknown = { $name } is no model that this app opens. It holds { $found }; the formats are { $known }
format-unknown-hint = Convert it to one of them, or see docs/adding-a-model.md.
format-lies-here = { $file } lies here: python -m model open { $path }
format-unread = { $name } cannot be read: { $error }
format-many = { $name } holds more than { $n } files
format-many-hint = Give the folder of the model alone.
format-archive = { $file } is an archive. Unpack it, and open the folder.
format-pointer = { $files }: only a pointer of Git LFS is here, not the file itself
format-pointer-hint = Fetch the files, then open the model again: git -C { $path } lfs pull
format-hub = There is no folder { $name } here, and nothing is downloaded from a hub
format-hub-hint = Download the model, then open its folder: hf download { $name } --local-dir { $folder }
format-cache = { $path } holds no snapshot that is the current one; found: { $found }
format-cache-hint = Give the path of one of its folders.
format-link = { $file } is a link to a place outside of the folder
format-link-hint = Copy what the links lead to, and open the copy: cp -rL { $path } COPY
format-options = { $format } does not ask for { $names }; it asks for { $known }
format-unfit-hint = The files were read as { $format }. Their configuration and tensors must be of one model.
format-fails = { $name } cannot be read as { $format }: { $error }
format-name = { $folder } exists already or is no folder of a checkpoint
format-name-hint = Give another name: --name NAME
format-command = Open the model of others, a folder or a file: convert it, check every claim on eight sentences, and write it under checkpoints/. Formats: { $formats }.
format-opened = Written to { $folder }. Open it with `{ $command }` at http://localhost:8501/?checkpoint={ $name }
format-opened-alone = { $variable } replaces the models that the app comes with. To have them too, end it with { $end }.
format-proof = Converted from { $format }; { $holding } of { $claims } claims hold on { $sentences ->
    [one] { $sentences } sentence
   *[other] { $sentences } sentences
 }, largest difference { $difference }
format-unproved = Not proved, so not offered: { $claims }

# Families from outside

model-families-import = ATTENTION_LAB_FAMILIES names the module { $module }, which cannot be imported: { $error }
model-families-none = ATTENTION_LAB_FAMILIES names the module { $module }, which exports no Family as FAMILY or FAMILIES
model-families-taken = ATTENTION_LAB_FAMILIES names the module { $module }, whose families { $names } exist already or occur twice

# What a format says

format-damaged = { $file } is damaged at { $field }
format-not-read = { $file }: { $field } is { $value }, which this app does not read
format-not-read-hint = Convert the model to a layout without it, or write a family of your own (docs/adding-a-model.md).
format-contradicts = { $file } and { $other } are not from the same model: { $fault }
format-contradicts-hint = Put { $file } and { $other } of one release of the model into one folder.
format-contradicts-size = { $file } has { GROUPED($n) } tokens, but the model has { GROUPED($rows) } rows of embeddings
format-contradicts-special = { $entry } is { $id }, which is { $token } in the vocabulary, where { $name } has the id { $found }
format-contradicts-token = the vocabulary lacks { $token }, which is given as { $entry }
format-contradicts-order = { $token } has the id { $id } in the first and { $found } in the second
format-contradicts-pieces = only { GROUPED($common) } of { GROUPED($n) } tokens are in both
format-contradicts-ids = the special tokens have the ids { $ids } in the first and { $others } in the second
format-model-type = config.json: model_type is { $value }, which is not an encoder-decoder that this app computes ({ $known })
format-model-type-hint = Record its attention where it runs, and drop the file on the page: docs/recordings.md. BERT, GPT-2 and Llama can be seen that way.

# CTranslate2

format-ctranslate2-pieces = The { $side } vocabulary holds subwords, such as { $piece }, but no file says how a text is split into them
format-ctranslate2-pieces-hint = Put the SentencePiece file of the model beside model.bin, as sentencepiece.model or as source.spm and target.spm, or its tokenizer.json.
format-ctranslate2-start = config.json: decoder_start_token is null: every text begins with a token that is given, such as its language
format-ctranslate2-start-hint = Give a token of the target vocabulary: --start TOKEN
format-option-start = the token that a target begins with, where the files leave it open (CTranslate2)

# Marian
format-option-guided = yes: it was trained with guided alignment, so mark the head that aligns words (Marian, CTranslate2)
format-marian-several = Several models of Marian lie here: { $files }. Give the path of one of them.
format-marian-vocabulary = Beside { $file } must lie one { $kind } file for both languages, or two with “src” and “trg” in their names; found: { $found ->
    [none] none
   *[other] { $found }
 }
format-marian-card = Converted from { $file } of Marian. Where it was trained with guided alignment, head 1 of cross-attention in layer { $layer } was trained to align words. The file does not say whether it was.
# Hugging Face

format-large = The model has { GROUPED($n) } parameters; at most { GROUPED($most) } are opened
format-large-hint = Without an accelerator, a larger one takes too long for a page that shows every head. Choose a smaller one, such as opus-mt or t5-small.
format-pickle = { $file } is a pickle that asks for { $classes }, and only tensors are read from one
format-pickle-hint = Save it again with transformers: AutoModelForSeq2SeqLM.from_pretrained(folder).save_pretrained(folder) writes model.safetensors.
format-start-in-two = A target begins with two tokens in transformers: the start token and one that is forced, such as its language. Here only the first is given; the model itself chooses the second. To give both, open it with --language and a language of its vocabulary.
format-begins = Every target begins with two tokens, as in transformers: the start token and { $token }, which is given to the decoder and is no part of the text.
format-language = The vocabulary has no token for the language { $language }; it has { $known }
format-option-language = the language of the target, as a code or a token of the vocabulary: fr, fra_Latn, fr_XX (Hugging Face)
# torch.nn: opening its attention in place

open-attention = The attention of this model cannot be opened: { $faults }.
open-attention-none = the model has no torch.nn.MultiheadAttention
open-attention-unknown = { $name } uses { $what }
open-attention-hint = Pass its weights through an AttentionProbe yourself (docs/adding-a-model.md).

# State dicts of torch.nn.Transformer

format-torch-pickle-hint = In the program that made it, save the weights alone: torch.save(model.state_dict(), PATH).
format-torch-vocabulary = there is no vocabulary beside the weights: { $files }
format-torch-vocabulary-hint = Put a tokenizer.json there, or vocab.txt with one word per line; with one vocabulary per side, source_vocab.txt and target_vocab.txt.
format-torch-special = special tokens are missing, or have other ids on the other side: source { $source }, target { $target }
format-torch-special-hint = Both vocabularies need a start and an end token with the same ids. Known names: { $bos_id } (start); { $eos_id } (end); { $unk_id } (unknown); { $pad_id } (padding).
format-torch-option = --{ $name } is { $value }, expected one of { $known }
format-torch-option-hint = Leave it out to have it tried or asked for.
format-torch-none = none of { $n ->
    [one] 1 setting
   *[other] { $n } settings
 } reproduces pairs.json. The nearest is { $facts }: { $kind ->
    [ids] { PERCENT($off) } of the output ids differ
   *[logits] the logits differ by up to { SCIENTIFIC($off) }, as a share of the largest
 }.
format-torch-none-hint = Check that the pairs were computed in evaluation mode, with a causal mask for the target and without padding. If they are right, this model computes something else: open it with open_attention (docs/adding-a-model.md).
format-torch-open = { $n ->
    [0] The file does not say how its layers are computed. Needed:
    [one] More than one setting reproduces the pair. Still needed:
   *[other] More than one setting reproduces the { $n } pairs. Still needed:
 } { $facts }.
format-torch-open-hint = Give what you know: { $command }. Or put one to three inputs with their logits or output ids into pairs.json beside the weights, and every setting is tried (docs/adding-a-model.md).
format-torch-found = torch.nn.Transformer, { $facts }{ $n ->
    [0] {""}
    [one] : reproduces the example pair, off by at most { SCIENTIFIC($off) }
   *[other] : reproduces { $n } example pairs, off by at most { SCIENTIFIC($off) }
 }
format-torch-fact = { $what } (--{ $option }: { $values })
format-option-heads = the number of attention heads (nhead)
format-option-norm = whether LayerNorm comes before or after each sub-layer (norm_first)
format-option-activation = the activation of the feed-forward network
format-option-scale = whether embeddings are multiplied by √d_model
format-option-positions = how positions are encoded, where the file holds no table of them
format-option-ends = whether a source has a start token as well as an end token
