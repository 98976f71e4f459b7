"""The systems that led to the Transformer: what was measured of all, and how they differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np
import pandas as pd
from msgspec import Meta, structs

from .arithmetic import softmax
from .measures import strongest_head
from .stored import (
    AtLeastOne,
    Command,
    Count,
    Interval,
    Made,
    NotNegative,
    Part,
    Share,
    ShareInterval,
)
from .tables import spread_places
from .tokens import token_label
from .transform import Groups


class Group(Interval, rename={"at": "words", "texts": "sentences"}):
    """A point of a curve over the length of a text."""

    at: NotNegative  # mean words of the sources
    group: Count  # number of captions that were joined, or the number of a bucket
    texts: AtLeastOne  # how many texts the point is of


class Stretch(Interval, rename={"at": "to", "group": "from"}):
    """A point of a curve over the places in a text."""

    at: Annotated[float, Meta(ge=0, multiple_of=1)]  # the last token of the stretch
    group: Count  # the first token
    texts: AtLeastOne


class Lengths(Part):
    """BLEU by words of a caption, and by how many captions were joined."""

    captions: tuple[Group, ...]
    joined: tuple[Group, ...]


class ByMap(ShareInterval):
    layer: Count
    head: Count


class Pointing(Part):
    """Shares of linked target words at which the right source word has most."""

    links: Count
    uniform: Share  # what uniform attention would give
    left_out: ShareInterval  # by the word that is missed most when it is not read
    map: ByMap | None  # by a map, chosen on other sentences; None without attention


class Trained(Part):
    steps: Count
    seconds: NotNegative
    tokens_per_second: NotNegative  # of the target
    hardware: str


class Speed(Part):
    """Sentences a second of processor time."""

    greedy: NotNegative
    beam: NotNegative


class MeasuredSystem(Part):
    """One system of the lineage."""

    title: str
    checkpoint: str  # name of the folder that its weights are exported to
    family: str
    year: int
    paper: str
    command: Command
    parameters: AtLeastOne
    operations: Count  # a target token, of matrix products
    training: Trained
    perplexity: dict[str, Interval]
    bleu: dict[str, Interval]
    lengths: Lengths
    places: tuple[Stretch, ...]  # mean log p a token by its place in a joined text
    pointing: Pointing
    speed: Speed
    name: str = ""  # of its variant in the config, by which the file has it


class BleuAndPerplexity(Part):
    """Of our system the BLEU minus the other's, and the perplexity divided by the other's."""

    bleu: Interval
    perplexity: Interval


Sign = Literal["same", "opposite", "open"] | None
"""Whether ours is on the same side as what was published: "open" where our interval holds no
difference too, None where the paper has none or only comes near."""
Setting = str | int | float | bool


class Signs(Part):
    bleu: Sign
    perplexity: Sign


class PublishedGain(Part):
    """What a paper prints without and with a step."""

    source: str
    rows: tuple[str, str]  # what the paper calls the two systems
    bleu: tuple[float, float] | None
    perplexity: tuple[float, float] | None
    more: bool  # the second perplexity is printed as more than this
    near: bool  # it only comes near our comparison: it varies something else, or in other systems
    sign: Signs


class MeasuredGain(Part):
    """What one step of the lineage adds: the system `ours` against `others`."""

    id: str
    ours: str
    others: str
    differs: dict[str, tuple[Setting, Setting]]  # by what they differ in, what it is in either
    sets: dict[str, BleuAndPerplexity]
    published: tuple[PublishedGain, ...]


class JoinedTexts(Part):
    seen: Count  # largest number of captions that training joined


class HowCompared(Part):
    joined: JoinedTexts


class MeasuredLineage(Made, kw_only=True):
    """What ``python -m training lineage`` measured, see `training.lineage`."""

    settings: HowCompared
    seed: NotNegative  # BLEU by which another seed changed a training, where one was tried
    systems: Annotated[dict[str, MeasuredSystem], Meta(min_length=1)]
    gains: tuple[MeasuredGain, ...]

    def __post_init__(self) -> None:
        named = {name for gain in self.gains for name in (gain.ours, gain.others)}
        if unknown := sorted(named - self.systems.keys()):
            raise ValueError(f"Expected gains of systems that are there, got {unknown[0]}")
        for name, system in self.systems.items():
            self.systems[name] = structs.replace(system, name=name)


def beyond_a_seed(bleu: float, seed: float) -> bool:
    """Whether a difference is larger than what another seed changed, which is known to a tenth."""
    return round(abs(bleu), 1) > seed


def mean_map(weights: np.ndarray) -> np.ndarray:
    """The mean over all layers and heads: (L, H, T_q, T_k) -> (T_q, T_k)."""
    return weights.mean(axis=(0, 1))


def sharpest_head(weights: np.ndarray) -> tuple[int, int]:
    """Layer and head whose rows have the largest weights, on average."""
    return strongest_head(weights.max(axis=-1).mean(axis=-1))


def grouped_drops(drops: np.ndarray, query_groups: Groups, key_groups: Groups) -> np.ndarray:
    """Drops of log p, (T_tgt, T_src), by words: the sum over the pieces of what is written, which
    is the drop of log p of the word, and of what is left out the piece that matters most."""
    rows = np.stack([drops[list(group)].sum(axis=0) for group in query_groups])
    columns = []
    for group in key_groups:
        part = rows[:, list(group)]
        strongest = np.abs(part).argmax(axis=1)
        columns.append(part[np.arange(len(rows)), strongest])
    return np.stack(columns, axis=1)


def grouped_places(positions: np.ndarray, query_groups: Groups, key_groups: Groups) -> np.ndarray:
    """Places among the pieces of the source, one for each row, as places among its words.

    A place between two pieces lies between their words, or at the same part of a word.
    """
    at = np.zeros(sum(map(len, key_groups)))
    for word, group in enumerate(key_groups):
        for nth, piece in enumerate(group):
            at[piece] = word + (nth + 0.5) / len(group) - 0.5
    rows = np.array([positions[list(group)].mean() for group in query_groups])
    return np.interp(rows, np.arange(len(at)), at).astype(np.float32)


def softmax_parts(
    scores: np.ndarray, seen: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The softmax over the scores that are `seen`, a step at a time.

    Returns float64 (T,): each score less the largest, its exponential, and
    that divided by their sum; 0 outside of what is seen, NaN for the first.
    """
    scores = np.asarray(scores, dtype=np.float64)
    largest, exponentials, shares = softmax(np.where(seen, scores, -np.inf))
    return np.where(seen, scores - largest, np.nan), exponentials, shares


