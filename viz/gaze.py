"""A picture once for every word that was written of it, bright where the model looked (as figure 2
of Xu et al. 2015), with a box around what the word speaks of."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from PIL import Image

from analysis.labels import visible

from . import recipes as r
from .figure import Figure, drawn
from .raster import data_url
from .theme import SELECTION

SHADE = 0.7
"""How dark the cells are that nobody looks at."""
A_ROW = 6
_SIDE = 112
_ACROSS, _DOWN, _TOP = _SIDE + 12, _SIDE + 42, 20

Box = tuple[int, int, int, int]


def gaze_table(
    labels: Sequence[str], weights: Sequence[np.ndarray], grid: tuple[int, int]
) -> pd.DataFrame:
    """One line a cell of every word: number of the word from 1, word, row and column (from 0),
    weight."""
    row, column = np.indices(grid).reshape(2, -1)
    lines = [
        pd.DataFrame({"number": i, "word": label, "row": row, "column": column, "weight": each})
        for i, (label, each) in enumerate(zip(labels, weights, strict=True), start=1)
    ]
    return pd.concat(lines, ignore_index=True)


def gaze_figure(
    pixels: np.ndarray,
    labels: Sequence[str],
    weights: Sequence[np.ndarray],
    *,
    grid: tuple[int, int],
    notes: Sequence[str] = (),
    boxes: Sequence[Box | None] = (),
) -> Figure:
    """The picture as it is, and then for each word.

    Parameters
    ----------
    pixels : uint8 (n, n, 3).
    weights : (cells,) for each word, row by row of `grid`; shaded by the root of their share of
        the largest.
    notes : a line below each picture, such as a share.
    boxes : left, top, right, bottom in pixels of what a word speaks of, or None.
    """
    notes, boxes = notes or [""] * len(labels), boxes or [None] * len(labels)
    pictures = [pixels, *(shaded(pixels, each, grid) for each in weights)]
    at = np.arange(len(pictures))
    corners = np.stack([at % A_ROW * _ACROSS, _TOP + at // A_ROW * _DOWN], axis=-1)
    panels = pd.DataFrame(corners, columns=["x", "y"]).assign(
        image=[_png(each) for each in pictures],
        label=["", *map(visible, labels)],
        note=["", *notes],
    )
    framed = [
        [*corner, *corner] + np.array(box) * _SIDE / len(pixels)
        for corner, box in zip(corners[1:], boxes, strict=True)
        if box is not None
    ]
    tables = {"panels": panels, "boxes": pd.DataFrame(framed, columns=["x", "y", "x2", "y2"])}
    return drawn(_pictures, tables, n=len(pictures))


def _pictures(n: int) -> alt.LayerChart:
    at: dict[str, Any] = {"x": alt.X(**r.pixels("x")), "y": alt.Y(**r.pixels("y"))}
    corner: dict[str, Any] = {"align": "left", "baseline": "top", "width": _SIDE, "height": _SIDE}
    words: dict[str, Any] = {"align": "center", "dx": _SIDE / 2, "aria": False}
    frame: dict[str, Any] = {
        "fill": "transparent",
        "stroke": SELECTION,
        "strokeWidth": 2,
        **r.QUIET,
    }
    panels = r.source("panels")
    label = r.text(panels, dy=-10, fontSize=12, fontWeight=600, **words)
    note = r.text(panels, dy=_SIDE + 10, fontSize=11, **words)
    return r.layered(
        panels.mark_image(**corner, **r.QUIET).encode(**at, url="image:N"),
        r.source("boxes").mark_rect(**frame).encode(**at, x2="x2", y2="y2"),
        label.encode(**at, text="label:N"),
        note.encode(**at, text="note:N"),
        width=min(n, A_ROW) * _ACROSS,
        height=_TOP + -(-n // A_ROW) * _DOWN,
    )


def shaded(pixels: np.ndarray, weights: np.ndarray, grid: tuple[int, int]) -> np.ndarray:
    """The picture, uint8 (n, n, 3), darker where there is less weight; a square for each cell."""
    light = np.sqrt(weights / max(float(weights.max()), 1e-9)).reshape(grid)
    side = len(pixels) // grid[0]
    light = 1 - SHADE * (1 - light.repeat(side, axis=0).repeat(side, axis=1))
    return np.rint(pixels * light[..., None]).astype(np.uint8)


def _png(pixels: np.ndarray) -> str:
    png = io.BytesIO()
    Image.fromarray(pixels).save(png, "PNG")
    return data_url(png.getvalue())
