"""The cost of shifted positions in log P."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt
import pandas as pd

from core.attention import DECODER, ENCODER

from . import recipes as r
from .encoding import ring
from .figure import Figure, drawn
from .labels import renamed
from .look import say


def offset_lines(lines: pd.DataFrame, *, longest: int, chosen: Mapping[str, int]) -> Figure:
    """Log P of the plain translation against the offset of the positions, one line a side.

    `lines`: with the columns side ("source" or "target"), offset and log_prob (natural). `longest`:
    the positions the model has; a dashed line stands there. `chosen`: for a side the offset to
    mark.
    """
    marked = lines["side"].map(chosen) == lines["offset"]
    of = [say(f"positions-{side}") for side in lines["side"]]
    tables = {"lines": lines.assign(chosen=marked, of=of)}
    return drawn(_offsets, {**tables, "limit": pd.DataFrame({"offset": [longest]})})


def _offsets() -> alt.LayerChart:
    sides = {side: say(f"positions-{side}") for side in ("source", "target")}
    look = {"symbolType": "stroke", "symbolStrokeWidth": 3, "labelExpr": renamed(sides)}
    colour = r.of_sites("side", (ENCODER, DECODER), list(sides), "positions-of-side", legend=look)
    x = r.x("offset", "positions-axis-offset")
    y = r.y("log_prob", "positions-axis-log-p")
    offset = {"offset": ("positions-offset", "d")}
    tooltip = r.tips(of="positions-side", **offset, log_prob=("positions-log-p", ".3f"))
    limit = r.rule("limit", along="offset:Q")[0]
    limit = limit.encode(tooltip=r.tips(offset=("positions-of-model", "d")))
    marked = ring(r.source("lines", "datum.chosen"), 130, x="offset:Q", y="log_prob:Q")
    size = {"points": 28, "width": 420, "height": 190}
    return r.lines(x, y, colour, tooltip, **size, more=[marked, limit])
