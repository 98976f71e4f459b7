"""Small matrix of ready-made cells, for weights and their differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import altair as alt
import pandas as pd

from core.weights.tables import labelled

from . import recipes as r
from .figure import Figure, drawn
from .grid import Grid, small_grid
from .theme import diverging_ramp

SELECTION_NAME = "cell"

Tokens = Sequence[str]


@dataclass(frozen=True)
class MatrixOptions:
    """Look of a small matrix, besides its labels and numbers."""

    title: str  # of the colour bar
    scale: tuple[str, ...] | float  # a ramp for weights, or the limit of one for differences
    room: float = 184  # pixels of the longer side, for a sentence of ordinary length
    value: str = "value"  # the column of the numbers
    listed: tuple[str, ...] = ()  # titles of columns of the tooltip, named by their last words
    # the titles of the queries and of the keys; None for none
    axes: tuple[str | None, str] = ("figures-matrix-query-attends", "figures-matrix-key")
    hatched: bool = False  # cells may be forbidden, in the column `hatched`
    clicks: bool = False  # cells can be clicked
    over: Callable[[], list[alt.Chart]] = list  # function that draws marks on the cells
    step: tuple[float, float] | None = None  # pixels across and down; without it cells are square


def small_matrix(
    cells: pd.DataFrame,
    rows: Sequence[str],
    columns: Sequence[str],
    options: MatrixOptions,
    windows: pd.DataFrame | None = None,
) -> Figure:
    """Draw ready-made cells between labels; `windows` is a table for marks on them."""
    tables = {"cells": cells, "rows": labelled(rows, "q"), "columns": labelled(columns, "k")}
    tables |= {} if windows is None else {"windows": windows}
    return drawn(_matrix, tables, size=(len(rows), len(columns)), options=options)


def _matrix(size: tuple[int, int], options: MatrixOptions) -> alt.LayerChart:
    value = options.value
    title = options.title
    scale = options.scale
    if isinstance(scale, tuple):
        where = "datum.seen && !datum.hatched"
        form = ".4f"
        colour = r.share_colour(value, scale, title)
    else:
        where = "datum.seen"
        form = "+.4f"
        colour = r.signed_colour(value, diverging_ramp(), scale, title)
    columns: dict[str, r.Tip] = {id.split("-")[-1]: (id, ".4f") for id in options.listed}
    columns |= {value: (title, form)}
    columns |= {"hatched": "figures-effect-forbidden"} if options.hatched else {}
    query, key = options.axes
    if options.step:
        grid = Grid(*size, options.step, query=query, key=key, font=10)
    else:
        grid = small_grid(*size, options.room, query=query, key=key)
    return grid.matrix(
        colour,
        r.pair_tips(columns),
        where=where,
        hatched=options.hatched,
        clicks=r.click(SELECTION_NAME, "q", "k", "click") if options.clicks else None,
        more=options.over(),
    )
