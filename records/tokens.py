"""A text and the pieces the model reads or writes."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class TokenSequence:
    """A text and the pieces the model reads or writes."""

    text: str  # the text the pieces came from (or spell)
    ids: tuple[int, ...]  # vocabulary ids, one per piece, special tokens included
    # the pieces as the vocabulary spells them (``▁`` marks a leading space)
    tokens: tuple[str, ...]
    # ``(start, end)`` of each piece in `text`, counted in characters; ``(0, 0)`` for special tokens
    offsets: tuple[tuple[int, int], ...]
    # True where the vocabulary lacks the piece and the model sees ``<unk>`` instead
    unknown: tuple[bool, ...] = ()

    def __post_init__(self) -> None:
        if not self.unknown:
            object.__setattr__(self, "unknown", (False,) * len(self.ids))
        lengths = {len(self.ids), len(self.tokens), len(self.offsets), len(self.unknown)}
        if len(lengths) != 1:
            raise ValueError(
                f"ids, tokens, offsets and unknown differ in length: {len(self.ids)}, "
                f"{len(self.tokens)}, {len(self.offsets)}, {len(self.unknown)}"
            )

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def sides(self) -> dict[str, tuple[tuple[str, ...], ...]]:
        """The sides that a site which reads this alone may name (see `records.sources`)."""
        return {"source": (self.tokens,)}

    @property
    def special(self) -> tuple[bool, ...]:
        """True for tokens that stand for no text, such as ``<s>`` and ``</s>``."""
        return tuple(offset == (0, 0) for offset in self.offsets)

    def pieces_at(self, start: int, end: int) -> tuple[int, ...]:
        """Positions of the pieces that overlap the characters ``[start, end)`` of `text`."""
        return tuple(i for i, (a, b) in enumerate(self.offsets) if b > a and a < end and b > start)

    def pieces_of(self, word: str, occurrence: int = 0) -> tuple[int, ...]:
        """Positions of the pieces of the n-th whole-word occurrence of `word`, ignoring case.

        Empty when the word does not occur that often.
        """
        whole = rf"(?<![^\W_]){re.escape(word)}(?![^\W_])"
        matches = list(re.finditer(whole, self.text, re.IGNORECASE))
        return self.pieces_at(*matches[occurrence].span()) if occurrence < len(matches) else ()
