"""How well rows of cross-attention rank what a produced token depends on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from model.experiments.explain import gradient_times_input, hide_each, rank_correlation, read_pair
from model.transformer import Transformer

from .rounding import numbers

AGAINST = ("both", "cross", "gradient")
METHODS = ("spearman", "kendall")


def correlations(
    model: Transformer, src_ids: tuple[int, ...], tgt_ids: tuple[int, ...], seed: int
) -> dict[tuple[str, str], dict[str, np.ndarray]]:
    """For each of `AGAINST` and `METHODS` the correlations of one pair, mean over its rows.

    `heads` (L, H), `layers` (L,); the others are single numbers; NaN where no row has one.
    """
    weights, log_probs = read_pair(model, src_ids, tgt_ids)  # (L, H, T_tgt, T_src)
    gradient = gradient_times_input(model, src_ids, tgt_ids)
    measures = {"gradient": gradient}
    for where in ("both", "cross"):
        hidden = hide_each(model, src_ids, tgt_ids, hidden_from=where)
        measures[where] = log_probs[:, None] - hidden
    rng = np.random.default_rng(seed)
    rows = {
        "heads": weights,
        "layers": weights.mean(axis=1),
        "average": weights.mean(axis=(0, 1)),
        "permuted_heads": rng.permuted(weights, axis=-1),
        "permuted_average": rng.permuted(weights.mean(axis=(0, 1)), axis=-1),
        "gradient": gradient,
    }
    found: dict[tuple[str, str], dict[str, np.ndarray]] = {}
    for against in AGAINST:
        for method in METHODS:
            entry = {
                name: _mean(rank_correlation(each, measures[against], method))
                for name, each in rows.items()
                if name != against
            }
            entry["permuted_heads"] = np.nanmean(entry["permuted_heads"])
            found[against, method] = entry
    return found


def explain_rows(
    model: Transformer, pairs: Iterable[tuple[tuple[int, ...], tuple[int, ...]]]
) -> list[dict[str, Any]]:
    """Correlations of many pairs of source and target ids: mean, std and n of each."""
    found = [correlations(model, src, tgt, seed) for seed, (src, tgt) in enumerate(pairs)]
    rows = []
    for against in AGAINST:
        for method in METHODS:
            entries = [each[against, method] for each in found]
            row: dict[str, Any] = {"against": against, "method": method}
            row |= {name: _spread([entry[name] for entry in entries]) for name in entries[0]}
            rows.append({"gradient": None} | row)
    return rows


def _mean(rows: np.ndarray) -> np.ndarray:
    """Mean over the last axis without what is NaN; NaN where nothing else is there."""
    there = ~np.isnan(rows)
    counts = there.sum(-1)
    sums = np.where(there, rows, 0.0).sum(-1, dtype=np.float64)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def _spread(values: Sequence[np.ndarray]) -> dict[str, Any]:
    """Mean and standard deviation over sentences, and how many have a number."""
    stacked = np.moveaxis(np.array(values, dtype=np.float64), 0, -1)  # (..., sentences)
    mean = _mean(stacked)
    std = np.sqrt(_mean((stacked - mean[..., None]) ** 2))
    n = (~np.isnan(stacked)).sum(-1)
    return {"mean": numbers(mean), "std": numbers(std), "n": n.tolist()}
