"""Masks as what they are, and what a softmax makes of its scores with them and without."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from analysis.arithmetic import softmax
from records import AttentionKind

from .figure import Figure
from .labels import distinct_labels, font_size, numbered_labels, text_width, token_label
from .raster import data_url, mosaic_png
from .theme import INK, SELECTION, palette_of, signed_ramp

SELECTION_NAME = "cell"
FORBIDDEN = {False: "#9c6d9b", True: "#b98dba"}  # what a mask would have hidden
_FORBIDDEN_RAMP = {
    False: ("#f6f0f6", "#cdb0cd", FORBIDDEN[False], "#4d2350"),
    True: ("#2b242c", "#6d4a6e", FORBIDDEN[True], "#f6e4f7"),
}
_MOST_CELLS = 900  # more than these in one matrix are drawn as an image
_LABEL_LIMIT = 96.0
_SMALLEST_LABEL = 11.0  # pixels from one label to the next
_INFINITY_ROOM = 12.0  # pixels a cell needs for "−∞"
_BAR_WIDTH = 130.0
_LEGEND_ROOM = 46.0
_GAP = 34.0
_LINE = 24.0


# -- numbers -------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class HeadStages:
    """One head from scores to weights, with its mask and without it at this place only.

    Float64 arrays of shape (T_q, T_k) unless said otherwise.

    Attributes
    ----------
    scores : q.k / sqrt(d_k), before the mask.
    mask : bool, True where a query may look.
    terms, weights : exp(score - largest allowed score of the row), 0 where masked, and these
        divided by their sum.
    free_terms, free_weights : the same with every key allowed, from the same scores.
    """

    scores: np.ndarray
    mask: np.ndarray
    terms: np.ndarray
    weights: np.ndarray
    free_terms: np.ndarray
    free_weights: np.ndarray

    @property
    def added(self) -> np.ndarray:
        """What the mask adds to the scores: 0 or minus infinity."""
        return np.where(self.mask, 0.0, -np.inf)

    @property
    def moved(self) -> np.ndarray:
        """(T_q,) the share of a row that goes to masked keys without the mask, 0 to 1."""
        return share_outside(self.free_weights, self.mask)

    @property
    def mean_moved(self) -> float:
        """Mean of `moved` over the rows that have a masked key; 0 when none has."""
        return mean_share(self.free_weights, self.mask)


def head_stages(scores: np.ndarray, mask: np.ndarray | None = None) -> HeadStages:
    """Work out one head's softmax from its scores (T_q, T_k), with and without the mask.

    Raises
    ------
    ValueError : the mask has another shape, or leaves a row without any key.
    """
    scores = np.asarray(scores, dtype=np.float64)
    mask = np.ones(scores.shape, bool) if mask is None else np.asarray(mask, bool)
    if mask.shape != scores.shape:
        raise ValueError(f"mask is {mask.shape} but the scores are {scores.shape}")
    if not mask.any(axis=1).all():
        raise ValueError("the mask leaves a row without any key")
    _, terms, weights = softmax(np.where(mask, scores, -np.inf))
    _, free_terms, free_weights = softmax(scores)
    return HeadStages(scores, mask, terms, weights, free_terms, free_weights)


def share_outside(weights: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Weight on the keys that `mask` (T_q, T_k) forbids: (..., T_q, T_k) -> (..., T_q)."""
    return np.where(mask, 0.0, weights).sum(axis=-1)


def mean_share(weights: np.ndarray, mask: np.ndarray) -> Any:
    """`share_outside` averaged over the rows with a forbidden key: (..., T_q, T_k) -> (...)."""
    rows = ~mask.all(axis=1)
    shares = share_outside(weights, mask)[..., rows]
    found = shares.mean(axis=-1) if rows.any() else np.zeros(shares.shape[:-1])
    return float(found) if np.ndim(found) == 0 else found


