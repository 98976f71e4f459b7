"""One row of attention in every layer and head: what all heads looked at for a single token."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from records import AttentionKind

from .figure import Figure, table
from .labels import distinct_labels, numbered_labels
from .theme import INK, palette_of

_ROOM = 420  # pixels for the columns of a sentence of ordinary length
_DOWN = 17
_GAP = 8  # between layers
_FONT = 11.0
_MOST_LABEL = 110.0
_ROW_LABELS = 62


def head_rows_cells(weights: np.ndarray, key_tokens: Sequence[str]) -> pd.DataFrame:
    """One line for each layer, head and key.

    Parameters
    ----------
    weights : (L, H, T_k), each row sums to one.

    Returns
    -------
    DataFrame with the columns layer, head, k (all from 0), name (of the head, counted from 1), key
    (label with its position from 1), weight.

    Raises
    ------
    ValueError : the shapes do not fit.
    """
    if weights.ndim != 3 or weights.shape[2] != len(key_tokens):
        raise ValueError(
            f"expected weights of (L, H, {len(key_tokens)}), found {tuple(weights.shape)}"
        )
    layers, heads, keys = (axis.ravel() for axis in np.indices(weights.shape))
    labels = np.array(numbered_labels(key_tokens), dtype=object)
    names = [f"layer {i + 1}, head {j + 1}" for i, j in zip(layers, heads, strict=True)]
    return pd.DataFrame(
        {
            "layer": layers.astype(np.int16),
            "head": heads.astype(np.int16),
            "k": keys.astype(np.int16),
            "name": pd.Categorical(names),
            "key": pd.Categorical.from_codes(keys, labels),
            "weight": weights.ravel().astype(np.float32),
        }
    )


def head_rows(
    weights: np.ndarray,
    key_tokens: Sequence[str],
    *,
    kind: AttentionKind = "cross",
    dark: bool = False,
) -> Figure:
    """A matrix of heads by keys, layers set apart; colours run from 0 to 1. Nothing to click.

    Parameters and errors are those of `head_rows_cells`.
    """
    cells = head_rows_cells(weights, key_tokens)
    n_layers, n_heads, n_keys = weights.shape
    across = max(12.0, min(28.0, _ROOM / n_keys))
    top = cells["layer"] * (n_heads * _DOWN + _GAP) + cells["head"] * _DOWN
    cells = cells.assign(
        x=(cells["k"] * across).astype(np.float32),
        x2=((cells["k"] + 1) * across - 1).astype(np.float32),
        y=top.astype(np.float32),
        y2=(top + _DOWN - 1).astype(np.float32),
    )
    first = cells[cells["k"] == 0]
    heads = zip(first["layer"], first["head"], strict=True)
    rows = pd.DataFrame(
        {"y": first["y"] + _DOWN / 2, "label": [f"L{i + 1} H{j + 1}" for i, j in heads]}
    )
    labels = distinct_labels(key_tokens)
    columns = pd.DataFrame(
        {"x": ((np.arange(n_keys) + 0.5) * across).astype(np.float32), "label": labels}
    )
    height = n_layers * (n_heads * _DOWN + _GAP)
    chart = {**_chart(kind, dark), "width": round(n_keys * across), "height": height}
    tables = {"cells": cells, "rows": rows.reset_index(drop=True), "columns": columns}
    return Figure(chart, tables, "", width=round(n_keys * across) + _ROW_LABELS + 40)


def _pixels(field: str) -> dict[str, Any]:
    return {"field": field, "type": "quantitative", "scale": None, "axis": None}


@lru_cache(maxsize=64)
def _chart(kind: AttentionKind, dark: bool) -> dict[str, Any]:
    ramp = list(palette_of(kind, dark=dark).ramp)
    cells = (
        alt.Chart(table("cells"))
        .mark_rect()
        .encode(
            x=alt.X(**_pixels("x")),
            x2="x2:Q",
            y=alt.Y(**_pixels("y")),
            y2="y2:Q",
            color=alt.Color(
                "weight:Q",
                title="weight",
                scale=alt.Scale(domain=[0, 1], range=ramp, clamp=True),
                legend=alt.Legend(
                    orient="bottom",
                    direction="horizontal",
                    gradientLength=180,
                    gradientThickness=10,
                    values=[0, 0.25, 0.5, 0.75, 1],
                    format=".2f",
                    offset=8,
                ),
            ),
            tooltip=[
                alt.Tooltip("name:N", title="head"),
                alt.Tooltip("key:N", title="looks at"),
                alt.Tooltip("weight:Q", title="weight", format=".4f"),
            ],
        )
    )
    text = {"fontSize": _FONT, "color": INK, "tooltip": None}
    rows = (
        alt.Chart(table("rows"))
        .mark_text(align="right", baseline="middle", opacity=0.8, **text)
        .encode(x=alt.value(-8), y=alt.Y(**_pixels("y")), text="label:N")
    )
    columns = (
        alt.Chart(table("columns"))
        .mark_text(align="left", baseline="middle", angle=305, limit=_MOST_LABEL, **text)
        .encode(x=alt.X(**_pixels("x")), y=alt.value(-8), text="label:N")
    )
    return (
        alt.layer(cells, rows, columns)
        .properties(
            autosize="pad",
            padding={"left": 4, "top": 4, "right": 8, "bottom": 4},
        )
        .configure_view(stroke=None)
        .to_dict()
    )
