"""Additive attention against sums by hand, naive loops and torch's own allocations."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.utils._python_dispatch import TorchDispatchMode

from model.alignment import (
    additive_attention,
    additive_bytes,
    additive_scores,
    compare_costs,
    compared_weights,
    dot_product_bytes,
    untrained_parameters,
)
from model.attention import attention_scores


class Allocations(TorchDispatchMode):
    """Adds up the bytes of every new storage that torch hands out."""

    def __init__(self, *known):
        super().__init__()
        self.seen = {tensor.untyped_storage().data_ptr() for tensor in known}
        self.kept = []
        self.total = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        made = func(*args, **(kwargs or {}))
        storage = made.untyped_storage()
        if storage.data_ptr() not in self.seen:
            self.seen.add(storage.data_ptr())
            self.kept.append(made)
            self.total += storage.nbytes()
        return made


def random_case(seed=0, batch=2, n_queries=3, n_keys=4, sizes=(5, 6, 7, 8)):
    d_query, d_key, d_value, d_align = sizes
    generator = torch.Generator().manual_seed(seed)
    shapes = [
        (batch, n_queries, d_query), (batch, n_keys, d_key), (batch, n_keys, d_value),
        (d_align, d_query), (d_align, d_key), (d_align,),
    ]  # fmt: skip
    return [torch.randn(shape, generator=generator, dtype=torch.float64) for shape in shapes]


def by_loops(query, key, value, w_query, w_key, v, mask=None):
    """Section 3.1 and appendix A.1.2, one number at a time."""
    batch, n_queries, _ = query.shape
    n_keys = key.shape[1]
    context = torch.zeros(batch, n_queries, value.shape[2], dtype=query.dtype)
    weights = torch.zeros(batch, n_queries, n_keys, dtype=query.dtype)
    for b in range(batch):
        for i in range(n_queries):
            energies = []
            for j in range(n_keys):
                energy = 0.0
                for a in range(len(v)):
                    inner = sum(w_query[a, m] * query[b, i, m] for m in range(query.shape[2]))
                    inner += sum(w_key[a, m] * key[b, j, m] for m in range(key.shape[2]))
                    energy += v[a] * math.tanh(inner)
                seen = mask is None or mask[b, i, j]
                energies.append(math.exp(energy) if seen else 0.0)
            for j in range(n_keys):
                weights[b, i, j] = energies[j] / sum(energies)
                context[b, i] += weights[b, i, j] * value[b, j]
    return context, weights


def test_one_query_and_two_keys_by_hand():
    query, w_query = torch.tensor([[[1.0]]]), torch.tensor([[0.5]])
    key, w_key = torch.tensor([[[0.0], [1.0]]]), torch.tensor([[1.0]])
    value, v = torch.tensor([[[10.0], [20.0]]]), torch.tensor([2.0])
    context, weights, scores = additive_attention(query, key, value, w_query, w_key, v)
    first, second = 2 * math.tanh(0.5), 2 * math.tanh(1.5)
    share = math.exp(second) / (math.exp(first) + math.exp(second))
    torch.testing.assert_close(scores, torch.tensor([[[first, second]]]))
    torch.testing.assert_close(weights, torch.tensor([[[1 - share, share]]]))
    torch.testing.assert_close(context, torch.tensor([[[10 * (1 - share) + 20 * share]]]))


MASK = torch.tensor([[True, False, True, True], [True] * 4, [False, False, False, True]])


@pytest.mark.parametrize("mask", [None, MASK.expand(2, 3, 4)], ids=["plain", "masked"])
def test_it_equals_the_paper_written_as_loops(mask):
    case = random_case(seed=1)
    context, weights, _ = additive_attention(*case, mask=mask)
    torch.testing.assert_close((context, weights), by_loops(*case, mask=mask))
    assert mask is None or (weights[~mask] == 0).all()


@given(seed=st.integers(0, 10_000), n_queries=st.integers(1, 6), n_keys=st.integers(1, 6))
@settings(max_examples=30, deadline=None)
def test_rows_sum_to_one_and_scores_stay_below_the_sum_of_v(seed, n_queries, n_keys):
    case = random_case(seed, n_queries=n_queries, n_keys=n_keys)
    _, weights, scores = additive_attention(*case)
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(2, n_queries, dtype=torch.float64))
    assert scores.abs().max() <= case[-1].abs().sum() + 1e-9


@pytest.mark.parametrize("mask", [None, MASK.numpy()], ids=["plain", "masked"])
def test_both_sides_are_softmaxes_of_their_scores_and_one_of_the_parameters_of_its_seed(mask):
    rng = np.random.default_rng(1)
    queries, keys = rng.normal(size=(3, 8)), rng.normal(size=(4, 8))
    before = torch.get_rng_state()
    found = compared_weights(queries, keys, mask, seed=7)
    assert torch.equal(torch.get_rng_state(), before)
    w_query, w_key, v = (p.double().numpy() for p in untrained_parameters(8, 8, 8, seed=7))
    products = queries @ keys.T / math.sqrt(8)
    energies = [[v @ np.tanh(w_query @ query + w_key @ key) for key in keys] for query in queries]
    for weights, scores in zip(found, (products, energies), strict=True):
        terms = np.exp(scores) * (1 if mask is None else mask)
        np.testing.assert_allclose(weights, terms / terms.sum(1, keepdims=True), atol=1e-6)
    other = compared_weights(queries, keys, mask, seed=8)
    np.testing.assert_array_equal(found[0], other[0])
    assert np.abs(found[1] - other[1]).max() > 1e-3


@pytest.mark.parametrize("sizes", [(1, 1, 2), (3, 5, 4), (7, 7, 16)])
def test_bytes_are_what_torch_allocates(sizes):
    n_queries, n_keys, d_k = sizes
    vectors = torch.randn(n_queries, d_k), torch.randn(n_keys, d_k)
    parameters = untrained_parameters(d_k, d_k, d_k)
    with torch.inference_mode(), Allocations(*vectors, *parameters) as allocations:
        additive_scores(*vectors, *parameters).softmax(dim=-1)
    assert additive_bytes(n_queries, n_keys, d_k) == allocations.total
    with torch.inference_mode(), Allocations(*vectors) as allocations:
        attention_scores(*vectors).softmax(dim=-1)
    assert dot_product_bytes(n_queries, n_keys) == allocations.total


def test_costs_name_the_lengths_they_are_for_and_hold_plain_numbers():
    costs = compare_costs([(2, 3), (4, 4)], 8, repeats=1)
    assert [(cost.n_queries, cost.n_keys, cost.d_k) for cost in costs] == [(2, 3, 8), (4, 4, 8)]
    assert all(type(cost.additive_seconds) is float for cost in costs)
    assert all(cost.dot_product_seconds > 0 < cost.additive_seconds for cost in costs)
