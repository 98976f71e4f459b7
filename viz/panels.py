"""Panels under each other over one axis, that zoom together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .plots import styled

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot


def panels(titles: Sequence[str], *, x: str, pointer: str, height: int, **layout: Any) -> Plot:
    """Empty panels; the n-th takes traces with ``yaxis="yn"``, counted from 1.

    Parameters
    ----------
    titles : of the panels' own axes, from the top.
    x : title of the axis that they share.
    pointer : what the pointer tells first, ``%{x}`` for its place.
    height : of one panel, in pixels.
    layout : what Plotly's layout takes besides; with ``hoversubplots="axis"`` the pointer reads all
        panels at once.
    """
    import plotly.graph_objects as go

    n = len(titles)
    plot = styled(
        go.Figure(),
        height=height * n + 80,
        hovermode="x unified",
        grid={"rows": n, "columns": 1, "ygap": 0.16},
        **layout,
    )
    axis = plot.layout.yaxis.to_plotly_json() | {"automargin": True, "nticks": 5}
    for place, title in enumerate(titles, start=1):
        own = {"title": {"text": title, "font": {"size": 12}}}
        plot.update_layout({f"yaxis{place}": axis | own})
    return plot.update_xaxes(
        title=x, showgrid=False, automargin=True, unifiedhovertitle={"text": pointer}
    )
