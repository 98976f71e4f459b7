"""Pictures of the sinusoidal encoding of positions (Vaswani et al. 2017, section 3.5)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from analysis.labels import distinct_labels
from analysis.positions import (
    chosen_value,
    curve_table,
    heatmap_table,
    position_table,
    wavelength_table,
)
from analysis.tables import labelled
from records import ENCODER

from . import recipes as r
from .figure import Figure, drawn
from .look import say
from .theme import INK, PAIRS, SELECTION, diverging_ramp, palette_of

MOST_CURVES = 8
MOST_CELLS = 4000  # more cells than that are pointed at by whole dimensions
WIDTH = 430

_CURVES_HEIGHT = 250
_MOST_DOTTED = 64  # curves of more positions are drawn without their points
_LABEL_STEP = 9.0  # tokens closer together than this are marked as a whole
_ENDS = [-1, -0.5, 0, 0.5, 1]
_TOLD = {
    "position": ("positions-position", "d"),
    "token": "positions-token",
    "dimension": ("positions-dimension", "d"),
    "value": ("positions-value", "+.4f"),
    "pair": ("positions-pair", "d"),
    "function": "positions-function",
    "wavelength": ("positions-wavelength", ",.1f"),
    "first": ("positions-position", "d"),
    "second": ("positions-other-position", "d"),
    "cosine": ("order_measure-cosine", ".4f"),
}


def curves_figure(
    values: np.ndarray,
    dimensions: Sequence[int],
    *,
    tokens: Sequence[str] = (),
    chosen: tuple[int, int] | None = None,
) -> Figure:
    """Some dimensions over position: pairs by colour, sines as full lines, cosines dashed.

    Parameters
    ----------
    values : (L, d_model), the encoding
    dimensions : from 1 to `MOST_CURVES` of them, else ValueError
    tokens : the sentence, from position 0 on; what lies beyond L is left out
    chosen : (position, dimension) to mark
    """
    if not 1 <= len(dimensions) <= MOST_CURVES:
        raise ValueError(f"expected 1 to {MOST_CURVES} dimensions, found {len(dimensions)}")
    length, dimensions = len(values), tuple(sorted(map(int, dimensions)))
    tables = {
        "lines": curve_table(values, dimensions),
        "pointed": position_table(values, dimensions, tokens),
        "chosen": chosen_value(values, chosen),
        **_sentence(tokens, length, WIDTH / length),
    }
    return drawn(_curves, tables, length=length, dimensions=dimensions, named=bool(tokens))


def encoding_heatmap(
    values: np.ndarray,
    *,
    base: float = 10_000.0,
    tokens: Sequence[str] = (),
    chosen: tuple[int, int] | None = None,
) -> Figure:
    """Position (row) by dimension (column), one colour a value from -1 to 1.

    With few cells each tells its value to the pointer; with many, dimensions tell their
    wavelength. The other arguments are those of `curves_figure`.
    """
    hover = heatmap_table(values, base, tokens, MOST_CELLS)
    tables = {"hover": hover, "chosen": chosen_value(values, chosen)}
    axes = ("dimension", "position"), ("positions-axis-dimension", "positions-value")
    return raster(values, (WIDTH, 400), tokens, tables, *axes)


def wavelength_figure(
    d_model: int,
    base: float = 10_000.0,
    *,
    sentence_length: int,
    max_len: int,
    pair: int | None = None,
) -> Figure:
    """Wavelength of every pair on a log scale, with the sentence's and the longest length.

    `max_len` are the most tokens that the model takes; `pair` is marked.
    """
    points = wavelength_table(d_model, base, sentence_length)
    pairs = points["pair"]
    names = [say("positions-pair-dimensions", sine=2 * i, cosine=2 * i + 1) for i in pairs]
    ends = {"positions-this-sentence": sentence_length, "positions-longest": max_len}
    references = pd.DataFrame([{"length": n, "label": say(id, n=n)} for id, n in ends.items()])
    tables = {
        "points": points.assign(dimensions=names, chosen=pairs == pair),
        # The sentence is no longer than the longest, so its label goes below its line.
        "references": references.assign(side=["top", "bottom"]),
    }
    return drawn(_wavelengths, tables, pairs=len(points))


# -- what pictures of positions share ------------------------------------------------------


def at(channel: type, column: str, n: int, axis: alt.Axis | None = None) -> Any:
    """One of `n` places from 0; rows go down. Only one mark of a chart brings an axis."""
    down = channel is alt.Y
    scale = alt.Scale(domain=[-0.5, n - 0.5], nice=False, zero=False, reverse=down)
    return channel(f"{column}:Q", scale=scale, axis=axis)


def whole(title: str) -> alt.Axis:
    """An axis of whole numbers."""
    return alt.Axis(title=say(title), grid=False, format="d", tickCount=8, tickMinStep=1)


def raster(
    values: np.ndarray,
    room: tuple[int, int],
    tokens: Sequence[str],
    tables: Mapping[str, pd.DataFrame],
    places: tuple[str, str],
    titles: tuple[str, str],
) -> Figure:
    """Values from -1 to 1 as an image, the sentence beside its rows.

    Parameters
    ----------
    room : pixels across and down, for whole ones a cell; else it would show stripes of its own.
    tables : `hover`, whose lines are whole columns where it tells no row, and `chosen`, or neither.
    places : the columns of these that hold the column and the row.
    titles : of the columns, and of the values.
    """
    steps = [max(1, min(24, round(room[i] / values.shape[1 - i]))) for i in (0, 1)]
    picture = r.pictured((values + 1) / 2, diverging_ramp(), *steps)
    tables = {"picture": picture, **tables, **_sentence(tokens, len(values), steps[1])}
    has, told = tuple(tables), tuple(tables.get("hover", ()))
    axes = {"places": places, "titles": titles}
    return drawn(_raster, tables, size=values.shape, steps=tuple(steps), has=has, told=told, **axes)


def ring(rows: alt.Chart, size: float = 110, **where: Any) -> alt.Chart:
    """A circle around each of the rows, for what is chosen."""
    style = {"filled": False, "strokeWidth": 2.5, "color": SELECTION, "opacity": 1}
    return rows.mark_point(size=size, **style, **r.QUIET).encode(**where)


# -- the charts of their shapes ------------------------------------------------------------


def _sentence(tokens: Sequence[str], length: int, step: float) -> dict[str, pd.DataFrame]:
    """The table `sentence`: a line a token where there is room for their names, else one of all."""
    labels = distinct_labels(tokens)[:length]
    if not labels:
        return {}
    if step >= _LABEL_STEP:
        return {"sentence": labelled(labels, "position")}
    name = say("positions-this-sentence", n=len(labels))
    return {"sentence": pd.DataFrame([{"start": -0.5, "end": len(labels) - 0.5, "label": name}])}


def _sentence_axis(channel: type, n: int, step: float, **band: Any) -> alt.Chart:
    """The sentence above `n` columns of positions or to the right of rows.

    Where there is no room for its tokens it has one name and a `band`.
    """
    name, accent = channel.__name__.lower(), palette_of(ENCODER).accent
    beside = name == "y"
    look = {"orient": "right", "labelColor": accent} if beside else r.slanted()
    if step >= _LABEL_STEP:
        axis = r.label_axis("sentence", step, title=None, values=list(range(n)), **look)
        return r.kept("sentence", **{name: at(channel, "position", n, axis)})
    look |= {"labelAngle": 90, "labelPadding": 12} if beside else {"labelAngle": 0}
    axis = r.label_axis("sentence", 18, title=None, values=[0], **{"labelAlign": "left", **look})
    mark = r.source("sentence").mark_rect(color=accent, opacity=1 if beside else 0.14, **r.QUIET)
    return mark.encode(**{name: at(channel, "start", n, axis), f"{name}2": "end:Q"}, **band)


def _function(even: str, odd: str) -> str:
    return f"datum.dimension % 2 ? {json.dumps(say(odd))} : {json.dumps(say(even))}"


def _curves(length: int, dimensions: tuple[int, ...], named: bool) -> alt.LayerChart:
    value = r.measure("positions-value", domain=(-1, 1), nice=False, values=_ENDS, format=".1f")
    where = {"x": at(alt.X, "position", length), "y": alt.Y("value:Q", **value)}
    names = "positions-even", "positions-odd"
    functions = say(names[0]), say(names[1])
    pairs = [f"{i} ({2 * i}, {2 * i + 1})" for i in dict.fromkeys(d // 2 for d in dimensions)]
    legend = {"orient": "bottom", "symbolType": "stroke", "columns": 4, "titleLimit": 160}
    of_pairs = "positions-pair-legend", {**legend, "symbolStrokeWidth": 3}
    of_dashes = "positions-dimension", {**legend, "symbolStrokeColor": INK}
    colour = r.series(alt.Color, "pair", pairs, PAIRS, *of_pairs)
    dash = r.series(alt.StrokeDash, "function", functions, ([1, 0], [5, 3]), *of_dashes)
    lines = r.source(
        "lines",
        i="floor(datum.dimension / 2)",
        pair="datum.i + ' (' + 2 * datum.i + ', ' + (2 * datum.i + 1) + ')'",
        function=_function(*names),
    )
    line = lines.mark_line(strokeWidth=2, tooltip=None)
    dots = lines.mark_point(filled=True, size=18, opacity=1, tooltip=None)
    told = {"position": "positions-position", **({"token": "positions-token"} if named else {})}
    told |= {f"dimension {d}": say("positions-dimension-n", n=d) for d in dimensions}
    over, step = r.hover("over", "position"), WIDTH / length
    ends = {"y": alt.YValue(0), "y2": alt.Y2Value(_CURVES_HEIGHT)}
    seen = r.when(alt.OpacityValue, (over, 0.12), otherwise=0)
    strips = r.source("pointed").mark_rect(fill=INK, width=step, aria=False).add_params(over)
    return r.layered(
        r.kept("pointed", x=at(alt.X, "position", length, whole("positions-position"))),
        *([_sentence_axis(alt.X, length, step, **ends)] if named else []),
        line.encode(color=colour, strokeDash=dash, detail="dimension:N", **where),
        *([dots.encode(color=colour, **where)] if length <= _MOST_DOTTED else []),
        strips.encode(x=where["x"], opacity=seen, tooltip=r.tips(**told), **ends),
        ring(r.source("chosen"), **where),
        width=WIDTH,
        height=_CURVES_HEIGHT,
        resolve={"axis": {"x": "independent"}},
    )


def _raster(
    size: tuple[int, int],
    steps: tuple[int, int],
    places: tuple[str, str],
    titles: tuple[str, str],
    has: tuple[str, ...],
    told: tuple[str, ...],
) -> alt.LayerChart:
    """The tables that it `has`, and the columns of `hover` that are told."""
    (n_rows, n_columns), (across, down) = size, steps
    width, height = n_columns * across, n_rows * down
    x, y = partial(at, alt.X, places[0], n_columns), partial(at, alt.Y, places[1], n_rows)
    scale = alt.Scale(domain=[-1, 1], range=list(diverging_ramp()), interpolate="rgb")
    bar = r.colour_bar(_ENDS, ".1f", offset=6)
    colour = alt.Color("value:Q", title=say(titles[1]), scale=scale, legend=bar)
    layers = [
        *r.picture(colour, width, height),
        r.kept("picture", x=x(whole(titles[0])), y=y(whole("positions-axis-row"))),
    ]
    if "sentence" in has:
        band = {"x": alt.XValue(width + 4), "x2": alt.X2Value(width + 7)}
        layers.append(_sentence_axis(alt.Y, n_rows, down, **band))
    if told:
        single = places[1] in told
        over = r.hover("over", *places[: 1 + single])
        function = _function("positions-sine", "positions-cosine")
        more = {"pair": "floor(datum.dimension / 2)", "function": function}
        more = more if "dimension" in told else {}
        hover = r.source("hover", **more).encode(
            x=x(),
            y=y() if single else alt.YValue(height / 2),
            stroke=r.when(alt.StrokeValue, (over, INK), otherwise="transparent"),
            tooltip=r.tips(**{name: _TOLD[name] for name in _TOLD if name in (*told, *more)}),
        )
        sides = {"width": across, "height": down if single else height}
        layers.append(hover.mark_rect(fill="transparent", aria=False, **sides).add_params(over))
    layers += [ring(r.source("chosen"), x=x(), y=y())] if "chosen" in has else []
    apart = {"axis": {"x": "independent", "y": "independent"}}
    return r.layered(*layers, width=width, height=height, resolve=apart)


def _wavelengths(pairs: int) -> alt.LayerChart:
    log = {"log": True, "nice": False, "padding": 18, "format": ",~g"}
    scale = r.measure("positions-axis-wavelength", **log)
    length = alt.Y("length:Q", **scale)
    marked, accent = "datum.chosen", palette_of(ENCODER).accent
    points = r.source("points").mark_point(filled=True, opacity=1)
    points = points.encode(
        x=at(alt.X, "pair", pairs, whole("positions-axis-pair")),
        y=alt.Y("wavelength:Q", **scale),
        color=r.when(alt.ColorValue, (marked, SELECTION), otherwise=accent),
        size=r.when(alt.SizeValue, (marked, 120), otherwise=26),
        tooltip=r.tips(
            pair=("positions-pair", "d"),
            dimensions="positions-dimensions",
            wavelength=("positions-wavelength", ",.2f"),
            turns=("positions-turns", ",.3f"),
        ),
    )
    side, off = alt.ExprRef("datum.side"), alt.ExprRef("datum.side == 'top' ? 4 : -4")
    names = r.text(r.source("references"), align="right", baseline=side, dy=off, fontSize=11)
    names = names.encode(x=alt.XValue(WIDTH - 4), y=length, text="label:N")
    rules = r.rule("references", along=alt.Undefined)[0].encode(y=length)
    return r.layered(rules, points, names, width=WIDTH, height=300)