def stages_table(
    stages: HeadStages, query_tokens: Sequence[str], key_tokens: Sequence[str]
) -> pd.DataFrame:
    """One line a cell: q, k (from 0), query, key, may_look, score, exp, weight, and the last two
    without the mask."""
    rows, columns = (axis.ravel() for axis in np.indices(stages.scores.shape))
    return pd.DataFrame(
        {
            **_places(rows, columns, query_tokens, key_tokens),
            "may_look": stages.mask.ravel(),
            "score": stages.scores.ravel(),
            "exp": stages.terms.ravel(),
            "weight": stages.weights.ravel(),
            "exp_without_mask": stages.free_terms.ravel(),
            "weight_without_mask": stages.free_weights.ravel(),
        }
    )


def outside_table(
    weights: np.ndarray, mask: np.ndarray, query_tokens: Sequence[str], key_tokens: Sequence[str]
) -> pd.DataFrame:
    """One line a cell: q, k (from 0), query, key, weight, outside (True where `mask` forbids)."""
    rows, columns = (axis.ravel() for axis in np.indices(weights.shape))
    return pd.DataFrame(
        {
            **_places(rows, columns, query_tokens, key_tokens),
            "weight": weights.ravel(),
            "outside": ~mask.ravel(),
        }
    )


def _places(
    rows: np.ndarray, columns: np.ndarray, query_tokens: Sequence[str], key_tokens: Sequence[str]
) -> dict[str, Any]:
    query = np.array(numbered_labels(query_tokens), dtype=object)
    key = np.array(numbered_labels(key_tokens), dtype=object)
    return {
        "q": rows.astype(np.int16),
        "k": columns.astype(np.int16),
        "query": pd.Categorical.from_codes(rows, query),
        "key": pd.Categorical.from_codes(columns, key),
    }


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


# -- a sheet of matrices in pixels ---------------------------------------------------------


