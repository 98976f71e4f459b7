"""Figure of the atlas: every head as a point over two of its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from core.layout import spread

from .labels import site_word
from .plots import plot, points, scale_of
from .root_scale import is_squeezed, root_ticks, signed_root
from .style import say
from .theme import GREY, PAIRS, SELECTION, ground, palette_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross")
"""Symbols of sites, in order of appearance."""
_NONE = [None]
_BLANK = "\u00a0"  # Plotly would drop plain ones
_HEIGHT = 330  # pixels from the lowest point to the highest
_NAME = 13  # pixels of a line of names
_POINT = {"size": 10, "opacity": 0.85}
_OTHER = 6  # pixels of a point without a name, while others have one
_DEPTH = "depth"  # the layer: within it a point may move, as its height there only orders heads
_RING = {"symbol": "circle-open", "size": 20, "color": SELECTION, "line": {"width": 3}}


def head_points(
    heads: pd.DataFrame,
    x: str,
    y: str,
    colour: str,
    *,
    selected: str | None = None,
    labels: Mapping[str, str] = MappingProxyType({}),
    limits: Mapping[str, float] = MappingProxyType({}),
) -> Plot:
    """Draw heads that have both numbers as points, with the symbol of their site.

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
    labels : mapping of str to str
        Words beside the points of some heads, by their names; the points of all others are small.
        Over layers, named points move as far apart as their names.
    limits : mapping of str to float
        By column a number; a dashed line says how many heads have at most this number.
    """
    # Symbols by all heads, so that a site keeps its own if another has no numbers.
    symbols = dict(zip(heads["kind"].unique(), SYMBOLS, strict=False))
    with_numbers = heads.dropna(subset=[x, y])
    at = _positions(with_numbers, (x, y, colour))
    named = with_numbers.index[with_numbers["name"].isin(list(labels))]
    if y == _DEPTH:
        at.loc[named, y] = _apart(at[y], named)
    roles = sorted(set(heads["role"]) - {""})
    figure = _empty_figure(with_numbers, x, y, colour)
    for value, group in with_numbers.groupby("role" if colour == "role" else "kind", sort=False):
        its = at.loc[group.index]
        trace = points(
            (its[x], its[y]),
            _hover_lines(group, x, y, colour),
            marker=_head_marker(group, symbols, named) | _colour(str(value), its, colour, roles),
            name=say(f"role-{value or 'none'}") if colour == "role" else site_word(str(value)),
            showlegend=colour in ("kind", "role"),
            # Plotly would fade the other points at a click; the ring marks the selection instead.
            unselected={"marker": {"opacity": _POINT["opacity"]}},
        )
        figure.add_trace(trace)
    if colour != "kind":
        figure.add_traces([_symbol_entry(site, symbol) for site, symbol in symbols.items()])
    figure.add_trace(_names(with_numbers, at[x], at[y], selected, labels))
    # An empty frame adds an empty trace, so the number of traces never changes.
    ringed = at[with_numbers["name"] == selected]
    for name in dict.fromkeys((x, y)):
        if name in limits:
            _add_limit(figure, with_numbers[name], limits[name], upright=name == x)
    return figure.add_trace(points((ringed[x], ringed[y]), marker=_RING))


def _add_limit(figure: Plot, values: pd.Series, limit: float, *, upright: bool) -> None:
    """Add a dashed line at `limit`, with the number of `values` up to it."""
    at = float(signed_root(limit)) if is_squeezed(values) else limit
    line = {"dash": "dash", "width": 1.5, "color": GREY}
    n = int((values <= limit).sum())
    if upright:
        text = say("atlas-left", n=n)
        figure.add_vline(at, line=line, annotation_text=text, annotation_position="top left")
    else:
        text = say("atlas-below", n=n)
        figure.add_hline(at, line=line, annotation_text=text, annotation_position="bottom left")


def _positions(heads: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Return the columns of numbers as they are drawn: as roots where few stand far off."""
    numbers = [name for name in dict.fromkeys(columns) if name not in ("kind", "role")]
    return pd.DataFrame(
        {
            name: signed_root(heads[name]) if is_squeezed(heads[name]) else heads[name]
            for name in numbers
        }
    )


