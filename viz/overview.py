"""All heads at a glance: a picture for each kind, layers down, heads across, one tile each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from records import AttentionKind, AttentionMap

from .figure import Figure, table
from .raster import data_url, mosaic_png
from .theme import INK, SELECTION, palette_of

SELECTION_NAME = "head"
KIND_TITLES = {
    "encoder": "encoder self-attention",
    "decoder": "decoder self-attention",
    "cross": "cross-attention",
}
_SIDE = 38  # pixels of a thumbnail
_GAP = 6
_BADGE = 15
_TITLE = 26
_LEFT = 20
_TOP = 18
_ACROSS = _SIDE + _GAP
_DOWN = _SIDE + _BADGE + _GAP

Head = tuple[AttentionKind, int, int]


def head_table(
    maps: Sequence[AttentionMap],
    badges: Mapping[AttentionKind, np.ndarray],
    *,
    selected: Head,
    marked: Sequence[Head] = (),
    click: int = 0,
    badge_format: str = ".2f",
) -> pd.DataFrame:
    """One line a head: kind, layer and head (from 0), name (from 1), number to print below.

    `badges` holds an (L, H) array for each kind, with NaN where there is no number to print;
    `marked` are heads to tell apart from the others; `x` and `y` are pixels from the top left.
    """
    lines = []
    for attention, top in zip(maps, _tops(maps), strict=True):
        for layer in range(attention.n_layers):
            for head in range(attention.n_heads):
                place = (attention.kind, layer, head)
                number = float(badges[attention.kind][layer, head])
                badge = "" if np.isnan(number) else format(number, badge_format)
                lines.append(
                    {
                        "kind": attention.kind,
                        "layer": layer,
                        "head": head,
                        "name": f"{KIND_TITLES[attention.kind]}, layer {layer + 1}, "
                        f"head {head + 1}",
                        "number": number,
                        "badge": badge + (" ◆" if place in marked else ""),
                        "selected": place == selected,
                        "x": _LEFT + head * _ACROSS,
                        "y": top + _TITLE + layer * _DOWN,
                        "click": click,
                    }
                )
    return pd.DataFrame(lines)


def head_grid(
    maps: Sequence[AttentionMap],
    badges: Mapping[AttentionKind, np.ndarray],
    *,
    badge_title: str,
    selected: Head,
    marked: Sequence[Head] = (),
    click: int = 0,
    badge_format: str = ".2f",
    dark: bool = False,
) -> Figure:
    """The overview; the selection `head` reports the clicked kind, layer and head with `click`."""
    heads = head_table(
        maps,
        badges,
        selected=selected,
        marked=marked,
        click=click,
        badge_format=badge_format,
    )
    width = _LEFT + _ACROSS * max(attention.n_heads for attention in maps)
    height = _tops(maps)[-1] + _TITLE + _DOWN * maps[-1].n_layers
    sizes = tuple(sorted({(m.n_heads * _ACROSS, m.n_layers * _DOWN) for m in maps}))
    chart = _grid_chart(width, height, sizes, badge_title)
    tables = {"pictures": _pictures(maps, dark), "heads": heads, "words": _words(maps)}
    return Figure(chart, tables, SELECTION_NAME, width + 10)


def _pictures(maps: Sequence[AttentionMap], dark: bool) -> pd.DataFrame:
    """One picture a kind, and where it goes, in pixels from the top left."""
    return pd.DataFrame(
        [
            {
                "image": _picture(attention, dark),
                "x": _LEFT + (_ACROSS - _SIDE) / 2,
                "y": top + _TITLE,
                "x2": _LEFT + (_ACROSS - _SIDE) / 2 + attention.n_heads * _ACROSS,
                "y2": top + _TITLE + attention.n_layers * _DOWN,
            }
            for attention, top in zip(maps, _tops(maps), strict=True)
        ]
    )


@lru_cache(maxsize=64)
def _picture(attention: AttentionMap, dark: bool) -> str:
    png = mosaic_png(
        attention.weights,
        palette_of(attention.kind, dark=dark).ramp,
        mask=attention.mask,
        gap=(_ACROSS - _SIDE) / _SIDE,
        gap_below=(_DOWN - _SIDE) / _SIDE,
    )
    return data_url(png)


def _tops(maps: Sequence[AttentionMap]) -> list[int]:
    """Pixels from the top to each block."""
    heights = [_TITLE + _DOWN * attention.n_layers for attention in maps]
    return [_TOP + sum(heights[:i]) for i in range(len(heights))]


def _words(maps: Sequence[AttentionMap]) -> pd.DataFrame:
    """Titles of the blocks, numbers of heads along the top and of layers along the side."""
    lines = [
        {"text": str(head + 1), "x": _LEFT + head * _ACROSS + _ACROSS / 2, "y": 8, "title": False}
        for head in range(max(attention.n_heads for attention in maps))
    ]
    lines.append({"text": "head", "x": 0, "y": 8, "title": True})
    for attention, top in zip(maps, _tops(maps), strict=True):
        title = KIND_TITLES[attention.kind]
        lines.append({"text": f"{title}, by layer", "x": 0, "y": top + 14, "title": True})
        lines += [
            {
                "text": str(layer + 1),
                "x": 6,
                "y": top + _TITLE + layer * _DOWN + _SIDE / 2,
                "title": False,
            }
            for layer in range(attention.n_layers)
        ]
    return pd.DataFrame(lines)


@lru_cache(maxsize=64)
def _grid_chart(
    width: int, height: int, sizes: tuple[tuple[int, int], ...], badge_title: str
) -> dict[str, Any]:
    """`sizes` are the (width, height) of the pictures, each once."""

    def pixels(field: str, size: int) -> dict[str, Any]:
        domain = [0, size] if field == "x" else [size, 0]
        return {
            "field": field,
            "type": "quantitative",
            "axis": None,
            "scale": alt.Scale(domain=domain, nice=False, zero=False),
        }

    x, y = alt.X(**pixels("x", width)), alt.Y(**pixels("y", height))
    picked = alt.selection_point(
        name=SELECTION_NAME,
        fields=["kind", "layer", "head", "click"],
        on="click",
        clear=False,
        empty=False,
        toggle=False,
    )
    over = alt.selection_point(
        name="over",
        fields=["kind", "layer", "head"],
        on="pointerover",
        clear="pointerout",
        empty=False,
    )
    base = alt.Chart(table("heads")).encode(x=x, y=y)
    images = [
        alt.Chart(table("pictures"))
        .transform_filter(f"datum.x2 - datum.x === {across} && datum.y2 - datum.y === {down}")
        .mark_image(
            width=across, height=down, align="left", baseline="top", aspect=False, tooltip=None,
            aria=False,
        )
        .encode(x=x, y=y, url="image:N")
        for across, down in sizes
    ]  # fmt: skip
    numbers = base.mark_text(
        dx=_ACROSS / 2, dy=_SIDE + 8, baseline="middle", fontSize=10, tooltip=None, aria=False
    ).encode(
        text="badge:N",
        color=alt.when(alt.datum.selected).then(alt.value(SELECTION)).otherwise(alt.value(INK)),
    )
    frames = (
        base.mark_rect(
            fill="transparent",
            strokeWidth=2,
            width=_ACROSS - 2,
            height=_DOWN - 3,
            xOffset=_ACROSS / 2,
            yOffset=(_DOWN - 3) / 2 - 3,
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
    quiet = {"baseline": "middle", "color": INK, "tooltip": None, "aria": False}
    words = alt.Chart(table("words")).encode(x=x, y=y, text="text:N")
    titles = words.transform_filter("datum.title").mark_text(
        align="left", fontSize=11, fontWeight=600, **quiet
    )
    counts = words.transform_filter("!datum.title").mark_text(
        align="center", fontSize=10, opacity=0.75, **quiet
    )
    return (
        alt.layer(titles, counts, *images, numbers, frames)
        .properties(width=width, height=height, autosize="pad")
        .configure_view(stroke=None)
        .to_dict()
    )
