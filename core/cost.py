"""Cost of layers: counted as in table 1 of Vaswani et al. 2017, and measured on a machine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

import numpy as np
import pandas as pd
from msgspec import Meta

from .storage import AtLeastOne, Count, MeasuredFile, Positive

LAYERS = ("attention", "gru", "lstm", "convolution", "dilated", "restricted")
"""Layers of table 1, with LSTM and dilated convolution."""
SCORES = ("dot", "additive")
"""Ways to compute the scores of attention, measured beside the layers."""
MEASURES = ("forward", "both", "kept")
"""Columns of `LayerCost` that a figure can draw."""
FIRST_FITTED = 128  # shortest n of a fit; for shorter ones fixed overhead dominates the time
LEAST_POINTS = 3  # of a fit: an interval of a line needs a degree of freedom
DIALS = {
    "n_step": [8 * 2**i for i in range(9)],
    "d_step": [64 * 2**i for i in range(4)],
    "k_step": [3 + 2 * i for i in range(5)],
    "r_step": [4 * 2**i for i in range(7)],
}
"""Values of the sliders' variables, step by step."""
FIRST_STEPS = {"n_step": 3, "d_step": 2, "k_step": 0, "r_step": 3}
DIALLED = {
    "n": "8 * pow(2, n_step)",
    "d": "64 * pow(2, d_step)",
    "k": "3 + 2 * k_step",
    "r": "4 * pow(2, r_step)",
}
"""Vega expressions of these values in terms of the steps."""
TABLE_ONE = pd.DataFrame(
    [
        ("n² · d", "n * n * d", "1", "1", "1"),
        ("n · d²", "n * d * d", "n", "n", "n"),
        ("n · d²", "n * d * d", "n", "n", "n"),
        ("k · n · d²", "k * n * d * d", "1", "n / k", "ceil(n / k)"),
        # Floating point puts log(125) / log(5) just above 3; without 1e-9 `ceil` would give 4.
        ("k · n · d²", "k * n * d * d", "1", "log n / log k", "ceil(log(n) / log(k) - 1e-9)"),
        ("r · n · d", "min(r, n) * n * d", "1", "n / r", "ceil(n / r)"),
    ],
    columns=["formula", "operations", "steps", "path_formula", "path"],
    index=list(LAYERS),
)
"""Formulas of table 1 by layer, and Vega expressions of them in the variables of `DIALLED`."""
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
"""Vega expressions by layer, as `path_length` counts; an LSTM equals a GRU.

`needs`: steps from the first of n positions to the last. `reach`: position from 0 after `s` steps.
"""


class LayerCost(NamedTuple):
    """Measured cost of one layer of width d on one sentence of n tokens."""

    kind: Literal[(*LAYERS, *SCORES)]  # type: ignore[valid-type]
    n: AtLeastOne
    d: AtLeastOne
    forward: Positive  # seconds of a forward pass, the median
    both: Positive  # seconds of a forward and a backward pass, the median
    kept: Count  # bytes kept for the backward pass, without input and weights


class Costs(MeasuredFile, kw_only=True):
    """Measured costs of all layers, with the settings of the measurement."""

    rows: Annotated[tuple[LayerCost, ...], Meta(min_length=1)]
    width: AtLeastOne  # k of the convolutions
    window: AtLeastOne  # r of restricted attention
    when: str = ""


@dataclass(frozen=True)
class AttentionCost:
    """Cost of dot-product and additive attention of one head on one sentence."""

    n_queries: int  # T_q
    n_keys: int  # T_k
    d_k: int
    dot_product_bytes: int  # of all tensors made on the way, counted from their shapes
    additive_bytes: int
    dot_product_seconds: float  # wall-clock time
    additive_seconds: float


def costs_table(costs: Costs) -> pd.DataFrame:
    """Return one row a measurement: kind, n, d, forward and both (seconds), kept (bytes)."""
    return pd.DataFrame(list(costs.rows))


def table_operations(layer: str, n: int, d: int, k: int, r: int) -> int:
    """Return the number of operations of a layer as table 1 counts, without constant factors.

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
    """Return the number of sequential steps of a layer: n for a recurrent one, else 1."""
    return n if layer in ("gru", "lstm") else 1


def path_length(layer: str, n: int, k: int, r: int) -> int:
    """Return the number of layers or steps from the first of n positions to the last.

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
    """Return the maximum path length of table 1: 1, n, n / k, log_k n or n / r, rounded up.

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
    """Fit the power of n with which a measure grows, by least squares on logarithms.

    `table`: that of `costs_table`; lengths from `FIRST_FITTED` on are used. `measure`: one of its
    columns. Returns the columns kind, at (the d), exponent, low, high (95 % of Student's t),
    points.
    """
    # A measure of 0, such as no bytes kept, has no logarithm.
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
    """Return the b of y = a x^b and its 95 % interval, by least squares on logarithms.

    >>> power_of(np.array([1, 2, 4]), np.array([3, 12, 48]))[0]
    2.0
    """
    from scipy import stats  # takes longer to import than the rest of this package

    line = stats.linregress(np.log(x), np.log(y))
    # Slope and intercept take two degrees of freedom.
    reach = float(stats.t.ppf(0.975, len(x) - 2)) * float(line.stderr)
    # Least squares on exact powers leaves a rounding error in the last digits.
    slope = round(float(line.slope), 12)
    return slope, slope - reach, slope + reach


def crossing(table: pd.DataFrame, first: str, second: str, measure: str, d: int) -> float | None:
    """Return the length n from which on `first` costs more than `second`.

    Interpolates between measured points on logarithmic axes; None if the lines do not cross.
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
    # From the long end, so that the last crossing counts if noise makes the lines cross twice.
    for i in range(len(gap) - 1, 0, -1):
        if gap[i] > 0 >= gap[i - 1]:
            share = -gap[i - 1] / (gap[i] - gap[i - 1])
            return float(np.exp(at[i - 1] + share * (at[i] - at[i - 1])))
    return None


def search_costs(rows: pd.DataFrame) -> pd.DataFrame:
    """Return search times by length and beam_size, sorted, with columns for drawing.

    Adds ms, ms_per_token, and of_width and of_length: True if a line of one width, or of one
    length, passes through the point. A line of a single point is not drawn unless there is no
    other.
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
    """Return one row a layer of table 1: place, kind, formula, steps_formula, path_formula."""
    rows = TABLE_ONE.rename_axis("kind").reset_index().rename(columns={"steps": "steps_formula"})
    rows.insert(0, "place", range(len(rows)))
    return rows.drop(columns=["operations", "path"])


def measured_points(
    table: pd.DataFrame, here: pd.DataFrame | None, layers: Sequence[str], measure: str
) -> pd.DataFrame:
    """Return the rows of `costs_table` that logarithmic axes can show, sorted by n.

    Rows of `here`, a second table beside the first, are marked in the column of that name.
    """
    parts = [table.assign(here=False), *([] if here is None else [here.assign(here=True)])]
    every = pd.concat(parts)
    return every[every["kind"].isin(layers) & (every[measure] > 0)].sort_values("n")


def round_ticks(low: float, high: float) -> list[float]:
    """Return 1, 2 and 5 times the powers of ten from below `low` to below `high`."""
    # From the power below `low`: its double or its fivefold may be the first tick in sight.
    powers = 10.0 ** np.arange(np.floor(np.log10(low)), np.log10(high))
    return np.outer(powers, (1, 2, 5)).ravel().tolist()
