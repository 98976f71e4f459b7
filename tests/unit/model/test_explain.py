"""Drops, gradients and rank correlations, against one run a token, autograd and scipy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.interventions.intervention import UNREAD, hide
from core.records.sources import TokenSequence
from model import InputError
from model.experiments import explain as module
from model.experiments.explain import explain, gradient_times_input, leave_one_out, rank_correlation
from model.hooks.interventions import intervening
from support.models import SENTENCES, Numbers, hooks, make_model, reader_of
from support.variants import STEPWISE
from words import english

SRC_IDS, TGT_IDS = (5, 9, 4, 12, 7, 3), (8, 15, 4, 21, 3)
SRC, READ = torch.tensor([SRC_IDS]), torch.tensor([[2, *TGT_IDS[:-1]]])
VARIANTS = ["cho", "lstm-reversed", "bahdanau", "luong-global-dot", "convolutional"]


@pytest.fixture
def pair(tiny_translator):
    return tuple(tiny_translator.tokenize(sentence) for sentence in SENTENCES[:2])


def model_of(name):
    return make_model() if name == "transformer" else STEPWISE[name]()


def log_probs_of(logits):
    return logits[0].log_softmax(-1)[range(len(TGT_IDS)), list(TGT_IDS)]


@torch.inference_mode()
def hidden_at(model, position, where):
    change = hide(position, where=where)
    with intervening(model, change, n_src=len(SRC_IDS), n_tgt=len(TGT_IDS)) as changed:
        return log_probs_of(changed(SRC, READ)).numpy()


@pytest.mark.parametrize(
    ("name", "where"),
    [
        *(("transformer", where) for where in ("cross", "encoder", "both")),
        *((name, UNREAD) for name in VARIANTS),
        ("bahdanau", "cross"),
    ],
)
def test_each_drop_is_that_of_a_run_with_the_token_hidden(name, where):
    model = model_of(name)
    found = leave_one_out(model, SRC_IDS, TGT_IDS, hidden_from=where)
    n_hidden = len(SRC_IDS) - (where == UNREAD)  # the end is always read
    expected = np.stack([hidden_at(model, i, where) for i in range(n_hidden)], axis=1)
    np.testing.assert_allclose(found[:, :n_hidden], expected, atol=1e-5)
    assert np.isnan(found[:, n_hidden:]).all()
    made = explain(
        reader_of(model), *map(Numbers(30).decode, (SRC_IDS, TGT_IDS)), hidden_from=where
    )
    with torch.inference_mode():
        plain = log_probs_of(model(SRC, READ)).numpy()
    np.testing.assert_allclose(made.log_probs, plain, atol=1e-6)
    np.testing.assert_allclose(made.drops[:, :n_hidden], plain[:, None] - expected, atol=2e-5)
    assert (made.to_drops is None) == (made.to_gradient is None) == (not model.sites)
    assert np.isfinite(made.gradient_to_drops).all()


@pytest.mark.parametrize("name", ["transformer", *VARIANTS])
def test_gradient_times_input_is_what_a_longer_embedding_changes(name):
    model, step = model_of(name).double(), 1e-6
    found = gradient_times_input(model, SRC_IDS, TGT_IDS)
    for position in (0, 3, len(SRC_IDS) - 1):
        sides = []
        for factor in (1 + step, 1 - step):
            calls: list[int] = []

            def longer(_module, _inputs, output, factor=factor, position=position, calls=calls):
                calls.append(1)
                scale = torch.ones(output.shape[1], 1, dtype=output.dtype)
                scale[position if len(calls) == 1 else slice(0)] = factor  # the source comes first
                return output * scale

            handle = model.embedding.register_forward_hook(longer)
            with torch.inference_mode():
                sides.append(log_probs_of(model(SRC, READ)).numpy())
            handle.remove()
        slope = (sides[0] - sides[1]) / (2 * step)
        np.testing.assert_allclose(found[:, position], slope, atol=1e-6)


@pytest.mark.parametrize("mode", [torch.enable_grad, torch.inference_mode])
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


def test_small_batches_give_the_same(monkeypatch, tiny_translator, pair):
    whole = explain(tiny_translator, *pair, method="kendall")
    for name in ("MOST_LOGITS", "_MOST_ACTIVATIONS", "_MOST_PAIRS"):
        monkeypatch.setattr(module, name, 1)
    single = explain(tiny_translator, *pair, method="kendall")
    np.testing.assert_allclose(single.drops, whole.drops, atol=2e-5)
    np.testing.assert_allclose(single.gradient, whole.gradient, atol=2e-5)
    again = rank_correlation(whole.gradient, whole.drops, "kendall")
    np.testing.assert_array_equal(again, whole.gradient_to_drops)


def by_scipy(a, b, method):
    """scipy's correlation of two rows; NaN, as scipy gives with a warning, when one is even."""
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return np.nan
    found = scipy.stats.spearmanr(a, b) if method == "spearman" else scipy.stats.kendalltau(a, b)
    return found.statistic


@settings(deadline=None, max_examples=40)
@given(
    arrays(np.float32, (2, 7), elements=st.sampled_from([0.0, 0.125, 0.25, 0.5, 1.0])),
    st.sampled_from(["spearman", "kendall"]),
)
def test_correlations_with_ties_are_those_of_scipy(rows, method):
    found = rank_correlation(rows[0], rows[1], method)
    np.testing.assert_allclose(found, by_scipy(rows[0], rows[1], method), atol=1e-6)


@pytest.mark.parametrize("method", ["spearman", "kendall"])
def test_every_row_of_every_head_is_correlated_with_its_own_measures(tiny_translator, pair, method):
    found = explain(tiny_translator, *pair, method=method)
    weights = tiny_translator.teacher_force(*pair)[0].cross.weights
    assert found.to_drops.shape == found.to_gradient.shape == weights.shape[:3]
    for at in [(0, 0, 0), (0, 1, 2), (1, 3, 4), (1, 0, len(pair[1]) - 1)]:
        for measure, made in ((found.drops, found.to_drops), (found.gradient, found.to_gradient)):
            assert made[at] == pytest.approx(
                by_scipy(weights[at], measure[at[2]], method), abs=1e-5
            )
    for gradient, drops, made in zip(
        found.gradient, found.drops, found.gradient_to_drops, strict=True
    ):
        assert made == pytest.approx(by_scipy(gradient, drops, method), abs=1e-5)


def test_sources_of_one_token_and_unknown_choices_are_refused(tiny_translator, pair):
    alone = TokenSequence("", (3,), ("</s>",), ((0, 0),))
    with pytest.raises(InputError, match=english("model-explain-one-token")) as raised:
        explain(tiny_translator, alone, pair[1])
    assert raised.value.hint
    with pytest.raises(InputError, match=english("model-explain-one-word")):
        leave_one_out(STEPWISE["cho"](), (5, 3), TGT_IDS, hidden_from=UNREAD)
    for entry in ("hidden_from", "method"):
        with pytest.raises(ValueError, match=f"{entry} is 'nowhere'"):
            explain(tiny_translator, *pair, **{entry: "nowhere"})
