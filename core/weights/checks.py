"""Checks that attention obeys its own rules, measured on the weights at hand."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from words import Message
from words.numbers import fixed, scientific

from ..records.attention import AttentionMap
from ..records.head_weights import HeadWeights, rounding_of_sums, row_sums
from .measures import per_head
from .padding import PaddingEffect
from .transform import Regrouped

# A row of a few hundred float32 weights sums to one within a few millionths.
TOLERANCE = 1e-5
SMALLEST_ERROR = 1e-6  # accepted error of a float32 sum of vectors, as a share of its length
ROUNDING = 1e-4  # padding changes the order of summation


@dataclass(frozen=True)
class Check:
    """One rule and the measurement of it."""

    title: Message  # the rule, in a few words
    passed: bool  # True if the rule holds
    measured: Message  # the measurement, with its numbers


def self_check(attention: AttentionMap) -> tuple[Check, ...]:
    """Check the rules of weights straight after a softmax, over every layer and head.

    All numbers are finite, none is negative, every row sums to one within `TOLERANCE` (at a site
    that is not `normalised`, to at most one), and every masked weight is exactly 0. Weights stored
    in 8 or 16 bits may differ from this by their rounding.
    """
    weights = attention.weights
    if isinstance(weights, HeadWeights):
        # Rules also depend on the mask and the site, which maps of the same weights may differ in.
        mask = None if attention.mask is None else attention.mask.tobytes()
        name = ("checks", attention.site, mask)
        return weights.kept(name, lambda: _self_check(attention))
    return _self_check(attention)


def _self_check(attention: AttentionMap) -> tuple[Check, ...]:
    weights = attention.weights
    smallest = float(attention.weights.min())
    finite = per_head(attention, lambda heads: np.isfinite(heads).sum(axis=(-2, -1)))
    bad = int(weights.size - finite.sum())
    checks = [
        _check("finite", bad == 0, n=bad, of=int(weights.size)),
        _check("no-negative", smallest >= 0.0, smallest=scientific(smallest)),
        _rows(attention),
    ]
    if attention.mask is not None:
        # A mask of minus infinity gives exactly 0 after the softmax; no tolerance is needed.
        masked = ~attention.mask
        n_heads = math.prod(weights.shape[:2])
        numbers = per_head(attention, lambda heads: np.count_nonzero(heads[..., masked], axis=-1))
        largest = per_head(
            attention, lambda heads: np.abs(heads[..., masked]).max(axis=-1, initial=0.0)
        )
        wrong = int(numbers.sum())
        check = _check(
            "future",
            wrong == 0,
            largest=scientific(float(largest.max())),
            n=wrong,
            of=int(masked.sum()) * n_heads,
            heads=n_heads,
        )
        checks.append(check)
    return tuple(checks)


def vectors_check(error: float) -> Check:
    """Check that the parts of the heads, and the residual if any, sum to the layer's output."""
    return Check(
        Message.of("figures-check-vectors", error=error),
        error <= SMALLEST_ERROR,
        Message.of("figures-check-vectors-measured", error=error, most=SMALLEST_ERROR),
    )


def shown_check(regrouped: Regrouped) -> Check:
    """Check that merged or filtered rows still account for all weight.

    Rows sum to one as long as no special token is hidden, or once they are re-normalised, empty
    rows aside; otherwise shown and hidden weight sum to one. Rows of a site that is not
    `normalised` are only measured until they are re-normalised.
    """
    if not regrouped.attention.site.normalised and regrouped.special != "renormalise":
        return _rows(regrouped.attention)
    sums = row_sums(regrouped.attention.weights)
    if regrouped.special == "hide":
        total = float(sums.mean()) + regrouped.hidden_mass
        return _check(
            "shown-and-hidden",
            abs(total - 1.0) <= _tolerance(regrouped.attention),
            shown=fixed(sums.mean(), 4),
            hidden=fixed(regrouped.hidden_mass, 4),
            rows=int(sums.size),
        )
    # Rows with nothing left to re-normalise sum to 0 rightly.
    kept = np.delete(sums, regrouped.empty_rows, axis=-1)
    deviation = float(np.abs(kept - 1.0).max(initial=0.0))
    return _check(
        "rows-as-shown",
        deviation <= _tolerance(regrouped.attention),
        deviation=scientific(deviation),
        rows=int(kept.size),
        empty=len(regrouped.empty_rows),
    )


def _check(name: str, passed: bool, **measured: str | int) -> Check:
    return Check(
        Message.of(f"figures-check-{name}"),
        bool(passed),
        Message.of(f"figures-check-{name}-measured", **measured),
    )


def _rows(attention: AttentionMap) -> Check:
    """Check the row sums, summed in float64 so that only the model's rounding counts."""
    weights = attention.weights
    sums = row_sums(weights)
    n_rows = weights.shape[2]
    n_heads = math.prod(weights.shape[:2])
    if not attention.site.normalised:
        return _check(
            "rows-free",
            sums.max() <= 1.0 + _tolerance(attention),
            least=fixed(sums.min(), 4),
            most=fixed(sums.max(), 4),
            rows=n_rows,
            heads=n_heads,
        )
    deviation = float(np.abs(sums - 1.0).max())
    return _check(
        "rows",
        deviation <= _tolerance(attention),
        deviation=scientific(deviation),
        rows=n_rows,
        heads=n_heads,
    )


def _tolerance(attention: AttentionMap) -> float:
    """Return the accepted distance of a row sum from one: of the model, and of the storage."""
    weights = attention.weights
    return TOLERANCE + float(rounding_of_sums(weights).max(initial=0.0))


def padding_check(effect: PaddingEffect) -> Check:
    """Check that padding gets no weight at all, and that its presence changes nothing else."""
    return Check(
        Message.of("figures-check-padding"),
        effect.largest_weight == 0.0 and effect.largest_change <= ROUNDING,
        Message.of(
            "figures-check-padding-measured",
            n_source=effect.n_source,
            n_target=effect.n_target,
            weight=effect.largest_weight,
            change=effect.largest_change,
        ),
    )
