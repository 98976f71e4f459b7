"""Pictures of the sinusoidal encoding of positions (Vaswani et al. 2017, section 3.5)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from analysis.positions import wavelengths
from records import ENCODER

from . import chart
from .chart import Part
from .figure import Figure
from .look import say
from .position_axes import (
    FONT,
    MOST_CELLS,
    WIDTH,
    cell_step,
    charted,
    chosen_point,
    chosen_ring,
    expression,
    outlined,
    picture_layers,
    position_columns,
    position_rows,
    raster,
    room_above,
    sentence_above,
    sentence_beside,
    sentence_marks,
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
    marks = sentence_marks(tokens, length, WIDTH / length)
    pointed = pd.DataFrame({"position": np.arange(length, dtype=np.int16)})
    if tokens:
        pointed["token"] = token_column(tokens, length)
    for dimension in dimensions:
        pointed[f"dimension {dimension}"] = values[:, dimension].round(4)
    titles = {"position": say("positions-position"), "token": say("positions-token")}
    titles |= {f"dimension {d}": say("positions-dimension-n", n=int(d)) for d in dimensions}
    drawing = charted(
        _curves(length <= _MOST_DOTTED, marks.kind, {name: titles[name] for name in pointed}),
        {"length": length, "step": WIDTH / length, "ticks": whole_numbers(length, WIDTH)},
        WIDTH,
        _CURVES_HEIGHT,
        top=room_above(marks),
        right=20,
    )
    tables = {"lines": lines, "pointed": pointed, "sentence": marks.table}
    tables["chosen"] = chosen_point(values, chosen)
    return Figure(drawing, tables, "", width=WIDTH + 70)


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
    length, d_model = values.shape
    across, down = cell_step(d_model, WIDTH), cell_step(length, _HEIGHT)
    width, height = d_model * across, length * down
    marks = sentence_marks(tokens, length, down)
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
    drawing = charted(
        _cells(few, marks.kind, bool(tokens)),
        {
            "length": length,
            "d_model": d_model,
            "step": down,
            "ticks": whole_numbers(length, height),
            "dimension_ticks": whole_numbers(d_model, width),
        },
        width,
        height,
    )
    tables = {
        "picture": raster(values, across, down),
        "hover": hover,
        "sentence": marks.table,
    }
    tables["chosen"] = chosen_point(values, chosen)
    return Figure(drawing, tables, "", width=width + 60 + marks.room)


def wavelength_figure(
    d_model: int,
    base: float = 10_000.0,
    *,
    sentence_length: int,
    max_len: int,
    pair: int | None = None,
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
    drawing = charted(_wavelengths(), numbers, WIDTH, 300)
    return Figure(drawing, {"points": points, "references": references}, "", width=WIDTH + 70)


def _curves(dotted: bool, kind: str, titles: Mapping[str, str]) -> list[Part]:
    """`titles` are those of the columns that the pointer reads."""
    x = position_columns("position", say("positions-position"), "length")
    y = chart.field(
        "value:Q",
        title=say("positions-value"),
        scale={"domain": [-1, 1], "nice": False},
        axis={"values": [-1, -0.5, 0, 0.5, 1], "gridOpacity": 0.3, "format": ".1f"},
    )
    legend = {
        "orient": "bottom", "direction": "horizontal", "titleLimit": 160, "columns": 4,
        "symbolType": "stroke",
    }  # fmt: skip
    colour = chart.field(
        "pair:N",
        title=say("positions-pair-legend"),
        sort={"field": "dimension", "op": "min"},
        scale={"range": list(_PAIR_COLOURS)},
        legend={**legend, "symbolStrokeWidth": 3},
    )
    even, odd = say("positions-even"), say("positions-odd")
    dash = chart.field(
        "function:N",
        title=say("positions-dimension"),
        scale={"domain": [even, odd], "range": [[1, 0], [5, 3]]},
        legend={**legend, "symbolStrokeColor": INK},
    )
    lines = {
        "calculate": {
            "i": "floor(datum.dimension / 2)",
            "pair": "datum.i + ' (' + 2 * datum.i + ', ' + (2 * datum.i + 1) + ')'",
            "function": f"datum.dimension % 2 ? {json.dumps(odd)} : {json.dumps(even)}",
        },
        "x": x,
        "y": y,
        "color": colour,
    }
    line = chart.mark("line", strokeWidth=2, tooltip=None)
    dot = chart.mark("point", filled=True, size=18, opacity=1, tooltip=None)
    over = chart.hover("over", "position")
    strips = chart.draw(
        "pointed",
        chart.mark("rect", fill=INK, width=expression("step"), aria=False),
        params=(over,),
        x=x,
        y=chart.value(0),
        y2=chart.value(_CURVES_HEIGHT),
        opacity=chart.when((over, 0.12), otherwise=0),
        tooltip=chart.told(*((f"{name}:N", title) for name, title in titles.items())),
    )
    return [
        *sentence_above(kind, x, _CURVES_HEIGHT),
        chart.draw("lines", line, **lines, strokeDash=dash, detail="dimension:N"),
        *([chart.draw("lines", dot, **lines)] if dotted else []),
        strips,
        chosen_ring(x, y),
    ]


def _cells(few: bool, kind: str, named: bool) -> list[Part]:
    x = position_columns("dimension", say("positions-axis-dimension"), "d_model", "dimension_ticks")
    over = chart.hover("over", *(("position", "dimension") if few else ("dimension",)))
    tooltip = chart.told(
        *([("position:Q", say("positions-position"), "d")] if few else []),
        *([("token:N", say("positions-token"))] if few and named else []),
        ("dimension:Q", say("positions-dimension"), "d"),
        *([("value:Q", say("positions-value"), "+.4f")] if few else []),
        ("pair:Q", say("positions-pair"), "d"),
        ("function:N", say("positions-function")),
        ("wavelength:Q", say("positions-wavelength"), ",.1f"),
    )
    sine, cosine = (json.dumps(say(f"positions-{name}")) for name in ("sine", "cosine"))
    cells = chart.draw(
        "hover",
        chart.mark(
            "rect",
            fill="transparent",
            width=expression("width / d_model"),
            height=expression("step" if few else "height"),
            aria=False,
        ),
        calculate={
            "pair": "floor(datum.dimension / 2)",
            "function": f"datum.dimension % 2 ? {cosine} : {sine}",
        },
        params=(over,),
        x=x,
        y=position_rows("position") if few else chart.value(expression("height / 2")),
        stroke=outlined(over),
        tooltip=tooltip,
    )
    return [
        *picture_layers(say("positions-value")),
        *sentence_beside(kind),
        cells,
        chosen_ring(x, position_rows("position")),
    ]


def _wavelengths() -> list[Part]:
    accent = palette_of(ENCODER).accent
    x = position_columns("pair", say("positions-axis-pair"), "pairs")

    def y(name: str) -> Part:
        return chart.field(
            f"{name}:Q",
            title=say("positions-axis-wavelength"),
            scale={"type": "log", "nice": False, "padding": 18},
            axis={"format": ",~g", "gridOpacity": 0.3, "tickCount": 6},
        )

    points = chart.draw(
        "points",
        chart.mark("point", filled=True, opacity=1),
        x=x,
        y=y("wavelength"),
        color=chart.when(("datum.chosen", SELECTION), otherwise=accent),
        size=chart.when(("datum.chosen", 120), otherwise=26),
        tooltip=chart.told(
            ("pair:Q", say("positions-pair"), "d"),
            ("dimensions:N", say("positions-dimensions")),
            ("wavelength:Q", say("positions-wavelength"), ",.2f"),
            ("turns:Q", say("positions-turns"), ",.3f"),
        ),
    )
    rules = chart.mark("rule", color=INK, strokeDash=[5, 4], tooltip=None)
    # The sentence is no longer than the longest, so its label goes below its line.
    names = [
        chart.draw(
            "references",
            chart.text(align="right", baseline=side, dy=dy, fontSize=FONT),
            where=f"datum.place === {place}",
            x=chart.value(WIDTH - 4),
            y=y("length"),
            text="label:N",
        )
        for place, side, dy in ((1, "top", 4), (2, "bottom", -4))
    ]
    for name in names:
        name["transform"].insert(0, {"window": [{"op": "row_number", "as": "place"}]})
    return [chart.draw("references", rules, y=y("length")), points, *names]
