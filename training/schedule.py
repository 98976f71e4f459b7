"""The learning rate of Vaswani et al. 2017, eq. 3."""

from __future__ import annotations


def warmup_learning_rate(step: int, d_model: int, warmup: int, factor: float = 1.0) -> float:
    """``factor * d_model^-0.5 * min(step^-0.5, step * warmup^-1.5)`` for step 1, 2, ..."""
    step = max(step, 1)
    return factor * d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)
