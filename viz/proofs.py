"""How far two ways to the same number are apart, for every identity and checkpoint."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from core.attention import ENCODER
from core.proofs import NOW, OPEN, OTHER
from core.tokens import visible

from . import recipes as r
from .figure import Figure, drawn
from .look import say
from .theme import GREY, INK, SELECTION, palette_of

LEAST, MOST = 1e-10, 100.0
"""Ends of the axis; what lies beyond is drawn there, 0 at the left and no number at the right."""
_WIDTH, _ROOM, _HIGHEST, _NAMES = 560, 500, 20, 230  # pixels
_SIZES = {OTHER: 45, OPEN: 45, NOW: 150}  # square pixels


def proof_dots(rows: pd.DataFrame, tolerance: float) -> Figure:
    """A line for each claim, a mark for each checkpoint where the largest difference is, on a log
    scale with the `tolerance` on it. `rows` is of `core.proofs.proof_table`."""
    claims = list(dict.fromkeys(rows["claim"]))
    names = pd.DataFrame({"label": [say(f"proof-{claim}") for claim in claims]})
    texts = rows["difference"].map("{:.1e}".format)
    marks = rows[["when"]].assign(
        checkpoint=rows["checkpoint"].map(visible),
        place=rows["claim"].map(claims.index),
        at=rows["difference"].clip(LEAST, MOST),
        text=texts.where(np.isfinite(rows["difference"]), say("proofs-no-number")),
        size=rows["of"].map(_SIZES),
        of=rows["of"].map(lambda of: say(f"proofs-of-{of}")),
    )
    allowed = say("proofs-allowed", most=f"{tolerance:g}")
    limit = pd.DataFrame({"at": [tolerance], "label": [allowed]})
    return drawn(_dots, {"marks": marks, "names": names, "limit": limit}, n=len(claims))


def _dots(n: int) -> alt.LayerChart:
    step = min(_HIGHEST, _ROOM / n)
    ticks = [10.0**power for power in range(-10, 3, 2)]
    ends = "datum.value < 2e-10 ? '0' : datum.value > 99 ? '≥ 100' : format(datum.value, '.0e')"
    axis = {"domain": (LEAST, MOST), "values": ticks, "labelExpr": ends, "tickCount": 13}
    x = r.x("at", "proofs-column-difference", log=True, **axis)
    y = r.line_places(n, "names", step, labelLimit=_NAMES, grid=True, gridOpacity=0.3)
    names = [say(f"proofs-of-{of}") for of in _SIZES]
    colours = alt.Color, (GREY, palette_of(ENCODER).accent, SELECTION)
    shapes = alt.Shape, ("circle", "circle", "diamond")
    told = {"checkpoint": "proofs-column-checkpoint", "text": "proofs-column-difference"}
    told |= {"of": "proofs-of", "when": "proofs-column-when"}
    marks = r.source("marks").mark_point(opacity=0.9, strokeWidth=2)
    marks = marks.encode(
        x,
        y,
        *r.looks("of", names, colours, shapes),
        size=alt.Size("size:Q", scale=None, legend=None),
        tooltip=r.tips(**told),
    )
    limit = r.source("limit").encode(x=x)
    rule = limit.mark_rule(strokeDash=[4, 3], strokeWidth=1.5, color=INK, **r.QUIET)
    named = r.text(limit, align="left", dx=4, fontSize=11).encode(y=alt.YValue(-7), text="label:N")
    kept = r.kept("names", y=y)
    return r.layered(kept, rule, named, marks, width=_WIDTH, height=n * step)
