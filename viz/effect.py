"""Figures of an intervention's effect, and of the difference of one head between two sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.attention import AttentionMap, Measure
from core.pairs import Pairs, difference_cells, shared_labels
from core.tables import labelled, matrix_cells
from core.tokens import distinct_labels
from words.numbers import percent, signed

from . import recipes as r
from .figure import Figure, drawn
from .grid import Grid, small_grid
from .labels import SMALLEST_FONT
from .theme import INK, NEGATIVE, POSITIVE, Site, diverging_ramp, palette_of

Tokens = Sequence[str]
SELECTION_NAME = "cell"
_SIDES = ("before", "after")


def log_prob_bars(changes: pd.DataFrame, *, marked: int | None = None) -> Figure:
    """Draw `core.effect.log_prob_changes`, green for tokens that became likelier.

    `marked`: a token to frame.

    Raises
    ------
    ValueError : there are no tokens.
    """
    if changes.empty:
        raise ValueError("no tokens to draw")
    change = changes["change"]
    # Numbers of negligible changes would only crowd the picture.
    text = [signed(amount) if abs(amount) >= 0.05 else "" for amount in change]
    bars = changes.assign(text=text, marked=changes["place"] == marked)
    # A minimal range, else negligible changes would fill the picture.
    ends = [min(-0.5, change.min()), max(0.1, change.max())]
    return drawn(_changes, {"bars": bars, "ends": pd.DataFrame({"change": ends})}, n=len(bars))


def _changes(n: int) -> alt.LayerChart:
    title = "figures-effect-change-of-log-p"
    height = 120
    y = r.y("change", title, zero=True, padding=14, tickCount=4, format=".4~f")
    bars = r.source("bars").encode(alt.X("place:O", title=None))
    # Numbers stand beyond the end of their bar, whichever way it points.
    beyond = alt.ExprRef("datum.change < 0 ? 6.5 : -6.5")
    frame = bars.mark_rect(filled=False, color=INK, strokeDash=[3, 3], **r.QUIET)
    more = [
        r.source("ends").mark_point(opacity=0, **r.QUIET).encode(y),
        r.text(bars, fontSize=SMALLEST_FONT, aria=False, dy=beyond).encode(y, text="text:N"),
        frame.transform_filter("datum.marked").encode(alt.YValue(0), alt.Y2Value(height)),
    ]
    sides = {side: (f"figures-effect-log-p-{side}", ".4f") for side in _SIDES}
    tooltip = r.tips(token="figures-token", **sides, change=("figures-effect-change", "+.4f"))
    return r.columns(n, y, tooltip, colour=r.two_signs("change"), step=30, height=height, more=more)


def next_token_bars(tokens: pd.DataFrame, *, written: int | None = None) -> Figure:
    """Draw two bars a token of `core.effect.next_tokens`: before (hollow, above) and after.

    ▸ marks the token `written`, an id, by the original output.
    """
    shown = tokens.assign(**{f"text_{side}": tokens[side].map(percent) for side in _SIDES})
    shown.loc[shown["token_id"] == written, "label"] = "▸ " + shown["label"]
    return drawn(_next_tokens, {"tokens": shown})


def _next_tokens() -> alt.LayerChart:
    """Build one chart for any number of tokens, so that only its data changes from step to step."""
    y = r.line_places(None, "tokens", 26)
    probability = "figures-probability-of-being-next"
    hollow = {"fillOpacity": 0.25, "stroke": NEGATIVE, "strokeWidth": 1.2}
    layers = []
    columns = {"token": "figures-token"}
    for side, colour, down, look in (("before", NEGATIVE, -5, hollow), ("after", POSITIVE, 5, {})):
        rows = r.source("tokens").encode(r.x(f"{side}", probability, **r.SHARES), y)
        bars = rows.mark_bar(color=colour, size=8, yOffset=down, **look, **r.QUIET)
        numbers = r.text(rows, align="left", dx=4, dy=down, fontSize=SMALLEST_FONT, aria=False)
        layers += [bars, numbers.encode(text=f"text_{side}:N")]
    for what, name, form in (("", "", ".4f"), ("log_", "log-p-", ".4f"), ("rank_", "rank-", "d")):
        columns |= {f"{what}{side}": (f"figures-effect-{name}{side}", form) for side in _SIDES}
    # The area covers label and numbers too: bars of small probabilities are hard to hit.
    area = r.touched("tokens", r.tips(**columns), y=y, x=alt.XValue(-84), x2=alt.X2Value(230))
    return r.layered(*layers, area, width=190, height=alt.Step(26))


def weight_matrix(
    weights: np.ndarray,
    *tokens: Tokens,
    kind: Site,
    title: str = "figures-weight",
    click: int | None = None,
    **masks: np.ndarray | None,
) -> Figure:
    """Draw one head's weights (T_q, T_k) as a small matrix, with colours from 0 to 1.

    Hatched cells have no colour.

    Parameters
    ----------
    weights : ndarray of shape (T_q, T_k)
    tokens, masks : as for `core.tables.matrix_cells`
    kind : site, or its name, for the colours
    click : int, optional
        None for a figure without clicks; else any number that differs from drawing to drawing. The
        selection `cell` reports q, k and it, for absent and hatched cells too.
    """
    cells = matrix_cells(weights, *tokens, **masks).assign(click=click or 0)
    shape = {} if click is None else {"clicks": True, "room": 330}
    shape |= {"scale": palette_of(kind).ramp, "title": title, "hatched": True}
    return small_matrix(cells, *map(distinct_labels, tokens), **shape)


def difference_matrix(
    before: np.ndarray,
    after: np.ndarray,
    *tokens: Tokens,
    measure: Measure = "weight",
    **masks: np.ndarray | None,
) -> Figure:
    """Draw after minus before, (T_q, T_k): green for gained weight, purple for lost weight.

    `measure`: quantity of the numbers. `tokens` and `masks` as for `core.tables.matrix_cells`.
    Hatched cells keep their colour: their loss is a number like any other.
    """
    cells = matrix_cells(after - before, *tokens, **masks)
    cells["before"] = before.ravel()
    cells["after"] = after.ravel()
    shape = {"title": f"figures-effect-after-minus-before-{measure}", "hatched": True}
    shape |= {"listed": ("figures-effect-before", "figures-effect-after")}
    shape |= {"scale": r.symmetric_limit(cells["value"])}
    return small_matrix(cells, *map(distinct_labels, tokens), **shape)


def difference_heatmap(
    maps: Sequence[AttentionMap], head: tuple[int, int], pairs: Sequence[Pairs], row_tokens: Tokens
) -> Figure:
    """Draw second minus first as a matrix: green where the second sentence has more weight.

    The arguments are those of `core.pairs.difference_cells`. Words that occur more than once in the
    first sentence are numbered.

    Raises
    ------
    ValueError : no row or no column is shared.
    """
    if not all(pairs):
        raise ValueError("no shared rows and columns to draw")
    cells = difference_cells(maps, head, pairs, row_tokens).assign(seen=True)
    shape: dict[str, Any] = {"value": "difference", "room": 350}
    shape["title"] = f"figures-pairs-second-minus-first-{maps[0].measure}"
    shape |= {"listed": ("figures-pairs-first", "figures-pairs-second")}
    shape |= {"axes": ("figures-pairs-query", "figures-pairs-key")}
    labels = shared_labels(map(distinct_labels, (row_tokens, maps[0].key_tokens)), pairs)
    return small_matrix(cells, *labels, scale=r.symmetric_limit(cells["difference"]), **shape)


def small_matrix(
    cells: pd.DataFrame,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    windows: pd.DataFrame | None = None,
    **shape: Any,
) -> Figure:
    """Draw ready-made cells between labels; `shape` is that of `_matrix`."""
    tables = {"cells": cells, "rows": labelled(rows, "q"), "columns": labelled(columns, "k")}
    tables |= {} if windows is None else {"windows": windows}
    return drawn(_matrix, tables, size=(len(rows), len(columns)), **shape)


def _matrix(
    size: tuple[int, int],
    title: str,
    scale: tuple[str, ...] | float,
    room: float = 184,
    value: str = "value",
    listed: tuple[str, ...] = (),
    axes: tuple[str | None, str] = ("figures-matrix-query-attends", "figures-matrix-key"),
    hatched: bool = False,
    clicks: bool = False,
    over: Callable[[], list[alt.Chart]] = list,
    heading: str = "",
    step: tuple[float, float] | None = None,
) -> alt.LayerChart:
    """Build a small matrix.

    `scale` is a ramp for weights, or the limit of one for differences. The columns `listed` are
    named by the last words of their titles' ids. Without a `step` cells are square.
    """
    where = "datum.seen"
    form = "+.4f"
    if isinstance(scale, tuple):
        where = "datum.seen && !datum.hatched"
        form = ".4f"
        colour = r.share_colour(value, scale, title)
    else:
        colour = r.signed_colour(value, diverging_ramp(), scale, title)
    lines = {id.split("-")[-1]: (id, ".4f") for id in listed} | {value: (title, form)}
    lines |= {"hatched": "figures-effect-forbidden"} if hatched else {}
    named = {"query": axes[0], "key": axes[1]}
    grid = Grid(*size, step, **named, font=10) if step else small_grid(*size, room, **named)
    return grid.matrix(
        colour,
        r.pair_tips(**lines),
        where=where,
        hatched=hatched,
        clicks=r.click(SELECTION_NAME, "q", "k", "click") if clicks else None,
        more=over(),
        **({"title": heading} if heading else {}),
    )
