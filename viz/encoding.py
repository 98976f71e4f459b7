"""Pictures of the sinusoidal encoding of positions (Vaswani et al. 2017, section 3.5)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from analysis.positions import wavelengths
from words import Words, english

from .figure import Figure, table
from .position_axes import (
    FONT,
    MOST_CELLS,
    WIDTH,
    cell_step,
    charted,
    chosen_point,
    chosen_ring,
    expression,
    filled,
    outlined,
    picture_layers,
    pointer,
    position_columns,
    position_rows,
    raster,
    room_above,
    sentence_above,
    sentence_beside,
    sentence_marks,
    telling,
    token_column,
    whole_numbers,
)
from .theme import INK, SELECTION, palette_of

MOST_CURVES = 8

# Okabe and Ito's colours, which colour-blind readers can tell apart, then brown and grey.
_PAIR_COLOURS = (
    *("#2f86c6", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"),
    *("#8b6f4e", "#8b9099"),
)
_CURVES_HEIGHT = 250
_HEIGHT = 400
_MOST_DOTTED = 64  # curves of more positions are drawn without their points


def curves_figure(
    values: np.ndarray,
    dimensions: Sequence[int],
    *,
    tokens: Sequence[str] = (),
    chosen: tuple[int, int] | None = None,
    dark: bool = False,
    say: Words = english,
) -> Figure:
    """Some dimensions over position: pairs by colour, sines as full lines, cosines dashed.

    Parameters
    ----------
    values : (L, d_model), the encoding
    dimensions : from 1 to `MOST_CURVES` of them
    tokens : the sentence, from position 0 on; what lies beyond L is left out
    chosen : (position, dimension) to mark

    Raises
    ------
    ValueError : there are none, or too many dimensions.
    """
    if not 1 <= len(dimensions) <= MOST_CURVES:
        raise ValueError(f"expected 1 to {MOST_CURVES} dimensions, found {len(dimensions)}")
    length = len(values)
    dimensions = sorted(dimensions)
    lines = pd.DataFrame(
        {
            "position": np.tile(np.arange(length, dtype=np.int16), len(dimensions)),
            "dimension": np.repeat(np.array(dimensions, np.int16), length),
            "value": values[:, dimensions].T.ravel().astype(np.float32),
        }
    )
    marks = sentence_marks(tokens, length, WIDTH / length, say)
    pointed = pd.DataFrame({"position": np.arange(length, dtype=np.int16)})
    if tokens:
        pointed["token"] = token_column(tokens, length)
    for dimension in dimensions:
        pointed[f"dimension {dimension}"] = values[:, dimension].round(4)
    titles = {"position": say("positions-position"), "token": say("positions-token")}
    titles |= {f"dimension {d}": say("positions-dimension-n", n=int(d)) for d in dimensions}
    chart = filled(
        _curves_chart(length <= _MOST_DOTTED, marks.kind, dark, say),
        {"length": length, "step": WIDTH / length, "ticks": whole_numbers(length, WIDTH)},
        padding={"top": room_above(marks), "right": 20},
    )
    chart = telling(chart, "pointed", {name: titles[name] for name in pointed})
    tables = {"lines": lines, "pointed": pointed, "sentence": marks.table}
    tables["chosen"] = chosen_point(values, chosen)
    return Figure(chart, tables, "", width=WIDTH + 70)


def encoding_heatmap(
    values: np.ndarray,
    *,
    base: float = 10_000.0,
    tokens: Sequence[str] = (),
    chosen: tuple[int, int] | None = None,
    dark: bool = False,
    say: Words = english,
) -> Figure:
    """Position (row) by dimension (column), one colour a value from -1 to 1.

    With few cells each tells its value to the pointer; with many, dimensions tell their
    wavelength. The other arguments are those of `curves_figure`.
    """
    length, d_model = values.shape
    across, down = cell_step(d_model, WIDTH), cell_step(length, _HEIGHT)
    width, height = d_model * across, length * down
    marks = sentence_marks(tokens, length, down, say)
    few = values.size <= MOST_CELLS
    if few:
        rows, columns = (axis.ravel() for axis in np.indices(values.shape))
        hover = pd.DataFrame(
            {
                "position": rows.astype(np.int16),
                "dimension": columns.astype(np.int16),
                "value": values.ravel().astype(np.float32),
            }
        )
        if tokens:
            hover["token"] = np.array(token_column(tokens, length), dtype=object)[rows]
    else:
        hover = pd.DataFrame({"dimension": np.arange(d_model, dtype=np.int16)})
    hover["wavelength"] = wavelengths(d_model, base)[hover["dimension"] // 2].astype(np.float32)
    chart = filled(
        _heatmap_chart(few, marks.kind, bool(tokens), dark, say),
        {
            "length": length,
            "d_model": d_model,
            "step": down,
            "ticks": whole_numbers(length, height),
            "dimension_ticks": whole_numbers(d_model, width),
        },
        width=width,
        height=height,
    )
    tables = {
        "picture": raster(values, across, down, dark),
        "hover": hover,
        "sentence": marks.table,
    }
    tables["chosen"] = chosen_point(values, chosen)
    return Figure(chart, tables, "", width=width + 60 + marks.room)


def wavelength_figure(
    d_model: int,
    base: float = 10_000.0,
    *,
    sentence_length: int,
    max_len: int,
    pair: int | None = None,
    dark: bool = False,
    say: Words = english,
) -> Figure:
    """Wavelength of every pair on a log scale, with the sentence's and the longest length.

    Parameters
    ----------
    sentence_length, max_len : tokens of the sentence, and most the model takes
    pair : the one to mark
    """
    lengths = wavelengths(d_model, base)
    pairs = np.arange(d_model // 2, dtype=np.int16)
    points = pd.DataFrame(
        {
            "pair": pairs,
            "dimensions": [
                say("positions-pair-dimensions", sine=2 * int(i), cosine=2 * int(i) + 1)
                for i in pairs
            ],
            "wavelength": lengths,
            "turns": sentence_length / lengths,
            "chosen": pairs == (-1 if pair is None else pair),
        }
    )
    references = pd.DataFrame(
        {
            "length": [sentence_length, max_len],
            "label": [
                say("positions-this-sentence", n=sentence_length),
                say("positions-longest", n=max_len),
            ],
        }
    )
    numbers = {"pairs": len(pairs), "ticks": whole_numbers(len(pairs), WIDTH)}
    chart = filled(_wavelength_chart(dark, say), numbers)
    return Figure(chart, {"points": points, "references": references}, "", width=WIDTH + 70)


@lru_cache(maxsize=32)
def _curves_chart(dotted: bool, kind: str, dark: bool, say: Words) -> dict[str, Any]:
    x = position_columns("position", say("positions-position"), "length")
    y = alt.Y(
        "value:Q",
        title=say("positions-value"),
        scale=alt.Scale(domain=[-1, 1], nice=False),
        axis=alt.Axis(values=[-1, -0.5, 0, 0.5, 1], gridOpacity=0.3, format=".1f"),
    )
    legend = {"orient": "bottom", "direction": "horizontal", "titleLimit": 160, "columns": 4}
    colour = alt.Color(
        "pair:N",
        title=say("positions-pair-legend"),
        sort=alt.EncodingSortField("dimension", op="min"),
        scale=alt.Scale(range=list(_PAIR_COLOURS)),
        legend=alt.Legend(**legend, symbolType="stroke", symbolStrokeWidth=3),
    )
    even, odd = say("positions-even"), say("positions-odd")
    dash = alt.StrokeDash(
        "function:N",
        title=say("positions-dimension"),
        scale=alt.Scale(domain=[even, odd], range=[[1, 0], [5, 3]]),
        legend=alt.Legend(**legend, symbolType="stroke", symbolStrokeColor=INK),
    )
    lines = (
        alt.Chart(table("lines"))
        .transform_calculate(
            i="floor(datum.dimension / 2)",
            pair="datum.i + ' (' + 2 * datum.i + ', ' + (2 * datum.i + 1) + ')'",
            function=f"datum.dimension % 2 ? {json.dumps(odd)} : {json.dumps(even)}",
        )
        .encode(x=x, y=y, color=colour)
    )
    drawn = lines.mark_line(strokeWidth=2, tooltip=None).encode(
        strokeDash=dash, detail="dimension:N"
    )
    dots = lines.mark_point(filled=True, size=18, opacity=1, tooltip=None)
    over = pointer("position")
    strips = (
        alt.Chart(table("pointed"))
        .mark_rect(fill=INK, width=expression("step"), aria=False)
        .encode(
            x=x,
            y=alt.value(0),
            y2=alt.value(_CURVES_HEIGHT),
            opacity=alt.when(over).then(alt.value(0.12)).otherwise(alt.value(0)),
        )
        .add_params(over)
    )
    layers = [
        *sentence_above(kind, x, _CURVES_HEIGHT, say, dark),
        drawn,
        *([dots] if dotted else []),
        strips,
        chosen_ring(x, y),
    ]
    return charted(layers, ("length", "step", "ticks"), WIDTH, _CURVES_HEIGHT)


@lru_cache(maxsize=32)
def _heatmap_chart(few: bool, kind: str, named: bool, dark: bool, say: Words) -> dict[str, Any]:
    x = position_columns("dimension", say("positions-axis-dimension"), "d_model", "dimension_ticks")
    over = pointer("position", "dimension") if few else pointer("dimension")
    whole = {"format": "d"}
    tooltip = [
        *([alt.Tooltip("position:Q", title=say("positions-position"), **whole)] if few else []),
        *([alt.Tooltip("token:N", title=say("positions-token"))] if few and named else []),
        alt.Tooltip("dimension:Q", title=say("positions-dimension"), **whole),
        *([alt.Tooltip("value:Q", title=say("positions-value"), format="+.4f")] if few else []),
        alt.Tooltip("pair:Q", title=say("positions-pair"), **whole),
        alt.Tooltip("function:N", title=say("positions-function")),
        alt.Tooltip("wavelength:Q", title=say("positions-wavelength"), format=",.1f"),
    ]
    sine, cosine = (json.dumps(say(f"positions-{name}")) for name in ("sine", "cosine"))
    down = (
        {"y": position_rows("position", say)} if few else {"y": alt.value(expression("height / 2"))}
    )
    cells = (
        alt.Chart(table("hover"))
        .transform_calculate(
            pair="floor(datum.dimension / 2)",
            function=f"datum.dimension % 2 ? {cosine} : {sine}",
        )
        .mark_rect(
            fill="transparent",
            width=expression("width / d_model"),
            height=expression("step" if few else "height"),
            aria=False,
        )
        .encode(x=x, stroke=outlined(over), tooltip=tooltip, **down)
        .add_params(over)
    )
    layers = [
        *picture_layers(say("positions-value"), dark),
        *sentence_beside(kind, say, dark),
        cells,
        chosen_ring(x, position_rows("position", say)),
    ]
    numbers = ("length", "d_model", "step", "ticks", "dimension_ticks")
    return charted(layers, numbers, WIDTH, _HEIGHT)


@lru_cache(maxsize=4)
def _wavelength_chart(dark: bool, say: Words) -> dict[str, Any]:
    accent = palette_of("encoder", dark=dark).accent
    x = position_columns("pair", say("positions-axis-pair"), "pairs")

    def y(field: str) -> alt.Y:
        return alt.Y(
            f"{field}:Q",
            title=say("positions-axis-wavelength"),
            scale=alt.Scale(type="log", nice=False, padding=18),
            axis=alt.Axis(format=",~g", gridOpacity=0.3, tickCount=6),
        )

    chosen = alt.when("datum.chosen")
    points = (
        alt.Chart(table("points"))
        .mark_point(filled=True, opacity=1)
        .encode(
            x=x,
            y=y("wavelength"),
            color=chosen.then(alt.value(SELECTION)).otherwise(alt.value(accent)),
            size=chosen.then(alt.value(120)).otherwise(alt.value(26)),
            tooltip=[
                alt.Tooltip("pair:Q", title=say("positions-pair"), format="d"),
                alt.Tooltip("dimensions:N", title=say("positions-dimensions")),
                alt.Tooltip("wavelength:Q", title=say("positions-wavelength"), format=",.2f"),
                alt.Tooltip("turns:Q", title=say("positions-turns"), format=",.3f"),
            ],
        )
    )
    references = alt.Chart(table("references"))
    rules = references.mark_rule(color=INK, strokeDash=[5, 4], tooltip=None)
    # The sentence is no longer than the longest, so its label goes below its line.
    names = [
        references.transform_window(place="row_number()")
        .transform_filter(f"datum.place === {place}")
        .mark_text(align="right", baseline=side, dy=dy, fontSize=FONT, color=INK, tooltip=None)
        .encode(x=alt.value(WIDTH - 4), y=y("length"), text="label:N")
        for place, side, dy in ((1, "top", 4), (2, "bottom", -4))
    ]
    layers = [rules.encode(y=y("length")), points, *names]
    return charted(layers, ("pairs", "ticks"), WIDTH, 300)
