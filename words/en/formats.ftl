# Files of other people: what is wrong with them. A block for each format.

format-damaged = { $file } is damaged at { $field }
format-not-read = { $file }: { $field } is { $value }, which this app does not read
format-not-read-hint = Convert the model to a layout without it, or write a family of your own (docs/adding-a-model.md).
