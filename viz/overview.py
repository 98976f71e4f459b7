"""Overview of all heads: a picture for each site, layers down, heads across, a tile each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.records.attention import HEAD, AttentionMap, Head
from core.weights.maps import Frame, head_numbers

from . import recipes as r
from .figure import Figure, drawn
from .labels import full_head_name, site_title
from .raster import data_url, mosaic_png
from .style import is_dark, say
from .theme import INK, SELECTION_TEXT, palette_of

SELECTION_NAME = "head"
_SIDE = 96  # pixels of a tile's picture
_FILM_SIDE = 44  # pixels of a tile's picture in a film
_TILE = 38  # pixels of a tile on the page
_ACROSS = 44  # pixels from one tile to the next
_DOWN = 59  # pixels from one row of tiles to the next
_GAP = (_ACROSS - _TILE) / 2
_FILM_ROOM = 200  # pixels of the tiles of a film, beside which curves stand; wider ones shrink


def head_grid(
    maps: Sequence[AttentionMap],
    badges: Mapping[str, np.ndarray],
    *,
    badge_title: str,
    selected: Head,
    marked: Sequence[Head] = (),
) -> Figure:
    """Draw the overview; `badge_title`, `selected` and `marked` are those of `head_film`.

    There is nothing to click: on the page a component of its own draws all heads.
    """
    return head_film(
        [(maps, badges)], signal="", badge_title=badge_title, selected=selected, marked=marked
    )


def head_film(
    frames: Sequence[Frame],
    *,
    signal: str,
    badge_title: str,
    selected: Head,
    marked: Sequence[Head] = (),
    at: int = 0,
    click: int = 0,
) -> Figure:
    """Draw `head_grid` for several times, of which a dial of the specification selects one.

    The selection `head` reports the clicked kind, layer and head with `click`.

    Parameters
    ----------
    frames, marked : as for `core.weights.maps.head_numbers`
    signal : str
        Variable of the specification that selects the time, from 0, beginning with `at`.
    badge_title : str
        Title of the numbers.
    selected : Head
        Head with the red frame.
    """
    heads = head_numbers(frames, selected, marked, full_head_name).assign(click=click)
    # Read here: the cached function must get the theme as an argument.
    dark = is_dark()
    # A film holds a picture for every step, so each must be small.
    side = _FILM_SIDE if signal else _SIDE
    pictures = pd.DataFrame(
        {"kind": attention.site_id, "image": _picture(attention, dark, side), "time": time}
        for time, (maps, _) in enumerate(frames)
        for attention in maps
    )
    sites = tuple((m.site_id, m.n_layers, m.n_heads) for m in frames[0][0])
    dial = (signal, at, len(frames) - 1)
    tables = {"pictures": pictures, "heads": heads}
    return drawn(_sites, tables, sites=sites, badge_title=badge_title, dial=dial)


@lru_cache(maxsize=64)
def _picture(attention: AttentionMap, dark: bool, size: int) -> str:
    """Draw all heads of a site as one image; `dark` is part of the cache key."""
    # The picture is stretched to the grid, so its gaps are in parts of a tile.
    png = mosaic_png(
        attention.weights,
        palette_of(attention.site).ramp,
        mask=attention.mask,
        size=size,
        gap=_ACROSS / _TILE - 1,
        gap_below=_DOWN / _TILE - 1,
    )
    return data_url(png)


def _sites(
    sites: tuple[Head, ...], badge_title: str, dial: tuple[str, int, int]
) -> alt.VConcatChart:
    # In a film, a site below one with as many heads needs no numbers of its own.
    first = sites[0][2]
    film = bool(dial[0])
    parts = [
        _site(
            *site, named=not (film and at and site[2] == first), badge_title=badge_title, dial=dial
        )
        for at, site in enumerate(sites)
    ]
    return r.below(*parts, spacing=18)


def _site_picture(of_site: str, now: str, width: float, height: float, gap: float) -> alt.Chart:
    """Draw the pictures of a site, of which a test makes one visible, `now`."""
    images = r.source("pictures", of_site).mark_image(
        width=width,
        height=height,
        align="left",
        baseline="top",
        aspect=False,
        tooltip=None,
        aria=False,
    )
    # Hidden by opacity: a filter would load each image when its step comes and flicker.
    visible = r.when(alt.OpacityValue, (now, 1), otherwise=0)
    return images.encode(visible, x=alt.XValue(gap), y=alt.YValue(gap), url="image:N")


def _axes(n_layers: int, n_heads: int, named: bool) -> tuple[alt.X, alt.Y]:
    """Return the channels of heads and layers; heads have numbers if `named`."""
    number = "datum.value + 1"
    left = alt.Axis(ticks=False, domain=False, labelExpr=number, labelOpacity=0.75)
    top = alt.Axis(
        orient="top",
        labelAngle=0,
        ticks=False,
        domain=False,
        labelExpr=number,
        labelOpacity=0.75,
    )
    across, down = (r.places(n, inner=0.05, outer=0.025) for n in (n_heads, n_layers))
    x = alt.X("head:O", title=say("figures-head"), scale=across, axis=top if named else None)
    return x, alt.Y("layer:O", title=None, scale=down, axis=left)


def _site(
    site: str,
    n_layers: int,
    n_heads: int,
    named: bool,
    badge_title: str,
    dial: tuple[str, int, int],
) -> alt.LayerChart:
    """Draw the picture of a site with numbers and frames; its heads are numbered if `named`.

    Invisible pictures are part of the drawing, so that they are loaded before they are shown.
    """
    of_site = f"datum.kind === {site!r}"
    now = f"datum.time === {dial[0] or 0}"
    scale = min(1.0, _FILM_ROOM / (n_heads * _ACROSS)) if dial[0] else 1.0
    width = n_heads * _ACROSS * scale
    height = n_layers * _DOWN * scale
    x, y = _axes(n_layers, n_heads, named)
    heads = r.source("heads", f"{of_site} && {now}").encode(x=x, y=y)
    chosen = "datum.selected"
    below = 8 + scale * (_GAP + _TILE - _DOWN / 2)
    words = r.text(heads, dy=below, fontSize=10, aria=False)
    over = r.hover("over", *HEAD)
    cursor: Any = "pointer" if dial[0] else "default"
    frames = heads.mark_rect(fill="transparent", strokeWidth=2, cornerRadius=3, cursor=cursor)
    clicks = [r.click(SELECTION_NAME, *HEAD, "click"), r.dial(*dial)] if dial[0] else []
    edge = r.outline(chosen, over)
    frames = frames.encode(edge, description="name:N").add_params(over, *clicks)
    ink = r.when(alt.ColorValue, (chosen, SELECTION_TEXT), otherwise=INK)
    return r.layered(
        _site_picture(of_site, now, width, height, scale * _GAP),
        words.encode(ink, text="badge:N"),
        frames.encode(tooltip=r.tips(name="figures-head", badge=badge_title)),
        title=say("figures-overview-by-layer", site=site_title(site)),
        width=width,
        height=height,
    )
