"""Pictures of the sinusoidal encoding of positions (Vaswani et al. 2017, section 3.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from analysis.positions import OffsetSimilarity, Rotation, wavelengths

from .figure import Figure, table
from .labels import distinct_labels, text_width
from .pairs import FIRST, SECOND
from .raster import data_url, mosaic_png
from .theme import INK, SELECTION, diverging_ramp, palette_of

MOST_CURVES = 8
MOST_CELLS = 4000  # more cells than that are pointed at by whole dimensions

# Okabe and Ito's colours, which colour-blind readers can tell apart, then brown and grey.
_PAIR_COLOURS = (
    *("#2f86c6", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"),
    *("#8b6f4e", "#8b9099"),
)
_WIDTH = 430
_CURVES_HEIGHT = 250
_HEIGHT = 400
_SIDE = 320
_LARGEST_STEP = 24
_LABEL_STEP = 9.0  # tokens closer together than this are marked as a whole
_LABEL_LIMIT = 90.0
_CIRCLE = 300
_SIMILARITY_HEIGHT = 200
_MOST_DOTTED = 64  # curves of more positions are drawn without their points
_LABELS_APART = 0.3  # radians
_FONT = 11.0


def curves_figure(
    values: np.ndarray,
    dimensions: Sequence[int],
    *,
    tokens: Sequence[str] = (),
    chosen: tuple[int, int] | None = None,
    dark: bool = False,
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
    marks = _sentence(tokens, length, _WIDTH / length)
    pointed = pd.DataFrame({"position": np.arange(length, dtype=np.int16)})
    if tokens:
        pointed["token"] = _token_column(tokens, length)
    for dimension in dimensions:
        pointed[f"dimension {dimension}"] = values[:, dimension].round(4)
    chart = _filled(
        _curves_chart(length <= _MOST_DOTTED, marks.kind, dark),
        {"length": length, "step": _WIDTH / length, "ticks": _whole_numbers(length, _WIDTH)},
        padding={"top": _room_above(marks), "right": 20},
    )
    chart = _telling(chart, "pointed", list(pointed))
    tables = {"lines": lines, "pointed": pointed, "sentence": marks.table}
    tables["chosen"] = _chosen_point(values, chosen)
    return Figure(chart, tables, "", width=_WIDTH + 70)


def encoding_heatmap(
    values: np.ndarray,
    *,
    base: float = 10_000.0,
    tokens: Sequence[str] = (),
    chosen: tuple[int, int] | None = None,
    dark: bool = False,
) -> Figure:
    """Position (row) by dimension (column), one colour a value from -1 to 1.

    With few cells each tells its value to the pointer; with many, dimensions tell their
    wavelength. The other arguments are those of `curves_figure`.
    """
    length, d_model = values.shape
    across, down = _cell(d_model, _WIDTH), _cell(length, _HEIGHT)
    width, height = d_model * across, length * down
    marks = _sentence(tokens, length, down)
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
            hover["token"] = np.array(_token_column(tokens, length), dtype=object)[rows]
    else:
        hover = pd.DataFrame({"dimension": np.arange(d_model, dtype=np.int16)})
    hover["wavelength"] = wavelengths(d_model, base)[hover["dimension"] // 2].astype(np.float32)
    chart = _filled(
        _heatmap_chart(few, marks.kind, bool(tokens), dark),
        {
            "length": length,
            "d_model": d_model,
            "step": down,
            "ticks": _whole_numbers(length, height),
            "dimension_ticks": _whole_numbers(d_model, width),
        },
        width=width,
        height=height,
    )
    tables = {
        "picture": _raster(values, across, down, dark),
        "hover": hover,
        "sentence": marks.table,
    }
    tables["chosen"] = _chosen_point(values, chosen)
    return Figure(chart, tables, "", width=width + 60 + marks.room)


def wavelength_figure(
    d_model: int,
    base: float = 10_000.0,
    *,
    sentence_length: int,
    max_len: int,
    pair: int | None = None,
    dark: bool = False,
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
            "dimensions": [f"{2 * i} (sine), {2 * i + 1} (cosine)" for i in pairs],
            "wavelength": lengths,
            "turns": sentence_length / lengths,
            "chosen": pairs == (-1 if pair is None else pair),
        }
    )
    references = pd.DataFrame(
        {
            "length": [sentence_length, max_len],
            "label": [f"this sentence: {sentence_length}", f"longest the model takes: {max_len}"],
        }
    )
    numbers = {"pairs": len(pairs), "ticks": _whole_numbers(len(pairs), _WIDTH)}
    chart = _filled(_wavelength_chart(dark), numbers)
    return Figure(chart, {"points": points, "references": references}, "", width=_WIDTH + 70)


def similarity_curve(
    similarity: OffsetSimilarity, *, sentence_length: int | None = None, dark: bool = False
) -> Figure:
    """Dot product and cosine of PE(pos) and PE(pos + k) against k.

    The lengths of all encodings are the same, so one curve has two scales.
    """
    curve = pd.DataFrame(
        {
            "offset": similarity.offsets.astype(np.int16),
            "dot": similarity.dots,
            "cosine": similarity.cosines,
            "lowest": similarity.lowest,
            "highest": similarity.highest,
        }
    )
    last = len(curve) - 1
    farthest = (sentence_length or 0) - 1
    reached = [farthest] if 0 < farthest < last else []
    reference = pd.DataFrame({"offset": np.array(reached, np.int16)})
    reference["label"] = [f"farthest in this sentence: {offset}" for offset in reached]
    lowest = min(0.0, float(np.floor(similarity.cosines.min() * 4) / 4))
    numbers = {
        "last": last,
        "step": _WIDTH / max(1, last),
        "lowest": lowest,
        "squared_length": float(similarity.dots[0]),
        "ticks": _whole_numbers(last + 1, _WIDTH),
    }
    chart = _filled(_similarity_chart(dark), numbers)
    return Figure(chart, {"curve": curve, "reference": reference}, "", width=_WIDTH + 110)


def similarity_heatmap(
    cosines: np.ndarray, *, tokens: Sequence[str] = (), dark: bool = False
) -> Figure:
    """The cosine of every two positions (L, L), -1 to 1.

    With few positions each cell tells its number to the pointer. `tokens` are the sentence from
    position 0 on.
    """
    length = len(cosines)
    step = _cell(length, _SIDE)
    side = length * step
    marks = _sentence(tokens, length, step)
    few = cosines.size <= MOST_CELLS
    tables = {"picture": _raster(cosines, step, step, dark), "sentence": marks.table}
    if few:
        rows, columns = (axis.ravel() for axis in np.indices(cosines.shape))
        tables["hover"] = pd.DataFrame(
            {
                "first": rows.astype(np.int16),
                "second": columns.astype(np.int16),
                "cosine": cosines.ravel().astype(np.float32),
            }
        )
    numbers = {"length": length, "step": step, "ticks": _whole_numbers(length, side)}
    chart = _filled(_matrix_chart(few, marks.kind, dark), numbers, width=side, height=side)
    return Figure(chart, tables, "", width=side + 60 + marks.room)


def rotation_figure(
    found: Rotation, values: np.ndarray, *, tokens: Sequence[str] = (), dark: bool = False
) -> Figure:
    """A pair on the unit circle: the cosine to the right, the sine up, before and after.

    Faint dots are the other positions of `values` (L, d_model).
    """
    ends = (found.position, found.position + found.offset)
    names = _token_column(tokens, ends[1] + 1)
    points = pd.DataFrame(
        {
            "which": ["before", "after"],
            "position": ends,
            "sine": [found.before[0], found.after[0]],
            "cosine": [found.before[1], found.after[1]],
            "label": [f"{end} {names[end]}".strip() for end in ends],
        }
    )
    points["x"], points["y"] = _label_places(found)
    others = pd.DataFrame(
        {
            "position": np.arange(len(values), dtype=np.int16),
            "sine": values[:, 2 * found.pair].astype(np.float32),
            "cosine": values[:, 2 * found.pair + 1].astype(np.float32),
        }
    )
    start = found.frequency * found.position
    # Beyond one turn an arc would only cover itself.
    arc = _arc(start, start + min(found.angle, 2 * np.pi), 0.34)
    tables = {"points": points, "others": others, "arc": arc, "circle": _arc(0, 2 * np.pi, 1.0)}
    return Figure(_rotation_chart(dark), tables, "", width=_CIRCLE + 120)


def _label_places(found: Rotation) -> tuple[np.ndarray, np.ndarray]:
    """Outside the circle, and apart along it where the points are close together."""
    angles = np.arctan2(*np.stack((found.before, found.after), axis=1))
    apart = float(np.angle(np.exp(1j * (angles[1] - angles[0]))))
    if abs(apart) < _LABELS_APART:
        more = (_LABELS_APART - abs(apart)) / 2 * (1 if apart >= 0 else -1)
        angles = angles + np.array([-more, more])
    return 1.1 * np.cos(angles), 1.1 * np.sin(angles)


def _arc(start: float, end: float, radius: float) -> pd.DataFrame:
    angles = np.linspace(start, end, 121)
    steps = np.arange(len(angles), dtype=np.int16)
    return pd.DataFrame(
        {"step": steps, "sine": radius * np.sin(angles), "cosine": radius * np.cos(angles)}
    )


@dataclass(frozen=True, eq=False)
class _Marks:
    """The sentence beside an axis of positions.

    `kind` is "labels" where there is room for each token, "whole" where there is not, "" without a
    sentence; `room` is the pixels that it takes.
    """

    kind: str
    table: pd.DataFrame
    room: int


def _sentence(tokens: Sequence[str], length: int, step: float) -> _Marks:
    labels = distinct_labels(tokens)[:length]
    if not labels:
        return _Marks("", pd.DataFrame({"position": np.zeros(0, np.int16)}), 0)
    if step >= _LABEL_STEP:
        room = max(text_width(label, _FONT) for label in labels)
        marks = pd.DataFrame({"position": np.arange(len(labels), dtype=np.int16), "label": labels})
        return _Marks("labels", marks, round(min(_LABEL_LIMIT, room)) + 8)
    words = f"this sentence: {len(labels)}"
    whole = pd.DataFrame({"start": [-0.5], "end": [len(labels) - 0.5], "label": [words]})
    return _Marks("whole", whole, 24)


def _room_above(marks: _Marks) -> int:
    """For labels that stand at a slant, or for one line."""
    return {"labels": round(marks.room * 0.77) + 8, "whole": 20, "": 4}[marks.kind]


def _token_column(tokens: Sequence[str], length: int) -> list[str]:
    """The token at each position, nothing beyond the sentence."""
    labels = distinct_labels(tokens)[:length]
    return labels + [""] * (length - len(labels))


def _chosen_point(values: np.ndarray, chosen: tuple[int, int] | None) -> pd.DataFrame:
    places = [chosen] if chosen is not None else []
    return pd.DataFrame(
        {
            "position": np.array([position for position, _ in places], np.int16),
            "dimension": np.array([dimension for _, dimension in places], np.int16),
            "value": np.array([values[place] for place in places], np.float32),
        }
    )


def _cell(count: int, room: int) -> int:
    """Pixels from one cell to the next: whole ones, or a raster would show stripes of its own."""
    return max(1, min(_LARGEST_STEP, round(room / count)))


def _raster(values: np.ndarray, across: int, down: int, dark: bool) -> pd.DataFrame:
    """A picture of twice as many pixels as are drawn, for screens that have them."""
    shares = ((values + 1) / 2).repeat(2 * down, axis=0).repeat(2 * across, axis=1)
    picture = mosaic_png(shares[None, None], diverging_ramp(dark), size=1)
    return pd.DataFrame({"image": [data_url(picture)], "value": [0.0]})


def _whole_numbers(count: int, room: float) -> list[int]:
    """Ticks at round numbers from 0, about 45 pixels apart."""
    wanted = (count - 1) / max(2.0, room / 45)
    step = next((step for step in (1, 2, 4, 5, 10, 20, 25, 50, 100) if step >= wanted), 200)
    return list(range(0, count, step))


def _charted(
    layers: Sequence[alt.Chart], numbers: Sequence[str], width: float, height: float
) -> dict[str, Any]:
    """Layers with `numbers` that `_filled` gives values to, so that no size builds a chart anew."""
    params = [alt.param(name=name, value=1) for name in numbers]
    return (
        alt.layer(*layers)
        .add_params(*params)
        .properties(
            width=width,
            height=height,
            autosize="pad",
            padding={"left": 4, "top": 20, "right": 8, "bottom": 4},
        )
        .configure_view(stroke=None)
        .to_dict()
    )


def _filled(
    chart: dict[str, Any], numbers: dict[str, Any], *, padding: dict[str, int] | None = None,
    **sizes: float,
) -> dict[str, Any]:  # fmt: skip
    params = [
        {**param, "value": numbers[param["name"]]} if param["name"] in numbers else param
        for param in chart["params"]
    ]
    return {**chart, **sizes, "params": params, "padding": {**chart["padding"], **(padding or {})}}


def _telling(chart: dict[str, Any], name: str, fields: Sequence[str]) -> dict[str, Any]:
    """The chart with a tooltip of `fields` on the layer that draws the table `name`."""
    tooltip = [{"field": field, "type": "nominal", "title": field} for field in fields]
    layers = [
        {**layer, "encoding": {**layer["encoding"], "tooltip": tooltip}}
        if layer["data"].get("name") == name
        else layer
        for layer in chart["layer"]
    ]
    return {**chart, "layer": layers}


def _number(expression: str) -> alt.ExprRef:
    return alt.ExprRef(expression)


def _whole_axis(ticks: str = "ticks", **more: float) -> alt.Axis:
    return alt.Axis(values=_number(ticks), grid=False, format="d", **more)


def _rows(field: str) -> alt.Y:
    return alt.Y(
        f"{field}:Q",
        title="position (row)",
        scale=alt.Scale(domain=_number("[length - 0.5, -0.5]"), nice=False, zero=False),
        axis=_whole_axis(labelPadding=4, titlePadding=6),
    )


def _columns(field: str, title: str, count: str, ticks: str = "ticks") -> alt.X:
    scale = alt.Scale(domain=_number(f"[-0.5, {count} - 0.5]"), nice=False, zero=False)
    return alt.X(f"{field}:Q", title=title, scale=scale, axis=_whole_axis(ticks))


def _over(*fields: str) -> alt.Parameter:
    return alt.selection_point(
        name="over", fields=list(fields), on="pointerover", clear="pointerout", empty=False
    )


def _outlined(over: alt.Parameter) -> Any:
    return alt.when(over).then(alt.value(INK)).otherwise(alt.value("transparent"))


def _ring(x: alt.X, y: alt.Y) -> alt.Chart:
    """The chosen value."""
    ring = alt.Chart(table("chosen")).mark_point(
        size=110, strokeWidth=2.5, filled=False, color=SELECTION, opacity=1, tooltip=None
    )
    return ring.encode(x=x, y=y)


def _picture_layers(title: str, dark: bool) -> list[alt.Chart]:
    """The raster, and a mark nobody sees that brings the colour bar."""
    colour = alt.Color(
        "value:Q",
        title=title,
        scale=alt.Scale(domain=[-1, 1], range=list(diverging_ramp(dark)), interpolate="rgb"),
        legend=alt.Legend(
            orient="bottom",
            direction="horizontal",
            gradientLength=180,
            gradientThickness=10,
            values=[-1, -0.5, 0, 0.5, 1],
            format=".1f",
            titleLimit=240,
            offset=6,
        ),
    )
    picture, corner = alt.Chart(table("picture")), {"x": alt.value(0), "y": alt.value(0)}
    image = picture.mark_image(
        width=_number("width"), height=_number("height"), align="left", baseline="top",
        aspect=False, tooltip=None,
    )  # fmt: skip
    bar = picture.mark_point(size=0, opacity=0, tooltip=None, aria=False)
    return [image.encode(url="image:N", **corner), bar.encode(color=colour, **corner)]


def _sentence_beside(kind: str, dark: bool) -> list[alt.Chart]:
    """The sentence to the right of rows of positions."""
    style = {"color": palette_of("encoder", dark=dark).accent, "tooltip": None, "aria": False}
    marks, beside = alt.Chart(table("sentence")), alt.value(_number("width + 6"))
    if kind == "labels":
        text = marks.mark_text(
            align="left", baseline="middle", limit=_LABEL_LIMIT,
            fontSize=_number(f"min({_FONT}, step)"), **style,
        )  # fmt: skip
        return [text.encode(x=beside, y=_rows("position"), text="label:N")]
    if kind == "whole":
        line = marks.mark_rule(strokeWidth=3, **style)
        text = marks.mark_text(align="left", baseline="bottom", angle=90, dx=2, dy=-6, **style)
        return [
            line.encode(x=beside, y=_rows("start"), y2="end:Q"),
            text.encode(x=beside, y=_rows("start"), text="label:N"),
        ]
    return []


def _sentence_above(kind: str, x: alt.X, height: float, dark: bool) -> list[alt.Chart]:
    """The sentence above columns of positions."""
    style = {"color": palette_of("encoder", dark=dark).accent, "tooltip": None, "aria": False}
    marks = alt.Chart(table("sentence"))
    if kind == "labels":
        text = marks.mark_text(
            align="left", baseline="middle", angle=310, fontSize=_FONT, limit=_LABEL_LIMIT, **style
        )
        return [text.encode(x=x, y=alt.value(-6), text="label:N")]
    if kind == "whole":
        start = _columns("start", "position", "length")
        band = marks.mark_rect(opacity=0.14, **style)
        text = marks.mark_text(align="left", baseline="bottom", fontSize=_FONT, **style)
        return [
            band.encode(x=start, x2="end:Q", y=alt.value(0), y2=alt.value(height)),
            text.encode(x=start, y=alt.value(-4), text="label:N"),
        ]
    return []


@lru_cache(maxsize=32)
def _curves_chart(dotted: bool, kind: str, dark: bool) -> dict[str, Any]:
    x = _columns("position", "position", "length")
    y = alt.Y(
        "value:Q",
        title="value",
        scale=alt.Scale(domain=[-1, 1], nice=False),
        axis=alt.Axis(values=[-1, -0.5, 0, 0.5, 1], gridOpacity=0.3, format=".1f"),
    )
    legend = {"orient": "bottom", "direction": "horizontal", "titleLimit": 160, "columns": 4}
    colour = alt.Color(
        "pair:N",
        title="pair (dimensions)",
        sort=alt.EncodingSortField("dimension", op="min"),
        scale=alt.Scale(range=list(_PAIR_COLOURS)),
        legend=alt.Legend(**legend, symbolType="stroke", symbolStrokeWidth=3),
    )
    dash = alt.StrokeDash(
        "function:N",
        title="dimension",
        scale=alt.Scale(domain=["even: sine", "odd: cosine"], range=[[1, 0], [5, 3]]),
        legend=alt.Legend(**legend, symbolType="stroke", symbolStrokeColor=INK),
    )
    lines = (
        alt.Chart(table("lines"))
        .transform_calculate(
            i="floor(datum.dimension / 2)",
            pair="datum.i + ' (' + 2 * datum.i + ', ' + (2 * datum.i + 1) + ')'",
            function="datum.dimension % 2 ? 'odd: cosine' : 'even: sine'",
        )
        .encode(x=x, y=y, color=colour)
    )
    drawn = lines.mark_line(strokeWidth=2, tooltip=None).encode(
        strokeDash=dash, detail="dimension:N"
    )
    dots = lines.mark_point(filled=True, size=18, opacity=1, tooltip=None)
    over = _over("position")
    strips = (
        alt.Chart(table("pointed"))
        .mark_rect(fill=INK, width=_number("step"), aria=False)
        .encode(
            x=x,
            y=alt.value(0),
            y2=alt.value(_CURVES_HEIGHT),
            opacity=alt.when(over).then(alt.value(0.12)).otherwise(alt.value(0)),
        )
        .add_params(over)
    )
    layers = [
        *_sentence_above(kind, x, _CURVES_HEIGHT, dark),
        drawn,
        *([dots] if dotted else []),
        strips,
        _ring(x, y),
    ]
    return _charted(layers, ("length", "step", "ticks"), _WIDTH, _CURVES_HEIGHT)


@lru_cache(maxsize=32)
def _heatmap_chart(few: bool, kind: str, named: bool, dark: bool) -> dict[str, Any]:
    x = _columns("dimension", "dimension (column)", "d_model", "dimension_ticks")
    over = _over("position", "dimension") if few else _over("dimension")
    whole = {"format": "d"}
    tooltip = [
        *([alt.Tooltip("position:Q", title="position", **whole)] if few else []),
        *([alt.Tooltip("token:N", title="token")] if few and named else []),
        alt.Tooltip("dimension:Q", title="dimension", **whole),
        *([alt.Tooltip("value:Q", title="value", format="+.4f")] if few else []),
        alt.Tooltip("pair:Q", title="pair", **whole),
        alt.Tooltip("function:N", title="function"),
        alt.Tooltip("wavelength:Q", title="wavelength", format=",.1f"),
    ]
    down = {"y": _rows("position")} if few else {"y": alt.value(_number("height / 2"))}
    cells = (
        alt.Chart(table("hover"))
        .transform_calculate(
            pair="floor(datum.dimension / 2)",
            function="datum.dimension % 2 ? 'cosine' : 'sine'",
        )
        .mark_rect(
            fill="transparent",
            width=_number("width / d_model"),
            height=_number("step" if few else "height"),
            aria=False,
        )
        .encode(x=x, stroke=_outlined(over), tooltip=tooltip, **down)
        .add_params(over)
    )
    layers = [
        *_picture_layers("value", dark),
        *_sentence_beside(kind, dark),
        cells,
        _ring(x, _rows("position")),
    ]
    numbers = ("length", "d_model", "step", "ticks", "dimension_ticks")
    return _charted(layers, numbers, _WIDTH, _HEIGHT)


@lru_cache(maxsize=4)
def _wavelength_chart(dark: bool) -> dict[str, Any]:
    accent = palette_of("encoder", dark=dark).accent
    x = _columns("pair", "pair i (dimensions 2i and 2i + 1)", "pairs")

    def y(field: str) -> alt.Y:
        return alt.Y(
            f"{field}:Q",
            title="wavelength in positions (log scale)",
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
                alt.Tooltip("pair:Q", title="pair", format="d"),
                alt.Tooltip("dimensions:N", title="dimensions"),
                alt.Tooltip("wavelength:Q", title="wavelength", format=",.2f"),
                alt.Tooltip("turns:Q", title="turns in this sentence", format=",.3f"),
            ],
        )
    )
    references = alt.Chart(table("references"))
    rules = references.mark_rule(color=INK, strokeDash=[5, 4], tooltip=None)
    # The sentence is no longer than the longest, so its label goes below its line.
    names = [
        references.transform_window(place="row_number()")
        .transform_filter(f"datum.place === {place}")
        .mark_text(align="right", baseline=side, dy=dy, fontSize=_FONT, color=INK, tooltip=None)
        .encode(x=alt.value(_WIDTH - 4), y=y("length"), text="label:N")
        for place, side, dy in ((1, "top", 4), (2, "bottom", -4))
    ]
    layers = [rules.encode(y=y("length")), points, *names]
    return _charted(layers, ("pairs", "ticks"), _WIDTH, 300)


@lru_cache(maxsize=4)
def _similarity_chart(dark: bool) -> dict[str, Any]:
    accent = palette_of("encoder", dark=dark).accent
    x = alt.X(
        "offset:Q",
        title="offset k",
        scale=alt.Scale(domain=_number("[0, last]"), nice=False),
        axis=_whole_axis(),
    )
    curve, over = alt.Chart(table("curve")), _over("offset")
    # Both scales have the same share below 0, so that the one curve is right on both.
    dots = alt.Y(
        "dot:Q",
        title="dot product PE(pos)·PE(pos + k)",
        scale=alt.Scale(
            domain=_number("[lowest * squared_length, squared_length]"), nice=False, zero=False
        ),
        axis=alt.Axis(gridOpacity=0.3, tickCount=5),
    )
    cosines = alt.Y(
        "cosine:Q",
        title="cosine",
        scale=alt.Scale(domain=_number("[lowest, 1]"), nice=False, zero=False),
        axis=alt.Axis(orient="right", grid=False, tickCount=5, format=".2f"),
    )
    line = curve.mark_line(color=accent, strokeWidth=2, tooltip=None).encode(x=x, y=dots)
    point = curve.mark_point(filled=True, color=SELECTION, size=70, tooltip=None).encode(
        x=x, y=cosines, opacity=alt.when(over).then(alt.value(1)).otherwise(alt.value(0))
    )
    reference = alt.Chart(table("reference"))
    words = {"align": "left", "baseline": "bottom", "fontSize": _FONT, "color": INK}
    strips = (
        curve.mark_rect(fill="transparent", width=_number("step"), aria=False)
        .encode(
            x=x,
            y=alt.value(0),
            y2=alt.value(_SIMILARITY_HEIGHT),
            tooltip=[
                alt.Tooltip("offset:Q", title="offset k", format="d"),
                alt.Tooltip("dot:Q", title="dot product", format=".4f"),
                alt.Tooltip("cosine:Q", title="cosine", format=".4f"),
                alt.Tooltip("lowest:Q", title="smallest over pos", format=".6f"),
                alt.Tooltip("highest:Q", title="largest over pos", format=".6f"),
            ],
        )
        .add_params(over)
    )
    layers = [
        reference.mark_rule(color=INK, strokeDash=[5, 4], tooltip=None).encode(x=x),
        reference.mark_text(tooltip=None, **words).encode(x=x, y=alt.value(-4), text="label:N"),
        line,
        point,
        strips,
    ]
    numbers = ("last", "step", "lowest", "squared_length", "ticks")
    chart = _charted(layers, numbers, _WIDTH, _SIMILARITY_HEIGHT)
    return {**chart, "resolve": {"scale": {"y": "independent"}}}


@lru_cache(maxsize=32)
def _matrix_chart(few: bool, kind: str, dark: bool) -> dict[str, Any]:
    layers = [*_picture_layers("cosine", dark), *_sentence_beside(kind, dark)]
    over = _over("first", "second")
    # Without cells to point at, one point that nobody sees brings the axes.
    hover = table("hover") if few else alt.InlineData([{"first": 0, "second": 0}])
    side = _number("step")
    cells = alt.Chart(hover).mark_rect(fill="transparent", width=side, height=side, aria=False)
    cells = cells.encode(x=_columns("second", "position (column)", "length"), y=_rows("first"))
    if few:
        tooltip = [
            alt.Tooltip("first:Q", title="position", format="d"),
            alt.Tooltip("second:Q", title="other position", format="d"),
            alt.Tooltip("cosine:Q", title="cosine", format=".4f"),
        ]
        cells = cells.encode(stroke=_outlined(over), tooltip=tooltip).add_params(over)
    return _charted([*layers, cells], ("length", "step", "ticks"), _SIDE, _SIDE)


@lru_cache(maxsize=4)
def _rotation_chart(dark: bool) -> dict[str, Any]:
    def place(x: str = "cosine", y: str = "sine") -> dict[str, Any]:
        axis = {"values": [-1, -0.5, 0, 0.5, 1], "gridOpacity": 0.25, "format": ".1f"}
        scale = alt.Scale(domain=[-1.4, 1.4], nice=False)
        titles = {"x": "cosine: dimension 2i + 1", "y": "sine: dimension 2i"}
        return {
            "x": alt.X(f"{x}:Q", title=titles["x"], scale=scale, axis=alt.Axis(**axis)),
            "y": alt.Y(f"{y}:Q", title=titles["y"], scale=scale, axis=alt.Axis(**axis)),
        }

    colours = {False: (FIRST, SECOND), True: ("#c79bc6", "#74bd7d")}[dark]
    colour = alt.Color(
        "which:N",
        title="position",
        scale=alt.Scale(domain=["before", "after"], range=list(colours)),
        legend=alt.Legend(orient="bottom", direction="horizontal", symbolOpacity=1),
    )
    quiet = {"tooltip": None, "aria": False}
    points = alt.Chart(table("points"))
    circle = alt.Chart(table("circle")).mark_line(color=INK, opacity=0.35, strokeWidth=1, **quiet)
    others = alt.Chart(table("others")).mark_point(filled=True, color=INK, opacity=0.3, size=16)
    arc = alt.Chart(table("arc")).mark_line(color=SELECTION, strokeWidth=2, **quiet)
    hands = points.mark_rule(strokeWidth=2.5, **quiet)
    position = alt.Tooltip("position:Q", title="position", format="d")
    numbers = [
        position,
        alt.Tooltip("sine:Q", title="sine", format="+.4f"),
        alt.Tooltip("cosine:Q", title="cosine", format="+.4f"),
    ]
    heads = points.mark_point(filled=True, size=130, opacity=1)
    layers = [
        circle.encode(order="step:Q", **place()),
        others.encode(tooltip=position, **place()),
        arc.encode(order="step:Q", **place()),
        hands.encode(color=colour, x2=alt.datum(0), y2=alt.datum(0), **place()),
        heads.encode(color=colour, tooltip=numbers, **place()),
        *(
            points.transform_filter(f"datum.x {side} 0")
            .mark_text(align=align, fontSize=12, fontWeight="bold", limit=110, **quiet)
            .encode(text="label:N", color=colour, **place("x", "y"))
            for side, align in ((">=", "left"), ("<", "right"))
        ),
    ]
    return _charted(layers, (), _CIRCLE, _CIRCLE)
