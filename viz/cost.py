"""Figures of the cost of layers: counted, measured, and path lengths."""

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
    PATHS,
    TABLE_ONE,
    counted_rows,
    measured_points,
    round_ticks,
)
from words.numbers import duration, fixed, size

from . import recipes as r
from .figure import Figure, drawn
from .labels import renamed
from .look import say
from .plots import plot, points
from .theme import GREY, NEGATIVE, POSITIVE, palette_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

_ROW = 30
_STRIP = 24
_COLUMN = 125
_PATH = 620
# Attention blue, recurrent sand and rose, convolutions teal and green, restricted purple.
_SITES = {
    "attention": ENCODER,
    "dot": ENCODER,
    "gru": DECODER,
    "additive": DECODER,
    "lstm": "rose",
    "convolution": CROSS,
}


def layer_name(layer: str) -> str:
    """Return the displayed name of a layer."""
    return say(f"cost-layer-{layer}")


def _colour(layer: str) -> str:
    if layer in _SITES:
        return palette_of(_SITES[layer]).accent
    return POSITIVE if layer == "dilated" else NEGATIVE


def _layer_colours(layers: Sequence[str]) -> alt.Color:
    return r.series(alt.Color, "kind", layers, [_colour(layer) for layer in layers], legend=None)


def _of_kind(formulas: pd.Series) -> str:
    """Return a Vega expression that selects the formula of a row's layer."""
    # A JavaScript object of all formulas, indexed by the layer; Vega evaluates all of them.
    return f"({{{', '.join(f'{layer}: {text}' for layer, text in formulas.items())}}})[datum.kind]"


def _dials() -> list[alt.Parameter]:
    """Return the variables n, d, k and r, and the sliders that move them."""
    dials = [r.dial(name, FIRST_STEPS[name], len(steps) - 1) for name, steps in DIALS.items()]
    return [*dials, *(alt.param(name, expr=text) for name, text in DIALLED.items())]


# -- counted --------------------------------------------------------------------------------


def counted_table(measured: pd.DataFrame | None) -> Figure:
    """Draw table 1 of Vaswani et al. 2017 with numbers, sliders, and the measured times.

    `measured` comes from `core.cost.costs_table`; None if nothing was measured.
    """
    rows = counted_rows()
    tables = {"rows": rows.assign(label=rows["kind"].map(layer_name))}
    if measured is not None:
        own = measured[measured["kind"].isin(LAYERS)]
        positions = own["kind"].map(LAYERS.index)
        times = own["forward"].map(duration)
        tables["times"] = own[["n", "d"]].assign(place=positions, told=times)
    return drawn(_counted, tables, timed=measured is not None)


def _counted(timed: bool) -> alt.HConcatChart:
    counted = {name: _of_kind(TABLE_ONE[name]) for name in ("operations", "steps", "path")}
    rows = r.source("rows", **counted)
    line = {"n": len(LAYERS), "step": _ROW, "inner": 0.35}
    tooltip = r.tips(label="cost-layer", **{name: (f"cost-head-{name}", ",d") for name in counted})
    n, d, k, restricted = DIALS.values()
    # Fixed ends over all positions of the sliders, so that bars can be compared while they move.
    least = restricted[0] * n[0] * d[0] / 2
    most = k[-1] * n[-1] * d[-1] ** 2
    log = {"domain": (least, most), "log": True, "format": ".0e", "tickCount": 5}
    bars = rows.mark_bar().encode(
        x=r.x("operations", "cost-operations-axis", **log),
        x2=alt.X2Datum(least),
        y=r.line_places(table="rows", labelLimit=200, **line),
        color=_layer_colours(LAYERS),
        tooltip=tooltip,
    )
    # Variables are global in Vega-Lite; one view declares them for all.
    bars = bars.add_params(*_dials())
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
    y = r.line_places(table="", **line)
    end = _COLUMN * len(heads)
    columns = [
        r.text(cell, align="left", fontSize=12).encode(x=x, y=y, text="told:N") for cell in cells
    ]
    whole = r.touched("rows", tooltip, y=y, x=alt.XValue(0), x2=alt.X2Value(end))
    columns.append(whole.transform_calculate(**counted))
    height = len(LAYERS) * _ROW
    return r.beside(
        r.layered(bars, width=210, height=height),
        r.layered(*columns, width=end - _COLUMN, height=height),
    )


# -- measured -------------------------------------------------------------------------------


