# Files of other people: what is wrong with them. A block for each format.

format-damaged = { $file } is damaged at { $field }
format-not-read = { $file }: { $field } is { $value }, which this app does not read
format-not-read-hint = Convert the model to a layout without it, or write a family of your own (docs/adding-a-model.md).

# torch.nn: opening its attention in place

open-attention = This model's attention cannot be opened: { $faults }.
open-attention-none = the model has no torch.nn.MultiheadAttention
open-attention-unknown = { $name } uses { $what }
open-attention-hint = Pass its weights through an AttentionProbe yourself (docs/adding-a-model.md).

# State dicts of torch.nn.Transformer

format-torch-pickle = { $file } holds objects of { $classes }, and a file with objects can run code when it is loaded
format-torch-pickle-hint = In the program that made it, save the weights alone: torch.save(model.state_dict(), "weights.pt").
format-torch-old = { $file } is in the format of torch before 1.6
format-torch-old-hint = Load it in a program of your own and save it again: torch.save(state_dict, "weights.pt").
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
