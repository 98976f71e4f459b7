"""Matrix of tokens: its axes, its cells and marks on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from . import recipes as r
from .labels import font_size
from .theme import INK

LABELS = {"query": "data('rows')[datum.q].label", "key": "data('columns')[datum.k].label"}
"""Expressions of a cell's names, from the tables of its axes."""
SMALLEST = 11.0  # pixels of a cell
UPRIGHT = 13.0  # pixels of a column, below which its name stands upright
_LONG_TITLE = "figures-matrix-query-attends"
_ROOM_OF_LONG = 130.0  # pixels of all rows beside which that title fits
_SHORT_TITLE = 80.0  # pixels of a title of few letters
_HATCH = "M-1,-0.2L-0.2,-1M-1,1L1,-1M0.2,1L1,0.2"
"""Three diagonal strokes as an SVG path in a square from -1 to 1."""


@dataclass(frozen=True)
class Grid:
    """Axes of a matrix, queries down and keys across, and marks on its cells."""

    n_rows: int  # n_rows, n_columns: numbers of queries and keys
    n_columns: int
    step: tuple[float, float]  # pixels from one column to the next and from one row to the next
    rows: str = "rows"  # rows, columns: the tables of the labels, of `edge`
    columns: str = "columns"
    # the rows of those tables at which this matrix begins, where several share them
    starts: tuple[int, int] = (0, 0)
    chosen: str = ""  # a column of both that marks labels, "" for none
    # query, key: titles of the axes; None for none
    query: str | None = _LONG_TITLE
    key: str | None = "figures-matrix-key"
    # a test for the rows of `cells` that belong to this matrix, if several share it
    where: str | None = None
    bare: str = ""  # "x", "y" or both: the axes that have no labels, beside a matrix that has them
    font: float = 0.0  # least size of the labels, 0 for what fits the step

    @property
    def width(self) -> float:
        return self.n_columns * self.step[0]

    @property
    def height(self) -> float:
        return self.n_rows * self.step[1]

    @property
    def x(self) -> alt.X:
        """Channel of the keys, with their labels."""
        axis = None
        if "x" not in self.bare:
            axis = self._labels(self.columns, self.step[0], self.starts[1], slanted=True)
            if self.width < _SHORT_TITLE:
                # From the first column on: centred, it would run into the title of the rows.
                axis["titleAnchor"] = "start"
        return alt.X("k:O", title=r.title_of(self.key), scale=r.places(self.n_columns), axis=axis)

    @property
    def y(self) -> alt.Y:
        """Channel of the queries, with their labels."""
        axis = None
        if "y" not in self.bare:
            axis = self._labels(self.rows, self.step[1], self.starts[0])
        title = self.query
        if title == _LONG_TITLE and self.height < _ROOM_OF_LONG:
            title = "figures-matrix-query"
        return alt.Y("q:O", title=r.title_of(title), scale=r.places(self.n_rows), axis=axis)

    def _labels(self, table: str, step: float, start: int, *, slanted: bool = False) -> alt.Axis:
        # Closer together, slanted words would lie on each other.
        upright: dict[str, Any] = {}
        if slanted and step < UPRIGHT:
            upright = {"labelAngle": -90, "labelBaseline": "middle"}
        return r.label_axis(
            table,
            step,
            start=start,
            chosen=self.chosen,
            slanted=slanted,
            **upright,
            # Token labels are short, so Vega need not measure them to cut them.
            labelLimit=0,
            labelFontSize=max(self.font, font_size(step)),
        )

    def cells(
        self, *, where: Any = None, calculate: Mapping[str, str] | None = None, **style: Any
    ) -> alt.Chart:
        """Return a rectangle of this style for each cell of the table `cells`."""
        where = f"{self.where} && {where}" if self.where and where else self.where or where
        marks = r.source("cells", where, **(calculate or {})).mark_rect(**style)
        return marks.encode(x=self.x, y=self.y)

    def hatches(self) -> alt.Chart:
        """Return hatching instead of colour, for cells that a mask or an intervention forbids."""
        return self.cells(where="datum.hatched").mark_point(
            shape=_HATCH,
            # Vega sizes a mark by its area.
            size=(min(self.step) * 0.8) ** 2,
            filled=False,
            strokeWidth=1,
            stroke=INK,
            opacity=0.6,
            tooltip=None,
            aria=False,
        )

    def row(self, where: Any = None, start: float = 0, **style: Any) -> alt.Chart:
        """Return a rectangle over each whole row of labels, `start` pixels from the left."""
        marks = r.source(self.rows, where).mark_rect(**style)
        # The scale of `y` is shared by name, so rows stand where their cells do.
        return marks.encode(y=self.y, x=alt.XValue(start), x2=alt.X2Value(self.width))

    def drawn(self, *layers: alt.Chart, **properties: Any) -> alt.LayerChart:
        """Layer the marks with the labels, at the size of this matrix."""
        labels = r.kept(self.rows, y=self.y), r.kept(self.columns, x=self.x)
        return r.layered(*layers, *labels, width=self.width, height=self.height, **properties)

    def matrix(
        self,
        colour: r.Colour,
        tooltip: list[alt.Tooltip],
        *,
        where: Any = None,
        hatched: bool = False,
        clicks: alt.Parameter | None = None,
        more: Sequence[alt.Chart] = (),
        **properties: Any,
    ) -> alt.LayerChart:
        """Draw a matrix of coloured cells from the tables `cells`, `rows` and `columns`.

        `where`: a test for the coloured cells. `hatched`: cells may be forbidden, in their column
        `hatched`. `clicks`: a selection of cells; cells without a colour can be clicked too.
        """
        if clicks:
            layers = [self.cells(where=where, tooltip=None, aria=False).encode(color=colour)]
        else:
            layers = [self.cells(where=where, aria=False).encode(color=colour, tooltip=tooltip)]
        layers += [self.hatches()] * hatched
        # A transparent copy on top takes the pointer, because hatching and colours are separate
        # marks.
        if clicks:
            touch = self.cells(fill="transparent", cursor="pointer").encode(tooltip=tooltip)
            layers.append(touch.add_params(clicks))
        elif hatched:
            touch = self.cells(where="datum.hatched", fill="transparent", aria=False)
            layers.append(touch.encode(tooltip=tooltip))
        return self.drawn(*layers, *more, **properties)


def small_grid(
    n_rows: int, n_columns: int, room: float, *, largest: float = 26.0, **options: Any
) -> Grid:
    """Return a grid of square cells, its longer side `room` pixels for an ordinary sentence."""
    # Between a readable cell and the `largest`, which does not waste room.
    step = max(SMALLEST, min(largest, room / max(n_rows, n_columns)))
    return Grid(n_rows, n_columns, (step, step), **options)
