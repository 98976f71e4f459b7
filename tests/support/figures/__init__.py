"""A sample of every figure, drawn of any tokens, for `tests/unit/viz/test_figures.py`.

A file here has `FIGURES`: for each name a function that draws the figure with these tokens.
"""

from __future__ import annotations

import base64
import importlib
import io
import pkgutil
from collections.abc import Callable

import numpy as np
from PIL import Image

from core.records.attention import TRANSFORMER_SITES, AttentionMap

Tokens = tuple[str, ...]
PLAIN: Tokens = ("▁the", "▁dog", "▁the", "ly", ".", "</s>")


def every_figure() -> dict[str, Callable[[Tokens], object]]:
    found = {}
    for module in pkgutil.iter_modules(__path__):
        found |= importlib.import_module(f"{__name__}.{module.name}").FIGURES
    return found


def map_of(tokens: Tokens, site: str = "encoder", *, layers: int = 2, heads: int = 3, **more):
    """Random weights with rows that sum to one, causal where the site is."""
    n = len(tokens)
    weights = rng().random((layers, heads, n, n)) ** 3
    mask = np.tri(n, dtype=bool) if TRANSFORMER_SITES[site].causal else None
    weights *= 1 if mask is None else mask
    weights /= weights.sum(-1, keepdims=True)
    kind = TRANSFORMER_SITES[site]
    return AttentionMap(kind, weights.astype(np.float32), tokens, tokens, mask=mask, **more)


def pixels_of(picture: bytes | str, mode: str = "RGB") -> np.ndarray:
    """The pixels of a file or of a data URL, read by another library: (height, width, channel)."""
    if isinstance(picture, str):
        picture = base64.b64decode(picture.partition(",")[2])
    return np.asarray(Image.open(io.BytesIO(picture)).convert(mode)).astype(int)


def rng() -> np.random.Generator:
    return np.random.default_rng(3)
