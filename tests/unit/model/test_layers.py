"""Layers that are compared: additive attention in loops, what layers compute, keep and take."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from core.cost import LAYERS, SCORES
from model.nets import layers
from model.nets.additive import (
    additive_attention,
    additive_bytes,
    additive_scores,
    compared_weights,
    dot_product_bytes,
    untrained_parameters,
)
from model.nets.attention import attention_scores
from model.nets.layers import build_layer, fits, kept_bytes, measured_layer, measured_layers

# -- additive attention ------------------------------------------------------------------------

MASK = torch.tensor([[True, False, True, True], [True] * 4, [False, False, False, True]])


def by_loops(query, key, value, w_query, w_key, v, mask):
    """Bahdanau et al. 2015, section 3.1 and appendix A.1.2, one number at a time."""
    batch, n_queries, _ = query.shape
    n_keys = key.shape[1]
    context = torch.zeros(batch, n_queries, value.shape[2], dtype=query.dtype)
    weights = torch.zeros(batch, n_queries, n_keys, dtype=query.dtype)
    scores = torch.zeros_like(weights)
    for b, i in np.ndindex(batch, n_queries):
        for j in range(n_keys):
            for a in range(len(v)):
                inner = sum(w_query[a, m] * query[b, i, m] for m in range(query.shape[2]))
                inner += sum(w_key[a, m] * key[b, j, m] for m in range(key.shape[2]))
                scores[b, i, j] += v[a] * math.tanh(inner)
        seen = [mask is None or bool(mask[i, j]) for j in range(n_keys)]
        total = sum(math.exp(scores[b, i, j]) for j in range(n_keys) if seen[j])
        for j in range(n_keys):
            weights[b, i, j] = math.exp(scores[b, i, j]) / total if seen[j] else 0.0
            context[b, i] += weights[b, i, j] * value[b, j]
    return context, weights, scores


@pytest.mark.parametrize("mask", [None, MASK], ids=["plain", "masked"])
def test_additive_attention_equals_the_paper_written_as_loops(mask):
    generator = torch.Generator().manual_seed(1)
    shapes = [(2, 3, 5), (2, 4, 6), (2, 4, 7), (8, 5), (8, 6), (8,)]
    case = [torch.randn(shape, generator=generator, dtype=torch.float64) for shape in shapes]
    expanded = None if mask is None else mask.expand(2, 3, 4)
    found = additive_attention(*case, mask=expanded)
    torch.testing.assert_close(found, by_loops(*case, mask))
    assert mask is None or (found[1][~expanded] == 0).all()


@pytest.mark.parametrize("mask", [None, MASK.numpy()], ids=["plain", "masked"])
def test_compared_weights_are_softmaxes_of_products_and_of_seeded_energies(mask):
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


@pytest.mark.parametrize("sizes", [(1, 1, 2), (3, 5, 4)])
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


# -- layers that are timed ---------------------------------------------------------------------


@pytest.mark.parametrize("kind", [*LAYERS, *SCORES])
def test_a_layer_maps_vectors_to_vectors_and_scores_become_weights_of_all_pairs(kind):
    x = torch.randn(2, 9, 64)
    made = build_layer(kind, 64)(x)
    if kind in LAYERS:
        assert made.shape == x.shape
    else:
        assert made.shape == (2, 9, 9)
        torch.testing.assert_close(made.sum(-1), torch.ones(2, 9))


@pytest.mark.parametrize(("n", "window"), [(9, 3), (9, 4), (6, 32)])
def test_restricted_attention_is_attention_that_is_masked(n, window):
    layer, x = layers.RestrictedAttention(64, window), torch.randn(1, n, 64)
    before = (window - 1) // 2
    offsets = torch.arange(n)[None, :] - torch.arange(n)[:, None]
    mask = (offsets >= -before) & (offsets <= window - 1 - before)
    torch.testing.assert_close(layer(x), layer.attention(x, x, x, mask))


@pytest.mark.parametrize("kind", ["convolution", "dilated"])
def test_a_convolution_sees_its_neighbours(kind):
    step = 1 if kind == "convolution" else layers.DILATION
    x = torch.randn(1, 15, 4, requires_grad=True)
    (slope,) = torch.autograd.grad(build_layer(kind, 4)(x)[0, 7].sum(), x)
    assert slope[0].abs().sum(-1).nonzero()[:, 0].tolist() == [7 - step, 7, 7 + step]


def test_kept_bytes_are_those_of_inputs_and_softmaxes():
    n, d = 10, 64
    x = torch.randn(1, n, d, requires_grad=True)
    # A dot product keeps its input and its softmax; additive scores the tanh of every pair too.
    kept = {"dot": n * d + n * n, "additive": n * d + n * n * d + n * n}
    kept |= dict.fromkeys(("convolution", "dilated"), n * d)
    assert {kind: kept_bytes(build_layer(kind, d), x) for kind in kept} == {
        kind: 4 * numbers for kind, numbers in kept.items()
    }
    sizes = ("additive", 1024), ("additive", 2048), ("attention", 2048)
    assert [fits(*each, 64) for each in sizes] == [True, False, True]


def test_a_measurement_has_times_leaves_the_seed_alone_and_ends_when_told():
    before = torch.random.get_rng_state()
    row = measured_layer("convolution", 8, 64, seconds=0.01)
    assert torch.equal(before, torch.random.get_rng_state())
    assert 0 < row.forward < row.both * 5
    assert (row.kind, row.n, row.d) == ("convolution", 8, 64)
    assert list(measured_layers((8,), (64,), seconds=60, stop=lambda: True)) == []
    assert list(measured_layers((8,), (64,), seconds=0)) == []
    found = measured_layers((8,), (64,), ("dot", "convolution"), seconds=1)
    assert [row.kind for row in found] == ["dot", "convolution"]
