"""Every link knocked out alone, held against whole runs of the model under that change."""

import numpy as np
import pytest
import torch
from conftest import Numbers, make_model, reader_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.attention import TRANSFORMER_SITES
from core.changes import AblatedHead, MaskedCell
from core.intervention import Intervention
from core.knockout import Decision
from model.errors import InputError
from model.experiments.trace import trace_decision
from model.intervene import intervening

TOKEN, RIVAL = 9, 14


pieces = Numbers(23).decode


def sentence(length, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return pieces(torch.randint(4, 23, (length,), generator=generator).tolist())


def decision(position):
    return Decision(position, TOKEN, str(TOKEN), RIVAL, str(RIVAL))


def sharp(model):
    """The same model with attention as uneven as that of trained ones; biases too."""
    generator = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith("query_proj.weight"):
                parameter *= 4
            if name.endswith("bias"):
                parameter += 0.1 * torch.randn(parameter.shape, generator=generator)
    return model


def traced(model, n_src, n_tgt, position, **choices):
    pair = sentence(n_src), sentence(n_tgt, 1)
    return trace_decision(reader_of(model), *pair, decision(position), **choices)


def log_odds(model, n_src, n_tgt, position, interventions):
    """Log-odds (B,) of the decision by whole runs of the model, one for each intervention."""
    src, tgt = sentence(n_src), sentence(n_tgt, 1)
    read = torch.tensor([(model.config.bos_id, *tgt.ids[:-1])])
    with (
        torch.inference_mode(),
        intervening(model, interventions, n_src=n_src, n_tgt=n_tgt) as changed,
    ):
        log_probs = changed(torch.tensor([src.ids]), read)[:, position].log_softmax(-1)
    return (log_probs[:, TOKEN] - log_probs[:, RIVAL]).numpy()


def places(trace, kind):
    """Where there is a link of this kind: an array of (layer, head, query, key)."""
    return np.argwhere(~np.isnan(trace.changes[kind]))


def by_whole_runs(model, n_src, n_tgt, position, kind, links):
    runs = [Intervention(MaskedCell(kind, *map(int, link))) for link in links]
    found = log_odds(model, n_src, n_tgt, position, [Intervention(), *runs])
    return found[1:] - found[0]


@settings(max_examples=25, deadline=None)
@given(
    n_encoder=st.integers(1, 4),
    n_decoder=st.integers(1, 3),
    n_heads=st.sampled_from([1, 2, 8]),
    n_src=st.integers(1, 7),
    n_tgt=st.integers(1, 7),
    position=st.integers(0, 6),
    seed=st.integers(0, 1000),
)
@example(2, 2, 4, 5, 6, 3, 0)
@example(4, 2, 1, 6, 4, 2, 0)
@example(3, 1, 4, 4, 3, 0, 0)
@example(2, 3, 2, 1, 4, 2, 0)
def test_links_of_any_model_change_what_whole_runs_without_them_change(
    n_encoder, n_decoder, n_heads, n_src, n_tgt, position, seed
):
    position %= n_tgt
    sizes = {"n_encoder_layers": n_encoder, "n_decoder_layers": n_decoder, "n_heads": n_heads}
    model = sharp(make_model(seed, **sizes)).double()
    trace = traced(model, n_src, n_tgt, position)
    odds = log_odds(model, n_src, n_tgt, position, [Intervention()])[0]
    np.testing.assert_allclose(trace.log_odds, odds, rtol=0, atol=1e-5)
    for kind in TRANSFORMER_SITES:
        links = np.random.default_rng(seed).permutation(places(trace, kind))[:100]
        if len(links):
            expected = by_whole_runs(model, n_src, n_tgt, position, kind, links)
            found = trace.changes[kind][tuple(links.T)]
            np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("kind", TRANSFORMER_SITES)
def test_single_precision_is_exact_to_rounding(kind):
    model = sharp(make_model())
    trace = traced(model, 6, 6, 4)
    links = places(trace, kind)
    expected = by_whole_runs(model, 6, 6, 4, kind, links)
    np.testing.assert_allclose(trace.changes[kind][tuple(links.T)], expected, rtol=0, atol=2e-5)


def test_a_link_that_holds_the_whole_row_leaves_the_softmax_of_the_others():
    """Its row cannot be had by dividing the weights by one minus its own, which is zero."""
    model = make_model(n_heads=1, n_encoder_layers=1, n_decoder_layers=1)
    with torch.no_grad():
        model.encoder_layers[0].self_attention.query_proj.weight.mul_(300)
    trace = traced(model, 5, 4, 3)
    weights = trace.weights["encoder"]
    links = np.argwhere(weights == 1)
    assert len(links) > 0
    expected = by_whole_runs(model, 5, 4, 3, "encoder", links)
    found = trace.changes["encoder"][tuple(links.T)]
    assert np.abs(found).max() > 1e-3
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-5)


@pytest.mark.parametrize("kind", TRANSFORMER_SITES)
def test_heads_change_what_a_whole_run_with_zero_output_changes(kind):
    model = sharp(make_model(n_encoder_layers=3)).double()
    found = traced(model, 5, 6, 3).head_changes[kind]
    runs = [Intervention(AblatedHead(kind, *map(int, at))) for at in np.ndindex(found.shape)]
    odds = log_odds(model, 5, 6, 3, [Intervention(), *runs])
    np.testing.assert_allclose(found.ravel(), odds[1:] - odds[0], rtol=1e-6, atol=1e-8)


