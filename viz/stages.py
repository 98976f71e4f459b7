"""The arithmetic of one row drawn stage by stage; the numbers come from `analysis.arithmetic`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from analysis.arithmetic import (
    Shares,
    Sharpness,
    Stages,
    Strip,
    component_table,
    contribution_tables,
    ends_of,
    output_tables,
    own_sharpness,
    sharpness_table,
    strip_cells,
)
from analysis.labels import distinct_labels, numbered_labels
from analysis.tables import edge
from records import AttentionSite

from . import recipes as r
from .figure import Figure, drawn
from .look import say
from .theme import (
    GREY,
    INK,
    KEY,
    NEGATIVE,
    POSITIVE,
    QUERY,
    SELECTION,
    SELECTION_TEXT,
    ink,
    ink_on,
    palette_of,
    signed_ramp,
)

ROOM, ROOM_BESIDE = 640, 335  # pixels for the cells: over the page, and beside all heads
# For components, so that they and what stands beside them fit beside all heads.
_ROOM, _ROOM_OUTPUT = 440, 408
_UPRIGHT = 32  # a cell at least this wide has room for a number such as −12.34
_COMPONENT = {"component": ("figures-stages-component", "d")}
_VALUE = ("figures-value", ".4f")


def _coloured(
    cells: alt.Chart, limits: alt.Chart, ramp: Sequence[str] = (), at: str = "bottom", **where: Any
) -> list[alt.Chart]:
    """Cells coloured from 0 to 1, or without a ramp through the page's ground at 0: marks nobody
    sees stretch their colours to the values of `limits`."""
    bar = {"gradientLength": 100, "gradientThickness": 9, "labelFontSize": 10, "orient": at}
    if ramp:
        scale = alt.Scale(domain=[0, 1], range=list(ramp), clamp=True)
        bar = r.colour_bar([0, 0.5, 1], ".1f", **bar)
    else:
        scale = alt.Scale(range=list(signed_ramp()), nice=False, zero=False, interpolate="rgb")
        bar = r.colour_bar(None, "~r", tickCount=3, labelOverlap="greedy", **bar)
    colour = alt.Color("value:Q", title=None, scale=scale, legend=bar)
    ends = limits.mark_rect(opacity=0, **r.QUIET).encode(color=colour)
    return [ends, cells.mark_rect().encode(color=colour, **where)]


def _named(column: str, name: str = "", **scale: Any) -> alt.Y:
    """Rows with their names to the left; `name` is that of the only one."""
    style = {"labelFontSize": 12, "labelPadding": 8, "labelLimit": 180}
    style |= {"labelExpr": json.dumps(r.title_of(name), ensure_ascii=False)} if name else {}
    axis = alt.Axis(ticks=False, domain=False, **style)
    return alt.Y(f"{column}:N", title=None, scale=alt.Scale(**scale), axis=axis)


def _chosen(channel: type, then: Any, otherwise: Any = INK) -> Any:
    return r.when(channel, ("datum.chosen", then), otherwise=otherwise)


def strips_figure(
    strips: Sequence[Strip],
    key_tokens: Sequence[str],
    *,
    kind: AttentionSite | str,
    chosen: int | None = None,
    room: int = ROOM,
) -> Figure:
    """Rows of cells one below the other over the same keys, each with its own colour bar.

    `room`: pixels for the cells of a sentence of ordinary length.
    """
    n, keys, ramp = len(key_tokens), numbered_labels(key_tokens), palette_of(kind).ramp
    cells, limits = [], []
    for at, strip in enumerate(strips):
        own = strip_cells(strip, keys).assign(ink=ink(), strip=at)
        if strip.scale == "share":
            own["ink"] = ink_on(ramp, own["value"])
        if strip.scale == "signed":
            ends = ends_of(strip.values)
            own["ink"] = ink_on(signed_ramp(), (own["value"] / ends["value"].max() + 1) / 2)
            limits.append(ends.assign(strip=at))
        cells.append(own)
    tables = {
        "cells": pd.concat(cells, ignore_index=True),
        "keys": edge(key_tokens, "k", chosen=np.arange(n) == chosen),
        "limits": pd.concat(limits or [pd.DataFrame({"value": [0.0], "strip": -1})]),
    }
    rows = tuple((strip.title, strip.scale) for strip in strips)
    return drawn(_strips, tables, rows=rows, n=n, room=room, ramp=ramp)


def _strips(
    rows: tuple[tuple[str, str], ...], n: int, room: int, ramp: tuple[str, ...]
) -> alt.VConcatChart:
    """Of each strip the cells, the numbers and the frame of the chosen key."""
    step = max(r.SMALLEST, min(46.0, room // n))
    turned, parts = step < _UPRIGHT, []
    axis = r.label_axis("keys", step, chosen="chosen", **r.slanted())
    for at, (title, scale) in enumerate(rows):
        x = alt.X("k:O", title=None, scale=r.places(n, 0.05), axis=None if at else axis)
        own = f"datum.strip === {at}"
        cells, limits = r.source("cells", f"{own} && isValid(datum.value)"), r.source("limits", own)
        told = r.tips(key="figures-key", value=_VALUE)
        where = {"x": x, "y": _named("strip", title), "tooltip": told}
        if scale == "mask":
            layers = [cells.mark_rect(color=INK, opacity=0.1).encode(**where)]
        else:
            shades = ramp if scale == "share" else ()
            layers = _coloured(cells, limits, shades, "right", **where)
        numbers = r.text(
            r.source("cells", own), fontSize=9.5, angle=270 if turned else 0, aria=False
        )
        frame = {"filled": False, "stroke": SELECTION, "strokeWidth": 2, **r.QUIET}
        layers += [
            numbers.encode(x=x, text="text:N", fill=r.own_ink()),
            r.source("keys", "datum.chosen").mark_rect(**frame).encode(x=x),
        ]
        parts.append(r.layered(*layers, width=n * step, height=38 if turned else 26))
    return r.below(*parts, spacing=8, resolve={"scale": {"color": "independent"}})


def vector_bars(stages: Stages, key: int) -> Figure:
    """The query, one key and their products, component by component, as bars."""
    return drawn(_vectors, {"bars": component_table(stages, key)}, d_k=stages.d_k)


def _components(d_k: int, gap: float = 0.0) -> tuple[alt.X, float]:
    """Where the components stand, and how many pixels they take together."""
    step = max(2.0, min(22.0, _ROOM // d_k))
    return alt.X("j:O", axis=None, scale=r.places(d_k, gap if step > 4 else 0.0)), d_k * step


def _vectors(d_k: int) -> alt.VConcatChart:
    x, width = _components(d_k, 0.2)
    titles = {"q": "q", "k": "k", "product": "q × k"}
    told = r.tips(**_COMPONENT, **{name: (title, ".4f") for name, title in titles.items()})
    level = {"titleAngle": 0, "titleAlign": "right", "titlePadding": 8, "minExtent": 34}
    colours = alt.ColorValue(QUERY), alt.ColorValue(KEY), r.two_signs("product")
    panels = []
    for (name, title), colour in zip(titles.items(), colours, strict=True):
        y = alt.Y(f"{name}:Q", **r.measure(title, zero=True, tickCount=3, **level))
        marks = r.source("bars").mark_bar().encode(x=x, y=y, color=colour, tooltip=told)
        panels.append(r.layered(marks, width=width, height=46))
    return r.below(*panels, spacing=8)


def most_rows(d_k: int) -> int:
    """How many keys to draw one by one, so that the picture stays light."""
    return max(4, min(14, 700 // d_k))


def contribution_matrix(
    shares: Shares, stages: Stages, key_tokens: Sequence[str], *, chosen: int | None = None
) -> Figure:
    """Weight times value of each key, a row each; their sum, the context, is the last row."""
    names = distinct_labels(key_tokens)
    labels = [names[k] for k in shares.keys]
    labels += [say("figures-stages-others", n=shares.n_others)] if shares.n_others else []
    labels.append(say("figures-stages-context"))
    tables = contribution_tables(shares, stages, labels, chosen)
    return drawn(_contributions, tables, d_k=stages.d_k)


def _contributions(d_k: int) -> alt.LayerChart:
    x, width = _components(d_k)
    axis = r.label_axis("rows", 17, chosen="chosen", labelPadding=42)  # room for the weights
    y = alt.Y("row:O", title=None, scale=r.places(None, 0.08), axis=axis)
    value = ("figures-stages-weight-times-value", ".4f")
    told = r.tips(label="figures-stages-row", **_COMPONENT, value=value)
    weights = r.text(r.source("rows"), align="right", fontSize=11, aria=False)
    style = {"filled": False, "stroke": INK, "strokeWidth": 1.5, **r.QUIET}
    frame = r.source("rows", "datum.sum").mark_rect(**style)
    red = _chosen(alt.ColorValue, SELECTION_TEXT)
    return r.layered(
        *_coloured(r.source("cells"), r.source("limits"), x=x, y=y, tooltip=told),
        weights.encode(x=alt.XValue(-6), y=y, text="weight:N", color=red),
        frame.encode(y=y, x=alt.XValue(0), x2=alt.X2Value(width)),
        width=width,
        height={"step": 17},
    )


def output_figure(stages: Stages) -> Figure:
    """The contexts of all heads end to end, and what W_O makes of this head and of the others."""
    parts = tuple(say(f"figures-stages-{name}") for name in stages.parts)
    size = {"d_model": len(stages.output), "n_heads": stages.n_heads}
    return drawn(_output, output_tables(stages, parts), parts=parts, **size)


def _output(parts: tuple[str, ...], d_model: int, n_heads: int) -> alt.VConcatChart:
    width = d_model * max(1.0, min(22.0, _ROOM_OUTPUT / d_model))
    scale = alt.Scale(domain=[0, d_model], nice=False)
    heads, middle, columns = (
        alt.X(f"{name}:Q", bin="binned", axis=None, scale=scale)
        for name in ("start", "middle", "j")
    )
    blocks = r.source("blocks")
    frames = blocks.mark_rect(filled=False, **r.QUIET).encode(
        x=heads,
        x2="stop",
        stroke=_chosen(alt.StrokeValue, SELECTION),
        strokeWidth=_chosen(alt.StrokeWidthValue, 2, 0.5),
    )
    names = r.text(r.source("blocks", middle="(datum.start + datum.stop) / 2"), fontSize=11)
    red = _chosen(alt.ColorValue, SELECTION_TEXT)
    names = names.encode(x=middle, y=alt.YValue(-8), text="label:N", color=red)
    level = {"titleAngle": 0, "titleAlign": "right", "titleFontWeight": "normal", "tickCount": 3}
    title = "figures-stages-length-of-head"
    lengths = blocks.mark_bar(binSpacing=0.2 * width / n_heads).encode(
        x=heads,
        x2="stop",
        y=alt.Y("norm:Q", **r.measure(title, zero=True, **level)),
        color=_chosen(alt.ColorValue, SELECTION, GREY),
        tooltip=r.tips(label="figures-head", norm=("figures-stages-length-of-context", ".4f")),
    )
    row = _named("row", "figures-stages-end-to-end")
    rows = _named("name", domain=list(parts), paddingInner=0.12)
    top, bottom = (
        _coloured(
            r.source(table, component="datum.j + 1", row="0"),
            r.source(limits),
            x=columns,
            x2="stop",
            y=y,
            tooltip=r.tips(**name, **_COMPONENT, value=_VALUE),
        )
        for table, limits, name, y in (
            ("concatenated", "limits", {"head": "figures-head"}, row),
            ("parts", "part_limits", {"name": "figures-stages-part"}, rows),
        )
    )
    return r.below(
        r.layered(*top, frames, names, width=width, height=22),
        r.layered(lengths, width=width, height=48),
        r.layered(*bottom, width=width, height=24 * len(parts)),
        spacing=10,
        resolve={"scale": {"color": "independent"}},
    )


def scaling_curves(effect: Sharpness, stages: Stages) -> Figure:
    """Random vectors of growing size as curves, the row at hand as two dots on each panel."""
    names = say("figures-stages-divided"), say("figures-stages-not-divided")
    tables = {"curves": effect, "own": own_sharpness(stages)}
    tables = {name: sharpness_table(each, names) for name, each in tables.items()}
    return drawn(_curves, tables, names=names)


def _curves(names: tuple[str, str]) -> alt.HConcatChart:
    legend = {"symbolType": "stroke", "symbolStrokeWidth": 3}
    colour = r.series(alt.Color, "name", names, (POSITIVE, NEGATIVE), legend=legend)
    sizes = {"values": [1, 4, 16, 64, 256], "format": "d", "grid": False}
    x = alt.X("d_k:Q", **r.measure("d_k", log=True, nice=False, **sizes))
    ringed = r.source("own").mark_point(size=95, filled=True, opacity=1, strokeWidth=2)
    look = {"points": 22, "strokeWidth": 2.5, "width": 120, "height": 150}
    panels = []
    for name in ("largest", "entropy", "gradient"):
        title = f"figures-stages-{name}"
        y = alt.Y(f"{name}:Q", **r.measure(title, zero=True, tickCount=4))
        told = r.tips(name=" ", d_k=("d_k", "d"), **{name: (title, ".4f")})
        own = ringed.encode(x=x, y=y, color=colour, stroke=alt.StrokeValue(SELECTION), tooltip=told)
        panels.append(r.lines(x, y, colour, told, table="curves", more=[own], **look))
    return r.beside(*panels, spacing=24)
