"""Effect of a mask on the softmax of one head, and weights beyond a mask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from .records.tokens import distinct_labels
from .softmax import softmax

Step = Literal["score", "exp", "weight"]
"""Step of a softmax: scores, their exponentials, and these divided by their sum."""


@dataclass(frozen=True, eq=False)
class HeadStages:
    """One head from scores to weights, with its mask and without it in this head only.

    Float64 arrays of shape (T_q, T_k) unless said otherwise.
    """

    scores: np.ndarray  # q.k / sqrt(d_k), before the mask
    mask: np.ndarray  # bool, True where a query may attend
    # terms, weights: exp(score - largest allowed score of the row), 0 where masked, and these
    # divided by their sum
    terms: np.ndarray
    weights: np.ndarray
    # free_terms, free_weights: the same with every key allowed, from the same scores
    free_terms: np.ndarray
    free_weights: np.ndarray

    @property
    def added(self) -> np.ndarray:
        """Summand of the mask: 0 or minus infinity, (T_q, T_k)."""
        return np.where(self.mask, 0.0, -np.inf)

    @property
    def moved(self) -> np.ndarray:
        """Share of a row that goes to masked keys without the mask, (T_q,), 0 to 1."""
        return share_outside(self.free_weights, self.mask)

    @property
    def mean_moved(self) -> float:
        """Mean of `moved` over the rows that have a masked key; 0 if none has."""
        return mean_share(self.free_weights, self.mask)


def head_stages(scores: np.ndarray, mask: np.ndarray | None = None) -> HeadStages:
    """Compute one head's softmax from its scores (T_q, T_k), with and without the mask.

    Raises
    ------
    ValueError : the mask has another shape, or leaves a row without any key.
    """
    scores = np.asarray(scores, dtype=np.float64)
    mask = np.ones(scores.shape, bool) if mask is None else np.asarray(mask, bool)
    if mask.shape != scores.shape:
        raise ValueError(f"mask is {mask.shape} but the scores are {scores.shape}")
    # A softmax over nothing but minus infinity is NaN.
    if not mask.any(axis=1).all():
        raise ValueError("the mask leaves a row without any key")
    _, terms, weights = softmax(np.where(mask, scores, -np.inf))
    _, free_terms, free_weights = softmax(scores)
    return HeadStages(scores, mask, terms, weights, free_terms, free_weights)


def share_outside(weights: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return the weight on keys that `mask` (T_q, T_k) forbids: (..., T_q, T_k) -> (..., T_q)."""
    return np.where(mask, 0.0, weights).sum(axis=-1)


def share_moved(values: np.ndarray, mask: np.ndarray, step: Step) -> np.ndarray:
    """Return `share_outside` (T_q,) for a `step` of a softmax without its mask, (T_q, T_k)."""
    if step == "score":
        values = softmax(values)[2]
    elif step == "exp":
        values = values / values.sum(axis=-1, keepdims=True)
    return share_outside(values, mask)


def mean_share(weights: np.ndarray, mask: np.ndarray) -> Any:
    """Average `share_outside` over the rows with a forbidden key: (..., T_q, T_k) -> (...)."""
    rows = ~mask.all(axis=1)
    shares = share_outside(weights, mask)[..., rows]
    means = shares.mean(axis=-1) if rows.any() else np.zeros(shares.shape[:-1])
    return float(means) if np.ndim(means) == 0 else means


def peek_facts(weights: np.ndarray, mask: np.ndarray, tokens: Sequence[str]) -> dict[str, Any]:
    """Return the share of weight beyond the mask, and the largest of these weights.

    Empty if the mask forbids nothing. `weights`: (T_q, T_k) of one head without the mask.
    """
    if mask.all():
        return {}
    q, k = np.unravel_index(np.where(mask, -1.0, weights).argmax(), weights.shape)
    names = distinct_labels(tokens)
    largest = {"query": names[q], "key": names[k], "weight": weights[q, k]}
    return {"share": mean_share(weights, mask), **largest}


def forced_facts(first: np.ndarray, second: np.ndarray) -> dict[str, Any]:
    """Compare log P of a text in two runs, in total and per token: (T_tgt,) natural."""
    before, after = (float(logs.sum(dtype=np.float64)) for logs in (first, second))
    way = "falls" if after < before else "rises"
    n = len(first)
    whole = {"way": way, "before": before, "after": after}
    return {**whole, "before_each": before / n, "after_each": after / n}
