"""What pictures of the encoding share: axes of positions, the sentence beside them, a raster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from words import Words

from .figure import table
from .labels import distinct_labels, text_width
from .raster import data_url, mosaic_png
from .theme import INK, SELECTION, diverging_ramp, palette_of

WIDTH = 430
MOST_CELLS = 4000  # more cells than that are pointed at by whole dimensions
FONT = 11.0
_LARGEST_STEP = 24
_LABEL_STEP = 9.0  # tokens closer together than this are marked as a whole
_LABEL_LIMIT = 90.0


@dataclass(frozen=True, eq=False)
class SentenceMarks:
    """The sentence beside an axis of positions.

    `kind` is "labels" where there is room for each token, "whole" where there is not, "" without a
    sentence; `room` is the pixels that it takes.
    """

    kind: str
    table: pd.DataFrame
    room: int


def sentence_marks(tokens: Sequence[str], length: int, step: float, say: Words) -> SentenceMarks:
    labels = distinct_labels(tokens)[:length]
    if not labels:
        return SentenceMarks("", pd.DataFrame({"position": np.zeros(0, np.int16)}), 0)
    if step >= _LABEL_STEP:
        room = max(text_width(label, FONT) for label in labels)
        marks = pd.DataFrame({"position": np.arange(len(labels), dtype=np.int16), "label": labels})
        return SentenceMarks("labels", marks, round(min(_LABEL_LIMIT, room)) + 8)
    words = say("positions-this-sentence", n=len(labels))
    whole = pd.DataFrame({"start": [-0.5], "end": [len(labels) - 0.5], "label": [words]})
    return SentenceMarks("whole", whole, 24)


def room_above(marks: SentenceMarks) -> int:
    """For labels that stand at a slant, or for one line."""
    return {"labels": round(marks.room * 0.77) + 8, "whole": 20, "": 4}[marks.kind]


def token_column(tokens: Sequence[str], length: int) -> list[str]:
    """The token at each position, nothing beyond the sentence."""
    labels = distinct_labels(tokens)[:length]
    return labels + [""] * (length - len(labels))


def chosen_point(values: np.ndarray, chosen: tuple[int, int] | None) -> pd.DataFrame:
    places = [chosen] if chosen is not None else []
    return pd.DataFrame(
        {
            "position": np.array([position for position, _ in places], np.int16),
            "dimension": np.array([dimension for _, dimension in places], np.int16),
            "value": np.array([values[place] for place in places], np.float32),
        }
    )


def cell_step(count: int, room: int) -> int:
    """Pixels from one cell to the next: whole ones, or a raster would show stripes of its own."""
    return max(1, min(_LARGEST_STEP, round(room / count)))


def raster(values: np.ndarray, across: int, down: int, dark: bool) -> pd.DataFrame:
    """A picture of twice as many pixels as are drawn, for screens that have them."""
    shares = ((values + 1) / 2).repeat(2 * down, axis=0).repeat(2 * across, axis=1)
    picture = mosaic_png(shares[None, None], diverging_ramp(dark), size=1)
    return pd.DataFrame({"image": [data_url(picture)], "value": [0.0]})


def whole_numbers(count: int, room: float) -> list[int]:
    """Ticks at round numbers from 0, about 45 pixels apart."""
    wanted = (count - 1) / max(2.0, room / 45)
    step = next((step for step in (1, 2, 4, 5, 10, 20, 25, 50, 100) if step >= wanted), 200)
    return list(range(0, count, step))


def charted(
    layers: Sequence[alt.Chart], numbers: Sequence[str], width: float, height: float
) -> dict[str, Any]:
    """Layers with `numbers` that `filled` gives values to, so that no size builds a chart anew."""
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


def filled(
    chart: dict[str, Any], numbers: dict[str, Any], *, padding: dict[str, int] | None = None,
    **sizes: float,
) -> dict[str, Any]:  # fmt: skip
    params = [
        {**param, "value": numbers[param["name"]]} if param["name"] in numbers else param
        for param in chart["params"]
    ]
    return {**chart, **sizes, "params": params, "padding": {**chart["padding"], **(padding or {})}}


def telling(chart: dict[str, Any], name: str, fields: Mapping[str, str]) -> dict[str, Any]:
    """The chart with a tooltip of `fields`, by title, on the layer that draws the table `name`."""
    tooltip = [
        {"field": field, "type": "nominal", "title": title} for field, title in fields.items()
    ]
    layers = [
        {**layer, "encoding": {**layer["encoding"], "tooltip": tooltip}}
        if layer["data"].get("name") == name
        else layer
        for layer in chart["layer"]
    ]
    return {**chart, "layer": layers}


def expression(expression: str) -> alt.ExprRef:
    return alt.ExprRef(expression)


def whole_axis(ticks: str = "ticks", **more: float) -> alt.Axis:
    return alt.Axis(values=expression(ticks), grid=False, format="d", **more)


def position_rows(field: str, say: Words) -> alt.Y:
    return alt.Y(
        f"{field}:Q",
        title=say("positions-axis-row"),
        scale=alt.Scale(domain=expression("[length - 0.5, -0.5]"), nice=False, zero=False),
        axis=whole_axis(labelPadding=4, titlePadding=6),
    )


def position_columns(field: str, title: str, count: str, ticks: str = "ticks") -> alt.X:
    scale = alt.Scale(domain=expression(f"[-0.5, {count} - 0.5]"), nice=False, zero=False)
    return alt.X(f"{field}:Q", title=title, scale=scale, axis=whole_axis(ticks))


def pointer(*fields: str) -> alt.Parameter:
    return alt.selection_point(
        name="over", fields=list(fields), on="pointerover", clear="pointerout", empty=False
    )


def outlined(over: alt.Parameter) -> Any:
    return alt.when(over).then(alt.value(INK)).otherwise(alt.value("transparent"))


def chosen_ring(x: alt.X, y: alt.Y) -> alt.Chart:
    """The chosen value."""
    ring = alt.Chart(table("chosen")).mark_point(
        size=110, strokeWidth=2.5, filled=False, color=SELECTION, opacity=1, tooltip=None
    )
    return ring.encode(x=x, y=y)


def picture_layers(title: str, dark: bool) -> list[alt.Chart]:
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
        width=expression("width"), height=expression("height"), align="left", baseline="top",
        aspect=False, tooltip=None,
    )  # fmt: skip
    bar = picture.mark_point(size=0, opacity=0, tooltip=None, aria=False)
    return [image.encode(url="image:N", **corner), bar.encode(color=colour, **corner)]


def sentence_beside(kind: str, say: Words, dark: bool) -> list[alt.Chart]:
    """The sentence to the right of rows of positions."""
    style = {"color": palette_of("encoder", dark=dark).accent, "tooltip": None, "aria": False}
    marks, beside = alt.Chart(table("sentence")), alt.value(expression("width + 6"))
    if kind == "labels":
        text = marks.mark_text(
            align="left", baseline="middle", limit=_LABEL_LIMIT,
            fontSize=expression(f"min({FONT}, step)"), **style,
        )  # fmt: skip
        return [text.encode(x=beside, y=position_rows("position", say), text="label:N")]
    if kind == "whole":
        line = marks.mark_rule(strokeWidth=3, **style)
        text = marks.mark_text(align="left", baseline="bottom", angle=90, dx=2, dy=-6, **style)
        return [
            line.encode(x=beside, y=position_rows("start", say), y2="end:Q"),
            text.encode(x=beside, y=position_rows("start", say), text="label:N"),
        ]
    return []


def sentence_above(kind: str, x: alt.X, height: float, say: Words, dark: bool) -> list[alt.Chart]:
    """The sentence above columns of positions."""
    style = {"color": palette_of("encoder", dark=dark).accent, "tooltip": None, "aria": False}
    marks = alt.Chart(table("sentence"))
    if kind == "labels":
        text = marks.mark_text(
            align="left", baseline="middle", angle=310, fontSize=FONT, limit=_LABEL_LIMIT, **style
        )
        return [text.encode(x=x, y=alt.value(-6), text="label:N")]
    if kind == "whole":
        start = position_columns("start", say("positions-position"), "length")
        band = marks.mark_rect(opacity=0.14, **style)
        text = marks.mark_text(align="left", baseline="bottom", fontSize=FONT, **style)
        return [
            band.encode(x=start, x2="end:Q", y=alt.value(0), y2=alt.value(height)),
            text.encode(x=start, y=alt.value(-4), text="label:N"),
        ]
    return []
