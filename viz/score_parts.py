"""Figures of the decomposition of a head's scores: map, one score as a sum, and all heads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import altair as alt
import numpy as np
import pandas as pd

from core.records.tokens import distinct_labels
from core.score_parts import ScoreSplit
from core.weights.tables import array_table, labelled
from words.numbers import percent, signed

from . import recipes as r
from .figure import Figure, drawn
from .grid import small_grid
from .style import current_look, say
from .theme import GREY, INK, SCORE_PAIRS, SCORE_PARTS, ink_on, signed_ramp

SELECTION_NAME = "cell"
# Pixels.
_LINES = 160  # of all parts of a score
_LINE = 22  # of one, at most
_HEAD_LINES = 136  # of all heads of a layer
_ROOM = 340
_WIDTH = 250
_NAMES = 200


def why_figure(
    split: ScoreSplit,
    cells: pd.DataFrame,
    pairs: pd.DataFrame,
    tokens: Sequence[str],
    chosen: tuple[int, int, int],
    *,
    click: int = 0,
) -> Figure:
    """Draw a head's scores about the mean of their row, the parts of one score, and all shares.

    A click reports the cell, q and k. `cells` and `pairs` come from `core.score_parts`; `chosen` is
    head, query and key.
    """
    head, query, key = chosen
    segments = tuple(map(current_look().words.of, split.segments))
    n_heads = split.scores.shape[0]
    heads = [say("figures-head-code", layer=split.layer + 1, head=at + 1) for at in range(n_heads)]
    labels = distinct_labels(tokens)
    at = np.arange(len(tokens))
    tables = {
        "cells": cells.assign(click=click, chosen=(cells["q"] == query) & (cells["k"] == key)),
        "rows": labelled(labels, "q", chosen=at == query),
        "columns": labelled(labels, "k", chosen=at == key),
        "bars": _score_rows(pairs, segments),
        "shares": _share_rows(split, segments, head),
        "heads": labelled(heads, "place", chosen=np.arange(len(heads)) == head),
    }
    # Rounded up to halves, so that the legend has round numbers.
    limit = float(np.ceil(2 * cells["value"].abs().max()) / 2) or 0.5
    return drawn(
        _why,
        tables,
        n=len(tokens),
        n_bars=len(pairs),
        n_heads=len(heads),
        limit=limit,
        segments=segments,
    )


def _score_rows(pairs: pd.DataFrame, segments: Sequence[str]) -> pd.DataFrame:
    """Return the rows of a `core.score_parts.pair_table` with their words."""
    # The last name is that of segment -1, for none.
    names = (*segments, "")
    # The last row is the sum, which begins at 0.
    ends = np.append(pairs["value"].to_numpy()[:-1].cumsum(), pairs["value"].iloc[-1])
    starts = np.append(np.append(0.0, ends[:-2]), 0.0)
    return pairs.assign(
        start=starts,
        end=ends,
        label=list(map(current_look().words.of, pairs["title"])),
        name=[names[at] for at in pairs["segment"]],
        text=list(map(signed, pairs["value"])),
    ).drop(columns="title")


def _share_rows(split: ScoreSplit, segments: Sequence[str], head: int) -> pd.DataFrame:
    """Return one row a head and segment, with the share as number and text.

    The largest share of `head` is marked, and has the middle of its bar and an ink to write there.
    """
    every = split.shares()
    shares = array_table(every, "place", "segment", name="share", dtype=int)
    shares["name"] = np.array(segments, object)[shares["segment"]]
    largest = int(every[head].argmax())
    # Shares below 0 are stacked to the left of 0.
    before = every[head][:largest].clip(min=0).sum()
    ink = ink_on(2 * _colours(tuple(segments))[largest : largest + 1], np.zeros(1))[0]
    return shares.assign(
        text=shares["share"].map(percent),
        whole=shares["share"].map(partial(percent, digits=0)),
        marked=(shares["place"] == head) & (shares["segment"] == largest),
        middle=before + every[head][largest] / 2,
        ink=ink,
    )


def _why(
    n: int, n_bars: int, n_heads: int, limit: float, segments: tuple[str, ...]
) -> alt.HConcatChart:
    right = r.below(_score_bars(n_bars, segments), _share_bars(n_heads, segments))
    right.resolve = r.apart("x", "color")
    whole = r.beside(_matrix(n, limit), right, spacing=30)
    # The colour bar stands under its matrix, not under the whole.
    whole.resolve = r.apart("color")
    return whole


def _matrix(n: int, limit: float) -> alt.LayerChart:
    """Draw the scores of all pairs of `n` tokens about the mean of their row."""
    colour = r.signed_colour("value", signed_ramp(), limit, "why-centred")
    tooltip = r.pair_tips(value=("why-centred", "+.3f"), score=("why-score", "+.3f"))
    grid = small_grid(n, n, _ROOM, chosen="chosen")
    clicks = r.click(SELECTION_NAME, "q", "k", "click")
    frame = r.frame(grid.cells(where="datum.chosen"))
    return grid.matrix(colour, tooltip, clicks=clicks, more=[frame])


def _colours(segments: tuple[str, ...]) -> tuple[str, ...]:
    if len(segments) == len(SCORE_PAIRS):
        return SCORE_PAIRS
    return tuple(SCORE_PARTS[at % len(SCORE_PARTS)] for at in range(len(segments)))


def _part_step(n: int) -> int:
    """Return the pixels of one of `n` bars, so that the shares of all heads fit below."""
    return max(14, min(_LINE, _LINES // n))


def _score_bars(n: int, segments: tuple[str, ...]) -> alt.LayerChart:
    """Draw the parts of one score, each from where the one above it ends, then their sum."""
    step = _part_step(n)
    y = r.line_places(n, "bars", step, labelLimit=_NAMES)
    x = r.x("start", None, zero=True, padding=30, tickCount=4)
    # Grey is for rows of no segment: the rest and the sum.
    accents = (*_colours(segments), GREY)
    fill = r.series(alt.Color, "name", (*segments, ""), accents, legend=None)
    rows = r.source("bars").encode(y=y)
    bars = rows.mark_bar(tooltip=None, aria=False).encode(fill, x=x, x2="end:Q")
    # The line at the end of a part reaches down to the next one.
    tick = rows.mark_tick(
        color=INK, thickness=1, height=step, orient="vertical", tooltip=None, aria=False
    )
    tooltip = r.tips(
        label="why-contribution", value=("why-score", "+.4f"), mean=("why-mean", "+.4f")
    )
    numbers = r.text(r.source("bars", right="max(datum.start, datum.end)"), align="left", dx=5)
    area = r.touched("bars", tooltip)
    return r.layered(
        bars,
        tick.encode(x="end:Q"),
        numbers.encode(x="right:Q", y=y, text="text:N"),
        area.encode(y=y, x=alt.XValue(-30), x2=alt.X2Value(_WIDTH)),
        width=_WIDTH,
        height=n * step,
        title=_title("why-sum"),
    )


def _share_bars(n_heads: int, segments: tuple[str, ...]) -> alt.LayerChart:
    """Draw the share of each part in the scores of each head, as stacked bars."""
    step = max(12, min(18, _HEAD_LINES // n_heads))
    y = r.line_places(n_heads, "heads", step, chosen="chosen", labelFontSize=11)
    # Parts of later layers are many, with short names.
    columns = 2 if len(segments) <= len(SCORE_PAIRS) else 3
    legend = r.swatches(columns=columns, symbolType="square", labelLimit=190, offset=4)
    stack = (
        r.source("shares")
        .mark_bar(aria=False)
        .encode(
            x=r.x("share", None, zero=True, tickCount=4, format="%").stack("zero"),
            y=y,
            color=r.series(alt.Color, "name", segments, _colours(segments), legend=legend),
            order="segment:Q",
            tooltip=r.tips(name="why-contribution", text="why-share"),
        )
    )
    largest = r.text(r.source("shares", "datum.marked"), fontSize=10, fontWeight=600, aria=False)
    return r.layered(
        stack,
        largest.encode(r.own_ink(), x="middle:Q", y=y, text="whole:N"),
        r.kept("heads", y=y),
        width=_WIDTH,
        height=step * n_heads,
        title=_title("why-shares"),
    )


def _title(id: str) -> alt.TitleParams:
    """Return a title above the drawing, so that those of both charts begin at one place.

    The message ``<id>-told`` stands below it.
    """
    return alt.TitleParams(say(id), subtitle=say(f"{id}-told"), frame="group")
