"""Figures of one head in several maps side by side, and of all heads for a single token."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from core.records.attention import CROSS, Measure
from core.weights.maps import NamedMap, head_rows_cells, map_cells
from core.weights.tables import edge, labelled

from . import recipes as r
from .figure import Figure, drawn
from .grid import Grid, small_grid
from .labels import head_name
from .style import say
from .theme import Site, palette_of


def map_row(
    maps: Sequence[NamedMap], site: Site, *, room: int = 190, measure: Measure = "weight"
) -> Figure:
    """Draw several maps of one site as small matrices with one scale from 0 to 1; without clicks.

    They stand in two columns, their cells in `room` pixels. `measure`: quantity of the maps.

    Raises
    ------
    ValueError : there are no maps.
    """
    if not maps:
        raise ValueError("no maps to draw")
    rows = pd.concat([edge(named.row_tokens, "q") for named in maps])
    keys = pd.concat([edge(named.key_tokens, "k") for named in maps])
    tables = {"rows": rows, "columns": keys, "cells": map_cells(maps).drop(columns="map")}
    panels = tuple((named.title, named.weights.shape) for named in maps)
    return drawn(
        _map_row,
        tables,
        panels=panels,
        ramp=palette_of(site).ramp,
        room=room,
        what=f"figures-{measure}",
    )


def _map_row(
    panels: tuple[tuple[str, tuple[int, int]], ...], ramp: tuple[str, ...], room: int, what: str
) -> alt.ConcatChart:
    """Build the matrices; each reads its slice of the shared tables of labels."""
    colour = r.share_colour("weight", ramp, what)
    tooltip = r.pair_tips(weight=(what, ".4f"))
    # One step for all maps, so that equal cells have equal size.
    n_rows, n_columns = np.max([size for _, size in panels], axis=0)
    step = small_grid(n_rows, n_columns, room).step
    drawings = []
    starts = (0, 0)
    for panel, (title, size) in enumerate(panels):
        grid = Grid(
            *size,
            step,
            starts=starts,
            query="figures-matrix-query",
            where=f"datum.panel === {panel}",
        )
        drawings.append(grid.matrix(colour, tooltip, title=title))
        starts = starts[0] + size[0], starts[1] + size[1]
    scales = {"x": "independent", "y": "independent", "color": "shared"}
    return r.wrapped(*drawings, columns=2, resolve={"scale": scales})


def head_rows(
    weights: np.ndarray,
    key_tokens: Sequence[str],
    *,
    site: Site = CROSS,
    only: Sequence[tuple[int, int]] | None = None,
    room: float = 420,
    measure: Measure = "weight",
) -> Figure:
    """Draw a matrix of heads by keys, layers set apart, colours from 0 to 1; without clicks.

    `weights`, `key_tokens` and errors as in `core.weights.maps.head_rows_cells`; `only` names the
    heads to show, from top to bottom. `room`: pixels across for a sentence of ordinary length.
    `measure`: quantity of the weights; a row of "normed" is a layer.
    """
    every = list(np.ndindex(weights.shape[:2]))
    normed = measure == "normed"
    names = [head_name(*at) for at in every] if len(every) > 1 else [say("head-single")]
    names = [say("layer-name", layer=layer + 1) for layer, _ in every] if normed else names
    heads = pd.DataFrame(only or every, columns=["layer", "head"])
    # Without a choice, a line is left free between layers.
    heads["place"] = heads.index + (0 if only else heads["layer"])
    labels = [""] * (1 + int(heads["place"].max()))
    for layer, head, row in heads.itertuples(index=False) if len(every) > 1 else ():
        code = "figures-layer-code" if normed else "figures-head-code"
        labels[row] = say(code, layer=layer + 1, head=head + 1)
    tables = {"cells": head_rows_cells(weights, key_tokens, names).merge(heads)}
    tables |= {"rows": labelled(labels, "place"), "columns": edge(key_tokens, "place")}
    size = len(labels), len(key_tokens)
    return drawn(
        _head_rows,
        tables,
        size=size,
        ramp=palette_of(site).ramp,
        room=room,
        what=f"figures-{measure}",
    )


def _head_rows(
    size: tuple[int, int], ramp: tuple[str, ...], room: float, what: str
) -> alt.LayerChart:
    step = max(12.0, min(room / 15, room / size[1])), max(12.0, min(16.0, 485 / size[0]))
    grid = Grid(*size, step, query=None, key=None)
    cells = grid.cells(calculate={"q": "datum.place"})
    tooltip = r.tips(name="figures-head", key="figures-looks-at", weight=(what, ".4f"))
    return grid.drawn(cells.encode(color=r.share_colour("weight", ramp, what), tooltip=tooltip))
