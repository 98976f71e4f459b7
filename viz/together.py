"""Figure of all heads combined: the aggregate, and one of its rows in every head."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt
import numpy as np
import pandas as pd

from core.records.attention import OF_LAYERS, AttentionMap
from core.records.tokens import distinct_labels
from core.weights.row_heads import RowOfHeads
from core.weights.tables import array_table, matrix_cells, summed_edge
from words.numbers import fixed

from . import recipes as r
from .figure import Figure, drawn
from .grid import SMALLEST, Grid
from .heatmap import totals
from .labels import SMALLEST_FONT, head_name
from .style import say
from .theme import INK, SELECTION_TEXT, Palette, neutral_palette, palette_of

SELECTION_NAME = "head"
# Pixels.
_ACROSS = 330  # of all columns of a sentence of ordinary length
_DOWN = 336  # of all rows
_LARGEST = 26.0  # of a cell
_HEADS = 290  # of the rows of all heads
_GAP = 7  # between groups of heads
_TALLEST = 16.0  # of the row of one head
_UPRIGHT = 20  # of a column with a number that is not turned
_NAMED = 9.0  # of a row, below which heads have no names
_BARS = 52  # of the bars of the aggregate
_BELOW = 10  # between the bars and the heads
_PAGE = 940  # of both panels beside each other
_BESIDE = 270  # of labels beside the columns of both panels


@dataclass(frozen=True)
class _Look:
    """All that shapes the chart besides the numbers."""

    size: tuple[int, int]  # numbers of queries and keys
    palette: Palette  # of single heads
    combined: Palette  # of the aggregate, whose colours have another scale
    title: str  # of the colours of the aggregate
    heads_title: str  # of the colours of single heads
    top: float  # end of the colours of the aggregate
    masked: bool
    contrast: bool
    sums: bool
    bottom: int  # pixels of the rows of all heads


def heads_together(
    together: AttentionMap,
    heads: RowOfHeads,
    row: int,
    *,
    row_tokens: Sequence[str],
    titles: tuple[str, str],
    locked: tuple[Sequence[int], Sequence[int]] = ((), ()),
    opened: tuple[int, int] | None = None,
    headline: tuple[int, int] | None = None,
    contrast: bool = False,
    sums: bool = True,
    click: int = 0,
) -> Figure:
    """Draw an aggregate of heads, one of its rows as bars, and below them that row in every head.

    Heads are grouped by the key that they attend to most, with the size of each group. A click on
    the row of a head reports its layer and head with `click`.

    Parameters
    ----------
    together : map of shape (1, 1, T_q, T_k)
    heads : the row of every head, see `core.weights.row_heads`
    row : index of that row in `together`
    row_tokens : tokens that label the rows
    titles : quantities of the aggregate and of single heads
    locked : rows and columns whose labels are red
    opened : layer and head with the red frame
    headline : layer and head that the text beside the figure names
        Its row and the opened one have their names always, all others where rows are tall enough.
    contrast : colour by the value divided by the largest of its row
    sums : write the sums of rows to the right and those of columns below
    """
    weights = together.weights[0, 0]
    keys = together.key_tokens
    cells = matrix_cells(weights, row_tokens, keys, seen=together.mask)
    cells = cells.assign(shade=_shades(weights, contrast).ravel())
    labels = distinct_labels(keys)
    lines = _lines(heads, opened, headline, together.measure in OF_LAYERS)
    masked = {} if together.mask is None else {"seen": np.tile(together.mask[row], len(heads))}
    tables = {
        "cells": cells,
        "rows": summed_edge(row_tokens, "q", weights, locked[0]),
        "columns": summed_edge(keys, "k", weights, locked[1]),
        "bars": _bar_rows(weights[row], labels),
        "heads": lines,
        "of_heads": _head_cells(heads, lines, labels, contrast, click).assign(**masked),
        "groups": _groups(lines, labels),
    }
    title, heads_title = titles
    look = _Look(
        size=weights.shape,
        palette=palette_of(together.site),
        combined=neutral_palette(),
        title=title,
        heads_title=heads_title,
        top=1.0 if contrast else float(weights.max()) or 1.0,
        masked=together.mask is not None,
        contrast=contrast,
        sums=sums,
        bottom=math.ceil(lines["bottom"].max()),
    )
    return drawn(_together, tables, look=look)


def _shades(weights: np.ndarray, contrast: bool) -> np.ndarray:
    """Return the weights, or with `contrast` their parts of the largest of each row."""
    if not contrast:
        return weights
    largest = weights.max(axis=-1, keepdims=True)
    return weights / np.where(largest > 0, largest, 1.0)


def _lines(
    heads: RowOfHeads,
    opened: tuple[int, int] | None,
    headline: tuple[int, int] | None,
    of_layers: bool,
) -> pd.DataFrame:
    """Return one line a head with its name and its place in pixels."""
    lines = heads.heads
    code = "figures-layer-code" if of_layers else "figures-head-code"
    n_groups = int(lines["group"].max()) + 1
    # Many heads may leave nothing but the gaps.
    room = max(_HEADS - _GAP * (n_groups - 1), _HEADS / 2)
    step = min(_TALLEST, room / len(lines))
    top = lines.index.to_numpy() * step + lines["group"].to_numpy() * _GAP + _BARS + _BELOW
    bottom = top + step - (1 if step > 4 else 0)
    middle = (top + bottom) / 2
    named = np.array([head in (opened, headline) for head in heads.places])
    if step >= _NAMED:
        named[:] = True
    elif named.sum() == 2:
        # Names of rows that touch would overlap.
        apart = middle[named]
        missing = max(0.0, SMALLEST_FONT - (apart[1] - apart[0]))
        middle[named] = apart + np.array([-missing, missing]) / 2
    return lines.assign(
        top=top,
        bottom=bottom,
        middle=middle,
        named=named,
        label=_labels_of(heads, code, headline),
        name=[
            say("layer-name", layer=layer + 1) if of_layers else head_name(layer, head)
            for layer, head in heads.places
        ],
        opened=[head == opened for head in heads.places],
    )


def _labels_of(heads: RowOfHeads, code: str, headline: tuple[int, int] | None) -> list[str]:
    """Return the short names of the heads; that of the `headline` with its largest weight."""
    labels = [say(code, layer=layer + 1, head=head + 1) for layer, head in heads.places]
    if headline in heads.places:
        at = heads.places.index(headline)
        labels[at] = f"{labels[at]}: {fixed(heads.heads['weight'][at])}"
    return labels


def _groups(lines: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Return one row a group of heads: its place in pixels, its size and its key."""
    groups = lines.groupby("group").agg(
        top=("top", "min"), bottom=("bottom", "max"), n=("head", "size"), key=("key", "first")
    )
    texts = [
        say("figures-together-group", n=n, key=keys[key])
        for n, key in zip(groups["n"].tolist(), groups["key"].tolist(), strict=True)
    ]
    return groups.reset_index().assign(text=texts, middle=(groups["top"] + groups["bottom"]) / 2)


