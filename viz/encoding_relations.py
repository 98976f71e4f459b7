"""How encodings of positions relate: products against the offset, and the rotation between them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.positions import OffsetSimilarity, Rotation
from records import ENCODER

from . import chart
from .chart import Part
from .figure import Figure
from .look import is_dark, say
from .position_axes import (
    FONT,
    MOST_CELLS,
    WIDTH,
    cell_step,
    charted,
    expression,
    outlined,
    picture_layers,
    position_columns,
    position_rows,
    raster,
    sentence_beside,
    sentence_marks,
    token_column,
    whole_axis,
    whole_numbers,
)
from .theme import INK, NEGATIVE, POSITIVE, SELECTION, palette_of

_SIDE = 320
_CIRCLE = 300
_SIMILARITY_HEIGHT = 200
_LABELS_APART = 0.3  # radians


def similarity_curve(similarity: OffsetSimilarity, *, sentence_length: int | None = None) -> Figure:
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
    reference["label"] = [say("positions-farthest", n=offset) for offset in reached]
    lowest = min(0.0, float(np.floor(similarity.cosines.min() * 4) / 4))
    numbers = {
        "last": last,
        "step": WIDTH / max(1, last),
        "lowest": lowest,
        "squared_length": float(similarity.dots[0]),
        "ticks": whole_numbers(last + 1, WIDTH),
    }
    apart = {"scale": {"y": "independent"}}
    drawing = charted(_similarities(), numbers, WIDTH, _SIMILARITY_HEIGHT, resolve=apart)
    return Figure(drawing, {"curve": curve, "reference": reference}, "", width=WIDTH + 110)


def similarity_heatmap(cosines: np.ndarray, *, tokens: Sequence[str] = ()) -> Figure:
    """The cosine of every two positions (L, L), -1 to 1.

    With few positions each cell tells its number to the pointer. `tokens` are the sentence from
    position 0 on.
    """
    length = len(cosines)
    step = cell_step(length, _SIDE)
    side = length * step
    marks = sentence_marks(tokens, length, step)
    few = cosines.size <= MOST_CELLS
    tables = {"picture": raster(cosines, step, step), "sentence": marks.table}
    if few:
        rows, columns = (axis.ravel() for axis in np.indices(cosines.shape))
        tables["hover"] = pd.DataFrame(
            {
                "first": rows.astype(np.int16),
                "second": columns.astype(np.int16),
                "cosine": cosines.ravel().astype(np.float32),
            }
        )
    numbers = {"length": length, "step": step, "ticks": whole_numbers(length, side)}
    drawing = charted(_matrix(few, marks.kind), numbers, side, side)
    return Figure(drawing, tables, "", width=side + 60 + marks.room)


def rotation_figure(found: Rotation, values: np.ndarray, *, tokens: Sequence[str] = ()) -> Figure:
    """A pair on the unit circle: the cosine to the right, the sine up, before and after.

    Faint dots are the other positions of `values` (L, d_model).
    """
    ends = (found.position, found.position + found.offset)
    names = token_column(tokens, ends[1] + 1)
    points = pd.DataFrame(
        {
            "which": _ends(),
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
    drawing = charted(_rotation_layers(), {}, _CIRCLE, _CIRCLE)
    return Figure(drawing, tables, "", width=_CIRCLE + 120)


def _ends() -> tuple[str, str]:
    return say("positions-before"), say("positions-after")


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


def _similarities() -> list[Part]:
    accent = palette_of(ENCODER).accent
    x = chart.field(
        "offset:Q",
        title=say("positions-offset-k"),
        scale={"domain": expression("[0, last]"), "nice": False},
        axis=whole_axis(),
    )
    over = chart.hover("over", "offset")
    # Both scales have the same share below 0, so that the one curve is right on both.
    even = {"nice": False, "zero": False}
    dots = chart.field(
        "dot:Q",
        title=say("positions-axis-dot"),
        scale={"domain": expression("[lowest * squared_length, squared_length]"), **even},
        axis={"gridOpacity": 0.3, "tickCount": 5},
    )
    cosines = chart.field(
        "cosine:Q",
        title=say("order_measure-cosine"),
        scale={"domain": expression("[lowest, 1]"), **even},
        axis={"orient": "right", "grid": False, "tickCount": 5, "format": ".2f"},
    )
    strips = chart.draw(
        "curve",
        chart.mark("rect", fill="transparent", width=expression("step"), aria=False),
        params=(over,),
        x=x,
        y=chart.value(0),
        y2=chart.value(_SIMILARITY_HEIGHT),
        tooltip=chart.told(
            ("offset:Q", say("positions-offset-k"), "d"),
            ("dot:Q", say("positions-dot"), ".4f"),
            ("cosine:Q", say("order_measure-cosine"), ".4f"),
            ("lowest:Q", say("positions-smallest"), ".6f"),
            ("highest:Q", say("positions-largest"), ".6f"),
        ),
    )
    reached = chart.mark("rule", color=INK, strokeDash=[5, 4], tooltip=None)
    words = chart.text(align="left", baseline="bottom", fontSize=FONT)
    point = chart.mark("point", filled=True, color=SELECTION, size=70, tooltip=None)
    return [
        chart.draw("reference", reached, x=x),
        chart.draw("reference", words, x=x, y=chart.value(-4), text="label:N"),
        chart.draw(
            "curve", chart.mark("line", color=accent, strokeWidth=2, tooltip=None), x=x, y=dots
        ),
        chart.draw("curve", point, x=x, y=cosines, opacity=chart.when((over, 1), otherwise=0)),
        strips,
    ]


def _matrix(few: bool, kind: str) -> list[Part]:
    over = chart.hover("over", "first", "second")
    side = expression("step")
    tooltip = chart.told(
        ("first:Q", say("positions-position"), "d"),
        ("second:Q", say("positions-other-position"), "d"),
        ("cosine:Q", say("order_measure-cosine"), ".4f"),
    )
    cells = chart.draw(
        "hover",
        chart.mark("rect", fill="transparent", width=side, height=side, aria=False),
        params=(over,) if few else (),
        x=position_columns("second", say("positions-axis-column"), "length"),
        y=position_rows("first"),
        **({"stroke": outlined(over), "tooltip": tooltip} if few else {}),
    )
    if not few:  # One point that nobody sees brings the axes.
        cells["data"] = {"values": [{"first": 0, "second": 0}]}
    return [
        *picture_layers(say("order_measure-cosine")),
        *sentence_beside(kind),
        cells,
    ]


def _rotation_layers() -> list[Part]:
    def place(x: str = "cosine", y: str = "sine") -> dict[str, Part]:
        axis = {"values": [-1, -0.5, 0, 0.5, 1], "gridOpacity": 0.25, "format": ".1f"}
        scale = {"domain": [-1.4, 1.4], "nice": False}
        return {
            name: chart.field(
                f"{column}:Q", title=say(f"positions-rotation-{name}"), scale=scale, axis=axis
            )
            for name, column in (("x", x), ("y", y))
        }

    before, after = _ends()
    colours = {False: (NEGATIVE, POSITIVE), True: ("#c79bc6", "#74bd7d")}[is_dark()]
    colour = chart.field(
        "which:N",
        title=say("positions-position"),
        scale={"domain": [before, after], "range": list(colours)},
        legend={"orient": "bottom", "direction": "horizontal", "symbolOpacity": 1},
    )
    circle = chart.mark("line", color=INK, opacity=0.35, strokeWidth=1, **chart.QUIET)
    arc = chart.mark("line", color=SELECTION, strokeWidth=2, **chart.QUIET)
    other = chart.mark("point", filled=True, color=INK, opacity=0.3, size=16)
    zero = chart.datum(0)
    position = ("position:Q", say("positions-position"), "d")
    numbers = (
        ("sine:Q", say("positions-sine"), "+.4f"),
        ("cosine:Q", say("positions-cosine"), "+.4f"),
    )
    return [
        chart.draw("circle", circle, order="step:Q", **place()),
        chart.draw("others", other, tooltip=chart.told(position), **place()),
        chart.draw("arc", arc, order="step:Q", **place()),
        chart.draw(
            "points",
            chart.mark("rule", strokeWidth=2.5, **chart.QUIET),
            color=colour, x2=zero, y2=zero, **place(),
        ),
        chart.draw(
            "points",
            chart.mark("point", filled=True, size=130, opacity=1),
            color=colour, tooltip=chart.told(position, *numbers), **place(),
        ),
        *(
            chart.draw(
                "points",
                chart.mark(
                    "text", align=align, fontSize=12, fontWeight="bold", limit=110, **chart.QUIET
                ),
                where=f"datum.x {side} 0", text="label:N", color=colour, **place("x", "y"),
            )
            for side, align in ((">=", "left"), ("<", "right"))
        ),
    ]  # fmt: skip
