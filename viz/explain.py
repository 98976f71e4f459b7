"""Figures of attention beside two other measures of importance."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.records.attention import CROSS, Measure
from words.numbers import fixed, percent, signed

from . import recipes as r
from .figure import Figure, drawn
from .labels import MOST_ROOM, head_name
from .style import say
from .theme import INK, Site, diverging_ramp, ink, ink_on, palette_of

SELECTION_NAME = "head"
_MEASURES = ("attention", "drop", "gradient")
_ROOM_OF_FALL = 1.7  # of the longest bar, for two probabilities behind it
_MOST_NUMBERED = 12  # lines of shares that all have a number


def measure_bars(
    lines: pd.DataFrame,
    *,
    site: Site = CROSS,
    names: tuple[str, str] = ("figures-source-token", "figures-explain-drop"),
    measure: Measure = "weight",
    room: float = MOST_ROOM,
    row: float = 20,
    shares: bool = False,
    log_prob: float | None = None,
) -> Figure:
    """Draw `core.explain.measures_table` of one prediction, one line a source token.

    There is nothing to click. `names` are the messages that name a line and the loss without it.
    A band runs through the token whose loss is largest, and each measure numbers its own largest.
    Attention has the colour of its `site` on a scale from 0 to 1; the other two are green
    above 0 and purple below, each on its own scale. `measure`: quantity of the attention. `room`:
    pixels of the longest name; a wide one makes the bars shorter. `row`: most pixels of a line.
    `shares`: attention and drops are shares of one, written in percent; if there are few lines,
    all have a number. `log_prob`: that of the prediction with nothing hidden; then the largest loss
    is written as the probability before and after it.
    """
    accent = palette_of(site).accent if "attention" in lines else ""
    drops = lines["drop"].fillna(-np.inf)
    lines = lines.assign(needed=lines.index == drops.idxmax())
    tables = {"lines": _with_fall(_with_numbers(lines, shares=shares), log_prob)}
    what = "figures-explain-attention" if measure == "weight" else f"figures-{measure}"
    shape = {"accent": accent, "names": names, "what": what, "room": room, "row": row}
    return drawn(_bars, tables, n=len(lines), shares=shares, **shape)


def _with_numbers(lines: pd.DataFrame, *, shares: bool) -> pd.DataFrame:
    """Add the label of each line, and for every measure the text of its largest number alone.

    Of `shares`, weights and drops of all lines get a text if they are few.
    """
    lines = lines.assign(label=lines["token"])
    few = shares and len(lines) <= _MOST_NUMBERED
    for name in _MEASURES:
        if name in lines:
            values = lines[name].fillna(-np.inf)
            largest = np.arange(len(lines)) == values.argmax()
            write = _writer(name, float(values.max()), shares=shares)
            # A missing value has no number, and small gradients would all be written as zeros.
            written = lines[name].notna() & ((few and name != "gradient") | largest)
            lines[f"{name}_text"] = [
                write(value) if has else "" for value, has in zip(values, written, strict=True)
            ]
    return lines


def _writer(measure: str, largest: float, *, shares: bool) -> Callable[[float], str]:
    """Return the function that writes the numbers of a measure."""
    if shares and measure != "gradient":
        return partial(percent, digits=0)
    # Gradients are small beside drops.
    digits = 2 if abs(largest) >= 0.1 else 3 if abs(largest) >= 0.01 else 4
    return partial(fixed if measure == "attention" else signed, digits=digits)


def _with_fall(lines: pd.DataFrame, log_prob: float | None) -> pd.DataFrame:
    """Write the largest drop as two probabilities, and the rank of its token by attention."""
    needed = lines.index[lines["needed"]][0]
    drop = float(lines.loc[needed, "drop"])
    if log_prob is None or np.isnan(drop):
        return lines
    lines.loc[needed, "drop_text"] = say(
        "figures-explain-fall", before=math.exp(log_prob), after=math.exp(log_prob - drop)
    )
    if "attention" in lines:
        weight = float(lines.loc[needed, "attention"])
        rank = int((lines["attention"] > weight).sum()) + 1
        if rank > 1:
            lines.loc[needed, "attention_text"] = say(
                "figures-explain-rank", value=weight, rank=rank
            )
    return lines


def _bars(
    n: int,
    accent: str,
    names: tuple[str, str],
    what: str,
    room: float,
    row: float,
    shares: bool,
) -> alt.HConcatChart:
    """Build the bars; `accent` is the colour of attention, "" if there is none."""
    token, drop = names
    measures: dict[str, tuple[str, str]] = {}
    measures |= {"attention": (f"{what}-short", ".1%" if shares else ".4f")} if accent else {}
    measures |= {
        "drop": (drop, "+.1%" if shares else "+.4f"),
        "gradient": ("figures-explain-gradient", "+.4f"),
    }
    columns: dict[str, r.Tip] = {"token": token, **measures}
    tooltip = r.tips(columns)
    width = 250 - (room - MOST_ROOM) / 3
    lines = r.NamedLines(n, max(13, min(row, 900 // n)), width, names="lines", room=room)
    panels: list[alt.LayerChart] = []
    for name, (title, _) in measures.items():
        is_attention = name == "attention"
        colour: Any = accent if is_attention else r.two_signs(name)
        x = _axis_of(name, what if is_attention else title, shares=shares)
        panels.append(_panel(lines, name, x, colour, tooltip))
        # The first panel names the lines for all.
        lines = replace(lines, names="")
    return r.beside(*panels)


def _axis_of(measure: str, title: str, *, shares: bool) -> alt.X:
    """Return the x channel of a measure: attention from 0 to 1, the others on their own scales."""
    form = ".0%" if shares and measure != "gradient" else alt.Undefined
    if measure == "attention":
        return r.x(measure, title, tickCount=4, domain=(0, 1), orient="top", format=form)
    padding = 34 if shares else 22
    return r.x(measure, title, tickCount=3, zero=True, orient="top", padding=padding, format=form)


def _panel(
    lines: r.NamedLines, measure: str, x: alt.X, colour: Any, tooltip: list[alt.Tooltip]
) -> alt.LayerChart:
    """Draw a measure as bars, with a band through the needed token and the largest number."""
    band = r.source("lines", "datum.needed").mark_rect(
        color=INK, opacity=0.08, tooltip=None, aria=False
    )
    # To the right of a bar, whichever way it points.
    ends = r.source(
        "lines",
        right=f"max(datum.{measure}, 0)",
        room=f"test(/→/, datum.{measure}_text) ? {_ROOM_OF_FALL} * datum.{measure} : 0",
    )
    number = r.text(ends, align="left", dx=4, fontSize=11, aria=False)
    # An invisible mark that makes the scale leave room for words behind a long bar.
    room = ends.mark_point(opacity=0, size=0, tooltip=None, aria=False)
    panel = r.bars(
        lines,
        r.source("lines").encode(x),
        tooltip,
        colour=colour,
        more=[
            band.encode(y=lines.y, x=alt.XValue(0), x2=alt.X2Value(lines.width)),
            number.encode(x="right:Q", y=lines.y, text=f"{measure}_text:N"),
            *([room.encode(x="room:Q", y=lines.y)] if measure == "drop" else []),
        ],
    )
    # What the measure asks, above the name that the field gives it.
    panel.title = say(f"figures-explain-asks-{measure}")
    return panel


def correlation_grid(
    correlations: np.ndarray,
    *,
    title: str,
    selected: tuple[int, int] | None = None,
    clickable: bool = True,
    click: int = 0,
) -> Figure:
    """Draw layers by heads, with colour and number of each cell its rank correlation, -1 to 1.

    A click on a cell reports its layer and head with `click`. A head without a number has a dash.

    Parameters
    ----------
    correlations : ndarray of shape (L, H)
        NaN for none.
    title : str
        Title of the colour bar.
    selected : (layer, head), optional
        Cell with the red frame.

    Raises
    ------
    ValueError : `correlations` is not (L, H).
    """
    if correlations.ndim != 2:
        raise ValueError(f"expected correlations of (L, H), found {correlations.shape}")
    cells = _correlation_cells(correlations)
    heads = np.ndindex(correlations.shape)
    # `np.ndindex` runs as the cells do, layer by layer.
    cells = cells.assign(selected=[head == selected for head in heads], click=click)
    return drawn(_grid, {"cells": cells}, size=correlations.shape, title=title, clickable=clickable)


def _correlation_cells(correlations: np.ndarray) -> pd.DataFrame:
    """Return one row a head: layer, head, name, correlation, and its text with an ink."""
    heads = list(np.ndindex(correlations.shape))
    values = correlations.ravel().astype(float)
    # A dash for NaN stands on the page's ground, so it takes the page's ink.
    correlated = ~np.isnan(values)
    # -1 to 1 becomes 0 to 1, the ends of the ramp; NaN would have no ink.
    inks = ink_on(diverging_ramp(), np.nan_to_num(values) / 2 + 0.5)
    return pd.DataFrame(heads, columns=["layer", "head"]).assign(
        name=[head_name(*head) for head in heads],
        correlation=values,
        text=np.where(correlated, [signed(value) for value in values], "–"),
        ink=np.where(correlated, inks, ink()),
    )


def _grid(size: tuple[int, int], title: str, clickable: bool) -> alt.LayerChart:
    number = "datum.value + 1"
    left = alt.Axis(ticks=False, domain=False, labelAngle=0, labelExpr=number)
    top = alt.Axis(ticks=False, domain=False, labelAngle=0, labelExpr=number, orient="top")
    down, across = (r.places(n, 0.04) for n in size)
    at = (
        alt.Y("layer:O", scale=down, title=r.title_of("figures-layer"), axis=left),
        alt.X("head:O", scale=across, title=r.title_of("figures-head"), axis=top),
    )
    colour = r.signed_colour(
        "correlation", diverging_ramp(), 1, title, form="+.1f", gradientLength=220, titleLimit=360
    )
    correlated = "isValid(datum.correlation)"
    # Dashed, so that a missing number does not look like a correlation of 0.
    empty = r.source("cells", f"!{correlated}").mark_rect(
        fill="transparent",
        stroke=INK,
        strokeDash=[2, 3],
        strokeOpacity=0.5,
        tooltip=None,
        aria=False,
    )
    tooltip = r.tips(name="figures-head", correlation=("figures-explain-correlation", "+.4f"))
    clicks = r.click(SELECTION_NAME, "layer", "head", "click") if clickable else None
    return r.layered(
        r.source("cells", correlated).mark_rect(tooltip=None, aria=False).encode(*at, colour),
        empty.encode(*at),
        r.text(r.source("cells"), fontSize=11).encode(*at, r.own_ink(), text="text:N"),
        r.touched("cells", tooltip, clicks).encode(*at, r.outline("datum.selected")),
        width=size[1] * 48,
        height=size[0] * 30,
    )
