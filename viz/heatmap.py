"""Figure of one head: a matrix of weights and, below it, a marked row as bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import altair as alt
import pandas as pd

from core.records.attention import AttentionMap, Measure
from core.weights.tables import attention_cells, summed_edge

from . import recipes as r
from .figure import Figure, drawn
from .grid import LABELS, SMALLEST, Grid
from .labels import SMALLEST_FONT
from .style import say
from .theme import Palette, palette_of

_ROOM = 366  # pixels for all columns of a sentence of ordinary length
_BESIDE = 340  # pixels for all columns of a matrix beside another
BROADEST = 60  # pixels across of a flattened cell
_LARGEST = 28.0  # pixels of a cell at most
_UPRIGHT = 22  # pixels that a column needs for a number that is not turned
# The row under the pointer, else the locked one. Before its first event a selection is undefined;
# an emptied one has no first value.
_HOVERED_OR_LOCKED = (
    "(isValid(row.q) && isValid(row.q[0]) ? indexof(row.q, datum.q) >= 0 : datum.locked)"
)


@dataclass(frozen=True)
class HeatmapOptions:
    """Look of a heatmap, besides its labels and numbers."""

    contrast: bool = False  # colour by the weight divided by the largest of its row
    sums: bool = True  # write the sums of rows to the right and those of columns below
    title: str = ""  # of the colours, if they are not those of the map's measure
    top: float = 1.0  # value of the darkest colour, at most 1; below 1 the title names it
    # pixels that all rows together may take, 0 for any number; cells are then flattened to fit
    highest: int = 0
    # pixels that the columns of flattened cells take together, 0 for what fits beside the heads
    broad: int = 0
    # columns whose bar has its number however small it is, because a text names it
    numbered: tuple[int, ...] = ()
    # size of one head's vectors; with it the tooltip has the product q·k, for a map with scores
    d_k: int | None = None
    # False leaves the room of the colour bar empty, beside a matrix that has one
    legend: bool = True
    query: str | None = Grid.query  # query, key: titles of the axes
    key: str | None = Grid.key

    @property
    def end(self) -> float:
        """End of the scale of colours."""
        return 1.0 if self.contrast else self.top


DEFAULT_OPTIONS = HeatmapOptions()


def attention_heatmap(
    attention: AttentionMap,
    layer: int,
    head: int,
    *,
    row_tokens: Sequence[str] | None = None,
    locked_rows: Sequence[int] = (),
    locked_columns: Sequence[int] = (),
    options: HeatmapOptions = DEFAULT_OPTIONS,
) -> Figure:
    """Draw matrix and totals of one head, and bars of a marked row; clicks do nothing.

    Without a marked row there are no bars, which a saved picture would show empty. They follow the
    pointer by the selection `row`, which never reaches the server.

    Parameters
    ----------
    attention : AttentionMap
    layer, head : int
        From 0.
    row_tokens : sequence of str, optional
        Tokens that label the rows, by default ``attention.query_tokens``.
    locked_rows, locked_columns : sequence of int
        Rows and columns to mark; while the pointer is on no row, the bars show the first of these.
    options : HeatmapOptions
    """
    weights = attention.head(layer, head)
    tables = {
        "cells": _cells_table(attention, layer, head, locked_rows, options),
        "rows": summed_edge(row_tokens or attention.query_tokens, "q", weights, locked_rows),
        "columns": summed_edge(attention.key_tokens, "k", weights, locked_columns),
    }
    return drawn(
        _heatmap,
        tables,
        matrix=_Matrix.of(attention),
        options=replace(options, numbered=()),  # the cells say which columns are numbered
        barred=bool(locked_rows),
        numbered=bool(options.numbered),
    )


def _cells_table(
    attention: AttentionMap,
    layer: int,
    head: int,
    locked_rows: Sequence[int],
    options: HeatmapOptions,
) -> pd.DataFrame:
    """Return `attention_cells` with the column locked, True in the row that has bars.

    If keys are numbered, the column numbered is True in their cells.
    """
    cells = attention_cells(attention, layer, head, contrast=options.contrast)
    # Only the first locked row has bars.
    cells["locked"] = cells["q"].isin(locked_rows[:1])
    if options.numbered:
        cells["numbered"] = cells["k"].isin(options.numbered)
    return cells


@dataclass(frozen=True)
class _Matrix:
    """Facts of a map that shape the chart of a head; the numbers are in the tables."""

    size: tuple[int, int]  # numbers of queries and keys
    measure: Measure
    palette: Palette
    masked: bool
    scored: bool

    @classmethod
    def of(cls, attention: AttentionMap) -> _Matrix:
        """Return the facts of any head of a map."""
        return cls(
            size=attention.weights.shape[2:],
            measure=attention.measure,
            palette=palette_of(attention.site),
            masked=attention.mask is not None,
            scored=attention.scores is not None,
        )


def _heatmap(
    matrix: _Matrix, options: HeatmapOptions, *, barred: bool, numbered: bool
) -> alt.VConcatChart:
    step = _steps(matrix.size, options.highest, options.broad)
    grid = Grid(*matrix.size, step, chosen="locked", query=options.query, key=options.key)
    parts = [_cells(grid, matrix, options)]
    if barred:
        parts.append(_row_bars(grid, matrix, options, numbered=numbered))
    return r.below(*parts, resolve=r.apart("x", "y", "color"))


def _steps(size: tuple[int, int], highest: int, broad: int) -> tuple[float, float]:
    """Return pixels across and down of a cell; all rows take at most `highest`, 0 for any.

    All columns take about `broad` then, 0 for what fits beside the heads.
    """
    across, down = (max(SMALLEST, min(_LARGEST, _ROOM / n)) for n in reversed(size))
    # Somewhat taller than wide at most: rows of a short target would look like pillars.
    down = max(SMALLEST, min(across * 1.3, down))
    if highest and size[0] * down > highest:
        widest = broad / size[1] if broad else min(across, _BESIDE / size[1])
        across = max(SMALLEST, min(BROADEST, widest))
        down = max(SMALLEST, highest / size[0])
    return across, down


def _cells(grid: Grid, matrix: _Matrix, options: HeatmapOptions) -> alt.LayerChart:
    """Draw the cells with the totals of rows and columns."""
    row = r.hover("row", "q")
    # "pointermove" keeps the last cell: one that vanished under the pointer would flicker.
    at = r.click("at", "q", "k", on="pointermove")
    upright = grid.step[0] >= _UPRIGHT
    colour = r.share_colour(
        "shade" if options.contrast else "weight",
        matrix.palette.ramp,
        _colour_title(matrix, options),
        values=(0, 0.5, 1) if options.end < 1 else r.QUARTERS,
        top=options.end,
        # Room for the totals of the columns.
        offset=(18 if upright else 34) if options.sums else 8,
        **({} if options.legend else r.UNSEEN),
    )
    # Masked cells have no colour at all, because white would read as a weight of 0.
    cells = grid.cells(where="datum.seen" if matrix.masked else None, tooltip=None)
    framed = grid.row(None, -1, filled=False, strokeWidth=2, tooltip=None, aria=False)
    layers = [
        # Catches the pointer where masked cells are absent.
        grid.row(fill="transparent", tooltip=None, aria=False),
        cells.encode(color=colour).add_params(row, at),
    ]
    if matrix.masked:
        # Invisible, so that the pointer finds masked cells.
        masked = grid.cells(where="!datum.seen", fill="transparent", tooltip=None, aria=False)
        layers.append(masked)
    layers += [framed.encode(r.outline("datum.locked", row)), _pointed(grid, at, matrix, options)]
    return grid.drawn(*layers, *(totals(grid, upright) if options.sums else ()))


def _quantity(matrix: _Matrix, options: HeatmapOptions) -> str:
    """Return the name of the numbers."""
    return options.title or say(f"figures-{matrix.measure}")


def _colour_title(matrix: _Matrix, options: HeatmapOptions) -> str:
    """Return the title of the colours, which names their end where it is not 1."""
    name = _quantity(matrix, options)
    if options.contrast:
        return say("figures-heatmap-contrast", what=name)
    if options.end < 1:
        return say("figures-heatmap-top", what=name, top=options.end)
    return name


def _pointed(grid: Grid, at: alt.Parameter, matrix: _Matrix, options: HeatmapOptions) -> alt.Chart:
    """Return the tooltip of the cell under the pointer, `at`.

    It is a layer of its own: Vega would compute the tooltips of all cells at every drawing, a third
    of the time of a large one.
    """
    calculated = dict(LABELS)
    columns: dict[str, r.Tip] = {}
    if not matrix.masked:
        calculated["seen"] = "true"
    if matrix.scored:
        if options.d_k:
            calculated["product"] = f"datum.score * {options.d_k**0.5}"
            columns["product"] = ("figures-heatmap-product", ".3f")
        columns["score"] = ("figures-heatmap-score", ".3f")
        columns["seen"] = "figures-heatmap-may-look"
    columns["weight"] = (_quantity(matrix, options), ".4f")
    columns["rank"] = "figures-heatmap-rank"
    cell = grid.cells(where=r.only(at), calculate=calculated, fill="transparent", aria=False)
    return cell.encode(tooltip=r.pair_tips(columns))


def _row_bars(
    grid: Grid, matrix: _Matrix, options: HeatmapOptions, *, numbered: bool
) -> alt.LayerChart:
    """Draw the weights of the row under the pointer, or else of the locked one, as bars."""
    shown_row = _HOVERED_OR_LOCKED + (" && datum.seen" if matrix.masked else "")
    x = replace(grid, bare="x").x
    y = r.y(
        "weight",
        options.title or say(f"figures-{matrix.measure}-short"),
        domain=(0, options.end),
        values=[0, 0.5, 1] if options.end == 1 else [0, options.end],
        grid=True,
        tickSize=3,
    )
    bars = r.source("cells", shown_row, **LABELS).mark_bar(color=matrix.palette.accent)
    # Smaller weights would print as 0.00 or 0.01 on bars too low to see.
    readable = "(datum.weight >= 0.01 || datum.numbered)" if numbered else "datum.weight >= 0.01"
    large = r.source("cells", f"{shown_row} && {readable}")
    if grid.step[0] >= _UPRIGHT:
        numbers = r.text(large, fontSize=SMALLEST_FONT, align="center", baseline="bottom", dy=-2)
    else:
        numbers = r.text(large, fontSize=SMALLEST_FONT, angle=270, align="left", dx=3)
    return r.layered(
        bars.encode(x, y, tooltip=r.pair_tips(weight=(_quantity(matrix, options), ".4f"))),
        numbers.encode(x, y, text=alt.Text("weight:Q", format=".2f")),
        width=grid.width,
        height=84,
    )


def totals(grid: Grid, upright: bool) -> list[alt.Chart]:
    """Return the sums of the rows to the right, and those of the columns below."""
    rows = r.text(r.source("rows"), fontSize=SMALLEST_FONT, opacity=0.7, align="left")
    columns = r.text(
        r.source("columns"),
        fontSize=SMALLEST_FONT,
        opacity=0.7,
        align="center" if upright else "right",
        baseline="top" if upright else "middle",
        angle=alt.Undefined if upright else 270,
    )
    total = alt.Text("total:Q", format=".2f")
    return [
        rows.encode(
            grid.y,
            x=alt.XValue(grid.width + 5),
            text=total,
            tooltip=r.tips(total=("figures-heatmap-row-sum", ".6f")),
        ),
        columns.encode(
            grid.x,
            y=alt.YValue(grid.height + 4),
            text=total,
            tooltip=r.tips(label="figures-key", total=("figures-heatmap-column-sum", ".4f")),
        ),
    ]
