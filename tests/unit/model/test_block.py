"""Inside a block: what is left out, states, gradients, positions; by hand and by autograd."""

from __future__ import annotations

import copy
import math
from functools import partial

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from core.block import left_of, recurrence_map
from core.interventions.intervention import Intervention
from core.interventions.kinds import NoNorm, NoResidual
from core.records.architecture import boxes_of
from core.records.sublayers import SubLayer
from model.config import TransformerConfig
from model.experiments.block import RUNS, gates_of, gradients_of, lens_of, streams_of
from model.experiments.value_zeroing import value_zeroing
from model.families.transformer import FAMILY
from model.hooks.capture import listening
from model.hooks.interventions import intervening
from model.nets.sublayers import PositionalEncoding, RelativeBias, sinusoidal_encoding
from support.models import SENTENCES, Numbers, make_model, reader_of
from support.variants import SETTINGS, transformer_reader
from ui.architecture import _leaving

SRC, TGT, READ = (5, 6, 7, 8, 9, 3), (9, 10, 11, 3), (2, 9, 10, 11)
pieces = Numbers(23).decode
SOURCE, TARGET = pieces(SRC), pieces(TGT)
MODEL = make_model()
READER = reader_of(MODEL)


def logits(*changes):
    with (
        torch.inference_mode(),
        intervening(MODEL, Intervention(*changes), n_src=len(SRC), n_tgt=len(READ)) as changed,
    ):
        return changed(torch.tensor([SRC]), torch.tensor([READ]))


def pair(reader):
    tgt = reader.tokenizer.encode(SENTENCES[5], written=True)
    return reader.tokenize(SENTENCES[4]), reader.tokenizer.decode(tgt.ids[:7])


# -- something left out ------------------------------------------------------------------------


def by_hand(residual=lambda place: True, norm=lambda place: True, model=MODEL, heard=None):
    """The whole model, with connections and norms only where these say so; `heard` gets what every
    sub-layer gives.
    """

    def connect(around, x, made):
        out = x + made if residual(around.sublayer) else made
        out = around.norm(out) if norm(around.sublayer) else out
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


def everywhere(place):
    return True


@pytest.mark.parametrize(
    ("change", "residual", "norm"),
    [
        (NoResidual("decoder"), lambda p: p.stack != "decoder", everywhere),
        (
            NoResidual("encoder", 1, "self"),
            lambda p: p != SubLayer("encoder", 1, "self"),
            everywhere,
        ),
        (
            NoNorm(None, 0, "feed_forward"),
            everywhere,
            lambda p: (p.layer, p.name) != (0, "feed_forward"),
        ),
    ],
)
def test_leaving_out_is_the_model_without_it(change, residual, norm):
    with torch.inference_mode():
        expected = by_hand(residual, norm)
    torch.testing.assert_close(logits(change), expected)
    assert not torch.allclose(expected, logits())


def test_a_changed_stream_says_what_was_left_out_and_what_was_there_before():
    plain = streams_of(READER, SOURCE, TARGET)
    assert [place.code for place in (*plain[0].places, *plain[1].places[:3])] == [
        *("encoder.1.self", "encoder.1.feed_forward"),
        *("encoder.2.self", "encoder.2.feed_forward"),
        *("decoder.1.self", "decoder.1.cross", "decoder.1.feed_forward"),
    ]
    cut = Intervention(NoResidual("encoder", 0, "self"))
    encoder, decoder = streams_of(READER, SOURCE, TARGET, cut)
    assert encoder.has_residual.tolist() == [False, True, True, True]
    assert decoder.has_residual.all()
    assert encoder.has_norm.all()
    np.testing.assert_array_equal(encoder.before[0], plain[0].before[0])
    np.testing.assert_array_equal(encoder.sums[0], encoder.added[0])
    bare = Intervention(NoNorm("encoder", 0, "self"))
    without, _ = streams_of(READER, SOURCE, TARGET, bare)
    assert without.has_norm.tolist() == [False, True, True, True]
    np.testing.assert_array_equal(without.after[0], without.before[0] + without.added[0])


# -- the states through the output layer ------------------------------------------------------


