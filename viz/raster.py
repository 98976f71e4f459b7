"""Many small matrices as one PNG image: one colour a cell, transparent if masked."""

from __future__ import annotations

import base64
import io
from typing import Any

import numpy as np
import pandas as pd
from PIL import Image

from .theme import colours_on


def mosaic_png(
    weights: np.ndarray,
    ramp: tuple[str, ...],
    *,
    mask: np.ndarray | None = None,
    size: int = 96,
    gap: float = 0.0,
    gap_below: float = 0.0,
) -> bytes:
    """Draw an array (L, H, T_q, T_k) of numbers from 0 to 1 as one palette PNG, layers down.

    Every tile has about `size` pixels a side; `gap` and `gap_below` are the transparent space to
    its right and below it, as parts of a tile. Cells are whole blocks of pixels, so a browser has
    nothing to blur. `mask` (T_q, T_k) is True where a query may attend; other cells are
    transparent.
    """
    # Index 0 of the palette is transparent, which leaves 255 colours.
    levels = 1 + np.rint(np.clip(weights, 0.0, 1.0) * 254).astype(np.uint8)
    if mask is not None:
        levels[..., ~mask] = 0
    # -(-size // n) rounds up.
    up, across = (-(-size // n) for n in levels.shape[2:])
    tiles = levels.repeat(up, axis=2).repeat(across, axis=3)
    height, width = tiles.shape[2:]
    room = (0, 0), (0, 0), (0, round(height * gap_below)), (0, round(width * gap))
    image = Image.fromarray(np.vstack([np.hstack(layer) for layer in np.pad(tiles, room)]))
    colours = np.rint(colours_on(ramp, np.linspace(0, 1, 255))).astype(np.uint8)
    # Three zero bytes for the transparent index 0.
    image.putpalette(bytes(3) + colours.tobytes())
    return png_of(image, transparency=0)


def png_of(image: Image.Image, **options: Any) -> bytes:
    """Encode an image as PNG."""
    png = io.BytesIO()
    image.save(png, "PNG", **options)
    return png.getvalue()


def data_url(png: bytes) -> str:
    """Return a PNG as a data URL."""
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def pictured(shares: np.ndarray, ramp: tuple[str, ...], across: int, down: int) -> pd.DataFrame:
    """Return the table `picture`: numbers from 0 to 1, each `across` by `down` pixels large.

    The image has twice as many pixels, for screens of double density.
    """
    cells = shares.repeat(2 * down, axis=0).repeat(2 * across, axis=1)
    # size=1: cells were enlarged above, each way by its own factor.
    png = mosaic_png(cells[None, None], ramp, size=1)
    return pd.DataFrame({"image": [data_url(png)], "value": [0.0]})
