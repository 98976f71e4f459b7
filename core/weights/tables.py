"""Tables of cells and of the labels around them, for figures and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..records.attention import AttentionMap
from ..records.tokens import distinct_labels, numbered_labels


def with_columns(rows: pd.DataFrame | Sequence[Mapping[str, Any]], *needed: str) -> pd.DataFrame:
    """Return the rows as a table.

    Raises
    ------
    ValueError : there are no rows, or a column of `needed` is missing.
    """
    table = pd.DataFrame(rows)
    missing = [name for name in needed if name not in table]
    if table.empty or missing:
        raise ValueError(f"nothing to draw: {len(table)} rows, columns missing: {missing}")
    return table


def array_table(
    values: np.ndarray, *axes: str, name: str = "value", dtype: Any = np.int16
) -> pd.DataFrame:
    """Return one row a number of an array: its index along each of `axes`, and the number."""
    indices = (axis.ravel().astype(dtype) for axis in np.indices(values.shape))
    return pd.DataFrame({**dict(zip(axes, indices, strict=True)), name: values.ravel()})


def spread_places(n: int, count: int) -> np.ndarray:
    """Return `count` of the integers 0 to n - 1, evenly spread; all if there are no more."""
    return np.unique(np.linspace(0, n - 1, min(n, count)).round().astype(int))


def places_of(
    rows: np.ndarray, columns: np.ndarray, query_labels: Sequence[str], key_labels: Sequence[str]
) -> dict[str, Any]:
    """Return the columns of cells: q, k (from 0), query, key (their labels)."""
    # Labels repeat in every row of cells; as categories each is stored once.
    query, key = (np.array(labels, dtype=object) for labels in (query_labels, key_labels))
    return {
        "q": rows.astype(np.int16),
        "k": columns.astype(np.int16),
        "query": pd.Categorical.from_codes(rows, query),
        "key": pd.Categorical.from_codes(columns, key),
    }


def cell_places(
    shape: tuple[int, int], query_tokens: Sequence[str], key_tokens: Sequence[str]
) -> dict[str, Any]:
    """Return `places_of` every cell, row by row, labels with the position from 1."""
    rows, columns = (axis.ravel() for axis in np.indices(shape))
    return places_of(rows, columns, numbered_labels(query_tokens), numbered_labels(key_tokens))


def edge(tokens: Sequence[str], position: str, **columns: Any) -> pd.DataFrame:
    """Return one row a token: its index under the name `position`, its label, and `columns`."""
    return labelled(distinct_labels(tokens), position, **columns)


def labelled(labels: Sequence[str], position: str, **columns: Any) -> pd.DataFrame:
    """Return `edge` for ready-made labels."""
    at = np.arange(len(labels), dtype=np.int16)
    return pd.DataFrame({position: at, "label": np.array(labels, dtype=object), **columns})


def matrix_cells(
    values: np.ndarray,
    *tokens: Sequence[str],
    seen: np.ndarray | None = None,
    hatched: np.ndarray | None = None,
) -> pd.DataFrame:
    """Return one row a cell of a matrix.

    Columns q, k (from 0), query, key (labels with the position from 1), value, seen (False for an
    absent cell) and hatched (True if an intervention forbids it). Values and masks are (T_q, T_k);
    `tokens` are those of the queries and those of the keys.
    """
    frame = pd.DataFrame(cell_places(values.shape, *tokens))
    frame["value"] = values.ravel().astype(np.float32)
    frame["seen"] = True if seen is None else seen.ravel()
    frame["hatched"] = False if hatched is None else hatched.ravel()
    return frame


def attention_cells(
    attention: AttentionMap, layer: int, head: int, *, contrast: bool = False
) -> pd.DataFrame:
    """Return one row for each cell of a head, masked ones included.

    Columns q, k (positions from 0), weight (0 to 1), rank (1 = largest of its row), with `contrast`
    shade (the weight divided by the largest of its row), and if the map has them seen (False if
    masked) and score (q·k divided by sqrt(d_k), before the mask).
    """
    weights = attention.head(layer, head)
    largest = weights.max(axis=1, keepdims=True)
    columns: dict[str, Any] = {
        "weight": weights.astype(np.float32),
        "rank": row_ranks(weights).astype(np.int16),
        "shade": (weights / np.where(largest > 0, largest, 1.0)).astype(np.float32)
        if contrast
        else None,
        "seen": attention.mask,
        "score": None if attention.scores is None else np.float32(attention.scores[layer, head]),
    }
    table = array_table(weights, "q", "k", name="weight")
    for name, values in columns.items():
        if values is not None:
            table[name] = values.ravel()
    return table


def summed_edge(
    tokens: Sequence[str], position: str, weights: np.ndarray, locked: Sequence[int]
) -> pd.DataFrame:
    """Return `edge` of the queries ("q") or keys ("k") of weights (T_q, T_k), with their sums.

    Columns total (sum of each one's cells) and locked (True for those of `locked`).
    """
    total = weights.sum(axis=1 if position == "q" else 0).astype(np.float32)
    return edge(tokens, position, locked=np.isin(np.arange(len(total)), list(locked)), total=total)


def row_ranks(weights: np.ndarray) -> np.ndarray:
    """Return the rank of each key within its row, 1 for the largest; same shape as `weights`."""
    # Stable: of equal weights the earlier key has the better rank.
    order = np.argsort(-weights, axis=-1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(1, weights.shape[-1] + 1)[None, :], axis=-1)
    return ranks
