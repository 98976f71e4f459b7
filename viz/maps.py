"""Several maps of one head beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from records import AttentionMap, AttentionSite

from . import chart
from .figure import Figure
from .labels import label_room, numbered_labels
from .look import say
from .matrix import Grid, edge, pair_names, places_of
from .theme import palette_of

_ROOM = 190


@dataclass(frozen=True, eq=False)
class NamedMap:
    """One head's weights (T_q, T_k) and what to write above and beside them."""

    title: str
    weights: np.ndarray
    row_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    mask: np.ndarray | None = None

    @classmethod
    def of(
        cls, title: str, attention: AttentionMap, layer: int, head: int, *, produced: bool = False
    ) -> NamedMap:
        """A head of a map; `produced` names rows by the token they produce."""
        rows = attention.output_tokens if produced else attention.query_tokens
        return cls(
            title,
            attention.head(layer, head),
            tuple(rows or attention.query_tokens),
            tuple(attention.key_tokens),
            attention.mask_of(layer, head),
        )


def map_cells(maps: Sequence[NamedMap]) -> pd.DataFrame:
    """One line for each map and cell that a query may look at.

    Returns
    -------
    DataFrame with the columns panel, q, k (from 0), map (its title), query, key (labels with
    positions from 1) and weight.
    """
    lines = []
    for place, entry in enumerate(maps):
        seen = np.ones(entry.weights.shape, bool) if entry.mask is None else entry.mask
        rows, columns = np.nonzero(seen)
        labels = numbered_labels(entry.row_tokens), numbered_labels(entry.key_tokens)
        lines.append(
            pd.DataFrame(
                {
                    "panel": np.full(len(rows), place, np.int16),
                    **places_of(rows, columns, *labels),
                    "map": entry.title,
                    "weight": entry.weights[rows, columns].astype(np.float32),
                }
            ).astype({"query": object, "key": object})
        )
    return pd.concat(lines, ignore_index=True)


def map_row(
    maps: Sequence[NamedMap], kind: AttentionSite | str, *, columns: int = 2, room: int = _ROOM
) -> Figure:
    """Several maps of one site as small matrices with one scale from 0 to 1. Nothing to click.

    Parameters
    ----------
    columns : maps side by side.
    room : pixels for the cells of a sentence of ordinary length.

    Raises
    ------
    ValueError : no maps.
    """
    if not maps:
        raise ValueError("no maps to draw")
    largest = max(max(entry.weights.shape) for entry in maps)
    cell = max(8.0, min(26.0, room / largest))
    edges = [(edge(m.row_tokens, "q"), edge(m.key_tokens, "k")) for m in maps]
    ramp = palette_of(kind).ramp
    titles = {"row_title": "figures-matrix-query", "column_title": "figures-matrix-key"}
    rooms = [label_room(pd.concat(side)["label"], cell) for side in zip(*edges, strict=True)]
    panels = []
    for place, (entry, sides) in enumerate(zip(maps, edges, strict=True)):
        grid = Grid.of(*sides, (cell, cell), **titles)
        grid = replace(
            grid, row_room=rooms[0], column_room=rooms[1], only=f"datum.panel === {place}"
        )
        colour = chart.share_colour("weight:Q", ramp, title=say("figures-weight"), offset=8)
        told = chart.told(*pair_names(), ("weight:Q", say("figures-weight"), ".4f"))
        title = {"text": entry.title, "anchor": "start", "fontSize": 12, "offset": 6}
        cells = grid.cells({}, color=colour, tooltip=told)
        panels.append(grid.drawn(cells, grid.row_labels(), grid.column_labels(), title=title))
    rows, keys = (
        pd.concat(
            [each.assign(panel=np.int16(i)) for i, each in enumerate(side)], ignore_index=True
        )
        for side in zip(*edges, strict=True)
    )
    width = min(columns, len(maps)) * (largest * cell + rooms[0] + 50)
    whole = chart.whole(
        {"concat": panels, "columns": columns, "spacing": {"row": 16, "column": 20}},
        right=24,
        resolve={"scale": {"x": "independent", "y": "independent", "color": "shared"}},
        autosize="pad",
    )
    tables = {"cells": map_cells(maps).drop(columns=["map"]), "rows": rows, "columns": keys}
    return Figure(whole, tables, "", width=round(width) + 20)
