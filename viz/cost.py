"""What layers cost: counted, measured, and how many steps information takes through them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from analysis.costs import path_length, sequential_steps
from records import CROSS, DECODER, ENCODER, LAYERS

from . import chart
from .bars import FONT, Lines
from .chart import Part, datum, draw, field, mark, text, value, when
from .figure import Figure
from .labels import text_width
from .look import say
from .theme import GREY, INK, NEGATIVE, POSITIVE, SELECTION_TEXT, palette_of

N_STEP, D_STEP, K_STEP, R_STEP, PATH_STEP = "n_step", "d_step", "k_step", "r_step", "path_step"
"""Variables of the specifications that sliders move."""
LEAST_N, LEAST_D, LEAST_K, LEAST_R = 8, 64, 3, 4
N_STEPS, D_STEPS, K_STEPS, R_STEPS = 8, 3, 4, 6
"""Last steps of their sliders: n, d and r double, k grows by two."""
FIRST = {N_STEP: 3, D_STEP: 2, K_STEP: 0, R_STEP: 3, PATH_STEP: 1}
N = f"({LEAST_N} * pow(2, {N_STEP}))"
D = f"({LEAST_D} * pow(2, {D_STEP}))"
K = f"({LEAST_K} + 2 * {K_STEP})"
R = f"({LEAST_R} * pow(2, {R_STEP}))"
# By kind: the formula of the paper, operations, sequential steps and longest path for Vega.
_COUNTED = {
    "attention": ("n² · d", f"{N} * {N} * {D}", "1", "1"),
    "gru": ("n · d²", f"{N} * {D} * {D}", N, N),
    "lstm": ("n · d²", f"{N} * {D} * {D}", N, N),
    "convolution": ("k · n · d²", f"{K} * {N} * {D} * {D}", "1", f"ceil({N} / {K})"),
    "dilated": ("k · n · d²", f"{K} * {N} * {D} * {D}", "1", f"ceil(log({N}) / log({K}) - 1e-9)"),
    "restricted": ("r · n · d", f"min({R}, {N}) * {N} * {D}", "1", f"ceil({N} / {R})"),
}
_STEPS = {**dict.fromkeys(_COUNTED, "1"), "gru": "n", "lstm": "n"}
_PATHS = {**_STEPS, "convolution": "n / k", "dilated": "log n / log k", "restricted": "n / r"}
_BARS, _ROW = 210, 30
_PLOT = (560, 300)
_CELL = 15
_UNITS = {
    "seconds": ((1e-3, 1e6, "µs"), (1, 1e3, "ms"), (None, 1, "s")),
    "bytes": ((1e3, 1, "B"), (1e6, 1e-3, "kB"), (None, 1e-6, "MB")),
}
"""What stands below a limit is said times a factor, in a unit; as in `words.numbers`."""


def colour_of(kind: str) -> str:
    """Attention blue, recurrent sand and rose, convolutions teal and green, restricted purple."""
    return {
        "attention": palette_of(ENCODER).accent,
        "dot": palette_of(ENCODER).accent,
        "gru": palette_of(DECODER).accent,
        "lstm": palette_of("rose").accent,
        "convolution": palette_of(CROSS).accent,
        "dilated": POSITIVE,
        "restricted": NEGATIVE,
        "additive": palette_of(DECODER).accent,
    }[kind]


def layer_name(kind: str) -> str:
    return say(f"cost-layer-{kind}")


def _in_units(column: str, unit: str) -> str:
    """An expression for Vega: the number of a column, in whichever of its units reads best."""
    *small, (_, factor, name) = _UNITS[unit]
    told = f"format({column} * {factor}, ',.3~r') + ' {name}'"
    for limit, factor, name in reversed(small):
        near = f"{column} < {limit} * (1 - 1e-9)"  # a tick at 0.001 may be a little less
        told = f"{near} ? format({column} * {factor}, ',.3~r') + ' {name}' : {told}"
    return told


def _dials(*signals: str) -> list[Part]:
    last = {N_STEP: N_STEPS, D_STEP: D_STEPS, K_STEP: K_STEPS, R_STEP: R_STEPS}
    return [chart.dial(signal, FIRST[signal], last[signal]) for signal in signals]


# -- counted --------------------------------------------------------------------------------


def counted_table(measured: pd.DataFrame | None) -> Figure:
    """Table 1 of Vaswani et al. 2017 with numbers, by four sliders, and the measured time beside.

    Parameters
    ----------
    measured : of `analysis.costs.costs_table`; None where nothing was measured.
    """
    names = [layer_name(kind) for kind in LAYERS]
    rows = pd.DataFrame(
        {
            "place": range(len(LAYERS)),
            "kind": LAYERS,
            "label": names,
            "colour": [colour_of(kind) for kind in LAYERS],
            "formula": [_COUNTED[kind][0] for kind in LAYERS],
            "steps_formula": [_STEPS[kind] for kind in LAYERS],
            "path_formula": [_PATHS[kind] for kind in LAYERS],
        }
    )
    times = pd.DataFrame({"place": [], "n": [], "d": [], "forward": [], "both": []})
    if measured is not None:
        own = measured[measured["kind"].isin(LAYERS)]
        times = own.assign(place=[LAYERS.index(kind) for kind in own["kind"]])
        times = times[["place", "n", "d", "forward", "both"]]
    room = round(max(text_width(name, FONT) for name in names)) + 14
    part = _counted_chart(room, measured is not None)
    width = room + _BARS + 560
    return Figure(part, {"rows": rows, "times": times}, "", width=width)


def _counted_chart(room: int, has_times: bool) -> Part:
    lines = Lines("rows", len(LAYERS), inner=0.35)

    def by_kind(at: int) -> str:
        cases = " : ".join(f"datum.kind == '{kind}' ? {_COUNTED[kind][at]}" for kind in LAYERS)
        return f"{cases} : 0"

    calculate = {"operations": by_kind(1), "steps": by_kind(2), "path": by_kind(3)}
    most = (LEAST_K + 2 * K_STEPS) * LEAST_N * 2**N_STEPS * (LEAST_D * 2**D_STEPS) ** 2
    least = LEAST_R * LEAST_N * LEAST_D
    x = field(
        "operations:Q",
        title=say("cost-operations-axis"),
        scale={"type": "log", "domain": [least / 2, most]},
        axis={"format": ".0e", "tickCount": 5, "gridOpacity": 0.3},
    )
    own = field("colour:N", scale=None, legend=None)
    across = {"formula": 0, "operations": 85, "steps": 165, "path": 305, "time": 440}
    start = _BARS + 24
    shown = [
        ("formula:N", None, "formula"),
        ("operations:Q", ".3~s", "operations"),
        (None, "steps", "steps"),
        (None, "path", "path"),
    ]
    marks = []
    for column, form, name in shown:
        how = text(align="left", fontSize=FONT)
        at = {"x": value(start + across[name]), "y": lines.y}
        if column is None:
            plain = f"datum.{form}_formula == '1' ? '1' : datum.{form}_formula + ' = ' + "
            told = {"shown": plain + f"format(datum.{form}, ',d')"}
            marks.append(draw("rows", how, calculate={**calculate, **told}, **at, text="shown:N"))
        else:
            part = field(column, **({"format": form} if form else {}))
            marks.append(draw("rows", how, calculate=calculate, **at, text=part))
    if has_times:
        where = f"datum.n == {N} && datum.d == {D}"
        marks.append(
            draw("times", text(align="left", fontSize=FONT), where=where,
                 calculate={"shown": _in_units("datum.forward", "seconds")},
                 x=value(start + across["time"]), y=lines.y, text="shown:N")
        )  # fmt: skip
    heads = [
        draw("rows", text(align="left", fontSize=11, fontWeight=600), where="datum.place == 0",
             x=value(start + across[name]), y=value(-12), text=value(say(f"cost-head-{name}")))
        for name in across if name != "time" or has_times
    ]  # fmt: skip
    tooltip = chart.told(
        ("label:N", say("cost-layer")),
        ("operations:Q", say("cost-head-operations"), ",d"),
        ("steps:Q", say("cost-head-steps"), ",d"),
        ("path:Q", say("cost-head-path"), ",d"),
    )
    areas = {"x": value(-room), "x2": value(start + across["time"] + 80), "y": lines.y}
    drawn = chart.layered(
        draw("rows", mark("bar"), calculate=calculate, x=x, x2=datum(least / 2), y=lines.y,
             color=own),
        lines.names(size=FONT, room=room),
        *marks,
        *heads,
        draw("rows", mark("rect", fill="transparent"), calculate=calculate, **areas,
             tooltip=tooltip),
        width=_BARS,
        height=len(LAYERS) * _ROW,
    )  # fmt: skip
    return chart.whole(drawn, right=4, autosize="pad", dials=_dials(N_STEP, D_STEP, K_STEP, R_STEP))


# -- measured -------------------------------------------------------------------------------


def measured_lines(
    table: pd.DataFrame, kinds: Sequence[str], measure: str, *, here: pd.DataFrame | None = None
) -> Figure:
    """A measure against n on logarithmic axes, one line a layer; a slider moves d.

    The dashed line stands where n = d. Rings are what was measured `here`, now.

    Parameters
    ----------
    table : of `analysis.costs.costs_table`.
    measure : "forward", "both" (seconds) or "kept" (bytes).
    here : another such table.
    """
    columns = ["kind", "n", "d", measure]
    lines = table[table["kind"].isin(kinds) & (table[measure] > 0)][columns]
    lines = lines.rename(columns={measure: "value"})
    rings = lines.iloc[:0] if here is None else here[here["kind"].isin(kinds)][columns]
    rings = rings.rename(columns={measure: "value"})
    names = {kind: layer_name(kind) for kind in kinds}
    lines, rings = (
        frame.assign(name=[names[kind] for kind in frame["kind"]]) for frame in (lines, rings)
    )
    every = pd.concat([lines["value"], rings["value"]])
    domain = [float(every.min()) * 0.8, float(every.max()) * 1.3]
    widths = sorted(table["d"].unique().tolist())
    tables = {"lines": lines, "here": rings, "widths": pd.DataFrame({"d": widths})}
    colours = [colour_of(kind) for kind in kinds]
    part = _measured_chart(list(names.values()), colours, measure, domain, table["n"])
    return Figure(part, tables, "", width=_PLOT[0] + 90)


def _measured_chart(
    names: Sequence[str],
    colours: Sequence[str],
    measure: str,
    domain: Sequence[float],
    lengths: pd.Series,
) -> Part:
    unit = "bytes" if measure == "kept" else "seconds"
    ticks = sorted(lengths.unique().tolist())
    ends = [ticks[0], ticks[-1]]
    x = field("n:Q", title=say("cost-n-axis"), scale={"type": "log", "base": 2, "domain": ends},
              axis={"values": ticks, "format": "d", "gridOpacity": 0.25})  # fmt: skip
    low, high = (math.log10(end) for end in domain)
    powers = [10.0**power for power in range(math.ceil(low), math.floor(high) + 1)]
    y = field("value:Q", title=say(f"cost-{measure}-axis"), scale={"type": "log", "domain": domain},
              axis={"gridOpacity": 0.25, "labelExpr": _in_units("datum.value", unit),
                    **({"values": powers} if len(powers) > 1 else {"tickCount": 6})})  # fmt: skip
    scale = {"domain": list(names), "range": list(colours)}
    legend = chart.swatches(title=None, symbolType="circle", columns=3, labelLimit=200)
    colour = field("name:N", scale=scale, legend=legend)
    where = f"datum.d == {D}"
    tooltip = chart.told(
        ("name:N", say("cost-layer")),
        ("n:Q", say("cost-n"), ",d"),
        ("d:Q", say("cost-d"), ",d"),
        ("told:N", say(f"cost-{measure}-axis")),
    )
    told = {"told": _in_units("datum.value", unit)}
    shown: Part = {"where": where, "calculate": told, "x": x, "y": y, "color": colour}
    crossing = mark("rule", color=GREY, strokeDash=[5, 4], strokeWidth=1.5)
    at: Part = {"where": where, "x": field("d:Q", scale={"type": "log", "base": 2, "domain": ends})}
    label = {**text(align="left", dx=5, fontSize=11)}
    drawn = chart.layered(
        draw("widths", crossing, **at),
        draw("widths", label, **at, y=value(8), text=value(say("cost-crossing"))),
        draw("lines", mark("line", strokeWidth=2, tooltip=None), **shown),
        draw("lines", mark("point", filled=True, size=46, opacity=1), **shown, tooltip=tooltip),
        draw("here", mark("point", filled=False, size=130, strokeWidth=2), **shown,
             tooltip=tooltip),
        width=_PLOT[0],
        height=_PLOT[1],
    )  # fmt: skip
    return chart.whole(drawn, right=12, autosize="pad", dials=_dials(D_STEP))


# -- paths ----------------------------------------------------------------------------------


def path_strips(reached: pd.DataFrame, k: int, r: int) -> Figure:
    """How far the first position has come, one strip of n positions a layer; a slider steps on.

    Parameters
    ----------
    reached : of `analysis.costs.reached_table`.
    """
    kinds = list(dict.fromkeys(reached["kind"]))
    n = int(reached["place"].max()) + 1
    last = int(reached["step"].max())
    cells = reached.rename(columns={"place": "position"}).assign(
        place=[kinds.index(kind) for kind in reached["kind"]],
        colour=[colour_of(kind) for kind in reached["kind"]],
        number=reached["place"] + 1,
    )
    rows = pd.DataFrame(
        {
            "place": range(len(kinds)),
            "label": [layer_name("recurrent" if k_ == "gru" else k_) for k_ in kinds],
            "needs": [path_length(kind, n, k, r) for kind in kinds],
        }
    )
    rows["told"] = [
        say("cost-path-steps" if sequential_steps(kind, n) > 1 else "cost-path-layers", n=needs)
        for kind, needs in zip(kinds, rows["needs"], strict=True)
    ]
    lines = Lines("rows", len(kinds), inner=0.3)
    room = round(max(text_width(name, FONT) for name in rows["label"])) + 14
    x = field("position:O", title=say("cost-path-axis"), scale=chart.places(n),
              axis={"labels": False, "ticks": False, "domain": False})  # fmt: skip
    there = f"datum.step <= {PATH_STEP}"
    tooltip = chart.told(
        ("number:Q", say("cost-path-position"), "d"), ("step:Q", say("cost-path-step"), "d")
    )
    done = when((f"datum.needs <= {PATH_STEP}", SELECTION_TEXT), otherwise=INK)
    drawn = chart.layered(
        draw("cells", mark("rect", stroke=GREY, strokeWidth=0.6), x=x, y=lines.y,
             fill=field("colour:N", scale=None), fillOpacity=when((there, 1.0), otherwise=0.06),
             tooltip=tooltip),
        lines.names(size=FONT, room=room),
        draw("rows", text(align="left", fontSize=FONT), x=value(n * _CELL + 10), y=lines.y,
             text="told:N", color=done),
        width=n * _CELL,
        height=len(kinds) * 32,
    )  # fmt: skip
    dials = [chart.dial(PATH_STEP, FIRST[PATH_STEP], last)]
    part = chart.whole(drawn, right=12, autosize="pad", dials=dials)
    return Figure(part, {"cells": cells, "rows": rows}, "", width=room + n * _CELL + 190)
