"""Numbers of a block: how long its vectors are, where they point, and what norms make of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from records import Gradients, Lens, Stream
from words.numbers import fixed

from .labels import distinct_labels, token_label
from .tables import array_table, cell_places, labelled


def stream_table(stream: Stream, position: int) -> pd.DataFrame:
    """What every sub-layer adds at one position.

    One line a sub-layer: place (from 0), before, added, summed, after
    (Euclidean lengths), cosine (between what was there and what is added; NaN where one of them is
    nothing).
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


def strip_tables(
    stages: dict[str, np.ndarray], names: Sequence[str]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Of stages and their names all numbers (strip, j, value, stage), and of each stage strip,
    label, mean, low and high, one standard deviation to either side."""
    values = np.stack(list(stages.values()))
    numbers = array_table(values, "strip", "j", dtype=int)
    mean, deviation = values.mean(1), values.std(1)
    spans = labelled(names, "strip", mean=mean, low=mean - deviation, high=mean + deviation)
    return numbers.assign(stage=np.array(names, object)[numbers["strip"]]), spans


def moments_table(stages: dict[str, np.ndarray]) -> pd.DataFrame:
    """One line a stage: stage, mean, variance (divided by n), smallest, largest."""
    lines = [(name, v.mean(), v.var(), v.min(), v.max()) for name, v in stages.items()]
    return pd.DataFrame(lines, columns=["stage", "mean", "variance", "smallest", "largest"])


def moved_by_others(vectors: np.ndarray, eps: float, position: int) -> tuple[float, float]:
    """How far one position moves, in its layer norm and its batch norm, when another is taken away.

    The last of the vectors (T, d) goes, or the first where `position` is the last. Returns the
    largest change of any dimension under layer norm, and under batch norm; 0 where there is no
    other.
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

    `activations`, `lengths`: (d_ff,), see `records.Units`. At most `count` lines,
    none for units that are off: unit (from 0), activation, added (the length of what it
    adds), falling by the latter.
    """
    added = activations.astype(np.float64) * lengths
    order = np.argsort(-added, kind="stable")[:count]
    order = order[activations[order] > 0]
    return pd.DataFrame(
        {"unit": order, "activation": activations[order].astype(float), "added": added[order]}
    )


def norm_tables(
    vectors: np.ndarray, tokens: Sequence[str], eps: float, rows: slice, count: int
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Vectors (T, d) as given, after a layer norm and after a batch norm: panels 0, 1 and 2.

    `rows`: the tokens in the tables; all of them count. `count`: how many dimensions are in the
    tables. `cells`: panel, q, k (from 0), value, token (label), dimension (from 0), shade (value,
    as a part of what is usual in its panel). `rows`: of each token panel, q, label, mean and
    variance over all dimensions, moments (both as text). `columns`: the same of each dimension, k,
    over all tokens.
    """
    given = vectors.astype(np.float64)
    every = np.stack([given, standardised(given, eps, 1), standardised(given, eps, 0)])
    dims = spread_places(vectors.shape[1], count)
    labels, shown = distinct_labels(tokens)[rows], every[:, rows][:, :, dims]
    cells = array_table(shown, "panel", "q", "k", dtype=int)
    # Those that are given are of any size, the others of variance 1.
    usual = np.where(cells["panel"] == 0, given.std(), 1.0)
    cells["token"] = np.array(labels, object)[cells["q"]]
    return (
        cells.assign(dimension=dims[cells["k"]], shade=cells["value"] / usual),
        _moments("q", labels, every[:, rows]),
        _moments("k", list(map(str, dims)), every[:, :, dims].swapaxes(1, 2)),
    )


def _moments(axis: str, labels: Sequence[str], values: np.ndarray) -> pd.DataFrame:
    """Mean and variance of what is last of three axes; the first are panels and labels."""
    lines = array_table(values.mean(-1), "panel", axis, name="mean", dtype=int)
    lines.insert(2, "label", np.array(labels, object)[lines[axis]])
    lines["variance"] = values.var(-1).ravel()
    pairs = zip(lines["mean"], lines["variance"], strict=True)
    return lines.assign(moments=[f"{fixed(mean)}  {fixed(variance)}" for mean, variance in pairs])


def powers_of(values: pd.Series) -> pd.Series:
    """log10, None of what is not above 0: files round what is smaller than any gradient looks."""
    powers = np.log10(values.where(values > 0)).astype(object)
    return powers.where(powers.notna(), None)


def gradients_table(found: Gradients) -> pd.DataFrame:
    """One line a run and sub-layer: run, place (from 0), stack, size, alike."""
    lines = array_table(found.sizes, "run", "place", name="size", dtype=int)
    lines.insert(2, "stack", [found.places[at].stack for at in lines["place"]])
    lines["run"] = np.array(Gradients.RUNS)[lines["run"]]
    return lines.assign(alike=found.alike.ravel().astype(float))


def lens_table(lens: Lens, names: Sequence[str], tokens: Sequence[str]) -> pd.DataFrame:
    """One line a state (named by `names`) and position (by `tokens`).

    Columns q, k, query, key, best (label of the likeliest token), prob (of it), wanted, rank
    (probability and rank of the token asked for), five (the likeliest as text).
    """
    shape = lens.wanted_probs.shape
    labels = [[token_label(token) for token in lens.tokens[q][k]] for q, k in np.ndindex(*shape)]
    told = zip(labels, lens.probs.reshape(len(labels), -1), strict=True)
    return pd.DataFrame(cell_places(shape, names, tokens)).assign(
        query=np.repeat(list(names), len(tokens)),
        best=[each[0] for each in labels],
        prob=lens.probs[..., 0].ravel(),
        wanted=lens.wanted_probs.ravel(),
        rank=lens.wanted_ranks.ravel(),
        five=[", ".join(map("{} {:.2f}".format, *each)) for each in told],
    )
