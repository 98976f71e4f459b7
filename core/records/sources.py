"""Inputs of models that read something other than one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from .tokens import TokenSequence

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
