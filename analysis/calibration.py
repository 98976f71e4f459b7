"""How far a model's probabilities are to be believed."""

from __future__ import annotations

import numpy as np

Bins = dict[str, list[float]]


def calibration(confidence: np.ndarray, right: np.ndarray, n_bins: int = 10) -> Bins:
    """Bins of equal width over how sure a model was, and how often it was right in each.

    `confidence`: (N,), the probability of the likeliest token, 0 to 1. `right`: bool (N,), whether
    that token was the one that stood there. Returns ``count``, ``confidence`` and ``accuracy``
    (means in each bin), of the bins that hold anything.
    """
    place = np.minimum((confidence * n_bins).astype(int), n_bins - 1)
    held = [place == each for each in range(n_bins) if (place == each).any()]
    return {
        "count": [int(each.sum()) for each in held],
        "confidence": [float(confidence[each].mean()) for each in held],
        "accuracy": [float(right[each].mean()) for each in held],
    }


def expected_calibration_error(bins: Bins) -> float:
    """Mean distance between how sure and how right, weighted by the bins (Guo et al. 2017, eq. 3).

    0 where every number is to be believed.
    """
    count, sure, right = (np.array(bins[name]) for name in ("count", "confidence", "accuracy"))
    return float((count * np.abs(sure - right)).sum() / count.sum())
