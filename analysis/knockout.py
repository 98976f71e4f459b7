"""What switching a head off did to a translation, token by token."""

from __future__ import annotations

import numpy as np


def hardest_hit(
    log_probs: np.ndarray, plain_log_probs: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Where log p of a token fell most in each run, and by how much.

    Parameters
    ----------
    log_probs : (N, T_tgt), natural, of one translation in N runs.
    plain_log_probs : (T_tgt,), of the same translation with nothing changed.

    Returns
    -------
    two arrays (N,): positions from 0, and float64 changes.
    """
    changes = log_probs - plain_log_probs
    worst = changes.argmin(axis=1)
    return worst, changes[np.arange(len(worst)), worst].astype(np.float64)
