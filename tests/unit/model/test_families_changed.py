"""The families before the Transformer under changes, searched and explained, against loops and
brute force."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest
import torch
from unit.model.test_families import MODELS, SRC, TGT

from core.changes import AblatedHead, LiftedMask, OverriddenRow
from core.intervention import UNREAD, Intervention, hide
from core.search import Decoding, Sampling
from model import InputError, InterventionError, capture_attention
from model.check import check
from model.exact import exact_search
from model.experiments.explain import explain, gradient_times_input, hide_each
from model.intervene import intervening
from model.sampling import sample_search
from model.search import beam_search
from support.models import Numbers, hooks, reader_of
from words import english

N_SRC, N_TGT = SRC.shape[1], TGT.shape[1]
LOOKING = [name for name in MODELS if name.startswith(("bahdanau", "luong"))]
ROW = (0.1, 0.0, 0.6, 0.3)


@pytest.fixture(scope="module", params=MODELS)
def model(request):
    return MODELS[request.param]()


@pytest.fixture(scope="module", params=LOOKING)
def looking(request):
    return MODELS[request.param]()


@torch.inference_mode()
def run(model, interventions, src=SRC, tgt=TGT):
    """Logits (B, T, V) and what was looked at, (B, T, T_src) or None without attention."""
    with (
        intervening(model, interventions, n_src=src.shape[1], n_tgt=tgt.shape[1]) as changed,
        capture_attention(model) as captured,
    ):
        logits = changed(src, tgt)
    return logits, captured.weights("cross")[:, 0, 0] if model.sites else None


@pytest.mark.parametrize("name", MODELS)
def test_no_claim_is_false_of_any_variant(name, tiny_tokenizer):
    """Every change by hand, in whole passes and step by step, and the trees of a search."""
    model = MODELS[name](vocab_size=tiny_tokenizer.vocab_size, max_len=60)
    results = check(reader_of(model, tiny_tokenizer))
    assert [each for each in results if not each.holds] == []
    claims = {each.capability for each in results}
    assert {"search", "change-unread", "values"} <= claims


def test_a_batch_runs_each_item_under_its_own_change(model):
    changes = [Intervention(), hide(1, where=UNREAD), hide(0, 3, where=UNREAD)]
    if model.sites:
        changes += [hide(2, where="cross"), Intervention(OverriddenRow("cross", 0, 0, 1, (0, 1.0)))]
        changes += [Intervention(AblatedHead("cross"))]
    logits, _ = run(model, changes)
    for row, change in zip(logits, changes, strict=True):
        torch.testing.assert_close(row[None], run(model, change)[0])
    with torch.inference_mode():
        assert torch.equal(run(model, Intervention())[0], model(SRC, TGT))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (hide(5, where=UNREAD), "always read"),
        (hide(0, 1, 2, 3, 4, where=UNREAD), english("model-change-unread-all")),
        (hide(9, where=UNREAD), "token 10"),
        (Intervention(LiftedMask("cross")), "no causal attention"),
    ],
)
def test_what_cannot_be_is_said(model, change, told):
    with pytest.raises(InterventionError, match=told):
        run(model, change)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (hide(*range(N_SRC), where="cross"), "no position left"),
        (hide(2, where=UNREAD) | Intervention(OverriddenRow("cross", 0, 0, 2, ROW)), "position 3"),
        (Intervention(AblatedHead("cross", how="mean")), english("model-change-no-means")),
    ],
)
def test_what_a_head_cannot_do_is_said(looking, change, told):
    with pytest.raises(InterventionError, match=told):
        run(looking, change)


def test_a_window_that_is_left_empty_is_said():
    narrow = MODELS["luong-local-m-dot"]()
    with pytest.raises(InterventionError, match="no position left"):
        run(narrow, hide(0, 1, 2, where="cross"))  # the first step looks at these alone
    with pytest.raises(InterventionError, match="no position left"):
        run(narrow, hide(0, 1, 2, where=UNREAD))


def test_a_change_that_no_transformer_has_is_refused(tiny_model):
    with pytest.raises(InterventionError, match="change-unread"):
        run(tiny_model, hide(1, where=UNREAD))


def test_threads_do_not_mix(model):
    changes = [hide(i, where=UNREAD) for i in range(N_SRC - 1)]
    expected = [run(model, change)[0] for change in changes]
    jobs = list(range(len(changes))) * 4
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda job: run(model, changes[job])[0], jobs))
    assert all(torch.equal(found[i], expected[job]) for i, job in enumerate(jobs))
    assert hooks(model) == []


@pytest.fixture(scope="module", params=["cho", "lstm", "bahdanau", "luong-local-p-general"])
def small(request):
    """A model of six pieces, so that every output of three tokens can be listed."""
    model = MODELS[request.param]()
    model.embedding = torch.nn.Embedding.from_pretrained(model.embedding.weight[:6].detach())
    return model


@torch.inference_mode()
def every_output(model, src, max_len):
    """Log P of every finished output of at most `max_len` tokens, by teacher forcing."""
    found, eos, bos = {}, model.config.eos_id, model.config.bos_id
    for length in range(1, max_len + 1):
        for ids in product([i for i in range(6) if i != eos], repeat=length - 1):
            out = (*ids, eos)
            rows = model(src, torch.tensor([[bos, *out[:-1]]]))[0].log_softmax(-1)
            found[out] = float(rows[range(len(out)), list(out)].sum())
    return found


SMALL_SRC = torch.tensor([[5, 4, 1, 3]])


def test_wide_and_exact_searches_find_the_brute_force_best(small):
    every = every_output(small, SMALL_SRC, 3)
    best = max(every, key=every.get)
    found = exact_search(small, SMALL_SRC, Decoding(max_len=3, alpha=0.0))
    assert found.proven
    assert found.best.ids == best
    assert found.best.cum_log_prob == pytest.approx(every[best], abs=1e-5)
    tree = beam_search(small, SMALL_SRC, Decoding(50, 0.0, 3))
    assert tree.hypothesis(tree.best).ids == best


def test_forced_and_drawn_outputs_have_the_log_probability_of_teacher_forcing(small):
    every = every_output(small, SMALL_SRC, 3)
    forced = beam_search(small, SMALL_SRC, Decoding(50, 0.0, 3), prefix=(5,))
    best = max((ids for ids in every if ids[0] == 5), key=every.get)
    assert forced.hypothesis(forced.best).ids == best
    drawn = sample_search(small, SMALL_SRC, Sampling(12, max_len=3, seed=4))
    for sample in drawn.samples:
        hypothesis = drawn.hypothesis(sample)
        if hypothesis.finished:
            assert hypothesis.cum_log_prob == pytest.approx(every[hypothesis.ids], abs=1e-5)


SRC_IDS, TGT_IDS = tuple(SRC[0].tolist()), (8, 15, 4, 21, 3)


@torch.inference_mode()
def log_probs(model, change=None):
    read = torch.tensor([[2, *TGT_IDS[:-1]]])
    rows = (model(SRC, read) if change is None else run(model, change, tgt=read)[0])[0]
    return rows.log_softmax(-1)[range(len(TGT_IDS)), list(TGT_IDS)].numpy()


def test_leaving_each_token_out_is_a_loop(model):
    places = [UNREAD, "cross"] if model.sites else [UNREAD]
    for where in places:
        if where == "cross" and model.sites[0].window:
            continue  # a window of two may be left empty, which is said
        found = hide_each(model, SRC_IDS, TGT_IDS, hidden_from=where)
        n_hidden = N_SRC - (where == UNREAD)
        for position in range(n_hidden):
            expected = log_probs(model, hide(position, where=where))
            np.testing.assert_allclose(found[:, position], expected, atol=1e-5)
        assert np.isnan(found[:, n_hidden:]).all()


def test_the_gradient_is_what_a_longer_embedding_changes(model):
    model = model.double()
    # The centre of a Gaussian is worked out in single precision.
    exact = getattr(model.config, "attention", "") != "local-p"
    found = gradient_times_input(model, SRC_IDS, TGT_IDS)
    step = 1e-6 if exact else 1e-3
    for position in (0, 3, N_SRC - 1):
        sides = []
        for factor in (1 + step, 1 - step):
            calls: list[int] = []

            def longer(_module, _inputs, output, factor=factor, position=position, calls=calls):
                calls.append(1)
                scale = torch.ones(output.shape[1], 1, dtype=output.dtype)
                scale[position if len(calls) == 1 else slice(0)] = factor  # the source comes first
                return output * scale

            handle = model.embedding.register_forward_hook(longer)
            sides.append(log_probs(model))
            handle.remove()
        np.testing.assert_allclose(
            found[:, position], (sides[0] - sides[1]) / (2 * step), atol=1e-6 if exact else 1e-3
        )
    assert all(p.grad is None for p in model.parameters())
    model.float()


def test_a_model_without_attention_is_explained_without(model):
    src, tgt = map(Numbers(23).decode, (SRC_IDS, TGT_IDS))
    found = explain(reader_of(model), src, tgt, hidden_from=UNREAD)
    assert (found.to_drops is None) == (found.to_gradient is None) == (not model.sites)
    assert found.gradient_to_drops.shape == (len(TGT_IDS),)
    assert np.isfinite(found.gradient_to_drops).all()


def test_one_word_cannot_be_left_out(model):
    with pytest.raises(InputError, match=english("model-explain-one-word")):
        hide_each(model, (5, 3), TGT_IDS, hidden_from=UNREAD)
    with pytest.raises(ValueError, match="elsewhere"):
        hide_each(model, SRC_IDS, TGT_IDS, hidden_from="elsewhere")