def test_the_lens_ranks_tokens_as_the_output_layer_does(monkeypatch):
    _, decoder = streams_of(READER, SOURCE, TARGET)
    lens, probs = lens_of(READER, decoder, TGT), logits()[0].softmax(-1)
    for position, wanted in enumerate(TGT):
        order = probs[position].argsort(descending=True).tolist()
        assert lens.tokens[-1][position] == tuple(map(str, order[:5]))
        assert lens.wanted_ranks[-1, position] == 1 + order.index(wanted)
        assert lens.wanted_probs[-1, position] == pytest.approx(float(probs[position, wanted]))
        np.testing.assert_allclose(lens.probs[-1, position], probs[position, order[:5]], rtol=1e-5)
    best = (torch.from_numpy(decoder.before[0]) @ MODEL.embedding.weight.T).argmax(-1)
    assert [row[0] for row in lens.tokens[0]] == [str(int(i)) for i in best]
    monkeypatch.setattr("model.experiments.block._MOST_LOGITS", 50)
    parts = lens_of(READER, decoder, TGT)
    assert parts.tokens == lens.tokens
    np.testing.assert_allclose(parts.probs, lens.probs, rtol=1e-5)


# -- gradients ---------------------------------------------------------------------------------


@pytest.mark.parametrize("run", range(4))
@pytest.mark.parametrize("n_encoder_layers", [2, 6])
def test_gradients_are_those_of_autograd_in_float64_or_left_out(n_encoder_layers, run):
    model = make_model(n_encoder_layers=n_encoder_layers, d_model=8, n_heads=2, d_ff=8)
    states, double = [], copy.deepcopy(model).double()
    kept = [not any(isinstance(each, kind) for each in RUNS[run]) for kind in (NoResidual, NoNorm)]
    written = by_hand(lambda place: kept[0], lambda place: kept[1], double, states)[0]
    loss = F.cross_entropy(written, torch.tensor(TGT))
    loss.backward()
    found = gradients_of(reader_of(model), SOURCE, TARGET)
    assert found.losses[run] == pytest.approx(float(loss.detach()), rel=1e-4)
    expected = np.array([float(state.grad[0].norm(dim=-1).mean()) for state in states])
    told = np.isfinite(found.sizes[run])
    # Without residuals the positions of a deep encoder become alike: only rounding is left.
    assert told[2 * n_encoder_layers] == (n_encoder_layers == 2 or kept[0])
    assert told[-1]
    np.testing.assert_allclose(found.sizes[run][told], expected[told], rtol=1e-3)
    state = states[3].detach()[0]
    pairs = [(i, j) for i in range(len(SRC)) for j in range(len(SRC)) if i != j]
    alike = [float(F.cosine_similarity(state[i], state[j], dim=0)) for i, j in pairs]
    assert found.alike[run, 3] == pytest.approx(np.mean(alike), abs=1e-4)


def test_random_weights_of_a_seed_are_the_same_again_and_one_token_is_like_no_other():
    first, second, other = (gradients_of(READER, SOURCE, TARGET, seed=n) for n in (3, 3, 4))
    np.testing.assert_array_equal(first.sizes, second.sizes)
    assert not np.allclose(first.sizes, other.sizes)
    assert first.losses[0] == pytest.approx(math.log(23), abs=1.5)
    alone = gradients_of(READER, pieces((3,)), pieces((3,)))
    assert np.isnan(alone.alike).all()
    assert np.isfinite(alone.sizes).all()


# -- other parts, in other settings ------------------------------------------------------------


@pytest.mark.parametrize("name", ["ours", "mbart", "t5"])
def test_a_token_without_values_turns_a_layer_as_in_the_whole_encoder(name):
    reader = transformer_reader(**SETTINGS[name])
    src, tgt = pair(reader)
    layer, outputs = reader.model.encoder_layers[0], []

    def silence(_module, _inputs, values):
        return values.index_fill(1, torch.tensor([2]), 0.0)

    for hooks in ({}, {layer.self_attention.value_proj: silence}):
        hear = {layer: lambda _, __, output: outputs.append(output[0].double())}
        with torch.inference_mode(), listening(hooks | hear):
            reader.model.encode(reader.input_of(src))
    apart = 1 - torch.cosine_similarity(*outputs, dim=-1)
    np.testing.assert_allclose(value_zeroing(reader, src, tgt, 0)[:, 2], apart, atol=1e-6)


