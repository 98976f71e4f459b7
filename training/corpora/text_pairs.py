"""Pairs of sentences as training reads them, and the error of data that cannot be read."""

from __future__ import annotations

from dataclasses import dataclass

Span = tuple[int, int]
"""Start and end of a word in its text, in characters."""
# Spelt as a tag, which no sentence of a corpus contains.
BETWEEN = " <sent> "
"""Separator of a document's sentences in a file."""


@dataclass(frozen=True)
class CoreferencePair:
    """A sentence pair with character spans of "it", its antecedent and the other noun.

    `other_reading` is the English of the same situation with the other noun meant ("tired" for
    "wide"), `other_pronoun` the span of its "it"; empty if there is none.
    """

    source: str
    target: str
    frame: str
    n_nouns: int
    pronoun: Span
    antecedent: Span | None  # None in text that people wrote
    distractor: Span | None
    target_pronoun: Span
    case: str
    half: str
    pair_id: str = ""
    held_out: str = ""
    other_reading: str = ""
    other_pronoun: Span | None = None

    @property
    def right_form(self) -> str:
        """The pronoun in the target, in lower case."""
        return self.target[slice(*self.target_pronoun)].lower()


@dataclass(frozen=True)
class TextPair:
    """A source text and its target, with an optional link and tag.

    `link` is set for sentences with a known antecedent; `tag` is a special token that is read
    before the source.
    """

    source: str
    target: str
    link: CoreferencePair | None = None
    tag: str = ""


class CorpusError(Exception):
    """Missing or damaged data; the message says what is wrong and how to get it."""
