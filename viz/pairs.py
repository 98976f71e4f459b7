"""Two sentences side by side: which tokens they share, and what each head does differently."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from records import AttentionMap

from .figure import Figure, table
from .labels import distinct_labels, font_size, numbered_labels, text_width
from .matrix import cell_size
from .theme import INK, NEGATIVE, POSITIVE, diverging_ramp

Pairs = tuple[tuple[int, int], ...]

FIRST, SECOND = NEGATIVE, POSITIVE
_LIMITS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
_LABEL_LIMIT = 130.0


def align(first: Sequence[str], second: Sequence[str]) -> Pairs:
    """Positions of the tokens two sequences share, in order: (in `first`, in `second`).

    The longest common run comes first, then the longest on either side of it (Ratcliff and
    Obershelp), so each token has at most one partner and partners never cross.
    """
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return tuple(
        (block.a + i, block.b + i)
        for block in matcher.get_matching_blocks()
        for i in range(block.size)
    )


def partners(pairs: Pairs, positions: Sequence[int]) -> tuple[int, ...]:
    """Where `positions` of the first sequence are in the second; those with no partner left out."""
    where = dict(pairs)
    return tuple(where[position] for position in positions if position in where)


def shared_weights(
    first: AttentionMap, second: AttentionMap, row_pairs: Pairs, column_pairs: Pairs
) -> tuple[np.ndarray, np.ndarray]:
    """The weights of both maps on the rows and columns they share.

    Returns
    -------
    two arrays of shape (L, H, n_rows, n_columns), n_rows and n_columns the numbers of pairs. They
    are the weights as computed: a row also has weight on columns that are not shared, so it
    need not sum to one here. Nothing is re-normalised.

    Raises
    ------
    ValueError : the maps differ in kind, layers or heads.
    """
    found = (first.kind, first.weights.shape[:2]), (second.kind, second.weights.shape[:2])
    if found[0] != found[1]:
        raise ValueError(f"cannot compare {found[0]} with {found[1]}")
    rows, columns = _positions_of(row_pairs), _positions_of(column_pairs)
    return tuple(
        attention.weights[:, :, rows[side]][..., columns[side]]
        for side, attention in enumerate((first, second))
    )


def shared_mask(
    first: AttentionMap, second: AttentionMap, row_pairs: Pairs, column_pairs: Pairs
) -> np.ndarray:
    """Bool array (n_rows, n_columns), True where the query may look in both sentences."""
    rows, columns = _positions_of(row_pairs), _positions_of(column_pairs)
    seen = np.ones((len(row_pairs), len(column_pairs)), bool)
    for side, attention in enumerate((first, second)):
        if attention.mask is not None:
            seen &= attention.mask[np.ix_(rows[side], columns[side])]
    return seen


def shared_difference(
    first: AttentionMap, second: AttentionMap, row_pairs: Pairs, column_pairs: Pairs
) -> np.ndarray:
    """Second minus first on shared rows and columns, -1 to 1; shape (L, H, n_rows, n_columns).

    Raw weights are compared, see `shared_weights`; a masked weight counts as 0.
    """
    before, after = shared_weights(first, second, row_pairs, column_pairs)
    return after - before


def moved(difference: np.ndarray) -> np.ndarray:
    """How much of a row's weight moved in each head, mean over the shared rows, 0 to 1; (L, H).

    Half the sum of absolute differences: the total variation distance of two rows, as far as it
    lies on shared columns. 0 when no row is shared.
    """
    if difference.shape[2] == 0:
        return np.zeros(difference.shape[:2])
    return moved_rows(difference).mean(axis=-1)


def moved_rows(difference: np.ndarray) -> np.ndarray:
    """`moved` of every shared row on its own; shape (L, H, n_rows)."""
    return np.abs(difference).sum(axis=-1) / 2


def rank_moved(per_head: np.ndarray) -> list[tuple[int, int]]:
    """The (layer, head) of an (L, H) array, largest number first; ties in reading order."""
    order = np.argsort(-per_head, axis=None, kind="stable")
    return [divmod(int(place), per_head.shape[1]) for place in order]


def moved_table(
    per_head: np.ndarray, before: np.ndarray | None = None, after: np.ndarray | None = None
) -> pd.DataFrame:
    """One line a head in the order of `rank_moved`.

    Parameters
    ----------
    per_head : (L, H) array of `moved`.
    before, after : (L, H) weights of a chosen pair in the first and in the second sentence.

    Returns
    -------
    DataFrame with the columns layer, head (from 0), moved, and with a pair first, second.
    """
    order = rank_moved(per_head)
    layers, heads = (np.array([place[axis] for place in order], np.int64) for axis in (0, 1))
    columns = {"layer": layers, "head": heads, "moved": per_head[layers, heads]}
    if before is not None and after is not None:
        columns |= {"first": before[layers, heads], "second": after[layers, heads]}
    return pd.DataFrame(columns)


def difference_cells(
    first: AttentionMap,
    second: AttentionMap,
    layer: int,
    head: int,
    row_pairs: Pairs,
    column_pairs: Pairs,
    *,
    row_tokens: Sequence[str] | None = None,
) -> pd.DataFrame:
    """One line for each shared cell that may be looked at in both sentences.

    Parameters
    ----------
    row_tokens : the tokens that name the rows of `first`, its `query_tokens` unless given.

    Returns
    -------
    DataFrame with the columns q, k (places among the shared rows and columns, from 0), query, key
    (labels with the position in the first sentence from 1), first, second (weights 0 to 1),
    difference (second minus first).
    """
    before, after = (
        weights[layer, head] for weights in shared_weights(first, second, row_pairs, column_pairs)
    )
    rows, columns = np.nonzero(shared_mask(first, second, row_pairs, column_pairs))
    row_tokens = first.query_tokens if row_tokens is None else row_tokens
    query = _picked(numbered_labels(row_tokens), row_pairs)
    key = _picked(numbered_labels(first.key_tokens), column_pairs)
    return pd.DataFrame(
        {
            "q": rows.astype(np.int16),
            "k": columns.astype(np.int16),
            "query": pd.Categorical.from_codes(rows, query),
            "key": pd.Categorical.from_codes(columns, key),
            "first": before[rows, columns].astype(np.float32),
            "second": after[rows, columns].astype(np.float32),
            "difference": (after - before)[rows, columns].astype(np.float32),
        }
    )


def difference_heatmap(
    first: AttentionMap,
    second: AttentionMap,
    layer: int,
    head: int,
    row_pairs: Pairs,
    column_pairs: Pairs,
    *,
    row_tokens: Sequence[str] | None = None,
    limit: float | None = None,
    dark: bool = False,
) -> Figure:
    """Second minus first as a matrix: green where the second sentence has more weight.

    The colours run from `-limit` to `limit`, `symmetric_limit` of the head unless given. Words
    that the first sentence has more than once are numbered. The other arguments are those of
    `difference_cells`.

    Raises
    ------
    ValueError : no row or no column is shared.
    """
    if not row_pairs or not column_pairs:
        raise ValueError("no shared rows and columns to draw")
    cells = difference_cells(
        first, second, layer, head, row_pairs, column_pairs, row_tokens=row_tokens
    )
    if limit is None:
        limit = symmetric_limit(cells["difference"])
    rows = _edge(first.query_tokens if row_tokens is None else row_tokens, row_pairs, "q")
    columns = _edge(first.key_tokens, column_pairs, "k")
    n_rows, n_columns = len(rows), len(columns)
    across, down = cell_size(n_rows, n_columns)
    row_room, column_room = _label_room(rows["label"], down), _label_room(columns["label"], across)
    return Figure(
        _difference_chart(n_rows, n_columns, row_room, column_room, limit, dark),
        {"cells": cells, "rows": rows, "columns": columns},
        "",
        width=round(n_columns * across) + row_room + 70,
    )


def symmetric_limit(differences: Sequence[float]) -> float:
    """The end of a scale for these differences: the next of 0.02, 0.05, 0.1, 0.2, 0.5 and 1."""
    largest = float(np.abs(differences).max()) if len(differences) else 0.0
    return next((limit for limit in _LIMITS if largest <= limit), 1.0)


def _positions_of(pairs: Pairs) -> np.ndarray:
    """Positions in the first and in the second sequence; shape (2, n)."""
    return np.array(pairs, dtype=np.intp).reshape(-1, 2).T


def _picked(labels: Sequence[str], pairs: Pairs) -> np.ndarray:
    return np.array([labels[position] for position, _ in pairs], dtype=object)


def _edge(tokens: Sequence[str], pairs: Pairs, position: str) -> pd.DataFrame:
    """One line a shared token: its place and its label."""
    places = np.arange(len(pairs), dtype=np.int16)
    return pd.DataFrame({position: places, "label": _picked(distinct_labels(tokens), pairs)})


def _label_room(labels: Sequence[str], step: float) -> int:
    return round(min(_LABEL_LIMIT, max(text_width(label, font_size(step)) for label in labels)))


@lru_cache(maxsize=64)
def _difference_chart(
    n_rows: int, n_columns: int, row_room: int, column_room: int, limit: float, dark: bool
) -> dict[str, Any]:
    across, down = cell_size(n_rows, n_columns)
    quiet = {"labels": False, "ticks": False, "domain": False}
    x = alt.X(
        "k:O",
        title="shared key (column)",
        scale=alt.Scale(domain=list(range(n_columns)), paddingInner=0.06, paddingOuter=0.0),
        axis=alt.Axis(orient="top", titlePadding=column_room * 0.78 + 12, **quiet),
    )
    y = alt.Y(
        "q:O",
        title="shared query (row) attends to →",
        scale=alt.Scale(domain=list(range(n_rows)), paddingInner=0.06, paddingOuter=0.0),
        axis=alt.Axis(titlePadding=row_room + 12, **quiet),
    )
    colour = alt.Color(
        "difference:Q",
        title="second minus first",
        scale=alt.Scale(
            domain=[-limit, limit], range=list(diverging_ramp(dark)), interpolate="lab", clamp=True
        ),
        legend=alt.Legend(
            orient="bottom",
            direction="horizontal",
            gradientLength=220,
            gradientThickness=10,
            values=[-limit, -limit / 2, 0, limit / 2, limit],
            format="+.3~f" if limit < 0.1 else "+.2f",
            offset=6,
            titleLimit=240,
        ),
    )
    cells = (
        alt.Chart(table("cells"))
        .mark_rect()
        .encode(
            x=x,
            y=y,
            color=colour,
            tooltip=[
                alt.Tooltip("query:N", title="query"),
                alt.Tooltip("key:N", title="key"),
                alt.Tooltip("first:Q", title="first sentence", format=".4f"),
                alt.Tooltip("second:Q", title="second sentence", format=".4f"),
                alt.Tooltip("difference:Q", title="difference", format="+.4f"),
            ],
        )
    )
    row_labels = (
        alt.Chart(table("rows"))
        .mark_text(
            align="right",
            baseline="middle",
            fontSize=font_size(down),
            limit=_LABEL_LIMIT,
            color=INK,
            tooltip=None,
        )
        .encode(y=y, x=alt.value(-6), text="label:N")
    )
    column_labels = (
        alt.Chart(table("columns"))
        .mark_text(
            align="left",
            baseline="middle",
            fontSize=font_size(across),
            limit=_LABEL_LIMIT,
            angle=310,
            color=INK,
            tooltip=None,
        )
        .encode(x=x, y=alt.value(-8), text="label:N")
    )
    return (
        alt.layer(cells, row_labels, column_labels)
        .properties(
            width=n_columns * across,
            height=n_rows * down,
            autosize="pad",
            padding={"left": 4, "top": 4, "right": 30, "bottom": 4},
        )
        .configure_view(stroke=None)
        .to_dict()
    )
