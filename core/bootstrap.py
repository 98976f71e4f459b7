"""Intervals: of a share (Wilson 1927), and of a measure over sentences by bootstrap (Efron 1979).

For two systems the bootstrap is paired (Koehn 2004).

A corpus measure works on sums over sentences: BLEU on counts of n-grams, perplexity on summed
log-probabilities. So a corpus is an array with a row of such numbers for each sentence, and a
bootstrap sample is a sum of rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from .storage import Interval

Measure = Callable[[np.ndarray], np.ndarray]
"""Function from sums (..., k) to values (...)."""
RESAMPLES = 1000
"""Bootstrap samples of an interval."""
COVERED = 0.95
"""Probability that an interval covers."""
_QUANTILE = 1.959963984540054
"""Quantile of the normal distribution at (1 + COVERED) / 2."""
ORDERS = 4
"""Longest n-grams of BLEU."""


def wilson(k: int, n: int) -> tuple[float, float]:
    """Return the bounds of a share of `k` in `n` (Wilson 1927), 95 %; NaN if `n` is 0."""
    if not n:
        return math.nan, math.nan
    share = k / n
    square = _QUANTILE**2 / n
    centre = (share + square / 2) / (1 + square)
    half = _QUANTILE * math.sqrt((share * (1 - share) + square / 4) / n) / (1 + square)
    # Rounding may carry the bounds of none and of all beyond 0 and 1.
    return max(0.0, centre - half), min(1.0, centre + half)


def draws(n: int, resamples: int = RESAMPLES) -> np.ndarray:
    """Return how often each of `n` sentences occurs in each bootstrap sample, (resamples, n).

    Equal arguments give equal draws, which is what pairs two systems. Raises ValueError if `n` is
    not positive.
    """
    if n < 1:
        raise ValueError(f"expected one sentence or more to draw from, found {n}")
    return np.random.default_rng(0).multinomial(n, np.full(n, 1 / n), size=resamples)


def bootstrap(rows: np.ndarray, measure: Measure, *, resamples: int = RESAMPLES) -> Interval:
    """Return a measure of the sentences `rows` (n, k), with its interval."""
    return interval_of(measure(rows.sum(axis=0)), measure(_sums(rows, resamples)))


def compared(
    ours: np.ndarray,
    others: np.ndarray,
    measure: Measure,
    against: Callable[[np.ndarray, np.ndarray], np.ndarray] = np.subtract,
    *,
    resamples: int = RESAMPLES,
) -> Interval:
    """Compare two systems on the same sentences, each (n, k), by difference or by `against`.

    Raises
    ------
    ValueError : the systems have different numbers of sentences.
    """
    if ours.shape != others.shape:
        raise ValueError(f"expected the same sentences, found {ours.shape} and {others.shape}")
    value = against(measure(ours.sum(axis=0)), measure(others.sum(axis=0)))
    drawn = against(measure(_sums(ours, resamples)), measure(_sums(others, resamples)))
    return interval_of(value, drawn)


def _sums(rows: np.ndarray, resamples: int) -> np.ndarray:
    return draws(len(rows), resamples) @ rows


def ratios(sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return means and their intervals of many numbers at once, (3, ...): value, low and high.

    `sums` (n, ...) holds for every sentence the sum of each number, `counts` (n,) the number of
    summands, more than 0.
    """
    flat = sums.reshape(len(counts), -1)
    drawn = draws(len(counts))
    means = (drawn @ flat) / (drawn @ counts)[:, None]
    bounds = np.quantile(means, ((1 - COVERED) / 2, (1 + COVERED) / 2), axis=0)
    return np.stack([flat.sum(axis=0) / counts.sum(), *bounds]).reshape(3, *sums.shape[1:])


def interval_of(value: np.ndarray | float, drawn: np.ndarray) -> Interval:
    """Return a value with the 95 % interval of `drawn` (resamples,); without draws it is NaN."""
    if not len(drawn):
        return Interval(float(value), math.nan, math.nan)
    # The percentile interval, without correction of bias.
    tail = (1 - COVERED) / 2
    low, high = np.quantile(drawn, (tail, 1 - tail))
    return Interval(float(value), float(low), float(high))


def bleu(sums: np.ndarray) -> np.ndarray:
    """Return corpus BLEU (Papineni et al. 2002), smoothed as sacreBLEU does by default.

    `sums`: (..., 10): matched n-grams of one to four words, all n-grams of the output, and the
    lengths of output and reference in words.
    """
    right = sums[..., :ORDERS]
    total = sums[..., ORDERS : 2 * ORDERS]
    length = sums[..., 2 * ORDERS]
    wanted = sums[..., 2 * ORDERS + 1]
    # Exponential smoothing: the first order without a match counts as 1/2, the next as 1/4.
    missed = np.cumsum((right == 0) & (total > 0), axis=-1)
    counted = np.where(right > 0, right, 0.5**missed)
    # Empty outputs divide by zero; they score 0 below.
    with np.errstate(divide="ignore", invalid="ignore"):
        precisions = counted / total
        brevity = np.minimum(1.0, np.exp(1 - wanted / length))
        score = 100 * brevity * np.exp(np.log(precisions).mean(axis=-1))
    return np.where((total > 0).all(axis=-1) & (right > 0).any(axis=-1), score, 0.0)


def perplexity(sums: np.ndarray) -> np.ndarray:
    """Return exp of the mean negative log-probability from sums (..., 2) of log p and of tokens."""
    return np.exp(-sums[..., 0] / sums[..., 1])


def one_each(values: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return values as rows (n, 2) of (value, 1), the input of `mean`."""
    return np.column_stack([np.asarray(values, dtype=float), np.ones(len(values))])


def mean(sums: np.ndarray) -> np.ndarray:
    """Return the mean from rows (..., 2) of (sum, count)."""
    return sums[..., 0] / sums[..., 1]
