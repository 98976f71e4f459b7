"""Alignment error of maps against gold alignments (Och and Ney 2003).

A gold alignment has sure links and possible ones, and every sure link is possible. A map links each
target word to the source word with the largest weight, once the pieces of words are joined: the
columns of a source word added, the rows of a target word averaged. A word whose largest weight lies
on ``</s>`` has no link.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
import pandas as pd
from msgspec import Meta

from words import Message

from .records.sources import TokenSequence
from .records.tokens import SPACE
from .storage import AtLeastOne, Count, MeasuredFile, Part, Share, ShareInterval
from .weights.groups import Groups
from .weights.tables import array_table

Link = tuple[int, int]
"""Source word and target word, from 0."""
Span = tuple[int, int]
"""Start and end of a word in its text."""
READINGS = ("reads", "writes")
"""Row of a target word: the one that reads it (AWI), or the one that writes it (AWO)."""
MOST_LINKS = 1000
"""Links accepted in a typed alignment."""
END = "</s>"
_LINK = re.compile(r"(\d{1,4})([-p])(\d{1,4})", re.ASCII)
_WORD = re.compile(r"\S+")


class Aligned(Part):
    """Map against the gold alignments of a set: one head of a layer, a layer, or all of them."""

    map: Literal["weight", "length", "mean", "summed", "shares", "all", "diagonal"]
    reading: Literal["reads", "writes"]
    error: ShareInterval
    precision: Share
    recall: Share
    layer: Count | None = None
    head: Count | None = None


class GoldSet(Part):
    """Maps against the gold alignments of one set."""

    pairs: AtLeastOne
    maps: list[Aligned]


class Aligning(MeasuredFile, kw_only=True):
    """Content of ``gold.json``."""

    sets: Annotated[dict[str, GoldSet], Meta(min_length=1)]


class LinksError(ValueError):
    """Invalid alignment of a pair: `message` names the wrong link and the reason."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


@dataclass(frozen=True)
class Gold:
    """Gold alignment of a pair."""

    sure: frozenset[Link]
    possible: frozenset[Link]  # includes the sure ones

    @classmethod
    def of(cls, sure: Iterable[Link], possible: Iterable[Link] = ()) -> Gold:
        """Build an alignment in which every sure link is possible too."""
        sure = frozenset(sure)
        return cls(sure, sure | frozenset(possible))

    def matrices(self, n_target: int, n_source: int) -> np.ndarray:
        """Return sure links and possible links as bool (2, n_target, n_source)."""
        cells = np.zeros((2, n_target, n_source), bool)
        for cell, links in zip(cells, (self.sure, self.possible), strict=True):
            for source, target in links:
                cell[target, source] = True
        return cells


@dataclass(frozen=True)
class GoldPair:
    """Pair of sentences with the spans of its words, and its gold alignment."""

    source: str
    target: str
    source_words: tuple[Span, ...]
    target_words: tuple[Span, ...]
    gold: Gold
    content: bool = False  # True if annotators linked content words only; others do not count

    def reversed(self) -> GoldPair:
        """Return the pair with source and target exchanged."""
        sure, possible = (
            {(target, source) for source, target in links}
            for links in (self.gold.sure, self.gold.possible)
        )
        gold = Gold.of(sure, possible)
        content = self.content
        return GoldPair(
            self.target, self.source, self.target_words, self.source_words, gold, content
        )

    @property
    def counted(self) -> np.ndarray:
        """Target words that count, bool (target words,)."""
        if not self.content:
            return np.ones(len(self.target_words), bool)
        linked = [target for _, target in self.gold.possible]
        return np.isin(np.arange(len(self.target_words)), linked)


def word_spans(text: str) -> tuple[Span, ...]:
    """Return the spans of words separated by spaces, as in the Pharaoh format."""
    return tuple(match.span() for match in _WORD.finditer(text))


def read_links(text: str, n_source: int, n_target: int, first: int = 0) -> Gold:
    """Read links in the Pharaoh format, "0-0 1p2".

    Each link is a source word, "-" if it is sure or "p" if it is possible, and a target word, both
    counted from `first`.

    Raises
    ------
    LinksError : a part is no link, names no word of the pair, or there are too many.
    """
    links: dict[str, set[Link]] = {"-": set(), "p": set()}
    parts = text.split()
    if len(parts) > MOST_LINKS:
        raise LinksError(Message.of("gold-too-many", n=len(parts), most=MOST_LINKS))
    for part in parts:
        match = _LINK.fullmatch(part)
        if match is None:
            raise LinksError(Message.of("gold-no-link", part=part[:20]))
        link = int(match[1]) - first, int(match[3]) - first
        for word, n, side in zip(link, (n_source, n_target), ("source", "target"), strict=True):
            if not 0 <= word < n:
                last = first + n - 1
                raise LinksError(Message.of(f"gold-no-{side}-word", part=part, n=n, last=last))
        links[match[2]].add(link)
    return Gold.of(links["-"], links["p"])


def word_pieces(tokens: TokenSequence, spans: Sequence[Span]) -> Groups:
    """Return the pieces of each word; a space alone belongs to the word after it.

    A word has none if the tokenizer drops it.
    """
    # SentencePiece may split "▁" from its word; the weight on it belongs to the word.
    bare = [piece for piece, token in enumerate(tokens.tokens) if not token.strip(SPACE)]
    spaces = {tokens.offsets[piece][0]: piece for piece in bare}
    words = []
    for start, end in spans:
        space = (spaces[start],) if start in spaces else ()
        words.append((*space, *tokens.pieces_at(start, end)))
    return tuple(words)


