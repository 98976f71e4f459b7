"""Figures of word order: vectors in two orders, tokens by layer, and equal outputs."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import altair as alt
import numpy as np

from core import word_order
from core.records.attention import ENCODER
from core.records.tokens import distinct_labels
from core.weights.tables import labelled
from core.word_order import Equivariance

from . import recipes as r
from .figure import Figure, drawn
from .labels import font_size
from .style import say
from .theme import INK, diverging_ramp, ink_on, palette_of

Measure = Literal["distance", "cosine"]

MEASURES: tuple[Measure, ...] = get_args(Measure)
_LAYER = 44  # pixels of a column of layers
_ROW = 21  # pixels of a row
MOST_COMPONENTS = 26  # numbers of a vector that are drawn
_COMPONENT = 11  # pixels of a number
_NAMES = 76  # pixels for a word beside its strip
# Where the strips of the first and of the second order begin.
_STARTS = np.array([_NAMES, 2 * _NAMES + 70 + MOST_COMPONENTS * _COMPONENT])
_MOST_NUMBERED = 30  # tokens; beyond, the cells are too many for numbers


def layer_panels(
    panels: Mapping[str, np.ndarray], tokens: Sequence[str], *, measure: Measure = "distance"
) -> Figure:
    """Draw tokens by layers, one matrix a title side by side, on one scale of colours.

    Strong colours mean far apart: large distances, small cosines. The other arguments and errors
    are those of `layer_table`.
    """
    cells = word_order.layer_table(panels, tokens, measure)
    values = cells["value"]
    ramp, least = _layer_scale(measure)
    low = np.r_[least, values].min()
    high = np.r_[least, values].max()
    cells["ink"] = ink_on(ramp, (values - low) / (high - low))
    size = int(cells["layer"].max()) + 1, len(tokens)
    tables = {"cells": cells, "rows": labelled(distinct_labels(tokens), "t")}
    return drawn(_layers, tables, titles=tuple(panels), size=size, measure=measure)


def _layer_scale(measure: Measure) -> tuple[tuple[str, ...], tuple[float, float]]:
    """Return the colours, and the least range of the scale."""
    ramp = palette_of(ENCODER).ramp
    # 1e-6 keeps equal vectors from stretching rounding errors over the whole ramp.
    return (ramp, (0.0, 1e-6)) if measure == "distance" else (ramp[::-1], (0.9, 1.0))


def _layers(titles: tuple[str, ...], size: tuple[int, int], measure: Measure) -> alt.HConcatChart:
    n_layers, n_tokens = size
    # Column 0 is the state before the first layer.
    label = f"datum.value == 0 ? {json.dumps(say('positions-embedding-short'))} : datum.label"
    top = alt.Axis(
        orient="top",
        labelExpr=label,
        labelPadding=4,
        titlePadding=4,
        ticks=False,
        domain=False,
        grid=False,
        labelAngle=0,
    )
    x = alt.X("layer:O", title=say("positions-layer"), scale=r.places(n_layers), axis=top)
    left = r.label_axis("rows", _ROW)
    y = alt.Y("t:O", title=say("positions-token"), scale=r.places(n_tokens), axis=left)
    what = say(f"order_measure-{measure}")
    ramp, least = _layer_scale(measure)
    scale = alt.Scale(
        domain=alt.DomainUnionWith(least),
        range=ramp,
        clamp=True,
        nice=False,
        zero=False,
        interpolate="lab",
    )
    bar = r.colour_bar(None, ".2f" if measure == "cosine" else ".2~f", tickCount=4)
    colour = alt.Color("value:Q", title=what, scale=scale, legend=bar)
    layer = ("positions-layer-from-embedding", "d")
    tooltip = r.tips(token="positions-token", layer=layer, value=(what, ".3~g"))
    panels = []
    for panel, title in enumerate(titles):
        cells = r.source("cells", f"datum.panel === {panel}").encode(x=x, y=y)
        layers = [cells.mark_rect().encode(color=colour, tooltip=tooltip), r.kept("rows", y=y)]
        if n_tokens <= _MOST_NUMBERED:
            layers.append(r.text(cells, fontSize=10).encode(text="text:N", fill=r.own_ink()))
        width = n_layers * _LAYER
        panels.append(r.layered(*layers, title=title, width=width, height=n_tokens * _ROW))
    return r.beside(*panels, spacing=16)


def word_strips(
    cases: Mapping[str, np.ndarray], tokens: Sequence[str], order: Sequence[int]
) -> Figure:
    """Draw every word's vector in two orders, a line from its first place to its second.

    Parameters
    ----------
    cases : mapping of str to ndarray of shape (2, T, n)
        By title the vectors in the first and the second order; row t is about token t in both.
    tokens : T tokens in the first order.
    order : position i of the second order holds token ``order[i]``.
    """
    labels = distinct_labels(tokens)
    # A long sentence has low rows, so that the figure stays on one screen.
    row = max(13.0, min(24.0, 300 / len(labels)))
    cells, moves = word_order.strip_tables(cases, labels, order, MOST_COMPONENTS)
    cells["x"] = _STARTS[cells["side"]] + (cells["dimension"] - 1) * _COMPONENT
    cells["x2"] = cells["x"] + _COMPONENT
    cells["y"] = cells["place"] * row
    cells["y2"] = cells["y"] + row - 2
    for side in ("first", "second"):
        moves[f"y_{side}"] = (moves[side] + 0.5) * row - 1
    lengths = [np.linalg.norm(first, axis=-1) for first, _ in cases.values()]
    moves["verdict"] = [
        _verdict(move.distance, lengths[move.panel][move.first]) for move in moves.itertuples()
    ]
    # A domain from 0 to 0 would have no colours.
    limit = max(float(cells["value"].abs().max()), 1e-6)
    height = len(labels) * row
    return drawn(
        _word_strips,
        {"cells": cells, "moves": moves},
        titles=tuple(cases),
        height=height,
        size=font_size(row),
        limit=limit,
    )


def _verdict(distance: float, length: float) -> str:
    """Return the words on how far a vector of this length lies from the one in the other order."""
    if distance < word_order.ROUNDING:
        return say("positions-order-kept")
    return say("positions-order-moved", share=distance / length)


def _word_strips(
    titles: tuple[str, ...], height: float, size: float, limit: float
) -> alt.VConcatChart:
    """Build one panel a case: words and strips in both orders, and a verdict on each word."""
    colour = r.signed_colour("value", diverging_ramp(), limit, "positions-value")
    value = ("positions-value", ".4f")
    tooltip = r.tips(label="positions-token", dimension=("positions-number", "d"), value=value)
    left, right = _STARTS
    end = right + _COMPONENT * MOST_COMPONENTS
    panels = []
    for panel, title in enumerate(titles):
        where = f"datum.panel === {panel}"
        cells = r.source("cells", where).mark_rect(aria=False)
        cells = cells.encode(
            r.pixels(alt.X, "x"), alt.X2("x2"), r.pixels(alt.Y, "y"), alt.Y2("y2"), colour, tooltip
        )
        moves = r.source("moves", where)
        first = r.pixels(alt.Y, "y_first")
        second = r.pixels(alt.Y, "y_second")
        line = moves.mark_rule(color=INK, opacity=0.55, strokeWidth=1.5, tooltip=None, aria=False)
        names = r.text(moves, align="right", fontSize=size).encode(text="label:N")
        verdict = r.text(moves, align="left", fontSize=size)
        panels.append(
            r.layered(
                cells,
                line.encode(
                    alt.XValue(left + _COMPONENT * MOST_COMPONENTS + 6),
                    first,
                    alt.X2Value(right - _NAMES),
                    alt.Y2("y_second"),
                ),
                names.encode(first, x=alt.XValue(left - 8)),
                names.encode(second, x=alt.XValue(right - 8)),
                verdict.encode(second, x=alt.XValue(end + 8), text="verdict:N"),
                title=title,
                width=end + 100,
                height=height,
            )
        )
    return r.below(*panels, spacing=18)


def equivariance_plot(equivariances: Sequence[Equivariance]) -> Figure:
    """Draw the largest difference of every permutation as a dot, on a logarithmic axis.

    A line in each row is one rounding step at the size of the output. Differences of exactly 0
    stand at the left end.
    """
    lines = word_order.equivariance_table(equivariances)
    cases = [
        say(f"positions-case-{'with' if line.positions else 'without'}", bits=line.bits)
        for line in lines.itertuples()
    ]
    lines.insert(0, "case", cases)
    # A log axis has no 0; 1e-18 is below any rounding error of float64.
    lines["shown"] = lines["difference"].clip(lower=1e-18)
    powers = np.log10(lines[["shown", "rounding"]].to_numpy())
    ends = math.floor(powers.min()), max(0, math.floor(powers.max())) + 1
    return drawn(_differences, {"lines": lines}, cases=tuple(dict.fromkeys(cases)), ends=ends)


def _differences(cases: tuple[str, ...], ends: tuple[int, int]) -> alt.LayerChart:
    """Build the dots between these powers of ten, `ends`."""
    axis = alt.Axis(
        labelLimit=250,
        labelPadding=10,
        labelFontSize=12,
        labelOverlap=False,
        ticks=False,
        domain=False,
        grid=False,
        labelAngle=0,
    )
    y = alt.Y("case:N", title=None, scale=alt.Scale(domain=cases, padding=0.4), axis=axis)
    tooltip = r.tips(
        case="positions-encoder",
        permutation=("positions-permutation", "d"),
        difference=("positions-largest-difference", ".3e"),
        rounding=("positions-rounding-step", ".3e"),
    )
    # The rounding step is that of the case, so one tick a row is enough.
    one = r.source("lines", "datum.permutation === 1")
    steps = one.mark_tick(color=INK, thickness=2, size=22)
    dots = r.source("lines").mark_circle(
        size=70, opacity=0.75, color=palette_of(ENCODER).accent, stroke=INK, strokeWidth=0.5
    )
    return r.layered(
        steps.encode(x=_powers("rounding", ends), y=y, tooltip=tooltip),
        dots.encode(x=_powers("shown", ends), y=y, tooltip=tooltip),
        width=350,
        height=len(cases) * 34 + 70,  # axis and title included
    )


def _powers(column: str, ends: tuple[int, int]) -> alt.X:
    """Return the x channel of a column on a logarithmic axis between two powers of ten."""
    return r.logarithmic(
        alt.X,
        column,
        "positions-axis-difference",
        domain=[10.0**power for power in ends],
        nice=False,
        clamp=True,
        format=".0e",
        labelOverlap="greedy",
        tickCount=10,
    )
