"""The layers that are timed: what they compute, what they keep, and when the timing ends."""

import pytest
import torch

from core.cost import LAYERS, SCORES
from model import layers
from model.layers import build_layer, fits, kept_bytes, measured_layer, measured_layers


@pytest.mark.parametrize("kind", LAYERS)
def test_every_layer_maps_n_vectors_to_n_vectors(kind):
    x = torch.randn(2, 9, 64)
    assert build_layer(kind, 64)(x).shape == x.shape


@pytest.mark.parametrize("kind", SCORES)
def test_scores_become_weights_of_all_pairs(kind):
    weights = build_layer(kind, 64)(torch.randn(1, 9, 64))
    assert weights.shape == (1, 9, 9)
    torch.testing.assert_close(weights.sum(-1), torch.ones(1, 9))


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
    layer = build_layer(kind, 4)
    x = torch.randn(1, 15, 4, requires_grad=True)
    (slope,) = torch.autograd.grad(layer(x)[0, 7].sum(), x)
    seen = slope[0].abs().sum(-1).nonzero()[:, 0].tolist()
    assert seen == [7 - step, 7, 7 + step]


def test_what_is_kept_is_counted_by_the_byte():
    n, d = 10, 64
    x = torch.randn(1, n, d, requires_grad=True)
    # A dot product keeps its input and its softmax, n x d and n x n numbers of four bytes.
    assert kept_bytes(build_layer("dot", d), x) == 4 * (n * d + n * n)
    # The same, and the tanh of every pair.
    assert kept_bytes(build_layer("additive", d), x) == 4 * (n * d + n * n * d + n * n)
    for kind in ("convolution", "dilated"):  # its input and nothing else
        assert kept_bytes(build_layer(kind, d), x) == 4 * n * d
    fit = [
        fits(*each, 64) for each in (("additive", 1024), ("additive", 2048), ("attention", 2048))
    ]
    assert fit == [True, False, True]


def test_a_measurement_has_times_and_leaves_the_seed_alone():
    before = torch.random.get_rng_state()
    row = measured_layer("convolution", 8, 64, seconds=0.01)
    assert torch.equal(before, torch.random.get_rng_state())
    assert 0 < row.forward < row.both * 5
    assert (row.kind, row.n, row.d) == ("convolution", 8, 64)


def test_it_ends_when_it_is_told_to_or_time_is_over():
    rows = iter(measured_layers((8,), (64,), seconds=60, stop=lambda: True))
    assert list(rows) == []
    assert list(measured_layers((8,), (64,), seconds=0)) == []
    found = list(measured_layers((8,), (64,), ("dot", "convolution"), seconds=1))
    assert [row.kind for row in found] == ["dot", "convolution"]
