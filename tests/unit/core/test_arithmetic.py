"""The numbers of one row: they add up, and agree with autograd and with the model's own run."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import entropy as scipy_entropy

from core.arithmetic import (
    component_table,
    largest_shares,
    own_sharpness,
    scaling_effect,
    softmax,
    softmax_gradient,
    stage_strips,
    staged,
    strip_cells,
)
from core.attention import ENCODER, TRANSFORMER_SITES, AttentionMap, AttentionVectors
from model.experiments.arithmetic import vectors_of


@pytest.fixture(scope="module")
def vectors(tiny_translator, record):
    return {entry.kind: entry for entry in vectors_of(tiny_translator, record)}


@pytest.fixture(scope="module")
def stages(vectors, record):
    """The third row of a decoder head, so that some keys are masked."""
    return staged(vectors["decoder"], record.decoder, 1, 2, 2)


def by_hand():
    """One layer of two heads of one component: q = 2, keys 0, ln 2, ln 4; W_O = identity."""
    queries = np.array([[[[2.0]], [[0.0]]]], np.float32)
    keys = np.log(np.array([[[[1.0], [2.0], [4.0]]] * 2], np.float32))
    values = np.array([[[[21.0], [42.0], [63.0]], [[3.0], [3.0], [9.0]]]], np.float32)
    bias = np.array([[0.5, -1.0]], np.float32)
    vectors = AttentionVectors(
        "encoder", queries, keys, values, np.eye(2, dtype=np.float32)[None], bias
    )
    weights = np.array([[[[1, 4, 16]], [[7, 7, 7]]]], np.float32) / 21
    return vectors, AttentionMap(ENCODER, weights, ("▁a",), ("▁a", "▁b", "▁c"))


def random_map(kind="encoder", n_keys=6, d_k=4, n_heads=3, seed=0):
    """Vectors of one layer and the weights they lead to."""
    rng = np.random.default_rng(seed)
    q, k, v = rng.normal(size=(3, 1, n_heads, n_keys, d_k)).astype(np.float32)
    d_model = n_heads * d_k
    out_weight = rng.normal(size=(1, d_model, d_model)).astype(np.float32)
    out_bias = rng.normal(size=(1, d_model)).astype(np.float32)
    scores = torch.from_numpy(q @ k.swapaxes(-1, -2) / math.sqrt(d_k))
    mask = np.tri(n_keys, dtype=bool) if kind == "decoder" else None
    if mask is not None:
        scores = scores.masked_fill(~torch.from_numpy(mask), -torch.inf)
    tokens = tuple(f"▁w{i}" for i in range(n_keys))
    attention = AttentionMap(
        TRANSFORMER_SITES[kind], scores.softmax(-1).numpy(), tokens, tokens, mask=mask
    )
    return AttentionVectors(kind, q, k, v, out_weight, out_bias), attention


def test_a_row_by_hand():
    found = staged(*by_hand(), 0, 0, 0)
    np.testing.assert_allclose(found.dots, [0.0, 2 * math.log(2), 2 * math.log(4)], rtol=1e-6)
    np.testing.assert_allclose(found.scores, found.dots)
    np.testing.assert_allclose(found.terms, [1 / 16, 4 / 16, 1.0], rtol=1e-6)
    np.testing.assert_allclose(found.weights, [1 / 21, 4 / 21, 16 / 21], rtol=1e-6)
    np.testing.assert_allclose(found.contributions[:, 0], [1.0, 8.0, 48.0], rtol=1e-6)
    np.testing.assert_allclose(found.context, [57.0], rtol=1e-6)
    np.testing.assert_allclose(found.contexts[:, 0], [57.0, 5.0], rtol=1e-6)
    np.testing.assert_allclose(found.head_outputs, [[57.0, 0.0], [0.0, 5.0]], rtol=1e-6)
    np.testing.assert_allclose(found.output, [57.5, 4.0], rtol=1e-6)


@pytest.mark.parametrize("kind", TRANSFORMER_SITES)
def test_weights_of_every_row_equal_those_the_model_used(vectors, record, kind):
    attention = record.of(kind)
    for layer, head, row in np.ndindex(*attention.weights.shape[:3]):
        found = staged(vectors[kind], attention, layer, head, row)
        np.testing.assert_allclose(
            found.weights, attention.weights[layer, head, row], rtol=0, atol=1e-6
        )
        assert found.largest_difference < 1e-6
    changed = attention.weights.copy()
    changed[1, 2, 3, 0] += 0.25
    found = staged(vectors[kind], replace(attention, weights=changed), 1, 2, 3)
    assert found.largest_difference == pytest.approx(0.25, abs=1e-6)


def test_the_stages_of_a_masked_row_add_up(stages, vectors):
    for key in range(len(stages.dots)):
        table = component_table(stages, key)
        np.testing.assert_allclose(table["q"] * table["k"], table["product"])
        np.testing.assert_allclose(table["product"], stages.product(key))
        assert stages.product(key).sum() == pytest.approx(stages.dots[key])
        assert table["component"].tolist() == list(range(1, stages.d_k + 1))
    np.testing.assert_allclose(stages.scores * math.sqrt(stages.d_k), stages.dots)
    assert stages.seen.tolist() == [True] * 3 + [False] * (len(stages.dots) - 3)
    assert (stages.weights[3:] == 0).all()
    assert np.isfinite(stages.dots).all()
    np.testing.assert_allclose(stages.contributions.sum(axis=0), stages.context)
    expected = vectors["decoder"].out_weight[1] @ stages.concatenated + stages.bias
    np.testing.assert_allclose(stages.output, expected, rtol=0, atol=1e-6)
    terms = np.exp(stages.dots) * stages.seen
    np.testing.assert_allclose(stages.unscaled_weights, terms / terms.sum())
    own = own_sharpness(stages)
    assert own.largest.tolist() == [stages.weights.max(), stages.unscaled_weights.max()]
    assert own.d_k == stages.d_k


@given(
    seed=st.integers(0, 1000),
    n_keys=st.integers(1, 7),
    kind=st.sampled_from(["encoder", "decoder"]),
)
@settings(max_examples=25, deadline=None)
def test_the_output_is_that_of_torchs_attention(seed, n_keys, kind):
    vectors, attention = random_map(kind, n_keys=n_keys, seed=seed)
    q, k, v = (
        torch.from_numpy(array).double()
        for array in (vectors.queries, vectors.keys, vectors.values)
    )
    context = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=kind == "decoder")
    concatenated = context[0].transpose(0, 1).flatten(1)
    weight, bias = (torch.from_numpy(a[0]).double() for a in (vectors.out_weight, vectors.out_bias))
    expected = torch.nn.functional.linear(concatenated, weight, bias).numpy()
    row = seed % n_keys
    np.testing.assert_allclose(staged(vectors, attention, 0, 1, row).output, expected[row])


@given(st.lists(st.floats(-20, 20), min_size=1, max_size=8))
@settings(max_examples=60, deadline=None)
def test_the_gradient_is_the_norm_of_autograds_jacobian(scores):
    given_scores = torch.tensor(scores, dtype=torch.float64)
    jacobian = torch.autograd.functional.jacobian(lambda s: s.softmax(-1), given_scores)
    found = softmax_gradient(given_scores.softmax(-1).numpy())
    assert found == pytest.approx(float(jacobian.norm()), abs=1e-7)


def test_without_scaling_the_softmax_sharpens_as_d_k_grows_and_with_it_it_hardly_changes():
    effect = scaling_effect(10)
    assert (np.diff(effect.largest[1]) > 0).all()
    assert (np.diff(effect.entropy[1]) < 0).all()
    assert effect.gradient[1, -1] < effect.gradient[1, 0] / 3
    assert np.ptp(effect.largest[0]) < 0.1
    assert np.ptp(effect.gradient[0]) < 0.05
    small = scaling_effect(6, sizes=(1, 4))  # of one component there is nothing to scale
    for array in (small.largest, small.entropy, small.gradient):
        assert (array[0] == array[1]).tolist() == [True, False]
    largest, terms, weights = softmax(np.array([2000.0, 0.0, -np.inf]))  # without overflow
    assert (largest, *terms, *weights) == (2000.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@pytest.mark.parametrize("d_k", [2, 16])
def test_the_means_are_those_of_rows_made_from_whole_random_vectors(d_k):
    effect = scaling_effect(3, sizes=(d_k,), n_samples=40_000)
    rng = np.random.default_rng(99)
    queries, keys = rng.normal(size=(40_000, 1, d_k)), rng.normal(size=(40_000, 3, d_k))
    terms = np.exp((queries * keys).sum(axis=-1))
    weights = terms / terms.sum(axis=-1, keepdims=True)
    assert effect.largest[1, 0] == pytest.approx(weights.max(axis=-1).mean(), abs=0.006)
    entropy = scipy_entropy(weights, base=2, axis=-1).mean()
    assert effect.entropy[1, 0] == pytest.approx(entropy, abs=0.015)


@pytest.mark.parametrize("most", [1, 3, 5, 6, 10])
def test_rows_drawn_still_add_up_to_the_context(most):
    found = staged(*random_map(n_keys=7), 0, 1, 3)
    shares = largest_shares(found, most, always=0)
    np.testing.assert_allclose(shares.parts.sum(axis=0), found.context)
    assert shares.weights.sum() == pytest.approx(1.0)
    assert len(shares.keys) + shares.n_others == 7


def test_the_keys_drawn_are_the_heaviest_and_the_chosen_one_and_never_masked():
    found = staged(*random_map(n_keys=9), 0, 0, 0)
    order = np.argsort(-found.weights)
    assert largest_shares(found, 3, always=order[0]).keys == tuple(sorted(order[:3]))
    assert largest_shares(found, 3, always=order[8]).keys == tuple(sorted([*order[:2], order[8]]))
    assert largest_shares(found, 8, always=0).n_others == 0  # one left over is drawn as itself
    found = staged(*random_map("decoder", n_keys=6), 0, 0, 2)
    assert largest_shares(found, 10, always=5).keys == (0, 1, 2)


def test_masked_cells_are_absent_where_the_mask_has_done_its_work(stages):
    strips = stage_strips(stages)
    n = len(stages.keys)
    cells = [strip_cells(strip, list("abcdefghijklmnopqrstuvwxyz"[:n])) for strip in strips]
    assert [len(each) for each in cells] == [n, n, n, 3, 3]
    assert cells[2]["text"].tolist() == ["0"] * 3 + ["−∞"] * (n - 3)
    assert cells[2]["value"].isna().tolist() == [False] * 3 + [True] * (n - 3)
    np.testing.assert_allclose(cells[4]["value"], stages.weights[:3])
    np.testing.assert_allclose(cells[0]["value"], stages.dots)
    titles = [strip.title for strip in stage_strips(staged(*random_map(), 0, 0, 0))]  # no mask
    assert titles == ["q · k", "÷ √4", "figures-arithmetic-exp", "figures-arithmetic-weight"]
