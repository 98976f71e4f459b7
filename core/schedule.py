"""Learning rate of Vaswani et al. 2017, eq. 3."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def warmup_learning_rate(step: int, d_model: int, warmup: int, factor: float = 1.0) -> float:
    """Return ``factor * d_model^-0.5 * min(step^-0.5, step * warmup^-1.5)`` for step 1, 2, ..."""
    # Schedulers ask for step 0 before the first one.
    step = max(step, 1)
    return float(factor * d_model**-0.5 * min(step**-0.5, step * warmup**-1.5))


def rate_multiplier(step: int, points: Sequence[tuple[int, float]]) -> float:
    """Interpolate a factor for the rate of eq. 3 between (step, factor) points; 1 without any.

    The paper's rate is still high when time runs out on two cores; letting it sink at the end
    settles the weights, as averaging does.
    """
    if not points:
        return 1.0
    steps, factors = zip(*points, strict=True)
    return float(np.interp(step, steps, factors))


def flat_start(warmup: int) -> list[tuple[int, float]]:
    """Return points for `rate_multiplier` that remove the warm-up.

    The rate stands at its peak from the first step on, and falls after `warmup` as it would.
    """
    return [(step, warmup / step) for step in range(1, warmup + 1)]
