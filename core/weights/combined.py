"""Rows of several queries combined over the keys: their mean and their sum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..records.attention import AttentionMap
from .links import check_indices


@dataclass(frozen=True, eq=False)
class CombinedRows:
    """Mean and sum of the rows of `queries` in some heads of one layer.

    Where a row sums to one, a mean sums to one over the keys, and a sum to the number of queries.
    """

    layer: int
    heads: tuple[int, ...]
    queries: tuple[int, ...]  # distinct positions from 0, ascending
    mean: np.ndarray  # mean, sum: float64 (H, T_k), in the order of `heads`
    sum: np.ndarray
    allowed: np.ndarray  # bool (T_k,), True where one of the queries may attend


def combine_rows(
    attention: AttentionMap, layer: int, heads: Sequence[int], queries: Sequence[int]
) -> CombinedRows:
    """Combine the rows of `queries` over the keys; masked cells count as 0.

    `layer`, `heads` and `queries` count from 0. Raises IndexError if there is no such layer, head
    or query, and ValueError without queries.
    """
    if not queries:
        raise ValueError("no queries to combine, expected at least one")
    check_indices("layer", (layer,), attention.n_layers)
    check_indices("head", heads, attention.n_heads)
    check_indices("query row", queries, len(attention.query_tokens))
    chosen = sorted(set(queries))
    allowed = attention.allowed[chosen]
    # float64: the sum over many queries is shown with as many digits as a single weight.
    rows = attention.weights[layer][np.ix_(list(heads), chosen)].astype(np.float64)
    rows = np.where(allowed, rows, 0.0)
    return CombinedRows(
        layer=layer,
        heads=tuple(heads),
        queries=tuple(chosen),
        mean=rows.mean(axis=1),
        sum=rows.sum(axis=1),
        allowed=np.asarray(allowed.any(axis=0)),
    )


def combined_table(
    attention: AttentionMap,
    layer: int,
    heads: Sequence[int],
    queries: Sequence[int],
    row_tokens: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Return the `combine_rows` of `queries`, one row for each head and visible key.

    Columns: kind, layer, head, query_positions and query_tokens (joined by " + "), n_queries,
    key_position, key_token, ``<measure>_mean`` and ``<measure>_sum``. Layers, heads and positions
    count from 1 in the table. `row_tokens` (T_q) names the rows, by default
    ``attention.query_tokens``.
    """
    combined = combine_rows(attention, layer, heads, queries)
    names = attention.query_tokens if row_tokens is None else row_tokens
    keys = np.flatnonzero(combined.allowed)
    in_head, key = (axis.ravel() for axis in np.meshgrid(range(len(heads)), keys, indexing="ij"))
    return pd.DataFrame(
        {
            "kind": attention.site_id,
            "layer": layer + 1,
            "head": np.asarray(combined.heads)[in_head] + 1,
            "query_positions": " + ".join(str(query + 1) for query in combined.queries),
            "query_tokens": " + ".join(names[query] for query in combined.queries),
            "n_queries": len(combined.queries),
            "key_position": key + 1,
            "key_token": np.array(attention.key_tokens, dtype=object)[key],
            f"{attention.measure}_mean": combined.mean[in_head, key],
            f"{attention.measure}_sum": combined.sum[in_head, key],
        }
    )