def test_masked_links_and_only_links_are_no_links():
    changes = traced(make_model(), 3, 4, 3).changes
    future = np.triu(np.ones((4, 4), dtype=bool), 1)
    assert np.isnan(changes["decoder"][:, :, future]).all()
    assert np.isnan(changes["decoder"][:, :, 0]).all()
    assert np.isfinite(changes["decoder"][:, :, ~future][:, :, 1:]).all()
    assert np.isfinite(changes["encoder"]).all()
    assert np.isfinite(changes["cross"]).all()
    alone = traced(make_model(), 1, 3, 2).changes
    assert np.isnan(alone["encoder"]).all()
    assert np.isnan(alone["cross"]).all()


def test_links_are_counted():
    trace = traced(make_model(), 3, 4, 2)  # 2 layers of 4 heads on either side
    assert trace.n_links == 8 * (3 * 3 + (2 + 3 + 4) + 4 * 3)
    # The first decoder layer needs rows 0 to 2, the last row 2.
    assert trace.n_run == 8 * 3 * 3 + 4 * (2 + 3 + 3 * 3) + 4 * (3 + 3)


def test_small_batches_give_what_one_batch_gives_and_tell_how_far_they_are():
    model, told = sharp(make_model()).double(), []
    one = traced(model, 5, 6, 3)
    many = traced(model, 5, 6, 3, chunk_rows=12, progress=told.append)
    for kind in TRANSFORMER_SITES:
        for of in ("changes", "head_changes"):
            first, second = (getattr(each, of)[kind] for each in (one, many))
            np.testing.assert_allclose(first, second, rtol=0, atol=1e-9)
    assert told == sorted(told)
    assert len(told) > 3
    assert told[-1] == pytest.approx(1.0)


def test_units_that_stay_off_are_left_out(monkeypatch):
    """Hidden units far below zero are not worked out, and the answer is that of all of them."""
    model = sharp(make_model(d_ff=64))
    with torch.no_grad():
        for layer in (*model.encoder_layers, *model.decoder_layers):
            layer.feed_forward.inner.bias[32:] = -40.0
    model = model.double()
    widths = []
    linear = torch.nn.functional.linear

    def listen(x, weight, bias=None):
        if x.shape[-1] == 16 and x.dim() == 2:  # one position of the feed-forward layer
            widths.append(len(weight))
        return linear(x, weight, bias)

    monkeypatch.setattr("model.experiments.trace.F.linear", listen)
    trace = traced(model, 4, 4, 3)
    monkeypatch.undo()
    assert max(width for width in widths if width != 2) <= 32
    links = places(trace, "encoder")
    expected = by_whole_runs(model, 4, 4, 3, "encoder", links)
    np.testing.assert_allclose(
        trace.changes["encoder"][tuple(links.T)], expected, rtol=1e-6, atol=1e-7
    )


def test_a_stopped_trace_leaves_the_rest_unknown_and_an_error_of_stop_passes_through():
    answers = iter([False, False, True])
    trace = traced(make_model(), 4, 5, 3, stop=lambda: next(answers))
    whole = traced(make_model(), 4, 5, 3)
    assert trace.n_run == 2 * 4 * 4  # two query rows of four heads and four keys
    np.testing.assert_array_equal(
        trace.changes["encoder"][0, :, :2], whole.changes["encoder"][0, :, :2]
    )
    assert np.isnan(trace.changes["encoder"][0, :, 2:]).all()
    with pytest.raises(KeyError, match="mine"):
        traced(make_model(), 4, 5, 3, stop=lambda: {}["mine"])


@pytest.mark.parametrize(
    ("src", "wrong", "words"),
    [
        (sentence(5), Decision(6, TOKEN, "", RIVAL, ""), "token 7 is given, but the output has 6"),
        (sentence(5), Decision(-1, TOKEN, "", RIVAL, ""), "but the output has 6"),
        (sentence(5), Decision(0, 23, "", RIVAL, ""), "the target token has the id 23"),
        (
            sentence(5),
            Decision(0, TOKEN, "", -2, ""),
            "contrast token has the id -2, expected 0 to 22",
        ),
        (pieces([5, 99]), decision(0), "a token of the sentence has the id 99"),
        (sentence(65), decision(0), "the sentence has 65 tokens, expected 1 to 64"),
    ],
)
def test_what_does_not_fit_is_refused(src, wrong, words):
    with pytest.raises(InputError, match=words):
        trace_decision(reader_of(make_model()), src, sentence(6, 1), wrong)


def test_the_weights_of_a_trace_are_those_of_the_translation(tiny_translator):
    translation = tiny_translator.translate("The dog runs.")
    trace = trace_decision(tiny_translator, translation.src, translation.tgt, decision(1))
    for kind in TRANSFORMER_SITES:
        np.testing.assert_allclose(
            trace.weights[kind], translation.attention.of(kind).weights, rtol=0, atol=1e-6
        )
