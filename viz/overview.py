"""All heads at a glance: a picture for each site, layers down, heads across, one tile each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from records import AttentionMap

from . import chart
from .chart import Part
from .figure import Figure
from .labels import full_head_name, site_title
from .look import is_dark, say
from .raster import data_url, mosaic_png
from .theme import INK, SELECTION, SELECTION_TEXT, palette_of

SELECTION_NAME = "head"
_SIDE = 38  # pixels of a thumbnail
_GAP = 6
_BADGE = 15
_TITLE = 26
_FILM_SIDE = 44  # pixels of a picture's tile where there are many pictures
_LEFT = 20
_TOP = 18
_ACROSS = _SIDE + _GAP
_DOWN = _SIDE + _BADGE + _GAP

Head = tuple[str, int, int]
"""A site's name, a layer and a head."""

Frame = tuple[Sequence[AttentionMap], Mapping[str, np.ndarray]]
"""Maps, and for each site an (L, H) array of numbers to print."""


def head_table(
    maps: Sequence[AttentionMap],
    badges: Mapping[str, np.ndarray],
    *,
    selected: Head,
    marked: Sequence[Head] = (),
    badge_format: str = ".2f",
) -> pd.DataFrame:
    """One line a head: kind, layer and head (from 0), name (from 1), number to print below.

    `badges` holds an (L, H) array for each site, with NaN where there is no number to print;
    `marked` are heads to tell apart from the others; `x` and `y` are pixels from the top left.
    """
    heads = [(m.kind, *place) for m in maps for place in np.ndindex(m.n_layers, m.n_heads)]
    tops = {attention.kind: top for attention, top in zip(maps, _tops(maps), strict=True)}
    lines = []
    for place in heads:
        kind, layer, head = place
        number = float(badges[kind][layer, head])
        badge = "" if np.isnan(number) else format(number, badge_format)
        lines.append(
            {
                "kind": kind,
                "layer": layer,
                "head": head,
                "name": full_head_name(*place),
                "number": number,
                "badge": badge + (" ◆" if place in marked else ""),
                "selected": place == selected,
                "x": _LEFT + head * _ACROSS,
                "y": tops[kind] + _TITLE + layer * _DOWN,
            }
        )
    return pd.DataFrame(lines)


def head_grid(
    maps: Sequence[AttentionMap],
    badges: Mapping[str, np.ndarray],
    *,
    badge_title: str,
    selected: Head,
    marked: Sequence[Head] = (),
    badge_format: str = ".2f",
) -> Figure:
    """The overview. Nothing to click: all heads on the page are a component of their own."""
    table = {"selected": selected, "marked": marked, "badge_format": badge_format}
    return _drawn([(maps, badges)], badge_title, **table)


def head_film(
    frames: Sequence[Frame],
    *,
    signal: str,
    at: int,
    badge_title: str,
    selected: Head,
    marked: Sequence[Head] = (),
    click: int = 0,
    badge_format: str = ".2f",
) -> Figure:
    """As `head_grid` of several times, one of which is seen: a dial of the specification chooses.

    The selection `head` reports the clicked kind, layer and head with `click`.

    Parameters
    ----------
    frames : maps and badges of each time; the sites and their heads are the same at all.
    signal : the variable of the specification that chooses, from 0.
    at : the one to begin with.
    """
    table = {"selected": selected, "marked": marked, "badge_format": badge_format}
    return _drawn(frames, badge_title, dial=(signal, at), click=click, **table)


def _drawn(
    frames: Sequence[Frame],
    badge_title: str,
    dial: tuple[str, int] | None = None,
    click: int = 0,
    **table: Any,
) -> Figure:
    """All frames over each other; with several, the dial of this name tells which one is seen."""
    maps = frames[0][0]
    heads = [head_table(*frame, **table) for frame in frames]
    pictures = [_pictures(shown, _FILM_SIDE if dial else 96) for shown, _ in frames]
    now, dials = None, ()
    if dial:
        now, dials = f"datum.time === {dial[0]}", (chart.dial(*dial, len(frames) - 1),)
        heads, pictures = (
            [each.assign(time=np.int16(time)) for time, each in enumerate(tables)]
            for tables in (heads, pictures)
        )
        heads = [each.assign(click=click) for each in heads]
    width = _LEFT + _ACROSS * max(attention.n_heads for attention in maps)
    height = _tops(maps)[-1] + _TITLE + _DOWN * maps[-1].n_layers
    sizes = sorted({(m.n_heads * _ACROSS, m.n_layers * _DOWN) for m in maps})
    layers = _layers(width, height, sizes, badge_title, now)
    part = chart.layered(*layers, width=width, height=height)
    tables = {
        "pictures": pd.concat(pictures, ignore_index=True),
        "heads": pd.concat(heads, ignore_index=True),
        "words": _words(maps),
    }
    drawn = chart.whole(part, right=6, autosize="pad", dials=dials)
    return Figure(drawn, tables, SELECTION_NAME if dial else "", width + 10)


