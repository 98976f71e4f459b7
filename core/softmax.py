"""Softmax with its stages, and how sharp it is with and without division by sqrt(d_k)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from .weights.measures import row_entropy

SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
"""Values of d_k for which the effect of scaling is simulated."""


def softmax(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the softmax over the last axis with its stages.

    Returns
    -------
    largest : ndarray, last axis 1; the largest score
    terms : ndarray, ``exp(scores - largest)``
    weights : ndarray, `terms` divided by their sum
    """
    largest = scores.max(axis=-1, keepdims=True)
    terms = np.exp(scores - largest)
    return largest, terms, terms / terms.sum(axis=-1, keepdims=True)


def softmax_gradient(weights: np.ndarray) -> np.ndarray:
    """Return the Frobenius norm of the softmax's Jacobian: how far the weights can still move.

    ``J = diag(w) - w w^T`` is the derivative of the weights by the scores. Its norm is 0 when one
    key has all the weight, and then nothing is learnt through this softmax. Rows lie along the last
    axis of `weights`, which the result lacks.
    """
    squares = (weights**2).sum(axis=-1)
    cubes = (weights**3).sum(axis=-1)
    # Rounding can make the sum of squares of a saturated row slightly negative.
    return np.sqrt(np.maximum(squares - 2 * cubes + squares**2, 0.0))


@dataclass(frozen=True, eq=False)
class Sharpness:
    """Sharpness of a softmax with and without division by sqrt(d_k).

    The first axis of each array is (divided, not divided); further axes are those of `d_k`.
    """

    d_k: np.ndarray  # size or sizes of the vectors
    largest: np.ndarray  # the largest weight of a row, 0 to 1
    entropy: np.ndarray  # in bits
    gradient: np.ndarray  # norm of the softmax's Jacobian (see `softmax_gradient`)


@lru_cache(maxsize=32)
def scaling_effect(
    n_keys: int, *, sizes: tuple[int, ...] = SIZES, n_samples: int = 200
) -> Sharpness:
    """Simulate softmaxes over random vectors of growing size; means over `n_samples` queries.

    The components of q and k are independent with mean 0 and variance 1, so q.k has mean 0 and
    variance d_k (Vaswani et al. 2017, footnote 4). Given q, the product with such a key is normal
    with variance |q|^2 and independent of the other keys, so it is drawn as one number.

    Parameters
    ----------
    n_keys : int
        Keys in a row.
    sizes : tuple of int
        Values of d_k; the arrays of the result have shape (2, len(sizes)).
    n_samples : int
        Queries drawn for each size.
    """
    # A fixed seed, so that the figure does not change from visit to visit.
    rng = np.random.default_rng(0)
    measures = []
    for d_k in sizes:
        queries = rng.standard_normal((n_samples, d_k))
        lengths = np.linalg.norm(queries, axis=-1, keepdims=True)
        dots = lengths * rng.standard_normal((n_samples, n_keys))
        measures.append(sharpness_of(softmax(np.stack((dots / math.sqrt(d_k), dots)))[2]))
    largest, entropy, gradient = np.stack(measures, axis=-1).mean(axis=2)
    return Sharpness(np.array(sizes), largest, entropy, gradient)


def sharpness_of(weights: np.ndarray) -> np.ndarray:
    """Stack largest weight, entropy and gradient of rows (..., T_k): (3, ...)."""
    return np.stack((weights.max(axis=-1), row_entropy(weights), softmax_gradient(weights)))


def sharpness_table(effect: Sharpness, names: Sequence[str]) -> pd.DataFrame:
    """Return one row for each size and each of `names`, the labels of divided and not divided.

    Columns: d_k, name, largest, entropy and gradient.
    """
    sizes = np.atleast_1d(effect.d_k).astype(int)
    table = pd.DataFrame({"d_k": np.tile(sizes, 2), "name": np.repeat(names, len(sizes))})
    for name in ("largest", "entropy", "gradient"):
        table[name] = getattr(effect, name).ravel().astype(float)
    return table


def softmax_parts(
    scores: np.ndarray, seen: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the softmax over the scores that are `seen`, step by step, each float64 (T,).

    Steps: score minus the largest (NaN for unseen ones), its exponential, and that divided by their
    sum (0 for unseen ones).
    """
    scores = np.asarray(scores, dtype=np.float64)
    # The exponential of minus infinity is 0, the share of an unseen key.
    largest, exponentials, shares = softmax(np.where(seen, scores, -np.inf))
    return np.where(seen, scores - largest, np.nan), exponentials, shares
