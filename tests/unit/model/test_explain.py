"""Drops, gradients and rank correlations, against one run a token, differences and scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.intervention import hide
from core.tokens import TokenSequence
from model import InputError
from model.experiments import explain as explain_module
from model.experiments.explain import explain, gradient_times_input, rank_correlation
from support.models import SENTENCES, hooks, make_model
from words import english

SRC_IDS, TGT_IDS = (5, 9, 6, 9, 3), (8, 11, 4, 3)


@pytest.fixture
def double_model():
    """Random weights in float64, so that differences of a millionth mean something."""
    return make_model(1).double()


@pytest.fixture
def pair(tiny_translator):
    return tuple(tiny_translator.tokenize(sentence) for sentence in SENTENCES[:2])


def log_probs_from(model, scaled):
    """log p (T_tgt,) of `TGT_IDS` from scaled source embeddings (T_src, d_model), written out."""
    x = (scaled + model.positions.table[: len(SRC_IDS)])[None]
    for layer in model.encoder_layers:
        x = layer(x, None)
    read = torch.tensor([[model.config.bos_id, *TGT_IDS[:-1]]])
    log_probs = model.decode(read, x).log_softmax(-1)[0]
    return log_probs[torch.arange(len(TGT_IDS)), torch.tensor(TGT_IDS)]


def scaled_embeddings(model):
    return model.embedding.weight[list(SRC_IDS)].detach() * math.sqrt(model.config.d_model)


def by_scipy(a, b, method):
    """scipy's correlation of two rows; NaN, as scipy gives with a warning, when one is even."""
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return np.nan
    found = scipy.stats.spearmanr(a, b) if method == "spearman" else scipy.stats.kendalltau(a, b)
    return found.statistic


@pytest.mark.parametrize("where", ["cross", "encoder", "both"])
def test_drops_are_those_of_hiding_one_token_at_a_time(tiny_translator, pair, where):
    src, tgt = pair
    plain = tiny_translator.read_again(src, tgt)[1]
    hidden = [
        tiny_translator.read_again(src, tgt, hide(position, where=where))[1]
        for position in range(len(src))
    ]
    expected = plain[:, None] - np.stack(hidden, axis=1)
    found = explain(tiny_translator, src, tgt, hidden_from=where)
    assert found.drops.shape == (len(tgt), len(src))
    np.testing.assert_allclose(found.log_probs, plain, atol=1e-6)
    np.testing.assert_allclose(found.drops, expected, atol=2e-5)


def test_small_batches_give_the_same(monkeypatch, tiny_translator, pair):
    whole = explain(tiny_translator, *pair, method="kendall")
    for name in ("MOST_LOGITS", "_MOST_ACTIVATIONS", "_MOST_PAIRS"):
        monkeypatch.setattr(explain_module, name, 1)
    single = explain(tiny_translator, *pair, method="kendall")
    np.testing.assert_allclose(single.drops, whole.drops, atol=2e-5)
    np.testing.assert_allclose(single.gradient, whole.gradient, atol=2e-5)
    np.testing.assert_array_equal(
        rank_correlation(whole.gradient, whole.drops, "kendall"), whole.gradient_to_drops
    )


def test_a_source_of_one_token_is_refused(tiny_translator, pair):
    alone = TokenSequence("", (3,), ("</s>",), ((0, 0),))
    with pytest.raises(InputError, match=english("model-explain-one-token")) as raised:
        explain(tiny_translator, alone, pair[1])
    assert raised.value.hint


@pytest.mark.parametrize("entry", ["hidden_from", "method"])
def test_an_unknown_choice_is_quoted(tiny_translator, pair, entry):
    with pytest.raises(ValueError, match=f"{entry} is 'nowhere'"):
        explain(tiny_translator, *pair, **{entry: "nowhere"})


def test_gradient_times_input_is_that_of_the_whole_jacobian(double_model):
    scaled = scaled_embeddings(double_model)
    jacobian = torch.autograd.functional.jacobian(
        lambda x: log_probs_from(double_model, x), scaled
    )  # (T_tgt, T_src, d_model)
    found = gradient_times_input(double_model, SRC_IDS, TGT_IDS)
    np.testing.assert_allclose(found, (jacobian * scaled).sum(-1), atol=1e-6)


@pytest.mark.parametrize("mode", [torch.enable_grad, torch.no_grad, torch.inference_mode])
def test_the_gradient_leaves_parameters_and_hooks_alone_in_any_mode(tiny_model, mode):
    before = {name: p.clone() for name, p in tiny_model.named_parameters()}
    expected = gradient_times_input(tiny_model, SRC_IDS, TGT_IDS)
    with mode():
        found = gradient_times_input(tiny_model, SRC_IDS, TGT_IDS)
    np.testing.assert_array_equal(found, expected)
    for name, parameter in tiny_model.named_parameters():
        assert parameter.grad is None
        assert parameter.requires_grad
        assert torch.equal(parameter, before[name])
    assert hooks(tiny_model) == []


@settings(deadline=None, max_examples=60)
@given(
    arrays(np.float32, (2, 7), elements=st.sampled_from([0.0, 0.125, 0.25, 0.5, 1.0])),
    st.sampled_from(["spearman", "kendall"]),
)
def test_correlations_with_ties_are_those_of_scipy(rows, method):
    found = rank_correlation(rows[0], rows[1], method)
    np.testing.assert_allclose(found, by_scipy(rows[0], rows[1], method), atol=1e-6)


@pytest.mark.parametrize("method", ["spearman", "kendall"])
def test_every_head_and_row_is_correlated_as_scipy_does_and_an_even_row_with_nothing(
    tiny_translator, pair, method
):
    found = explain(tiny_translator, *pair, method=method)
    weights = tiny_translator.read_again(*pair)[0].cross.weights
    assert found.to_drops.shape == found.to_gradient.shape == weights.shape[:3]
    for at in np.ndindex(found.to_drops.shape):
        for measure, correlated in (
            (found.drops, found.to_drops),
            (found.gradient, found.to_gradient),
        ):
            expected = by_scipy(weights[at], measure[at[2]], method)
            assert correlated[at] == pytest.approx(expected, abs=1e-5)
    for row, correlated in enumerate(found.gradient_to_drops):
        expected = by_scipy(found.gradient[row], found.drops[row], method)
        assert correlated == pytest.approx(expected, abs=1e-5)
    even, uneven = np.full(4, 0.25), np.array([0.1, 0.2, 0.3, 0.4])
    assert np.isnan(
        [rank_correlation(*each, method) for each in ((even, uneven), (uneven, even))]
    ).all()