def measured_lines(
    table: pd.DataFrame,
    layers: Sequence[str],
    measure: str,
    d: int,
    powers: pd.DataFrame,
    *,
    here: pd.DataFrame | None = None,
) -> Plot:
    """Draw a measure against n on logarithmic axes, one line a layer of width `d`.

    The axes are the same for every `d`; the dashed line stands at n = d, rings are measured `here`,
    now.

    Parameters
    ----------
    table, here : DataFrame
        From `core.cost.costs_table`.
    measure : {"forward", "both", "kept"}
        Seconds, or bytes for "kept".
    powers : DataFrame
        From `core.cost.fitted_exponents`, for the pointer.
    """
    tell = size if measure == "kept" else duration
    every = measured_points(table, here, layers, measure)
    low = every[measure].min() * 0.8
    high = every[measure].max() * 1.3
    lengths = sorted(table["n"].unique().tolist())
    ticks = round_ticks(low, high)
    words = [tell(tick).replace(".0 ", " ") for tick in ticks]
    log = {"type": "log", "automargin": True}
    across = {**log, "title": say("cost-n-axis"), "tickvals": lengths}
    across["range"] = np.log10([lengths[0] / 1.12, lengths[-1] * 1.12]).tolist()
    up = {**log, "title": say(f"cost-{measure}-axis"), "tickvals": ticks, "ticktext": words}
    up["range"] = np.log10([low, high]).tolist()
    figure = plot(440, uirevision=measure, xaxis=across, yaxis=up)
    # A no-break space keeps the label off the line.
    crossing = {"text": ["", f"\u00a0{say('cost-crossing')}"], "textposition": "bottom right"}
    dashed = {"color": GREY, "width": 1.5, "dash": "dash"}
    figure.add_trace(points([[d, d], [low, high]], mode="lines+text", line=dashed, **crossing))
    ring = {"symbol": "circle-open", "size": 13, "line": {"width": 2}}
    # All lines first, so that rings lie over them.
    for is_here, layer in product((False, True), layers):
        own = every.query("d == @d and kind == @layer and here == @is_here")
        name = layer_name(layer)
        lines = [
            ("", name),
            ("cost-n", "%{x:,}"),
            ("cost-d", f"{d:,}"),
            (f"cost-{measure}-axis", own[measure].map(tell)),
            *([("", say("cost-here-point"))] if is_here else _fitted(powers, layer, d)),
        ]
        trace = points(
            [own["n"].tolist(), own[measure].tolist()],
            lines,
            mode="markers" if is_here else "lines+markers",
            showlegend=not is_here,
            name=name,
            legendgroup=layer,
            marker=ring if is_here else {"size": 7},
            line={"color": _colour(layer), "width": 2},
        )
        figure.add_trace(trace)
    return figure


def _fitted(powers: pd.DataFrame, layer: str, d: int) -> list[tuple[str, str]]:
    """Return the hover lines of the fitted exponent."""
    lines = []
    for fit in powers.query("kind == @layer and at == @d").itertuples():
        interval = say("cost-interval-told", low=fixed(fit.low), high=fixed(fit.high))
        lines += [("cost-exponent", fixed(fit.exponent)), ("cost-interval", interval)]
    return lines


# -- paths ----------------------------------------------------------------------------------


def path_strips() -> Figure:
    """Draw the path from the first of n positions to the last, one strip a layer.

    The sliders are those of `counted_table`; each segment is a step of `core.cost.PATHS`.
    """
    rows = pd.DataFrame({"kind": PATHS.index, "place": range(len(PATHS))})
    labels = rows["kind"].replace("gru", "recurrent").map(layer_name)
    return drawn(_strips, {"rows": rows.assign(label=labels)})


def _strips() -> alt.LayerChart:
    rows = r.source("rows", needs=_of_kind(PATHS["needs"]))
    before, after = (
        f"min(n - 1, {_of_kind(PATHS['reach'].str.replace('{s}', step))})"
        for step in ("(datum.step - 1)", "datum.step")
    )
    hops = (
        # One row a step, made in the browser: their number depends on the sliders.
        rows.transform_calculate(step="sequence(1, datum.needs + 1)")
        .transform_flatten(["step"])
        .transform_calculate(
            start=f"{before} / (n - 1)", end=f"{after} / (n - 1)", position=f"1 + {after}"
        )
    )
    bare = {"axis": alt.Axis(labels=False, ticks=False, grid=False), "title": say("cost-path-axis")}
    y = r.line_places(len(PATHS), "rows", _STRIP, inner=0.3, labelLimit=200)
    told = {"step": ("cost-path-step", ",d"), "position": ("cost-path-position", ",d")}
    segments = hops.mark_rect(aria=False).encode(
        x=alt.X("start:Q", scale=alt.Scale(domain=[0, 1], nice=False), **bare),
        x2="end:Q",
        y=y,
        color=_layer_colours(list(PATHS.index)),
        # Neighbours differ in shade, so that even segments thinner than a pixel show as a tone.
        opacity=r.when(alt.OpacityValue, ("datum.step % 2 == 1", 1.0), otherwise=0.5),
        tooltip=r.tips(**told),
    )
    count = r.text(rows.transform_calculate(told="format(datum.needs, ',d')"), align="left")
    beside = alt.XValue(_PATH + 10)
    head = r.text(r.source("rows", "datum.place == 0"), align="left", fontWeight=600)
    layers = [
        segments.add_params(*_dials()),
        count.encode(x=beside, y=y, text="told:N"),
        head.encode(x=beside, y=alt.YValue(-10), text=alt.TextValue(say("cost-path-steps"))),
    ]
    return r.layered(*layers, width=_PATH, height=len(PATHS) * _STRIP)
