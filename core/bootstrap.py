"""Intervals by drawing sentences anew (Efron 1979), and for two systems the same draws
(Koehn 2004).

A measure of a corpus works on sums over sentences: BLEU on counts of n-grams, perplexity on summed
log-probabilities. So a corpus is an array with a row of such numbers for each sentence, and a draw
is a sum of rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from .stored import Interval

Measure = Callable[[np.ndarray], np.ndarray]
"""From sums (..., k) to values (...)."""
RESAMPLES = 1000
COVERED = 0.95
ORDERS = 4
"""Longest n-grams of BLEU."""


def draws(n: int, resamples: int = RESAMPLES) -> np.ndarray:
    """How often each of `n` sentences is in each drawn corpus, (resamples, n); the same for the
    same arguments, which is what pairs two systems."""
    return np.random.default_rng(0).multinomial(n, np.full(n, 1 / n), size=resamples)


def bootstrap(rows: np.ndarray, measure: Measure, *, resamples: int = RESAMPLES) -> Interval:
    """A measure of the sentences `rows` (n, k)."""
    return interval_of(measure(rows.sum(axis=0)), measure(_sums(rows, resamples)))


def compared(
    ours: np.ndarray,
    others: np.ndarray,
    measure: Measure,
    against: Callable[[np.ndarray, np.ndarray], np.ndarray] = np.subtract,
    *,
    resamples: int = RESAMPLES,
) -> Interval:
    """Two systems on the same sentences, each (n, k): the difference, or what `against` makes.

    Raises ValueError: they are not on the same number of sentences.
    """
    if ours.shape != others.shape:
        raise ValueError(f"expected the same sentences, found {ours.shape} and {others.shape}")
    value = against(measure(ours.sum(axis=0)), measure(others.sum(axis=0)))
    drawn = against(measure(_sums(ours, resamples)), measure(_sums(others, resamples)))
    return interval_of(value, drawn)


def _sums(rows: np.ndarray, resamples: int) -> np.ndarray:
    return draws(len(rows), resamples) @ rows


def ratios(sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Means with their intervals of many numbers at once: of every sentence the `sums` (n, ...) of
    a number and of how many it is, `counts` (n,), more than 0. Returns value, low and high,
    (3, ...)."""
    flat, drawn = sums.reshape(len(counts), -1), draws(len(counts))
    means = (drawn @ flat) / (drawn @ counts)[:, None]
    bounds = np.quantile(means, ((1 - COVERED) / 2, (1 + COVERED) / 2), axis=0)
    return np.stack([flat.sum(axis=0) / counts.sum(), *bounds]).reshape(3, *sums.shape[1:])


def interval_of(value: np.ndarray | float, drawn: np.ndarray) -> Interval:
    """A value and where 95 % of the `drawn` ones (resamples,) lie; NaN where there are none."""
    if not len(drawn):
        return Interval(float(value), math.nan, math.nan)
    tail = (1 - COVERED) / 2
    low, high = np.quantile(drawn, (tail, 1 - tail))
    return Interval(float(value), float(low), float(high))


def bleu(sums: np.ndarray) -> np.ndarray:
    """Corpus BLEU (Papineni et al. 2002), smoothed as sacreBLEU does by default.

    `sums`: (..., 10): right n-grams of one to four words, all n-grams of the output, the words of
    the output and of the reference.
    """
    right, total = sums[..., :ORDERS], sums[..., ORDERS : 2 * ORDERS]
    length, wanted = sums[..., 2 * ORDERS], sums[..., 2 * ORDERS + 1]
    # An order without a right n-gram counts as half of one, the next such as a quarter.
    missed = np.cumsum((right == 0) & (total > 0), axis=-1)
    counted = np.where(right > 0, right, 0.5**missed)
    with np.errstate(divide="ignore", invalid="ignore"):
        precisions = counted / total
        brevity = np.minimum(1.0, np.exp(1 - wanted / length))
        score = 100 * brevity * np.exp(np.log(precisions).mean(axis=-1))
    return np.where((total > 0).all(axis=-1) & (right > 0).any(axis=-1), score, 0.0)


def perplexity(sums: np.ndarray) -> np.ndarray:
    """exp of the mean negative log-probability; sums (..., 2) of log p and of tokens."""
    return np.exp(-sums[..., 0] / sums[..., 1])


def one_each(values: Sequence[float] | np.ndarray) -> np.ndarray:
    """Values as the rows (n, 2) that `mean` is of."""
    return np.column_stack([np.asarray(values, dtype=float), np.ones(len(values))])


def mean(sums: np.ndarray) -> np.ndarray:
    """Sums (..., 2) of a value and of how many it is of."""
    return sums[..., 0] / sums[..., 1]
