"""Does attention obey its own rules? Measured, not assumed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.transform import Regrouped
from records import AttentionMap

# A row of a few hundred float32 numbers adds up to one within a few millionths.
TOLERANCE = 1e-5


@dataclass(frozen=True)
class Check:
    """One rule and what was found.

    Attributes
    ----------
    title : the rule, in a few words.
    passed : whether it holds.
    measured : what was measured, with its numbers.
    """

    title: str
    passed: bool
    measured: str


def self_check(attention: AttentionMap) -> tuple[Check, ...]:
    """The rules that weights straight after a softmax obey, over every layer and head.

    All numbers are finite, none is negative, every row sums to one within `TOLERANCE` (to at most
    one where the site is not `normalised`, which is said so), and where there is a mask every
    masked weight is exactly 0.
    """
    weights = attention.weights
    n_heads = attention.n_layers * attention.n_heads
    checks = [_finite(weights), _no_negative(weights), _rows(attention, n_heads)]
    if attention.mask is not None:
        checks.append(_future(weights, attention.mask, n_heads))
    return tuple(checks)


def shown_check(shown: Regrouped) -> Check:
    """Merged or filtered rows still account for all weight.

    Rows sum to one as long as no special token is hidden or once they are re-normalised, rows
    with nothing left aside; otherwise what is shown and what is hidden sum to one. Rows that need
    not sum to one are only measured until they are re-normalised.
    """
    site = shown.attention.site
    if not site.normalised and shown.special != "renormalise":
        return _rows(shown.attention, shown.attention.n_layers * shown.attention.n_heads)
    sums = shown.attention.weights.sum(axis=-1, dtype=np.float64)
    if shown.special == "hide":
        total = float(sums.mean()) + shown.hidden_mass
        return Check(
            "shown and hidden weight sum to one",
            abs(total - 1.0) <= TOLERANCE,
            f"{sums.mean():.4f} shown and {shown.hidden_mass:.4f} hidden, mean of {sums.size} rows",
        )
    kept = np.delete(sums, shown.empty_rows, axis=-1)
    deviation = float(np.abs(kept - 1.0).max(initial=0.0))
    measured = f"largest deviation {number(deviation)} in {kept.size} rows"
    if shown.empty_rows:
        measured += f"; {len(shown.empty_rows)} with nothing left set aside"
    return Check("rows as shown sum to one", deviation <= TOLERANCE, measured)


def number(value: float) -> str:
    """A small number to two digits; nothing at all is a plain 0."""
    return f"{value:.1e}" if value else "0"


def _heads(count: int) -> str:
    return "1 head" if count == 1 else f"{count} heads"


def _finite(weights: np.ndarray) -> Check:
    bad = int(weights.size - np.isfinite(weights).sum())
    return Check(
        "every weight is a number", bad == 0, f"{bad} of {weights.size} weights are not finite"
    )


def _no_negative(weights: np.ndarray) -> Check:
    smallest = float(weights.min())
    return Check("no weight is negative", smallest >= 0.0, f"smallest weight {number(smallest)}")


def _rows(attention: AttentionMap, n_heads: int) -> Check:
    weights = attention.weights
    sums = weights.sum(axis=-1, dtype=np.float64)
    if not attention.site.normalised:
        return Check(
            "rows need not sum to one here",
            bool(sums.max() <= 1.0 + TOLERANCE),
            f"sums from {sums.min():.4f} to {sums.max():.4f} in {weights.shape[2]} rows of "
            f"{_heads(n_heads)}",
        )
    deviation = float(np.abs(sums - 1.0).max())
    return Check(
        "rows sum to one",
        deviation <= TOLERANCE,
        f"largest deviation {number(deviation)} in {weights.shape[2]} rows of {_heads(n_heads)}",
    )


def _future(weights: np.ndarray, mask: np.ndarray, n_heads: int) -> Check:
    masked = weights[:, :, ~mask]
    largest = float(np.abs(masked).max(initial=0.0))
    wrong = int(np.count_nonzero(masked))
    return Check(
        "future weights are exactly zero",
        wrong == 0,
        f"{wrong} of {masked.size} masked weights in {_heads(n_heads)} differ from 0, "
        f"the largest {number(largest)}",
    )
