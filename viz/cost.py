"""Figures of the cost of layers: counted, measured, and path lengths."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np
import pandas as pd

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
from core.records.attention import CROSS, DECODER, ENCODER
from words.numbers import duration, fixed, size

from . import recipes as r
from .figure import Figure, drawn
from .labels import line_width, renamed
from .plots import HoverLine, plot, points
from .style import say
from .theme import GREY, NEGATIVE, POSITIVE, SELECTION, Site, palette_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

_ROW = 34
_STRIP = 28
_COLUMNS = {"formula": 0, "steps": 84, "path": 172, "time": 286}  # pixels, left ends
_CELL = 60  # pixels of the last column
_BARS = 310
_NUMBER = 130  # of the numbers at the end of a bar
_SHORT = 12  # characters of a heading in one line
_PATH = 700
_NAME_FONT = 14  # of the names right of the lines
_NEAR = 1.3  # factor of two costs at the ends of lines below which their names would touch
# Attention blue, recurrent sand and rose, convolutions teal and green, restricted purple.
_SITES: dict[str, Site] = {
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
        costs = measured[measured["kind"].isin(LAYERS)]
        positions = costs["kind"].map(LAYERS.index)
        times = costs["forward"].map(duration)
        tables["times"] = costs[["n", "d"]].assign(place=positions, told=times)
    return drawn(_counted, tables, timed=measured is not None)


def _counted(timed: bool) -> alt.HConcatChart:
    return r.beside(_operation_bars(), _formula_cells(timed), spacing=_NUMBER, bounds="flush")


def _counted_rows() -> alt.Chart:
    """Return the rows of the table, with the numbers of its formulas at the dials."""
    return r.source(
        "rows",
        operations=_of_kind(TABLE_ONE["operations"]),
        steps=_of_kind(TABLE_ONE["steps"]),
        path=_of_kind(TABLE_ONE["path"]),
    )


def _counted_tips() -> list[alt.Tooltip]:
    return r.tips(
        label="cost-layer",
        operations=("cost-head-operations", ",d"),
        steps=("cost-head-steps", ",d"),
        path=("cost-head-path", ",d"),
    )


def _operation_bars() -> alt.LayerChart:
    """Draw the numbers of operations as bars, with the dials."""
    bars = _counted_rows().mark_bar()
    x = r.x(
        "operations",
        "cost-head-operations",
        zero=True,
        nice=False,
        format="~s",
        tickCount=4,
        labelExpr="datum.value === 0 ? '0' : datum.label",
    )
    bars = bars.encode(
        x=x,
        x2=alt.X2Datum(0),
        y=r.line_places(len(LAYERS), "rows", _ROW, inner=0.35, labelLimit=200),
        color=_layer_colours(LAYERS),
        tooltip=_counted_tips(),
    )
    attention = TABLE_ONE["operations"]["attention"]
    times = f"format(datum.operations / ({attention}), '.2~r') + '×'"
    beside = f"datum.kind == 'attention' ? '' : ' · ' + {times}"
    rows = _counted_rows().transform_calculate(told=f"format(datum.operations, ',d') + ({beside})")
    numbers = r.text(rows, align="left", dx=5, fontSize=12)
    numbers = numbers.encode(x="operations:Q", y="place:O", text="told:N")
    # Variables are global in Vega-Lite; one view declares them for all.
    return r.layered(bars.add_params(*_dials()), numbers, width=_BARS, height=len(LAYERS) * _ROW)


def _formula_cells(timed: bool) -> alt.LayerChart:
    """Draw the formulas and their numbers as columns of text, with the measured times if any."""
    rows = _counted_rows()
    # The strips below count the path exactly; the table of the paper has its order of growth.
    steps = "datum.steps_formula"
    number = "format(datum.steps, ',d')"
    texts = {
        "steps": f"({steps} == '1' ? '' : {steps} + ' = ') + {number}",
        "path": "'O(' + datum.path_formula + ')'",
    }
    heads: list[Any] = ["formula", *texts]
    cells = [rows.transform_calculate(**texts).transform_fold(heads, ["head", "told"])]
    if timed:
        heads = [*heads, "time"]
        cells.append(r.source("times", "datum.n == n && datum.d == d", head="'time'"))
    lefts = {head: _COLUMNS[head] for head in heads}
    end = max(lefts.values()) + _CELL
    scale = alt.Scale(domain=[0, end], nice=False)
    x = alt.X("left:Q", title=None, scale=scale, axis=_heads_axis(lefts))
    left = f"({json.dumps(lefts)})[datum.head]"
    y = r.line_places(len(LAYERS), "", _ROW, inner=0.35)
    columns = [
        r.text(cell.transform_calculate(left=left), align="left", fontSize=12).encode(
            x=x, y=y, text="told:N"
        )
        for cell in cells
    ]
    area = r.touched(rows, _counted_tips()).encode(y=y, x=alt.XValue(0), x2=alt.X2Value(end))
    return r.layered(*columns, area, width=end, height=len(LAYERS) * _ROW)


def _heads_axis(lefts: Mapping[str, int]) -> alt.Axis:
    """Return the axis of the headings of columns, by their left ends in pixels."""
    return alt.Axis(
        orient="top",
        values=list(lefts.values()),
        labelExpr=renamed({str(left): _lines_of(head) for head, left in lefts.items()}),
        grid=False,
        ticks=False,
        domain=False,
        labelAlign="left",
        labelAngle=0,
        labelFontWeight=600,
        labelLimit=200,
        labelOverlap=False,
    )


def _lines_of(head: str) -> list[str]:
    """Return the heading of a column, a long one in two lines."""
    words = say(f"cost-head-{head}")
    return words.split(" ", 1) if len(words) > _SHORT else [words]


# -- measured -------------------------------------------------------------------------------


def measured_lines(
    table: pd.DataFrame,
    layers: Sequence[str],
    measure: str,
    d: int,
    powers: pd.DataFrame,
    *,
    here: pd.DataFrame | None = None,
    crossed: float | None = None,
) -> Plot:
    """Draw a measure against n on logarithmic axes, one line a layer of width `d`.

    The lines of the first two layers are thick and named at their ends, the others pale. The axes
    are the same for every `d`; dashed lines stand at n = d and at the length at which the first two
    layers were measured equal, `crossed`, with a red ring where their lines meet; other rings are
    measured `here`, now.

    Parameters
    ----------
    table, here : DataFrame
        From `core.cost.costs_table`.
    measure : {"forward", "both", "kept"}
        Seconds, or bytes for "kept".
    powers : DataFrame
        From `core.cost.fitted_exponents`, for the pointer.
    """
    every = measured_points(table, here, layers, measure)
    ends = (every[measure].min() * 0.8, every[measure].max() * 1.3)
    figure = plot(
        490,
        uirevision=measure,
        margin={**dict.fromkeys("ltb", 8), "r": _name_room(layers[:2])},
        xaxis=_length_axis(table["n"]),
        yaxis=_amount_axis(measure, ends),
    )
    figure.add_traces(_uprights(d, crossed, ends))
    figure.add_traces(_layer_traces(every, layers, measure, d, powers))
    if crossed is not None:
        figure.add_trace(_meeting(every, layers[0], measure, d, crossed))
    return figure


def _name_room(layers: Sequence[str]) -> float:
    """Return the pixels that the names of `layers` need right of the axes, on a phone as well."""
    return max(line_width(layer_name(layer), _NAME_FONT) for layer in layers) + 24


def _end_sides(costs: pd.DataFrame, layers: Sequence[str], measure: str) -> dict[str, str]:
    """Return on which side of the last point of its line each of two layers has its name.

    `costs`: those of all layers at one width. The values are positions of Plotly.
    """
    ends = costs.sort_values("n").groupby("kind")[measure].last()
    ends = ends.reindex(layers).fillna(0).sort_values()
    near = len(ends) == 2 and ends.iloc[1] < _NEAR * ends.iloc[0]
    sides = ("bottom right", "top right") if near else ("middle right", "middle right")
    return dict(zip(ends.index, sides, strict=False))


def _meeting(every: pd.DataFrame, layer: str, measure: str, d: int, n: float) -> Any:
    """Return a red ring at the length `n`, between two measured ones, on the line of a layer."""
    line = every.query("d == @d and kind == @layer and not here").sort_values("n")
    # Lines of logarithmic axes are straight in the logarithms.
    height = np.exp(np.interp(np.log(n), np.log(line["n"]), np.log(line[measure])))
    ring = {"symbol": "circle-open", "size": 18, "color": SELECTION, "line": {"width": 3}}
    return points([[n], [float(height)]], marker=ring)


def _length_axis(lengths: pd.Series) -> dict[str, Any]:
    """Return the layout of the axis of n, with a tick at each measured length."""
    ticks = sorted(lengths.unique().tolist())
    return _log_axis(say("cost-n-axis"), (ticks[0] / 1.12, ticks[-1] * 1.12), ticks)


def _amount_axis(measure: str, ends: tuple[float, float]) -> dict[str, Any]:
    """Return the layout of the axis of a measure, with round amounts and their units."""
    ticks = round_ticks(*ends)
    words = [_amount(measure, tick).replace(".0 ", " ") for tick in ticks]
    return _log_axis(say(f"cost-{measure}-axis"), ends, ticks, words)


def _layer_tips(layer: str, d: int, measure: str, costs: pd.DataFrame) -> list[HoverLine]:
    """Return the hover lines of what a layer costs at each length."""
    amounts = [_amount(measure, amount) for amount in costs[measure]]
    return [
        ("", layer_name(layer)),
        ("cost-n", "%{x:,}"),
        ("cost-d", f"{d:,}"),
        (f"cost-{measure}-axis", amounts),
    ]


def _amount(measure: str, amount: float) -> str:
    """Write seconds, or bytes for the measure "kept", with their unit."""
    return size(amount) if measure == "kept" else duration(amount)


def _uprights(d: int, crossed: float | None, ends: tuple[float, float]) -> list[Any]:
    """Return the broken lines at n = d and at the length `crossed`, if there is one."""
    # Labels at different ends, so that neither touches the other where both lines are close.
    lines = [_upright(d, ["", f"\u00a0{say('cost-crossing')}"], "bottom right", ends)]
    if crossed is not None:
        label = f"{say('cost-crossed-at', n=crossed)}\u00a0"
        lines.append(_upright(crossed, [label, ""], "top left", ends, dash="dot"))
    return lines


def _upright(
    n: float, labels: list[str], side: str, ends: tuple[float, float], dash: str = "dash"
) -> Any:
    """Return a broken line at a length, with labels at its lower and upper end.

    `side`: Plotly's position of the text. A no-break space keeps a label off the line.
    """
    return points(
        [[n, n], ends],
        mode="lines+text",
        line={"color": GREY, "width": 1.5, "dash": dash},
        text=labels,
        textposition=side,
    )


def _layer_traces(
    every: pd.DataFrame, layers: Sequence[str], measure: str, d: int, powers: pd.DataFrame
) -> list[Any]:
    """Return the lines of layers of width `d`, and the rings of what was measured here.

    The arguments are those of `measured_lines`, and `every` point of `core.cost.measured_points`.
    """
    sides = _end_sides(every.query("d == @d and not here"), layers[:2], measure)
    traces = []
    # All lines first, so that rings lie over them.
    for is_here, layer in product((False, True), layers):
        costs = every.query("d == @d and kind == @layer and here == @is_here")
        about = [("", say("cost-here-point"))] if is_here else _fitted(powers, layer, d)
        tips = [*_layer_tips(layer, d, measure, costs), *about]
        costs = costs[["n", measure]]
        traces.append(_layer_trace(layer, costs, tips, is_here, side=sides.get(layer, "")))
    return traces


def _layer_trace(
    layer: str, costs: pd.DataFrame, tips: Sequence[HoverLine], is_here: bool, *, side: str
) -> Any:
    """Return the line of a layer through two columns, or the rings of what was measured here.

    The line is thick with its name at the `side` of its end, or pale if that is "".
    """
    ring = {"symbol": "circle-open", "size": 13, "line": {"width": 2}}
    named = bool(side) and not is_here
    words = f"\u00a0\u00a0{layer_name(layer)}" if named else ""
    return points(
        [costs[column].tolist() for column in costs],
        tips,
        mode="markers" if is_here else "lines+markers" + "+text" * named,
        showlegend=not is_here,
        name=layer_name(layer),
        legendgroup=layer,
        marker=ring if is_here else {"size": 7},
        line={"color": _colour(layer), "width": 3.5 if named else 1.5},
        opacity=1 if side or is_here else 0.4,
        text=[""] * (len(costs) - 1) + [words] * bool(len(costs)),
        textposition=side or "middle right",
        textfont={"size": _NAME_FONT, "weight": 600},
        cliponaxis=False,
    )


def _log_axis(
    title: str,
    ends: tuple[float, float],
    ticks: Sequence[float],
    texts: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Return the layout of a logarithmic axis with these ticks, and their texts if given."""
    return {
        "type": "log",
        "automargin": True,
        "title": title,
        "range": np.log10(ends).tolist(),
        "tickvals": ticks,
        "ticktext": texts,
    }


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
    y = r.line_places(len(PATHS), "rows", _STRIP, inner=0.3, labelLimit=200)
    segments = hops.mark_rect(aria=False).encode(
        x=alt.X(
            "start:Q",
            title=None,
            scale=alt.Scale(domain=[0, 1], nice=False),
            axis=alt.Axis(labels=False, ticks=False, grid=False),
        ),
        x2="end:Q",
        y=y,
        color=_layer_colours(list(PATHS.index)),
        # Neighbours differ in shade, so that even segments thinner than a pixel show as a tone.
        opacity=r.when(alt.OpacityValue, ("datum.step % 2 == 1", 1.0), otherwise=0.5),
        tooltip=r.tips(step=("cost-path-step", ",d"), position=("cost-path-position", ",d")),
    )
    count = r.text(rows.transform_calculate(told="format(datum.needs, ',d')"), align="left")
    beside = alt.XValue(_PATH + 10)
    head = r.text(r.source("rows", "datum.place == 0"), align="left", fontWeight=600)
    layers = [
        segments.add_params(*_dials()),
        count.encode(x=beside, y=y, text="told:N"),
        head.encode(x=beside, y=alt.YValue(-10), text=alt.TextValue(say("cost-path-steps"))),
    ]
    title = alt.TitleParams(say("cost-path-axis"), offset=16)
    return r.layered(*layers, title=title, width=_PATH, height=len(PATHS) * _STRIP)
