"""The learning rate of Vaswani et al. 2017, eq. 3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def warmup_learning_rate(step: int, d_model: int, warmup: int, factor: float = 1.0) -> float:
    """``factor * d_model^-0.5 * min(step^-0.5, step * warmup^-1.5)`` for step 1, 2, ..."""
    step = max(step, 1)
    return factor * d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def rate_multiplier(step: int, points: Sequence[tuple[int, float]]) -> float:
    """A factor for the rate of eq. 3, along straight lines between (step, factor); 1 without any.

    The paper's rate is still high when time runs out on two cores; letting it sink at the end
    settles the weights, as averaging does.
    """
    if not points:
        return 1.0
    steps, factors = zip(*points, strict=True)
    return float(np.interp(step, steps, factors))


def latest(step: int, entries: Sequence[Sequence[float]], otherwise: Any) -> Any:
    """What the last entry reached holds, `otherwise` before the first.

    An entry is (step, value), or (step, value, value, ...), which gives the values as a tuple.
    """
    reached = [values for first, *values in entries if first <= step]
    if not reached:
        return otherwise
    return reached[-1][0] if len(reached[-1]) == 1 else tuple(reached[-1])
