"""The learning rate of Vaswani et al. 2017, eq. 3."""

from __future__ import annotations


def warmup_learning_rate(step: int, d_model: int, warmup: int, factor: float = 1.0) -> float:
    """``factor * d_model^-0.5 * min(step^-0.5, step * warmup^-1.5)`` for step 1, 2, ..."""
    step = max(step, 1)
    return factor * d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def cooldown(step: int, start: int | None, last: int) -> float:
    """A factor that falls linearly from 1 at step `start` to 1/20 at step `last`; 1 without start.

    The paper's rate is still high when time runs out on two cores; letting it sink at the end
    settles the weights, as averaging does.
    """
    if start is None or step <= start:
        return 1.0
    return max(0.05, (last - step) / (last - start))
