"""Numbers that hold one system against another, and that take one step of a decoder apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from .labels import token_label
from .measures import strongest_head
from .transform import Groups


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


def grouped_places(places: np.ndarray, query_groups: Groups, key_groups: Groups) -> np.ndarray:
    """Places among the pieces of the source, one for each row, as places among its words.

    A place between two pieces lies between their words, or at the same part of a word.
    """
    at = np.zeros(sum(map(len, key_groups)))
    for word, group in enumerate(key_groups):
        for nth, piece in enumerate(group):
            at[piece] = word + (nth + 0.5) / len(group) - 0.5
    rows = np.array([places[list(group)].mean() for group in query_groups])
    return np.interp(rows, np.arange(len(at)), at).astype(np.float32)


def softmax_parts(
    scores: np.ndarray, seen: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The softmax over the scores that are `seen`, a step at a time.

    Returns float64 (T,): each score less the largest, its exponential, and
    that divided by their sum; 0 outside of what is seen, NaN for the first.
    """
    scores = np.asarray(scores, dtype=np.float64)
    below = np.where(seen, scores - scores[seen].max(), np.nan)
    exponentials = np.where(seen, np.exp(np.where(seen, below, 0.0)), 0.0)
    return below, exponentials, exponentials / exponentials.sum()


def adding_up(values: Sequence[float], digits: int) -> np.ndarray:
    """The values with so many decimals, rounded so that they add up to their own rounded sum.

    Each is its value rounded down or up: up where most was lost, as often as the sum needs it.

    >>> adding_up([1 / 3, 1 / 3, 1 / 3], 2).tolist()
    [0.34, 0.33, 0.33]
    """
    scaled = np.asarray(values, dtype=np.float64) * 10.0**digits
    low = np.floor(scaled)
    missing = int(round(float(scaled.sum())) - low.sum())
    order = np.argsort(low - scaled, kind="stable")
    low[order[:missing]] += 1
    return np.round(low / 10.0**digits, digits) + 0.0


def largest_terms(terms: np.ndarray, count: int) -> np.ndarray:
    """Places of the terms that weigh most in a sum, (n,) -> the `count` largest by size."""
    return np.argsort(-np.abs(terms), kind="stable")[:count]


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
    lengths = np.unique(np.linspace(0, len(added), min(len(added) + 1, most)).round().astype(int))
    return tuple((int(n), " ".join([first.strip(), *added[:n]])) for n in lengths)


def drop_limit(drops: Sequence[np.ndarray]) -> float:
    """The end of one scale for several maps of drops; a few that are larger end there too."""
    every = np.concatenate([np.abs(each).ravel() for each in drops]) if drops else np.zeros(1)
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
