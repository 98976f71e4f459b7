"""Numbers of a block: how long its vectors are, where they point, and what norms make of them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from records import Stream


def stream_table(stream: Stream, position: int) -> pd.DataFrame:
    """What every sub-layer adds at one position.

    Returns
    -------
    DataFrame with a line a sub-layer: place (from 0), before, added, summed, after (Euclidean
    lengths), cosine (between what was there and what is added; NaN where one of them is nothing).
    """
    before, added = stream.before[:, position], stream.added[:, position]
    lengths = {
        "before": before,
        "added": added,
        "summed": stream.sums[:, position],
        "after": stream.after[:, position],
    }
    found = {name: np.linalg.norm(of.astype(np.float64), axis=-1) for name, of in lengths.items()}
    product = found["before"] * found["added"]
    dots = np.einsum("sd,sd->s", before.astype(np.float64), added.astype(np.float64))
    with np.errstate(divide="ignore", invalid="ignore"):
        cosine = np.where(product > 0, dots / product, np.nan)
    return pd.DataFrame({"place": np.arange(len(before)), **found, "cosine": cosine})


def lengths_table(stream: Stream) -> pd.DataFrame:
    """The states of a stack on their way: place (0 for the input, then 1 up), length, alike.

    `length` is the mean Euclidean length over the positions, `alike` the mean cosine between any
    two of them, NaN where there is one.
    """
    states = np.concatenate((stream.before[:1], stream.after)).astype(np.float64)
    lengths = np.linalg.norm(states, axis=-1)
    return pd.DataFrame(
        {
            "place": np.arange(len(states)),
            "length": lengths.mean(axis=-1),
            "alike": [mean_cosine(state) for state in states],
        }
    )


def mean_cosine(vectors: np.ndarray) -> float:
    """The mean cosine of any two of the vectors (T, d); NaN where there is one."""
    n = len(vectors)
    if n < 2:
        return float("nan")
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    total = float(np.square(unit.sum(axis=0)).sum() - np.square(unit).sum())
    return total / (n * (n - 1))


def standardised(values: np.ndarray, eps: float, axis: int) -> np.ndarray:
    """(x - mean) / sqrt(variance + eps) along an axis, the variance as divided by n.

    Of vectors (T, d) along the last axis what a layer norm does to each of them (Ba et al. 2016),
    along the first what a batch norm does to each dimension (Ioffe and Szegedy 2015), both before
    gain and bias.
    """
    values = values.astype(np.float64)
    mean = values.mean(axis=axis, keepdims=True)
    return (values - mean) / np.sqrt(values.var(axis=axis, keepdims=True) + eps)


def norm_stages(stream: Stream, place: int, position: int) -> dict[str, np.ndarray]:
    """One vector on its way through a layer norm: given, standardised, scaled, each (d_model,)."""
    given = stream.norm_inputs[place, position].astype(np.float64)
    middle = standardised(given, stream.eps, 0)
    return {
        "given": given,
        "standardised": middle,
        "scaled": middle * stream.gains[place] + stream.biases[place],
    }


def moments_table(stages: dict[str, np.ndarray]) -> pd.DataFrame:
    """One line a stage: stage, mean, variance (divided by n), smallest, largest."""
    return pd.DataFrame(
        [
            {
                "stage": name,
                "mean": float(values.mean()),
                "variance": float(values.var()),
                "smallest": float(values.min()),
                "largest": float(values.max()),
            }
            for name, values in stages.items()
        ]
    )


def moved_by_others(vectors: np.ndarray, eps: float, position: int) -> tuple[float, float]:
    """How far one position moves, in its layer norm and its batch norm, when another is taken away.

    The last of the vectors (T, d) goes, or the first where `position` is the last.

    Returns
    -------
    the largest change of any dimension under layer norm, and under batch norm; 0 where there is
    no other
    """
    if len(vectors) < 2:
        return 0.0, 0.0
    gone = 0 if position == len(vectors) - 1 else len(vectors) - 1
    left = np.delete(vectors, gone, axis=0)
    at = position - (gone < position)
    moved = (
        np.abs(standardised(vectors, eps, axis)[position] - standardised(left, eps, axis)[at]).max()
        for axis in (1, 0)
    )
    layer, batch = map(float, moved)
    return layer, batch


def spread_places(n: int, count: int) -> np.ndarray:
    """`count` of the places 0 to n - 1, evenly spread; all where there are no more."""
    return np.unique(np.linspace(0, n - 1, min(n, count)).round().astype(int))


def firing(activations: np.ndarray, lengths: np.ndarray, count: int) -> pd.DataFrame:
    """The units that add most, of one layer at one position.

    Parameters
    ----------
    activations, lengths : (d_ff,), see `records.Units`

    Returns
    -------
    DataFrame, at most `count` lines, none for units that are off: unit (from 0), activation, added
    (the length of what it adds), falling by the latter.
    """
    added = activations.astype(np.float64) * lengths
    order = np.argsort(-added, kind="stable")[:count]
    order = order[activations[order] > 0]
    return pd.DataFrame(
        {"unit": order, "activation": activations[order].astype(float), "added": added[order]}
    )
