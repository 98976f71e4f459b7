"""Numbers as they are stored: four decimals, and null where there is none."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def numbers(values: np.ndarray) -> Any:
    nested = values.tolist()
    if isinstance(nested, float):
        return number(nested)
    return [numbers(np.asarray(value)) for value in nested]


def number(value: float) -> float | None:
    """Four decimals; JSON knows no NaN. Adding zero turns -0.0 into 0.0."""
    return None if math.isnan(value) else round(value, 4) + 0.0
