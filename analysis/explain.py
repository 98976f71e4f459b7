"""How far measures of importance agree, over the tokens of a translation."""

from __future__ import annotations

import numpy as np


def mean_correlations(per_token: np.ndarray) -> np.ndarray:
    """(L, H, T_tgt) rank correlations -> (L, H), averaged over the tokens that have one.

    NaN where no token has one.
    """
    known = ~np.isnan(per_token)
    counts = known.sum(axis=-1)
    totals = np.where(known, per_token, 0.0).sum(axis=-1, dtype=np.float64)
    return np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)
