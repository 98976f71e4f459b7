"""Several maps of one head beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from records import AttentionMap
from words import Words, english

from .figure import Figure, table
from .labels import distinct_labels, font_size, numbered_labels
from .order import PAD, bands, label_room, legend, row_labels
from .theme import INK, palette_of

_LABEL_LIMIT = 110.0
_MAP_ROOM = 190


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
        query = np.array(numbered_labels(entry.row_tokens), dtype=object)
        key = np.array(numbered_labels(entry.key_tokens), dtype=object)
        lines.append(
            pd.DataFrame(
                {
                    "panel": np.full(len(rows), place, np.int16),
                    "q": rows.astype(np.int16),
                    "k": columns.astype(np.int16),
                    "map": entry.title,
                    "query": query[rows],
                    "key": key[columns],
                    "weight": entry.weights[rows, columns].astype(np.float32),
                }
            )
        )
    return pd.concat(lines, ignore_index=True)


def map_row(
    maps: Sequence[NamedMap],
    kind: str,
    *,
    columns: int = 2,
    room: int = _MAP_ROOM,
    dark: bool = False,
    say: Words = english,
) -> Figure:
    """Several maps of one kind as small matrices with one scale from 0 to 1. Nothing to click.

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
    cells = map_cells(maps).drop(columns=["map"])
    sizes = tuple(entry.weights.shape for entry in maps)
    cell = max(8.0, min(26.0, room / max(max(size) for size in sizes)))
    edges = {
        name: pd.concat(
            [
                pd.DataFrame(
                    {
                        "panel": np.full(len(tokens), place, np.int16),
                        position: np.arange(len(tokens), dtype=np.int16),
                        "label": distinct_labels(tokens),
                    }
                )
                for place, tokens in enumerate(getattr(entry, f"{side}_tokens") for entry in maps)
            ],
            ignore_index=True,
        )
        for name, position, side in (("rows", "q", "row"), ("columns", "k", "key"))
    }
    size = font_size(cell)
    row_room, column_room = (label_room(edges[name]["label"], size) for name in ("rows", "columns"))
    chart = _map_chart(
        tuple(entry.title for entry in maps),
        sizes,
        kind,
        cell,
        row_room,
        column_room,
        columns,
        dark,
        say,
    )
    across = min(columns, len(maps))
    width = across * (max(s[1] for s in sizes) * cell + row_room + 50)
    return Figure(chart, {"cells": cells, **edges}, "", width=round(width) + 20)


@lru_cache(maxsize=64)
def _map_chart(
    titles: tuple[str, ...],
    sizes: tuple[tuple[int, int], ...],
    kind: str,
    cell: float,
    row_room: int,
    column_room: int,
    columns: int,
    dark: bool,
    say: Words,
) -> dict[str, Any]:
    quiet = {"labels": False, "ticks": False, "domain": False}
    size = font_size(cell)

    def panel(place: int, title: str, n_rows: int, n_columns: int) -> alt.LayerChart:
        only = f"datum.panel === {place}"
        x = alt.X(
            "k:O",
            title=say("positions-axis-key"),
            scale=bands(n_columns),
            axis=alt.Axis(orient="top", titlePadding=column_room * 0.78 + 10, **quiet),
        )
        y = alt.Y(
            "q:O",
            title=say("positions-axis-query"),
            scale=bands(n_rows),
            axis=alt.Axis(titlePadding=row_room + 16, **quiet),
        )
        cells = (
            alt.Chart(table("cells"))
            .transform_filter(only)
            .mark_rect()
            .encode(
                x=x,
                y=y,
                color=alt.Color(
                    "weight:Q",
                    scale=alt.Scale(
                        domain=[0, 1], range=list(palette_of(kind, dark=dark).ramp), clamp=True
                    ),
                    legend=legend(say("positions-weight"), ".2f", values=[0, 0.25, 0.5, 0.75, 1]),
                ),
                tooltip=[
                    alt.Tooltip("query:N", title=say("positions-query")),
                    alt.Tooltip("key:N", title=say("positions-key")),
                    alt.Tooltip("weight:Q", title=say("positions-weight"), format=".4f"),
                ],
            )
        )
        column_labels = (
            alt.Chart(table("columns"))
            .transform_filter(only)
            .mark_text(
                align="left", baseline="middle", fontSize=size, limit=_LABEL_LIMIT, angle=310,
                color=INK, tooltip=None,
            )
            .encode(x=x, y=alt.value(-8), text="label:N")
        )  # fmt: skip
        return alt.layer(cells, row_labels("q", y, size, only=only), column_labels).properties(
            width=n_columns * cell,
            height=n_rows * cell,
            title=alt.Title(title, anchor="start", fontSize=12, offset=6),
        )

    panels = [
        panel(place, title, *shape)
        for place, (title, shape) in enumerate(zip(titles, sizes, strict=True))
    ]
    return (
        alt.concat(*panels, columns=columns, spacing={"row": 16, "column": 20})
        .resolve_scale(x="independent", y="independent", color="shared")
        .properties(**PAD)
        .configure_view(stroke=None)
        .to_dict()
    )
