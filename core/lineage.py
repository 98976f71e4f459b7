"""Measurements of the systems that led to the Transformer, and tables that compare them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np
import pandas as pd
from msgspec import Meta, structs

from .records.tokens import token_label
from .storage import (
    AtLeastOne,
    Command,
    Count,
    Interval,
    MeasuredFile,
    NotNegative,
    Part,
    Share,
    ShareInterval,
)
from .weights.groups import Groups
from .weights.measures import strongest_head
from .weights.tables import spread_places


class Group(Interval, rename={"at": "words", "texts": "sentences"}):
    """Point of a curve over the length of a text."""

    at: NotNegative  # mean words of the sources
    group: Count  # number of joined captions, or of a bucket
    texts: AtLeastOne  # texts behind the point


class Stretch(Interval, rename={"at": "to", "group": "from"}):
    """Point of a curve over the positions in a text."""

    at: Annotated[float, Meta(ge=0, multiple_of=1)]  # the last token of the stretch
    group: Count  # the first token
    texts: AtLeastOne


class Lengths(Part):
    """BLEU by words of a caption, and by the number of joined captions."""

    captions: tuple[Group, ...]
    joined: tuple[Group, ...]


class ByMap(ShareInterval):
    """Share of one head."""

    layer: Count
    head: Count


class Pointing(Part):
    """Shares of linked target words for which the right source word has the largest value."""

    links: Count
    uniform: Share  # baseline of uniform attention
    left_out: ShareInterval  # by leave-one-out: the word whose removal costs most
    map: ByMap | None  # by a map, chosen on other sentences; None without attention


class Trained(Part):
    """Duration and speed of a training."""

    steps: Count
    seconds: NotNegative
    tokens_per_second: NotNegative  # of the target
    hardware: str


class Speed(Part):
    """Sentences per second of processor time."""

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
    operations: Count  # of matrix products, per target token
    training: Trained
    perplexity: dict[str, Interval]
    bleu: dict[str, Interval]
    lengths: Lengths
    places: tuple[Stretch, ...]  # mean log p per token by position in a joined text
    pointing: Pointing
    speed: Speed
    name: str = ""  # variant in the config, its key in the file


class BleuAndPerplexity(Part):
    """BLEU of our system minus the other's, and perplexity divided by the other's."""

    bleu: Interval
    perplexity: Interval


Sign = Literal["same", "opposite", "open"] | None
"""Agreement of our difference with the published one.

