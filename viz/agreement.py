"""Figures of two readings of the same text: with both sides, and with the left side only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import altair as alt
import numpy as np
import pandas as pd

from core.records.attention import ENCODER
from core.records.tokens import distinct_labels, visible
from words.numbers import percent

from . import recipes as r
from .figure import Figure, drawn
from .style import say
from .theme import GREY, INK, palette_of

_WIDTH = 416  # pixels of the drawing
_COLUMNS = (1.13, 1.34, 1.55)  # middle of the numbers beside the shares, on their scale
_END = 0.11  # of that scale, beyond the last column
_ROW = 42
_UNDER = 9  # pixels of the dots below the middle of their row, under the name
_CHANCE = 0.5
_MARK = 20  # pixels of the mark of chance on a row, below the words of the row
_WRONG = 0.07  # opacity of the ground left of chance
_RING = 2.5  # pixels of a ring's line
_HIGH = 260  # pixels of the columns of tokens


def two_readings(shares: pd.DataFrame, axis: str, title: str, chance: str) -> Figure:
    """Draw shares from both sides and from the left as dots, row by row, beside chance.

    The share of each dot stands right of the drawing, in a column for each side. The ground is
    tinted where the wrong form is more likely. Shares of plural verbs alone are rings.

    Parameters
    ----------
    shares : DataFrame
        Columns label, side ("both", "left", and for some "plural": both sides, plural verbs alone)
        and share from 0 to 1; low and high, the ends of an interval, are drawn where they are
        numbers. The rows of a label stand together.
    axis, title, chance : str
        Ids of the titles of the axis and of the figure, and of the words at the line of chance.
    """
    # The converter of saved pictures ends the process at a control character.
    shares = shares.assign(label=shares["label"].map(visible))
    labels = list(dict.fromkeys(shares["label"]))
    names = _names(shares["side"])
    dots = shares.assign(
        place=shares["label"].map(labels.index),
        whose=shares["side"].map(names),
        at=shares["side"].map(dict(zip(names, _COLUMNS, strict=False))),
        written=list(map(_written, shares["share"])),
        wrong=shares["share"] < _CHANCE,
        hollow=shares["side"] == "plural",
    )
    rows = pd.DataFrame({"place": range(len(labels)), "label": labels})
    tables = {"dots": dots.drop(columns="side"), "rows": rows}
    shape = {"names": tuple(names.values()), "axis": axis, "title": title, "chance": chance}
    return drawn(_dots, tables, n=len(labels), **shape)


def _written(share: float) -> str:
    """Write a share in percent; near chance with a decimal, so that its side can be read."""
    return percent(share, 1 if abs(share - _CHANCE) < 0.005 else 0)


def _dots(n: int, names: tuple[str, ...], axis: str, title: str, chance: str) -> alt.LayerChart:
    end = _COLUMNS[len(names) - 1] + _END
    x = r.x("share", axis, domain=(0, end), nice=False, format=".0%", values=r.QUARTERS)
    y = alt.Y("place:O", title=None, scale=r.places(n), axis=None)
    blue = palette_of(ENCODER).accent
    accents = (blue, GREY, blue)[: len(names)]
    colour = r.series(alt.Color, "whose", names, accents, legend=None)
    tooltip = r.tips(
        label="masked-agreement-text", whose="masked-agreement-side", share=(axis, ".0%")
    )
    rows = r.source("dots").encode(y=y)
    lane = r.source("rows").mark_rule(opacity=0.2, yOffset=_UNDER, tooltip=None, aria=False)
    span = r.source("dots", "isValid(datum.low)").mark_rule(
        strokeWidth=2, opacity=0.6, yOffset=_UNDER, tooltip=None, aria=False
    )
    dots = rows.transform_filter("!datum.hollow").mark_point(
        filled=True, size=110, opacity=1, yOffset=_UNDER
    )
    rings = rows.transform_filter("datum.hollow").mark_point(
        filled=False, strokeWidth=_RING, size=110, opacity=1, yOffset=_UNDER
    )
    label = r.text(r.source("rows"), align="left", fontSize=12, dy=-8)
    # A mark on each row: a line down the whole drawing would cross the words of the rows.
    line = r.source("rows").mark_tick(
        color=GREY, thickness=1.5, height=_MARK, yOffset=_UNDER, tooltip=None, aria=False
    )
    chart = r.layered(
        *_ground(chance),
        line.encode(y=y, x=alt.XDatum(_CHANCE)),
        lane.encode(y=y, x=alt.XDatum(0), x2=alt.X2Datum(1)),
        span.encode(colour, y=y, x=alt.X("low:Q"), x2="high:Q"),
        dots.encode(colour, x=x, tooltip=tooltip),
        rings.encode(colour, x=x, tooltip=tooltip),
        label.encode(x=alt.XValue(0), y=y, text="label:N"),
        *_numbers(rows, names, accents),
        width=_WIDTH,
        height=n * _ROW,
    )
    chart.title = say(title)
    return chart


def _ground(chance: str) -> list[alt.Chart]:
    """Return the tint where the wrong form is more likely, and the words above its edge."""
    first = r.source("rows", "datum.place === 0")
    tint = first.mark_rect(color=INK, opacity=_WRONG, tooltip=None, aria=False)
    words = r.text(first, fontSize=11, align="center", baseline="bottom", dy=-3)
    edge = alt.XDatum(_CHANCE)
    return [
        tint.encode(
            x=alt.XDatum(0), x2=alt.X2Datum(_CHANCE), y=alt.YValue(0), y2=alt.Y2Value("height")
        ),
        words.encode(x=edge, y=alt.YValue(0), text=alt.TextValue(say(chance))),
    ]


def _numbers(rows: alt.Chart, names: Sequence[str], accents: Sequence[str]) -> list[alt.Chart]:
    """Return the share of each dot in the column of its side, bold where the form is wrong."""
    layers = []
    for wrong in (False, True):
        weight = 700 if wrong else 400
        text = r.text(
            rows.transform_filter(f"datum.wrong === {str(wrong).lower()}"),
            fontSize=14,
            fontWeight=weight,
            dy=_UNDER,
        )
        layers.append(text.encode(x=alt.X("at:Q"), text="written:N"))
    first = r.source("rows", "datum.place === 0")
    rings = (False, False, True)
    for name, accent, at, is_ring in zip(names, accents, _COLUMNS, rings, strict=False):
        head = r.text(first, fontSize=11, baseline="bottom", dy=-3)
        layers.append(head.encode(x=alt.XDatum(at), y=alt.YValue(0), text=alt.TextValue(name)))
        mark = first.mark_point(
            filled=not is_ring,
            strokeWidth=_RING if is_ring else alt.Undefined,
            size=60,
            opacity=1,
            color=accent,
            tooltip=None,
            aria=False,
            yOffset=-24,
        )
        layers.append(mark.encode(x=alt.XDatum(at), y=alt.YValue(0)))
    return layers


def token_readings(tokens: Sequence[str], both: Sequence[float], left: Sequence[float]) -> Figure:
    """Draw the probability of every token of a sentence, masked alone, in both readings.

    `both` and `left` are log-probabilities: with context on both sides, and on the left only. The
    bar of the token that gains most has its number.
    """
    bars = pd.DataFrame(
        {
            "place": range(len(tokens)),
            "label": distinct_labels(tokens),
            "both": np.exp(both),
            "left": np.exp(left),
        }
    )
    most = (bars["both"] - bars["left"]).idxmax()
    bars["text"] = ""
    bars.loc[most, "text"] = percent(bars.loc[most, "both"])
    names = tuple(_names().values())
    return drawn(_token_readings, {"bars": bars}, n=len(tokens), names=names)


def _token_readings(n: int, names: tuple[str, ...]) -> alt.LayerChart:
    """Build bars of `both`, with a dot of `left` in each."""
    title = "masked-sides-axis"
    step = max(20.0, min(72.0, 840 / n))
    x = alt.X("place:O", scale=r.places(n, 0.2, 0.1))
    y = r.y("both", title, domain=(0, 1), nice=False, format=".0%", values=r.QUARTERS)
    accents = (palette_of(ENCODER).accent, GREY)
    tooltip = r.tips(
        label="figures-token",
        both=("masked-agreement-both", ".1%"),
        left=("masked-agreement-left", ".1%"),
    )
    dot = r.source("bars").mark_point(
        filled=True,
        size=90,
        opacity=1,
        color=GREY,
        stroke=INK,
        strokeWidth=1,
        tooltip=None,
        aria=False,
    )
    legend = r.swatches(symbolOpacity=1)
    key = r.kept("bars").encode(r.series(alt.Color, "key", names, accents, legend=legend))
    above = r.text(r.source("bars"), fontSize=12, baseline="bottom", dy=-3)
    more = [
        dot.encode(x=x, y="left:Q"),
        above.encode(x=x, y="both:Q", text="text:N"),
        key,
    ]
    colour = alt.ColorValue(accents[0])
    return r.columns(n, y, tooltip, colour=colour, step=step, height=_HIGH, more=more)


def _names(sides: Iterable[str] = ()) -> dict[str, str]:
    """Return the names of both sides, and of plural verbs if they are among the `sides`."""
    names = {side: say(f"masked-agreement-{side}") for side in ("both", "left")}
    if "plural" in set(sides):
        names["plural"] = say("masked-agreement-plural-alone")
    return names
