"""Figure of one head: a matrix of weights and, below it, the row under the pointer as bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import altair as alt

from core.attention import AttentionMap
from core.tables import attention_cells, summed_edge

from . import recipes as r
from .figure import Figure, drawn
from .grid import LABELS, SMALLEST, Grid
from .labels import SMALLEST_FONT
from .look import say
from .theme import Palette, palette_of

# Pixels for all columns of a sentence of ordinary length, for those of a matrix beside
# another, and of the largest cell.
_ROOM = 366
_BESIDE = 340
_LARGEST = 28.0
# The row under the pointer, else the locked one. Before its first event a selection is undefined;
# an emptied one has no first value.
_HOVERED_OR_LOCKED = (
    "(isValid(row.q) && isValid(row.q[0]) ? indexof(row.q, datum.q) >= 0 : datum.locked)"
)


def attention_heatmap(
    attention: AttentionMap,
    layer: int,
    head: int,
    *,
    row_tokens: Sequence[str] | None = None,
    locked_rows: Sequence[int] = (),
    locked_columns: Sequence[int] = (),
    contrast: bool = False,
    d_k: int | None = None,
    colour_title: str | None = None,
    highest: int = 0,
    axes: Mapping[str, str] = MappingProxyType({}),
) -> Figure:
    """Draw matrix, totals and bars of one head; without clicks.

    The selection `row` follows the pointer and stays in the browser. Numbers to the right are the
    sums of the rows, numbers below those of the columns.

    Parameters
    ----------
    attention : AttentionMap
    layer, head : int
        From 0.
    row_tokens : sequence of str, optional
        Tokens that label the rows, by default ``attention.query_tokens``.
    locked_rows, locked_columns : sequence of int
        Marked ones; the bars show the first row while the pointer is on none.
    contrast : bool
        Colour by the weight divided by the largest of its row.
    d_k : int, optional
        Size of one head's vectors; with it the tooltip has the product q·k, for a map with scores.
    colour_title : str, optional
        Title of the colours if they are not weights.
    highest : int
        Pixels that the cells may take in height; then they need not be squares.
    axes : mapping
        Titles of "query" and "key" that replace the usual ones.
    """
    cells = attention_cells(attention, layer, head, contrast=contrast)
    # Only the first locked row has bars.
    cells["locked"] = cells["q"].isin(locked_rows[:1])
    rows = row_tokens or attention.query_tokens
    weights = attention.head(layer, head)
    tables = {"cells": cells, "rows": summed_edge(rows, "q", weights, locked_rows)}
    tables["columns"] = summed_edge(attention.key_tokens, "k", weights, locked_columns)
    shape = {"size": weights.shape, "palette": palette_of(attention.site), "contrast": contrast}
    shape |= {
        "what": colour_title or say(f"figures-{attention.measure}"),
        "masked": attention.mask is not None,
    }
    shape["short"] = colour_title or say(f"figures-{attention.measure}-short")
    shape |= {"highest": highest, "scored": attention.scores is not None, "d_k": d_k}
    shape["axes"] = tuple(axes.items())
    return drawn(_heatmap, tables, **shape)


def _heatmap(
    size: tuple[int, int],
    palette: Palette,
    contrast: bool,
    what: str,
    short: str,
    masked: bool,
    highest: int,
    scored: bool,
    d_k: int | None,
    axes: tuple[tuple[str, str], ...],
) -> alt.VConcatChart:
    """Build the chart from all that shapes it; the numbers of a head are in the tables."""
    across, down = (max(SMALLEST, min(_LARGEST, _ROOM / n)) for n in reversed(size))
    down = max(SMALLEST, min(across * 1.3, down))
    if highest and size[0] * down > highest:
        across = max(SMALLEST, min(across, _BESIDE / size[1]))
        down = max(SMALLEST, highest / size[0])
    grid = Grid(*size, (across, down), chosen="locked", **dict(axes))
    row = r.hover("row", "q")
    # "pointermove" keeps the last cell: one that vanished under the pointer would flicker.
    at = r.click("at", "q", "k", on="pointermove")
    upright = across >= 22  # pixels a column needs for a number that is not turned
    colour = r.share_colour(
        "shade" if contrast else "weight",
        palette.ramp,
        say("figures-heatmap-contrast", what=what) if contrast else what,
        offset=18 if upright else 34,  # room for the totals of the columns
    )
    cells = grid.cells(where="datum.seen" if masked else None, tooltip=None)
    # The tooltip of one cell, in a layer of its own: Vega would compute the tooltips of all cells
    # at every drawing, a third of the time of a large one.
    score = {"score": ("figures-heatmap-score", ".3f"), "seen": "figures-heatmap-may-look"}
    calculated = {**LABELS, **({} if masked else {"seen": "true"})}
    if scored and d_k:
        calculated["product"] = f"datum.score * {d_k**0.5}"
        score = {"product": ("figures-heatmap-product", ".3f"), **score}
    pointed = grid.cells(where=r.only(at), calculate=calculated, fill="transparent", aria=False)
    weight = {"weight": (what, ".4f")}
    lines = r.pair_tips(**(score if scored else {}), **weight, rank="figures-heatmap-rank")
    framed = grid.row(None, -1, filled=False, strokeWidth=2, **r.QUIET)
    matrix = grid.drawn(
        grid.row(**r.UNSEEN),  # catches the pointer where masked cells are absent
        cells.encode(color=colour).add_params(row, at),
        # Invisible, so that the pointer finds masked cells.
        *([grid.cells(where="!datum.seen", **r.UNSEEN)] if masked else []),
        framed.encode(r.outline("datum.locked", row)),
        pointed.encode(tooltip=lines),
        *_totals(grid, upright),
    )
    # The weights of the row under the pointer, or else of the locked one.
    shown = _HOVERED_OR_LOCKED + (" && datum.seen" if masked else "")
    share = r.y("weight", short, domain=(0, 1), values=[0, 0.5, 1], grid=True, tickSize=3)
    ends = replace(grid, bare="x").x, share
    look = {"align": "center", "baseline": "bottom", "dy": -2}
    look = look if upright else {"angle": 270, "align": "left", "dx": 3}
    # Smaller weights would print as 0.00 or 0.01 on bars too low to see.
    large = r.source("cells", f"{shown} && datum.weight >= 0.01")
    numbers = r.text(large, fontSize=SMALLEST_FONT, **look)
    bars = r.source("cells", shown, **LABELS).mark_bar(color=palette.accent)
    bars = r.layered(
        bars.encode(*ends, tooltip=r.pair_tips(**weight)),
        numbers.encode(*ends, text=alt.Text("weight:Q", format=".2f")),
        width=grid.width,
        height=84,
    )
    return r.below(matrix, bars, resolve=r.apart("x", "y", "color"))


def _totals(grid: Grid, upright: bool) -> list[alt.Chart]:
    """Return the sums of the rows to the right, and those of the columns below."""
    turned = {"align": "center", "baseline": "top"} if upright else {"align": "right", "angle": 270}
    below = r.tips(label="figures-key", total=("figures-heatmap-column-sum", ".4f"))
    return [
        _sums("rows", align="left").encode(
            grid.y,
            x=alt.XValue(grid.width + 5),
            tooltip=r.tips(total=("figures-heatmap-row-sum", ".6f")),
        ),
        _sums("columns", **turned).encode(grid.x, y=alt.YValue(grid.height + 4), tooltip=below),
    ]


def _sums(table: str, **look: Any) -> alt.Chart:
    """Return the column total of a table as text."""
    words = r.text(r.source(table), fontSize=SMALLEST_FONT, opacity=0.7, **look)
    return words.encode(text=alt.Text("total:Q", format=".2f"))
