"""Figure of the length penalty's ranking: score against alpha."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import altair as alt
import pandas as pd

from core.layout import line_ends
from core.records.attention import CROSS, DECODER
from core.records.hypotheses import differing, rerank, score_crossings, score_table
from core.records.search import BeamTree
from core.records.tokens import visible

from . import recipes as r
from .figure import Figure, drawn
from .style import say
from .theme import GREY, INK, SELECTION, palette_of

ALPHA_SIGNAL = "penalised"  # variable of the alpha at which hypotheses are ranked
_RANK = "#"  # placeholder in a label, which the browser replaces
_FIRST = "datum.now >= datum.best"
# Pixels.
_WIDTH = 630
_PADDING = 10
_LABEL_GAP = 15.0
_LABEL_LEAD = 26


def score_lines(tree: BeamTree, alphas: Iterable[float], *, alpha: float | None = None) -> Figure:
    """Draw score against alpha, one line a hypothesis, dots where two change places.

    The line that leads at `alpha`, by default the tree's own, is gold, others that lead somewhere
    teal, the rest grey. Labels give the rank at `alpha`, which `ALPHA_SIGNAL` of the specification
    moves. There is nothing to click.

    Raises
    ------
    ValueError : there are fewer than two different alphas.
    """
    grid = sorted({float(a) for a in alphas})
    if len(grid) < 2:
        raise ValueError("expected at least two alphas to draw a line")
    alpha = tree.alpha if alpha is None else alpha
    ranked = rerank(tree, alpha, tree.penalty)
    crossings = score_crossings(ranked, grid[0], grid[-1], tree.penalty)
    lines = score_table(ranked, crossings, grid, tree.penalty)
    texts = ranked.set_index("node")["text"]
    names = texts.map(visible).replace("", say("beam-empty"))
    # High enough for all labels, one for each hypothesis.
    height = max(240, round(_LABEL_GAP * (len(ranked) + 1)))
    # On a log scale P / b ** alpha is a straight line; a score of 0 has no place there.
    log = bool(lines["score"].max() < 0)
    labels = line_ends(lines, log, height=height, padding=_PADDING, gap=_LABEL_GAP)
    labels["label"] = [
        r.cut(say("beam-lines-name", rank=_RANK, text=text or say("beam-empty")), 270, 11.0)
        for text in labels["node"].map(lambda node: differing(texts[node], texts.iloc[0]))
    ]
    crossings = crossings.assign(
        winner=crossings["winner"].map(names), loser=crossings["loser"].map(names)
    )
    tables = {
        "lines": lines.assign(name=lines["node"].map(names)),
        "crossings": crossings,
        "labels": labels[["end", "node", "leads", "log_prob", "base", "place", "label"]],
        "now": pd.DataFrame({"here": [0]}),
    }
    return drawn(_lines, tables, ends=(grid[0], grid[-1]), alpha=alpha, log=log, height=height)


def _lines(ends: tuple[float, float], alpha: float, log: bool, height: int) -> alt.LayerChart:
    x = r.x("alpha", "beam-lines-alpha", domain=ends, nice=False, grid=False)
    y = _score_axis(log)
    gold = palette_of(DECODER).accent
    teal = palette_of(CROSS).accent
    colour = r.when(alt.ColorValue, (_FIRST, gold), ("datum.leads", teal), otherwise=GREY)
    over = r.hover("over", "node")
    dial = r.dial(ALPHA_SIGNAL, alpha, ends[1], 0.05)
    curves = _scored("lines").mark_line().add_params(over, dial)
    leads = _scored("labels").mark_rule(opacity=0.5, tooltip=None)
    return r.layered(
        curves.encode(
            x,
            y,
            colour,
            r.when(alt.StrokeWidthValue, (over, 4), (_FIRST, 3), otherwise=1.6),
            detail="node:N",
            tooltip=r.tips(
                name="beam-hypothesis",
                log_prob=("beam-log-sum", ".4f"),
                length=("beam-tokens", "d"),
            ),
        ),
        _crossing_dots().encode(x, y),
        *_dial_line(ends, x),
        leads.encode(
            alt.XValue(_WIDTH + 2),
            alt.X2Value(_WIDTH + _LABEL_LEAD),
            r.pixels(alt.Y, "end"),
            colour,
            y2="place",
        ),
        _rank_labels(),
        width=_WIDTH,
        height=height,
    )


def _crossing_dots() -> alt.Chart:
    """Draw a dot where two hypotheses change places."""
    dots = r.source("crossings").mark_point(filled=True, fill=INK, stroke=INK, opacity=0.9)
    return dots.encode(
        r.when(alt.SizeValue, ("datum.leads", 70), otherwise=22),
        tooltip=r.tips(
            alpha=("beam-lines-equal", ".3f"),
            score=("beam-lines-there", ".4f"),
            winner="beam-lines-ahead",
            loser="beam-lines-behind",
        ),
    )


def _score_axis(log: bool) -> alt.Y:
    """Return the y channel of scores; `log` for a logarithmic axis of negative numbers."""
    if not log:
        return r.y("score", "beam-lines-score", nice=False, padding=_PADDING)
    return r.logarithmic(
        alt.Y,
        "score",
        "beam-lines-log-score",
        nice=False,
        padding=_PADDING,
        # Vega computes no ticks for a logarithmic axis of negative numbers.
        values=[float(f"-{digit}e{power}") for power in range(-8, 9) for digit in (1, 2, 5)],
        tickCount=12,
        labelExpr="format(datum.value, '~g')",
        labelOverlap=False,
    )


def _dial_line(ends: tuple[float, float], x: alt.X) -> list[alt.Chart]:
    """Draw the line at the alpha of the dial and the number above it, on the axis of `x`."""
    inside = f"{ALPHA_SIGNAL} >= {ends[0]} && {ALPHA_SIGNAL} <= {ends[1]}"
    written = json.dumps(say("beam-lines-now", alpha=_RANK), ensure_ascii=False)
    now = f"replace({written}, '{_RANK}', format({ALPHA_SIGNAL}, '.3~g'))"
    here = alt.XDatum(
        alt.ExprRef(ALPHA_SIGNAL),
        type="quantitative",
        title=x["title"],
        scale=x["scale"],
        axis=x["axis"],
    )
    return r.rule(
        r.source("now", inside, label=now),
        along=here,
        label="label",
        above=True,
        colour=SELECTION,
        opacity=1,
    )


def _rank_labels() -> alt.Chart:
    """Draw the names of the hypotheses beside their lines, each with its rank."""
    order: list[Any] = [alt.SortField("now", "descending"), alt.SortField("node", "ascending")]
    names = _scored("labels").transform_window(rank="row_number()", sort=order)
    # The rank depends on the alpha of the dial, so the browser fills it in.
    names = names.transform_calculate(ranked=f"replace(datum.label, '{_RANK}', datum.rank)")
    return r.text(names, align="left", fontSize=11, x=_WIDTH + _LABEL_LEAD + 4).encode(
        r.pixels(alt.Y, "place"),
        r.when(alt.OpacityValue, (f"!datum.leads && !({_FIRST})", 0.7), otherwise=1),
        text="ranked:N",
    )


def _scored(table: str) -> alt.Chart:
    """Return hypotheses with their score at the alpha of the dial, and the best of these."""
    now = f"datum.log_prob / pow(datum.base, {ALPHA_SIGNAL})"
    return r.source(table, now=now).transform_joinaggregate(best="max(now)")
