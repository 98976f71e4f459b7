"""The numbers of one row: by hand, and as autograd, torch and the model's own run have them."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import entropy as scipy_entropy

from core.arithmetic import component_table, largest_contributions, row_sharpness, staged
from core.softmax import scaling_effect, softmax, softmax_gradient
from model.experiments.arithmetic import vectors_of
from support.maps import random_map


@pytest.fixture(scope="module")
def vectors(tiny_translator, record):
    return {entry.site_id: entry for entry in vectors_of(tiny_translator, record)}


@pytest.fixture(scope="module")
def stages(vectors, record):
    """The third row of a decoder head, so that some keys are masked."""
    return staged(vectors["decoder"], record.decoder, 1, 2, 2)


def test_weights_of_every_row_equal_those_the_model_used(vectors, record):
    for attention in record.maps:
        of_kind = vectors[attention.site_id]
        for layer, head, row in np.ndindex(*attention.weights.shape[:3]):
            found = staged(of_kind, attention, layer, head, row)
            used = attention.weights[layer, head, row]
            np.testing.assert_allclose(found.weights, used, rtol=0, atol=1e-6)
            assert found.largest_difference < 1e-6
        changed = attention.weights.copy()
        changed[1, 2, 3, 0] += 0.25
        found = staged(of_kind, replace(attention, weights=changed), 1, 2, 3)
        assert found.largest_difference == pytest.approx(0.25, abs=1e-6)


def test_the_stages_of_a_masked_row_add_up(stages, vectors):
    for key, dot in enumerate(stages.dots):
        table = component_table(stages, key)
        np.testing.assert_allclose(table["q"] * table["k"], table["product"])
        np.testing.assert_allclose(table["product"], stages.product(key))
        assert table["product"].sum() == pytest.approx(dot)
        assert table["component"].tolist() == list(range(1, stages.d_k + 1))
    np.testing.assert_allclose(stages.scores * math.sqrt(stages.d_k), stages.dots)
    highest = max(stages.scores[:3])
    np.testing.assert_allclose(stages.terms[:3], np.exp(stages.scores[:3] - highest))
    np.testing.assert_allclose(stages.weights, stages.terms / sum(stages.terms))
    values = zip(stages.weights, vectors["decoder"].values[1, 2], strict=True)
    parts = [weight * value for weight, value in values]
    np.testing.assert_allclose(stages.contributions, parts, atol=1e-12)
    np.testing.assert_allclose(stages.context, sum(parts), atol=1e-12)
    np.testing.assert_allclose(stages.contexts[2], stages.context)
    output = stages.head_outputs.sum(0) + vectors["decoder"].out_bias[1]
    np.testing.assert_allclose(stages.output, output, atol=1e-12)
    assert stages.seen.tolist() == [True] * 3 + [False] * (len(stages.dots) - 3)
    assert (stages.weights[3:] == 0).all()
    terms = np.exp(stages.dots) * stages.seen
    np.testing.assert_allclose(stages.unscaled_weights, terms / terms.sum())
    own = row_sharpness(stages)
    assert own.largest.tolist() == [stages.weights.max(), stages.unscaled_weights.max()]
    assert own.d_k == stages.d_k


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
@pytest.mark.parametrize("n_keys", [1, 5])
def test_the_output_is_that_of_torchs_attention(n_keys, kind):
    vectors, attention = random_map(kind, n_keys=n_keys)
    parts = vectors.queries, vectors.keys, vectors.values
    q, k, v = (torch.from_numpy(array).double() for array in parts)
    context = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=kind == "decoder")
    concatenated = context[0].transpose(0, 1).flatten(1)
    weight, bias = (torch.from_numpy(a[0]).double() for a in (vectors.out_weight, vectors.out_bias))
    expected = torch.nn.functional.linear(concatenated, weight, bias).numpy()
    for row in range(n_keys):
        np.testing.assert_allclose(staged(vectors, attention, 0, 1, row).output, expected[row])


@given(st.lists(st.floats(-20, 20), min_size=1, max_size=8))
@settings(max_examples=30, deadline=None)
def test_the_gradient_is_the_norm_of_autograds_jacobian(scores):
    given_scores = torch.tensor(scores, dtype=torch.float64)
    jacobian = torch.autograd.functional.jacobian(lambda s: s.softmax(-1), given_scores)
    found = softmax_gradient(given_scores.softmax(-1).numpy())
    assert found == pytest.approx(float(jacobian.norm()), abs=1e-7)


@pytest.mark.parametrize("d_k", [1, 2, 16])
def test_the_effect_of_scaling_is_that_on_whole_random_vectors(d_k):
    n = 40_000
    effect = scaling_effect(3, sizes=(d_k,), n_samples=n)
    rng = np.random.default_rng(99)
    dots = (rng.normal(size=(n, 1, d_k)) * rng.normal(size=(n, 3, d_k))).sum(axis=-1)
    for at, scale in enumerate((math.sqrt(d_k), 1)):  # with scaling, and without
        terms = np.exp(dots / scale)
        weights = terms / terms.sum(axis=-1, keepdims=True)
        jacobians = np.eye(3) * weights[:, None] - weights[:, :, None] * weights[:, None]
        gradient = np.sqrt((jacobians**2).sum((1, 2))).mean()
        assert effect.largest[at, 0] == pytest.approx(weights.max(axis=-1).mean(), abs=0.006)
        entropy = scipy_entropy(weights, base=2, axis=-1).mean()
        assert effect.entropy[at, 0] == pytest.approx(entropy, abs=0.015)
        assert effect.gradient[at, 0] == pytest.approx(gradient, abs=0.006)


def test_a_softmax_of_large_scores_does_not_overflow():
    largest, terms, weights = softmax(np.array([2000.0, 0.0, -np.inf]))
    assert (largest, *terms, *weights) == (2000.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def test_the_keys_drawn_are_the_heaviest_and_the_chosen_one_and_never_masked():
    found = staged(*random_map(n_keys=9), 0, 0, 0)
    order = np.argsort(-found.weights)
    assert largest_contributions(found, 3, always=order[0]).keys == tuple(sorted(order[:3]))
    with_last = tuple(sorted([*order[:2], order[8]]))
    assert largest_contributions(found, 3, always=order[8]).keys == with_last
    # One key left over is drawn as itself.
    assert largest_contributions(found, 8, always=0).n_others == 0
    for most in (1, 3, 7, 8, 10):
        shares = largest_contributions(found, most, always=0)
        np.testing.assert_allclose(shares.parts.sum(axis=0), found.context)
        assert shares.weights.sum() == pytest.approx(1.0)
        assert len(shares.keys) + shares.n_others == 9
    found = staged(*random_map("decoder", n_keys=6), 0, 0, 2)
    assert largest_contributions(found, 10, always=5).keys == (0, 1, 2)
