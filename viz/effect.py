"""Figures of an intervention's effect, and of the difference of one head between two sentences."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from core.records.attention import AttentionMap, Measure
from core.records.tokens import distinct_labels
from core.weights.pairs import Pairs, difference_cells, shared_labels
from core.weights.tables import matrix_cells
from words.numbers import percent, signed

from . import recipes as r
from .figure import Figure, drawn
from .labels import SMALLEST_FONT
from .matrix import MatrixOptions, Tokens, small_matrix
from .theme import INK, NEGATIVE, POSITIVE, Site, palette_of


def log_prob_bars(changes: pd.DataFrame, *, marked: int | None = None) -> Figure:
    """Draw `core.interventions.effect.log_prob_changes`, green for tokens that became likelier.

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
    height = 170
    y = r.y("change", title, zero=True, padding=14, tickCount=4, format=".4~f")
    bars = r.source("bars").encode(alt.X("place:O", title=None))
    # Numbers stand beyond the end of their bar, whichever way it points.
    beyond = alt.ExprRef("datum.change < 0 ? 6.5 : -6.5")
    frame = bars.mark_rect(filled=False, color=INK, strokeDash=[3, 3], tooltip=None, aria=False)
    more = [
        r.source("ends").mark_point(opacity=0, tooltip=None, aria=False).encode(y),
        r.text(bars, fontSize=SMALLEST_FONT, aria=False, dy=beyond).encode(y, text="text:N"),
        frame.transform_filter("datum.marked").encode(alt.YValue(0), alt.Y2Value(height)),
    ]
    tooltip = r.tips(
        token="figures-token",
        before=("figures-effect-log-p-before", ".4f"),
        after=("figures-effect-log-p-after", ".4f"),
        change=("figures-effect-change", "+.4f"),
    )
    # With the axis as wide as half a page; wider ones scroll, with their last names out of sight.
    step = max(24, 384 / n)
    colour = r.two_signs("change")
    return r.columns(n, y, tooltip, colour=colour, step=step, height=height, more=more)


_LEAST = 0.001  # probability of a token that is worth a row
_FEWEST = 3  # rows


def next_token_bars(tokens: pd.DataFrame, *, written: int | None = None) -> Figure:
    """Draw two bars a token of `core.interventions.effect.next_tokens`.

    The hollow one above is before, the other after the change. ▸ marks the token `written`, an id,
    by the original output. Of tokens below 0.1% on both sides only as many are drawn as make three.
    """
    likely = int((tokens[["before", "after"]].max(axis=1) >= _LEAST).sum())
    tokens = tokens.head(max(_FEWEST, likely))
    tokens = tokens.assign(
        text_before=tokens["before"].map(percent), text_after=tokens["after"].map(percent)
    )
    tokens.loc[tokens["token_id"] == written, "label"] = "▸ " + tokens["label"]
    return drawn(_next_tokens, {"tokens": tokens})


def _next_tokens() -> alt.LayerChart:
    """Build one chart for any number of tokens, so that only its data changes from step to step."""
    y = r.line_places(None, "tokens", 26)
    layers = []
    for side, colour, down in (("before", NEGATIVE, -5), ("after", POSITIVE, 5)):
        x = r.share(alt.X, side, "figures-probability-of-being-next", form=".0%")
        rows = r.source("tokens").encode(x, y)
        hollow = side == "before"
        bars = rows.mark_bar(
            color=colour,
            size=8,
            yOffset=down,
            fillOpacity=0.25 if hollow else alt.Undefined,
            stroke=colour if hollow else alt.Undefined,
            strokeWidth=1.2 if hollow else alt.Undefined,
            tooltip=None,
            aria=False,
        )
        numbers = r.text(rows, align="left", dx=4, dy=down, fontSize=SMALLEST_FONT, aria=False)
        layers += [bars, numbers.encode(text=f"text_{side}:N")]
    tooltip = r.tips(
        token="figures-token",
        before=("figures-effect-before", ".1%"),
        after=("figures-effect-after", ".1%"),
        log_before=("figures-effect-log-p-before", ".4f"),
        log_after=("figures-effect-log-p-after", ".4f"),
        rank_before=("figures-effect-rank-before", "d"),
        rank_after=("figures-effect-rank-after", "d"),
    )
    # The area covers label and numbers too: bars of small probabilities are hard to hit.
    area = r.touched("tokens", tooltip).encode(y=y, x=alt.XValue(-84), x2=alt.X2Value(310))
    return r.layered(*layers, area, width=270, height=alt.Step(26))


def weight_matrix(
    weights: np.ndarray,
    *tokens: Tokens,
    site: Site,
    title: str = "figures-weight",
    click: int | None = None,
    **masks: np.ndarray | None,
) -> Figure:
    """Draw one head's weights (T_q, T_k) as a small matrix, with colours from 0 to 1.

    Hatched cells have no colour.

    Parameters
    ----------
    weights : ndarray of shape (T_q, T_k)
    tokens, masks : as for `core.weights.tables.matrix_cells`
    site : site, or its name, for the colours
    click : int, optional
        None for a figure without clicks; else any number that differs from drawing to drawing. The
        selection `cell` reports q, k and it, for absent and hatched cells too.
    """
    cells = matrix_cells(weights, *tokens, **masks).assign(click=click or 0)
    ramp = palette_of(site).ramp
    if click is None:
        options = MatrixOptions(title, ramp, hatched=True)
    else:
        options = MatrixOptions(title, ramp, hatched=True, clicks=True, room=330)
    rows, columns = map(distinct_labels, tokens)
    return small_matrix(cells, rows, columns, options)


def difference_matrix(
    before: np.ndarray,
    after: np.ndarray,
    *tokens: Tokens,
    measure: Measure = "weight",
    **masks: np.ndarray | None,
) -> Figure:
    """Draw after minus before, (T_q, T_k): green for gained weight, purple for lost weight.

    `measure`: quantity of the numbers. `tokens` and `masks` as for
    `core.weights.tables.matrix_cells`.
    Hatched cells keep their colour: their loss is a number like any other.
    """
    cells = matrix_cells(after - before, *tokens, **masks)
    cells["before"] = before.ravel()
    cells["after"] = after.ravel()
    options = MatrixOptions(
        title=f"figures-effect-after-minus-before-{measure}",
        scale=r.symmetric_limit(cells["value"]),
        listed=("figures-effect-before", "figures-effect-after"),
        hatched=True,
    )
    rows, columns = map(distinct_labels, tokens)
    return small_matrix(cells, rows, columns, options)


def difference_heatmap(
    maps: tuple[AttentionMap, AttentionMap],
    head: tuple[int, int],
    pairs: tuple[Pairs, Pairs],
    row_tokens: Tokens,
) -> Figure:
    """Draw second minus first as a matrix: green where the second sentence has more weight.

    The arguments are those of `core.weights.pairs.difference_cells`. Words that occur more than
    once in the first sentence are numbered.

    Raises
    ------
    ValueError : no row or no column is shared.
    """
    if not all(pairs):
        raise ValueError("no shared rows and columns to draw")
    cells = difference_cells(maps, head, pairs, row_tokens).assign(seen=True)
    rows, columns = shared_labels(map(distinct_labels, (row_tokens, maps[0].key_tokens)), pairs)
    options = MatrixOptions(
        title=f"figures-pairs-second-minus-first-{maps[0].measure}",
        scale=r.symmetric_limit(cells["difference"]),
        room=350,
        value="difference",
        listed=("figures-pairs-first", "figures-pairs-second"),
        axes=("figures-pairs-query", "figures-pairs-key"),
    )
    return small_matrix(cells, rows, columns, options)
