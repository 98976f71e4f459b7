"""Figure of heads as ribbons between two columns of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.records.attention import AttentionMap
from core.weights.links import Links, Side, curve_table
from core.weights.tables import edge
from words.numbers import percent

from . import recipes as r
from .figure import Figure, drawn
from .style import say
from .theme import HEADS

_WIDTH = 300


def head_colour(head: int) -> str:
    """Return the colour of a head, the same in every picture; colours repeat after the last."""
    return HEADS[head % len(HEADS)]


def ribbon_figure(
    attention: AttentionMap,
    links: Links,
    *,
    row_tokens: Sequence[str] | None = None,
    rows: Sequence[int] = (),
    columns: Sequence[int] = (),
    side: Side = "query",
) -> Figure:
    """Draw the ribbons, queries on the left, keys on the right; without clicks.

    `links`: the links and the heads to draw. `row_tokens`: T_q tokens that name the queries, by
    default ``attention.query_tokens``. `rows`, `columns`: the selection; only its links are drawn,
    see `Links.at`.
    """
    queries = tuple(row_tokens or attention.query_tokens)
    keys = attention.key_tokens
    at = links.at(rows, columns, side)
    n = max(len(queries), len(keys))
    # The whole figure fits a page for up to about forty tokens.
    step = max(15.0, min(26.0, 620 / n))
    note = say(
        "figures-ribbons-note" if at.all() else "figures-ribbons-note-part",
        layer=links.layer + 1,
        n=len(links),
        links=f"{len(links):,}",
        drawn=f"{at.sum():,}",
        hidden=percent(links.hidden_share()),
    )
    tables = {
        "curves": curve_table(links, at, queries, keys, step=step, width=_WIDTH),
        "queries": edge(queries, "row", chosen=np.isin(np.arange(len(queries)), rows)),
        "keys": edge(keys, "row", chosen=np.isin(np.arange(len(keys)), columns)),
        "note": pd.DataFrame({"text": [note]}),
    }
    what = say(f"figures-{attention.measure}")
    return drawn(_ribbons, tables, n=n, step=step, heads=links.heads, what=what)


def _ribbons(n: int, step: float, heads: tuple[int, ...], what: str) -> alt.LayerChart:
    rows = r.places(n, 0)
    numbers = [head + 1 for head in heads]
    legend = r.swatches(
        orient="bottom",
        symbolType="stroke",
        offset=36,
        columns=8,
        symbolOpacity=1,
        symbolStrokeWidth=3,
    )
    colours = [head_colour(head) for head in heads]
    # Weak links stay visible, strong ones let crossings show.
    pale = alt.Scale(domain=[0, 1], range=[0.15, 0.95])
    curves = r.paths("curves").encode(
        r.series(alt.Stroke, "head", numbers, colours, "figures-head", legend),
        alt.StrokeWidth("breadth:Q", scale=None),
        alt.Opacity("weight:Q", scale=pale, legend=None),
        x=alt.XValue(0),
        y=alt.Y("row:O", scale=rows, axis=None),
        tooltip=[*r.tips(head="figures-head"), *r.pair_tips(weight=(what, ".4f"))],
    )
    note = r.text(r.source("note"), align="center", baseline="top", fontSize=11, dy=8)
    return r.layered(
        curves,
        _tokens("queries", "query", rows, step, orient="left", titleAlign="right", titleX=-8),
        _tokens("keys", "key", rows, step, orient="right", titleAlign="left", titleX=8),
        note.encode(x=alt.XValue(_WIDTH / 2), y=alt.YValue(n * step), text="text:N"),
        width=_WIDTH,
        height=n * step,
        resolve={"axis": {"y": "independent"}},
    )


def _tokens(table: str, name: str, rows: alt.Scale, step: float, **side: Any) -> alt.Chart:
    """Return a column of tokens as an axis."""
    axis = r.label_axis(
        table,
        step,
        chosen="chosen",
        titleAngle=0,
        titleAnchor="end",
        titleFontSize=12,
        titleY=-10,
        **side,
    )
    title = say(f"figures-ribbons-{name}")
    return r.kept(table, y=alt.Y("row:O", title=title, scale=rows, axis=axis))
