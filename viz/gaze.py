"""Figures of a captioner's gaze: the picture once for every word, bright where the model looked.

After figure 2 of Xu et al. 2015, with a box around the thing that the word names.
"""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd
from PIL import Image

from core.records.tokens import visible

from . import recipes as r
from .figure import Figure, drawn
from .raster import data_url, png_of
from .theme import SELECTION

SHADE = 0.7
"""Darkness of cells without weight."""
A_ROW = 6
"""Pictures side by side."""
_SIDE = 112
_ACROSS = _SIDE + 12
_DOWN = _SIDE + 42
_TOP = 20

Box = tuple[int, int, int, int]


def gaze_table(
    labels: Sequence[str], weights: Sequence[np.ndarray], grid: tuple[int, int]
) -> pd.DataFrame:
    """Return one row a cell of every word.

    Columns number (of the word from 1), word, row and column (from 0), weight.
    """
    row, column = np.indices(grid).reshape(2, -1)
    lines = [
        pd.DataFrame({"number": i, "word": label, "row": row, "column": column, "weight": cells})
        for i, (label, cells) in enumerate(zip(labels, weights, strict=True), start=1)
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
    a_row: int = A_ROW,
) -> Figure:
    """Draw the picture as it is, and then for each word.

    Parameters
    ----------
    pixels : uint8 array of shape (n, n, 3)
    labels : sequence of str
    weights : sequence of ndarray of shape (cells,)
        One for each word, row by row of `grid`; shaded by the root of their share of the largest.
    notes : sequence of str
        A line below each picture, such as a share.
    boxes : sequence of (left, top, right, bottom) or None
        Pixels of the thing that a word names.
    a_row : int
        Pictures side by side.
    """
    pictures = [pixels, *(shaded(pixels, cells, grid) for cells in weights)]
    panels = pd.DataFrame({"image": map(_png, pictures), "label": ["", *map(visible, labels)]})
    panels["x"] = panels.index % a_row * _ACROSS
    panels["y"] = _TOP + panels.index // a_row * _DOWN
    panels["note"] = ["", *(notes or [""] * len(labels))]
    framed = {i: box for i, box in enumerate(boxes, start=1) if box}
    ends = pd.DataFrame.from_dict(framed, "index", columns=["x", "y", "x2", "y2"])
    # From pixels of the picture to those of the drawing, moved to its panel.
    ends = ends * _SIDE / len(pixels) + panels[["x", "y", "x", "y"]].loc[ends.index].to_numpy()
    return drawn(_pictures, {"panels": panels, "boxes": ends}, n=len(pictures), a_row=a_row)


def _pictures(n: int, a_row: int) -> alt.LayerChart:
    at = r.pixels(alt.X, "x"), r.pixels(alt.Y, "y")
    middle = _SIDE / 2
    panels, boxes = (r.source(table).encode(*at) for table in ("panels", "boxes"))
    image = panels.mark_image(
        align="left", baseline="top", width=_SIDE, height=_SIDE, tooltip=None, aria=False
    )
    label = r.text(
        panels, align="center", dx=middle, dy=-10, fontSize=12, fontWeight=600, aria=False
    )
    note = r.text(panels, align="center", dx=middle, dy=_SIDE + 10, fontSize=11, aria=False)
    frame = boxes.mark_rect(
        fill="transparent", stroke=SELECTION, strokeWidth=2, tooltip=None, aria=False
    )
    return r.layered(
        image.encode(url="image:N"),
        frame.encode(x2="x2", y2="y2"),
        label.encode(text="label:N"),
        note.encode(text="note:N"),
        width=min(n, a_row) * _ACROSS,
        # -(-n // a_row) rounds up.
        height=_TOP + -(-n // a_row) * _DOWN,
    )


def shaded(pixels: np.ndarray, weights: np.ndarray, grid: tuple[int, int]) -> np.ndarray:
    """Darken the picture, uint8 (n, n, 3), where there is less weight; a square for each cell."""
    # The root keeps small weights visible; 1e-9 guards against a map of zeros.
    light = np.sqrt(weights / max(float(weights.max()), 1e-9)).reshape(grid)
    side = len(pixels) // grid[0]
    light = 1 - SHADE * (1 - light.repeat(side, axis=0).repeat(side, axis=1))
    return np.rint(pixels * light[..., None]).astype(np.uint8)


def _png(pixels: np.ndarray) -> str:
    """Return pixels as a data URL."""
    return data_url(png_of(Image.fromarray(pixels)))