def _bar_rows(row: np.ndarray, keys: Sequence[str]) -> pd.DataFrame:
    """Return one row a key: its value with a text, and its bar in pixels."""
    # Smaller values would print as 0.00 or 0.01 on bars too low to see.
    texts = [fixed(value, 2) if value >= 0.01 else "" for value in row.tolist()]
    # Room for the number above the largest.
    heights = row / (float(row.max()) or 1.0) * (_BARS - 14)
    bars = {"k": np.arange(len(row)), "key": keys, "value": row, "text": texts}
    return pd.DataFrame({**bars, "top": _BARS - heights, "bottom": float(_BARS)})


def _head_cells(
    heads: RowOfHeads, lines: pd.DataFrame, keys: Sequence[str], contrast: bool, click: int
) -> pd.DataFrame:
    """Return one row a head and key, with the place of its head."""
    cells = array_table(heads.weights, "place", "k", name="weight", dtype=int)
    of_head = lines[["layer", "head", "name", "top", "bottom"]]
    cells = cells.join(of_head, on="place").assign(
        shade=_shades(heads.weights, contrast).ravel(), click=click
    )
    cells["key"] = np.array(keys, object)[cells["k"]]
    return cells


def _together(look: _Look) -> alt.HConcatChart | alt.VConcatChart:
    across, down = (
        max(SMALLEST, min(_LARGEST, room / n))
        for room, n in zip((_ACROSS, _DOWN), reversed(look.size), strict=True)
    )
    grid = Grid(*look.size, (across, down), chosen="locked")
    matrix = _matrix(grid, look)
    heads = _heads(grid, look)
    # Long sentences leave no room beside the matrix.
    fits = 2 * grid.width + _BESIDE <= _PAGE
    whole = (r.beside if fits else r.below)(matrix, heads, spacing=34)
    whole.resolve = r.apart("x", "y", "color")
    return whole


