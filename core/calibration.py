"""Calibration of probabilities: accuracy of a model by its confidence."""

from __future__ import annotations

import numpy as np

Bins = dict[str, list[float]]
"""Columns ``count``, ``confidence`` and ``accuracy``, one number a bin."""


def calibration(confidence: np.ndarray, right: np.ndarray) -> Bins:
    """Sort predictions into ten confidence bins of equal width.

    `confidence`: (N,), the probability of the likeliest token, 0 to 1. `right`: bool (N,), True if
    that token is the reference token. Returns ``count``, ``confidence`` and ``accuracy`` (means in
    each bin) of the bins that hold anything.
    """
    # A confidence of exactly 1 belongs to the last bin.
    bins = np.minimum((confidence * 10).astype(int), 9)
    held = [bins == number for number in np.unique(bins)]
    return {
        "count": [int(inside.sum()) for inside in held],
        "confidence": [float(confidence[inside].mean()) for inside in held],
        "accuracy": [float(right[inside].mean()) for inside in held],
    }


def expected_calibration_error(bins: Bins) -> float:
    """Return the mean gap between confidence and accuracy, weighted by bin size.

    Guo et al. 2017, eq. 3; 0 for a perfectly calibrated model.
    """
    count, sure, right = (np.array(bins[name]) for name in ("count", "confidence", "accuracy"))
    return float((count * np.abs(sure - right)).sum() / count.sum())
