"""Figures of the arithmetic of one row, stage by stage; numbers come from `core.arithmetic`."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from core.arithmetic import (
    LargestContributions,
    Stages,
    Strip,
    component_table,
    contribution_tables,
    ends_of,
    output_tables,
    row_sharpness,
    stage_strips,
    strip_cells,
)
from core.records.tokens import distinct_labels, numbered_labels
from core.softmax import Sharpness, sharpness_table
from core.weights.tables import edge

from . import recipes as r
from .figure import Figure, drawn
from .grid import SMALLEST
from .labels import SMALLEST_FONT
from .style import say
from .theme import (
    GREY,
    INK,
    KEY,
    NEGATIVE,
    POSITIVE,
    QUERY,
    SELECTION,
    SELECTION_TEXT,
    Site,
    ink,
    ink_on,
    palette_of,
    signed_ramp,
)

ROOM = 640  # pixels for the cells over the page
ROOM_BESIDE = 455  # pixels for the cells beside all heads
_COMPONENT = ("figures-arithmetic-component", "d")
_VALUE = ("figures-value", ".4f")
_LINE = 13  # pixels of a line of a row's name
_NAMES = alt.Axis(
    ticks=False,
    domain=False,
    labelFontSize=12,
    labelPadding=8,
    labelLimit=180,
    labelExpr="split(datum.label, '\\n')",
    labelLineHeight=_LINE,
)
_RED = r.when(alt.ColorValue, ("datum.chosen", SELECTION_TEXT), otherwise=INK)


def _signed(
    cells: alt.Chart, limits: str, where: str | None = None, *, bar: bool = True
) -> list[alt.Chart]:
    """Colour cells on a ramp through the ground at 0; invisible marks stretch it to `limits`."""
    scale = alt.Scale(range=list(signed_ramp()), nice=False, zero=False, interpolate="rgb")
    legend = r.colour_bar(
        None,
        "~r",
        tickCount=3,
        labelOverlap="greedy",
        orient="bottom",
        gradientLength=100,
        gradientThickness=9,
        labelFontSize=10,
    )
    colour = alt.Color("value:Q", title=None, scale=scale, legend=legend if bar else None)
    marks = (
        r.source(limits, where).mark_rect(opacity=0, tooltip=None, aria=False),
        cells.mark_rect(),
    )
    return [mark.encode(color=colour) for mark in marks]


def _name(title: str) -> alt.YDatum:
    """Return the y channel of a single row, with its name to the left; newlines break the name."""
    name = str(r.title_of(title))
    axis = _NAMES.copy()
    # Vega centres the first line.
    axis.labelOffset = -_LINE / 2 * name.count("\n")
    return alt.YDatum(name, type="nominal", title=None, axis=axis)


def strips_figure(
    strips: Sequence[Strip],
    key_tokens: Sequence[str],
    *,
    site: Site,
    chosen: int | None = None,
    room: int = ROOM,
) -> Figure:
    """Draw rows of cells one below the other over the same keys, their numbers written in them.

    Parameters
    ----------
    strips : sequence of Strip
    key_tokens : sequence of str
    site : site, for the colours
    chosen : int, optional
        Key to frame.
    room : int
        Pixels for the cells of a sentence of ordinary length.
    """
    ramp = palette_of(site).ramp
    tables = _strip_tables(strips, key_tokens, ramp, chosen)
    rows = tuple((strip.title, strip.scale) for strip in strips)
    return drawn(_strips, tables, rows=rows, n=len(key_tokens), room=room, ramp=ramp)


def _strip_tables(
    strips: Sequence[Strip], key_tokens: Sequence[str], ramp: Sequence[str], chosen: int | None
) -> dict[str, pd.DataFrame]:
    """Return `cells` with the ink of each number, `keys`, and `limits` of signed strips if any."""
    keys = numbered_labels(key_tokens)
    cells = []
    limits = []
    for at, strip in enumerate(strips):
        row = strip_cells(strip, keys)
        inks: str | list[str] = ink()
        if strip.scale == "share":
            inks = ink_on(ramp, row["value"])
        elif strip.scale == "signed":
            ends = ends_of(strip.values)
            inks = ink_on(signed_ramp(), (row["value"] / ends["value"].max() + 1) / 2)
            # The ink of a number is computed here, but Vega scales the colour by these marks.
            limits.append(ends.assign(strip=at))
        cells.append(row.assign(ink=inks, strip=at))
    tables = {
        "cells": pd.concat(cells, ignore_index=True),
        "keys": edge(key_tokens, "k", chosen=np.arange(len(keys)) == chosen),
    }
    if limits:
        tables["limits"] = pd.concat(limits)
    return tables


def _strips(
    rows: tuple[tuple[str, str], ...], n: int, room: int, ramp: tuple[str, ...]
) -> alt.VConcatChart:
    """Layer the cells, the numbers and the frame of the chosen key of each strip."""
    # Long sentences scroll sideways rather than shrink below a readable cell.
    step = max(SMALLEST, min(46.0, room // n))
    turned = step < 30  # where there is no room for a number such as −12.3
    parts = []
    axis = r.label_axis("keys", step, chosen="chosen", slanted=True)
    # Every cell has its number, so no colour needs a bar.
    shares = alt.Scale(domain=[0, 1], range=ramp, clamp=True)
    share = alt.Color("value:Q", title=None, scale=shares, legend=None)
    for at, (title, scale) in enumerate(rows):
        x = alt.X("k:O", title=None, scale=r.places(n, 0.05), axis=None if at else axis)
        of_strip = f"datum.strip === {at}"
        strip = r.source("cells", of_strip).encode(x=x)
        cells = strip.transform_filter("isValid(datum.value)").encode(
            y=_name(title), tooltip=r.tips(key="figures-key", value=_VALUE)
        )
        layers = {
            "signed": _signed(cells, "limits", of_strip, bar=False),
            "share": [cells.mark_rect().encode(color=share)],
            "mask": [cells.mark_rect(color=INK, opacity=0.1)],
        }[scale]
        numbers = r.text(strip, fontSize=SMALLEST_FONT, angle=270 if turned else 0, aria=False)
        frame = r.frame(r.source("keys", "datum.chosen"))
        layers += [numbers.encode(text="text:N", fill=r.own_ink()), frame.encode(x=x)]
        parts.append(r.layered(*layers, width=n * step, height=38 if turned else 26))
    return r.below(*parts, spacing=8, resolve=r.apart("color"))


def weight_figure(
    stages: Stages, key: int, key_tokens: Sequence[str], *, site: Site, room: int = ROOM
) -> Figure:
    """Draw the query, one key and their products as bars, and below the scores of all keys.

    `room` as in `strips_figure`, whose strips run here from the dot product to the weight.
    """
    strips = stage_strips(stages)
    ramp = palette_of(site).ramp
    tables = _strip_tables(strips, key_tokens, ramp, key)
    tables["bars"] = component_table(stages, key)
    rows = tuple((strip.title, strip.scale) for strip in strips)
    return drawn(
        _products_and_strips,
        tables,
        d_k=stages.d_k,
        rows=rows,
        n=len(key_tokens),
        room=room,
        ramp=ramp,
    )


def _products_and_strips(
    d_k: int, rows: tuple[tuple[str, str], ...], n: int, room: int, ramp: tuple[str, ...]
) -> alt.VConcatChart:
    strips = _strips(rows, n, room, ramp)
    return r.below(_vectors(d_k), strips, spacing=12, resolve=r.apart("color"))


def _components(d_k: int, gap: float = 0.0, axis: alt.Axis | None = None) -> tuple[alt.X, float]:
    """Return the x channel of the components, and their width in pixels together."""
    step = max(2.0, min(22.0, 440 // d_k))  # so that all fits beside all heads
    return alt.X("j:O", axis=axis, scale=r.places(d_k, gap if step > 4 else 0.0)), d_k * step


def _vectors(d_k: int) -> alt.VConcatChart:
    gap = 0.2
    x, width = _components(d_k, gap)
    # The last panel numbers the components, first and last, around the title.
    axis = alt.Axis(
        title=say("figures-arithmetic-component"),
        titlePadding=-11,
        values=[0, d_k - 1],
        labelExpr="datum.value + 1",
        labelAngle=0,
        ticks=False,
        domain=False,
        grid=False,
    )
    numbered, _ = _components(d_k, gap, axis)
    names = {"q": "q", "k": "k", "product": "q × k"}
    numbers: dict[str, r.Tip] = {name: (title, ".4f") for name, title in names.items()}
    tooltip = r.tips({"component": _COMPONENT} | numbers)
    # The signs of the products show by the direction of their bars.
    colours = {"q": QUERY, "k": KEY, "product": GREY}
    bars = r.source("bars").mark_bar().encode(x=x, tooltip=tooltip)
    panels = []
    for name, title in names.items():
        y = r.y(
            name,
            title,
            zero=True,
            tickCount=3,
            titleAngle=0,
            titleAlign="right",
            titlePadding=8,
            titleFontSize=13,
            minExtent=34,
        )
        coloured = bars.encode(y=y, color=alt.ColorValue(colours[name]))
        if name == "product":
            coloured = coloured.encode(x=numbered)
        panels.append(r.layered(coloured, width=width, height=46))
    return r.below(*panels, spacing=8)


def most_rows(d_k: int) -> int:
    """Return how many keys to draw one by one, so that the picture stays light."""
    # About 700 cells in all, each a mark of its own.
    return max(4, min(14, 700 // d_k))


def contribution_matrix(
    largest: LargestContributions,
    stages: Stages,
    key_tokens: Sequence[str],
    *,
    chosen: int | None = None,
) -> Figure:
    """Draw weight times value of each key, a row each; their sum, the context, is the last row."""
    names = distinct_labels(key_tokens)
    labels = [names[k] for k in largest.keys]
    labels += [say("figures-arithmetic-others", n=largest.n_others)] if largest.n_others else []
    labels.append(say("figures-arithmetic-context"))
    tables = contribution_tables(largest, stages, labels, chosen)
    return drawn(_contributions, tables, d_k=stages.d_k)


def _contributions(d_k: int) -> alt.LayerChart:
    x, width = _components(d_k)
    axis = r.label_axis("rows", 17, chosen="chosen", labelPadding=42)  # room for the weights
    y = alt.Y("row:O", title=None, scale=r.places(None, 0.08), axis=axis)
    value = ("figures-arithmetic-weight-times-value", ".4f")
    tooltip = r.tips(label="figures-arithmetic-row", component=_COMPONENT, value=value)
    rows = r.source("rows").encode(y=y)
    weights = r.text(rows, align="right", fontSize=11, aria=False)
    frame = rows.transform_filter("datum.sum").mark_rect(
        filled=False, stroke=INK, strokeWidth=1.5, tooltip=None, aria=False
    )
    return r.layered(
        *_signed(r.source("cells").encode(x=x, y=y, tooltip=tooltip), "limits"),
        weights.encode(x=alt.XValue(-6), text="weight:N", color=_RED),
        frame,
        width=width,
        height={"step": 17},
    )


def output_figure(stages: Stages) -> Figure:
    """Draw the contexts of all heads end to end, and the parts of the output by head."""
    parts = [say(f"figures-arithmetic-{name}") for name in stages.parts]
    return drawn(
        _output,
        output_tables(stages, parts),
        d_model=len(stages.output),
        n_heads=stages.n_heads,
        d_k=stages.d_k,
    )


def _output(d_model: int, n_heads: int, d_k: int) -> alt.VConcatChart:
    # At least a pixel a component, else neighbouring components would merge.
    width = d_model * max(1.0, min(22.0, 408 / d_model))
    heads = _along("start", n_heads * d_k)
    tooltip = r.tips(head="figures-head", component=_COMPONENT, value=_VALUE)
    joined = r.source("concatenated", component="datum.j + 1").encode(
        x=_along("j", n_heads * d_k),
        x2="stop",
        y=_name("figures-arithmetic-end-to-end"),
        tooltip=tooltip,
    )
    tooltip = r.tips(name="figures-arithmetic-part", component=_COMPONENT, value=_VALUE)
    parts = r.source("parts", component="datum.j + 1").encode(
        x=_along("j", d_model),
        x2="stop",
        # sort=None: in the order of the table, the output last.
        y=alt.Y("name:N", title=None, sort=None, scale=alt.Scale(paddingInner=0.12), axis=_NAMES),
        tooltip=tooltip,
    )
    marks = _head_marks(heads, n_heads * d_k, width / n_heads)
    return r.below(
        r.layered(*_signed(joined, "limits"), *marks, width=width, height=22),
        r.layered(_head_lengths(heads, width / n_heads), width=width, height=48),
        r.layered(*_signed(parts, "part_limits"), width=width, height={"step": 24}),
        spacing=10,
        resolve=r.apart("color"),
    )


def _along(column: str, end: int) -> alt.X:
    """Return the x channel of ranges between 0 and `end` that begin at a column."""
    return alt.X(f"{column}:Q", bin="binned", axis=None, scale=alt.Scale(domain=[0, end]))


def _head_marks(heads: alt.X, end: int, width: float) -> list[alt.Chart]:
    """Draw frames around the components of each head, and its number above, `width` pixels each."""
    blocks = r.source("blocks").encode(x=heads, x2="stop")
    frames = blocks.mark_rect(filled=False, stroke=INK, strokeWidth=0.5, tooltip=None, aria=False)
    chosen = r.frame(blocks.transform_filter("datum.chosen"))
    start = alt.X("start:Q", axis=None, scale=alt.Scale(domain=[0, end]))
    names = r.text(r.source("blocks"), fontSize=11, dx=width / 2)
    return [frames, chosen, names.encode(start, alt.YValue(-8), text="label:N", color=_RED)]


def _head_lengths(heads: alt.X, width: float) -> alt.Chart:
    """Draw the length of each head's part of the output as a bar, `width` pixels from the next."""
    length = r.y(
        "norm",
        "figures-arithmetic-length-of-head",
        zero=True,
        tickCount=3,
        titleAngle=0,
        titleAlign="right",
        titleFontWeight="normal",
    )
    bars = r.source("blocks").encode(x=heads, x2="stop").mark_bar(binSpacing=0.2 * width)
    return bars.encode(
        y=length,
        color=r.when(alt.ColorValue, ("datum.chosen", SELECTION), otherwise=GREY),
        tooltip=r.tips(label="figures-head", norm=("figures-arithmetic-length-of-context", ".4f")),
    )


