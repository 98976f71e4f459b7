"""Principal components of points (PCA, Pearson 1901)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd


class Projection(NamedTuple):
    """Coordinates of points along the directions of largest variance."""

    # float64 (N, k), of each point minus the mean; NaN for a point with a number that is not
    # finite
    coordinates: np.ndarray
    # float64 (k, D), orthonormal rows; the largest number of each is positive
    components: np.ndarray
    shares: np.ndarray  # float64 (k,), of the whole variance, falling, at most 1 together


def principal(points: np.ndarray, k: int = 3) -> Projection:
    """Return the first k principal components of points (N, D), by singular value decomposition.

    Points with a number that is not finite are left out. If the points spread in fewer than k
    directions, the remaining coordinates, components and shares are 0.

    Raises
    ------
    ValueError : `points` is not an array (N, D).
    """
    points = np.asarray(points, dtype=np.float64)
    if points.ndim != 2:
        raise ValueError(f"points must be an array (N, D), not of shape {points.shape}")
    coordinates = np.full((len(points), k), np.nan)
    components = np.zeros((k, points.shape[1]))
    shares = np.zeros(k)
    finite = np.isfinite(points).all(axis=1)
    if not finite.any() or not points.shape[1]:
        return Projection(coordinates, components, shares)
    # Subtract one point first: equal points become exactly 0, while their mean may be rounded.
    moved = points[finite] - points[finite][0]
    centred = moved - moved.mean(axis=0)
    _, sizes, rows = np.linalg.svd(centred, full_matrices=False)
    rounding = max(centred.shape) * np.finfo(np.float64).eps * sizes[0]
    n = min(k, int((sizes > rounding).sum()))
    # The SVD leaves signs open; fixing them keeps a picture from flipping between runs.
    signs = np.sign(rows[np.arange(n), np.abs(rows[:n]).argmax(axis=1)])
    components[:n] = rows[:n] * signs[:, None]
    shares[:n] = np.square(sizes[:n]) / np.square(sizes).sum() if n else 0
    coordinates[finite] = centred @ components.T
    return Projection(coordinates, components, shares)


def component_table(projection: Projection, tokens: Sequence[str]) -> pd.DataFrame:
    """Return one row a position: its token, if the sentence has one, and its coordinates."""
    length = len(projection.coordinates)
    table = pd.DataFrame(projection.coordinates, columns=["pc1", "pc2", "pc3"])
    table.insert(0, "position", np.arange(length))
    table.insert(1, "token", [*tokens[:length], *[""] * (length - len(tokens))])
    return table
