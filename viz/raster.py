"""Many small matrices as one PNG image: one colour a cell, transparent where masked."""

from __future__ import annotations

import base64
import io

import numpy as np
from PIL import Image

from .theme import rgb_of


def mosaic_png(
    weights: np.ndarray,
    ramp: tuple[str, ...],
    *,
    mask: np.ndarray | None = None,
    size: int = 96,
    gap: float = 0.0,
    gap_below: float = 0.0,
) -> bytes:
    """A (L, H, T_q, T_k) array of numbers from 0 to 1 as one palette PNG, layers down.

    Every tile has about `size` pixels a side; `gap` and `gap_below` are the transparent space to
    its right and below it, as parts of a tile. Cells are whole blocks of pixels, so a browser has
    nothing to blur. `mask` (T_q, T_k) is True where a query may look; other cells are transparent.
    """
    levels = 1 + np.rint(np.clip(weights, 0.0, 1.0) * 254).astype(np.uint8)
    if mask is not None:
        levels = np.where(mask, levels, 0).astype(np.uint8)
    n_layers, n_heads, n_rows, n_columns = levels.shape
    up, across = (max(1, -(-size // n)) for n in (n_rows, n_columns))
    tiles = levels.repeat(up, axis=2).repeat(across, axis=3)
    tile_height, tile_width = tiles.shape[2:]
    room = (0, round(tile_height * gap_below)), (0, round(tile_width * gap))
    tiles = np.pad(tiles, ((0, 0), (0, 0), *room))
    pixels = tiles.transpose(0, 2, 1, 3).reshape(
        n_layers * tiles.shape[2], n_heads * tiles.shape[3]
    )
    image = Image.fromarray(pixels)
    image.putpalette(np.vstack([np.zeros((1, 3), np.uint8), _ramp_colours(ramp)]).tobytes())
    png = io.BytesIO()
    image.save(png, "PNG", transparency=0)
    return png.getvalue()


def data_url(png: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def _ramp_colours(ramp: tuple[str, ...], count: int = 255) -> np.ndarray:
    stops = np.array([rgb_of(colour) for colour in ramp], dtype=float)
    at = np.linspace(0, len(ramp) - 1, count)
    channels = [np.interp(at, np.arange(len(ramp)), stops[:, c]) for c in range(3)]
    return np.rint(np.stack(channels, axis=1)).astype(np.uint8)
