"""What layers cost: counted, measured, and how many steps information takes through them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from analysis.costs import path_length, sequential_steps
from records import CROSS, DECODER, ENCODER, LAYERS
from words.numbers import duration, fixed, size

from . import chart
from .bars import FONT, Lines
from .chart import Part, datum, draw, field, mark, text, value, when
from .figure import Figure
from .labels import text_width
from .look import say
from .plots import styled
from .theme import GREY, INK, NEGATIVE, POSITIVE, SELECTION_TEXT, palette_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

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
_CELL = 15


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
    times = pd.DataFrame({"place": [], "n": [], "d": [], "told": []})
    if measured is not None:
        own = measured[measured["kind"].isin(LAYERS)]
        places = [LAYERS.index(kind) for kind in own["kind"]]
        times = own[["n", "d"]].assign(place=places, told=own["forward"].map(duration))
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
                 x=value(start + across["time"]), y=lines.y, text="told:N")
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
    last = {N_STEP: N_STEPS, D_STEP: D_STEPS, K_STEP: K_STEPS, R_STEP: R_STEPS}
    dials = [chart.dial(signal, FIRST[signal], end) for signal, end in last.items()]
    return chart.whole(drawn, right=4, autosize="pad", dials=dials)


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
    """A measure against n on logarithmic axes, one line a layer of width `d`.

    The dashed line stands where n = d. Rings are what was measured `here`, now. The axes are the
    same for every d.

    Parameters
    ----------
    table : of `analysis.costs.costs_table`.
    measure : "forward", "both" (seconds) or "kept" (bytes).
    powers : of `analysis.costs.fitted_exponents`, for the pointer to tell.
    here : another such table.
    """
    import plotly.graph_objects as go

    tell = size if measure == "kept" else duration
    every = table.assign(here=False)
    if here is not None:
        every = pd.concat([every, here.assign(here=True)])
    every = every[every["kind"].isin(kinds) & (every[measure] > 0)].sort_values("n")
    low, high = every[measure].min() * 0.8, every[measure].max() * 1.3
    powers_of_ten = 10.0 ** np.arange(np.floor(np.log10(low)), np.log10(high))
    ticks = np.outer(powers_of_ten, (1, 2, 5)).ravel().tolist()
    lengths = sorted(table["n"].unique().tolist())
    plot = styled(go.Figure(), height=440, uirevision=measure)
    plot.add_scatter(
        x=[d, d],
        y=[low, high],
        mode="lines+text",
        text=["", f"\u00a0{say('cost-crossing')}"],
        textposition="bottom right",
        line={"color": GREY, "dash": "dash", "width": 1.5},
        hoverinfo="skip",
        showlegend=False,
    )
    for is_here, kind in product((False, True), kinds):
        own = every[(every["d"] == d) & (every["kind"] == kind) & (every["here"] == is_here)]
        told = [say("cost-here-point")] if is_here else _fitted(powers, kind, d)
        plot.add_scatter(
            x=own["n"].tolist(),
            y=own[measure].tolist(),
            mode="markers" if is_here else "lines+markers",
            marker={"symbol": "circle-open", "size": 13} if is_here else {"size": 7},
            marker_line_width=2 * is_here,
            line={"color": colour_of(kind), "width": 2},
            name=layer_name(kind),
            legendgroup=kind,
            showlegend=not is_here,
            text=[tell(value) for value in own[measure]],
            hovertemplate="<br>".join(
                (
                    f"<b>{layer_name(kind)}</b>",
                    f"{say('cost-n')}: %{{x:,}}",
                    f"{say('cost-d')}: {d:,}",
                    f"{say(f'cost-{measure}-axis')}: %{{text}}",
                    *told,
                )
            )
            + "<extra></extra>",
        )
    plot.update_xaxes(
        title=say("cost-n-axis"),
        type="log",
        automargin=True,
        tickvals=lengths,
        range=np.log10([lengths[0] / 1.12, lengths[-1] * 1.12]).tolist(),
    )
    return plot.update_yaxes(
        title=say(f"cost-{measure}-axis"),
        type="log",
        automargin=True,
        range=np.log10([low, high]).tolist(),
        tickvals=ticks,
        ticktext=[tell(tick).replace(".0 ", " ") for tick in ticks],
    )


def _fitted(powers: pd.DataFrame, kind: str, d: int) -> list[str]:
    """The power of a line and its interval in words, where one was fitted."""
    found = powers[(powers["kind"] == kind) & (powers["at"] == d)]
    return [
        f"{say('cost-exponent')}: {fixed(power)}<br>{say('cost-interval-title')}: "
        f"{say('cost-interval', low=fixed(low), high=fixed(high))}"
        for power, low, high in found[["exponent", "low", "high"]].itertuples(index=False)
    ]


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
