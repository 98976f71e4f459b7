"""All heads of one kind at a glance: layers down, heads across, a thumbnail in each cell."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from records import AttentionMap

from .figure import Figure, table
from .raster import data_url, matrix_png
from .theme import INK, SELECTION, palette_of

SELECTION_NAME = "head"
_SIDE = 38  # pixels of a thumbnail
_GAP = 6
_BADGE = 15


def head_table(
    attention: AttentionMap,
    badges: np.ndarray,
    *,
    selected: tuple[int, int],
    marked: tuple[int, int] | None = None,
    click: int = 0,
    badge_format: str = ".2f",
    dark: bool = False,
) -> pd.DataFrame:
    """One line a head: layer and head (from 0), name (from 1), picture, number to print below.

    `badges` is an (L, H) array; `marked` is a head to tell apart from the others.
    """
    ramp = palette_of(attention.kind, dark=dark).ramp
    lines = [
        {
            "layer": layer,
            "head": head,
            "name": f"layer {layer + 1}, head {head + 1}",
            "image": data_url(matrix_png(attention.head(layer, head), ramp, mask=attention.mask)),
            "badge": format(float(badges[layer, head]), badge_format)
            + (" ◆" if (layer, head) == marked else ""),
            "selected": (layer, head) == selected,
            "click": click,
        }
        for layer in range(attention.n_layers)
        for head in range(attention.n_heads)
    ]
    return pd.DataFrame(lines)


def head_grid(
    attention: AttentionMap,
    badges: np.ndarray,
    *,
    badge_title: str,
    selected: tuple[int, int],
    marked: tuple[int, int] | None = None,
    click: int = 0,
    badge_format: str = ".2f",
    dark: bool = False,
) -> Figure:
    """The overview; the selection `head` reports the clicked layer and head with `click`."""
    heads = head_table(
        attention,
        badges,
        selected=selected,
        marked=marked,
        click=click,
        badge_format=badge_format,
        dark=dark,
    )
    chart = _grid_chart(attention.n_layers, attention.n_heads, badge_title)
    width = (_SIDE + _GAP) * attention.n_heads + 50
    return Figure(chart, {"heads": heads}, SELECTION_NAME, width)


@lru_cache(maxsize=64)
def _grid_chart(n_layers: int, n_heads: int, badge_title: str) -> dict[str, Any]:
    across, down = _SIDE + _GAP, _SIDE + _BADGE + _GAP
    quiet = {
        "ticks": False,
        "domain": False,
        "labelAngle": 0,
        "grid": False,
        "labelExpr": "datum.value + 1",
    }
    x = alt.X(
        "head:O",
        title="head",
        scale=alt.Scale(domain=list(range(n_heads)), padding=0),
        axis=alt.Axis(orient="top", **quiet),
    )
    y = alt.Y(
        "layer:O",
        title="layer",
        scale=alt.Scale(domain=list(range(n_layers)), padding=0),
        axis=alt.Axis(**quiet),
    )
    picked = alt.selection_point(
        name=SELECTION_NAME,
        fields=["layer", "head", "click"],
        on="click",
        clear=False,
        empty=False,
        toggle=False,
    )
    over = alt.selection_point(
        name="over", fields=["layer", "head"], on="pointerover", clear="pointerout", empty=False
    )
    base = alt.Chart(table("heads")).encode(x=x, y=y)
    images = base.mark_image(
        width=_SIDE, height=_SIDE, aspect=False, yOffset=-_BADGE / 2, tooltip=None, aria=False
    ).encode(url="image:N")
    numbers = base.mark_text(
        dy=_SIDE / 2, baseline="middle", fontSize=10, tooltip=None, aria=False
    ).encode(
        text="badge:N",
        color=alt.when(alt.datum.selected).then(alt.value(SELECTION)).otherwise(alt.value(INK)),
    )
    frames = (
        base.mark_rect(
            fill="transparent",
            strokeWidth=2,
            width=across - 2,
            height=down - 2,
            cornerRadius=3,
            cursor="pointer",
        )
        .encode(
            stroke=alt.when(alt.datum.selected)
            .then(alt.value(SELECTION))
            .when(over)
            .then(alt.value(INK))
            .otherwise(alt.value("transparent")),
            description="name:N",
            tooltip=[
                alt.Tooltip("name:N", title="head"),
                alt.Tooltip("badge:N", title=badge_title),
            ],
        )
        .add_params(picked, over)
    )
    return (
        alt.layer(images, numbers, frames)
        .properties(width=across * n_heads, height=down * n_layers, autosize="pad")
        .configure_view(stroke=None)
        .to_dict()
    )
