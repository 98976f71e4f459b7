# The page of terms.

page-glossary = Glossary
glossary-find = Find a term
glossary-find-none = beam, mask, BLEU …
glossary-none = No match. Try a single word, in English or Korean.
glossary-matches = { $n ->
    [one] 1 entry, in all topics
   *[other] { $n } entries, in all topics
 }
glossary-by = Order
glossary-by-topic = Topics
glossary-by-letter = A to Z
glossary-topic = Topic
glossary-letter = First letter
glossary-background = Terms of the field or the code that the app does not show elsewhere.
