"""Heads that follow position."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from core.attention import HEAD, Head
from core.positions import chance_levels, head_dots

from . import recipes as r
from .figure import Figure, drawn
from .labels import renamed, site_word
from .look import say
from .theme import INK, SELECTION

SELECTION_NAME = "head"


def head_scatter(
    heads: pd.DataFrame,
    sites: Sequence[str],
    *,
    selected: Head | None = None,
    click: int = 0,
) -> Figure:
    """Every head as a dot: across, how its map survives other words; up, the loss of positions.

    Dots grow with the sharpness of the head. Dashed lines stand at the chance level of each site.
    The selection `head` reports the clicked kind, layer and head (from 0) with `click`. `heads`: of
    `core.positions.position_head_table`, with a column name; ValueError if none. `sites`:
    names of the sites, in the order of the legend. `selected`: kind, layer and head (from 0) to
    mark.
    """
    if heads.empty:
        raise ValueError("no heads to draw")
    levels = chance_levels(heads)
    levels["site"] = levels["kind"].map(site_word)
    tables = {"dots": head_dots(heads, selected).assign(click=click), "levels": levels}
    return drawn(_scatter, tables, sites=tuple(k for k in sites if k in set(heads["kind"])))


def _scatter(sites: tuple[str, ...]) -> alt.LayerChart:
    words = renamed({site: site_word(site).capitalize() for site in sites})
    legend = {"symbolType": "circle", "symbolSize": 90, "labelExpr": words}
    colour = r.of_sites("kind", sites, legend=legend)
    sizes = {"orient": "bottom", "values": [0.25, 0.5, 1], "symbolFillColor": "gray"}
    names = ("words", "spread", "positions", "sharpness", "special")
    numbers = {name: (f"positions-{name}", ".3f") for name in names}
    clicked = r.click(SELECTION_NAME, *HEAD, "click")
    level = r.source("levels").mark_rule(strokeDash=[4, 4], strokeWidth=1.5, opacity=0.8)
    of_level = r.tips(site="positions-kind", chance=("positions-chance", ".3f"))
    level = level.encode(color=colour, tooltip=of_level)
    dots = r.source("dots").mark_circle(opacity=0.85, cursor="pointer").add_params(clicked)
    return r.layered(
        level.encode(x=r.x("chance", "positions-axis-words", **r.SHARES)),
        level.encode(y=r.y("chance", "positions-axis-absent", **r.SHARES)),
        dots.encode(
            x="words:Q",
            y="positions:Q",
            color=colour,
            size=alt.Size(
                "sharpness:Q",
                title=say("positions-sharpness"),
                scale=alt.Scale(domain=[0, 1], range=[25, 260]),
                legend=r.swatches(format=".2f", **sizes),
            ),
            stroke=r.when(alt.StrokeValue, ("datum.selected", SELECTION), otherwise=INK),
            strokeWidth=r.when(alt.StrokeWidthValue, ("datum.selected", 3), otherwise=0.6),
            description="name:N",
            tooltip=r.tips(name="positions-head", **numbers),
        ),
        width=285,
        height=285,
    )
