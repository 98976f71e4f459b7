"""Inside a block: held against torch's own layers, sums by hand and autograd."""

import copy
import math
from decimal import Decimal, localcontext
from itertools import product

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from core.block import SubLayer
from core.changes import NoNorm, NoResidual
from core.intervention import Intervention
from core.search import Decoding
from model.block import residuals_of
from model.experiments.block import (
    RUNS,
    gradients_of,
    lens_of,
    streams_of,
)
from model.intervene import intervening
from support.models import Numbers, make_model, reader_of

SRC, TGT = (5, 6, 7, 8, 9, 3), (9, 10, 11, 3)
READ = (2, 9, 10, 11)
pieces = Numbers(23).decode
SOURCE, TARGET = pieces(SRC), pieces(TGT)
MODEL = make_model()
READER = reader_of(MODEL)


def streams(change=None, model=MODEL):
    return streams_of(reader_of(model), SOURCE, TARGET, change)


def logits(change=None, model=MODEL, src=SRC, read=READ):
    change = Intervention() if change is None else change
    with (
        torch.inference_mode(),
        intervening(model, change, n_src=len(src), n_tgt=len(read)) as changed,
    ):
        return changed(torch.tensor([src]), torch.tensor([read]))


# -- the stream -----------------------------------------------------------------------------


def test_the_stream_goes_from_the_embeddings_through_every_sub_layer_to_the_logits():
    encoder, decoder = streams()
    assert [place.code for place in (*encoder.places, *decoder.places[:3])] == [
        *("encoder.1.self", "encoder.1.feed_forward"),
        *("encoder.2.self", "encoder.2.feed_forward"),
        *("decoder.1.self", "decoder.1.cross", "decoder.1.feed_forward"),
    ]
    assert encoder.added.shape == (4, len(SRC), 16)
    assert decoder.added.shape == (6, len(TGT), 16)
    for stream in (encoder, decoder):
        np.testing.assert_array_equal(stream.before[1:], stream.after[:-1])
    with torch.inference_mode():
        embedded = MODEL.embed(torch.tensor([SRC]))[0].numpy()
    np.testing.assert_array_equal(encoder.before[0], embedded)
    last = torch.from_numpy(decoder.after[-1])
    torch.testing.assert_close(last @ MODEL.embedding.weight.T, logits()[0])


def test_each_state_is_torchs_layer_norm_of_what_was_there_and_what_is_added():
    for stream in streams():
        assert not stream.pre_norm
        for i, residual in enumerate(
            each for each in residuals_of(MODEL) if each.place in stream.places
        ):
            norm = nn.LayerNorm(16, eps=MODEL.config.layer_norm_eps)
            norm.load_state_dict(residual.norm.state_dict())
            summed = torch.from_numpy(stream.before[i] + stream.added[i])
            torch.testing.assert_close(norm(summed), torch.from_numpy(stream.after[i]))


# -- something left out ---------------------------------------------------------------------


def by_hand(residual=lambda place: True, norm=lambda place: True, model=MODEL, heard=None):
    """The whole model, with connections and norms only where these say so; `heard` gets what every
    sub-layer gives."""

    def connect(around, x, made):
        out = x + made if residual(around.place) else made
        out = around.norm(out) if norm(around.place) else out
        if heard is not None:
            out.retain_grad()
            heard.append(out)
        return out

    x = model.embed(torch.tensor([SRC])).detach().requires_grad_(heard is not None)
    for layer in model.encoder_layers:
        x = connect(layer.self_attention_residual, x, layer.self_attention(x, x, x))
        x = connect(layer.feed_forward_residual, x, layer.feed_forward(x))
    y = model.embed(torch.tensor([READ]))
    causal = torch.tril(torch.ones(len(READ), len(READ), dtype=torch.bool))
    for layer in model.decoder_layers:
        y = connect(layer.self_attention_residual, y, layer.self_attention(y, y, y, causal))
        y = connect(layer.cross_attention_residual, y, layer.cross_attention(y, x, x))
        y = connect(layer.feed_forward_residual, y, layer.feed_forward(y))
    return y @ model.embedding.weight.T


CASES = [
    (NoResidual(), lambda p: False, lambda p: True),
    (NoNorm(), lambda p: True, lambda p: False),
    (NoResidual("decoder"), lambda p: p.stack != "decoder", lambda p: True),
    (NoResidual("encoder", 1, "self"), lambda p: p != SubLayer("encoder", 1, "self"),
     lambda p: True),
    (NoNorm(None, 0, "feed_forward"), lambda p: True,
     lambda p: (p.layer, p.name) != (0, "feed_forward")),
]  # fmt: skip


