"""Figure of two readings of the same sentences: with both sides, and with the left side only."""

from __future__ import annotations

import altair as alt
import pandas as pd

from core.records.attention import ENCODER
from core.records.tokens import visible

from . import recipes as r
from .figure import Figure, drawn
from .style import say
from .theme import GREY, palette_of

_WIDTH = 416  # pixels of the drawing
_ROW = 42
_UNDER = 9  # pixels of the dots below the middle of their row, under the name
_CHANCE = 0.5
_MARK = 20  # pixels of the mark of chance on a row, below the words of the row


def two_readings(shares: pd.DataFrame, title: str, heading: str) -> Figure:
    """Draw shares from both sides and from the left as dots, row by row, beside chance.

    Parameters
    ----------
    shares : DataFrame
        Columns label, side ("both" or "left") and share from 0 to 1; low and high, the ends of an
        interval, are drawn where they are numbers. The rows of a label stand together.
    title, heading : str
        Ids of the titles of the axis and of the legend.
    """
    # The converter of saved pictures ends the process at a control character.
    shares = shares.assign(label=shares["label"].map(visible))
    labels = list(dict.fromkeys(shares["label"]))
    names = {side: say(f"masked-agreement-{side}") for side in ("both", "left")}
    dots = shares.assign(
        place=shares["label"].map(labels.index),
        whose=shares["side"].map(names),
    )
    rows = pd.DataFrame({"place": range(len(labels)), "label": labels})
    tables = {"dots": dots.drop(columns="side"), "rows": rows}
    shape = {"names": tuple(names.values()), "title": title, "heading": heading}
    return drawn(_dots, tables, n=len(labels), **shape)


def _dots(n: int, names: tuple[str, ...], title: str, heading: str) -> alt.LayerChart:
    x = r.x("share", title, domain=(0, 1), nice=False, format=".0%", values=r.QUARTERS)
    y = alt.Y("place:O", title=None, scale=r.places(n), axis=None)
    accents = (palette_of(ENCODER).accent, GREY)
    legend = r.swatches(symbolOpacity=1, titleLimit=400)
    colour = r.series(alt.Color, "whose", names, accents, heading, legend)
    tooltip = r.tips(
        label="masked-agreement-text", whose="masked-agreement-side", share=(title, ".1%")
    )
    rows = r.source("dots").encode(y=y)
    lane = r.source("rows").mark_rule(opacity=0.2, yOffset=_UNDER, tooltip=None, aria=False)
    span = r.source("dots", "isValid(datum.low)").mark_rule(
        strokeWidth=2, opacity=0.6, yOffset=_UNDER, tooltip=None, aria=False
    )
    dot = rows.mark_point(filled=True, size=110, opacity=1, yOffset=_UNDER)
    label = r.text(r.source("rows"), align="left", fontSize=12, dy=-8)
    # A mark on each row: a line down the whole drawing would cross the words of the rows.
    chance = r.source("rows").mark_tick(
        color=GREY, thickness=1.5, height=_MARK, yOffset=_UNDER, tooltip=None, aria=False
    )
    first = r.source("rows", "datum.place === 0")
    called = r.text(first, fontSize=11, align="center", baseline="bottom", dy=-3)
    return r.layered(
        chance.encode(y=y, x=alt.XDatum(_CHANCE)),
        called.encode(
            x=alt.XDatum(_CHANCE),
            y=alt.YValue(0),
            text=alt.TextValue(say("masked-agreement-chance")),
        ),
        lane.encode(y=y, x=alt.XDatum(0), x2=alt.X2Datum(1)),
        span.encode(colour, y=y, x=alt.X("low:Q"), x2="high:Q"),
        dot.encode(colour, x=x, tooltip=tooltip),
        label.encode(x=alt.XValue(0), y=y, text="label:N"),
        width=_WIDTH,
        height=n * _ROW,
    )
