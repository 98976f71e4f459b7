"""The sinusoidal encoding of positions in numbers (Vaswani et al. 2017, section 3.5).

Pair `i` is dimension 2i, a sine, with dimension 2i + 1, the cosine of the same angle. Numbers are
float64.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class OffsetSimilarity:
    """Products of encodings against their offset k, over all positions that have a pos + k.

    Attributes
    ----------
    offsets : int array (L,), k from 0.
    dots, lowest, highest : (L,), mean, smallest and largest PE(pos)·PE(pos + k) over pos.
    cosines : (L,), mean of the same divided by both lengths.
    """

    offsets: np.ndarray
    dots: np.ndarray
    lowest: np.ndarray
    highest: np.ndarray
    cosines: np.ndarray

    @property
    def spread(self) -> float:
        """The largest difference that pos makes to a product, over all offsets."""
        return float((self.highest - self.lowest).max())


@dataclass(frozen=True, eq=False)
class Rotation:
    """How one pair gets from a position to the one `offset` later.

    Attributes
    ----------
    frequency : radians a position.
    matrix : (2, 2), carries (sin, cos) at `position` to (sin, cos) at `position + offset`.
    before, after : (2,), (sin, cos) before and after.
    """

    position: int
    pair: int
    offset: int
    frequency: float
    matrix: np.ndarray
    before: np.ndarray
    after: np.ndarray

    @property
    def angle(self) -> float:
        """The angle of the rotation in radians, full turns included."""
        return self.frequency * self.offset


def encoding_table(n_positions: int, d_model: int, base: float = 10_000.0) -> np.ndarray:
    """``PE[pos, 2i] = sin(pos / base^(2i / d_model))``, ``PE[pos, 2i + 1]`` its cosine.

    Returns
    -------
    float64 array of shape (n_positions, d_model)

    Raises
    ------
    ValueError : d_model is odd.
    """
    angles = np.arange(n_positions)[:, None] * frequencies(d_model, base)
    return np.stack((np.sin(angles), np.cos(angles)), axis=-1).reshape(n_positions, d_model)


def frequencies(d_model: int, base: float = 10_000.0) -> np.ndarray:
    """Radians a position of each pair: base^(-2i / d_model), shape (d_model / 2,).

    Raises
    ------
    ValueError : d_model is odd.
    """
    if d_model % 2:
        raise ValueError(f"d_model must be even, found {d_model}")
    return base ** (-np.arange(0, d_model, 2) / d_model)


def wavelengths(d_model: int, base: float = 10_000.0) -> np.ndarray:
    """Positions to a full turn of each pair: 2 pi base^(2i / d_model), shape (d_model / 2,)."""
    return 2 * np.pi / frequencies(d_model, base)


def spread_dimensions(d_model: int) -> tuple[int, ...]:
    """A few dimensions to begin with: fast and middling pairs, and a slow sine.

    >>> spread_dimensions(256)
    (16, 17, 64, 65, 128)
    """
    pairs = d_model // 2
    fast, middling, slow = pairs // 16, pairs // 4, pairs // 2
    chosen = (2 * fast, 2 * fast + 1, 2 * middling, 2 * middling + 1, 2 * slow)
    return tuple(sorted({dimension for dimension in chosen if dimension < d_model}))


def offset_similarity(values: np.ndarray) -> OffsetSimilarity:
    """Products and cosines of the rows of `values` (L, d_model) against their offset."""
    values = values.astype(np.float64)
    dots = values @ values.T
    lengths = np.sqrt(dots.diagonal())
    cosines = dots / np.outer(lengths, lengths)
    of_offset = [dots.diagonal(k) for k in range(len(values))]
    return OffsetSimilarity(
        offsets=np.arange(len(values)),
        dots=np.array([each.mean() for each in of_offset]),
        lowest=np.array([each.min() for each in of_offset]),
        highest=np.array([each.max() for each in of_offset]),
        cosines=np.array([cosines.diagonal(k).mean() for k in range(len(values))]),
    )


def cosine_matrix(values: np.ndarray) -> np.ndarray:
    """The cosine of every two rows of `values` (L, d_model): (L, L)."""
    unit = values.astype(np.float64)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    return unit @ unit.T


def rotation(
    position: int, pair: int, offset: int, d_model: int, base: float = 10_000.0
) -> Rotation:
    """The rotation that carries `pair` from `position` to `position + offset`."""
    frequency = float(frequencies(d_model, base)[pair])
    turn = frequency * offset
    matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    before = np.array([np.sin(frequency * position), np.cos(frequency * position)])
    return Rotation(position, pair, offset, frequency, matrix, before, matrix @ before)


def rotation_error(values: np.ndarray, offset: int, base: float = 10_000.0) -> float:
    """The largest component of R_k PE(pos) - PE(pos + k) over all positions and pairs.

    Parameters
    ----------
    values : (L, d_model), the encoding
    offset : k, from 0 to L - 1

    Raises
    ------
    ValueError : no position has another `offset` later.
    """
    if not 0 <= offset < len(values):
        raise ValueError(f"expected an offset from 0 to {len(values) - 1}, found {offset}")
    values = values.astype(np.float64)
    turn = frequencies(values.shape[1], base) * offset
    sines, cosines = values[:, 0::2], values[:, 1::2]
    n = len(values) - offset
    errors = (
        sines[:n] * np.cos(turn) + cosines[:n] * np.sin(turn) - sines[offset:],
        cosines[:n] * np.cos(turn) - sines[:n] * np.sin(turn) - cosines[offset:],
    )
    return float(max(np.abs(error).max() for error in errors))
