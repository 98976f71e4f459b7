"""What layers cost: counted after table 1 of Vaswani et al. 2017, and measured on a machine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

import numpy as np
import pandas as pd
from msgspec import Meta
from scipy.special import stdtrit

from .stored import AtLeastOne, Count, Made, Positive

LAYERS = ("attention", "gru", "lstm", "convolution", "dilated", "restricted")
SCORES = ("dot", "additive")
MEASURES = ("forward", "both", "kept")


class LayerCost(NamedTuple):
    """One layer of width d on one sentence of n tokens."""

    kind: Literal[(*LAYERS, *SCORES)]  # type: ignore[valid-type]
    n: AtLeastOne
    d: AtLeastOne
    forward: Positive  # seconds of a forward pass, the median
    both: Positive  # seconds of a forward and a backward pass, the median
    kept: Count  # bytes that the forward pass keeps for the backward one, without input and weights


class Costs(Made, kw_only=True):
    """Measured costs, and of what."""

    rows: Annotated[tuple[LayerCost, ...], Meta(min_length=1)]
    width: AtLeastOne  # k of the convolutions
    window: AtLeastOne  # r of restricted attention
    when: str = ""


FIRST_FITTED = 128  # shortest n of a fit; below it the time of every layer is its fixed share
LEAST_POINTS = 3
DIALS = {
    "n_step": [8 * 2**i for i in range(9)],
    "d_step": [64 * 2**i for i in range(4)],
    "k_step": [3 + 2 * i for i in range(5)],
    "r_step": [4 * 2**i for i in range(7)],
}
"""What the variables that sliders move stand for, step by step."""
FIRST_STEPS = {"n_step": 3, "d_step": 2, "k_step": 0, "r_step": 3}
DIALLED = {
    "n": "8 * pow(2, n_step)",
    "d": "64 * pow(2, d_step)",
    "k": "3 + 2 * k_step",
    "r": "4 * pow(2, r_step)",
}
TABLE_ONE = pd.DataFrame(
    [
        ("n² · d", "n * n * d", "1", "1", "1"),
        ("n · d²", "n * d * d", "n", "n", "n"),
        ("n · d²", "n * d * d", "n", "n", "n"),
        ("k · n · d²", "k * n * d * d", "1", "n / k", "ceil(n / k)"),
        ("k · n · d²", "k * n * d * d", "1", "log n / log k", "ceil(log(n) / log(k) - 1e-9)"),
        ("r · n · d", "min(r, n) * n * d", "1", "n / r", "ceil(n / r)"),
    ],
    columns=["formula", "operations", "steps", "path_formula", "path"],
    index=list(LAYERS),
)
"""By kind the formulas of table 1, and what the browser works out by them and `DIALLED`."""
PATHS = pd.DataFrame(
    [
        ("1", "{s} * (n - 1)"),
        ("n - 1", "{s}"),
        ("ceil((n - 1) / (k - 1))", "{s} * (k - 1)"),
        ("ceil(log(n) / log(k) - 1e-9)", "pow(k, {s}) - 1"),
        ("ceil((n - 1) / (r - 1))", "{s} * (r - 1)"),
    ],
    columns=["needs", "reach"],
    index=[layer for layer in LAYERS if layer != "lstm"],
)
"""By kind, as `path_length` counts it and for the browser: the steps from the first of n positions
to the last, and the position from 0 that `s` steps reach. An LSTM is as a GRU."""


def costs_table(costs: Costs) -> pd.DataFrame:
    """One line a measured place: kind, n, d, forward and both (seconds), kept (bytes)."""
    return pd.DataFrame(list(costs.rows))


def table_operations(layer: str, n: int, d: int, k: int, r: int) -> int:
    """Operations of a layer in the order of table 1, without factors.

    n^2 d for self-attention, n d^2 for a recurrent layer, k n d^2 for a convolution, r n d for
    attention restricted to r neighbours.
    """
    return {
        "attention": n * n * d,
        "gru": n * d * d,
        "lstm": n * d * d,
        "convolution": k * n * d * d,
        "dilated": k * n * d * d,
        "restricted": min(r, n) * n * d,
    }[layer]


def sequential_steps(layer: str, n: int) -> int:
    """Steps of a layer that must wait for each other: n of a recurrent one, else 1."""
    return n if layer in ("gru", "lstm") else 1


def path_length(layer: str, n: int, k: int, r: int) -> int:
    """How many layers or steps information takes from the first of n positions to the last.

    Windows of k or r positions hold a position and those before it, so each layer carries k - 1 or
    r - 1 further; dilations grow k-fold from layer to layer, so L layers see k^L positions.
    """
    far = n - 1
    if layer == "attention":
        return min(1, far)
    if layer in ("gru", "lstm"):
        return far
    if layer == "dilated":
        return table_path(layer, n, k, r)
    return math.ceil(far / ((k if layer == "convolution" else r) - 1))


def table_path(layer: str, n: int, k: int, r: int) -> int:
    """The longest path between two of n positions in the order of table 1: 1, n, n / k, log_k n or
    n / r, rounded up.

    >>> [table_path(layer, 81, 3, 27) for layer in ("attention", "gru", "convolution", "dilated")]
    [1, 81, 27, 4]
    """
    if layer == "dilated":
        return next(steps for steps in range(n + 1) if k**steps >= n)
    return {
        "attention": 1,
        "gru": n,
        "lstm": n,
        "convolution": math.ceil(n / k),
        "restricted": math.ceil(n / r),
    }[layer]


def fitted_exponents(table: pd.DataFrame, layers: Sequence[str], measure: str) -> pd.DataFrame:
    """The power of n with which a measure grows, by least squares on logarithms.

    `table`: of `costs_table`, from `FIRST_FITTED` on. `measure`: a column of it. Columns kind, at
    (the d), exponent, low, high (95 % of Student's t), points.
    """
    table = table[(table["n"] >= FIRST_FITTED) & (table[measure] > 0)]
    rows = []
    for layer in layers:
        for at, group in table[table["kind"] == layer].groupby("d"):
            if len(group) < LEAST_POINTS:
                continue
            exponent, low, high = power_of(group["n"].to_numpy(), group[measure].to_numpy())
            fit = {"exponent": exponent, "low": low, "high": high, "points": len(group)}
            rows.append({"kind": layer, "at": int(at), **fit})
    return pd.DataFrame(rows, columns=["kind", "at", "exponent", "low", "high", "points"])


def power_of(x: np.ndarray, y: np.ndarray) -> tuple[float, float, float]:
    """The b of y = a x^b and its 95 % interval, by least squares on logarithms.

    >>> power_of(np.array([1, 2, 4]), np.array([3, 12, 48]))[0]
    2.0
    """
    (slope, _), covariance = np.polyfit(np.log(x), np.log(y), deg=1, cov=True)
    # Student's t without scipy.stats, which takes longer to import than the rest of this package.
    reach = float(stdtrit(len(x) - 2, 0.975) * np.sqrt(covariance[0, 0]))
    slope = round(float(slope), 12)
    return slope, slope - reach, slope + reach


def crossing(table: pd.DataFrame, first: str, second: str, measure: str, d: int) -> float | None:
    """The n from which on `first` costs more than `second`, between two measured lengths.

    Straight lines between the points on logarithmic axes; None where they do not cross.
    """
    table = table[table["d"] == d].pivot(index="n", columns="kind", values=measure)
    if not {first, second} <= set(table.columns):
        return None
    pair = table[[first, second]].dropna()
    pair = pair[(pair > 0).all(axis=1)]
    if len(pair) < 2:
        return None
    gap = np.log(pair[first].to_numpy()) - np.log(pair[second].to_numpy())
    at = np.log(pair.index.to_numpy())
    for i in range(len(gap) - 1, 0, -1):
        if gap[i] > 0 >= gap[i - 1]:
            share = -gap[i - 1] / (gap[i] - gap[i - 1])
            return float(np.exp(at[i - 1] + share * (at[i] - at[i - 1])))
    return None


def search_costs(rows: pd.DataFrame) -> pd.DataFrame:
    """Times of searches by length, beam_size and seconds, sorted, with what is drawn of them.

    Columns besides: ms, ms_per_token, and of_width and of_length: whether a line of one width, of
    one length leads through the point. A line of one point is none, unless there is no other.
    """
    frame = rows[["length", "beam_size", "seconds"]].sort_values(["beam_size", "length"])
    frame = frame.reset_index(drop=True)
    frame["ms"] = frame["seconds"] * 1000
    frame["ms_per_token"] = frame["ms"] / frame["length"]
    for name, line in (("of_width", "beam_size"), ("of_length", "length")):
        points = frame.groupby(line)["ms"].transform("size")
        frame[name] = (points > 1) | (points.max() == 1)
    return frame


def counted_rows() -> pd.DataFrame:
    """A line a kind of table 1: place, kind, formula, steps_formula, path_formula."""
    rows = TABLE_ONE.rename_axis("kind").reset_index().rename(columns={"steps": "steps_formula"})
    rows.insert(0, "place", range(len(rows)))
    return rows.drop(columns=["operations", "path"])


def measured_points(
    table: pd.DataFrame, here: pd.DataFrame | None, layers: Sequence[str], measure: str
) -> pd.DataFrame:
    """The lines of `costs_table` that logarithmic axes can show by n, `here` those of a second."""
    parts = [table.assign(here=False), *([] if here is None else [here.assign(here=True)])]
    every = pd.concat(parts)
    return every[every["kind"].isin(layers) & (every[measure] > 0)].sort_values("n")


def round_ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 times the powers of ten from below `low` to below `high`."""
    powers = 10.0 ** np.arange(np.floor(np.log10(low)), np.log10(high))
    return np.outer(powers, (1, 2, 5)).ravel().tolist()
