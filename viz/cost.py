"""What layers cost: counted, measured, and how many steps information takes through them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

import altair as alt
import numpy as np
import pandas as pd

from core.attention import CROSS, DECODER, ENCODER
from core.cost import (
    DIALLED,
    DIALS,
    FIRST_STEPS,
    LAYERS,
    TABLE_ONE,
    counted_rows,
    measured_points,
    reached_strips,
    round_ticks,
)
from words.numbers import duration, fixed, size

from . import recipes as r
from .figure import Figure, drawn
from .labels import renamed
from .look import say
from .plots import plot, points
from .theme import GREY, INK, NEGATIVE, POSITIVE, SELECTION_TEXT, palette_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

_ROW, _STRIP, _COLUMN, _CELL = 30, 32, 125, 21
# Attention blue, recurrent sand and rose, convolutions teal and green, restricted purple.
_SITES = {
    "attention": ENCODER,
    "dot": ENCODER,
    "gru": DECODER,
    "additive": DECODER,
    "lstm": "rose",
    "convolution": CROSS,
}


def layer_name(kind: str) -> str:
    return say(f"cost-layer-{kind}")


def _colour(kind: str) -> str:
    if kind in _SITES:
        return palette_of(_SITES[kind]).accent
    return POSITIVE if kind == "dilated" else NEGATIVE


def _kinds(kinds: Sequence[str]) -> alt.Color:
    return r.series(alt.Color, "kind", kinds, [_colour(kind) for kind in kinds], legend=None)


# -- counted --------------------------------------------------------------------------------


def counted_table(measured: pd.DataFrame | None) -> Figure:
    """Table 1 of Vaswani et al. 2017 with numbers, by four sliders, and the measured time beside.

    `measured` is of `core.cost.costs_table`; None where nothing was measured.
    """
    rows = counted_rows()
    tables = {"rows": rows.assign(label=rows["kind"].map(layer_name))}
    if measured is not None:
        own = measured[measured["kind"].isin(LAYERS)]
        places, told = own["kind"].map(LAYERS.index), own["forward"].map(duration)
        tables["times"] = own[["n", "d"]].assign(place=places, told=told)
    return drawn(_counted, tables, timed=measured is not None)


def _counted(timed: bool) -> alt.HConcatChart:
    counted = {}
    for name in ("operations", "steps", "path"):
        each = ", ".join(f"{kind}: {told}" for kind, told in TABLE_ONE[name].items())
        counted[name] = f"({{{each}}})[datum.kind]"
    rows, line = r.source("rows", **counted), {"n": len(LAYERS), "step": _ROW, "inner": 0.35}
    told = r.tips(label="cost-layer", **{name: (f"cost-head-{name}", ",d") for name in counted})
    n, d, k, restricted = DIALS.values()
    least, most = restricted[0] * n[0] * d[0] / 2, k[-1] * n[-1] * d[-1] ** 2
    log = {"domain": (least, most), "log": True, "format": ".0e", "tickCount": 5}
    dials = [r.dial(name, FIRST_STEPS[name], len(each) - 1) for name, each in DIALS.items()]
    bars = rows.mark_bar().encode(
        x=alt.X("operations:Q", **r.measure("cost-operations-axis", **log)),
        x2=alt.X2Datum(least),
        y=r.line_places(table="rows", labelLimit=200, **line),
        color=_kinds(LAYERS),
        tooltip=told,
    )
    bars = bars.add_params(*dials, *(alt.param(name, expr=each) for name, each in DIALLED.items()))
    texts = {"operations": "format(datum.operations, '.3~s')"}
    for name in ("steps", "path"):
        formula = f"datum.{name}_formula"
        texts[name] = f"({formula} == '1' ? '' : {formula} + ' = ') + format(datum.{name}, ',d')"
    heads = ["formula", *texts]
    cells = [rows.transform_calculate(**texts).transform_fold(heads, ["head", "told"])]
    if timed:
        heads = [*heads, "time"]
        cells.append(r.source("times", "datum.n == n && datum.d == d", head="'time'"))
    words = renamed({head: say(f"cost-head-{head}") for head in heads})
    look = {"labelAlign": "left", "labelAngle": 0, "labelFontWeight": 600, "labelLimit": 200}
    axis = alt.Axis(orient="top", labelExpr=words, ticks=False, domain=False, **look)
    x = alt.X("head:N", title=None, scale=alt.Scale(domain=heads, padding=0), axis=axis)
    y, end = r.line_places(table="", **line), _COLUMN * len(heads)
    columns = [
        r.text(each, align="left", fontSize=12).encode(x=x, y=y, text="told:N") for each in cells
    ]
    whole = r.touched("rows", told, y=y, x=alt.XValue(0), x2=alt.X2Value(end))
    columns.append(whole.transform_calculate(**counted))
    height = len(LAYERS) * _ROW
    return r.beside(
        r.layered(bars, width=210, height=height),
        r.layered(*columns, width=end - _COLUMN, height=height),
    )


# -- measured -------------------------------------------------------------------------------


def measured_lines(
    table: pd.DataFrame,
    kinds: Sequence[str],
    measure: str,
    d: int,
    powers: pd.DataFrame,
    *,
    here: pd.DataFrame | None = None,
) -> Plot:
    """A measure against n on logarithmic axes, the same for every d, a line a layer of width `d`.

    The dashed line stands where n = d. Rings are what was measured `here`, now. `table`, `here`: of
    `core.cost.costs_table`. `measure`: "forward", "both" (seconds) or "kept" (bytes).
    `powers`: of `core.cost.fitted_exponents`, for the pointer to tell.
    """
    tell = size if measure == "kept" else duration
    every = measured_points(table, here, kinds, measure)
    low, high = every[measure].min() * 0.8, every[measure].max() * 1.3
    lengths, ticks = sorted(table["n"].unique().tolist()), round_ticks(low, high)
    words = [tell(tick).replace(".0 ", " ") for tick in ticks]
    log = {"type": "log", "automargin": True}
    across = {**log, "title": say("cost-n-axis"), "tickvals": lengths}
    across["range"] = np.log10([lengths[0] / 1.12, lengths[-1] * 1.12]).tolist()
    up = {**log, "title": say(f"cost-{measure}-axis"), "tickvals": ticks, "ticktext": words}
    up["range"] = np.log10([low, high]).tolist()
    figure = plot(440, uirevision=measure, xaxis=across, yaxis=up)
    crossing = {"text": ["", f"\u00a0{say('cost-crossing')}"], "textposition": "bottom right"}
    dashed = {"color": GREY, "width": 1.5, "dash": "dash"}
    figure.add_trace(points([[d, d], [low, high]], mode="lines+text", line=dashed, **crossing))
    ring = {"symbol": "circle-open", "size": 13, "line": {"width": 2}}
    for is_here, kind in product((False, True), kinds):
        own = every.query("d == @d and kind == @kind and here == @is_here")
        name = layer_name(kind)
        told = [
            ("", name),
            ("cost-n", "%{x:,}"),
            ("cost-d", f"{d:,}"),
            (f"cost-{measure}-axis", own[measure].map(tell)),
            *([("", say("cost-here-point"))] if is_here else _fitted(powers, kind, d)),
        ]
        trace = points(
            [own["n"].tolist(), own[measure].tolist()],
            told,
            mode="markers" if is_here else "lines+markers",
            showlegend=not is_here,
            name=name,
            legendgroup=kind,
            marker=ring if is_here else {"size": 7},
            line={"color": _colour(kind), "width": 2},
        )
        figure.add_trace(trace)
    return figure


def _fitted(powers: pd.DataFrame, kind: str, d: int) -> list[tuple[str, str]]:
    """The power of a line and its interval in words, where one was fitted."""
    lines = []
    for found in powers.query("kind == @kind and at == @d").itertuples():
        interval = say("cost-interval-told", low=fixed(found.low), high=fixed(found.high))
        lines += [("cost-exponent", fixed(found.exponent)), ("cost-interval", interval)]
    return lines


# -- paths ----------------------------------------------------------------------------------


def path_strips(reached: pd.DataFrame) -> Figure:
    """How far the first position has come, one strip of n positions a layer; a slider steps on.

    `reached` is of `core.cost.reached_table`.
    """
    cells, rows = reached_strips(reached)
    kinds, last = tuple(rows["kind"]), int(rows["needs"].max())
    rows["label"] = rows["kind"].replace("gru", "recurrent").map(layer_name)
    rows["told"] = [
        say("cost-path-steps" if kind == "gru" else "cost-path-layers", n=n)
        for kind, n in zip(kinds, rows["needs"], strict=True)
    ]
    n = len(cells) // len(kinds)
    return drawn(_strips, {"cells": cells, "rows": rows}, kinds=kinds, n=n, last=last)


def _strips(kinds: tuple[str, ...], n: int, last: int) -> alt.LayerChart:
    bare = alt.Axis(labels=False, ticks=False, domain=False)
    y = r.line_places(len(kinds), "rows", _STRIP, inner=0.3, labelLimit=200)
    there, done = "datum.step <= path_step", "datum.needs <= path_step"
    cells = (
        r.source("cells")
        .mark_rect(stroke=GREY, strokeWidth=0.6)
        .encode(
            x=alt.X("position:O", title=say("cost-path-axis"), scale=r.places(n), axis=bare),
            y=y,
            color=_kinds(kinds),
            fillOpacity=r.when(alt.FillOpacityValue, (there, 1.0), otherwise=0.06),
            tooltip=r.tips(number=("cost-path-position", "d"), step=("cost-path-step", "d")),
        )
    )
    needs = r.text(r.source("rows"), align="left").encode(
        x=alt.XValue(n * _CELL + 10),
        y=y,
        text="told:N",
        color=r.when(alt.ColorValue, (done, SELECTION_TEXT), otherwise=INK),
    )
    dial = r.dial("path_step", FIRST_STEPS["path_step"], last)
    size = {"width": n * _CELL, "height": len(kinds) * _STRIP}
    return r.layered(cells.add_params(dial), needs, **size)
