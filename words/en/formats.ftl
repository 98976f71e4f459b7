# Errors in model files from other libraries, with a block for each format.

# Opening a path

format-unknown = { $name } is not in a supported format. It contains { $found }. Supported formats: { $known }
format-unknown-hint = Convert it to one of these formats, or read docs/adding-a-model.md.
format-lies-here = { $file } can be opened with: python -m model open { $path }
format-unread = { $name } cannot be read: { $error }
format-many = { $name } contains more than { $n } files
format-many-hint = Give a folder that contains only the model.
format-archive = { $file } is an archive. Unpack it and open the folder.
format-pointer = { $files }: these are Git LFS pointers, not the files themselves
format-pointer-hint = Fetch the files and open the model again: git -C { $path } lfs pull
format-hub = There is no folder { $name } here, and the app does not download models
format-hub-hint = Download the model and open its folder: hf download { $name } --local-dir { $folder }
format-cache = { $path } does not show which snapshot is current; found: { $found }
format-cache-hint = Give the path of one of these folders.
format-link = { $file } links to a place outside its folder
format-link-hint = Copy the folder with the linked files and open the copy: cp -rL { $path } COPY
format-options = { $format } does not accept { $names }. Options: { $known }
format-unfit-hint = The files were read as { $format }. Check that configuration and tensors belong to the same model.
format-fails = { $name } cannot be read as { $format }: { $error }
format-name = { $folder } already exists, or is not a checkpoint folder
format-name-hint = Choose another name: --name NAME
format-command = Open a model from another library (a folder or a file): convert it, check every claim on eight sentences, and write it under checkpoints/. Formats: { $formats }.
format-opened = Written to { $folder }. Open it with `{ $command }` at http://localhost:8501/?checkpoint={ $name }
format-opened-alone = { $variable } replaces the models that come with the app. To keep those as well, end it with { $end }.
format-proof = Converted from { $format }: { $holding } of { $claims } claims hold on { $sentences ->
    [one] { $sentences } sentence
   *[other] { $sentences } sentences
 }, largest difference { $difference }
format-unproved = Unavailable, because the check failed: { $claims }

# Families from outside the project

model-families-import = ATTENTION_LAB_FAMILIES names the module { $module }, which cannot be imported: { $error }
model-families-none = ATTENTION_LAB_FAMILIES names the module { $module }, which exports no Family as FAMILY or FAMILIES
model-families-taken = ATTENTION_LAB_FAMILIES names the module { $module }, whose families { $names } already exist or occur twice

# Faults that several formats share

format-damaged = { $file } is damaged at { $field }
format-not-read = { $file }: { $field } is { $value }, which this app does not support
format-not-read-hint = Convert the model to a layout without it, or write your own family (docs/adding-a-model.md).
format-contradicts = { $file } and { $other } belong to different models: { $fault }
format-contradicts-hint = Put { $file } and { $other } from the same release of the model into one folder.
format-contradicts-size = { $file } has { GROUPED($n) } tokens, but the model has { GROUPED($rows) } rows of embeddings
format-contradicts-special = { $entry } is { $id }, which is { $token } in the vocabulary; the id of { $name } is { $found }
format-contradicts-token = the vocabulary lacks { $token }, which { $entry } names
format-contradicts-order = { $token } has the id { $id } in the first and { $found } in the second
format-contradicts-pieces = only { GROUPED($common) } of { GROUPED($n) } tokens are in both
format-contradicts-ids = the special tokens have the ids { $ids } in the first and { $others } in the second
format-model-type = config.json: model_type is { $value }, { $part ->
    [encoder] an encoder without a decoder. The app opens encoder–decoders ({ $known })
    [decoder] a decoder without an encoder. The app opens encoder–decoders ({ $known })
   *[other] which is not a supported encoder–decoder ({ $known })
 }
format-record-hint = Its attention can still be shown as a recording. Load the model with `{ $eager }` and run `{ $record }`, where record is from viz.notebook. Save it with `{ $save }` and drop the file on the page *Attention heads* (docs/recordings.md).

# CTranslate2

format-ctranslate2-pieces = The { $side } vocabulary contains subwords, such as { $piece }, but no file defines how text is split into them
format-ctranslate2-pieces-hint = Put the model’s SentencePiece file next to model.bin, as sentencepiece.model or as source.spm and target.spm, or its tokenizer.json.
format-ctranslate2-start = config.json: decoder_start_token is null, so every output needs a given first token, such as its language
format-ctranslate2-start-hint = Give a token of the target vocabulary: --start TOKEN
format-option-start = first target token, if the files do not define it (CTranslate2)

