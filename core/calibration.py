"""Calibration of probabilities: how often a model is right, by how sure it is."""

from __future__ import annotations

import numpy as np

Bins = dict[str, list[float]]


def calibration(confidence: np.ndarray, right: np.ndarray) -> Bins:
    """Ten bins of equal width over how sure a model was, and how often it was right in each.

    `confidence`: (N,), the probability of the likeliest token, 0 to 1. `right`: bool (N,), whether
    that token was the one that stood there. Returns ``count``, ``confidence`` and ``accuracy``
    (means in each bin), of the bins that hold anything.
    """
    bins = np.minimum((confidence * 10).astype(int), 9)
    held = [bins == number for number in np.unique(bins)]
    return {
        "count": [int(inside.sum()) for inside in held],
        "confidence": [float(confidence[inside].mean()) for inside in held],
        "accuracy": [float(right[inside].mean()) for inside in held],
    }


def expected_calibration_error(bins: Bins) -> float:
    """Mean distance between how sure and how right, weighted by the bins (Guo et al. 2017, eq. 3).

    0 where every number is to be believed.
    """
    count, sure, right = (np.array(bins[name]) for name in ("count", "confidence", "accuracy"))
    return float((count * np.abs(sure - right)).sum() / count.sum())
