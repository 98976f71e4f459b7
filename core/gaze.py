"""Does attention rest on what a word speaks of? Maps held against known boxes and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .measures import row_entropy
from .pairs import moved_rows
from .scenes import CaptionWord, Scene, cells_of, middle_of
from .stored import AtLeastOne, Count, Made, NotNegative, Part, Percent, Share
from .tokens import TokenSequence
from .transform import Groups


@dataclass(frozen=True)
class Pointed:
    """Where a model looked while it wrote a word that speaks of a thing."""

    word: CaptionWord  # the word, with the thing it speaks of
    rows: tuple[int, ...]  # the rows of the map, those of its pieces
    hit: bool  # the cell with the largest weight touches the box of the thing
    mass: float  # the share of the weight on cells that touch the box
    chance: float  # the share of cells that do, which is what an even gaze gives both
    elsewhere: bool  # the largest weight lies on the box of another thing and not on this one's
    # a gaze that rests on the middle of the scene's first thing, in the order of captions, would
    # hit
    first: bool
    random: float  # the share of the scene's things on whose middle a gaze would hit


def pointing(
    weights: np.ndarray, tgt: TokenSequence, words: Sequence[CaptionWord], scene: Scene
) -> tuple[Pointed, ...]:
    """Every word of a caption that speaks of a thing.

    `weights`: array (T_tgt, 196); rows go by the token produced, and those of a word's pieces are
    averaged. `words`: of the text of `tgt`.
    """
    pointed = []
    boxes = [cells_of(thing.box) for thing in scene.things]
    middles = [middle_of(thing.box) for thing in scene.things]
    for word in words:
        rows = tgt.pieces_at(word.start, word.end)
        if word.thing is None or not rows:
            continue
        row = weights[list(rows)].mean(axis=0)
        box, best = boxes[word.thing], int(row.argmax())
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
    """How much of the weight moves from one of these rows to the next, on average: 0 where the
    gaze stands still, 1 where it always leaps. Rows (T_tgt, n) sum to one; NaN for one row."""
    chosen = weights[list(rows)]
    if len(chosen) < 2:
        return float("nan")
    return float(moved_rows(np.diff(chosen, axis=0)).mean())


def sharpness(weights: np.ndarray) -> float:
    """The mean perplexity of rows (T_tgt, n): over how many cells a gaze spreads, 1 to n."""
    return float((2 ** row_entropy(weights)).mean())


def pointed_at(weights: np.ndarray, rows: Sequence[int], words: Groups) -> np.ndarray:
    """The word with the largest weight, where `rows` are the pieces of one target word.

    The rows are averaged, and the weights of a source word's pieces are added. `weights`: array
    (..., T_tgt, T_src); rows go by the token produced. `rows`: positions of the target word's
    pieces. `words`: positions of the pieces of each source word. Returns int (...): the place in
    `words`, the first of several that are equal.
    """
    mean = weights[..., list(rows), :].mean(axis=-2)
    sums = np.stack([mean[..., list(word)].sum(axis=-1) for word in words], axis=-1)
    return sums.argmax(axis=-1)


def chance(pieces: Sequence[int], n_pieces: int) -> float:
    """What uniform attention gives `pieces` of a source of `n_pieces`."""
    return len(pieces) / n_pieces


# -- what was measured of captioners, as it is stored ------------------------------------------


class Judged(Part):
    n: Count
    share: Share | None
    low: Share | None
    high: Share | None

    def __post_init__(self) -> None:
        if self.n and None in (self.share, self.low, self.high):
            raise ValueError("Expected a share with its bounds")


class Looked(Judged):
    mass: Share | None
    even: Share | None
    first: Share | None
    random: Share | None


class Truths(Part):
    caption: Judged
    thing: Judged
    noun: Judged
    colour: Judged
    size: Judged
    pattern: Judged
    relation: Judged


class Gazes(Part):
    all: Looked
    noun: Looked
    colour: Looked
    size: Looked
    pattern: Looked


class Bleu(Part):
    bleu: Percent


class Scenes(Part):
    scenes: AtLeastOne
    exact: Truths
    bleu: Bleu
    read: Gazes
    own: Gazes
    still: NotNegative
    movement: NotNegative | None
    cells: NotNegative | None


class Gaze(Made, kw_only=True):
    beam: AtLeastOne
    seen: Scenes
    held_out: Scenes
