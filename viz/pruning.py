"""Figure of pruning: each measure as heads are removed, a panel each."""

from __future__ import annotations

import altair as alt
import pandas as pd

from core.attention import ENCODER

from . import recipes as r
from .figure import Figure, drawn
from .style import say
from .theme import GREY, Site, palette_of

_FORMS = {"bleu": ".1f", "pronoun": ".0%", "aer": ".1%"}
_ORDERS = ("ranked", "random")


def pruning_lines(table: pd.DataFrame, site: Site = ENCODER) -> Figure:
    """Draw each measure by the number of heads left, pruned by importance and at random.

    The least and largest of random orders are a band. `table` comes from
    `core.pruning.pruning_table`.
    """
    names = tuple(say(f"pruning-{order}") for order in _ORDERS)
    lines = table.assign(name=table["order"].map(dict(zip(_ORDERS, names, strict=True))))
    measures = tuple(dict.fromkeys(table["measure"]))
    return drawn(_panels, {"lines": lines}, measures=measures, names=names, site=site)


def _panels(measures: tuple[str, ...], names: tuple[str, ...], site: Site) -> alt.HConcatChart:
    # Else the legend would take the faint opacity of the band.
    legend = {"symbolOpacity": 1}
    colour = r.series(alt.Color, "name", names, (palette_of(site).accent, GREY), legend=legend)
    panels = []
    for measure in measures:
        form = _FORMS[measure]
        x = alt.X(
            "left:Q", **r.measure("pruning-left", tickMinStep=1, nice=False), sort="descending"
        )
        y = r.y("value", f"pruning-{measure}", zero=True, format=form)
        ends = {end: (f"pruning-{end}", form) for end in ("low", "high")}
        told = r.tips(
            name="pruning-order", left=("pruning-left", "d"), value=("pruning-value", form), **ends
        )
        where = f"datum.measure === '{measure}'"
        look = {"width": 200, "height": 300, "band": ("low", "high")}
        panels.append(r.lines(x, y, colour, told, where=where, **look))
    return r.beside(*panels, spacing=24)
