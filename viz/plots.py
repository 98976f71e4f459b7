"""Common parts of Plotly's figures: those to turn, to zoom, or with very many points.

Plotly is imported by the first figure drawn with it, not with the app. Tokens are passed in as they
are and escaped here, because Plotly reads some HTML.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .recipes import title_of
from .style import is_dark
from .theme import FAINT, GREY, TEXT_FONT, ground, ink

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

HoverLine = tuple[str, str | Sequence[str]]
"""Title, "" for none, and value of a hover line.

The value is a format of Plotly, "%{x:,}", or one text for each point, which may contain newlines.
"""
At = Sequence[Any] | np.ndarray
"""Coordinates, for each of two or three axes."""


def plot(height: int, **layout: Any) -> Plot:
    """Return a figure without traces in the look of the page, as wide as its container.

    `height`: pixels of the whole figure. `layout`: Plotly's.
    """
    import plotly.graph_objects as go

    # Plotly keeps turn and zoom through new data while `uirevision` stays the same.
    defaults = {"template": {"layout": _look()}, "height": height, "uirevision": "kept"}
    return go.Figure(layout=defaults | layout)


def _look() -> dict[str, Any]:
    """Return the layout of the page's look, for a template."""
    faint = FAINT[is_dark()]
    clear = "rgba(0,0,0,0)"
    axis = {"gridcolor": faint, "zerolinecolor": faint, "linecolor": GREY, "color": ink()}
    small = {"tickfont": {"size": 11}, "title": {"font": {"size": 12}}}
    spaces = {f"{name}axis": {**axis, **small, "showbackground": False} for name in "xyz"}
    note = {"showarrow": False, "font": {"size": 11, "color": ink()}}
    return {
        "margin": dict.fromkeys("ltrb", 8),
        "paper_bgcolor": clear,
        "plot_bgcolor": clear,
        "font": {"family": TEXT_FONT, "size": 13, "color": ink()},
        "hoverlabel": {"bgcolor": ground(), "font": {"color": ink(), "family": TEXT_FONT}},
        "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
        "scene": {**spaces, "annotationdefaults": note},
        "xaxis": axis,
        "yaxis": axis,
        "modebar": {"bgcolor": clear, "color": GREY, "activecolor": ink()},
    }


def panels(titles: Sequence[str], *, x: str, pointer: str, height: int, **layout: Any) -> Plot:
    """Return empty panels below each other over one axis, which zoom together.

    The n-th takes traces with ``yaxis="yn"``, counted from 1.

    Parameters
    ----------
    titles : sequence of str
        Titles of the panels' own axes, from the top.
    x : str
        Title of the shared axis.
    pointer : str
        First line of the tooltip, with ``%{x}`` for the position. With ``hoversubplots="axis"`` in
        the `layout` the pointer reads all panels at once.
    height : int
        Pixels of one panel.
    """
    n = len(titles)
    grid = {"rows": n, "columns": 1, "ygap": 0.16}
    figure = plot(height * n + 80, hovermode="x unified", grid=grid, **layout)
    for number, title in enumerate(titles, start=1):
        heading = {"text": title, "font": {"size": 12}}
        figure.layout[f"yaxis{number}"] = {"title": heading, "automargin": True, "nticks": 5}
    return figure.update_xaxes(
        title=x, showgrid=False, automargin=True, unifiedhovertitle={"text": pointer}
    )


def scene(
    titles: Sequence[str],
    eye: Sequence[float],
    center: Sequence[float] = (0, 0, 0),
    aspect: str = "data",
    **axis: Any,
) -> dict[str, Any]:
    """Return a space to turn, seen from `eye`; `axis` applies to all its axes.

    With the aspects "data" and "cube" they have one scale, so that lengths can be compared in every
    direction.
    """
    named = zip("xyz", titles, strict=True)
    axes = {f"{name}axis": {"title": {"text": title}, **axis} for name, title in named}
    camera = {"eye": corner(eye), "center": corner(center)}
    return {**axes, "aspectmode": aspect, "camera": camera}


def corner(at: At) -> dict[str, Any]:
    """Return coordinates by axis: x, y, z."""
    return dict(zip("xyz", at, strict=False))


def points(at: At, lines: Sequence[HoverLine] = (), **look: Any) -> Any:
    """Return a trace of points in the plane or in space; `look` is Plotly's.

    Tokens in its ``text`` are escaped. The pointer reads the `lines`; without them, it finds
    nothing.
    """
    import plotly.graph_objects as go

    flat = len(at) == 2
    if "text" in look:
        # WebGL text reads some tags but no entities; a zero-width space breaks up a tag.
        written = harmless if flat else lambda text: text.replace("<", "<\u200b")
        look["text"] = [written(text) for text in look["text"]]
    hover = tips(*lines) if lines else {"hoverinfo": "skip"}
    options = corner(at) | {"mode": "markers", "showlegend": False} | hover | look
    return go.Scatter(options) if flat else go.Scatter3d(options)


def path(at: At, colour: str | np.ndarray, width: float, **look: Any) -> Any:
    """Return a trace of a line, with the arguments of `points`."""
    return points(at, mode="lines", line={"color": colour, "width": width}, **look)


def tips(*lines: HoverLine) -> dict[str, Any]:
    """Return the tooltip of a trace; a first line without a title is a heading."""
    columns: list[Any] = []
    written: list[str] = []
    for title, value in lines:
        if not isinstance(value, str):
            columns.append([harmless(text).replace("\n", "<br>") for text in value])
            value = f"%{{customdata[{len(columns) - 1}]}}"
        plain = value if written else f"<b>{value}</b>"
        written.append(f"{title_of(title)}: {value}" if title else plain)
    # Plotly takes custom data by point, the columns are by line.
    data = list(zip(*columns, strict=True)) or None
    # "<extra></extra>" removes the box with the name of the trace.
    return {"customdata": data, "hovertemplate": "<br>".join(written) + "<extra></extra>"}


def scale_of(ramp: Sequence[str]) -> list[list[float | str]]:
    """Return a ramp of evenly spaced colours as a colour scale of Plotly."""
    return [[index / (len(ramp) - 1), colour] for index, colour in enumerate(ramp)]


def harmless(text: str) -> str:
    """Escape a token: Plotly reads some HTML."""
    return html.escape(text, quote=False)
