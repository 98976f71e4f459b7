# The page of terms.

page-glossary = Glossary
glossary-find = Find a term
glossary-find-none = beam, mask, BLEU …
glossary-none = No match. Try a single word, in English or Korean.
glossary-background = Terms of the field or the code that the app does not show elsewhere.
