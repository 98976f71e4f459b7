"""Figures of relations between encodings of positions: products by offset, and rotations."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from core.positions import (
    OffsetSimilarity,
    Rotation,
    arc,
    rotation_points,
    token_column,
    value_cells,
)
from core.records.attention import ENCODER

from . import recipes as r
from .encoding import MOST_CELLS, WIDTH, at, raster, whole
from .figure import Figure, drawn
from .style import is_dark, say
from .theme import INK, SELECTION, TURNED, palette_of, signed_ramp

_COSINE = "order_measure-cosine"
_POSITION = "positions-position"
_ENDS = "positions-before", "positions-after"


def similarity_curve(similarity: OffsetSimilarity, *, sentence_length: int | None = None) -> Figure:
    """Draw dot product and cosine of PE(pos) and PE(pos + k) against k.

    All encodings have the same length, so one curve has two scales.
    """
    curve = similarity.table
    # The first and the last token of a sentence lie its length less one apart.
    farthest = (sentence_length or 0) - 1
    reached = [farthest] if 0 < farthest < len(curve) - 1 else []
    label = [say("positions-farthest", n=offset) for offset in reached]
    tables = {"curve": curve, "reference": pd.DataFrame({"offset": reached, "label": label})}
    # In quarters, so that encodings of similar size share a chart.
    lowest = min(0.0, float(np.floor(similarity.cosines.min() * 4) / 4))
    return drawn(
        _similarities, tables, n=len(curve), lowest=lowest, squared=float(similarity.dots[0])
    )


def similarity_heatmap(cosines: np.ndarray, *, tokens: Sequence[str] = ()) -> Figure:
    """Draw the cosine of every two positions (L, L), -1 to 1.

    With few positions the pointer reads each cell. `tokens` are the sentence from position 0 on.
    """
    few = cosines.size <= MOST_CELLS
    return raster(
        cosines,
        (320, 320),
        tokens,
        axes=("second", "first"),
        titles=("positions-axis-column", _COSINE),
        hover=value_cells(cosines, "first", "second", "cosine") if few else None,
    )


def rotation_figure(
    rotation: Rotation, values: np.ndarray, *, tokens: Sequence[str] = ()
) -> Figure:
    """Draw a pair on the unit circle: the cosine to the right, the sine up, before and after.

    Faint dots are the other positions of `values` (L, d_model).
    """
    points = rotation_points(rotation)
    # The second position may lie beyond the sentence, and then has a number alone.
    names = token_column(tokens, rotation.position + rotation.offset + 1)
    points.insert(0, "which", [say(end) for end in _ENDS])
    points["label"] = [f"{end} {names[end]}".strip() for end in points["position"]]
    pair = values[:, 2 * rotation.pair :][:, :2].astype(np.float32)
    others = pd.DataFrame(pair, columns=["sine", "cosine"]).rename_axis("position").reset_index()
    start = rotation.frequency * rotation.position
    # Beyond one turn an arc would only cover itself.
    turned = arc(start, start + min(rotation.angle, 2 * np.pi), 0.34)
    tables = {"points": points, "others": others, "arc": turned, "circle": arc(0, 2 * np.pi)}
    return drawn(_rotation, tables)


def relative_biases(offsets: np.ndarray, biases: np.ndarray, names: Sequence[str]) -> Figure:
    """Draw the bias of scores at each of the `offsets` (n,) of a key, heads (H, n) by name."""
    cells = value_cells(biases, "head", "at", "bias")
    cells = cells.assign(offset=offsets[cells["at"]], name=np.array(names)[cells["head"]])
    return drawn(_biases, {"cells": cells}, n=len(offsets), limit=float(np.abs(biases).max()))


def _biases(n: int, limit: float) -> alt.LayerChart:
    offset = alt.Axis(
        title=say("positions-axis-relative"),
        format="+d",
        labelOverlap=True,
        labelAngle=0,
        ticks=False,
        domain=False,
    )
    cells = (
        r.source("cells")
        .mark_rect(tooltip=None)
        .encode(
            x=alt.X("offset:O", axis=offset),
            y=alt.Y("name:N", sort=None, title=None, axis=alt.Axis(ticks=False, domain=False)),
            color=r.signed_colour("bias", signed_ramp(), limit or 1.0, "positions-bias"),
            tooltip=r.tips(
                name="positions-head",
                offset=("positions-offset", "+d"),
                bias=("positions-bias", "+.3f"),
            ),
        )
    )
    return r.layered(cells, width=max(300, min(WIDTH, 22 * n)), height={"step": 22})


def _similarities(n: int, lowest: float, squared: float) -> alt.LayerChart:
    """Build the curve from the `lowest` cosine; `squared` is the squared length of an encoding."""
    # Both scales have the same share below 0, so that one curve fits both.
    dots = r.y("dot", "positions-axis-dot", domain=(lowest * squared, squared), tickCount=5)
    cosines = r.y(
        "cosine",
        _COSINE,
        domain=(lowest, 1),
        orient="right",
        grid=False,
        format=".2f",
        tickCount=5,
    )
    x = at(alt.X, "offset", n, whole("positions-offset-k"))
    over = r.hover("over", "offset")
    curve = r.source("curve").encode(x=x)
    # Invisible strips as wide as an offset: the pointer need not hit the curve.
    strips = curve.mark_rect(width=WIDTH / n, fill="transparent", aria=False).add_params(over)
    words = r.text(r.source("reference"), align="left", baseline="bottom", fontSize=11)
    return r.layered(
        *r.rule("reference", along=x),
        words.encode(x=x, y=alt.YValue(-4), text="label:N"),
        curve.mark_line(color=palette_of(ENCODER).accent, tooltip=None).encode(y=dots),
        curve.mark_circle(color=SELECTION, size=70, tooltip=None).encode(
            y=cosines, opacity=r.when(alt.OpacityValue, (over, 1), otherwise=0)
        ),
        strips.encode(
            tooltip=r.tips(
                offset=("positions-offset-k", "d"),
                dot=("positions-dot", ".4f"),
                cosine=(_COSINE, ".4f"),
                lowest=("positions-smallest", ".6f"),
                highest=("positions-largest", ".6f"),
            )
        ),
        width=WIDTH,
        height=200,
        resolve=r.apart("y"),
    )


def _rotation() -> alt.LayerChart:
    ticks = [-1, -0.5, 0, 0.5, 1]
    x = r.x("cosine", "positions-rotation-x", domain=(-1.4, 1.4), values=ticks, format=".1f")
    y = r.y("sine", "positions-rotation-y", domain=(-1.4, 1.4), values=ticks, format=".1f")
    ends = [say(end) for end in _ENDS]
    legend = r.swatches(orient="bottom", symbolOpacity=1)
    colour = r.series(alt.Color, "which", ends, TURNED[is_dark()], _POSITION, legend)
    circle = r.source("circle").mark_line(
        color=INK, opacity=0.35, strokeWidth=1, tooltip=None, aria=False
    )
    turned = r.source("arc").mark_line(color=SELECTION, tooltip=None, aria=False)
    others = r.source("others").mark_circle(color=INK, opacity=0.3, size=16)
    points = r.source("points").encode(color=colour, x=x, y=y)
    tooltip = r.tips(
        position=(_POSITION, "d"),
        sine=("positions-sine", "+.4f"),
        cosine=("positions-cosine", "+.4f"),
    )
    # Names stand outside of the circle, where no other point covers them.
    side = alt.ExprRef("datum.x >= 0 ? 'left' : 'right'")
    names = r.text(points, align=side, fontSize=12, fontWeight="bold", limit=110, aria=False)
    return r.layered(
        # Without an order, a line is drawn by its x values and crosses the circle.
        circle.encode(order="step:Q", x=x, y=y),
        others.encode(tooltip=r.tips(position=(_POSITION, "d")), x=x, y=y),
        turned.encode(order="step:Q", x=x, y=y),
        points.mark_rule(strokeWidth=2.5, tooltip=None, aria=False).encode(
            x2=alt.X2Datum(0), y2=alt.Y2Datum(0)
        ),
        points.mark_circle(size=130, opacity=1).encode(tooltip=tooltip),
        names.encode(x="x:Q", y="y:Q", text="label:N"),
        width=300,
        height=300,
    )
