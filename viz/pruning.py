"""Figure of pruning: each measure as heads are removed, a panel each."""

from __future__ import annotations

import altair as alt
import pandas as pd

from core.records.attention import ENCODER

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
    legend = r.swatches(symbolOpacity=1)
    colour = r.series(alt.Color, "name", names, (palette_of(site).accent, GREY), legend=legend)
    panels = []
    for measure in measures:
        form = _FORMS[measure]
        x = r.x("left", "pruning-left", tickMinStep=1, nice=False).sort("descending")
        y = r.y("value", f"pruning-{measure}", zero=True, format=form)
        tooltip = r.tips(
            name="pruning-order",
            left=("pruning-left", "d"),
            value=("pruning-value", form),
            low=("pruning-low", form),
            high=("pruning-high", form),
        )
        rows = r.source("lines", f"datum.measure === '{measure}'").encode(x, y, colour)
        panels.append(r.lines(rows, tooltip, size=(200, 300), band=("low", "high")))
    return r.beside(*panels, spacing=24)
