"""One row of every head: what all heads looked at for a single token."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from records import CROSS, AttentionSite

from . import chart
from .chart import Part
from .figure import Figure
from .labels import distinct_labels, head_name, numbered_labels
from .look import say
from .theme import palette_of

_ROOM = 420  # pixels for the columns of a sentence of ordinary length
_DOWN = 17
_GAP = 8  # between layers
_FONT = 11.0
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
    n_layers, n_heads, n_keys = weights.shape
    layers, heads, keys = (axis.ravel() for axis in np.indices(weights.shape))
    labels = np.array(numbered_labels(key_tokens), dtype=object)
    names = [head_name(layer, head) for layer, head in np.ndindex(n_layers, n_heads)]
    if len(names) == 1:
        names = [say("head-single")]
    return pd.DataFrame(
        {
            "layer": layers.astype(np.int16),
            "head": heads.astype(np.int16),
            "k": keys.astype(np.int16),
            "name": pd.Categorical.from_codes(np.arange(len(names)).repeat(n_keys), names),
            "key": pd.Categorical.from_codes(keys, labels),
            "weight": weights.ravel().astype(np.float32),
        }
    )


def head_rows(
    weights: np.ndarray,
    key_tokens: Sequence[str],
    *,
    kind: AttentionSite | str = CROSS,
    only: Sequence[tuple[int, int]] | None = None,
) -> Figure:
    """A matrix of heads by keys, layers set apart; colours run from 0 to 1. Nothing to click.

    Parameters and errors are those of `head_rows_cells`; `kind` is the site, or its name. `only`
    names the heads to show, from top to bottom.
    """
    cells = head_rows_cells(weights, key_tokens)
    n_layers, n_heads, n_keys = weights.shape
    across = max(12.0, min(28.0, _ROOM / n_keys))
    tops = {
        (layer, head): layer * (n_heads * _DOWN + _GAP) + head * _DOWN
        for layer, head in np.ndindex(n_layers, n_heads)
    }
    if only is not None:
        tops = {place: i * _DOWN for i, place in enumerate(only)}
        places = list(zip(cells["layer"], cells["head"], strict=True))
        cells = cells[[place in tops for place in places]].reset_index(drop=True)
    top = np.array([tops[p] for p in zip(cells["layer"], cells["head"], strict=True)])
    cells = cells.assign(
        x=(cells["k"] * across).astype(np.float32),
        x2=((cells["k"] + 1) * across - 1).astype(np.float32),
        y=top.astype(np.float32),
        y2=(top + _DOWN - 1).astype(np.float32),
    )
    first = cells[cells["k"] == 0].reset_index(drop=True)
    heads = zip(first["layer"], first["head"], strict=True)
    rows = pd.DataFrame(
        {
            "y": first["y"] + _DOWN / 2,
            "label": [
                say("figures-head-code", layer=i + 1, head=j + 1) if n_layers * n_heads > 1 else ""
                for i, j in heads
            ],
        }
    )
    labels = distinct_labels(key_tokens)
    columns = pd.DataFrame(
        {"x": ((np.arange(n_keys) + 0.5) * across).astype(np.float32), "label": labels}
    )
    size = {"width": round(n_keys * across), "height": max(tops.values()) + _DOWN + _GAP}
    part = chart.layered(*_layers(palette_of(kind).ramp), **size)
    return Figure(
        chart.whole(part, autosize="pad"),
        {"cells": cells, "rows": rows, "columns": columns},
        "",
        width=round(n_keys * across) + _ROW_LABELS + 40,
    )


def _layers(ramp: Sequence[str]) -> list[Part]:
    text = {"text": "label:N"}
    return [
        chart.draw(
            "cells",
            chart.mark("rect"),
            **chart.BOX,
            color=chart.share_colour("weight:Q", ramp, title=say("figures-weight"), offset=8),
            tooltip=chart.told(
                ("name:N", say("figures-head")),
                ("key:N", say("figures-looks-at")),
                ("weight:Q", say("figures-weight"), ".4f"),
            ),
        ),
        chart.draw(
            "rows",
            chart.text(align="right", fontSize=_FONT, opacity=0.8),
            x=chart.value(-8),
            y=chart.pixels("y"),
            **text,
        ),
        chart.draw(
            "columns",
            chart.text(align="left", fontSize=_FONT, angle=305, limit=110.0),
            x=chart.pixels("x"),
            y=chart.value(-8),
            **text,
        ),
    ]
