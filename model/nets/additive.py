"""Additive attention compared with dot-product attention (Bahdanau, Cho and Bengio 2015)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median

import numpy as np
import torch
from torch import Tensor, nn

from core.cost import AttentionCost

from .attention import attention_scores, attention_weights

FLOAT_BYTES = 4  # size of a float32


def additive_scores(
    query: Tensor, key: Tensor, w_query: Tensor, w_key: Tensor, v: Tensor
) -> Tensor:
    """Return v . tanh(W q + U k) for every query and key, shape (..., T_q, T_k).

    Shapes of the arguments are those of `additive_attention`.
    """
    queries = query @ w_query.T  # (..., T_q, d_align)
    keys = key @ w_key.T  # (..., T_k, d_align)
    # The sum of every pair exists in memory, which is what makes additive scores expensive.
    hidden = torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3))  # (..., T_q, T_k, d_align)
    return hidden @ v  # (..., T_q, T_k)


def additive_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    w_query: Tensor,
    w_key: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Weight `value` by a small network's score of each query with each key.

    The alignment model of Bahdanau et al. 2015 (section 3.1, appendix A.1.2): e_ij = v_a . tanh(W_a
    s_i + U_a h_j), and the weights are the softmax of e_ij over j.

    Parameters
    ----------
    query : Tensor of shape (B, T_q, d_query)
    key : Tensor of shape (B, T_k, d_key)
    value : Tensor of shape (B, T_k, d_value)
    w_query : Tensor of shape (d_align, d_query), W_a
    w_key : Tensor of shape (d_align, d_key), U_a
    v : Tensor of shape (d_align,), v_a
    mask : bool Tensor broadcastable to (B, T_q, T_k), optional
        True where a query may attend.

    Returns
    -------
    context : Tensor of shape (B, T_q, d_value)
    weights : Tensor of shape (B, T_q, T_k); each row sums to one
    scores : Tensor of shape (B, T_q, T_k), before mask and softmax
    """
    scores = additive_scores(query, key, w_query, w_key, v)
    weights = attention_weights(scores, mask)
    return weights @ value, weights, scores


def untrained_parameters(
    d_query: int, d_key: int, d_align: int, *, seed: int = 0
) -> tuple[Tensor, Tensor, Tensor]:
    """Draw random W_a (d_align, d_query), U_a (d_align, d_key) and v_a (d_align,), Xavier uniform.

    Reproducible by `seed`. Nothing was learned, so the weights they produce carry no meaning.
    """
    generator = torch.Generator().manual_seed(seed)
    w_query, w_key, v = (
        nn.init.xavier_uniform_(torch.empty(shape), generator=generator)
        # Xavier needs two dimensions; v_a is drawn as a matrix of one row.
        for shape in ((d_align, d_query), (d_align, d_key), (1, d_align))
    )
    return w_query, w_key, v[0]


@torch.inference_mode()
def compared_weights(
    queries: np.ndarray, keys: np.ndarray, mask: np.ndarray | None = None, *, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Return dot-product and additive weights of the vectors of one head.

    Parameters
    ----------
    queries : array of shape (T_q, d_k)
    keys : array of shape (T_k, d_k)
    mask : bool array of shape (T_q, T_k), optional
        True where a query may attend.
    seed : int
        Draws the untrained additive layer of d_k hidden units.

    Returns
    -------
    dot_product, additive : float32 arrays of shape (T_q, T_k)
    """
    # Copies: the arrays of records are read-only, which torch warns about.
    query, key = (torch.from_numpy(np.array(x, dtype=np.float32)) for x in (queries, keys))
    seen = None if mask is None else torch.from_numpy(np.array(mask, dtype=bool))
    d_k = query.shape[-1]
    parameters = untrained_parameters(d_k, d_k, d_k, seed=seed)
    dot_product = attention_weights(attention_scores(query, key), seen)
    additive = attention_weights(additive_scores(query, key, *parameters), seen)
    return dot_product.numpy(), additive.numpy()


def dot_product_bytes(n_queries: int, n_keys: int) -> int:
    """Return the bytes of all tensors between q, k and the weights.

    There are three of shape (T_q, T_k): q.k, the same divided by sqrt(d_k), and its softmax.
    """
    return 3 * n_queries * n_keys * FLOAT_BYTES


def additive_bytes(n_queries: int, n_keys: int, d_align: int) -> int:
    """Return the bytes of all tensors between q, k and the weights.

    W q (T_q, d_align) and U k (T_k, d_align); their sum for every pair and its tanh, both (T_q,
    T_k, d_align); the scores and their softmax, both (T_q, T_k).
    """
    pairs = n_queries * n_keys
    return (n_queries * d_align + n_keys * d_align + 2 * pairs * d_align + 2 * pairs) * FLOAT_BYTES


@torch.inference_mode()
def compare_costs(
    lengths: Sequence[tuple[int, int]], d_k: int, *, repeats: int = 5
) -> tuple[AttentionCost, ...]:
    """Measure time and memory from vectors to weights for one head, on the CPU in float32.

    `lengths` holds pairs (T_q, T_k). Additive attention has `d_k` hidden units. One untimed run
    precedes `repeats` timed runs, whose median is kept.
    """
    # Values do not matter to the time, only that every run has the same.
    generator = torch.Generator().manual_seed(0)
    parameters = untrained_parameters(d_k, d_k, d_k)
    costs = []
    for n_queries, n_keys in lengths:
        query = torch.randn(n_queries, d_k, generator=generator)
        key = torch.randn(n_keys, d_k, generator=generator)
        costs.append(
            AttentionCost(
                n_queries=n_queries,
                n_keys=n_keys,
                d_k=d_k,
                dot_product_bytes=dot_product_bytes(n_queries, n_keys),
                additive_bytes=additive_bytes(n_queries, n_keys, d_k),
                # The defaults bind the tensors of this length; a plain closure would see those of
                # the last one.
                dot_product_seconds=_seconds(
                    lambda q=query, k=key: attention_scores(q, k).softmax(dim=-1), repeats
                ),
                additive_seconds=_seconds(
                    lambda q=query, k=key: additive_scores(q, k, *parameters).softmax(dim=-1),
                    repeats,
                ),
            )
        )
    return tuple(costs)


def _seconds(work: Callable[[], Tensor], repeats: int) -> float:
    """Return the median seconds of `repeats` calls of `work`, after one untimed call."""
    work()
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return median(times)
