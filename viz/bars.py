"""Bars over tokens or heads: their names beside or below, and more than the bar to point at.

Bars of small numbers are too thin for a finger, so the whole line or column of a bar carries its
tooltip and takes its click. Which bar is marked, and how, is each figure's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .chart import Part, draw, field, mark, places, text, value
from .labels import MOST_ROOM

FONT = 12.0  # of names beside horizontal bars


@dataclass(frozen=True)
class Lines:
    """Horizontal bars: one line of a table each, by its column `place`.

    Attributes
    ----------
    table : where the lines are.
    n : how many there are; None where the chart is the same for any number.
    inner : the part of a line left free below its bar.
    """

    table: str
    n: int | None
    inner: float = 0.2

    @property
    def y(self) -> Part:
        some = {"paddingInner": self.inner, "paddingOuter": 0.1}
        scale = some if self.n is None else places(self.n, self.inner, None)
        return field("place:O", scale=scale, axis=None)

    def bars(self, x: Part, style: Part | None = None, **shown: Any) -> Part:
        return draw(self.table, mark("bar", **(style or {})), x=x, y=self.y, **shown)

    def names(self, *, size: float = FONT, room: float = MOST_ROOM, **shown: Any) -> Part:
        """The column `label` to the left of zero."""
        words = text(align="right", fontSize=size, limit=room)
        return draw(self.table, words, x=value(-8), y=self.y, **{"text": "label:N", **shown})

    def numbers(self, x: Part, words: str, **style: Any) -> Part:
        """A column of texts at the end of each bar."""
        style = {"align": "left", "fontSize": FONT, **style}
        return draw(self.table, text(**style), x=x, y=self.y, text=words)

    def areas(
        self, left: float, right: float, tooltip: list[Part], *, params: Sequence[Part] = ()
    ) -> Part:
        """What the pointer finds: the whole line, from `left` to `right` in pixels."""
        ends = {"x": value(left), "x2": value(right)}
        return draw(self.table, _area(params), params=params, y=self.y, **ends, tooltip=tooltip)


@dataclass(frozen=True)
class Columns:
    """Upright bars, each at the place `x` says.

    Attributes
    ----------
    table : where they are, one line each.
    x : the middle of a bar, or its band.
    height : pixels of the drawing.
    """

    table: str
    x: Part
    height: float

    def names(self, below: float, *, size: float, angle: int = 310, **shown: Any) -> Part:
        """The column `label` that many pixels below the bars, turned."""
        words = text(align="right", angle=angle, fontSize=size, limit=MOST_ROOM)
        at = value(self.height + below)
        return draw(self.table, words, x=self.x, y=at, **{"text": "label:N", **shown})

    def areas(
        self,
        tooltip: list[Part],
        *,
        below: float = 0,
        params: Sequence[Part] = (),
        style: Part | None = None,
        **shown: Any,
    ) -> Part:
        """What the pointer finds: the whole column and so many pixels `below` it."""
        ends = {"y": value(0), "y2": value(self.height + below)}
        return draw(
            self.table, _area(params, **(style or {})), params=params,
            **{"x": self.x, **ends, "tooltip": tooltip, **shown},
        )  # fmt: skip


def _area(params: Sequence[Part], **style: Any) -> Part:
    cursor = {"cursor": "pointer"} if params else {}
    return mark("rect", fill="transparent", **cursor, **style)
