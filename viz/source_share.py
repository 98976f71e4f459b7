"""Figures of source and prefix: the source's share along the output, and each token's share."""

from __future__ import annotations

import json

import altair as alt
import numpy as np
import pandas as pd

from core.records.attention import CROSS, DECODER, AttentionRecord
from core.records.tokens import distinct_labels
from core.source_share import SIDES
from core.weights.tables import labelled

from . import recipes as r
from .figure import Figure, drawn
from .grid import SMALLEST, Grid
from .style import say
from .theme import INK, palette_of

_SITES = dict(zip(SIDES, (CROSS, DECODER), strict=True))
_HIGH = 190  # pixels of the bars
# Opacity of the bars, so that the dashed line is seen on both.
_DEEP = 0.7
_PALE = 0.45


def share_curve(lines: pd.DataFrame, *, chosen: int | None = None) -> Figure:
    """Draw the share of the source in every produced token; the rest belongs to the prefix.

    `lines`: from `core.source_share.share_lines`; stored means over many sentences are a dashed
    line with a band. `chosen`: index of a token to frame.
    """
    bars = lines.assign(chosen=lines["place"] == chosen)
    return drawn(_curve, {"bars": bars}, n=len(lines), stored="mean" in lines)


def _curve(n: int, stored: bool) -> alt.LayerChart:
    step = max(18.0, min(56.0, 800 / n))
    x = alt.X("place:O", scale=r.places(n, 0.2, 0.1))
    y = r.share(alt.Y, "source", "share-source")
    rows = r.source("bars").encode(x=x)
    accent = palette_of(CROSS).accent
    prefix = rows.mark_bar(
        color=palette_of(DECODER).accent, opacity=_PALE, tooltip=None, aria=False
    )
    more = [prefix.encode(y=y, y2=alt.Y2Datum(1))]
    columns: dict[str, r.Tip] = {
        "token": "share-token",
        "source": ("share-source", ".3f"),
        "prefix": ("share-prefix", ".3f"),
    }
    if stored:
        columns["mean"] = ("share-mean", ".3f")
        band = rows.mark_area(color=INK, opacity=0.15, tooltip=None, aria=False)
        line = rows.mark_line(color=INK, strokeDash=[4, 3], tooltip=None, aria=False)
        more += [band.encode(y="low:Q", y2="high"), line.encode(y="mean:Q")]
    frame = r.frame(rows.transform_filter("datum.chosen"))
    more.append(frame.encode(y=alt.YValue(0), y2=alt.Y2Value(_HIGH)))
    more.append(_key(stored))
    colour = [alt.ColorValue(accent), alt.OpacityValue(_DEEP)]
    return r.columns(n, y, r.tips(columns), colour=colour, step=step, height=_HIGH, more=more)


def _key(stored: bool) -> alt.Chart:
    """Return the legend of bars and lines, without a visible mark."""
    signs = {
        "source": (palette_of(CROSS).accent, [1, 0]),
        "prefix": (palette_of(DECODER).accent, [1, 0]),
    }
    if stored:
        signs["mean"] = (INK, [4, 3])
    colours, dashes = zip(*signs.values(), strict=True)
    legend = r.swatches(
        columns=3,
        symbolType="M0,0H20",
        symbolSize=4,
        labelOffset=30,
        labelLimit=300,
        symbolStrokeColor={"expr": f"{json.dumps(colours)}[datum.index]"},
        symbolOpacity={"expr": f"[{_DEEP}, {_PALE}, 1][datum.index]"},
        symbolStrokeWidth=5,
    )
    names = [say(f"share-{sign}") for sign in signs]
    return r.kept("bars").encode(r.series(alt.StrokeDash, "key", names, dashes, legend=legend))


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
            gradientLength=90,
        )
        tooltip = r.pair_tips(share=("share-share", ".4f"))
        panels.append(grid.matrix(colour, tooltip))
    return r.beside(*panels, resolve=r.apart("x", "color"))