def _matrix(grid: Grid, look: _Look) -> alt.LayerChart:
    title = look.title
    if look.contrast:
        title = say("figures-heatmap-contrast", what=title)
    elif look.top < 1:
        title = say("figures-heatmap-top", what=title, top=look.top)
    upright = grid.step[0] >= _UPRIGHT
    colour = r.share_colour(
        "shade",
        look.combined.ramp,
        title,
        values=(0, 0.5, 1) if look.top < 1 else r.QUARTERS,
        top=look.top,
        offset=(18 if upright else 34) if look.sums else 8,
    )
    framed = grid.row("datum.locked", -1, filled=False, strokeWidth=2, tooltip=None, aria=False)
    return grid.matrix(
        colour,
        r.pair_tips(value=(look.title, ".4f")),
        where="datum.seen" if look.masked else None,
        more=[framed.encode(r.outline("datum.locked"))]
        + (totals(grid, upright) if look.sums else []),
    )


def _bars(grid: Grid, look: _Look) -> list[alt.Chart]:
    """Draw the chosen row of the aggregate as bars, under the names of the keys."""
    rows = r.source("bars").encode(x=grid.x, y=r.pixels(alt.Y, "top"))
    tooltip = r.tips(key="figures-key", value=(look.title, ".4f"))
    bars = rows.mark_rect(color=look.combined.accent)
    layers = [bars.encode(y2=alt.Y2("bottom:Q"), tooltip=tooltip)]
    # Narrow columns have no room for upright numbers.
    if grid.step[0] >= _UPRIGHT:
        style = {"fontSize": SMALLEST_FONT, "align": "center", "baseline": "bottom", "dy": -2}
        numbers = r.text(r.source("bars"), **style)
        layers.append(numbers.encode(x=grid.x, y=r.pixels(alt.Y, "top"), text="text:N"))
    return layers


def _heads(grid: Grid, look: _Look) -> alt.LayerChart:
    """Draw a row of the aggregate as bars, and below it that row in every head as cells.

    The sizes of the groups stand to the right.
    """
    x = grid.x
    rows = {"y": r.pixels(alt.Y, "top"), "y2": alt.Y2("bottom:Q")}
    middle = {"y": r.pixels(alt.Y, "middle")}
    title = say("figures-together-single", what=look.heads_title)
    if look.contrast:
        title = say("figures-heatmap-contrast", what=title)
    colour = r.share_colour("shade", look.palette.ramp, title)
    seen = "datum.seen" if look.masked else None
    cells = r.source("of_heads", seen).mark_rect(tooltip=None, aria=False)
    tooltip = r.tips(name="figures-head", key="figures-key", weight=(look.heads_title, ".4f"))
    named = r.source("heads", "datum.named")
    names = r.text(named, align="right", fontSize=SMALLEST_FONT, aria=False)
    ink = r.when(alt.ColorValue, ("datum.opened", SELECTION_TEXT), otherwise=INK)
    framed = r.frame(r.source("heads", "datum.opened"))
    sizes = r.text(r.source("groups"), align="left", fontSize=11, aria=False)
    clicks = r.click(SELECTION_NAME, "layer", "head", "click")
    spans = r.source("groups").mark_rule(color=INK, opacity=0.5, tooltip=None, aria=False)
    return r.layered(
        *_bars(grid, look),
        cells.encode(x=x, color=colour, **rows),
        framed.encode(x=alt.XValue(-1), x2=alt.X2Value(grid.width + 1), **rows),
        names.encode(ink, x=alt.XValue(-5), text="label:N", **middle),
        spans.encode(x=alt.XValue(grid.width + 5), **rows),
        sizes.encode(x=alt.XValue(grid.width + 10), text="text:N", **middle),
        r.touched("of_heads", tooltip, clicks).encode(x=x, **rows),
        r.kept("columns", x=x),
        width=grid.width,
        height=look.bottom,
    )
