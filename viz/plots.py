"""What Plotly's figures share: what one turns, zooms, or sees with very many points.

Plotly is loaded by the first figure that is drawn with it, not with the app.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .look import is_dark
from .theme import GREY, TEXT_FONT, ground, ink

if TYPE_CHECKING:
    from .figure import Plot

MARGIN = 8
_FAINT = {False: "#dfe3ea", True: "#353c47"}
"""Grid lines, in light and on dark pages."""


def styled(plot: Plot, *, height: int, **layout: Any) -> Plot:
    """The figure in the look of the page: its ink, its ground, its fonts.

    Parameters
    ----------
    height : of the whole figure, in pixels; it takes what width there is.
    layout : what Plotly's layout takes besides.
    """
    axis = {
        "gridcolor": _FAINT[is_dark()],
        "zerolinecolor": _FAINT[is_dark()],
        "linecolor": GREY,
        "color": ink(),
    }
    space = {"backgroundcolor": ground(), "showbackground": False, **axis}
    plot.update_layout(
        height=height,
        margin=dict.fromkeys("ltrb", MARGIN),
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": TEXT_FONT, "size": 13, "color": ink()},
        hoverlabel={"bgcolor": ground(), "font": {"color": ink(), "family": TEXT_FONT}},
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
        scene={f"{name}axis": space for name in "xyz"},
        xaxis=axis,
        yaxis=axis,
        modebar={"bgcolor": "rgba(0,0,0,0)", "color": GREY, "activecolor": ink()},
        uirevision="kept",  # a turn or a zoom outlives new data
        template=None,
    )
    plot.update_layout(**layout)
    return plot


def scale_of(ramp: Sequence[str]) -> list[list[float | str]]:
    """A ramp of evenly spaced colours as Plotly takes it."""
    return [[place / (len(ramp) - 1), colour] for place, colour in enumerate(ramp)]


def harmless(text: str) -> str:
    """A token as Plotly may write it: it reads some HTML, and a token is no HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def harmless_in_space(text: str) -> str:
    """As `harmless`, for words that WebGL draws: it reads some tags, too, but no entities.

    A space of no width after the bracket ends what would be a tag.
    """
    return text.replace("<", "<\u200b")
