# Files of other people: what is wrong with them. A block for each format.

format-damaged = { $file } is damaged at { $field }
format-not-read = { $file }: { $field } is { $value }, which this app does not read
format-not-read-hint = Convert the model to a layout without it, or write a family of your own (docs/adding-a-model.md).

# Hugging Face

format-large = The model has { GROUPED($n) } parameters; at most { GROUPED($most) } are opened
format-large-hint = Without an accelerator, a larger one takes too long for a page that shows every head. Choose a smaller one, such as opus-mt or t5-small.
format-pickle = { $file } is a pickle that asks for { $classes }, and only tensors are read from one
format-pickle-hint = Save it again with transformers: AutoModelForSeq2SeqLM.from_pretrained(folder).save_pretrained(folder) writes model.safetensors.
format-start-in-two = A target begins with two tokens in transformers: the start token and one that is forced, such as its language. Here only the first is given; the model itself chooses the second.