# Marian
format-option-guided = yes: the model was trained with guided alignment, so mark the head that aligns words (Marian, CTranslate2)
format-marian-several = The folder contains several Marian models: { $files }. Give the path of one of them.
format-marian-vocabulary = { $file } needs { $kind } in the same folder: one file for both languages, or two with “src” and “trg” in their names. Found: { $found ->
    [none] none
   *[other] { $found }
 }
format-marian-card = Converted from the Marian file { $file }. If the model was trained with guided alignment, head 1 of cross-attention in layer { $layer } was trained to align words. The file does not say whether it was.
# Hugging Face

format-large = The model has { GROUPED($n) } parameters; at most { GROUPED($most) } are allowed
format-large-hint = Without a GPU, a larger model is too slow for a page that shows every head. Choose a smaller one, such as opus-mt or t5-small, or record its attention where it runs (docs/recordings.md).
format-pickle = { $file } is a pickle with { $classes }. For safety, only pickles of plain tensors are read
format-pickle-hint = Save it again with transformers: AutoModelForSeq2SeqLM.from_pretrained(folder).save_pretrained(folder) writes model.safetensors.
format-start-in-two = In transformers, every target begins with two tokens: the start token and a forced one, such as the language. Here only the start token is given, and the model chooses the second. To force both, open it with --language and a language of its vocabulary.
format-begins = As in transformers, every target begins with two tokens: the start token and { $token }. The decoder reads { $token }, but it is not part of the text.
format-language = The vocabulary has no token for the language { $language }. Languages: { $known }
format-option-language = target language, as a code or a token of the vocabulary: fr, fra_Latn, fr_XX (Hugging Face)
# torch.nn: opening its attention in place

open-attention = The attention of this model cannot be read: { $faults }.
open-attention-none = the model has no torch.nn.MultiheadAttention
open-attention-unknown = { $name } uses { $what }
open-attention-hint = Pass the weights through an AttentionProbe in your code (docs/adding-a-model.md).

# State dicts of torch.nn.Transformer

format-torch-pickle-hint = In the program that made the file, save only the weights: torch.save(model.state_dict(), PATH).
format-torch-vocabulary = there is no vocabulary next to the weights: { $files }
format-torch-vocabulary-hint = Add a tokenizer.json, or a vocab.txt with one word per line. With one vocabulary per side, use source_vocab.txt and target_vocab.txt.
format-torch-special = special tokens are missing or have different ids on the two sides: source { $source }, target { $target }
format-torch-special-hint = Both vocabularies need a start and an end token with the same ids. Known names: { $bos_id } (start); { $eos_id } (end); { $unk_id } (unknown); { $pad_id } (padding).
format-torch-option = --{ $name } is { $value }, expected one of { $known }
format-torch-option-hint = If you leave out this option, the app tries every value or asks for one.
format-torch-none = none of { $n ->
    [one] 1 setting
   *[other] { $n } settings
 } reproduces pairs.json. The closest is { $facts }: { $kind ->
    [ids] { PERCENT($off) } of the output ids differ
   *[logits] the logits differ by up to { SCIENTIFIC($off) } (relative to the largest)
 }.
format-torch-none-hint = Check that the pairs were computed in evaluation mode, with a causal mask for the target and without padding. If they are correct, this model computes something else: use open_attention (docs/adding-a-model.md).
format-torch-open = { $n ->
    [0] The file does not define how its layers are computed. Needed:
    [one] More than one setting reproduces the pair. Still needed:
   *[other] More than one setting reproduces the { $n } pairs. Still needed:
 } { $facts }.
format-torch-open-hint = Give what you know: { $command }. Or add a pairs.json next to the weights, with one to three inputs and their logits or output ids; every setting is then tried (docs/adding-a-model.md).
format-torch-found = torch.nn.Transformer, { $facts }{ $n ->
    [0] {""}
    [one] : reproduces the example pair with a difference of at most { SCIENTIFIC($off) }
   *[other] : reproduces { $n } example pairs with a difference of at most { SCIENTIFIC($off) }
 }
format-torch-fact = { $what } (--{ $option }: { $values })
format-option-heads = number of attention heads (nhead)
format-option-norm = LayerNorm before or after each sub-layer (norm_first)
format-option-activation = activation of the feed-forward network
format-option-scale = embeddings multiplied by √d_model, yes or no
format-option-positions = positional encoding, if the file contains no table of it
format-option-ends = source with a start token as well as an end token, yes or no
