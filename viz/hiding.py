"""Words hidden from one place or another, and what that does to the choice of a pronoun."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import altair as alt
import pandas as pd

from analysis.labels import visible

from . import recipes as r
from .figure import Figure, drawn
from .knockout import SHAPES, choice_looks
from .labels import text_width
from .look import say
from .theme import HIDDEN, INK

# Phrases in warm colours, single words in cool ones, the last in grey.
_PANEL, _MOST_PANELS, _FONT, _MOST_LABEL = 190, 3, 12, 210


def hiding_dots(lines: pd.DataFrame) -> Figure:
    """What hiding each word from each place does to the choices; nothing to click.

    One panel for each hidden word, one row for each place, a dot for each choice with a line to
    the probability it has when nothing is hidden. Panels of the same places stand side by side.

    Parameters
    ----------
    lines : with the columns hidden, place, choice (labels, in the order of first appearance),
        probability and plain (0 to 1); NaN where the model refused. A column role, if there is
        one, is a second line of the panel's title; the same word in two roles has two panels.

    Raises
    ------
    ValueError : no lines, or a column is missing.
    """
    dots = _checked(lines, "hidden", "place", "choice", "probability", "plain")
    dots = dots.assign(hidden=lines["hidden"].map(visible), role=lines.get("role", ""))
    panels = dots.groupby(["hidden", "role"], sort=False)
    dots["word"] = panels.ngroup()
    tested = tuple((title, tuple(places.unique())) for title, places in panels["place"])
    return drawn(_panels, {"dots": dots}, tested=tested, choices=tuple(dots["choice"].unique()))


def flip_rates(rows: pd.DataFrame) -> Figure:
    """How often a choice flips for each place and hidden word, with the ends of an interval.

    Parameters
    ----------
    rows : with the columns place and hidden (labels, in the order of first appearance), share, low
        and high (0 to 1) and n (how many were counted).

    Raises
    ------
    ValueError : no rows, or a column is missing.
    """
    _checked(rows, "place", "hidden", "share", "low", "high", "n")
    words = tuple(rows["hidden"].unique())
    return drawn(_flips, {"rows": rows}, n_places=rows["place"].nunique(), words=words)


def _checked(lines: pd.DataFrame, *needed: str) -> pd.DataFrame:
    missing = [name for name in needed if name not in lines]
    if lines.empty or missing:
        raise ValueError(f"nothing to draw: {len(lines)} lines, columns missing: {missing}")
    return lines[[*needed]]


def _panels(tested: tuple[Any, ...], choices: tuple[str, ...]) -> alt.VConcatChart:
    """`tested`: of each hidden word its title and the places it was hidden from."""
    # So that the panels of all rows stand below each other.
    widest = max(text_width(place, _FONT) for _, places in tested for place in places)
    rows: list[Any] = []
    for _, alike in groupby(enumerate(tested), key=lambda panel: panel[1][1]):
        for i, (word, (title, places)) in enumerate(alike):
            rows += [] if i % _MOST_PANELS else [[]]
            room = 0 if rows[-1] else min(_MOST_LABEL, widest)
            rows[-1].append(_panel(word, title, len(places), choices, room))
    return r.below(*(r.beside(*row, spacing=24) for row in rows), spacing=26)


def _panel(
    word: int, title: Sequence[str], n_places: int, choices: tuple[str, ...], room: float
) -> alt.LayerChart:
    """One hidden word: its places one below the other, with names where there is room for them."""
    dots, x = r.source("dots", f"datum.word === {word}"), r.shares("figures-probability")
    tick = dots.mark_tick(thickness=2, size=10, **r.QUIET).encode(x=alt.X("plain:Q", **x))
    style: Any = {"anchor": "start", "frame": "group", "offset": 6, "limit": _PANEL, "fontSize": 13}
    probability, plain = ("figures-probability", ".4f"), ("figures-hiding-nothing", ".4f")
    return _ranges(
        dots,
        {"choice": "figures-token", "probability": probability, "plain": plain},
        ("probability", "plain", "probability"),
        x,
        choice_looks(choices),
        tick,
        axis={"labels": room > 0, "minExtent": room},
        width=_PANEL,
        height=n_places * max(32, len(choices) * 15),
        title=alt.TitleParams(title[0], subtitle=title[1], subtitleColor=INK, **style),
    )


def _flips(n_places: int, words: tuple[str, ...]) -> alt.LayerChart:
    legend = {"columns": 3, "symbolOpacity": 1}
    looks = [
        r.series(channel, "hidden", words, values, "figures-hiding-hidden", legend)
        for channel, values in ((alt.Color, HIDDEN), (alt.Shape, SHAPES))
    ]
    told = {
        "share": ("figures-hiding-flips", ".1%"),
        "low": ("figures-hiding-interval-from", ".1%"),
        "high": ("figures-hiding-interval-to", ".1%"),
        "n": ("figures-hiding-sentences", "d"),
    }
    x = r.measure("figures-hiding-pronoun-flips", domain=(0, 1), format=".0%", tickCount=5)
    size: Any = {"width": 360, "height": n_places * max(32, len(words) * 13)}
    return _ranges(r.source("rows"), told, ("low", "high", "share"), x, looks, **size)


def _ranges(
    rows: alt.Chart,
    told: dict[str, Any],
    columns: tuple[str, str, str],
    x: dict[str, Any],
    looks: list[Any],
    *between: alt.Chart,
    axis: dict[str, Any] | None = None,
    **properties: Any,
) -> alt.LayerChart:
    """A band for each place, and in it for each name of the colour a line from the first of the
    columns to the second and a dot at the third; `axis` is that of the places."""
    bare: Any = {"ticks": False, "domain": False, "grid": True, "gridOpacity": 0.25}
    bare |= {"labelPadding": 8, "labelLimit": _MOST_LABEL, "maxExtent": _MOST_LABEL + 20}
    shown = alt.Axis(labelFontSize=_FONT, **bare, **(axis or {}))
    title = None if axis else say("figures-hiding-hidden-from")
    scale = alt.Scale(paddingInner=0.25, paddingOuter=0.1)
    colour = looks[0]
    bands = [
        alt.Y("place:N", sort=None, title=title, axis=shown, scale=scale),
        alt.YOffset(f"{colour['field']}:N", sort=colour["scale"]["domain"]),
        colour,
    ]
    start, end, at = columns
    line = rows.mark_rule(strokeWidth=2, opacity=0.6, **r.QUIET)
    dot = rows.mark_point(filled=True, size=60, opacity=1)
    tooltip = r.tips(hidden="figures-hiding-hidden", place="figures-hiding-from", **told)
    return r.layered(
        line.encode(*bands, x=alt.X(f"{start}:Q", **x), x2=end),
        *(each.encode(*bands) for each in between),
        dot.encode(*bands, *looks[1:], x=alt.X(f"{at}:Q", **x), tooltip=tooltip),
        **properties,
    )
