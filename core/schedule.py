"""Learning rate of Vaswani et al. 2017, eq. 3, and label smoothing, section 5.4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, eq=False)
class SmoothedTarget:
    """One smoothed target token (Szegedy et al. 2016; Vaswani et al. 2017, section 5.4)."""

    on_label: float  # on_label, on_others: target probability of the right token, and of each other
    on_others: float
    plain_loss: float  # -log p of the right token, in nats
    smoothed_loss: float  # the cross-entropy against the smoothed target
    least_loss: float  # smallest possible loss: the entropy of the smoothed target


def smoothed_target(log_probs: np.ndarray, label: int, epsilon: float) -> SmoothedTarget:
    """Compare the target ``(1 - epsilon) onehot + epsilon / V`` with a distribution over V tokens.

    `log_probs`: (V,), natural logarithms. `label`: the right token. `epsilon`: from 0, the plain
    target, to below 1.
    """
    log_probs = np.asarray(log_probs, dtype=np.float64)
    n = len(log_probs)
    others = epsilon / n
    on_label = 1 - epsilon + others
    smoothed = -(1 - epsilon) * log_probs[label] - others * log_probs.sum()
    # The cross-entropy is smallest where the model equals the target; it is then the entropy.
    least = -on_label * np.log(on_label)
    if epsilon > 0:
        least -= (n - 1) * others * np.log(others)
    return SmoothedTarget(
        float(on_label), float(others), float(-log_probs[label]), float(smoothed), float(least)
    )
