"""What pictures of the encoding share: axes of positions, the sentence beside them, a raster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from records import ENCODER

from . import chart
from .chart import Part
from .labels import distinct_labels, text_width
from .look import say
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


def sentence_marks(tokens: Sequence[str], length: int, step: float) -> SentenceMarks:
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


def raster(values: np.ndarray, across: int, down: int) -> pd.DataFrame:
    """A picture of twice as many pixels as are drawn, for screens that have them."""
    shares = ((values + 1) / 2).repeat(2 * down, axis=0).repeat(2 * across, axis=1)
    picture = mosaic_png(shares[None, None], diverging_ramp(), size=1)
    return pd.DataFrame({"image": [data_url(picture)], "value": [0.0]})


def whole_numbers(count: int, room: float) -> list[int]:
    """Ticks at round numbers from 0, about 45 pixels apart."""
    wanted = (count - 1) / max(2.0, room / 45)
    step = next((step for step in (1, 2, 4, 5, 10, 20, 25, 50, 100) if step >= wanted), 200)
    return list(range(0, count, step))


def charted(
    layers: Sequence[Part],
    numbers: Mapping[str, Any],
    width: float,
    height: float,
    *,
    top: int = 20,
    right: int = 8,
    **properties: Any,
) -> Part:
    """The layers as a specification whose expressions read `numbers` by their names.

    So layers are the same for every size, and what differs is named.
    """
    part = chart.whole(chart.layered(*layers, width=width, height=height), **properties)
    values = [{"name": name, "value": number} for name, number in numbers.items()]
    params = [*part.get("params", []), *values]
    return {
        **part,
        **({"params": params} if params else {}),
        "autosize": "pad",
        "padding": {"left": 4, "top": top, "right": right, "bottom": 4},
    }


def expression(text: str) -> Part:
    return {"expr": text}


def whole_axis(ticks: str = "ticks", **more: float) -> Part:
    return {"values": expression(ticks), "grid": False, "format": "d", **more}


def position_rows(name: str) -> Part:
    return chart.field(
        f"{name}:Q",
        title=say("positions-axis-row"),
        scale={"domain": expression("[length - 0.5, -0.5]"), "nice": False, "zero": False},
        axis=whole_axis(labelPadding=4, titlePadding=6),
    )


def position_columns(name: str, title: str, count: str, ticks: str = "ticks") -> Part:
    scale = {"domain": expression(f"[-0.5, {count} - 0.5]"), "nice": False, "zero": False}
    return chart.field(f"{name}:Q", title=title, scale=scale, axis=whole_axis(ticks))


def outlined(over: Part) -> Part:
    return chart.when((over, INK), otherwise="transparent")


def chosen_ring(x: Part, y: Part) -> Part:
    """The chosen value."""
    ring = chart.mark(
        "point", size=110, strokeWidth=2.5, filled=False, color=SELECTION, opacity=1, tooltip=None
    )
    return chart.draw("chosen", ring, x=x, y=y)


def picture_layers(title: str) -> list[Part]:
    """The raster, and a mark nobody sees that brings the colour bar."""
    colour = chart.field(
        "value:Q",
        title=title,
        scale={"domain": [-1, 1], "range": list(diverging_ramp()), "interpolate": "rgb"},
        legend=chart.colour_bar([-1, -0.5, 0, 0.5, 1], ".1f", titleLimit=240, offset=6),
    )
    image = chart.mark(
        "image", width=expression("width"), height=expression("height"), align="left",
        baseline="top", aspect=False, tooltip=None,
    )  # fmt: skip
    bar = chart.mark("point", size=0, opacity=0, **chart.QUIET)
    corner = {"x": chart.value(0), "y": chart.value(0)}
    return [
        chart.draw("picture", image, url="image:N", **corner),
        chart.draw("picture", bar, color=colour, **corner),
    ]


def sentence_beside(kind: str) -> list[Part]:
    """The sentence to the right of rows of positions."""
    style = _sentence_style()
    beside = chart.value(expression("width + 6"))
    if kind == "labels":
        words = chart.mark(
            "text", align="left", baseline="middle", limit=_LABEL_LIMIT,
            fontSize=expression(f"min({FONT}, step)"), **style,
        )  # fmt: skip
        at = position_rows("position")
        return [chart.draw("sentence", words, x=beside, y=at, text="label:N")]
    if kind == "whole":
        line = chart.mark("rule", strokeWidth=3, **style)
        words = chart.mark("text", align="left", baseline="bottom", angle=90, dx=2, dy=-6, **style)
        start = position_rows("start")
        return [
            chart.draw("sentence", line, x=beside, y=start, y2="end:Q"),
            chart.draw("sentence", words, x=beside, y=start, text="label:N"),
        ]
    return []


def sentence_above(kind: str, x: Part, height: float) -> list[Part]:
    """The sentence above columns of positions."""
    words = chart.text(align="left", fontSize=FONT, aria=False)
    if kind == "labels":
        words |= {"baseline": "middle", "angle": 310, "limit": _LABEL_LIMIT}
        return [chart.draw("sentence", words, x=x, y=chart.value(-6), text="label:N")]
    if kind == "whole":
        words |= {"baseline": "bottom"}
        start = position_columns("start", say("positions-position"), "length")
        band = chart.mark("rect", opacity=0.14, **_sentence_style())
        ends = {"y": chart.value(0), "y2": chart.value(height)}
        return [
            chart.draw("sentence", band, x=start, x2="end:Q", **ends),
            chart.draw("sentence", words, x=start, y=chart.value(-4), text="label:N"),
        ]
    return []


def _sentence_style() -> Part:
    return {"color": palette_of(ENCODER).accent, **chart.QUIET}
