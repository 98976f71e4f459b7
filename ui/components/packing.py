"""Weights of attention as they travel to the browser."""

from __future__ import annotations

import base64

import numpy as np

MASKED, FULL = 65535, 65534  # 16 bits a weight, and one value for "may not look"


def pack_weights(weights: np.ndarray, seen: np.ndarray | None) -> str:
    """Weights of any shape as base64 of 16-bit numbers, lowest byte first.

    A weight w is ``round(w * FULL)``; where `seen`, which broadcasts to the weights, is False, it
    is `MASKED`.
    """
    steps = np.rint(np.clip(weights, 0, 1) * FULL)
    if seen is not None:
        steps = np.where(seen, steps, MASKED)
    return pack(steps.astype("<u2"))


def pack(array: np.ndarray) -> str:
    """The bytes of an array as base64."""
    return base64.b64encode(array.tobytes()).decode("ascii")
