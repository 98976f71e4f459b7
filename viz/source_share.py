"""Figures of source and prefix: the source's share along the output, and each token's share."""

from __future__ import annotations

import json
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.records.attention import CROSS, DECODER, AttentionRecord
from core.records.tokens import distinct_labels
from core.source_share import SIDES
from core.weights.tables import labelled
from words.numbers import percent

from . import recipes as r
from .figure import Figure, drawn
from .grid import SMALLEST, Grid
from .style import say
from .theme import INK, ON_OUTCOME, ground, palette_of

_SITES = dict(zip(SIDES, (CROSS, DECODER), strict=True))
_HIGH = 190  # pixels of the bars
_PERCENT = ".0%"
# Opacity of the bars, so that the dashed line is seen on both.
_DEEP = 0.7
_PALE = 0.45
_LEAST_STEP = 40  # pixels of a bar with room for its number


def share_curve(lines: pd.DataFrame, *, chosen: int | None = None) -> Figure:
    """Draw the share of the source in every produced token; the rest belongs to the prefix.

    The darker part of a bar is the share of the source token that contributes most.

    `lines`: from `core.source_share.share_lines`; stored means over many sentences are a dashed
    line with a band. `chosen`: index of a token to frame; its bar names that source token.
    """
    bars = lines.assign(
        chosen=lines["place"] == chosen,
        last=lines["place"] == lines["place"].max(),
        strongest=[
            f"{token}\n{percent(part, 0)}"
            for token, part in zip(lines["from"], lines["part"], strict=True)
        ],
    )
    return drawn(_curve, {"bars": bars}, n=len(lines), stored="mean" in lines)


def _curve(n: int, stored: bool) -> alt.LayerChart:
    step = max(18.0, min(56.0, 740 / n))
    x = alt.X("place:O", scale=r.places(n, 0.2, 0.1))
    y = r.share(alt.Y, "source", "share-source", form=_PERCENT)
    rows = r.source("bars").encode(x=x)
    accent = palette_of(CROSS).accent
    plain: dict[str, Any] = {"tooltip": None, "aria": False}
    prefix = rows.mark_bar(color=palette_of(DECODER).accent, opacity=_PALE, **plain)
    part = rows.mark_bar(color=accent, **plain)
    more = [
        prefix.encode(y=y, y2=alt.Y2Datum(1)),
        part.encode(y="part:Q", y2=alt.Y2Datum(0)),
    ]
    columns: dict[str, r.Tip] = {
        "token": "share-token",
        "source": ("share-source", _PERCENT),
        "from": "share-from",
        "part": ("share-part", _PERCENT),
        "prefix": ("share-prefix", _PERCENT),
    }
    if stored:
        columns["mean"] = ("share-mean", _PERCENT)
        band = rows.mark_area(color=INK, opacity=0.15, **plain)
        line = rows.mark_line(color=INK, strokeDash=[4, 3], **plain)
        more += [band.encode(y="low:Q", y2="high"), line.encode(y="mean:Q")]
    more += _numbers(x, step)
    chosen = r.source("bars", "datum.chosen").encode(x=x)
    more.append(r.frame(chosen).encode(y=alt.YValue(0), y2=alt.Y2Value(_HIGH)))
    more += _names(step, stored)
    colour = [alt.ColorValue(accent), alt.OpacityValue(_DEEP)]
    return r.columns(n, y, r.tips(columns), colour=colour, step=step, height=_HIGH, more=more)


def _numbers(x: alt.X, step: float) -> list[alt.Chart]:
    """Return the share of the source above each bar, or above the chosen one if bars are narrow."""
    where = None if step >= _LEAST_STEP else "datum.chosen"
    share = r.source("bars", where, above=r.whole_percent("source"))
    style: dict[str, Any] = {"fontSize": 12, "baseline": "bottom", "dy": -1, "aria": False}
    # The dashed line may pass through a number.
    halo = r.text(share, stroke=ground(), strokeWidth=3, strokeOpacity=0.8, **style)
    total = r.text(share, **style)
    # At the foot of its part, below the dashed line.
    chosen = r.source("bars", "datum.chosen")
    word = r.text(
        chosen,
        fontSize=12,
        baseline="line-bottom",
        dy=-18,
        aria=False,
        color=ON_OUTCOME,
        fontWeight="bold",
        lineBreak="\n",
        lineHeight=14,
    )
    return [
        *(layer.encode(x=x, y="source:Q", text="above:N") for layer in (halo, total)),
        word.encode(x=x, y=alt.YDatum(0), text="strongest:N"),
    ]


def _names(step: float, stored: bool) -> list[alt.Chart]:
    """Return the names of the parts of the last bar, and of the line, to its right."""
    heights: dict[str, Any] = {"prefix": alt.YDatum(0.94), "source": alt.YDatum(0.08)}
    if stored:
        heights["mean"] = alt.Y("mean:Q")
    marks = []
    for name, height in heights.items():
        words = r.source("bars", "datum.last", name=json.dumps(say(f"share-beside-{name}")))
        beside = r.text(words, align="left", dx=step * 0.45, fontSize=12, aria=False)
        marks.append(beside.encode(x="place:O", y=height, text="name:N"))
    return marks


def share_map(record: AttentionRecord, cells: pd.DataFrame, *, chosen: int | None = None) -> Figure:
    """Draw produced tokens down and their shares across: the source tokens, then the prefix.

    Prefix tokens have another colour. `cells`: from `core.source_share.share_cells`. `chosen`:
    index of a produced token whose label is red.
    """
    if record.tgt is None or record.target_read is None:
        raise ValueError("expected a record with a target, found none")
    sides = record.src.tokens, record.target_read
    tables = {
        side: labelled(distinct_labels(of), "k", chosen=False)
        for side, of in zip(SIDES, sides, strict=True)
    }
    labels = distinct_labels(record.tgt.tokens)
    marks = np.arange(len(labels)) == (-1 if chosen is None else chosen)
    tables |= {"cells": cells, "rows": labelled(labels, "q", chosen=marks)}
    return drawn(_map, tables, sizes=(len(record.tgt), len(record.src), len(record.tgt)))


def _map(sizes: tuple[int, int, int]) -> alt.HConcatChart:
    n, *keys = sizes
    # Both panels together take the width of the page.
    step = max(SMALLEST, min(28.0, 780 / sum(keys)))
    panels = []
    for side, n_keys in zip(SIDES, keys, strict=True):
        grid = Grid(
            n,
            n_keys,
            (step, max(step, 14.0)),
            columns=side,
            chosen="chosen",
            query=None,
            key=f"share-{side}-tokens",
            where=f"datum.side == '{side}'",
            bare="" if side == SIDES[0] else "y",
        )
        colour = r.share_colour(
            "share",
            palette_of(_SITES[side]).ramp,
            f"share-{side}",
            values=[0, 0.5, 1],
            form=_PERCENT,
            gradientLength=90,
        )
        tooltip = r.pair_tips(share=("share-share", _PERCENT))
        panels.append(grid.matrix(colour, tooltip))
    return r.beside(*panels, resolve=r.apart("x", "color"))