@pytest.mark.parametrize(("change", "residual", "norm"), CASES)
def test_leaving_out_is_the_model_without_it(change, residual, norm):
    with torch.inference_mode():
        expected = by_hand(residual, norm)
    torch.testing.assert_close(logits(Intervention(change)), expected)
    assert not torch.allclose(expected, logits())


def test_nothing_left_out_is_bit_for_bit_the_model():
    with torch.inference_mode():
        plain = MODEL(torch.tensor([SRC]), torch.tensor([READ]))
    assert torch.equal(logits(), plain)


def test_a_changed_stream_says_what_was_left_out_and_what_was_there_before():
    encoder, decoder = streams(Intervention(NoResidual("encoder", 0, "self")))
    assert encoder.has_residual.tolist() == [False, True, True, True]
    assert decoder.has_residual.all()
    assert encoder.has_norm.all()
    np.testing.assert_array_equal(encoder.before[0], streams()[0].before[0])
    np.testing.assert_array_equal(encoder.sums[0], encoder.added[0])
    without, _ = streams(Intervention(NoNorm("encoder", 0, "self")))
    assert without.has_norm.tolist() == [False, True, True, True]
    np.testing.assert_array_equal(without.after[0], without.before[0] + without.added[0])


@pytest.mark.parametrize("change", [NoResidual(), NoNorm(), NoResidual("decoder", 0, "cross")])
def test_the_steps_of_a_search_are_what_teacher_forcing_reads(tiny_translator, change):
    under = Intervention(change)
    found = tiny_translator.translate("A dog", Decoding(beam_size=2, max_len=8), intervention=under)
    _, again = tiny_translator.read_again(found.src, found.tgt, under)
    np.testing.assert_allclose(found.log_probs, again, rtol=1e-4, atol=1e-3)


# -- the states through the output layer ----------------------------------------------------


def test_the_last_state_says_what_the_model_says():
    _, decoder = streams()
    lens = lens_of(READER, decoder, TGT)
    probs = logits()[0].softmax(-1)
    for position, wanted in enumerate(TGT):
        order = probs[position].argsort(descending=True).tolist()
        assert lens.tokens[-1][position] == tuple(map(str, order[:5]))
        assert lens.wanted_ranks[-1, position] == 1 + order.index(wanted)
        assert lens.wanted_probs[-1, position] == pytest.approx(float(probs[position, wanted]))
        np.testing.assert_allclose(lens.probs[-1, position], probs[position, order[:5]], rtol=1e-5)


def test_the_first_state_is_the_input_of_the_stack_and_parts_change_nothing(monkeypatch):
    _, decoder = streams()
    whole = lens_of(READER, decoder, TGT)
    x = torch.from_numpy(decoder.before[0])
    best = (x @ MODEL.embedding.weight.T).argmax(-1)
    assert [row[0] for row in whole.tokens[0]] == [str(int(i)) for i in best]
    monkeypatch.setattr("model.experiments.block._MOST_LOGITS", 50)
    parts = lens_of(READER, decoder, TGT)
    assert parts.tokens == whole.tokens
    np.testing.assert_allclose(parts.probs, whole.probs, rtol=1e-5)


# -- gradients ------------------------------------------------------------------------------


@pytest.mark.parametrize("run", range(4))
def test_gradients_are_those_of_autograd_on_the_model_written_out_in_float64(run):
    states, double = [], copy.deepcopy(MODEL).double()
    kept = [not any(isinstance(each, kind) for each in RUNS[run]) for kind in (NoResidual, NoNorm)]
    with torch.enable_grad():
        written = by_hand(lambda place: kept[0], lambda place: kept[1], double, states)[0]
        loss = F.cross_entropy(written, torch.tensor(TGT))
        loss.backward()
    found = gradients_of(READER, SOURCE, TARGET)
    expected = [float(state.grad[0].norm(dim=-1).mean()) for state in states]
    np.testing.assert_allclose(found.sizes[run], expected, rtol=1e-3)
    assert found.losses[run] == pytest.approx(float(loss.detach()), rel=1e-4)
    state = states[3].detach()[0]
    pairs = [
        float(F.cosine_similarity(state[i], state[j], dim=0))
        for i in range(len(SRC))
        for j in range(len(SRC))
        if i != j
    ]
    assert found.alike[run, 3] == pytest.approx(np.mean(pairs), abs=1e-4)


