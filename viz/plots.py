"""What Plotly's figures share: what one turns, zooms, or sees with very many points.

Plotly is loaded by the first figure that is drawn with it, not with the app. A token is handed over
as it is; here it becomes what Plotly writes as it is, which reads some HTML.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .look import is_dark
from .recipes import title_of
from .theme import FAINT, GREY, TEXT_FONT, ground, ink

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

HoverLine = tuple[str, str | Sequence[str]]
"""A title, "" for none, and what is told of a point: a format of Plotly, "%{x:,}", or one text for
each point, in which lines may end."""
At = Sequence[Any] | np.ndarray
"""Coordinates, for each of two or three axes."""


def plot(height: int, **layout: Any) -> Plot:
    """A figure without traces in the look of the page, as wide as there is room.

    `height` is in pixels, of the whole figure; `layout` is Plotly's.
    """
    import plotly.graph_objects as go

    # A turn or a zoom outlives new data of one `uirevision`.
    given = {"template": {"layout": _look()}, "height": height, "uirevision": "kept", **layout}
    return go.Figure(layout=given)


def _look() -> dict[str, Any]:
    faint, clear = FAINT[is_dark()], "rgba(0,0,0,0)"
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
    """Empty panels under each other over one axis, that zoom together.

    The n-th takes traces with ``yaxis="yn"``, counted from 1. `titles`: of the panels' own axes,
    from the top; `x` is that of the axis they share. `pointer`: what the pointer tells first,
    ``%{x}`` for its place; with ``hoversubplots="axis"`` in the `layout` it reads all panels at
    once. `height`: of one panel, in pixels.
    """
    n = len(titles)
    grid = {"rows": n, "columns": 1, "ygap": 0.16}
    figure = plot(height * n + 80, hovermode="x unified", grid=grid, **layout)
    for number, title in enumerate(titles, start=1):
        own = {"title": {"text": title, "font": {"size": 12}}, "automargin": True, "nticks": 5}
        figure.layout[f"yaxis{number}"] = own
    shared = {"title": x, "showgrid": False, "automargin": True}
    return figure.update_xaxes(**shared, unifiedhovertitle={"text": pointer})


def scene(
    titles: Sequence[str],
    eye: Sequence[float],
    center: Sequence[float] = (0, 0, 0),
    aspect: str = "data",
    **axis: Any,
) -> dict[str, Any]:
    """A space to turn, seen from `eye`, with what all its axes take; in "data" and in "cube" they
    have one scale, so that lengths can be compared in every direction."""
    named = zip("xyz", titles, strict=True)
    axes = {f"{name}axis": {"title": {"text": title}, **axis} for name, title in named}
    camera = {"eye": corner(eye), "center": corner(center)}
    return {**axes, "aspectmode": aspect, "camera": camera}


def corner(at: At) -> dict[str, Any]:
    return dict(zip("xyz", at, strict=False))


def points(at: At, lines: Sequence[HoverLine] = (), **look: Any) -> Any:
    """A trace of points in the plane or in space; `look` is Plotly's, ``text`` may be of tokens.

    The pointer reads the `lines`; without them, it finds nothing.
    """
    import plotly.graph_objects as go

    flat = len(at) == 2
    if "text" in look:
        # WebGL reads some tags, too, but no entities; a space of no width ends what would be one.
        written = harmless if flat else lambda text: text.replace("<", "<\u200b")
        look["text"] = [written(text) for text in look["text"]]
    hover = tips(*lines) if lines else {"hoverinfo": "skip"}
    given = {"mode": "markers", "showlegend": False, **hover, **look}
    return (go.Scatter if flat else go.Scatter3d)(**corner(at), **given)


def path(at: At, colour: str | np.ndarray, width: float, **look: Any) -> Any:
    """A trace of a line, which `points` takes."""
    return points(at, mode="lines", line={"color": colour, "width": width}, **look)


def tips(*lines: HoverLine) -> dict[str, Any]:
    """What the pointer tells of a trace; the first line is a heading where it has no title."""
    columns: list[Any] = []
    written: list[str] = []
    for title, value in lines:
        if not isinstance(value, str):
            columns.append([harmless(text).replace("\n", "<br>") for text in value])
            value = f"%{{customdata[{len(columns) - 1}]}}"
        plain = value if written else f"<b>{value}</b>"
        written.append(f"{title_of(title)}: {value}" if title else plain)
    data = list(zip(*columns, strict=True)) or None
    return {"customdata": data, "hovertemplate": "<br>".join(written) + "<extra></extra>"}


def scale_of(ramp: Sequence[str]) -> list[list[float | str]]:
    """A ramp of evenly spaced colours as Plotly takes it."""
    return [[index / (len(ramp) - 1), colour] for index, colour in enumerate(ramp)]


def harmless(text: str) -> str:
    """A token as Plotly may write it: it reads some HTML, and a token is no HTML."""
    return html.escape(text, quote=False)
