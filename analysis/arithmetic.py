"""The numbers behind one row of one head, stage by stage; drawing happens in `viz.stages`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from records import AttentionMap, AttentionVectors

from .measures import row_entropy

SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


@dataclass(frozen=True, eq=False)
class Stages:
    """Attention from one query's vectors to its output (Vaswani et al. 2017, section 3.2).

    All arrays are float64, worked out from the vectors alone.

    Attributes
    ----------
    kind, layer, head, row : which query of which head; all count from 0.
    query : (d_k,)
    keys, values : (T_k, d_k)
    dots : (T_k,) q.k of each key.
    scores : (T_k,) dots / sqrt(d_k), before the mask.
    mask : (T_k,) what is added to the scores: 0 where the query may look, else minus infinity.
    masked : (T_k,) scores + mask.
    largest_score : the largest of `masked`; it is taken off before exp, which leaves the weights
        as they are and keeps exp from overflowing.
    terms : (T_k,) exp(masked - largest_score).
    weights : (T_k,) terms / sum of terms.
    contributions : (T_k, d_k) weight times value of each key.
    context : (d_k,) their sum.
    contexts : (H, d_k) the same for every head of the layer; end to end they are what W_O takes.
    head_outputs : (H, d_model) each head's part W_O^h context_h of the sub-layer's output.
    bias : (d_model,) of W_O.
    output : (d_model,) the sum of `head_outputs` and `bias`.
    captured : (T_k,) the weights that the model's own run gave this row.
    """

    kind: str
    layer: int
    head: int
    row: int
    query: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    dots: np.ndarray
    scores: np.ndarray
    mask: np.ndarray
    masked: np.ndarray
    largest_score: float
    terms: np.ndarray
    weights: np.ndarray
    contributions: np.ndarray
    context: np.ndarray
    contexts: np.ndarray
    head_outputs: np.ndarray
    bias: np.ndarray
    output: np.ndarray
    captured: np.ndarray

    @property
    def d_k(self) -> int:
        return len(self.query)

    @property
    def n_heads(self) -> int:
        return len(self.contexts)

    @property
    def seen(self) -> np.ndarray:
        """(T_k,) bool, True where the query may look."""
        return np.isfinite(self.mask)

    @property
    def concatenated(self) -> np.ndarray:
        """(d_model,) the contexts of all heads end to end."""
        return self.contexts.reshape(-1)

    @property
    def unscaled_weights(self) -> np.ndarray:
        """(T_k,) the weights without the division by sqrt(d_k)."""
        return softmax(self.dots + self.mask)[2]

    @property
    def largest_difference(self) -> float:
        """Largest absolute difference between `weights` and `captured`."""
        return float(np.abs(self.weights - self.captured).max())

    def product(self, key: int) -> np.ndarray:
        """(d_k,) element by element, query times one key; its sum is ``dots[key]``."""
        return self.query * self.keys[key]


def staged(
    vectors: AttentionVectors, attention: AttentionMap, layer: int, head: int, row: int
) -> Stages:
    """Work out one row of one head from its vectors; `attention` lends its mask and its check.

    Raises
    ------
    ValueError : `vectors` and `attention` are not of the same run.
    """
    expected = (*vectors.queries.shape[:3], vectors.keys.shape[2])
    if vectors.kind != attention.kind or attention.weights.shape != expected:
        raise ValueError(
            f"{vectors.kind} vectors are for weights of shape {expected}, found "
            f"{attention.kind} weights of shape {attention.weights.shape}"
        )
    queries = vectors.queries[layer, :, row].astype(np.float64)  # (H, d_k)
    keys = vectors.keys[layer].astype(np.float64)  # (H, T_k, d_k)
    values = vectors.values[layer].astype(np.float64)
    n_heads, n_keys, d_k = keys.shape
    seen = np.ones(n_keys, bool) if attention.mask is None else attention.mask[row]
    mask = np.where(seen, 0.0, -np.inf)
    dots = np.einsum("hd,hkd->hk", queries, keys)
    scores = dots / math.sqrt(d_k)
    largest, terms, weights = softmax(scores + mask)
    contexts = np.einsum("hk,hkd->hd", weights, values)
    blocks = vectors.out_weight[layer].astype(np.float64).reshape(-1, n_heads, d_k)
    head_outputs = np.einsum("mhd,hd->hm", blocks, contexts)
    bias = vectors.out_bias[layer].astype(np.float64)
    return Stages(
        kind=attention.kind,
        layer=layer,
        head=head,
        row=row,
        query=queries[head],
        keys=keys[head],
        values=values[head],
        dots=dots[head],
        scores=scores[head],
        mask=mask,
        masked=scores[head] + mask,
        largest_score=float(largest[head, 0]),
        terms=terms[head],
        weights=weights[head],
        contributions=weights[head][:, None] * values[head],
        context=contexts[head],
        contexts=contexts,
        head_outputs=head_outputs,
        bias=bias,
        output=head_outputs.sum(axis=0) + bias,
        captured=attention.weights[layer, head, row].astype(np.float64),
    )


def softmax(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Over the last axis: the largest score (last axis 1), exp(scores - largest), weights."""
    largest = scores.max(axis=-1, keepdims=True)
    terms = np.exp(scores - largest)
    return largest, terms, terms / terms.sum(axis=-1, keepdims=True)