def _pictures(maps: Sequence[AttentionMap], size: int = 96) -> pd.DataFrame:
    """One picture a site, and where it goes, in pixels from the top left."""
    return pd.DataFrame(
        [
            {
                "image": _picture(attention, is_dark(), size),
                "x": _LEFT + (_ACROSS - _SIDE) / 2,
                "y": top + _TITLE,
                "x2": _LEFT + (_ACROSS - _SIDE) / 2 + attention.n_heads * _ACROSS,
                "y2": top + _TITLE + attention.n_layers * _DOWN,
            }
            for attention, top in zip(maps, _tops(maps), strict=True)
        ]
    )


@lru_cache(maxsize=64)
def _picture(attention: AttentionMap, dark: bool, size: int) -> str:
    """Kept for light and for dark pages apart."""
    png = mosaic_png(
        attention.weights,
        palette_of(attention.site).ramp,
        mask=attention.mask,
        gap=(_ACROSS - _SIDE) / _SIDE,
        gap_below=(_DOWN - _SIDE) / _SIDE,
        size=size,
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
    lines.append({"text": say("figures-head"), "x": 0, "y": 8, "title": True})
    for attention, top in zip(maps, _tops(maps), strict=True):
        title = say("figures-overview-by-layer", site=site_title(attention.kind))
        lines.append({"text": title, "x": 0, "y": top + 14, "title": True})
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


def _layers(
    width: int,
    height: int,
    sizes: Sequence[tuple[int, int]],
    badge_title: str,
    now: str | None = None,
) -> list[Part]:
    """`sizes` are the (width, height) of the pictures, each once; `now` tests what is seen
    of a film, whose heads can be clicked.

    A picture that is not seen is there all the same, so that it need not be loaded when it is.
    """
    clicks = () if now is None else (chart.click(SELECTION_NAME, "kind", "layer", "head", "click"),)
    pointer = {"cursor": "pointer"} if clicks else {}
    shown = {} if now is None else {"opacity": chart.when((now, 1), otherwise=0)}

    def pixels(name: str, domain: list[int]) -> Part:
        scale = {"domain": domain, "nice": False, "zero": False}
        return chart.field(f"{name}:Q", axis=None, scale=scale)

    at = {"x": pixels("x", [0, width]), "y": pixels("y", [height, 0])}
    over = chart.hover("over", "kind", "layer", "head")
    corner = {"align": "left", "baseline": "top", "aspect": False, **chart.QUIET}
    images = [
        chart.draw(
            "pictures",
            chart.mark("image", width=across, height=down, **corner),
            where=f"datum.x2 - datum.x === {across} && datum.y2 - datum.y === {down}",
            **at,
            **shown,
            url="image:N",
        )
        for across, down in sizes
    ]
    numbers = chart.draw(
        "heads",
        chart.text(dx=_ACROSS / 2, dy=_SIDE + 8, fontSize=10, aria=False),
        where=now,
        **at,
        text="badge:N",
        color=chart.when(("datum.selected", SELECTION_TEXT), otherwise=INK),
    )
    frames = chart.draw(
        "heads",
        chart.mark(
            "rect",
            fill="transparent",
            strokeWidth=2,
            width=_ACROSS - 2,
            height=_DOWN - 3,
            xOffset=_ACROSS / 2,
            yOffset=(_DOWN - 3) / 2 - 3,
            cornerRadius=3,
            **pointer,
        ),
        where=now,
        params=(*clicks, over),
        **at,
        stroke=chart.when(("datum.selected", SELECTION), (over, INK), otherwise="transparent"),
        description="name:N",
        tooltip=chart.told(("name:N", say("figures-head")), ("badge:N", badge_title)),
    )
    words = [
        chart.draw("words", chart.text(aria=False, **style), where=where, **at, text="text:N")
        for where, style in (
            ("datum.title", {"align": "left", "fontSize": 11, "fontWeight": 600}),
            ("!datum.title", {"align": "center", "fontSize": 10, "opacity": 0.75}),
        )
    ]
    return [*words, *images, numbers, frames]