def exactly(model, run, places, digits=60):
    """Gradients by differences of the model written out in decimal numbers, a length a place."""
    exp, root = (np.frompyfunc(getattr(Decimal, name), 1, 1) for name in ("exp", "sqrt"))
    number = np.frompyfunc(lambda x: Decimal(float(x)), 1, 1)

    def flag(kind):
        return not any(isinstance(each, kind) for each in RUNS[run])

    def linear(layer, x):
        return x @ number(layer.weight.numpy()).T + number(layer.bias.numpy())

    def attend(layer, x, memory, causal=False):
        given = (layer.query_proj, x), (layer.key_proj, memory), (layer.value_proj, memory)
        q, k, v = (linear(*each) for each in given)
        heads = []
        for part in np.split(np.arange(q.shape[1]), layer.n_heads):
            weights = exp(q[:, part] @ k[:, part].T / root(Decimal(len(part))))
            weights = np.tril(weights) if causal else weights
            heads.append((weights / weights.sum(1, keepdims=True)) @ v[:, part])
        return linear(layer.out_proj, np.concatenate(heads, 1))

    def connected(around, x, made):
        out = x + made if flag(NoResidual) else made
        if flag(NoNorm):
            out = out - out.mean(1, keepdims=True)
            spread = root((out**2).mean(1, keepdims=True) + Decimal(around.norm.eps))
            out = out / spread * number(around.norm.weight.numpy())
            out = out + number(around.norm.bias.numpy())
        return out

    def step(place, states):
        """The states of both stacks after a sub-layer of one of them."""
        x, y = states
        if side := int(place >= 2 * len(model.encoder_layers)):
            layer, sub = divmod(place - 2 * len(model.encoder_layers), 3)
            at, given = model.decoder_layers[layer], y
        else:
            layer, sub = divmod(place, 2)
            at, given, sub = model.encoder_layers[layer], x, 2 * sub
        if sub == 0:
            made = attend(at.self_attention, given, given, bool(side))
            given = connected(at.self_attention_residual, given, made)
        elif sub == 1:
            made = attend(at.cross_attention, given, x)
            given = connected(at.cross_attention_residual, given, made)
        else:
            inner = np.maximum(linear(at.feed_forward.inner, given), Decimal(0))
            made = linear(at.feed_forward.outer, inner)
            given = connected(at.feed_forward_residual, given, made)
        return side, (x, given) if side else (given, y)

    n_places = 2 * len(model.encoder_layers) + 3 * len(model.decoder_layers)

    def loss(states, first):
        for place in range(first, n_places):
            _, states = step(place, states)
        logits = states[1] @ number(model.embedding.weight.numpy()).T
        wanted = [row[token] for row, token in zip(logits, TGT, strict=True)]
        sums = [exp(row).sum().ln() for row in logits]
        return (sum(sums) - sum(wanted)) / len(TGT)

    with localcontext(prec=digits):
        states = tuple(
            number(model.embed(torch.tensor([ids]))[0].double().numpy()) for ids in (SRC, READ)
        )
        nudge, sizes = Decimal(10) ** (-digits // 3), {}
        for place in range(max(places) + 1):
            side, states = step(place, states)
            if place not in places:
                continue
            slopes = np.zeros(states[side].shape)
            for cell in product(*map(range, slopes.shape)):
                shaken = []
                for sign in (1, -1):
                    moved = [state.copy() for state in states]
                    moved[side][cell] += sign * nudge
                    shaken.append(loss(moved, place + 1))
                slopes[cell] = float((shaken[0] - shaken[1]) / (2 * nudge))
            sizes[place] = np.linalg.norm(slopes, axis=1).mean()
        return sizes


@pytest.mark.parametrize(("n_encoder_layers", "run", "told"), [(2, 3, True), (6, 1, False)])
def test_gradients_are_exact_where_told_and_left_out_where_rounding(n_encoder_layers, run, told):
    model = make_model(d_model=8, n_heads=2, d_ff=8, n_encoder_layers=n_encoder_layers)
    model.requires_grad_(False)
    first = 2 * n_encoder_layers
    expected = exactly(model, run, {first, first + 2, first + 4})
    found = gradients_of(reader_of(model), SOURCE, TARGET).sizes[run]
    assert expected[first] < 1e-6 * expected[first + 4]
    assert np.isfinite(found[[first, first + 2]]).all() == told
    for place in expected:
        assert np.isnan(found[place]) or found[place] == pytest.approx(
            expected[place], rel=0.1, abs=0
        )


def test_random_weights_of_a_seed_are_the_same_again_and_one_token_is_like_no_other(
    tiny_translator,
):
    pair = tiny_translator.tokenize("A dog"), tiny_translator.tokenize("Ein Hund")
    first, second, other = (gradients_of(tiny_translator, *pair, seed=n) for n in (3, 3, 4))
    np.testing.assert_array_equal(first.sizes, second.sizes)
    assert not np.allclose(first.sizes, other.sizes)
    assert first.losses[0] == pytest.approx(math.log(200), abs=1.5)
    alone = gradients_of(READER, pieces((3,)), pieces((3,)))
    assert np.isnan(alone.alike).all()
    assert np.isfinite(alone.sizes).all()
