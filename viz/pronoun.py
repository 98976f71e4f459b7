"""Figure of how often hiding a word flips the choice of a pronoun."""

from __future__ import annotations

import altair as alt
import pandas as pd

from core.weights.tables import with_columns

from . import recipes as r
from .figure import Figure, drawn
from .style import say
from .theme import HIDDEN

_FONT = 12
_MOST_LABEL = 260

SHAPES = ("circle", "square", "triangle-up", "diamond", "cross")


def flip_rates(rows: pd.DataFrame) -> Figure:
    """Draw how often a choice flips for each place and hidden word, with an interval.

    `rows`: with the columns place and hidden (labels, in the order of first appearance), share, low
    and high (0 to 1) and n (sentences counted).

    Raises
    ------
    ValueError : there are no rows, or a column is missing.
    """
    rows = with_columns(rows, "place", "hidden", "share", "low", "high", "n")
    words = tuple(rows["hidden"].unique())
    return drawn(_flips, {"rows": rows}, n_bands=rows["place"].nunique(), words=words)


def _bands() -> alt.Y:
    """Return the y channel of the places from which words are hidden, a band each."""
    axis = alt.Axis(
        ticks=False,
        domain=False,
        grid=True,
        gridOpacity=0.25,
        labelPadding=8,
        labelFontSize=_FONT,
        labelLimit=_MOST_LABEL,
        maxExtent=_MOST_LABEL + 20,
    )
    return alt.Y(
        "place:N",
        sort=None,
        title=say("figures-pronoun-hidden-from"),
        scale=alt.Scale(paddingInner=0.25, paddingOuter=0.1),
        axis=axis,
    )


def _flips(n_bands: int, words: tuple[str, ...]) -> alt.LayerChart:
    colour, shape = r.looks(
        "hidden",
        words,
        (alt.Color, HIDDEN),
        (alt.Shape, SHAPES),
        title="figures-pronoun-hidden",
        legend=r.swatches(columns=3, symbolOpacity=1),
    )
    flips = "figures-pronoun-pronoun-flips"
    low, share = (
        r.x(column, flips, domain=(0, 1), format=".0%", tickCount=5) for column in ("low", "share")
    )
    encoded = r.source("rows").encode(_bands(), alt.YOffset("hidden:N", sort=None), colour)
    line = encoded.mark_rule(strokeWidth=2, opacity=0.6, tooltip=None, aria=False).encode(
        low, x2="high"
    )
    dot = encoded.mark_point(filled=True, size=60, opacity=1).encode(shape, share)
    tooltip = r.tips(
        hidden="figures-pronoun-hidden",
        place="figures-pronoun-from",
        share=("figures-pronoun-flips", ".1%"),
        low=("figures-pronoun-interval-from", ".1%"),
        high=("figures-pronoun-interval-to", ".1%"),
        n=("figures-pronoun-sentences", "d"),
    )
    # At least 13 pixels a word, else the dots of a band overlap.
    height = n_bands * max(32, len(words) * 13)
    return r.layered(line, dot.encode(tooltip=tooltip), width=360, height=height)