def scaling_curves(effect: Sharpness, stages: Stages) -> Figure:
    """Draw measures of random vectors of growing size as curves, and the row at hand as dots."""
    names = say("figures-arithmetic-divided"), say("figures-arithmetic-not-divided")
    tables = {
        "curves": sharpness_table(effect, names),
        "own": sharpness_table(row_sharpness(stages), names),
    }
    return drawn(_curves, tables, names=names)


def _curves(names: tuple[str, str]) -> alt.HConcatChart:
    legend = r.swatches(symbolType="stroke", symbolStrokeWidth=3)
    colour = r.series(alt.Color, "name", names, (POSITIVE, NEGATIVE), legend=legend)
    x = r.logarithmic(
        alt.X, "d_k", "d_k", nice=False, values=[1, 4, 16, 64, 256], format="d", grid=False
    )
    dots = r.source("own").mark_point(
        size=95, opacity=1, filled=True, stroke=SELECTION, strokeWidth=2
    )
    dots = dots.encode(x=x, color=colour)
    panels = []
    for name in ("largest", "entropy", "gradient"):
        title = f"figures-arithmetic-{name}"
        y = r.y(name, title, zero=True, tickCount=4)
        tooltip = r.tips({"name": " ", "d_k": ("d_k", "d"), name: (title, ".4f")})
        lines = r.lines(
            r.source("curves").encode(x, y, colour),
            tooltip,
            size=(104, 150),
            points=22,
            more=[dots.encode(y=y, tooltip=tooltip)],
            strokeWidth=2.5,
        )
        panels.append(lines)
    return r.beside(*panels, spacing=24)
