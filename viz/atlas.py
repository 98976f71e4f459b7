"""Figure of the atlas: every head as a point over two of its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from .labels import site_word
from .look import say
from .plots import plot, points, scale_of
from .theme import GREY, PAIRS, SELECTION, ground, palette_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross")
"""Symbols of sites, in order of appearance."""
_NONE = [None]


def head_points(
    heads: pd.DataFrame, x: str, y: str, colour: str, *, selected: str | None = None
) -> Plot:
    """Draw heads as points, with the symbol of their site.

    Heads without either number are left out.

    Parameters
    ----------
    heads : DataFrame
        From `core.atlas.head_rows`, with a column name, which a click reports first.
    x, y : str
        Columns, titled ``atlas-axis-<column>``.
    colour : str
        "kind", "role" or a column of numbers.
    selected : str, optional
        Name of a head to ring.
    """
    # Symbols by all heads, so that a site keeps its own if another has no numbers.
    shown = heads.dropna(subset=[x, y])
    symbols = dict(zip(heads["kind"].unique(), SYMBOLS, strict=False))
    axes = {"automargin": True, "zeroline": False}
    titles = {name: {"title": {"text": say(f"atlas-axis-{name}")}} | axes for name in (x, y)}
    known = sorted(set(heads["role"]) - {""})
    of_numbers = colour not in ("kind", "role")
    layout = {"margin": {"l": 8, "r": 8, "t": 44, "b": 8}, "hovermode": "closest"}
    layout |= {"xaxis": titles[x], "yaxis": titles[y], "legend": {"itemsizing": "constant"}}
    if of_numbers:
        bar = {"title": {"text": say(f"atlas-axis-{colour}"), "side": "right"}, "thickness": 12}
        ramp = scale_of(palette_of("encoder").ramp)
        layout |= {"coloraxis": {"colorscale": ramp, "colorbar": bar}}
    figure = plot(430, **layout)
    for value, group in shown.groupby("role" if colour == "role" else "kind", sort=False):
        marker = {"symbol": group["kind"].map(symbols).tolist(), "size": 11, "opacity": 0.85}
        marker |= {"line": {"width": 1, "color": ground()}}
        if of_numbers:
            marker |= {"color": group[colour].tolist(), "coloraxis": "coloraxis"}
        elif colour == "kind":
            marker["color"] = palette_of(str(value)).accent
        else:
            # By name of all roles that occur, so that a role keeps its colour in every view.
            marker["color"] = PAIRS[known.index(value) % len(PAIRS)] if value else GREY
        name = site_word(str(value)) if colour != "role" else say(f"role-{value or 'none'}")
        look = {"marker": marker, "name": name, "showlegend": not of_numbers}
        # Plotly would fade the other points at a click; the ring marks the selection instead.
        look |= {"unselected": {"marker": {"opacity": 0.85}}}
        figure.add_trace(points((group[x], group[y]), _told(group, x, y, colour), **look))
    # Points at None show nothing; they bring the symbols of the sites into the legend.
    for kind in symbols if colour != "kind" else ():
        look = {"marker": {"symbol": symbols[kind], "color": GREY, "size": 9}, "hoverinfo": "skip"}
        figure.add_trace(points((_NONE, _NONE), name=site_word(kind), showlegend=True, **look))
    # An empty frame adds an empty trace, so the number of traces never changes.
    ring = shown[shown["name"] == selected]
    look = {"symbol": "circle-open", "size": 20, "color": SELECTION, "line": {"width": 3}}
    return figure.add_trace(points((ring[x], ring[y]), marker=look))


def _told(group: pd.DataFrame, x: str, y: str, colour: str) -> list[tuple[str, Any]]:
    """Return the hover lines of a group of heads."""
    roles = [say(f"role-title-{role}") if role else say("role-none") for role in group["role"]]
    lines: list[tuple[str, str | Sequence[str]]] = [("", group["name"].tolist()), ("role", roles)]
    for name in dict.fromkeys((x, y, colour)):
        if name not in ("kind", "role", "depth"):
            lines.append((f"atlas-axis-{name}", [f"{value:.3f}" for value in group[name]]))
    return lines
