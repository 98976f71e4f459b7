"""Value zeroing: the worth of each token's values in a layer, beside its attention weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from .records.sources import TokenSequence


def zeroing_facts(shares: np.ndarray, weights: np.ndarray, src: TokenSequence) -> dict[str, Any]:
    """Return the weight and share of the last token, and Spearman's correlation of both measures.

    The correlation is the mean over rows; a row of equal numbers does not count.
    """
    from scipy.stats import spearmanr  # takes longer to import than the rest of this package

    rows = zip(shares, weights, strict=True)
    correlations = [spearmanr(*row).statistic for row in rows if min(map(np.ptp, row)) > 0]
    mean = float(np.mean(correlations)) if len(src) > 1 and correlations else float("nan")
    last = {"weight": float(weights[:, -1].mean()), "share": float(shares[:, -1].mean())}
    return {
        "token": src.tokens[-1],
        "correlation": mean,
        "known": mean == mean,
        **last,
    }