def rows_of(words: Groups, reading: str) -> Groups:
    """Return the rows of each target word: those that write its pieces, or those that read them."""
    # The decoder reads its output shifted by one: <s> stands in row 0.
    return tuple(tuple(piece + (reading == "reads") for piece in word) for word in words)


def word_weights(
    weights: np.ndarray, rows: Groups, columns: Groups, special: Sequence[int] = (-1,)
) -> np.ndarray:
    """Join maps (..., T_tgt, T_src) by words: (..., words, words + 1).

    Rows of a word are averaged, its columns added. The last column is that of the `special` tokens,
    by default of ``</s>``. A word without pieces gets 0.
    """
    # As matrix products, which join the maps of all layers and heads at once.
    joined = np.zeros((weights.shape[-1], len(columns) + 1))
    for word, pieces in enumerate(columns):
        joined[list(pieces), word] = 1
    # -1 by default: the last column of the source is </s>.
    joined[list(special), -1] = 1
    means = np.zeros((len(rows), weights.shape[-2]))
    for word, pieces in enumerate(rows):
        means[word, list(pieces)] = 1 / max(1, len(pieces))
    return means @ weights @ joined


def linked_words(by_words: np.ndarray) -> np.ndarray:
    """Return the source word that each target word is linked to, int (..., words).

    The first of equal ones; -1 if it is ``</s>`` or there is no weight. `by_words`: from
    `word_weights`.
    """
    # `argmax` of a row of zeros is 0, which is a word: such rows are told by their largest weight.
    best = by_words.argmax(axis=-1)
    none = (best == by_words.shape[-1] - 1) | (by_words.max(axis=-1) <= 0)
    return np.where(none, -1, best)


def diagonal(n_target: int, n_source: int) -> np.ndarray:
    """Return the source word as far along as each target word, int (n_target,)."""
    # Middles of words, so that the last target word does not fall off the source.
    return ((np.arange(n_target) + 0.5) * n_source / max(1, n_target)).astype(int)


def tally(linked: np.ndarray, pair: GoldPair) -> np.ndarray:
    """Count |A and S|, |A and P|, |A| and |S| of links A (..., target words): int (..., 4).

    `linked` comes from `linked_words`. The counts add up over pairs.
    """
    n_target = len(pair.target_words)
    n_source = len(pair.source_words)
    counted = (linked >= 0) & pair.counted
    # Index -1 of an unlinked word reads the last column; `counted` discards it.
    right = pair.gold.matrices(n_target, n_source)[:, np.arange(n_target), linked] & counted[None]
    sure, possible = right.sum(axis=-1)
    n_sure = np.full_like(sure, len(pair.gold.sure))
    return np.stack([sure, possible, counted.sum(axis=-1), n_sure], axis=-1)


def precision(sums: np.ndarray) -> np.ndarray:
    """Return |A and P| / |A| from sums (..., 4) of `tally`; NaN if nothing is linked."""
    return _share(sums[..., 1], sums[..., 2])


def recall(sums: np.ndarray) -> np.ndarray:
    """Return |A and S| / |S|; NaN if no link is sure."""
    return _share(sums[..., 0], sums[..., 3])


def error_rate(sums: np.ndarray) -> np.ndarray:
    """Return the alignment error rate, 1 - (|A and S| + |A and P|) / (|A| + |S|), 0 to 1."""
    return 1 - _share(sums[..., 0] + sums[..., 1], sums[..., 2] + sums[..., 3])


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.true_divide(part, whole)


# -- what was measured over a set ------------------------------------------------------------

MAPS = {"weight": ("weight", "mean", "all"), "length": ("length", "summed", "shares")}
"""Maps that are listed together, by the measure of their numbers."""
PUBLISHED = {"rwth-de-en": {"MGIZA": 0.21, "fast_align": 0.285, "local": 0.34, "global": 0.39}}
"""Published error rates of a whole set.

The aligners fast_align and MGIZA, German to English (github.com/lilt/alignment-scripts), and local
and global attention of Luong et al. 2015, table 6.
"""


def error_table(measured: GoldSet, reading: str, measure: str) -> pd.DataFrame:
    """Return one row a map, the best first.

    Columns map, layer and head (from 0, -1 for none), error, low, high, precision and recall.
    """
    names = (*MAPS[measure], "diagonal")
    lines = [
        {
            "map": aligned.map,
            "layer": -1 if aligned.layer is None else aligned.layer,
            "head": -1 if aligned.head is None else aligned.head,
            "error": aligned.error.value,
            "low": aligned.error.low,
            "high": aligned.error.high,
            "precision": aligned.precision,
            "recall": aligned.recall,
        }
        for aligned in measured.maps
        if aligned.map in names and aligned.reading == reading
    ]
    return pd.DataFrame(lines).sort_values("error", ignore_index=True)


def gold_cells(
    by_words: np.ndarray, gold: Gold, target: Sequence[str], source: Sequence[str]
) -> pd.DataFrame:
    """Return one row a cell of a map (words, words + 1) from `word_weights`.

    Columns q, k (from 0), query and key (their labels), value, gold ("sure", "possible" or ""), and
    linked (True if the map links the two words). `source` ends with `END`.
    """
    cells = array_table(by_words, "q", "k")
    cells["query"], cells["key"] = (
        np.array(labels, object)[cells[at]] for labels, at in ((target, "q"), (source, "k"))
    )
    linked = linked_words(by_words)
    sure, possible = gold.matrices(*by_words.shape)
    marks = np.where(sure, "sure", np.where(possible, "possible", ""))
    # A map links each target word once, so one cell of a row is marked or none.
    links = np.zeros(by_words.shape, bool)
    rows = np.flatnonzero(linked >= 0)
    links[rows, linked[rows]] = True
    return cells.assign(gold=marks.ravel(), linked=links.ravel())
