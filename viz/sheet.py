"""Matrices, bars and words in one drawing, all in pixels: small multiples on one sheet.

Where many matrices share one picture, each with its own colours and hatching, they are laid out by
hand. Long sentences are drawn as images, so that a sheet of seven matrices stays light.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from . import chart
from .chart import Part
from .figure import Figure
from .labels import distinct_labels, font_size, numbered_labels, text_width
from .look import say
from .matrix import pair_names, places_of
from .raster import data_url, mosaic_png
from .theme import INK, SELECTION, SELECTION_TEXT

SELECTION_NAME = "cell"
LABEL_LIMIT = 96.0
BAR_LEGEND = 46.0  # pixels below a matrix for its colour bar
_MOST_CELLS = 900  # more than these in one matrix are drawn as an image
_SMALLEST_LABEL = 11.0  # pixels from one label to the next
_BAR_WIDTH = 130.0


@dataclass(frozen=True)
class Area:
    """Where a matrix lies: its top left corner and the pixels from one cell to the next."""

    left: float
    top: float
    across: float
    down: float
    n_rows: int
    n_columns: int

    @property
    def right(self) -> float:
        return self.left + self.n_columns * self.across

    @property
    def bottom(self) -> float:
        return self.top + self.n_rows * self.down


@dataclass
class Sheet:
    """Matrices, bars and words in one drawing, all in pixels, collected and then made a figure."""

    click: int = 0
    cells: list[pd.DataFrame] = field(default_factory=list)
    images: list[dict[str, Any]] = field(default_factory=list)
    touch: list[pd.DataFrame] = field(default_factory=list)
    hatch: list[np.ndarray] = field(default_factory=list)
    texts: list[dict[str, Any]] = field(default_factory=list)
    frames: list[dict[str, Any]] = field(default_factory=list)
    bars: list[pd.DataFrame] = field(default_factory=list)
    limits: list[dict[str, Any]] = field(default_factory=list)
    colours: list[tuple[dict[str, Any], dict[str, Any] | None]] = field(default_factory=list)
    width: float = 0.0
    height: float = 0.0

    def matrix(
        self,
        grid: Area,
        values: np.ndarray,
        shown: np.ndarray,
        ramp: Sequence[str],
        limits: tuple[float, float],
        tokens: tuple[Sequence[str], Sequence[str]],
        *,
        what: str,
        legend: str | None = None,
        legend_left: float | None = None,
    ) -> None:
        """Coloured cells where `shown`; a colour bar below when `legend` has a title or is ""."""
        number = len(self.colours)
        low, high = limits
        self.touch.append(self._rows_of(grid, tokens[0]))
        if values.size > _MOST_CELLS:
            level = (values - low) / ((high - low) or 1.0)
            png = mosaic_png(
                np.where(shown, level, 0.0)[None, None], tuple(ramp), mask=shown, size=300
            )
            self.images.append({"image": len(self.images), **_corners(grid), "url": data_url(png)})
        else:
            rows, columns = np.nonzero(shown)
            self.cells.append(
                pd.DataFrame(
                    {
                        "panel": np.full(len(rows), number, np.int16),
                        **places_of(rows, columns, *map(numbered_labels, tokens)),
                        "what": what,
                        "value": values[rows, columns].astype(np.float32),
                        **_boxes(grid, rows, columns),
                        "click": np.full(len(rows), self.click, np.int32),
                    }
                )
            )
        self.limits += [{"panel": number, "value": float(value)} for value in limits]
        bar = None
        if legend is not None:
            bar = {
                "title": legend or None,
                "orient": "none",
                "legendX": grid.left if legend_left is None else legend_left,
                "legendY": grid.bottom + 8,
                "type": "gradient",
                "direction": "horizontal",
                "gradientLength": 110,
                "gradientThickness": 9,
                "labelFontSize": 10,
                "titleFontSize": 11,
                "titleLimit": 240,
                "tickCount": 3,
            }
        self.colours.append(({"range": list(ramp), "interpolate": "rgb", "nice": False}, bar))
        self.reach(grid.right, grid.bottom + (BAR_LEGEND if legend is not None else 0))

    def _rows_of(self, grid: Area, query_tokens: Sequence[str]) -> pd.DataFrame:
        """What the pointer finds where no cell is: rows."""
        rows = np.arange(grid.n_rows)
        top = grid.top + rows * grid.down
        return pd.DataFrame(
            {
                "q": rows.astype(np.int16),
                "k": np.full(len(rows), -1, np.int16),
                "query": numbered_labels(query_tokens),
                "x": grid.left,
                "x2": grid.right,
                "y": top,
                "y2": top + grid.down,
                "click": np.full(len(rows), self.click, np.int32),
            }
        )

    def hatched(self, grid: Area, mask: np.ndarray) -> None:
        lines = hatch_lines(mask)
        scale = np.array([grid.across, grid.down] * 2)
        self.hatch.append(lines * scale + np.array([grid.left, grid.top] * 2))

    def text(self, x: float, y: float, text: str, role: str, size: float = 11.0, **more: Any):
        line = {"x": x, "y": y, "text": text, "role": role, "size": size, "chosen": False}
        self.texts.append(line | {"q": -1, "k": -1, "click": self.click} | more)

    def row_labels(self, grid: Area, tokens: Sequence[str], chosen: int | None = None) -> None:
        size = font_size(grid.down)
        labels = thinned(distinct_labels(tokens), grid.down, chosen)
        for q, label in enumerate(labels):
            middle = grid.top + (q + 0.5) * grid.down
            self.text(grid.left - 6, middle, label, "row", size, chosen=q == chosen, q=q)

    def column_labels(self, grid: Area, tokens: Sequence[str]) -> None:
        size = font_size(grid.across)
        for k, label in enumerate(thinned(distinct_labels(tokens), grid.across)):
            self.text(grid.left + (k + 0.5) * grid.across, grid.top - 7, label, "column", size)

    def axis_titles(self, grid: Area, row_room: float, column_room: float) -> None:
        self.query_title(grid, row_room, "figures-matrix-query-attends")
        title = say("figures-matrix-key")
        self.text(grid.left, grid.top - column_room - 8, title, "title")

    def query_title(self, grid: Area, row_room: float, id: str) -> None:
        """A message, turned, to the left of the labels of the rows."""
        middle = (grid.top + grid.bottom) / 2
        self.text(grid.left - row_room - 14, middle, say(id), "turned")

    def frame(self, grid: Area, row: int, *, right: float | None = None) -> None:
        """A line around one row."""
        top = grid.top + row * grid.down
        right = grid.right if right is None else right
        self.frames.append({"x": grid.left - 1, "x2": right, "y": top - 1, "y2": top + grid.down})

    def row_bars(self, grid: Area, shares: np.ndarray, tokens: Sequence[str], what: str) -> None:
        """Bars from 0 to 1 to the right of `grid.left`, one for each row."""
        rows = np.arange(len(shares))
        inner = max(1.0, grid.down * 0.12)
        top = grid.top + rows * grid.down
        self.bars.append(
            pd.DataFrame(
                {
                    "q": rows.astype(np.int16),
                    "k": np.full(len(rows), -1, np.int16),
                    "query": numbered_labels(tokens),
                    "what": what,
                    "value": shares.astype(np.float32),
                    "x": grid.left,
                    "x2": grid.left + shares * _BAR_WIDTH,
                    "y": top + inner,
                    "y2": top + grid.down - inner,
                    "click": np.full(len(rows), self.click, np.int32),
                }
            )
        )
        every = math.ceil(_SMALLEST_LABEL / grid.down)
        for q, share in enumerate(shares):
            if q % every == 0:
                x = grid.left + share * _BAR_WIDTH + 4
                middle = grid.top + (q + 0.5) * grid.down
                self.text(x, middle, f"{share:.2f}", "number", min(10.0, font_size(grid.down)))
        for at in (0.0, 0.5, 1.0):
            x = grid.left + at * _BAR_WIDTH
            self.frames.append({"x": x, "x2": x, "y": grid.top, "y2": grid.bottom, "axis": True})
            self.text(x, grid.bottom + 10, f"{at:g}", "tick", 10.0)
        self.reach(grid.left + _BAR_WIDTH + 34, grid.bottom + 16)

    def mask_key(self, left: float, top: float, ramp: Sequence[str]) -> None:
        """What the two fills of a mask mean, in words."""
        box = Area(left, top, 12, 12, 1, 1)
        self.frames.append(_corners(box) | {"fill": ramp[2]})
        self.text(left + 18, top + 6, say("figures-mask-may-look"), "number", 11.0)
        box = Area(left + 82, top, 12, 12, 1, 1)
        self.frames.append(_corners(box) | {"axis": True})
        self.hatched(box, np.zeros((1, 1), bool))
        self.text(left + 100, top + 6, say("figures-mask-may-not-look"), "number", 11.0)
        self.reach(left + 180, top + 20)

    def reach(self, right: float, bottom: float) -> None:
        self.width, self.height = max(self.width, right), max(self.height, bottom)

    def figure(self, bar_colour: str, *, clickable: bool = False) -> Figure:
        """Everything collected, in the order background to foreground."""
        tables: dict[str, pd.DataFrame] = {
            "cells": _joined(self.cells, _CELL_COLUMNS),
            "limits": pd.DataFrame(self.limits, columns=["panel", "value"]).astype(
                {"panel": np.int16}
            ),
            # Numbers of 64 bits would come back from a click as no numbers at all.
            "texts": pd.DataFrame(self.texts).astype(dict.fromkeys(("q", "k", "click"), np.int32)),
            "frames": _frames(self.frames),
            "hatch": pd.DataFrame(
                np.vstack(self.hatch) if self.hatch else np.zeros((0, 4)),
                columns=["x", "y", "x2", "y2"],
            ).astype(np.float32),
            "bars": _joined(self.bars, _BAR_COLUMNS),
            "images": pd.DataFrame(self.images, columns=["image", "x", "x2", "y", "y2", "url"]),
            "touch": _joined(self.touch, _TOUCH_COLUMNS),
        }
        drawn = {int(part["panel"].iloc[0]) for part in self.cells if len(part)}
        layers = [
            *(_image(n, image) for n, image in enumerate(self.images)),
            self._touch(),
            *(
                self._panel(n, scale, bar, has_cells=n in drawn)
                for n, (scale, bar) in enumerate(self.colours)
            ),
            _HATCHES,
            self._bars(bar_colour),
            _FRAMES,
            *(_words(role, style) for role, style in _ROLES.items()),
        ]
        if clickable:
            layers[-1]["params"] = [chart.click(SELECTION_NAME, "q", "k", "click")]
        part = chart.layered(*layers, width=round(self.width), height=round(self.height))
        resolve = {"scale": {"color": "independent"}, "legend": {"color": "independent"}}
        return Figure(
            chart.whole(part, resolve=resolve, autosize="pad"),
            tables,
            SELECTION_NAME if clickable else "",
            round(self.width) + 12,
        )

    def _panel(self, number: int, scale: Part, bar: Part | None, *, has_cells: bool) -> Part:
        """The cells of one matrix, and unseen marks that stretch its colours to their limits."""
        own = f"datum.panel === {number}"
        colour = chart.field("value:Q", scale=scale, legend=bar)
        nowhere = {name: chart.value(0) for name in ("x", "x2", "y", "y2")}
        unseen = chart.mark("rect", opacity=0, **chart.QUIET)
        layers = [chart.draw("limits", unseen, where=own, **nowhere, color=colour)]
        if has_cells:
            cells = chart.mark("rect", cursor="pointer")
            tooltip = chart.told(
                *pair_names(),
                ("what:N", " "),
                ("value:Q", say("figures-value"), ".4f"),
            )
            layers.append(
                chart.draw("cells", cells, where=own, **chart.BOX, color=colour, tooltip=tooltip)
            )
        return chart.layered(*layers)

    def _touch(self) -> Part:
        mark = chart.mark("rect", fill="transparent", cursor="pointer", aria=False)
        tooltip = chart.told(("query:N", say("figures-query")))
        return chart.draw("touch", mark, **chart.BOX, tooltip=tooltip)

    def _bars(self, colour: str) -> Part:
        tooltip = chart.told(
            ("query:N", say("figures-query")),
            ("what:N", " "),
            ("value:Q", say("figures-share"), ".4f"),
        )
        mark = chart.mark("rect", color=colour, cursor="pointer")
        return chart.draw("bars", mark, **chart.BOX, tooltip=tooltip)


_CELL_COLUMNS = ("panel", "q", "k", "query", "key", "what", "value", "x", "x2", "y", "y2", "click")
_TOUCH_COLUMNS = ("q", "k", "query", "x", "x2", "y", "y2", "click")
_BAR_COLUMNS = ("q", "k", "query", "what", "value", "x", "x2", "y", "y2", "click")
_ROLES: dict[str, dict[str, Any]] = {
    "row": {"align": "right", "baseline": "middle", "limit": LABEL_LIMIT, "cursor": "pointer"},
    "column": {"align": "left", "baseline": "middle", "angle": 310, "limit": LABEL_LIMIT},
    "title": {"align": "left", "baseline": "bottom"},
    "upper": {"align": "right", "baseline": "bottom", "opacity": 0.75},
    "heading": {"align": "left", "baseline": "bottom", "fontWeight": "bold"},
    "turned": {"align": "center", "baseline": "bottom", "angle": 270},
    "number": {"align": "left", "baseline": "middle"},
    "inside": {"align": "center", "baseline": "middle", "opacity": 0.75},
    "tick": {"align": "center", "baseline": "middle", "opacity": 0.75},
}


def _boxes(grid: Area, rows: np.ndarray, columns: np.ndarray) -> dict[str, np.ndarray]:
    between = 1.0 if min(grid.across, grid.down) > 7 else 0.0
    left, top = grid.left + columns * grid.across, grid.top + rows * grid.down
    return {
        "x": left.astype(np.float32),
        "x2": (left + grid.across - between).astype(np.float32),
        "y": top.astype(np.float32),
        "y2": (top + grid.down - between).astype(np.float32),
    }


def _corners(grid: Area) -> dict[str, Any]:
    return {"x": grid.left, "x2": grid.right, "y": grid.top, "y2": grid.bottom}


def _joined(parts: list[pd.DataFrame], columns: Sequence[str]) -> pd.DataFrame:
    if not parts:
        return pd.DataFrame({name: pd.Series(dtype=float) for name in columns})
    texts = {name: str for name in ("query", "key") if name in parts[0]}
    return pd.concat([part.astype(texts) for part in parts], ignore_index=True)[list(columns)]


def _frames(frames: list[dict[str, Any]]) -> pd.DataFrame:
    found = pd.DataFrame(frames, columns=["x", "x2", "y", "y2", "axis", "fill"])
    found["axis"] = found["axis"].eq(True)
    found["fill"] = found["fill"].astype(object).where(found["fill"].notna(), "")
    return found


def _image(number: int, image: dict[str, Any]) -> Part:
    mark = chart.mark(
        "image",
        width=image["x2"] - image["x"],
        height=image["y2"] - image["y"],
        aspect=False,
        align="left",
        baseline="top",
        **chart.QUIET,
    )
    at = {"x": chart.pixels("x"), "y": chart.pixels("y")}
    return chart.draw("images", mark, where=f"datum.image === {number}", **at, url="url:N")


_HATCHES = chart.draw(
    "hatch", chart.mark("rule", color=INK, opacity=0.35, **chart.QUIET), **chart.BOX
)
_FRAMES = chart.draw(
    "frames",
    chart.mark("rect", **chart.QUIET),
    **chart.BOX,
    stroke=chart.when(
        ("datum.fill !== ''", "transparent"), ("datum.axis", INK), otherwise=SELECTION
    ),
    strokeOpacity=chart.when(("datum.axis", 0.3), otherwise=1),
    strokeWidth=chart.when(("datum.axis", 1), otherwise=2),
    fill={
        "condition": {"test": "datum.fill === ''", "value": None},
        **chart.field("fill:N", scale=None),
    },
)


def _words(role: str, style: Part) -> Part:
    return chart.draw(
        "texts",
        chart.mark("text", tooltip=None, **style),
        where=f"datum.role === '{role}'",
        x=chart.pixels("x"),
        y=chart.pixels("y"),
        text="text:N",
        size=chart.field("size:Q", scale=None, legend=None),
        color=chart.when(("datum.chosen", SELECTION_TEXT), otherwise=INK),
    )


def thinned(labels: Sequence[str], step: float, chosen: int | None = None) -> list[str]:
    """Labels without those that would lie on their neighbours; the chosen one stays."""
    every = math.ceil(_SMALLEST_LABEL / step)
    return [
        label
        if i == chosen or (i % every == 0 and (chosen is None or abs(i - chosen) >= every))
        else ""
        for i, label in enumerate(labels)
    ]


def label_rooms(
    tokens: tuple[Sequence[str], Sequence[str]], steps: tuple[float, float]
) -> tuple[float, float]:
    """Pixels to the left of the rows and above the columns for labels so many pixels apart."""
    longest = (
        max(text_width(label, font_size(step)) for label in distinct_labels(named))
        for named, step in zip(tokens, steps, strict=True)
    )
    rows, columns = (min(LABEL_LIMIT, width) for width in longest)
    return rows, columns * 0.78 + 12


def step_of(n: int, room: float, largest: float) -> float:
    """Pixels from one of `n` cells to the next."""
    return max(5.0, min(largest, room / n))


def hatch_lines(mask: np.ndarray) -> np.ndarray:
    """Diagonals through the cells that `mask` (T_q, T_k) forbids, joined where cells touch.

    Returns
    -------
    float array (n, 4): x, y, x2, y2 in cells, y downwards; each runs from below left to above
    right.
    """
    n_rows, n_columns = mask.shape
    lines = []
    for total in range(n_rows + n_columns - 1):
        first = max(0, total - n_rows + 1)
        columns = np.arange(first, min(total, n_columns - 1) + 1)
        free = np.concatenate(([True], mask[total - columns, columns], [True]))
        starts, ends = np.flatnonzero(free[:-1] & ~free[1:]), np.flatnonzero(~free[:-1] & free[1:])
        for start, end in zip(starts, ends, strict=True):
            left, right = columns[start], columns[end - 1]
            lines.append((left, total - left + 1, right + 1, total - right))
    return np.array(lines, dtype=float).reshape(-1, 4)
