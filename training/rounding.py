"""Numbers as they are stored, and the bounds of a share."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.stats import binomtest


def numbers(values: np.ndarray) -> Any:
    nested = values.tolist()
    if isinstance(nested, float):
        return number(nested)
    return [numbers(np.asarray(value)) for value in nested]


def number(value: float) -> float | None:
    """Four decimals; JSON knows no NaN. Adding zero turns -0.0 into 0.0."""
    return None if math.isnan(value) else round(value, 4) + 0.0


def wilson(k: int, n: int) -> tuple[float, float]:
    """Bounds of a share of `k` in `n` (Wilson 1927), 95 %; NaN when n is 0."""
    if not n:
        return math.nan, math.nan
    interval = binomtest(k, n).proportion_ci(method="wilson")
    return float(interval.low), float(interval.high)