def softmax_gradient(weights: np.ndarray) -> np.ndarray:
    """How far the weights can still move: Frobenius norm of the softmax's Jacobian.

    J = diag(w) - w w^T, the derivative of the weights by the numbers the softmax was given. It is
    0 when one key has everything, and then nothing is learnt through this softmax. `weights` are
    rows along the last axis, which the result lacks.
    """
    squares, cubes = (weights**2).sum(axis=-1), (weights**3).sum(axis=-1)
    return np.sqrt(np.maximum(squares - 2 * cubes + squares**2, 0.0))


@dataclass(frozen=True, eq=False)
class Sharpness:
    """What a softmax made of its scores, with and without division by sqrt(d_k).

    The first axis of each array is (divided, not divided); further axes are those of `d_k`.

    Attributes
    ----------
    d_k : size or sizes of the vectors.
    largest : the largest weight of a row, 0 to 1.
    entropy : in bits.
    gradient : norm of the softmax's Jacobian (see `softmax_gradient`).
    """

    d_k: np.ndarray
    largest: np.ndarray
    entropy: np.ndarray
    gradient: np.ndarray


@lru_cache(maxsize=32)
def scaling_effect(
    n_keys: int, *, sizes: tuple[int, ...] = SIZES, n_samples: int = 200, seed: int = 0
) -> Sharpness:
    """Rows of random vectors of growing size, means over `n_samples` queries.

    The components of q and k are independent with mean 0 and variance 1, so q.k has mean 0 and
    variance d_k (Vaswani et al. 2017, footnote 4). Given q, the product with such a key is normal
    with variance |q|^2 and independent of the other keys, so it is drawn as one number.

    Parameters
    ----------
    n_keys : keys in a row
    sizes : the d_k to try; the arrays of the result are (2, len(sizes))
    """
    rng = np.random.default_rng(seed)
    found = []
    for d_k in sizes:
        queries = rng.standard_normal((n_samples, d_k))
        lengths = np.linalg.norm(queries, axis=-1, keepdims=True)
        dots = lengths * rng.standard_normal((n_samples, n_keys))
        found.append(_sharpness(softmax(np.stack((dots / math.sqrt(d_k), dots)))[2]))
    largest, entropy, gradient = np.stack(found, axis=-1).mean(axis=2)
    return Sharpness(np.array(sizes), largest, entropy, gradient)


def own_sharpness(stages: Stages) -> Sharpness:
    """The same numbers for the row at hand; the arrays are (2,)."""
    largest, entropy, gradient = _sharpness(np.stack((stages.weights, stages.unscaled_weights)))
    return Sharpness(np.array(stages.d_k), largest, entropy, gradient)


def _sharpness(weights: np.ndarray) -> np.ndarray:
    """(..., T_k) rows -> (3, ...): largest weight, entropy, gradient."""
    return np.stack((weights.max(axis=-1), row_entropy(weights), softmax_gradient(weights)))


@dataclass(frozen=True, eq=False)
class Shares:
    """The contributions that matter, and one line for all the others, so that they still add up.

    Attributes
    ----------
    keys : positions of the keys shown one by one, in order.
    parts : (n, d_k) their contributions, and last those of all other keys together, when there
        are any.
    weights : (n,) their weights, the last one summed likewise.
    n_others : how many keys the last line stands for, 0 when every key is shown.
    """

    keys: tuple[int, ...]
    parts: np.ndarray
    weights: np.ndarray
    n_others: int


def largest_shares(stages: Stages, most: int, always: int) -> Shares:
    """The `most` keys of largest weight, with the key `always` among them.

    A single key left over is shown as itself. Masked keys contribute nothing and are left out.
    """
    seen = [int(k) for k in np.argsort(-stages.weights, kind="stable") if stages.seen[k]]
    shown = seen if len(seen) == most + 1 else seen[:most]
    if always in seen and always not in shown:
        shown[-1] = always
    shown.sort()
    others = [k for k in seen if k not in set(shown)]
    parts, weights = stages.contributions[shown], stages.weights[shown]
    if others:
        parts = np.vstack((parts, stages.contributions[others].sum(axis=0)))
        weights = np.append(weights, stages.weights[others].sum())
    return Shares(tuple(shown), parts, weights, len(others))
