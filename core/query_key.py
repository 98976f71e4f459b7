"""The queries and keys of one head as points of one space, as in AttentionViz (Yeh et al. 2023)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from .attention import AttentionMap
from .principal import principal

LEAST_EDGE = 0.05
"""The smallest weight that is drawn as an edge."""
_FEWEST_KEYS = 3  # of a row whose ranks are compared: two agree or do not by chance


class Balanced(NamedTuple):
    """Queries and keys moved and scaled so that they can be seen together."""

    queries: np.ndarray  # float64 (T_q, d_k), c q
    keys: np.ndarray  # float64 (T_k, d_k), (k - shift) / c
    shift: np.ndarray  # float64 (d_k,), the mean of the keys
    factor: float  # c


def balance(queries: np.ndarray, keys: np.ndarray) -> Balanced:
    """Keys about 0, and queries as long as keys on average, under the softmax that they had.

    q . (k - s) differs from q . k by q . s, the same for every key of a row, and (c q) . (k / c) is
    q . k, so neither changes a weight. Here s is the mean of the keys, and c gives both sets the
    same mean norm; it is 1 where one of them is all 0. Rows with a number that is not finite count
    in neither.
    """
    queries, keys = (np.asarray(vectors, dtype=np.float64) for vectors in (queries, keys))
    sound = keys[np.isfinite(keys).all(axis=1)]
    first = sound[0] if len(sound) else np.zeros(keys.shape[1])
    rest = (sound - first).mean(axis=0) if len(sound) else first
    centred = (keys - first) - rest  # in two steps equal keys are 0 exactly
    long, wide = _mean_norm(queries), _mean_norm(centred)
    factor = float(np.sqrt(wide / long)) if long > 0 and wide > 0 else 1.0
    return Balanced(factor * queries, centred / factor, first + rest, factor)


def _mean_norm(vectors: np.ndarray) -> float:
    norms = np.linalg.norm(vectors, axis=1)
    norms = norms[np.isfinite(norms)]
    return float(norms.mean()) if len(norms) else 0.0


@dataclass(frozen=True, eq=False)
class QueryKeySpace:
    """The queries and keys of a head in few dimensions."""

    # queries, keys: float64 (T_q, k) and (T_k, k), along the first k principal components of both
    # sets together; NaN for a vector that is not finite
    queries: np.ndarray
    keys: np.ndarray
    shares: np.ndarray  # float64 (k,), of the variance of both sets
    # how well closeness stands for the score in these dimensions: the rank correlation of the two
    # within a row, mean of the rows; NaN where no row has keys to compare
    agreement: float

    @property
    def drawn(self) -> bool:
        """Whether any two of the points stand apart."""
        return bool(self.shares.any())


def query_key_space(
    queries: np.ndarray, keys: np.ndarray, k: int, mask: np.ndarray | None = None
) -> QueryKeySpace:
    """Balance both sets and project them by one PCA.

    `queries`, `keys`: arrays (T_q, d_k) and (T_k, d_k), after the projections of the head. `mask`:
    bool (T_q, T_k), True where a query may look, or None when everywhere.
    """
    balanced = balance(queries, keys)
    projection = principal(np.vstack((balanced.queries, balanced.keys)), k)
    placed_queries, placed_keys = np.split(projection.coordinates, [len(balanced.queries)])
    scores = balanced.queries @ balanced.keys.T
    agreement = rank_agreement(placed_queries, placed_keys, scores, mask)
    return QueryKeySpace(placed_queries, placed_keys, projection.shares, agreement)


def rank_agreement(
    queries: np.ndarray, keys: np.ndarray, scores: np.ndarray, mask: np.ndarray | None = None
) -> float:
    """Spearman's correlation of score and closeness over the keys of a row, mean of the rows.

    1 where the closer of two keys has the higher score in every row. Masked keys and points that
    are not finite take no part, nor do rows of fewer than three keys or without any spread.
    """
    distances = np.linalg.norm(queries[:, None] - keys[None], axis=-1)
    allowed = np.isfinite(distances) & np.isfinite(scores)
    allowed &= True if mask is None else mask
    correlations = []
    for row in range(len(queries)):
        seen = allowed[row]
        if seen.sum() < _FEWEST_KEYS:
            continue
        ranks = rankdata(scores[row, seen]), rankdata(-distances[row, seen])
        if all(np.ptp(ranking) > 0 for ranking in ranks):
            correlations.append(np.corrcoef(*ranks)[0, 1])
    return float(np.mean(correlations)) if correlations else float("nan")


def strongest(
    weights: np.ndarray,
    allowed: np.ndarray | None = None,
    *,
    least: float = 0.0,
    most: int | None = None,
) -> tuple[int, ...]:
    """Positions of the largest of some weights, the largest first.

    `weights`: array (n,), a row or a column of a head. `allowed`: bool (n,), False where masked:
    these are never among them, nor is a weight of 0. `least`: the smallest weight that counts.
    `most`: how many at most.
    """
    weights = np.asarray(weights, dtype=np.float64)
    # A share that stands as float32 may be a little below what it is said to be.
    counts = np.isfinite(weights) & (weights > 0) & (weights >= least - 1e-8)
    counts &= True if allowed is None else allowed
    order = np.argsort(-np.where(counts, weights, 0.0), kind="stable")
    return tuple(int(position) for position in order[: counts.sum()][:most])


def edges(attention: AttentionMap, layer: int, head: int, row: int) -> tuple[int, ...]:
    """The keys that a query is joined to, the largest weight first."""
    allowed = attention.mask_of(layer, head)[row]
    return strongest(attention.head(layer, head)[row], allowed, least=LEAST_EDGE)


def space_table(
    space: QueryKeySpace, attention: AttentionMap, layer: int, head: int, row: int
) -> pd.DataFrame:
    """A line a point: side, position (from 1), token, pc1 ..., weight (the row gives a key)."""
    parts = []
    for side, points, tokens, weight in (
        ("query", space.queries, attention.query_tokens, np.nan),
        ("key", space.keys, attention.key_tokens, attention.head(layer, head)[row]),
    ):
        coordinates = {f"pc{i}": axis for i, axis in enumerate(points.T, start=1)}
        named = {"side": side, "position": np.arange(1, len(points) + 1), "token": tokens}
        parts.append(pd.DataFrame({**named, **coordinates, "weight": weight}))
    return pd.concat(parts, ignore_index=True)
