"""A matrix of tokens by tokens: places as axes, tokens as labels, a colour for each cell.

Repeated words keep rows and columns of their own because the axes are positions. A figure takes
the tables from here, puts its own numbers into them and its own layers on the `Grid`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .chart import QUIET, Part, draw, field, layered, mark, places, text, value
from .labels import MOST_ROOM, distinct_labels, font_size, label_room, numbered_labels
from .look import say
from .theme import INK

LARGEST, SMALLEST = 28.0, 11.0
_ROOM = 366  # pixels for the columns of a sentence of ordinary length
_HATCH = "M-1,-0.2L-0.2,-1M-1,1L1,-1M0.2,1L1,0.2"


def cell_size(n_rows: int, n_columns: int) -> tuple[float, float]:
    """Pixels from one column to the next, and from one row to the next."""
    across = max(SMALLEST, min(LARGEST, _ROOM / n_columns))
    return across, max(SMALLEST, min(LARGEST, across * 1.3, _ROOM / n_rows))


def places_of(
    rows: np.ndarray, columns: np.ndarray, query_labels: Sequence[str], key_labels: Sequence[str]
) -> dict[str, Any]:
    """Columns that say where cells are: q, k (from 0), query, key (their labels)."""
    query, key = (np.array(labels, dtype=object) for labels in (query_labels, key_labels))
    return {
        "q": rows.astype(np.int16),
        "k": columns.astype(np.int16),
        "query": pd.Categorical.from_codes(rows, query),
        "key": pd.Categorical.from_codes(columns, key),
    }


def cell_places(
    shape: tuple[int, int], query_tokens: Sequence[str], key_tokens: Sequence[str]
) -> dict[str, Any]:
    """`places_of` every cell, row by row, labels with the position from 1."""
    rows, columns = (axis.ravel() for axis in np.indices(shape))
    return places_of(rows, columns, numbered_labels(query_tokens), numbered_labels(key_tokens))


def pair_names() -> list[tuple[str, str]]:
    """The first two lines of a cell's tooltip."""
    return [("query:N", say("figures-query")), ("key:N", say("figures-key"))]


def edge(tokens: Sequence[str], position: str, **columns: Any) -> pd.DataFrame:
    """One line a row or column: its place under the name `position`, its label, and `columns`."""
    return labelled(distinct_labels(tokens), position, **columns)


def labelled(labels: Sequence[str], position: str, **columns: Any) -> pd.DataFrame:
    """As `edge`, of labels that are there already."""
    at = np.arange(len(labels), dtype=np.int16)
    return pd.DataFrame({position: at, "label": np.array(labels, dtype=object), **columns})


@dataclass(frozen=True)
class Grid:
    """Where the cells and labels of one matrix go.

    Attributes
    ----------
    n_rows, n_columns : how many queries and keys.
    across, down : pixels from one column to the next, and from one row to the next.
    row_room, column_room : pixels for the longest label beside the rows and above the columns.
    row_title, column_title : of the axes.
    only : a test for the lines of the tables that belong to this matrix, where several share them.
    """

    n_rows: int
    n_columns: int
    across: float
    down: float
    row_room: int
    column_room: int
    row_title: str
    column_title: str
    only: str | None = None

    @classmethod
    def of(
        cls,
        rows: pd.DataFrame,
        columns: pd.DataFrame,
        size: tuple[float, float] | None = None,
        *,
        row_title: str = "figures-matrix-query-attends",
        column_title: str = "figures-matrix-key",
    ) -> Grid:
        """For tables of `edge`; `size` is `cell_size` unless given, titles are message ids."""
        across, down = size or cell_size(len(rows), len(columns))
        rooms = label_room(rows["label"], down), label_room(columns["label"], across)
        return cls(len(rows), len(columns), across, down, *rooms, say(row_title), say(column_title))

    @property
    def width(self) -> float:
        return self.n_columns * self.across

    @property
    def height(self) -> float:
        return self.n_rows * self.down

    @property
    def x(self) -> Part:
        axis = _axis(self.column_room * 0.78, orient="top")
        return field("k:O", title=self.column_title, scale=places(self.n_columns), axis=axis)

    @property
    def y(self) -> Part:
        axis = _axis(self.row_room)
        return field("q:O", title=self.row_title, scale=places(self.n_rows), axis=axis)

    def cells(
        self,
        style: Part,
        *,
        where: Any = None,
        calculate: Any = None,
        params: Sequence[Part] = (),
        **shown: Any,
    ) -> Part:
        """A rectangle of this style for each cell of the table `cells`."""
        return draw(
            "cells", mark("rect", **style), where=self._own(where), calculate=calculate,
            params=params, x=self.x, y=self.y, **shown,
        )  # fmt: skip

    def hatches(self, where: str = "datum.hatched") -> Part:
        """Hatching instead of colour: what a mask or a change forbids."""
        size = (min(self.across, self.down) * 0.8) ** 2
        style = {"shape": _HATCH, "size": size, "filled": False, "strokeWidth": 1, "stroke": INK}
        drawn = mark("point", **style, opacity=0.6, **QUIET)
        return draw("cells", drawn, where=self._own(where), x=self.x, y=self.y)

    def row_labels(self, colour: Part | None = None, **style: Any) -> Part:
        words = _words(self.down, align="right", **style)
        return draw(
            "rows", words, where=self.only, x=value(-6), y=self.y, text="label:N", **_ink(colour)
        )

    def column_labels(self, colour: Part | None = None) -> Part:
        words = _words(self.across, align="left", angle=310)
        return draw(
            "columns", words, where=self.only, x=self.x, y=value(-8), text="label:N", **_ink(colour)
        )

    def drawn(self, *layers: Part, **properties: Any) -> Part:
        """The layers at the size of this matrix."""
        return layered(*layers, width=self.width, height=self.height, **properties)

    def _own(self, where: Any) -> Any:
        if self.only is None or where is None:
            return self.only if where is None else where
        return f"{self.only} && {where}"


def _axis(room: float, **more: Any) -> Part:
    return {"titlePadding": room + 12, "labels": False, "ticks": False, "domain": False, **more}


def _words(step: float, **style: Any) -> Part:
    return text(fontSize=font_size(step), limit=MOST_ROOM, **style)


def _ink(colour: Part | None) -> Part:
    return {} if colour is None else {"color": colour}