def test_what_is_left_of_each_token_sums_to_the_cells_of_the_recurrence():
    reader = transformer_reader(**SETTINGS["student"])
    src, tgt = pair(reader)
    heard = {}
    recurrence = reader.model.decoder_layers[1].recurrence
    hooks = {
        recurrence: lambda _, __, output: heard.update(outputs=output[0][0]),
        recurrence.input_proj: lambda _, __, output: heard.update(inputs=output[0].numpy()),
    }
    with torch.inference_mode(), listening(hooks):
        reader.teacher_force(src, tgt)
    _, kept = gates_of(reader, src, tgt)
    for unit in range(8):
        cells = left_of(kept[:, [unit]]) @ heard["inputs"][:, unit]
        np.testing.assert_allclose(cells.clip(min=0), heard["outputs"][:, unit], atol=1e-5)
    left = recurrence_map(kept, tgt.tokens).weights[0, 0]
    np.testing.assert_allclose(left.sum(-1), 1 - np.cumprod(kept, 0).mean(-1), atol=1e-6)
    assert gates_of(transformer_reader(), src, tgt) == ()


@pytest.mark.parametrize("name", ["t5", "torch"])
def test_the_drawing_of_a_model_tells_what_leaves_each_of_its_parts(name):
    reader = transformer_reader(**SETTINGS[name])
    src, tgt = pair(reader)
    boxes, _ = boxes_of(FAMILY.drawing(reader.model.config))
    layer, heard = reader.model.encoder_layers[1], {}
    residual = layer.feed_forward_residual

    def hear(at, _module, _inputs, output):
        heard[at] = output[0].numpy()

    hooks = {residual.norm: partial(hear, "norm"), residual: partial(hear, "sum")}
    hooks |= {layer.feed_forward: partial(hear, "added")}
    with torch.inference_mode(), listening(hooks):
        reader.teacher_force(src, tgt)
    stream, before = streams_of(reader, src, tgt)[0], reader.model.config.norm == "before"
    last = max(i for i, box in enumerate(boxes) if (box.part, box.lane) == ("feed-forward", 0))
    at_norm, at_sublayer = (last - 1, last) if before else (last + 1, last)
    expected = "sum" if before else "added"
    np.testing.assert_allclose(_leaving(stream, boxes, at_norm), heard["norm"], atol=1e-5)
    np.testing.assert_allclose(_leaving(stream, boxes, at_sublayer), heard[expected], atol=1e-5)


def test_positions_are_added_from_start_on_and_not_written_to_a_checkpoint():
    encoding = PositionalEncoding(TransformerConfig(9, 4, 2, max_len=10))
    x = torch.ones(2, 3, 4)
    torch.testing.assert_close(encoding(x, 5), x + sinusoidal_encoding(10, 4)[5:8])
    assert encoding.state_dict() == {}
    with pytest.raises(ValueError, match="position 10 is beyond the model's 10"):
        encoding(torch.ones(1, 2, 4), 9)
    with pytest.raises(ValueError, match="even, found 5"):
        sinusoidal_encoding(3, 5)


@pytest.mark.parametrize("causal", [True, False])
def test_distances_fall_into_the_buckets_of_t5(causal):
    """Raffel et al. 2020, section 2.1, one offset at a time."""
    config = TransformerConfig(9, 4, 2, relative_buckets=8, relative_distance=20)
    n = 8 if causal else 4

    def bucket(offset):
        distance = max(-offset, 0) if causal else abs(offset)
        first = 0 if causal or offset <= 0 else n
        if distance < n // 2:
            return first + distance
        wider = math.log(distance / (n // 2)) / math.log(20 / (n // 2))
        return first + min(n // 2 + int(wider * (n - n // 2)), n - 1)

    offsets = range(-30, 31)
    found = RelativeBias(config, causal=causal).buckets(torch.tensor(offsets))
    assert found.tolist() == list(map(bucket, offsets))
