# The page of terms.

page-glossary = Glossary
glossary-find = Find a term
glossary-find-example = beam, mask, BLEU …
glossary-none = No term or meaning holds this. Try one word, in English or Korean.