@dataclass(frozen=True)
class _Grid:
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
class _Sheet:
    """Matrices, bars and words in one drawing, all in pixels, collected and then made a figure."""

    dark: bool
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
        grid: _Grid,
        values: np.ndarray,
        shown: np.ndarray,
        ramp: Sequence[str],
        limits: tuple[float, float],
        query_tokens: Sequence[str],
        key_tokens: Sequence[str],
        *,
        what: str,
        legend: str | None = None,
        legend_left: float | None = None,
    ) -> None:
        """Coloured cells where `shown`; a colour bar below when `legend` has a title or is ""."""
        number = len(self.colours)
        low, high = limits
        self.touch.append(self._rows_of(grid, query_tokens))
        if values.size > _MOST_CELLS:
            level = (values - low) / ((high - low) or 1.0)
            png = mosaic_png(
                np.where(shown, level, 0.0)[None, None], tuple(ramp), mask=shown, size=300
            )
            self.images.append({"image": len(self.images), **_box(grid), "url": data_url(png)})
        else:
            rows, columns = np.nonzero(shown)
            self.cells.append(
                pd.DataFrame(
                    {
                        "panel": np.full(len(rows), number, np.int16),
                        **_places(rows, columns, query_tokens, key_tokens),
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
        self._reach(grid.right, grid.bottom + (_LEGEND_ROOM if legend is not None else 0))

    def _rows_of(self, grid: _Grid, query_tokens: Sequence[str]) -> pd.DataFrame:
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

    def hatched(self, grid: _Grid, mask: np.ndarray) -> None:
        lines = hatch_lines(mask)
        scale = np.array([grid.across, grid.down] * 2)
        self.hatch.append(lines * scale + np.array([grid.left, grid.top] * 2))

    def text(self, x: float, y: float, text: str, role: str, size: float = 11.0, **more: Any):
        line = {"x": x, "y": y, "text": text, "role": role, "size": size, "chosen": False}
        self.texts.append(line | {"q": -1, "k": -1, "click": self.click} | more)

    def row_labels(self, grid: _Grid, tokens: Sequence[str], chosen: int | None = None) -> None:
        size = font_size(grid.down)
        labels = _thinned(distinct_labels(tokens), grid.down, chosen)
        for q, label in enumerate(labels):
            middle = grid.top + (q + 0.5) * grid.down
            self.text(grid.left - 6, middle, label, "row", size, chosen=q == chosen, q=q)

    def column_labels(self, grid: _Grid, tokens: Sequence[str]) -> None:
        size = font_size(grid.across)
        for k, label in enumerate(_thinned(distinct_labels(tokens), grid.across)):
            self.text(grid.left + (k + 0.5) * grid.across, grid.top - 7, label, "column", size)

    def axis_titles(self, grid: _Grid, row_room: float, column_room: float) -> None:
        middle = (grid.top + grid.bottom) / 2
        self.text(grid.left - row_room - 14, middle, "query (row) attends to →", "turned")
        self.text(grid.left, grid.top - column_room - 8, "key (column)", "title")

    def frame(self, grid: _Grid, row: int, *, right: float | None = None) -> None:
        """A line around one row."""
        top = grid.top + row * grid.down
        right = grid.right if right is None else right
        self.frames.append({"x": grid.left - 1, "x2": right, "y": top - 1, "y2": top + grid.down})

    def row_bars(self, grid: _Grid, shares: np.ndarray, tokens: Sequence[str], what: str) -> None:
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
        self._reach(grid.left + _BAR_WIDTH + 34, grid.bottom + 16)

    def mask_key(self, left: float, top: float, ramp: Sequence[str]) -> None:
        """What the two fills of a mask mean, in words."""
        box = _Grid(left, top, 12, 12, 1, 1)
        self.frames.append(_box(box) | {"fill": ramp[2]})
        self.text(left + 18, top + 6, "may look", "number", 11.0)
        box = _Grid(left + 82, top, 12, 12, 1, 1)
        self.frames.append(_box(box) | {"axis": True})
        self.hatched(box, np.zeros((1, 1), bool))
        self.text(left + 100, top + 6, "may not look", "number", 11.0)
        self._reach(left + 180, top + 20)

    def _reach(self, right: float, bottom: float) -> None:
        self.width, self.height = max(self.width, right), max(self.height, bottom)

    def figure(self, bar_colour: str, *, clickable: bool = False) -> Figure:
        """Everything collected, in the order background to foreground."""
        layers: list[dict[str, Any]] = []
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
        layers += [_image_layer(n, image) for n, image in enumerate(self.images)]
        layers.append(_touch_layer())
        drawn = {int(part["panel"].iloc[0]) for part in self.cells if len(part)}
        layers += [
            _panel_layer(n, scale, bar, has_cells=n in drawn)
            for n, (scale, bar) in enumerate(self.colours)
        ]
        layers += [_hatch_layer(), _bars_layer(bar_colour), _frames_layer()]
        layers += [_text_layer(role, style) for role, style in _ROLES.items()]
        if clickable:
            layers[-1]["params"] = [
                {
                    "name": SELECTION_NAME,
                    "select": {
                        "type": "point",
                        "fields": ["q", "k", "click"],
                        "on": "click",
                        "clear": False,
                        "toggle": False,
                    },
                }
            ]
        chart = {
            "$schema": alt.SCHEMA_URL,
            "layer": layers,
            "width": round(self.width),
            "height": round(self.height),
            "resolve": {
                "scale": {"color": "independent"},
                "legend": {"color": "independent"},
            },
            "config": {"view": {"stroke": None}},
            "padding": {"left": 4, "top": 4, "right": 8, "bottom": 4},
            "autosize": "pad",
        }
        return Figure(chart, tables, SELECTION_NAME if clickable else "", round(self.width) + 12)


_CELL_COLUMNS = ("panel", "q", "k", "query", "key", "what", "value", "x", "x2", "y", "y2", "click")
_TOUCH_COLUMNS = ("q", "k", "query", "x", "x2", "y", "y2", "click")
_BAR_COLUMNS = ("q", "k", "query", "what", "value", "x", "x2", "y", "y2", "click")
_ROLES: dict[str, dict[str, Any]] = {
    "row": {"align": "right", "baseline": "middle", "limit": _LABEL_LIMIT, "cursor": "pointer"},
    "column": {"align": "left", "baseline": "middle", "angle": 310, "limit": _LABEL_LIMIT},
    "title": {"align": "left", "baseline": "bottom"},
    "upper": {"align": "right", "baseline": "bottom", "opacity": 0.75},
    "heading": {"align": "left", "baseline": "bottom", "fontWeight": "bold"},
    "turned": {"align": "center", "baseline": "bottom", "angle": 270},
    "number": {"align": "left", "baseline": "middle"},
    "inside": {"align": "center", "baseline": "middle", "opacity": 0.75},
    "tick": {"align": "center", "baseline": "middle", "opacity": 0.75},
}


def _pixels(name: str) -> dict[str, Any]:
    return {"field": name, "type": "quantitative", "scale": None, "axis": None}


_BOX = {
    "x": _pixels("x"),
    "x2": {"field": "x2"},
    "y": _pixels("y"),
    "y2": {"field": "y2"},
}


def _boxes(grid: _Grid, rows: np.ndarray, columns: np.ndarray) -> dict[str, np.ndarray]:
    between = 1.0 if min(grid.across, grid.down) > 7 else 0.0
    left, top = grid.left + columns * grid.across, grid.top + rows * grid.down
    return {
        "x": left.astype(np.float32),
        "x2": (left + grid.across - between).astype(np.float32),
        "y": top.astype(np.float32),
        "y2": (top + grid.down - between).astype(np.float32),
    }


def _box(grid: _Grid) -> dict[str, Any]:
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


def _filtered(name: str, test: str, mark: dict[str, Any], encoding: dict[str, Any]) -> dict:
    data: dict[str, Any] = {"data": {"name": name}}
    if test:
        data["transform"] = [{"filter": test}]
    return {**data, "mark": mark, "encoding": encoding}


def _panel_layer(
    number: int, scale: dict[str, Any], bar: dict[str, Any] | None, *, has_cells: bool
) -> dict[str, Any]:
    """The cells of one matrix, and unseen marks that stretch its colours to their limits."""
    test = f"datum.panel === {number}"
    colour = {"field": "value", "type": "quantitative", "scale": scale, "legend": bar}
    unseen = {"type": "rect", "opacity": 0, "tooltip": None, "aria": False}
    tooltip = [
        {"field": "query", "type": "nominal", "title": "query"},
        {"field": "key", "type": "nominal", "title": "key"},
        {"field": "what", "type": "nominal", "title": " "},
        {"field": "value", "type": "quantitative", "title": "value", "format": ".4f"},
    ]
    nowhere = {"x": {"value": 0}, "x2": {"value": 0}, "y": {"value": 0}, "y2": {"value": 0}}
    layers = [_filtered("limits", test, unseen, {**nowhere, "color": colour})]
    if has_cells:
        mark = {"type": "rect", "cursor": "pointer"}
        encoding = {**_BOX, "color": colour, "tooltip": tooltip}
        layers.append(_filtered("cells", test, mark, encoding))
    return {"layer": layers}


def _image_layer(number: int, image: dict[str, Any]) -> dict[str, Any]:
    mark = {
        "type": "image",
        "width": image["x2"] - image["x"],
        "height": image["y2"] - image["y"],
        "aspect": False,
        "align": "left",
        "baseline": "top",
        "tooltip": None,
        "aria": False,
    }
    encoding = {"x": _pixels("x"), "y": _pixels("y"), "url": {"field": "url", "type": "nominal"}}
    return _filtered("images", f"datum.image === {number}", mark, encoding)


def _touch_layer() -> dict[str, Any]:
    mark = {"type": "rect", "fill": "transparent", "cursor": "pointer", "aria": False}
    tooltip = [{"field": "query", "type": "nominal", "title": "query"}]
    return _filtered("touch", "", mark, {**_BOX, "tooltip": tooltip})


def _hatch_layer() -> dict[str, Any]:
    mark = {"type": "rule", "color": INK, "opacity": 0.35, "tooltip": None, "aria": False}
    return _filtered("hatch", "", mark, _BOX)


def _bars_layer(colour: str) -> dict[str, Any]:
    tooltip = [
        {"field": "query", "type": "nominal", "title": "query"},
        {"field": "what", "type": "nominal", "title": " "},
        {"field": "value", "type": "quantitative", "title": "share", "format": ".4f"},
    ]
    mark = {"type": "rect", "color": colour, "cursor": "pointer"}
    return _filtered("bars", "", mark, {**_BOX, "tooltip": tooltip})


def _frames_layer() -> dict[str, Any]:
    stroke = {"condition": {"test": "datum.axis", "value": INK}, "value": SELECTION}
    encoding = {
        **_BOX,
        "stroke": {
            "condition": [
                {"test": "datum.fill !== ''", "value": "transparent"},
                stroke["condition"],
            ],
            "value": SELECTION,
        },
        "strokeOpacity": {"condition": {"test": "datum.axis", "value": 0.3}, "value": 1},
        "strokeWidth": {"condition": {"test": "datum.axis", "value": 1}, "value": 2},
        "fill": {
            "condition": {"test": "datum.fill === ''", "value": None},
            "field": "fill",
            "type": "nominal",
            "scale": None,
        },
    }
    return _filtered("frames", "", {"type": "rect", "tooltip": None, "aria": False}, encoding)


def _text_layer(role: str, style: dict[str, Any]) -> dict[str, Any]:
    encoding = {
        "x": _pixels("x"),
        "y": _pixels("y"),
        "text": {"field": "text", "type": "nominal"},
        "size": {"field": "size", "type": "quantitative", "scale": None, "legend": None},
        "color": {"condition": {"test": "datum.chosen", "value": SELECTION}, "value": INK},
    }
    mark = {"type": "text", "tooltip": None, **style}
    return _filtered("texts", f"datum.role === '{role}'", mark, encoding)


def _thinned(labels: Sequence[str], step: float, chosen: int | None = None) -> list[str]:
    """Labels without those that would lie on their neighbours; the chosen one stays."""
    every = math.ceil(_SMALLEST_LABEL / step)
    return [
        label
        if i == chosen or (i % every == 0 and (chosen is None or abs(i - chosen) >= every))
        else ""
        for i, label in enumerate(labels)
    ]


def _room(tokens: Sequence[str], step: float) -> float:
    """Pixels for the longest label."""
    size = font_size(step)
    return min(_LABEL_LIMIT, max(text_width(label, size) for label in distinct_labels(tokens)))


def _step(n: int, room: float, largest: float) -> float:
    return max(5.0, min(largest, room / n))


# -- figures -------------------------------------------------------------------------------


def stages_figure(
    stages: HeadStages,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    *,
    kind: AttentionKind = "decoder",
    row: int | None = None,
    click: int = 0,
    dark: bool = False,
) -> Figure:
    """The mask beside score + mask, exponential and weights; below, the same without the mask.

    The second line begins with the share of every row that the mask moved. The selection `cell`
    reports the clicked q and `click`.

    Parameters
    ----------
    row : the query to frame.
    click : any number that tells this drawing from the last.
    """
    n_rows, n_columns = stages.scores.shape
    step = _step(max(n_rows, n_columns), 184.0, 26.0)
    row_room, column_room = _room(query_tokens, step), _room(key_tokens, step) * 0.78 + 12
    sheet = _Sheet(dark, click)
    wide = max(n_columns * step, 170.0) + 24.0
    top = _LINE + column_room + 20.0
    below = top + n_rows * step + _LEGEND_ROOM + 2 * _LINE + 12
    ramp, signed = palette_of(kind, dark=dark).ramp, signed_ramp(dark)
    limit = float(np.abs(stages.scores).max()) or 1.0
    left = row_room + 28.0
    everywhere = np.ones(stages.mask.shape, bool)
    lines = (
        (
            top,
            stages.mask,
            (
                ("score + mask", stages.scores, signed, (-limit, limit)),
                ("exp(· − row's largest)", stages.terms, ramp, (0.0, 1.0)),
                ("÷ row's sum = weight", stages.weights, ramp, (0.0, 1.0)),
            ),
        ),
        (
            below,
            everywhere,
            (
                ("score", stages.scores, signed, (-limit, limit)),
                ("exp(· − row's largest)", stages.free_terms, ramp, (0.0, 1.0)),
                ("÷ row's sum", stages.free_weights, ramp, (0.0, 1.0)),
            ),
        ),
    )
    for place, mask, matrices in lines:
        first = _Grid(left, place, step, step, n_rows, n_columns)
        sheet.row_labels(first, query_tokens, row)
        above = place - (column_room if place == top else 6.0)
        for number, (title, values, colours, limits) in enumerate(matrices, start=1):
            grid = _Grid(left + number * wide, place, step, step, n_rows, n_columns)
            sheet.text(grid.left, above, title, "title", 12.0)
            sheet.hatched(grid, mask)
            sheet.matrix(
                grid, values, mask, colours, limits, query_tokens, key_tokens,
                what=title, legend="",
            )  # fmt: skip
            if place == top:
                sheet.column_labels(grid, key_tokens)
                if number == 1:
                    _infinities(sheet, grid, mask)
            if row is not None:
                sheet.frame(grid, row)
    first = _Grid(left, top, step, step, n_rows, n_columns)
    _mask_cells(sheet, first, stages.mask, ramp, query_tokens, key_tokens)
    sheet.column_labels(first, key_tokens)
    sheet.text(left, top - column_room, "mask", "title", 12.0)
    middle = (top + first.bottom) / 2
    sheet.text(left - row_room - 14, middle, "query (row) attends to →", "turned")
    sheet.text(first.right, top - column_room, "key (column)", "upper", 11.0)
    sheet.text(0, top - column_room - _LINE, "With the mask", "heading", 13.0)
    sheet.mask_key(left, first.bottom + 10, ramp)
    bars = _Grid(left, below, step, step, n_rows, n_columns)
    shares = stages.moved
    sheet.text(0, below - _LINE - 6, "Without it, from the same scores", "heading", 13.0)
    sheet.text(left, below - 6, "share the mask moves", "title", 12.0)
    sheet.row_bars(bars, shares, query_tokens, "moved by the mask")
    if row is not None:
        sheet.frame(first, row)
    return sheet.figure(FORBIDDEN[dark], clickable=True)


def _infinities(sheet: _Sheet, grid: _Grid, mask: np.ndarray) -> None:
    """The sign for minus infinity in the masked cells, where there is room for it."""
    if grid.across < _INFINITY_ROOM:
        return
    sheet.hatch.pop(-1)
    for q, k in np.argwhere(~mask).tolist():
        x, y = grid.left + (k + 0.5) * grid.across, grid.top + (q + 0.5) * grid.down
        sheet.text(x, y, "−∞", "inside", min(10.0, grid.across * 0.62))


def _mask_cells(
    sheet: _Sheet,
    grid: _Grid,
    mask: np.ndarray,
    ramp: Sequence[str],
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
) -> None:
    sheet.hatched(grid, mask)
    sheet.matrix(
        grid, mask.astype(float), mask, (ramp[2], ramp[2]), (0.0, 1.0), query_tokens, key_tokens,
        what="may look",
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class MaskPanel:
    """One mask to draw: bool (T_q, T_k), True = may look, with a title and its tokens."""

    title: str
    mask: np.ndarray
    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]


def masks_table(panels: Sequence[MaskPanel]) -> pd.DataFrame:
    """One line a cell: mask (its title), q, k (from 0), query, key, may_look."""
    parts = []
    for panel in panels:
        rows, columns = (axis.ravel() for axis in np.indices(panel.mask.shape))
        places = _places(rows, columns, panel.query_tokens, panel.key_tokens)
        part = pd.DataFrame({"mask": panel.title, **places, "may_look": panel.mask.ravel()})
        parts.append(part.astype({"query": str, "key": str}))
    return pd.concat(parts, ignore_index=True)


def masks_figure(
    panels: Sequence[MaskPanel], *, kind: AttentionKind = "encoder", dark: bool = False
) -> Figure:
    """Masks side by side: filled where a query may look, hatched where it may not."""
    sheet = _Sheet(dark)
    ramp = palette_of(kind, dark=dark).ramp
    longest = max(max(panel.mask.shape) for panel in panels)
    step = _step(longest, 220.0, 20.0)
    column_room = max(_room(panel.key_tokens, step) for panel in panels) * 0.78 + 12
    top, left = column_room + _LINE, 0.0
    for panel in panels:
        row_room = _room(panel.query_tokens, step)
        left += row_room + 28
        grid = _Grid(left, top, step, step, *panel.mask.shape)
        _mask_cells(sheet, grid, panel.mask, ramp, panel.query_tokens, panel.key_tokens)
        sheet.row_labels(grid, panel.query_tokens)
        sheet.column_labels(grid, panel.key_tokens)
        middle = (grid.top + grid.bottom) / 2
        sheet.text(left - row_room - 14, middle, "query (row)", "turned")
        sheet.text(left, top - column_room, panel.title, "heading", 12.0)
        left = max(grid.right, left + text_width(panel.title, 12.0)) + _GAP
    height = max(len(panel.query_tokens) for panel in panels) * step
    sheet.mask_key(_room(panels[0].query_tokens, step) + 28, top + height + 12, ramp)
    return sheet.figure(ramp[2])


def outside_figure(
    weights: np.ndarray,
    mask: np.ndarray,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    *,
    kind: AttentionKind,
    inside_title: str,
    outside_title: str,
    hatched: bool = False,
    dark: bool = False,
) -> Figure:
    """One head's weights, those on keys that `mask` would forbid in a colour of their own.

    To the right of every row the share of its weight on such keys.

    Parameters
    ----------
    weights : (T_q, T_k), rows sum to one.
    mask : bool (T_q, T_k), True = may look.
    hatched : the mask was on; the cells it forbids are hatched and not coloured.
    """
    n_rows, n_columns = weights.shape
    across = _step(n_columns, 400.0, 26.0)
    down = max(_step(n_rows, 400.0, 26.0), min(across, 11.0))
    row_room, column_room = _room(query_tokens, down), _room(key_tokens, across) * 0.78 + 12
    sheet = _Sheet(dark)
    grid = _Grid(row_room + 28, column_room + _LINE, across, down, n_rows, n_columns)
    tokens = (query_tokens, key_tokens)
    ramp = palette_of(kind, dark=dark).ramp
    sheet.matrix(grid, weights, mask, ramp, (0.0, 1.0), *tokens, what="weight", legend=inside_title)
    if hatched:
        sheet.hatched(grid, mask)
    elif not mask.all():
        sheet.matrix(
            grid, weights, ~mask, _FORBIDDEN_RAMP[dark], (0.0, 1.0), *tokens,
            what=outside_title, legend=outside_title, legend_left=grid.left + 190,
        )  # fmt: skip
        sheet._reach(grid.left + 360, grid.bottom)
    sheet.row_labels(grid, query_tokens)
    sheet.column_labels(grid, key_tokens)
    sheet.axis_titles(grid, row_room, column_room)
    right = _Grid(grid.right + _GAP + 30, grid.top, across, down, n_rows, n_columns)
    sheet.text(right.left, grid.top - 8, "share of the row", "title")
    sheet.row_bars(right, share_outside(weights, mask), query_tokens, outside_title)
    return sheet.figure(FORBIDDEN[dark])


def ranking_table(shares: np.ndarray) -> pd.DataFrame:
    """One line a head, largest share first: rank, layer, head (all from 1), share."""
    order = np.argsort(-shares, axis=None, kind="stable")
    layers, heads = np.unravel_index(order, shares.shape)
    return pd.DataFrame(
        {
            "rank": np.arange(1, len(order) + 1),
            "layer": layers + 1,
            "head": heads + 1,
            "share": shares[layers, heads],
        }
    )


def ranking_figure(
    shares: np.ndarray, *, chosen: tuple[int, int] | None = None, most: int = 16, dark: bool = False
) -> Figure:
    """The heads by their share (L, H), largest first, as bars; the chosen one is named in red.

    Beyond `most` heads the rest is left out, the chosen one stays.
    """
    ranked = ranking_table(shares)
    layer, head = (-1, -1) if chosen is None else (chosen[0] + 1, chosen[1] + 1)
    ranked["chosen"] = (ranked["layer"] == layer) & (ranked["head"] == head)
    kept = (ranked["rank"] <= most) | ranked["chosen"]
    shown = ranked[kept].reset_index(drop=True)
    sheet = _Sheet(dark)
    grid = _Grid(64.0, 20.0, 1.0, 17.0, len(shown), 1)
    names = [f"L{line.layer} H{line.head}" for line in shown.itertuples()]
    sheet.row_bars(grid, shown["share"].to_numpy(), names, "mean share")
    for place, (name, line) in enumerate(zip(names, shown.itertuples(), strict=True)):
        middle = grid.top + (place + 0.5) * grid.down
        sheet.text(grid.left - 6, middle, name, "row", 11.0, chosen=bool(line.chosen))
    sheet.text(grid.left, grid.top - 6, "mean share of a row", "title")
    return sheet.figure(FORBIDDEN[dark])


def forced_table(
    tokens: Sequence[str], first: np.ndarray, second: np.ndarray, names: tuple[str, str]
) -> pd.DataFrame:
    """One line a token: place (from 1), token, its natural log p in both runs, the difference.

    Raises
    ------
    ValueError : tokens and numbers differ in length.
    """
    if not len(tokens) == len(first) == len(second):
        raise ValueError(
            f"{len(first)} and {len(second)} log-probabilities for {len(tokens)} tokens"
        )
    before, after = (np.asarray(logs, dtype=np.float64) for logs in (first, second))
    return pd.DataFrame(
        {
            "place": np.arange(1, len(tokens) + 1),
            "token": [token_label(token, max_length=48) for token in tokens],
            names[0]: before,
            names[1]: after,
            "difference": after - before,
        }
    )


def forced_figure(
    tokens: Sequence[str],
    first: np.ndarray,
    second: np.ndarray,
    names: tuple[str, str],
    *,
    kind: AttentionKind = "decoder",
    dark: bool = False,
) -> Figure:
    """Natural log p of every token of one text in two runs, a bar for each, with both sums.

    `names` are those of the runs; the errors those of `forced_table`.
    """
    lines = forced_table(tokens, first, second, names)
    sheet = _Sheet(dark)
    n, down, room = len(lines), 26.0, 210.0
    logs = lines[list(names)].to_numpy()
    finite = np.where(np.isfinite(logs), logs, np.nan)
    lowest = min(-1.0, float(np.nanmin(finite, initial=-1.0)))
    labels = distinct_labels(tokens)
    left = min(_LABEL_LIMIT, max(text_width(label, 12.0) for label in labels)) + 16
    top = 44.0
    colours = (palette_of(kind, dark=dark).accent, FORBIDDEN[dark])
    for place, label in enumerate(labels):
        middle = top + (place + 0.5) * down
        sheet.text(left - 6, middle, label, "row", 12.0)
        for side in range(2):
            share = min(1.0, max(0.0, logs[place, side] / lowest))
            y = top + place * down + 3 + side * 10
            sheet.frames.append(
                {"x": left, "x2": left + share * room, "y": y, "y2": y + 9, "fill": colours[side]}
            )
            text = f"{logs[place, side] + 0.0:.2f}".replace("-", "−").replace("inf", "∞")
            sheet.text(left + share * room + 4, y + 5, text, "number", 9.5)
    for side, name in enumerate(names):
        y = 8.0 + side * 16
        sheet.frames.append(
            {"x": left, "x2": left + 12, "y": y - 6, "y2": y + 6, "fill": colours[side]}
        )
        total = f"{logs[:, side].sum():.2f}".replace("-", "−").replace("inf", "∞")
        sheet.text(left + 18, y, f"{name}: sum {total}", "number", 11.5)
    bottom = top + n * down
    for at in (0.0, 0.5, 1.0):
        x = left + at * room
        sheet.frames.append({"x": x, "x2": x, "y": top, "y2": bottom, "axis": True})
        tick = f"{at * lowest:.1f}".replace("-", "−") if at else "0"
        sheet.text(x, bottom + 10, tick, "tick", 10.0)
    sheet.text(left + room / 2, bottom + 26, "natural log p of the token", "tick", 11.0)
    sheet._reach(left + room + 44, bottom + 34)
    return sheet.figure(colours[1])
