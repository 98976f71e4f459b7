"""Additive attention beside dot-product attention (Bahdanau, Cho and Bengio 2015)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median

import numpy as np
import torch
from torch import Tensor, nn

from core.padding import AttentionCost

from .attention import attention_scores, attention_weights

FLOAT_BYTES = 4  # of a float32


def additive_scores(
    query: Tensor, key: Tensor, w_query: Tensor, w_key: Tensor, v: Tensor
) -> Tensor:
    """v . tanh(W q + U k) for every query and key; shapes as in `additive_attention`."""
    queries = query @ w_query.T  # (..., T_q, d_align)
    keys = key @ w_key.T  # (..., T_k, d_align)
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
    """Weigh `value` (B, T_k, d_value) by a small network's score of each query (B, T_q, d_query)
    with each key (B, T_k, d_key), the alignment model of Bahdanau et al. 2015 (section 3.1,
    appendix A.1.2): e_ij = v_a . tanh(W_a s_i + U_a h_j), and the weights are the softmax of e_ij
    over j. `w_query` is W_a (d_align, d_query), `w_key` U_a (d_align, d_key), `v` v_a (d_align,);
    `mask`, broadcastable to (B, T_q, T_k), is True where a query may look. Gives the context (B,
    T_q, d_value), the weights (B, T_q, T_k), rows of which sum to one, and the scores before mask
    and softmax."""
    scores = additive_scores(query, key, w_query, w_key, v)
    weights = attention_weights(scores, mask)
    return weights @ value, weights, scores


def untrained_parameters(
    d_query: int, d_key: int, d_align: int, *, seed: int = 0
) -> tuple[Tensor, Tensor, Tensor]:
    """W_a (d_align, d_query), U_a (d_align, d_key), v_a (d_align,): random, Xavier, by seed. They
    have learnt nothing, so the weights they lead to mean nothing either."""
    generator = torch.Generator().manual_seed(seed)
    w_query, w_key, v = (
        nn.init.xavier_uniform_(torch.empty(shape), generator=generator)
        for shape in ((d_align, d_query), (d_align, d_key), (1, d_align))
    )
    return w_query, w_key, v[0]


@torch.inference_mode()
def compared_weights(
    queries: np.ndarray, keys: np.ndarray, mask: np.ndarray | None = None, *, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Dot-product and additive weights, float32 (T_q, T_k), of the same vectors of one head,
    `queries` (T_q, d_k) and `keys` (T_k, d_k). `mask` (T_q, T_k) is True where a query may look;
    the additive hidden layer has d_k units, untrained, by `seed`."""
    query, key = (torch.from_numpy(np.array(x, dtype=np.float32)) for x in (queries, keys))
    seen = None if mask is None else torch.from_numpy(np.array(mask, dtype=bool))
    d_k = query.shape[-1]
    parameters = untrained_parameters(d_k, d_k, d_k, seed=seed)
    dot_product = attention_weights(attention_scores(query, key), seen)
    additive = attention_weights(additive_scores(query, key, *parameters), seen)
    return dot_product.numpy(), additive.numpy()


def dot_product_bytes(n_queries: int, n_keys: int) -> int:
    """Bytes of all tensors made on the way from q and k to the weights, three of (T_q, T_k): q.k,
    the same divided by sqrt(d_k), and its softmax."""
    return 3 * n_queries * n_keys * FLOAT_BYTES


def additive_bytes(n_queries: int, n_keys: int, d_align: int) -> int:
    """Bytes of all tensors made on the way from q and k to the weights: W q (T_q, d_align) and U k
    (T_k, d_align), their sum for every pair and its tanh, both (T_q, T_k, d_align), then the scores
    and their softmax, both (T_q, T_k)."""
    pairs = n_queries * n_keys
    return (n_queries * d_align + n_keys * d_align + 2 * pairs * d_align + 2 * pairs) * FLOAT_BYTES


@torch.inference_mode()
def compare_costs(
    lengths: Sequence[tuple[int, int]], d_k: int, *, repeats: int = 5
) -> tuple[AttentionCost, ...]:
    """Time and memory from vectors to weights, for one head on the CPU, in float32, for each pair
    of T_q and T_k. Additive attention has d_k hidden units; of `repeats` timed runs, after one that
    is not, the median is kept."""
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
    work()
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return median(times)
