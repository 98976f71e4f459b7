"""How far measures of importance agree, over the tokens of a translation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from .labels import distinct_labels


def mean_correlations(per_token: np.ndarray) -> np.ndarray:
    """(L, H, T_tgt) rank correlations -> (L, H), averaged over the tokens that have one.

    NaN where no token has one.
    """
    known = ~np.isnan(per_token)
    counts = known.sum(axis=-1)
    totals = np.where(known, per_token, 0.0).sum(axis=-1, dtype=np.float64)
    return np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)


def measures_table(
    tokens: Sequence[str], weights: np.ndarray | None, drops: np.ndarray, gradient: np.ndarray
) -> pd.DataFrame:
    """One line a source token: place (from 0), token, attention, drop and gradient.

    `tokens`: T_src source tokens. `weights`: (T_src,) of one head's row, 0 to 1; None where there
    are none, nor a column of them. `drops`: (T_src,) how much log p falls when the token is hidden,
    natural; NaN where it cannot be. `gradient`: (T_src,) gradient times input. Raises ValueError:
    the lengths differ.
    """
    given = {"attention": weights, "drop": drops, "gradient": gradient}
    measures = {name: np.asarray(each, float) for name, each in given.items() if each is not None}
    lengths = {len(tokens), *map(len, measures.values())}
    if len(lengths) != 1:
        raise ValueError(f"tokens and measures differ in length: {sorted(lengths)}")
    place = np.arange(len(tokens), dtype=np.int32)
    return pd.DataFrame({"place": place, "token": distinct_labels(tokens), **measures})
