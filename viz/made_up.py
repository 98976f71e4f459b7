"""Where a pair stands among pairs that people have judged, by each sign."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

import altair as alt
import pandas as pd

from core.made_up import GROUPS

from . import recipes as r
from .figure import Figure, drawn
from .look import say
from .theme import NEGATIVE, POSITIVE, SELECTION


def sign_bands(
    bins: pd.DataFrame, marks: pd.DataFrame, titles: Sequence[tuple[str, str]]
) -> Figure:
    """A row of panels a model, a panel a sign: how sound and faulty pairs spread over it, each
    group to 1, and a red line where the pair on screen stands.

    `bins`: of `core.made_up.sign_bins`, with the number of their `panel`. `marks`: a line a panel:
    panel, model, sign, value and its text `label`. `titles`: of the panels, two lines each.
    """
    bins = bins.assign(name=bins["group"].map({g: say(f"made-up-{g}") for g in GROUPS}))
    panels = zip(marks["model"], marks["panel"], marks["sign"], titles, strict=True)
    rows = tuple(tuple(panel[1:] for panel in row) for _, row in groupby(panels, itemgetter(0)))
    return drawn(_bands, {"lines": bins, "marks": marks}, rows=rows)


def _bands(rows: tuple[tuple[tuple[int, str, tuple[str, str]], ...], ...]) -> alt.VConcatChart:
    names, shown = tuple(say(f"made-up-{group}") for group in GROUPS), []
    scale = {"resolve": r.apart("x", "y")}
    for row in rows:
        panels = []
        for place, (panel, sign, title) in enumerate(row):
            where = f"datum.panel == {panel}"
            x = r.x("value", None, nice=False, tickCount=4)
            y_title = None if place else "made-up-pairs"
            y = r.y("share", y_title, zero=True, format="%", tickCount=3)
            colour = r.series(alt.Color, "name", names, (POSITIVE, NEGATIVE))
            told = r.tips(name="made-up-group", value=(f"made-up-{sign}", ".2f"))
            told += r.tips(share=("made-up-pairs", ".1%"))
            mark = r.rule(r.source("marks", where), along="value:Q", label="label", color=SELECTION)
            how = {"where": where, "points": 0, "width": 152, "height": 118, "interpolate": "step"}
            chart = r.lines(x, y, colour, told, more=mark, **how)
            panels.append(chart.properties(title=list(title)))
        shown.append(r.beside(*panels, spacing=12, **scale))
    return r.below(*shown, spacing=16, **scale)
