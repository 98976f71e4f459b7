"""Figures of the sinusoidal encoding of positions (Vaswani et al. 2017, section 3.5)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.positions import (
    chosen_value,
    cosine_matrix,
    curve_table,
    drawn_pairs,
    halves,
    heatmap_table,
    numbered_positions,
    position_table,
    wavelength_table,
)
from core.records.attention import ENCODER
from core.records.tokens import distinct_labels
from core.weights.tables import labelled

from . import recipes as r
from .figure import Figure, drawn
from .raster import pictured
from .style import say
from .theme import INK, PAIRS, SELECTION, diverging_ramp, palette_of

MOST_CURVES = 8
MOST_CELLS = 4000  # beyond, the pointer finds whole dimensions instead of cells
WIDTH = 800
_HEATMAP_ROOM = (520, 330)  # pixels of the image, beside which the similarities stand
_ALIKE_WIDTH = 190
_NUMBER_STEP = 11  # pixels of a line with room for its number
_MOST_PAIRS = 32  # pairs of dimensions in the image

_MOST_DOTTED = 64  # curves of more positions are drawn without their points
_LABEL_STEP = 9.0  # tokens closer together than this are marked as a whole
_PARITY = "positions-even", "positions-odd"
_ENDS = [-1, -0.5, 0, 0.5, 1]
_TIPS: dict[str, r.Tip] = {
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
    """Draw some dimensions over position: pairs by colour, sines as full lines, cosines dashed.

    Parameters
    ----------
    values : ndarray of shape (L, d_model)
        The encoding.
    dimensions : sequence of int
        From 1 to `MOST_CURVES` of them, else ValueError.
    tokens : sequence of str
        The sentence, from position 0 on; tokens beyond L are left out.
    chosen : (position, dimension), optional
        Value to mark.
    """
    if not 1 <= len(dimensions) <= MOST_CURVES:
        raise ValueError(f"expected 1 to {MOST_CURVES} dimensions, found {len(dimensions)}")
    length = len(values)
    # Sorted, so that the colours of pairs do not depend on the order of choice.
    dimensions = tuple(sorted(dimensions))
    tables = {
        "lines": curve_table(values, dimensions),
        "pointed": position_table(values, dimensions, tokens),
        "chosen": chosen_value(values, chosen),
    }
    tables |= _sentence(tokens, length, WIDTH / length)
    return drawn(_curves, tables, length=length, dimensions=dimensions, named=bool(tokens))


def encoding_heatmap(
    values: np.ndarray,
    *,
    base: float = 10_000.0,
    tokens: Sequence[str] = (),
    chosen: tuple[int, int] | None = None,
) -> Figure:
    """Draw position (row) by dimension (column), and how like each row is the chosen one.

    Sines stand left of cosines: side by side they would alternate in stripes. Of many pairs some
    are drawn, so that a column is wide enough to see. With few cells the pointer reads each value;
    with many it reads the wavelength of dimensions. The other arguments are those of
    `curves_figure`; the first position stands in for no `chosen` one.
    """
    position, dimension = chosen or (0, 0)
    dimensions, pairs = _drawn_dimensions(values.shape[1], dimension)
    # Cells that are not drawn need no pointer.
    most_cells = MOST_CELLS * pairs[1] if pairs else MOST_CELLS
    hover = _columned(heatmap_table(values, base, tokens, most_cells), dimensions)
    image = Raster(
        size=(len(values), len(dimensions)),
        steps=_steps((len(values), len(dimensions)), _HEATMAP_ROOM),
        axes=("column", "position"),
        titles=("positions-axis-dimension", "positions-value"),
        named=bool(tokens),
        pointed=tuple(hover),
        marked=True,
        pairs=pairs,
    )
    similar = _similar_rows(values, tokens, position)
    tables = _raster_tables(values[:, dimensions], image, tokens) | {
        "hover": hover,
        "chosen": _columned(chosen_value(values, chosen), dimensions),
        "similar": similar,
    }
    lowest = min(0.0, float(np.floor(4 * similar["cosine"].min()) / 4))
    return drawn(_heatmap, tables, lowest=lowest, image=image)


def _drawn_dimensions(d_model: int, chosen: int) -> tuple[np.ndarray, tuple[int, int] | None]:
    """Return the dimensions that are drawn, even ones first, and their first pair and step.

    The pair of the `chosen` dimension is among them. Too few for halves are all drawn, without
    pairs.
    """
    if len(halves(d_model)) == 1:
        return np.arange(d_model), None
    first, step = drawn_pairs(d_model, _MOST_PAIRS, chosen // 2)
    return np.concatenate([half[first::step] for half in halves(d_model)]), (first, step)


def _columned(table: pd.DataFrame, dimensions: np.ndarray) -> pd.DataFrame:
    """Return the rows of `dimensions`, with the column in which each is drawn."""
    columns = {dimension: column for column, dimension in enumerate(dimensions)}
    table = table[table["dimension"].isin(columns)]
    return table.assign(column=table["dimension"].map(columns).astype(int))


def _similar_rows(values: np.ndarray, tokens: Sequence[str], position: int) -> pd.DataFrame:
    """Return the cosine of each row with that of `position`, and the ends of its bar."""
    length = len(values)
    return pd.DataFrame(
        {
            "top": np.arange(length) - 0.36,
            "middle": np.arange(length),
            "bottom": np.arange(length) + 0.36,
            "name": numbered_positions(distinct_labels(tokens)[:length], length),
            "cosine": cosine_matrix(values)[position],
            "chosen": np.arange(length) == position,
        }
    )


def wavelength_figure(
    d_model: int,
    base: float = 10_000.0,
    *,
    sentence_length: int,
    max_len: int,
    pair: int | None = None,
) -> Figure:
    """Draw the wavelength of every pair on a log scale, with the sentence's and the maximum length.

    `max_len` is the maximum number of tokens of the model; `pair` is marked.
    """
    points = wavelength_table(d_model, base, sentence_length)
    pairs = points["pair"]
    lengths = [sentence_length, max_len]
    names = [say("positions-pair-dimensions", sine=2 * i, cosine=2 * i + 1) for i in pairs]
    ids = "positions-this-sentence", "positions-longest"
    labels = [say(id, n=n) for id, n in zip(ids, lengths, strict=True)]
    # The sentence is no longer than the longest, so its label goes below its line.
    references = {"length": lengths, "label": labels, "side": ["top", "bottom"]}
    points = points.assign(dimensions=names, chosen=pairs == pair)
    tables = {"points": points, "references": pd.DataFrame(references)}
    return drawn(_wavelengths, tables, pairs=len(pairs))


# -- what pictures of positions share ------------------------------------------------------


def at(channel: type, column: str, n: int, axis: alt.Axis | None = None) -> Any:
    """Return a channel of `n` positions from 0; rows go down.

    Only one mark of a chart brings an axis.
    """
    # Half a position more at both ends, as a cell reaches that far around its number.
    scale = alt.Scale(domain=[-0.5, n - 0.5], reverse=channel is alt.Y)
    return channel(f"{column}:Q", scale=scale, axis=axis)


def whole(title: str) -> alt.Axis:
    """Return an axis of whole numbers."""
    return alt.Axis(title=say(title), grid=False, format="d", tickCount=8, tickMinStep=1)


@dataclass(frozen=True)
class Raster:
    """Image of values, each a cell, with the sentence beside its rows."""

    size: tuple[int, int]  # numbers of rows and columns
    steps: tuple[int, int]  # pixels of a cell across and down
    axes: tuple[str, str]  # columns of the tables that hold the column and the row of a cell
    titles: tuple[str, str]  # of the columns, and of the values
    named: bool = False  # there is a sentence
    pointed: tuple[str, ...] = ()  # columns of the table of cells that the pointer finds
    marked: bool = False  # there may be a chosen cell
    # first pair and step from pair to pair, where even dimensions come first, then the odd ones
    pairs: tuple[int, int] | None = None


def raster(
    values: np.ndarray,
    room: tuple[int, int],
    tokens: Sequence[str],
    *,
    axes: tuple[str, str],
    titles: tuple[str, str],
    hover: pd.DataFrame | None = None,
) -> Figure:
    """Draw values from -1 to 1 as an image, with the sentence beside its rows.

    Parameters
    ----------
    values : ndarray of shape (rows, columns)
    room : (int, int)
        Pixels across and down.
    tokens : sequence of str
    axes : (str, str)
        Columns of the tables that hold the column and the row.
    titles : (str, str)
        Titles of the columns, and of the values.
    hover : DataFrame, optional
        Cells that the pointer finds; its lines are whole columns if it has no row.
    """
    image = Raster(
        size=values.shape,
        steps=_steps(values.shape, room),
        axes=axes,
        titles=titles,
        named=bool(tokens),
        pointed=() if hover is None else tuple(hover),
    )
    tables = _raster_tables(values, image, tokens)
    if hover is not None:
        tables["hover"] = hover
    return drawn(_raster, tables, image=image)


def _steps(size: tuple[int, ...], room: tuple[int, int]) -> tuple[int, int]:
    """Return whole pixels of a cell across and down; else the image would show stripes."""
    n_rows, n_columns = size
    across, down = room
    return max(1, min(24, int(across / n_columns))), max(1, min(24, int(down / n_rows)))


def _raster_tables(
    values: np.ndarray, image: Raster, tokens: Sequence[str]
) -> dict[str, pd.DataFrame]:
    """Return the picture of values from -1 to 1 and, if there is one, the sentence."""
    # An image: d_model times positions are too many marks for a browser.
    picture = pictured((values + 1) / 2, diverging_ramp(), *image.steps)
    return {"picture": picture} | _sentence(tokens, len(values), image.steps[1])


# -- the charts of their shapes ------------------------------------------------------------


def _sentence(tokens: Sequence[str], length: int, step: float) -> dict[str, pd.DataFrame]:
    """Return the table `sentence`: a row a token if their names fit, else one row for all."""
    labels = distinct_labels(tokens)[:length]
    if not labels:
        return {}
    if step >= _LABEL_STEP:
        return {"sentence": labelled(labels, "position")}
    name = say("positions-this-sentence", n=len(labels))
    return {"sentence": pd.DataFrame([{"start": -0.5, "end": len(labels) - 0.5, "label": name}])}


def _sentence_above(n: int, step: float) -> alt.Chart:
    """Draw the sentence above `n` columns of positions.

    If its tokens do not fit it has one name and a band.
    """
    if step >= _LABEL_STEP:
        values = list(range(n))
        axis = r.label_axis("sentence", step, title=None, values=values, slanted=True)
        return r.kept("sentence", x=at(alt.X, "position", n, axis))
    axis = r.label_axis(
        "sentence", 18, title=None, values=[0], orient="top", labelAngle=0, labelAlign="left"
    )
    band = r.source("sentence").mark_rect(
        color=palette_of(ENCODER).accent, opacity=0.14, tooltip=None, aria=False
    )
    return band.encode(x=at(alt.X, "start", n, axis), x2="end")


def _sentence_beside(n: int, step: float, left: float) -> alt.Chart:
    """Draw the sentence to the right of `n` rows of positions.

    If its tokens do not fit it has one name and a band, from `left` on.
    """
    if step >= _LABEL_STEP:
        values = list(range(n))
        axis = r.label_axis("sentence", step, title=None, values=values, orient="right")
        return r.kept("sentence", y=at(alt.Y, "position", n, axis))
    axis = r.label_axis(
        "sentence",
        18,
        title=None,
        values=[0],
        orient="right",
        labelAngle=90,
        labelAlign="left",
        labelPadding=12,
    )
    band = r.source("sentence").mark_rect(
        color=palette_of(ENCODER).accent, opacity=1, tooltip=None, aria=False
    )
    return band.encode(
        y=at(alt.Y, "start", n, axis), y2="end", x=alt.XValue(left), x2=alt.X2Value(left + 3)
    )


def _function(*names: str) -> str:
    """Return a Vega expression that names a dimension, from the words for even and odd ones."""
    return f"{json.dumps([say(name) for name in names])}[datum.dimension % 2]"


def _curves(length: int, dimensions: tuple[int, ...], named: bool) -> alt.LayerChart:
    """Build the curves, with a strip a position that the pointer finds."""
    x = at(alt.X, "position", length)
    y = r.y("value", "positions-value", domain=(-1, 1), values=_ENDS, format=".1f")
    pairs, parity = _curve_looks()
    lines = r.source(
        "lines",
        i="floor(datum.dimension / 2)",
        pair="datum.i + ' (' + 2 * datum.i + ', ' + (2 * datum.i + 1) + ')'",
        function=_function(*_PARITY),
    ).encode(color=pairs, x=x, y=y)
    layers = [r.kept("pointed", x=at(alt.X, "position", length, whole("positions-position")))]
    if named:
        layers.append(_sentence_above(length, WIDTH / length))
    layers.append(lines.mark_line(tooltip=None).encode(strokeDash=parity, detail="dimension:N"))
    # Points show that a position is a whole number; many of them hide the curve.
    if length <= _MOST_DOTTED:
        layers.append(lines.mark_circle(size=18, opacity=1, tooltip=None))
    layers.append(_position_strips(x, length, dimensions, named))
    layers.append(r.ring(r.source("chosen")).encode(x=x, y=y))
    apart = {"axis": {"x": "independent"}}
    return r.layered(*layers, width=WIDTH, height=250, resolve=apart)


def _curve_looks() -> tuple[alt.Color, alt.StrokeDash]:
    """Return the colours of pairs and the dashes of sines and cosines, with their legends."""
    colours = r.swatches(
        orient="bottom", symbolType="stroke", symbolStrokeWidth=3, columns=4, titleLimit=160
    )
    dashes = r.swatches(
        orient="bottom", symbolType="stroke", symbolStrokeColor=INK, columns=4, titleLimit=160
    )
    pairs = alt.Color(
        "pair:N",
        sort=None,
        title=say("positions-pair-legend"),
        scale=alt.Scale(range=PAIRS),
        legend=colours,
    )
    names = [say(name) for name in _PARITY]
    values = ([1, 0], [5, 3])
    parity = r.series(
        alt.StrokeDash, "function", names, values, "positions-dimension", legend=dashes
    )
    return pairs, parity


def _position_strips(x: alt.X, length: int, dimensions: tuple[int, ...], named: bool) -> alt.Chart:
    """Draw strips as wide as a position: a thin curve is hard to hit with the pointer."""
    columns = {"position": "positions-position"}
    columns |= {"token": "positions-token"} if named else {}
    columns |= {f"dimension {d}": say("positions-dimension-n", n=d) for d in dimensions}
    over = r.hover("over", "position")
    strips = r.source("pointed").mark_rect(fill=INK, width=WIDTH / length, aria=False)
    return strips.add_params(over).encode(
        x=x,
        opacity=r.when(alt.OpacityValue, (over, 0.12), otherwise=0),
        tooltip=r.tips(columns),
    )


def _raster(image: Raster) -> alt.LayerChart:
    n_rows, n_columns = image.size
    across, down = image.steps
    column, row = image.axes
    width = n_columns * across
    height = n_rows * down
    x = at(alt.X, column, n_columns)
    y = at(alt.Y, row, n_rows)
    title, value_title = image.titles
    ticks = _halved_axis(title, n_columns, *image.pairs) if image.pairs else whole(title)
    axis_of_columns = at(alt.X, column, n_columns, ticks)
    axis_of_rows = at(alt.Y, row, n_rows, whole("positions-axis-row"))
    layers = [
        *r.picture(_value_colour(value_title), width, height),
        r.kept("picture", x=axis_of_columns, y=axis_of_rows),
    ]
    if image.named:
        layers.append(_sentence_beside(n_rows, down, width + 4))
    if row in image.pointed:
        cells = _pointed(image.pointed, image.axes).mark_rect(
            fill="transparent", aria=False, width=across, height=down
        )
        layers.append(cells.encode(x=x, y=y).add_params(r.hover("over", *image.axes)))
    elif image.pointed:
        columns = _pointed(image.pointed, (column,)).mark_rect(
            fill="transparent", aria=False, width=across
        )
        layers.append(columns.encode(x=x).add_params(r.hover("over", column)))
    if image.marked:
        # The whole row: the bars beside the image compare it with the others.
        line = r.source("chosen").mark_rect(
            fill=None, stroke=SELECTION, strokeWidth=1, aria=False, width=width, height=down
        )
        layers.append(line.encode(x=alt.XValue(width / 2), y=y))
        layers.append(r.ring(r.source("chosen")).encode(x=x, y=y))
    # Else Vega-Lite would merge the axis of the sentence with that of the positions.
    apart = {"axis": {"x": "independent", "y": "independent"}}
    return r.layered(*layers, width=width, height=height, resolve=apart)


def _heatmap(lowest: float, image: Raster) -> alt.HConcatChart:
    """Build the image, with the similarity of its rows beside it."""
    n_rows = image.size[0]
    down = image.steps[1]
    # A rectangle: around a bar the scale would leave room for its height.
    rows = r.source("similar").encode(y=at(alt.Y, "top", n_rows), y2="bottom:Q")
    x = r.x("cosine", "positions-axis-alike", domain=(lowest, 1), tickCount=4)
    colour = r.when(alt.ColorValue, ("datum.chosen", SELECTION), otherwise=_accent())
    bars = rows.mark_rect(aria=False)
    tooltip = r.tips(name="positions-position", cosine=("order_measure-cosine", ".2f"))
    similar = bars.encode(x, colour, x2=alt.X2Datum(0), tooltip=tooltip)
    numbers = r.text(r.source("similar"), align="left", dx=4, fontSize=11, aria=False)
    numbers = numbers.encode(
        x, y=at(alt.Y, "middle", n_rows), text=alt.Text("cosine:Q", format=".2f")
    )
    # Numbers of lines closer together would lie on each other.
    similar = r.layered(similar, *([numbers] if down >= _NUMBER_STEP else []))
    beside = r.layered(similar, width=_ALIKE_WIDTH, height=n_rows * down)
    return r.beside(_raster(image), beside, spacing=24)


def _accent() -> str:
    return palette_of(ENCODER).accent


def _halved_axis(title: str, n: int, first: int, step: int) -> alt.Axis:
    """Return an axis that names the dimension of each column, even ones before odd ones."""
    half = n // 2
    # Quarters of either half, so that both have ticks at the same pairs.
    ticks = sorted({side + quarter * half // 4 for side in (0, half) for quarter in range(4)})
    pair = f"({first} + {step} * (datum.value % {half}))"
    dimension = f"2 * {pair} + (datum.value < {half} ? 0 : 1)"
    # The numbers start again at the second half; the function says why.
    functions = json.dumps([say("positions-sine"), say("positions-cosine")])
    start = f"datum.value % {half} ? '' : {functions}[datum.value < {half} ? 0 : 1] + ' '"
    label = f"({start}) + ({dimension})"
    return alt.Axis(title=say(title), grid=False, values=ticks, labelExpr=label)


def _value_colour(title: str) -> alt.Color:
    """Return the colour channel of values from -1 to 1."""
    scale = alt.Scale(domain=[-1, 1], range=diverging_ramp(), interpolate="rgb")
    bar = r.colour_bar(_ENDS, ".1f", offset=6)
    return alt.Color("value:Q", title=say(title), scale=scale, legend=bar)


def _pointed(columns: tuple[str, ...], fields: Sequence[str]) -> alt.Chart:
    """Return the rows of `hover`, with a line around that under the pointer and a tooltip."""
    rows = r.source("hover")
    names = {*columns}
    if "dimension" in columns:
        rows = rows.transform_calculate(
            pair="floor(datum.dimension / 2)",
            function=_function("positions-sine", "positions-cosine"),
        )
        names |= {"pair", "function"}
    over = r.hover("over", *fields)
    return rows.encode(
        stroke=r.when(alt.StrokeValue, (over, INK), otherwise="transparent"),
        tooltip=r.tips({name: tip for name, tip in _TIPS.items() if name in names}),
    )


def _wavelengths(pairs: int) -> alt.LayerChart:
    marked = "datum.chosen"
    accent = palette_of(ENCODER).accent
    points = (
        r.source("points")
        .mark_circle(opacity=1)
        .encode(
            x=at(alt.X, "pair", pairs, whole("positions-axis-pair")),
            y=r.logarithmic(
                alt.Y,
                "wavelength",
                "positions-axis-wavelength",
                nice=False,
                padding=18,
                format=",~g",
            ),
            color=r.when(alt.ColorValue, (marked, SELECTION), otherwise=accent),
            size=r.when(alt.SizeValue, (marked, 120), otherwise=26),
            tooltip=r.tips(
                pair=("positions-pair", "d"),
                dimensions="positions-dimensions",
                wavelength=("positions-wavelength", ",.2f"),
                turns=("positions-turns", ",.3f"),
            ),
        )
    )
    references = r.source("references").encode(y="length:Q")
    side = alt.ExprRef("datum.side")
    off = alt.ExprRef("datum.side == 'top' ? 4 : -4")
    names = r.text(references, align="right", baseline=side, dy=off, fontSize=11)
    names = names.encode(x=alt.XValue(WIDTH - 4), text="label:N")
    rules = r.rule(references, along=alt.Undefined)
    return r.layered(*rules, points, names, width=WIDTH, height=300)
