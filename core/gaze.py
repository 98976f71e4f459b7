"""Gaze of a captioner: attention compared with the boxes of the things its words name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .records.scenes import CaptionWord, Scene, cells_of, middle_of
from .records.sources import TokenSequence
from .storage import AtLeastOne, Count, MeasuredFile, NotNegative, Part, Percent, Share
from .weights.groups import Groups
from .weights.measures import moved_rows, row_entropy


@dataclass(frozen=True)
class Pointed:
    """Gaze of a model while it wrote a word that names a thing."""

    word: CaptionWord  # the word, with the thing it names
    rows: tuple[int, ...]  # the rows of the map, those of its pieces
    hit: bool  # True if the cell of largest weight touches the box of the thing
    mass: float  # the share of the weight on cells that touch the box
    chance: float  # share of cells that touch it: hit rate and mass of a uniform gaze
    elsewhere: bool  # True if the largest weight lies on the box of another thing only
    # True if a gaze fixed on the middle of the scene's first thing, in the order of captions,
    # would hit
    first: bool
    random: float  # share of the scene's things from whose middle a gaze would hit


def pointing(
    weights: np.ndarray, tgt: TokenSequence, words: Sequence[CaptionWord], scene: Scene
) -> tuple[Pointed, ...]:
    """Return the gaze for every word of a caption that names a thing.

    Parameters
    ----------
    weights : ndarray of shape (T_tgt, 196)
        Rows by the token produced; those of a word's pieces are averaged.
    tgt : TokenSequence
    words : sequence of CaptionWord
        Words of the text of `tgt`.
    scene : Scene
    """
    pointed = []
    boxes = [cells_of(thing.box) for thing in scene.things]
    middles = [middle_of(thing.box) for thing in scene.things]
    for word in words:
        rows = tgt.pieces_at(word.start, word.end)
        if word.thing is None or not rows:
            continue
        # A word of several pieces was written in several steps.
        row = weights[list(rows)].mean(axis=0)
        box = boxes[word.thing]
        best = int(row.argmax())
        hit = bool(box[best])
        pointed.append(
            Pointed(
                word,
                rows,
                hit,
                float(row[box].sum() / row.sum()),
                float(box.mean()),
                not hit and any(bool(other[best]) for other in boxes),
                bool(box[middles[0]]),
                float(box[middles].mean()),
            )
        )
    return tuple(pointed)


def movement(weights: np.ndarray, rows: Sequence[int]) -> float:
    """Return the mean weight that moves from one of these rows to the next.

    0 for a gaze that stands still, 1 for one that always leaps; NaN for a single row. Rows (T_tgt,
    n) sum to one.
    """
    chosen = weights[list(rows)]
    if len(chosen) < 2:
        return float("nan")
    return float(moved_rows(np.diff(chosen, axis=0)).mean())


def sharpness(weights: np.ndarray) -> float:
    """Return the mean perplexity of rows (T_tgt, n): the cells a gaze spreads over, 1 to n."""
    # Perplexity of each row first: the mean of entropies would be a geometric mean of cells.
    return float((2 ** row_entropy(weights)).mean())


def pointed_at(weights: np.ndarray, rows: Sequence[int], words: Groups) -> np.ndarray:
    """Return the source word with the largest weight for one target word.

    Rows of the target word's pieces are averaged, weights of a source word's pieces added.

    Parameters
    ----------
    weights : ndarray of shape (..., T_tgt, T_src)
        Rows by the token produced.
    rows : sequence of int
        Positions of the target word's pieces.
    words : Groups
        Positions of the pieces of each source word.

    Returns
    -------
    int array (...), indices into `words`, the first of equal ones
    """
    mean = weights[..., list(rows), :].mean(axis=-2)
    sums = np.stack([mean[..., list(word)].sum(axis=-1) for word in words], axis=-1)
    return sums.argmax(axis=-1)


def chance(pieces: Sequence[int], n_pieces: int) -> float:
    """Return the weight of uniform attention on `pieces` of a source of `n_pieces`."""
    return len(pieces) / n_pieces


# -- what was measured of captioners, as it is stored ------------------------------------------


class Judged(Part):
    """Share of true judgements with its interval, and their number."""

    n: Count
    share: Share | None
    low: Share | None
    high: Share | None

    def __post_init__(self) -> None:
        if self.n and None in (self.share, self.low, self.high):
            raise ValueError("Expected a share with its bounds")


class Looked(Judged):
    """Share of hits of a gaze, its mass on the box, and the baselines of `Pointed`."""

    mass: Share | None
    even: Share | None
    first: Share | None
    random: Share | None


class Truths(Part):
    """Truth of captions, by kind of word."""

    caption: Judged
    thing: Judged
    noun: Judged
    colour: Judged
    size: Judged
    pattern: Judged
    relation: Judged


class Gazes(Part):
    """Hits of the gaze, by kind of word."""

    all: Looked
    noun: Looked
    colour: Looked
    size: Looked
    pattern: Looked


class Bleu(Part):
    """BLEU of the captions."""

    bleu: Percent


class Scenes(Part):
    """Measurements on one set of scenes."""

    scenes: AtLeastOne
    exact: Truths
    bleu: Bleu
    read: Gazes
    own: Gazes
    still: NotNegative
    movement: NotNegative | None
    cells: NotNegative | None


class Gaze(MeasuredFile, kw_only=True):
    """Measurements of a captioner, as stored."""

    beam: AtLeastOne
    seen: Scenes
    held_out: Scenes