def _names(
    heads: pd.DataFrame,
    at_x: pd.Series,
    at_y: pd.Series,
    selected: str | None,
    labels: Mapping[str, str],
) -> Any:
    """Return a trace with the words of `labels` beside their points."""
    named = heads[heads["name"].isin(list(labels))]
    # Towards the middle, where no point at an edge has its words cut.
    middle = (at_x.min() + at_x.max()) / 2
    sides = ["middle right" if value < middle else "middle left" for value in at_x[named.index]]
    # The ring is wider than a point.
    blanks = [_BLANK * (6 if name == selected else 3) for name in named["name"]]
    return points(
        (at_x[named.index], _apart(at_y, named.index)),
        mode="text",
        text=[
            f"{blank}{labels[name]}{blank}"
            for blank, name in zip(blanks, named["name"], strict=True)
        ],
        textposition=sides,
        textfont={"size": 11},
    )


def _apart(at_y: pd.Series, named: pd.Index) -> pd.Series:
    """Return the heights of the names of points, moved so far that no two overlap."""
    gap = float(at_y.max() - at_y.min()) * _NAME / _HEIGHT
    wanted = at_y[named].sort_values(kind="stable")
    heights = spread([[(height, 1.0)] for height in wanted - wanted.min()], gap=gap)
    return pd.Series(heights, wanted.index).loc[named] + wanted.min()


def _head_marker(
    heads: pd.DataFrame, symbols: Mapping[str, str], named: pd.Index
) -> dict[str, Any]:
    """Return the marker of heads, each with the symbol of its site, without a colour."""
    outline = {"width": 1, "color": ground()}
    size = _POINT["size"]
    if len(named):
        size = np.where(heads.index.isin(named), size, _OTHER).tolist()
    return {
        "symbol": heads["kind"].map(symbols).tolist(),
        **_POINT,
        "size": size,
        "line": outline,
    }


def _empty_figure(heads: pd.DataFrame, x: str, y: str, colour: str) -> Plot:
    """Return a figure with the axes of these columns, and a colour bar for numbers."""
    figure = plot(
        430,
        margin={"l": 8, "r": 8, "t": 44, "b": 8},
        hovermode="closest",
        xaxis=_axis(heads, x),
        yaxis=_axis(heads, y),
        legend={"itemsizing": "constant"},
    )
    if colour not in ("kind", "role"):
        bar = _ticks(heads, colour) | {"title": _title(heads, colour), "thickness": 12}
        bar["title"]["side"] = "right"
        ramp = scale_of(palette_of("encoder").ramp)
        figure.update_layout(coloraxis={"colorscale": ramp, "colorbar": bar})
    return figure


def _symbol_entry(site: str, symbol: str) -> Any:
    """Return a trace that brings the symbol of a site into the legend."""
    # A point at None shows nothing.
    return points(
        (_NONE, _NONE),
        name=site_word(site),
        showlegend=True,
        marker={"symbol": symbol, "color": GREY, "size": 9},
        hoverinfo="skip",
    )


def _title(heads: pd.DataFrame, column: str) -> dict[str, Any]:
    """Return the title of a column, which says if its scale is one of roots."""
    title = say(f"atlas-axis-{column}")
    if is_squeezed(heads[column]):
        title = say("atlas-axis-root", axis=title)
    return {"text": title}


def _ticks(heads: pd.DataFrame, column: str) -> dict[str, Any]:
    """Return the ticks of a column, empty for those that Plotly chooses."""
    if is_squeezed(heads[column]):
        return root_ticks(heads[column])
    # The heads of a layer stand around its number.
    return {"tick0": 1, "dtick": 1} if column == _DEPTH else {}


def _axis(heads: pd.DataFrame, column: str) -> dict[str, Any]:
    """Return the layout of the axis of a column."""
    title = _title(heads, column)
    return {"title": title, "automargin": True, "zeroline": False, **_ticks(heads, column)}


def _colour(value: str, at: pd.DataFrame, colour: str, roles: Sequence[str]) -> dict[str, Any]:
    """Return the colours of the points of a site or role, `value`, as part of a marker.

    `at`: their numbers, from `_positions`.
    """
    if colour == "kind":
        return {"color": palette_of(value).accent}
    if colour == "role":
        # By name of all roles that occur, so that a role keeps its colour in every view.
        return {"color": PAIRS[roles.index(value) % len(PAIRS)] if value else GREY}
    return {"color": at[colour].tolist(), "coloraxis": "coloraxis"}


def _hover_lines(group: pd.DataFrame, x: str, y: str, colour: str) -> list[tuple[str, Any]]:
    """Return the hover lines of a group of heads."""
    roles = [say(f"role-title-{role}") if role else say("role-none") for role in group["role"]]
    lines: list[tuple[str, str | Sequence[str]]] = [("", group["name"].tolist()), ("role", roles)]
    for name in dict.fromkeys((x, y, colour)):
        if name not in ("kind", "role", _DEPTH):
            lines.append((f"atlas-axis-{name}", [f"{value:.3f}" for value in group[name]]))
    return lines