"open" if our interval includes no difference, None if the paper has none or is only similar.
"""
Setting = str | int | float | bool


class Signs(Part):
    """Agreement with a paper in BLEU and in perplexity."""

    bleu: Sign
    perplexity: Sign


class PublishedGain(Part):
    """Numbers that a paper prints without and with a step."""

    source: str
    rows: tuple[str, str]  # names of the two systems in the paper
    bleu: tuple[float, float] | None
    perplexity: tuple[float, float] | None
    more: bool  # the second perplexity is printed as more than this
    near: bool  # only similar to our comparison: varies something else, or other systems
    sign: Signs


class MeasuredGain(Part):
    """Gain by one step of the lineage: the system `ours` against `others`."""

    id: str
    ours: str
    others: str
    differs: dict[str, tuple[Setting, Setting]]  # settings that differ, with both values
    sets: dict[str, BleuAndPerplexity]
    published: tuple[PublishedGain, ...]


class JoinedTexts(Part):
    """Settings of joined captions."""

    seen: Count  # largest number of captions that training joined


class HowCompared(Part):
    """Settings of the comparison."""

    joined: JoinedTexts


class MeasuredLineage(MeasuredFile, kw_only=True):
    """Results of ``python -m evaluation lineage``, see `evaluation.lineage`."""

    settings: HowCompared
    seed: NotNegative  # change of BLEU by another seed, if one was tried
    systems: Annotated[dict[str, MeasuredSystem], Meta(min_length=1)]
    gains: tuple[MeasuredGain, ...]

    def __post_init__(self) -> None:
        named = {name for gain in self.gains for name in (gain.ours, gain.others)}
        if unknown := sorted(named - self.systems.keys()):
            raise ValueError(f"Expected gains between stored models, got {unknown[0]}")
        # The file names a system by its key alone; structs are frozen, so a copy gets the name.
        for name, system in self.systems.items():
            self.systems[name] = structs.replace(system, name=name)


def beyond_a_seed(bleu: float, seed: float) -> bool:
    """Return True if a difference exceeds the effect of another seed, which is known to a tenth."""
    return round(abs(bleu), 1) > seed


def mean_map(weights: np.ndarray) -> np.ndarray:
    """Average over all layers and heads: (L, H, T_q, T_k) -> (T_q, T_k)."""
    return weights.mean(axis=(0, 1))


def sharpest_head(weights: np.ndarray) -> tuple[int, int]:
    """Return the layer and head whose rows have the largest weights, on average."""
    return strongest_head(weights.max(axis=-1).mean(axis=-1))


def grouped_drops(drops: np.ndarray, query_groups: Groups, key_groups: Groups) -> np.ndarray:
    """Return drops of log p, (T_tgt, T_src), by words.

    Summed over the pieces of a target word, which is the drop of the word's log p; of a source word
    the piece with the largest drop counts.
    """
    rows = np.stack([drops[list(group)].sum(axis=0) for group in query_groups])
    columns = []
    for group in key_groups:
        part = rows[:, list(group)]
        # By size, but the sign is kept: a piece may also hurt the word.
        strongest = np.abs(part).argmax(axis=1)
        columns.append(part[np.arange(len(rows)), strongest])
    return np.stack(columns, axis=1)


def grouped_places(positions: np.ndarray, query_groups: Groups, key_groups: Groups) -> np.ndarray:
    """Map positions among the pieces of the source, one for each row, to positions among its words.

    A position between two pieces lies between their words, or at the same fraction of one word.
    """
    at = np.zeros(sum(map(len, key_groups)))
    for word, group in enumerate(key_groups):
        for nth, piece in enumerate(group):
            at[piece] = word + (nth + 0.5) / len(group) - 0.5
    # The pieces of a target word have a centre each; the word gets their mean.
    rows = np.array([positions[list(group)].mean() for group in query_groups])
    return np.interp(rows, np.arange(len(at)), at).astype(np.float32)


def adding_up(values: Sequence[float], digits: int) -> np.ndarray:
    """Round values so that they add up to their own rounded sum.

    Each is its value rounded down or up: up where most was lost, as often as the sum needs it.

    >>> adding_up([1 / 3, 1 / 3, 1 / 3], 2).tolist()
    [0.34, 0.33, 0.33]
    """
    scaled = np.asarray(values, dtype=np.float64) * 10.0**digits
    low = np.floor(scaled)
    missing = int(round(float(scaled.sum())) - low.sum())
    # Largest remainder method: those that lost most by rounding down go up.
    low[np.argsort(low - scaled, kind="stable")[:missing]] += 1
    # Adding 0.0 turns -0.0 into 0.0.
    return np.round(low / 10.0**digits, digits) + 0.0


def peak_order(states: np.ndarray) -> np.ndarray:
    """Return an order of units, (T, n) -> (n,), by the token at which each is largest in size.

    Units of one token are ordered by their value there, the largest first.
    """
    peaks = np.abs(states).argmax(axis=0)
    values = states[peaks, np.arange(states.shape[1])]
    # `lexsort` takes its last key as the first.
    return np.lexsort((-values, peaks))


def prefixes(first: str, more: str, most: int) -> tuple[tuple[int, str], ...]:
    """Lengthen a text word by word; returns (number of words added, text) pairs.

    At most `most` texts; if there are more words, some lengths are skipped, never the last.
    """
    added = more.split()
    lengths = spread_places(len(added) + 1, most).tolist()
    return tuple((n, " ".join([first.strip(), *added[:n]])) for n in lengths)


def drop_limit(drops: Sequence[np.ndarray]) -> float:
    """Return the end of one scale for several maps of drops.

    The 98th percentile rounded up: a few larger drops saturate.
    """
    every = np.concatenate([np.abs(drop).ravel() for drop in drops]) if drops else np.zeros(1)
    large = float(np.nanquantile(every, 0.98))
    return next((limit for limit in (0.5, 1.0, 2.0, 5.0, 10.0) if large <= limit), 20.0)


def window_boxes(centres: np.ndarray, window: int, n_columns: int) -> pd.DataFrame:
    """Return window and centre line of each row, in cells: x, x2, y, y2 and middle."""
    # Keys within D of the centre; a cell reaches half a unit to either side of its key.
    boxes = pd.DataFrame({"x": np.ceil(centres - window), "x2": np.floor(centres + window) + 1})
    boxes = boxes.assign(middle=centres + 0.5).clip(0, n_columns)
    return boxes.assign(y=boxes.index, y2=boxes.index + 1)


def state_table(states: np.ndarray, tokens: Sequence[str], order: np.ndarray) -> pd.DataFrame:
    """Return one row a unit and token: unit (from 1), place (from 1), token, value.

    Units are listed in the given `order`.
    """
    n = len(tokens)
    labels = [token_label(token, max_length=48) for token in tokens]
    return pd.DataFrame(
        {
            "unit": np.repeat(order + 1, n),
            "place": np.tile(np.arange(1, n + 1), len(order)),
            "token": labels * len(order),
            "value": states[:, order].T.ravel(),
        }
    )
