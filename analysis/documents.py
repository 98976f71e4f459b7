"""Numbers of documents: weights of two levels together, distances of maps, where they point."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

MOST_DIVERGENCE = float(np.log(2))
"""The Jensen-Shannon divergence of two maps that share nothing, in nats."""


def shown_weights(words: Sequence[np.ndarray], sentences: np.ndarray) -> tuple[np.ndarray, ...]:
    """sqrt(p_s) p_w of every word, as Yang et al. 2016 (section 3.4) draw them.

    The root keeps the words of a sentence visible that has little weight itself.
    """
    return tuple(
        np.sqrt(weight) * row for weight, row in zip(sentences.tolist(), words, strict=True)
    )


def joint_weights(words: Sequence[np.ndarray], sentences: np.ndarray) -> np.ndarray:
    """p_s p_w of every word, one after another; they sum to one where both levels do."""
    rows = (weight * row for weight, row in zip(sentences.tolist(), words, strict=True))
    return np.concatenate(list(rows))


def total_variation(p: np.ndarray, q: np.ndarray) -> float:
    """Half the sum of the absolute differences of two distributions, 0 to 1."""
    return float(np.abs(p - q).sum() / 2)


def js_divergence(p: np.ndarray, q: np.ndarray) -> float:
    """Jensen-Shannon divergence of two distributions in nats, 0 to log 2 (Lin 1991)."""
    middle = (p + q) / 2
    return (_relative_entropy(p, middle) + _relative_entropy(q, middle)) / 2


def _relative_entropy(p: np.ndarray, q: np.ndarray) -> float:
    there = p > 0
    return float((p[there] * np.log(p[there] / q[there])).sum())


def points_at(weights: np.ndarray, right: Collection[int]) -> float:
    """Whether the largest weight is a right one; of several that are equal the share of such.

    So a map that is the same everywhere scores what chance does. `weights`: (n,), NaN where there
    is none. `right`: places in `weights`.
    """
    largest = np.flatnonzero(weights >= np.nanmax(weights) * (1 - 1e-6))
    return float(np.isin(largest, list(right)).mean())
