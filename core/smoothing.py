"""Label smoothing (Szegedy et al. 2016; Vaswani et al. 2017, section 5.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class SmoothedTarget:
    """Losses of one token, against its plain target and its smoothed one."""

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
