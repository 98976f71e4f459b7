# Files of other people: what is wrong with them. A block for each format.

format-damaged = { $file } is damaged at { $field }
format-not-read = { $file }: { $field } is { $value }, which this app does not read
format-not-read-hint = Convert the model to a layout without it, or write a family of your own (docs/adding-a-model.md).

# Marian
format-marian-several = Several models of Marian lie here: { $files }. Give the path of one of them.
format-marian-vocabulary = Beside { $file } must lie one .spm file for both languages, or two with “src” and “trg” in their names; found: { $found ->
    [none] none
   *[other] { $found }
 }
format-marian-card = Converted from { $file } of Marian. Where it was trained with guided alignment, head 1 of cross-attention in layer { $layer } was trained to align words. The file does not say whether it was.
