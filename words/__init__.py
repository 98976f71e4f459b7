"""Words of the interface, by message id and language.

A language is a folder: messages in Fluent files (``*.ftl``), longer explanations as Markdown
(``*.md``). Fluent was chosen over gettext because its ids are not sentences: an address, a test or
a record can hold one, an English sentence can be reworded without touching another language, and a
language with other plurals or particles decides on them in its own file.
"""

from .catalogue import Message, Words, english, language_code, languages
from .josa import Spoken
from .names import named, site_title

__all__ = [
    "Message",
    "Spoken",
    "Words",
    "english",
    "language_code",
    "languages",
    "named",
    "site_title",
]