def adding_up(values: Sequence[float], digits: int) -> np.ndarray:
    """The values with so many decimals, rounded so that they add up to their own rounded sum.

    Each is its value rounded down or up: up where most was lost, as often as the sum needs it.

    >>> adding_up([1 / 3, 1 / 3, 1 / 3], 2).tolist()
    [0.34, 0.33, 0.33]
    """
    scaled = np.asarray(values, dtype=np.float64) * 10.0**digits
    low = np.floor(scaled)
    missing = int(round(float(scaled.sum())) - low.sum())
    low[np.argsort(low - scaled, kind="stable")[:missing]] += 1
    return np.round(low / 10.0**digits, digits) + 0.0


def peak_order(states: np.ndarray) -> np.ndarray:
    """An order of units, (T, n) -> (n,), by the token at which each is largest in size; those of
    one token by their value there, the largest first."""
    peaks = np.abs(states).argmax(axis=0)
    values = states[peaks, np.arange(states.shape[1])]
    return np.lexsort((-values, peaks))


def prefixes(first: str, more: str, most: int) -> tuple[tuple[int, str], ...]:
    """A text lengthened word by word: the number of words added, and the text.

    `most`: texts; where there are more words, some lengths are passed over, never the last.
    """
    added = more.split()
    lengths = spread_places(len(added) + 1, most).tolist()
    return tuple((n, " ".join([first.strip(), *added[:n]])) for n in lengths)


def drop_limit(drops: Sequence[np.ndarray]) -> float:
    """The end of one scale for several maps of drops; a few that are larger end there too."""
    every = np.concatenate([np.abs(drop).ravel() for drop in drops]) if drops else np.zeros(1)
    large = float(np.nanquantile(every, 0.98))
    return next((limit for limit in (0.5, 1.0, 2.0, 5.0, 10.0) if large <= limit), 20.0)


def window_boxes(centres: np.ndarray, window: int, n_columns: int) -> pd.DataFrame:
    """In cells the window of each row and the line at its centre: x, x2, y, y2 and middle."""
    # All that lies within D of the centre: half a cell more on either side of the outermost.
    boxes = pd.DataFrame({"x": np.ceil(centres - window), "x2": np.floor(centres + window) + 1})
    boxes = boxes.assign(middle=centres + 0.5).clip(0, n_columns)
    return boxes.assign(y=boxes.index, y2=boxes.index + 1)


def state_table(states: np.ndarray, tokens: Sequence[str], order: np.ndarray) -> pd.DataFrame:
    """One line a unit and token: unit (from 1), place (from 1), token, value; units as ordered."""
    n, labels = len(tokens), [token_label(token, max_length=48) for token in tokens]
    return pd.DataFrame(
        {
            "unit": np.repeat(order + 1, n),
            "place": np.tile(np.arange(1, n + 1), len(order)),
            "token": labels * len(order),
            "value": states[:, order].T.ravel(),
        }
    )
