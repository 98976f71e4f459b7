"""Inputs of models: a text in pieces, a picture as cells, a document of several sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

Sides = Mapping[str, tuple[tuple[str, ...], ...]]
"""Names of the positions of each side, once, or once for each map of the site."""


class Source(Protocol):
    """Interface of every source: `TokenSequence`, `GridSource`, `DocumentSource`, or another.

    `text`: as a person wrote it. `ids`: numbers that identify it. `tokens`: the names of all its
    positions, in order. `sides`: the sides from which or to which a site may attend.
    """

    @property
    def text(self) -> str: ...

    @property
    def ids(self) -> tuple[float, ...]: ...

    @property
    def tokens(self) -> tuple[str, ...]: ...

    @property
    def sides(self) -> Sides: ...

    def __len__(self) -> int: ...


@dataclass(frozen=True)
class TokenSequence:
    """Text and the pieces the model reads or writes."""

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
        """Sides that a site reading this source alone may name."""
        return {"source": (self.tokens,)}

    @property
    def special(self) -> tuple[bool, ...]:
        """True for tokens that stand for no text, such as ``<s>`` and ``</s>``."""
        return tuple(offset == (0, 0) for offset in self.offsets)

    def pieces_at(self, start: int, end: int) -> tuple[int, ...]:
        """Return the positions of pieces that overlap the characters ``[start, end)`` of `text`."""
        return tuple(i for i, (a, b) in enumerate(self.offsets) if b > a and a < end and b > start)

    def pieces_of(self, word: str, occurrence: int = 0) -> tuple[int, ...]:
        """Return the pieces of the n-th whole-word occurrence of `word`, ignoring case.

        Empty if the word does not occur that often.
        """
        # Not \b, for which an underscore is part of a word.
        whole = rf"(?<![^\W_]){re.escape(word)}(?![^\W_])"
        matches = list(re.finditer(whole, self.text, re.IGNORECASE))
        return self.pieces_at(*matches[occurrence].span()) if occurrence < len(matches) else ()


@dataclass(frozen=True)
class GridSource:
    """Picture as cells on a grid."""

    text: str  # as a person wrote it
    shape: tuple[int, int]  # rows and columns
    cells: tuple[float, ...]  # their brightness, row by row

    def __post_init__(self) -> None:
        rows, columns = self.shape
        if len(self.cells) != rows * columns:
            raise ValueError(f"{len(self.cells)} cells for {rows} rows of {columns}")

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def ids(self) -> tuple[float, ...]:
        return self.cells

    @property
    def tokens(self) -> tuple[str, ...]:
        """Row and column of each cell, from 1."""
        rows, columns = self.shape
        cells = ((row + 1, column + 1) for row in range(rows) for column in range(columns))
        return tuple(_name(f"{row},{column}") for row, column in cells)

    @property
    def sides(self) -> Sides:
        return {"source": (self.tokens,)}


@dataclass(frozen=True)
class DocumentSource:
    """Text of several sentences (Yang et al. 2016).

    Its sides are the "words" (once a sentence), the "sentence" that attends to them (likewise), all
    "sentences", and the "document" that attends to those.
    """

    text: str
    sentences: tuple[TokenSequence, ...]

    def __len__(self) -> int:
        return sum(map(len, self.sentences))

    @property
    def ids(self) -> tuple[float, ...]:
        # Lengths too: the same pieces may be split into sentences at other places.
        return tuple(i for sentence in self.sentences for i in (len(sentence), *sentence.ids))

    @property
    def tokens(self) -> tuple[str, ...]:
        return tuple(token for sentence in self.sentences for token in sentence.tokens)

    @property
    def sides(self) -> Sides:
        last = len(self.sentences)
        numbers = tuple(_name(str(number + 1)) for number in range(last))
        return {
            "words": tuple(sentence.tokens for sentence in self.sentences),
            "sentence": tuple((number,) for number in numbers),
            "sentences": (numbers,),
            "document": ((_name(f"1–{last}"),),),
        }


def _name(text: str) -> str:
    """Spell a name of its own as a vocabulary does, with the space before it."""
    return f"▁{text}"
