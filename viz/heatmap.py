"""One head in detail: a matrix of weights and, below it, the row under the pointer as bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.measures import row_ranks
from records import AttentionMap

from . import chart
from .chart import QUIET, Part
from .figure import Figure
from .labels import font_size
from .look import say
from .matrix import Grid, cell_places, edge, pair_names
from .theme import INK, SELECTION, SELECTION_TEXT, Palette, palette_of

_BARS = 84
_UPRIGHT = 24  # pixels a column needs for a number that is not turned
_LABELS = {"query": "data('rows')[datum.q].label", "key": "data('columns')[datum.k].label"}
_HOVERED_OR_LOCKED = (
    "isValid(row.q) && isValid(row.q[0]) ? indexof(row.q, datum.q) >= 0 : datum.locked"
)


def attention_cells(
    attention: AttentionMap,
    layer: int,
    head: int,
    *,
    row_tokens: Sequence[str] | None = None,
    barred_row: int | None = None,
    contrast: bool = False,
    d_k: int | None = None,
) -> pd.DataFrame:
    """One line for each cell, those a query may not look at included.

    Parameters
    ----------
    row_tokens : the labels' tokens for the rows, `attention.query_tokens` unless given.
    barred_row : the row marked in the column `locked`, whose weights stand below as bars.
    contrast : the column `shade` is the weight divided by the largest of its row.
    d_k : width of one head's vectors; with it the product q·k is given too.

    Returns
    -------
    DataFrame with the columns q, k (positions from 0), query, key (labels with the position from
    1), weight (0 to 1), rank (1 = largest of its row), shade (0 to 1, what the colour shows),
    locked, seen (False where masked), and where the map holds scores: score (q·k divided
    by sqrt(d_k), before the mask) and product (q·k).
    """
    weights = attention.head(layer, head)
    seen = np.ones(weights.shape, bool) if attention.mask is None else attention.mask
    largest = weights.max(axis=1, keepdims=True)
    shade = weights / np.where(largest > 0, largest, 1.0) if contrast else weights
    places = cell_places(weights.shape, row_tokens or attention.query_tokens, attention.key_tokens)
    table = {
        **places,
        "weight": weights.ravel().astype(np.float32),
        "rank": row_ranks(weights).ravel().astype(np.int16),
        "shade": shade.ravel().astype(np.float32),
        "locked": places["q"] == (-1 if barred_row is None else barred_row),
        "seen": seen.ravel(),
    }
    if attention.scores is not None:
        scores = attention.scores[layer, head].ravel().astype(np.float32)
        table["score"] = scores
        if d_k is not None:
            table["product"] = scores * np.float32(np.sqrt(d_k))
    return pd.DataFrame(table)


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
) -> Figure:
    """Matrix, totals and bars of one head.

    Nothing to click; the selection `row` follows the pointer and stays in the browser. Numbers to
    the right are the sums of the rows, numbers below those of the columns. `colour_title` says what
    the colours show when they are not weights. The other arguments are those of `attention_cells`;
    the bars show the row under the pointer, or else the first of `locked_rows`.
    """
    row_tokens = tuple(row_tokens or attention.query_tokens)
    cells = attention_cells(
        attention,
        layer,
        head,
        row_tokens=row_tokens,
        barred_row=locked_rows[0] if locked_rows else None,
        contrast=contrast,
        d_k=d_k,
    )
    weights = attention.head(layer, head)
    rows = edge(row_tokens, "q", **_edge(locked_rows, weights.sum(axis=1)))
    columns = edge(attention.key_tokens, "k", **_edge(locked_columns, weights.sum(axis=0)))
    grid = Grid.of(rows, columns)
    drawing = _Drawing(
        grid,
        palette_of(attention.site),
        colour_title or say("figures-weight"),
        contrast,
        attention.mask is not None,
        tuple(name for name in ("product", "score") if name in cells),
        float(np.sqrt(d_k or 1)),
    )
    # The browser turns every cell into an object: what it can look up or work out stays out.
    spared = ["query", "key", "product", *([] if contrast else ["shade"])]
    spared += [] if drawing.masked else ["seen"]
    tables = {"cells": cells.drop(columns=spared, errors="ignore"), "rows": rows}
    return Figure(
        drawing.chart(),
        {**tables, "columns": columns},
        "",
        width=round(grid.width) + grid.row_room + 90,
    )


def _edge(locked: Sequence[int], totals: np.ndarray) -> dict[str, np.ndarray]:
    """Columns of an edge: whether a place is locked, and what its cells sum up to."""
    return {
        "locked": np.isin(np.arange(len(totals)), list(locked)),
        "total": totals.astype(np.float32),
    }


@dataclass(frozen=True)
class _Drawing:
    """All that shapes the specification; what differs between heads is in the tables."""

    grid: Grid
    palette: Palette
    what: str
    contrast: bool
    masked: bool
    numbers: tuple[str, ...]
    sqrt_d_k: float

    def chart(self) -> Part:
        grid, row = self.grid, chart.hover("row", "q")
        # It stays where the pointer was: a cell that went away under it would come back at once.
        at = chart.selection("at", ("q", "k"), on="pointermove", clear=False, toggle=False)
        nothing = {"fill": "transparent", **QUIET}
        locked, named = (("datum.locked", red) for red in (SELECTION, SELECTION_TEXT))
        layers = [
            # Catches the pointer where masked cells are absent.
            self._row(chart.mark("rect", **nothing), 0),
            grid.cells(
                {"tooltip": None},
                where=self._seen(),
                params=(row, at),
                color=self._colour(),
            ),
            # Nothing to see, but the pointer finds them.
            *([grid.cells(nothing, where="!datum.seen")] if self.masked else []),
            self._row(
                chart.mark("rect", filled=False, strokeWidth=2, **QUIET),
                -1,
                stroke=chart.when(locked, (row, INK), otherwise="transparent"),
            ),
            self._pointed_cell(at),
            grid.row_labels(chart.when(named, otherwise=INK)),
            grid.column_labels(chart.when(named, otherwise=INK)),
            self._row_totals(),
            self._column_totals(),
        ]
        scales = {"x": "independent", "y": "independent", "color": "independent"}
        return chart.whole(
            {"vconcat": [grid.drawn(*layers), self._bars()], "spacing": 14},
            right=46,
            resolve={"scale": scales},
        )

    def _seen(self) -> str | None:
        """The cells a query may look at."""
        return "datum.seen" if self.masked else None

    def _row(self, mark: Part, start: float, **shown: Any) -> Part:
        ends = {"x": chart.value(start), "x2": chart.value(self.grid.width)}
        return chart.draw("rows", mark, y=self.grid.y, **ends, **shown)

    def _colour(self) -> Part:
        title = say("figures-heatmap-contrast", what=self.what) if self.contrast else self.what
        return chart.share_colour(
            "shade:Q" if self.contrast else "weight:Q",
            self.palette.ramp,
            title=title,
            offset=18 if self._upright else 34,  # room for the totals of the columns
            titleLimit=240,
        )

    def _pointed_cell(self, at: Part) -> Part:
        """The numbers of the cell under the pointer, of masked ones too.

        A layer of its own that holds one cell: Vega would work out the tooltips of all cells at
        every drawing, a third of the time of a large one.
        """
        product = {"product": f"datum.score * {self.sqrt_d_k!r}"}
        scores = [(f"{name}:Q", say(f"figures-heatmap-{name}"), ".3f") for name in self.numbers]
        return self.grid.cells(
            {"fill": "transparent", "aria": False},
            where=at,
            calculate={
                **_LABELS,
                **(product if "product" in self.numbers else {}),
                **({} if self.masked else {"seen": "true"}),
            },
            tooltip=chart.told(
                *pair_names(),
                *scores,
                *([("seen:N", say("figures-heatmap-may-look"))] if scores else []),
                ("weight:Q", self.what, ".4f"),
                ("rank:Q", say("figures-heatmap-rank")),
            ),
        )

    @property
    def _upright(self) -> bool:
        return self.grid.across >= _UPRIGHT

    def _row_totals(self) -> Part:
        style = {"opacity": 0.7, "fontSize": min(font_size(self.grid.down), 10)}
        return chart.draw(
            "rows",
            chart.text(align="left", **style),
            y=self.grid.y,
            x=chart.value(self.grid.width + 5),
            text=chart.field("total:Q", format=".2f"),
            tooltip=chart.told(("total:Q", say("figures-heatmap-row-sum"), ".6f")),
        )

    def _column_totals(self) -> Part:
        style = {"opacity": 0.7, "fontSize": min(font_size(self.grid.across), 10)}
        turned = {"align": "right", "angle": 270}
        upright = {"align": "center", "baseline": "top", "angle": 0}
        return chart.draw(
            "columns",
            chart.text(**style, **(upright if self._upright else turned)),
            x=self.grid.x,
            y=chart.value(self.grid.height + 4),
            text=chart.field("total:Q", format=".2f"),
            tooltip=chart.told(
                ("label:N", say("figures-key")),
                ("total:Q", say("figures-heatmap-column-sum"), ".4f"),
            ),
        )

    def _bars(self) -> Part:
        """The weights of the row under the pointer, or else of the locked one."""
        x = chart.field("k:O", scale=chart.places(self.grid.n_columns), axis=None)
        axis = {"values": [0, 0.5, 1], "grid": True, "gridOpacity": 0.4, "tickSize": 3}
        y = chart.field("weight:Q", title=self.what, scale={"domain": [0, 1]}, axis=axis)
        shown = f"({_HOVERED_OR_LOCKED})" + (" && datum.seen" if self.masked else "")
        bars = chart.draw(
            "cells",
            chart.mark("bar", color=self.palette.accent),
            where=shown,
            calculate=_LABELS,
            x=x,
            y=y,
            tooltip=chart.told(*pair_names(), ("weight:Q", self.what, ".4f")),
        )
        upright = {"angle": 0, "align": "center", "baseline": "bottom", "dy": -2, "dx": 0}
        turned = {"angle": 270, "align": "left", "baseline": "middle", "dy": 0, "dx": 3}
        style = {"fontSize": min(10.0, font_size(self.grid.across)), "clip": False}
        numbers = chart.draw(
            "cells",
            chart.text(**style, **(upright if self._upright else turned)),
            where=f"{shown} && datum.weight >= 0.01",
            x=x,
            y=y,
            text=chart.field("weight:Q", format=".2f"),
        )
        return chart.layered(bars, numbers, width=self.grid.width, height=_BARS)
