"""Where a pair stands among pairs that people have judged, by each sign."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from core.made_up import GROUPS

from . import recipes as r
from .figure import Figure, drawn
from .look import say
from .theme import NEGATIVE, POSITIVE, SELECTION


def sign_bands(bins: pd.DataFrame, marks: pd.DataFrame, titles: Sequence[str]) -> Figure:
    """A panel a sign: how sound and faulty pairs spread over it, each group to 1, and a red line
    where the pair on screen stands.

    `bins`: of `core.made_up.sign_bins`, of every sign. `marks`: sign, value and its text `label`.
    `titles`: of the panels, in the order of `marks`.
    """
    bins = bins.assign(name=bins["group"].map({g: say(f"made-up-{g}") for g in GROUPS}))
    shape = {"signs": tuple(zip(marks["sign"], titles, strict=True))}
    return drawn(_bands, {"lines": bins, "marks": marks}, **shape)


def _bands(signs: tuple[tuple[str, str], ...]) -> alt.ConcatChart:
    names, panels = tuple(say(f"made-up-{group}") for group in GROUPS), []
    for sign, title in signs:
        where = f"datum.sign == '{sign}'"
        x = r.x("value", f"made-up-{sign}", nice=False)
        y = r.y("share", "made-up-pairs", zero=True, format="%", tickCount=3)
        colour = r.series(alt.Color, "name", names, (POSITIVE, NEGATIVE))
        told = r.tips(name="made-up-group", value=(f"made-up-{sign}", ".2f"))
        told += r.tips(share=("made-up-pairs", ".1%"))
        mark = r.rule(r.source("marks", where), along="value:Q", label="label", color=SELECTION)
        how = {"where": where, "points": 0, "width": 300, "height": 118, "interpolate": "step"}
        panels.append(r.lines(x, y, colour, told, more=mark, **how).properties(title=title))
    return r.wrapped(*panels, columns=2, spacing=16, resolve=r.apart("x", "y"))
