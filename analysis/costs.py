"""What layers cost: counted after table 1 of Vaswani et al. 2017, and fitted to measured times."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

from records import LAYERS, Costs

FIRST_FITTED = 128  # shortest n of a fit; below it the time of every layer is its fixed share
LEAST_POINTS = 3


def costs_table(costs: Costs) -> pd.DataFrame:
    """One line a measured place: kind, n, d, forward and both (seconds), kept (bytes)."""
    return pd.DataFrame([vars(row) for row in costs.rows])


def table_operations(kind: str, n: int, d: int, k: int, r: int) -> int:
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
    }[kind]


def flops(kind: str, n: int, d: int, k: int, r: int) -> int:
    """Floating-point operations of the forward pass of the layers measured here, matrices alone.

    A product and a sum count as two. The attentions here have the four projections of a head,
    which table 1 leaves out; additive scores have the two of query and key, and one vector.
    """
    products = {
        "attention": 4 * n * d * d + 2 * n * n * d,
        "gru": 6 * n * d * d,
        "lstm": 8 * n * d * d,
        "convolution": k * n * d * d,
        "dilated": k * n * d * d,
        "restricted": 4 * n * d * d + 2 * n * r * d,
        "dot": n * n * d,
        "additive": 2 * n * d * d + n * n * d,
    }
    return 2 * products[kind]


def sequential_steps(kind: str, n: int) -> int:
    """Steps of a layer that must wait for each other: n of a recurrent one, else 1."""
    return n if kind in ("gru", "lstm") else 1


def path_length(kind: str, n: int, k: int, r: int) -> int:
    """How many layers or steps information takes from the first of n positions to the last.

    Windows of k or r positions hold a position and those before it, so each layer carries k - 1 or
    r - 1 further; dilations grow k-fold from layer to layer, so L layers see k^L positions.
    """
    far = n - 1
    if kind == "attention":
        return min(1, far)
    if kind in ("gru", "lstm"):
        return far
    if kind == "dilated":
        return table_path(kind, n, k, r)
    return math.ceil(far / ((k if kind == "convolution" else r) - 1))


def table_path(kind: str, n: int, k: int, r: int) -> int:
    """The longest path between two of n positions in the order of table 1: 1, n, n / k, log_k n or
    n / r, rounded up.

    >>> [table_path(kind, 81, 3, 27) for kind in ("attention", "gru", "convolution", "dilated")]
    [1, 81, 27, 4]
    """
    if kind == "dilated":
        return next(steps for steps in range(n + 1) if k**steps >= n)
    return {
        "attention": 1,
        "gru": n,
        "lstm": n,
        "convolution": math.ceil(n / k),
        "restricted": math.ceil(n / r),
    }[kind]


def reached_table(n: int, k: int, r: int) -> pd.DataFrame:
    """After how many steps the first position has reached each of n, in every kind of layer.

    Returns
    -------
    DataFrame: kind (of `LAYERS`, without "lstm", which is as "gru"), place (from 0), step.
    """
    return pd.DataFrame(
        [
            {"kind": kind, "place": place, "step": path_length(kind, place + 1, k, r)}
            for kind in LAYERS
            if kind != "lstm"
            for place in range(n)
        ]
    )


def fitted_exponents(
    table: pd.DataFrame, kinds: Sequence[str], measure: str, *, along: str = "n"
) -> pd.DataFrame:
    """The power with which a measure grows, by least squares on logarithms.

    Parameters
    ----------
    table : of `costs_table`
    measure : a column of it
    along : "n" at each d, from `FIRST_FITTED` on; "d" at each n from there on

    Returns
    -------
    DataFrame: kind, at (the number that stays), exponent, low, high (95 % of Student's t), points
    """
    other = "d" if along == "n" else "n"
    table = table[(table["n"] >= FIRST_FITTED) & (table[measure] > 0)]
    rows = []
    for kind in kinds:
        for at, group in table[table["kind"] == kind].groupby(other):
            if len(group) < LEAST_POINTS:
                continue
            exponent, low, high = power_of(group[along].to_numpy(), group[measure].to_numpy())
            found = {"exponent": exponent, "low": low, "high": high, "points": len(group)}
            rows.append({"kind": kind, "at": int(at), **found})
    return pd.DataFrame(rows, columns=["kind", "at", "exponent", "low", "high", "points"])


def power_of(x: np.ndarray, y: np.ndarray) -> tuple[float, float, float]:
    """The b of y = a x^b and its 95 % interval, by least squares on logarithms.

    >>> power_of(np.array([1, 2, 4]), np.array([3, 12, 48]))[0]
    2.0
    """
    line = stats.linregress(np.log(x), np.log(y))
    reach = float(stats.t.ppf(0.975, len(x) - 2)) * float(line.stderr)
    slope = round(float(line.slope), 12)
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
