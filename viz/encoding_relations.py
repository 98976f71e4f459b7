"""How encodings of positions relate: products against the offset, and the rotation between them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from analysis.positions import OffsetSimilarity, Rotation
from words import Words, english

from .figure import Figure, table
from .position_axes import (
    FONT,
    MOST_CELLS,
    WIDTH,
    cell_step,
    charted,
    expression,
    filled,
    outlined,
    picture_layers,
    pointer,
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


def similarity_curve(
    similarity: OffsetSimilarity,
    *,
    sentence_length: int | None = None,
    dark: bool = False,
    say: Words = english,
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
    reference["label"] = [say("positions-farthest", n=offset) for offset in reached]
    lowest = min(0.0, float(np.floor(similarity.cosines.min() * 4) / 4))
    numbers = {
        "last": last,
        "step": WIDTH / max(1, last),
        "lowest": lowest,
        "squared_length": float(similarity.dots[0]),
        "ticks": whole_numbers(last + 1, WIDTH),
    }
    chart = filled(_similarity_chart(dark, say), numbers)
    return Figure(chart, {"curve": curve, "reference": reference}, "", width=WIDTH + 110)


def similarity_heatmap(
    cosines: np.ndarray, *, tokens: Sequence[str] = (), dark: bool = False, say: Words = english
) -> Figure:
    """The cosine of every two positions (L, L), -1 to 1.

    With few positions each cell tells its number to the pointer. `tokens` are the sentence from
    position 0 on.
    """
    length = len(cosines)
    step = cell_step(length, _SIDE)
    side = length * step
    marks = sentence_marks(tokens, length, step, say)
    few = cosines.size <= MOST_CELLS
    tables = {"picture": raster(cosines, step, step, dark), "sentence": marks.table}
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
    chart = filled(_matrix_chart(few, marks.kind, dark, say), numbers, width=side, height=side)
    return Figure(chart, tables, "", width=side + 60 + marks.room)


def rotation_figure(
    found: Rotation,
    values: np.ndarray,
    *,
    tokens: Sequence[str] = (),
    dark: bool = False,
    say: Words = english,
) -> Figure:
    """A pair on the unit circle: the cosine to the right, the sine up, before and after.

    Faint dots are the other positions of `values` (L, d_model).
    """
    ends = (found.position, found.position + found.offset)
    names = token_column(tokens, ends[1] + 1)
    points = pd.DataFrame(
        {
            "which": _ends(say),
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
    return Figure(_rotation_chart(dark, say), tables, "", width=_CIRCLE + 120)


def _ends(say: Words) -> tuple[str, str]:
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


@lru_cache(maxsize=4)
def _similarity_chart(dark: bool, say: Words) -> dict[str, Any]:
    accent = palette_of("encoder", dark=dark).accent
    x = alt.X(
        "offset:Q",
        title=say("positions-offset-k"),
        scale=alt.Scale(domain=expression("[0, last]"), nice=False),
        axis=whole_axis(),
    )
    curve, over = alt.Chart(table("curve")), pointer("offset")
    # Both scales have the same share below 0, so that the one curve is right on both.
    dots = alt.Y(
        "dot:Q",
        title=say("positions-axis-dot"),
        scale=alt.Scale(
            domain=expression("[lowest * squared_length, squared_length]"), nice=False, zero=False
        ),
        axis=alt.Axis(gridOpacity=0.3, tickCount=5),
    )
    cosines = alt.Y(
        "cosine:Q",
        title=say("positions-cosine"),
        scale=alt.Scale(domain=expression("[lowest, 1]"), nice=False, zero=False),
        axis=alt.Axis(orient="right", grid=False, tickCount=5, format=".2f"),
    )
    line = curve.mark_line(color=accent, strokeWidth=2, tooltip=None).encode(x=x, y=dots)
    point = curve.mark_point(filled=True, color=SELECTION, size=70, tooltip=None).encode(
        x=x, y=cosines, opacity=alt.when(over).then(alt.value(1)).otherwise(alt.value(0))
    )
    reference = alt.Chart(table("reference"))
    words = {"align": "left", "baseline": "bottom", "fontSize": FONT, "color": INK}
    strips = (
        curve.mark_rect(fill="transparent", width=expression("step"), aria=False)
        .encode(
            x=x,
            y=alt.value(0),
            y2=alt.value(_SIMILARITY_HEIGHT),
            tooltip=[
                alt.Tooltip("offset:Q", title=say("positions-offset-k"), format="d"),
                alt.Tooltip("dot:Q", title=say("positions-dot"), format=".4f"),
                alt.Tooltip("cosine:Q", title=say("positions-cosine"), format=".4f"),
                alt.Tooltip("lowest:Q", title=say("positions-smallest"), format=".6f"),
                alt.Tooltip("highest:Q", title=say("positions-largest"), format=".6f"),
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
    chart = charted(layers, numbers, WIDTH, _SIMILARITY_HEIGHT)
    return {**chart, "resolve": {"scale": {"y": "independent"}}}


@lru_cache(maxsize=32)
def _matrix_chart(few: bool, kind: str, dark: bool, say: Words) -> dict[str, Any]:
    layers = [*picture_layers(say("positions-cosine"), dark), *sentence_beside(kind, say, dark)]
    over = pointer("first", "second")
    # Without cells to point at, one point that nobody sees brings the axes.
    hover = table("hover") if few else alt.InlineData([{"first": 0, "second": 0}])
    side = expression("step")
    cells = alt.Chart(hover).mark_rect(fill="transparent", width=side, height=side, aria=False)
    cells = cells.encode(
        x=position_columns("second", say("positions-axis-column"), "length"),
        y=position_rows("first", say),
    )
    if few:
        tooltip = [
            alt.Tooltip("first:Q", title=say("positions-position"), format="d"),
            alt.Tooltip("second:Q", title=say("positions-other-position"), format="d"),
            alt.Tooltip("cosine:Q", title=say("positions-cosine"), format=".4f"),
        ]
        cells = cells.encode(stroke=outlined(over), tooltip=tooltip).add_params(over)
    return charted([*layers, cells], ("length", "step", "ticks"), _SIDE, _SIDE)


@lru_cache(maxsize=4)
def _rotation_chart(dark: bool, say: Words) -> dict[str, Any]:
    def place(x: str = "cosine", y: str = "sine") -> dict[str, Any]:
        axis = {"values": [-1, -0.5, 0, 0.5, 1], "gridOpacity": 0.25, "format": ".1f"}
        scale = alt.Scale(domain=[-1.4, 1.4], nice=False)
        titles = {name: say(f"positions-rotation-{name}") for name in ("x", "y")}
        return {
            "x": alt.X(f"{x}:Q", title=titles["x"], scale=scale, axis=alt.Axis(**axis)),
            "y": alt.Y(f"{y}:Q", title=titles["y"], scale=scale, axis=alt.Axis(**axis)),
        }

    colours = {False: (NEGATIVE, POSITIVE), True: ("#c79bc6", "#74bd7d")}[dark]
    colour = alt.Color(
        "which:N",
        title=say("positions-position"),
        scale=alt.Scale(
            domain=[say("positions-before"), say("positions-after")], range=list(colours)
        ),
        legend=alt.Legend(orient="bottom", direction="horizontal", symbolOpacity=1),
    )
    quiet = {"tooltip": None, "aria": False}
    points = alt.Chart(table("points"))
    circle = alt.Chart(table("circle")).mark_line(color=INK, opacity=0.35, strokeWidth=1, **quiet)
    others = alt.Chart(table("others")).mark_point(filled=True, color=INK, opacity=0.3, size=16)
    arc = alt.Chart(table("arc")).mark_line(color=SELECTION, strokeWidth=2, **quiet)
    hands = points.mark_rule(strokeWidth=2.5, **quiet)
    position = alt.Tooltip("position:Q", title=say("positions-position"), format="d")
    numbers = [
        position,
        alt.Tooltip("sine:Q", title=say("positions-sine"), format="+.4f"),
        alt.Tooltip("cosine:Q", title=say("positions-cosine"), format="+.4f"),
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
    return charted(layers, (), _CIRCLE, _CIRCLE)
