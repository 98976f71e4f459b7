"""Words hidden from one place or another, and what that does to the choice of a pronoun."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from core.tables import with_columns
from core.tokens import visible

from . import recipes as r
from .figure import Figure, drawn
from .knockout import SHAPES
from .look import say
from .theme import CHOICES, HIDDEN, INK

# Phrases in warm colours, single words in cool ones, the last in grey.
_PANEL, _ROOM, _FONT, _MOST_LABEL = 190, 650, 12, 210  # a panel is at most so wide, all of them


def hiding_dots(lines: pd.DataFrame) -> Figure:
    """What hiding each word from each place does to the choices; nothing to click.

    One panel for each hidden word, side by side, one row for each place, a dot for each choice with
    a line to the probability it has when nothing is hidden. `lines`: with the columns hidden,
    place, choice (labels, in the order of first appearance), probability and plain (0 to 1); NaN
    where the model refused. A column role, if there is one, is a second line of the panel's title;
    the same word in two roles has two panels. Raises ValueError: no lines, or a column is missing.
    """
    columns = ["hidden", "place", "choice", "probability", "plain"]
    dots = with_columns(lines, *columns)[columns].assign(
        hidden=lines["hidden"].map(visible), role=lines.get("role", "")
    )
    panels = dots.groupby(["hidden", "role"], sort=False)
    dots["word"] = panels.ngroup()
    shape = {name: tuple(dots[name].unique()) for name in ("place", "choice")}
    return drawn(_panels, {"dots": dots}, titles=tuple(panels.groups), **shape)


def flip_rates(rows: pd.DataFrame) -> Figure:
    """How often a choice flips for each place and hidden word, with the ends of an interval.

    `rows`: with the columns place and hidden (labels, in the order of first appearance), share, low
    and high (0 to 1) and n (how many were counted). Raises ValueError: no rows, or a column is
    missing.
    """
    rows = with_columns(rows, "place", "hidden", "share", "low", "high", "n")
    words = tuple(rows["hidden"].unique())
    return drawn(_flips, {"rows": rows}, n_bands=rows["place"].nunique(), words=words)


def _panels(
    titles: tuple[tuple[str, str], ...], place: tuple[str, ...], choice: tuple[str, ...]
) -> alt.HConcatChart:
    """A panel for each hidden word: its places one below the other, the first with their names."""
    width = min(_PANEL, _ROOM // len(titles))
    columns = {
        "choice": "figures-token",
        "probability": ("figures-probability", ".4f"),
        "plain": ("figures-pronoun-nothing", ".4f"),
    }
    x = r.measure("figures-probability", domain=(0, 1), values=[0, 0.5, 1], format="~g")
    style = {"anchor": "start", "frame": "group", "offset": 6, "limit": width, "fontSize": 13}
    panels = [
        _ranges(
            r.source("dots", f"datum.word === {word}"),
            "choice",
            ("probability", "plain", "probability"),
            x,
            columns,
            *r.looks("choice", choice, (alt.Color, CHOICES), (alt.Shape, SHAPES)),
            axis={"labels": not word},
            bands=place,
            width=width,
            height=len(place) * max(30, min(44, len(choice) * 14)),
            title=alt.TitleParams(title, subtitle=role, subtitleColor=INK, **style),
        )
        for word, (title, role) in enumerate(titles)
    ]
    return r.beside(*panels, spacing=14)


def _flips(n_bands: int, words: tuple[str, ...]) -> alt.LayerChart:
    named = {"title": "figures-pronoun-hidden", "legend": {"columns": 3, "symbolOpacity": 1}}
    return _ranges(
        r.source("rows"),
        "hidden",
        ("low", "high", "share"),
        r.measure("figures-pronoun-pronoun-flips", domain=(0, 1), format=".0%", tickCount=5),
        {
            "share": ("figures-pronoun-flips", ".1%"),
            "low": ("figures-pronoun-interval-from", ".1%"),
            "high": ("figures-pronoun-interval-to", ".1%"),
            "n": ("figures-pronoun-sentences", "d"),
        },
        *r.looks("hidden", words, (alt.Color, HIDDEN), (alt.Shape, SHAPES), **named),
        width=360,
        height=n_bands * max(32, len(words) * 13),
    )


def _ranges(
    rows: alt.Chart,
    names: str,
    ends: Sequence[str],
    x: dict[str, Any],
    columns: dict[str, Any],
    colour: alt.Color,
    shape: alt.Shape,
    axis: dict[str, Any] | None = None,
    bands: Sequence[str] | None = None,
    **properties: Any,
) -> alt.LayerChart:
    """A band for each place, and in it for each name, a column of `names`, a line from the first of
    the `ends` to the second and a dot at the third; `axis` and `bands` are those of panels, whose
    lines end in a tick."""
    style = {"ticks": False, "domain": False, "grid": True, "gridOpacity": 0.25, "labelPadding": 8}
    style |= {"labelFontSize": _FONT, "labelLimit": _MOST_LABEL, "maxExtent": _MOST_LABEL + 20}
    y = alt.Y(
        "place:N",
        sort=None,
        title=None if axis else say("figures-pronoun-hidden-from"),
        scale=alt.Scale(domain=bands or alt.Undefined, paddingInner=0.25, paddingOuter=0.1),
        axis={**style, **(axis or {})},
    )
    encoded = rows.encode(y, alt.YOffset(f"{names}:N", sort=None), colour)
    start, end, at = (alt.X(f"{column}:Q", **x) for column in ends)
    line = encoded.mark_rule(strokeWidth=2, opacity=0.6, **r.QUIET).encode(start, x2=ends[1])
    tick = encoded.mark_tick(thickness=2, size=10, **r.QUIET).encode(end)
    dot = encoded.mark_point(filled=True, size=60, opacity=1).encode(shape, at)
    tooltip = r.tips(hidden="figures-pronoun-hidden", place="figures-pronoun-from", **columns)
    return r.layered(line, *[tick] * bool(axis), dot.encode(tooltip=tooltip), **properties)
