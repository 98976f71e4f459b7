"""The families before the Transformer: their papers' equations in loops, and brute force."""

from __future__ import annotations

import math
from itertools import product

import pytest
import torch
from torch import Tensor, nn

from core.records.search import Decoding, Sampling
from model import CheckpointError, capture_attention
from model.families import convolutional, luong
from model.families.stepwise import reading_order
from model.io.config_files import config_from_dict
from model.search.beam import beam_search
from model.search.exact import exact_search
from model.search.sampling import sample_search
from support.variants import HIDDEN, SIZES, SRC, STEPWISE, TGT, WIDTH

# -- the papers' equations, a number at a time ----------------------------------------------


def gru(cell: nn.GRUCell | nn.GRU, x: Tensor, h: Tensor, end: str = "") -> Tensor:
    """One gated unit: gates as in Cho et al. 2014, eq. 5 to 8, the reset acting on U h."""
    w_r, w_z, w_n = getattr(cell, f"weight_ih{end}").chunk(3)
    u_r, u_z, u_n = getattr(cell, f"weight_hh{end}").chunk(3)
    b_r, b_z, b_n = getattr(cell, f"bias_ih{end}").chunk(3)
    c_r, c_z, c_n = getattr(cell, f"bias_hh{end}").chunk(3)
    reset = torch.sigmoid(w_r @ x + b_r + u_r @ h + c_r)
    update = torch.sigmoid(w_z @ x + b_z + u_z @ h + c_z)
    new = torch.tanh(w_n @ x + b_n + reset * (u_n @ h + c_n))
    return update * h + (1 - update) * new


def lstm_unit(
    cell: nn.LSTMCell | nn.LSTM, x: Tensor, h: Tensor, c: Tensor, end: str = ""
) -> tuple[Tensor, Tensor]:
    gates = (
        getattr(cell, f"weight_ih{end}") @ x
        + getattr(cell, f"bias_ih{end}")
        + getattr(cell, f"weight_hh{end}") @ h
        + getattr(cell, f"bias_hh{end}")
    )
    i, f, g, o = gates.chunk(4)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def word(model: nn.Module, token: int) -> Tensor:
    return model.embedding.weight[token] * math.sqrt(WIDTH)


def maxout(layer: nn.Module, *inputs: Tensor) -> Tensor:
    raised = layer.linear.weight @ torch.cat(inputs) + layer.linear.bias
    return torch.stack([max(raised[2 * j], raised[2 * j + 1]) for j in range(len(raised) // 2)])


def cho_by_hand(model: nn.Module, src: list[int], tgt: list[int]) -> Tensor:
    h = torch.zeros(HIDDEN)
    for token in src:
        h = gru(model.encoder.network, word(model, token), h, "_l0")
    c = torch.tanh(model.summarise.weight @ h + model.summarise.bias)
    h = torch.tanh(model.initial.weight @ c + model.initial.bias)
    rows = []
    for token in tgt:
        y = word(model, token)
        h = gru(model.cell, torch.cat((y, c)), h)
        rows.append(model.embedding.weight @ maxout(model.maxout, h, y, c))
    return torch.stack(rows)


def stack(network, states, x):
    """One step of layers of LSTM; `states` is changed in place."""
    for layer, (h, c) in enumerate(states):
        cell, end = (
            (network, f"_l{layer}") if isinstance(network, nn.LSTM) else (network.cells[layer], "")
        )
        states[layer] = lstm_unit(cell, x, h, c, end)
        x = states[layer][0]
    return x


def read_by_hand(model: nn.Module, src: list[int], n_layers: int):
    states = [(torch.zeros(HIDDEN), torch.zeros(HIDDEN)) for _ in range(n_layers)]
    order = list(range(len(src)))
    if model.config.reverse_source:  # the words; the last is </s>
        order = [*order[-2::-1], order[-1]]
    read = {i: stack(model.encoder.network, states, word(model, src[i])) for i in order}
    return [read[i] for i in range(len(src))], states


def sutskever_by_hand(model: nn.Module, src: list[int], tgt: list[int]) -> Tensor:
    _, states = read_by_hand(model, src, model.config.n_layers)
    rows = []
    for token in tgt:
        top = stack(model.decoder, states, word(model, token))
        rows.append(model.embedding.weight @ (model.output.weight @ top + model.output.bias))
    return torch.stack(rows)


def bahdanau_by_hand(model: nn.Module, src: list[int], tgt: list[int]) -> tuple[Tensor, Tensor]:
    forward, backward = [], []
    h = torch.zeros(HIDDEN)
    for token in src:
        h = gru(model.encoder.network, word(model, token), h, "_l0")
        forward.append(h)
    h = torch.zeros(HIDDEN)
    for token in reversed(src):
        h = gru(model.encoder.network, word(model, token), h, "_l0_reverse")
        backward.insert(0, h)
    annotations = [torch.cat(pair) for pair in zip(forward, backward, strict=True)]
    s = torch.tanh(model.initial.weight @ backward[0] + model.initial.bias)
    rows, maps = [], []
    for token in tgt:
        y = word(model, token)
        energies = torch.stack(
            [
                model.energy.weight[0]
                @ torch.tanh(model.query.weight @ s + model.query.bias + model.key.weight @ each)
                for each in annotations
            ]
        )
        weights = energies.exp() / energies.exp().sum()
        c = sum(w * each for w, each in zip(weights, annotations, strict=True))
        s = gru(model.cell, torch.cat((y, c)), s)
        rows.append(model.embedding.weight @ maxout(model.maxout, s, y, c))
        maps.append(weights)
    return torch.stack(rows), torch.stack(maps)


def luong_by_hand(model: nn.Module, src: list[int], tgt: list[int]) -> tuple[Tensor, Tensor]:
    config = model.config
    annotations, states = read_by_hand(model, src, config.n_layers)
    attentional = torch.zeros(HIDDEN)
    rows, maps = [], []
    for t, token in enumerate(tgt):
        x = word(model, token)
        if config.input_feeding:
            x = torch.cat((x, attentional))
        h = stack(model.decoder, states, x)
        match config.score:
            case "dot":
                scores = [h @ each for each in annotations]
            case "general":
                scores = [h @ model.general.weight.T @ each for each in annotations]
            case "concat":
                scores = [
                    model.energy.weight[0] @ torch.tanh(model.concat.weight @ torch.cat((h, each)))
                    for each in annotations
                ]
            case "location":
                scores = list((model.location.weight @ h)[: len(src)])
        if config.attention == "global":
            near = range(len(src))
        else:
            centre = min(t, len(src) - 1)
            if config.attention == "local-p":
                inner = torch.tanh(model.predict.weight @ h)
                centre = len(src) * torch.sigmoid(model.centre.weight[0] @ inner)
            near = [s for s in range(len(src)) if abs(s - centre) <= config.window]
        total = sum(scores[s].exp() for s in near)
        weights = torch.zeros(len(src))
        for s in near:
            weights[s] = scores[s].exp() / total
            if config.attention == "local-p":
                weights[s] *= torch.exp(-((s - centre) ** 2) / (2 * (config.window / 2) ** 2))
        c = sum(w * each for w, each in zip(weights, annotations, strict=True))
        attentional = torch.tanh(model.attend.weight @ torch.cat((c, h)))
        rows.append(model.embedding.weight @ (model.output.weight @ attentional))
        maps.append(weights)
    return torch.stack(rows), torch.stack(maps)


def glu(both: Tensor) -> Tensor:
    return torch.nn.functional.glu(both, dim=0)


def convolutional_by_hand(
    model: nn.Module, src: list[int], tgt: list[int]
) -> tuple[Tensor, Tensor]:
    """Gehring et al. 2017, eq. 1 and 2 and sections 3.1 to 3.4, a position at a time."""
    config, half = model.config, math.sqrt(0.5)

    def affine(layer: nn.Linear, x: Tensor) -> Tensor:
        return layer.weight @ x + layer.bias

    def convolved(block: nn.Module, inputs: list[Tensor], left: int) -> list[Tensor]:
        outputs = []
        for i in range(len(inputs)):
            reach = range(i - left, i - left + config.kernel)
            seen = [inputs[j] if 0 <= j < len(inputs) else torch.zeros(HIDDEN) for j in reach]
            raised = glu(affine(block.convolution.linear, torch.cat(seen)))
            outputs.append(half * (raised + inputs[i]))
        return outputs

    def embedded(tokens: list[int], positions: nn.Embedding) -> list[Tensor]:
        return [model.embedding.weight[t] + positions.weight[i] for i, t in enumerate(tokens)]

    e = embedded(src, model.source_positions)
    states = [affine(model.encoder_input, x) for x in e]
    for block in model.encoder_layers:
        states = convolved(block, states, (config.kernel - 1) // 2)
    z = [affine(model.encoder_output, x) for x in states]
    g = embedded(tgt, model.target_positions)
    states, maps = [affine(model.decoder_input, x) for x in g], []
    for block in model.decoder_layers:
        states, rows = convolved(block, states, config.kernel - 1), []
        for i, h in enumerate(states):
            d = half * (affine(block.attention.query, h) + g[i])
            raised = torch.stack([(d @ each).exp() for each in z])
            a = raised / raised.sum()
            c = sum(w * half * (zj + ej) for w, zj, ej in zip(a, z, e, strict=True))
            c = c * len(src) * math.sqrt(1 / len(src))
            states[i] = half * (h + affine(block.attention.output, c))
            rows.append(a)
        maps.append(torch.stack(rows))
    outputs = [model.embedding.weight @ affine(model.decoder_output, h) for h in states]
    return torch.stack(outputs), torch.stack(maps)


BY_HAND = {
    "cho": cho_by_hand,
    "lstm": sutskever_by_hand,
    "lstm-reversed": sutskever_by_hand,
    "bahdanau": bahdanau_by_hand,
    "convolutional": convolutional_by_hand,
    "convolutional-even": convolutional_by_hand,
}


@torch.no_grad()
@pytest.mark.parametrize("name", STEPWISE)
def test_a_model_computes_its_papers_equations(name):
    model = STEPWISE[name]()
    by_hand = BY_HAND.get(name, luong_by_hand)(model, SRC[0].tolist(), TGT[0].tolist())
    logits, maps = by_hand if model.sites else (by_hand, None)
    with capture_attention(model) as captured:
        torch.testing.assert_close(model(SRC, TGT)[0], logits)
    if model.sites:
        found = torch.tensor(captured.weights("cross")[0, :, 0])
        torch.testing.assert_close(found, maps.reshape(found.shape))


# -- outputs, against a list of all of them ---------------------------------------------------


@torch.inference_mode()
def every_output(model: nn.Module, src: Tensor, max_len: int) -> dict[tuple[int, ...], float]:
    """Log P of every finished output of at most `max_len` of six tokens, by teacher forcing."""
    found, eos, bos = {}, model.config.eos_id, model.config.bos_id
    for length in range(1, max_len + 1):
        for ids in product([i for i in range(6) if i != eos], repeat=length - 1):
            out = (*ids, eos)
            rows = model(src, torch.tensor([[bos, *out[:-1]]]))[0].log_softmax(-1)
            found[out] = float(rows[range(len(out)), list(out)].sum())
    return found


@pytest.mark.parametrize("name", ["lstm", "bahdanau", "luong-local-p-general"])
def test_searches_find_the_best_of_all_outputs_and_samples_have_their_probability(name):
    model, src = STEPWISE[name](), torch.tensor([[5, 4, 1, 3]])
    model.embedding = nn.Embedding.from_pretrained(model.embedding.weight[:6].detach())
    every = every_output(model, src, 3)
    best = max(every, key=every.get)
    found = exact_search(model, src, Decoding(max_len=3, alpha=0.0))
    assert found.proven
    assert found.best.ids == best
    assert found.best.cum_log_prob == pytest.approx(every[best], abs=1e-5)
    tree = beam_search(model, src, Decoding(50, 0.0, 3))
    assert tree.hypothesis(tree.best).ids == best
    forced = beam_search(model, src, Decoding(50, 0.0, 3), prefix=(5,))
    best = max((ids for ids in every if ids[0] == 5), key=every.get)
    assert forced.hypothesis(forced.best).ids == best
    drawn = sample_search(model, src, Sampling(12, max_len=3, seed=4))
    for hypothesis in map(drawn.hypothesis, drawn.samples):
        if hypothesis.finished:
            assert hypothesis.cum_log_prob == pytest.approx(every[hypothesis.ids], abs=1e-5)


# -- the rest of their papers -----------------------------------------------------------------


def test_convolutions_begin_with_the_deviations_of_section_3_5():
    torch.manual_seed(0)
    sizes = {"vocab_size": 400, "d_model": 64, "hidden_size": 48, "dropout": 0.2}
    model = convolutional.FAMILY.build(config_from_dict(convolutional.ConvolutionalConfig, sizes))
    block = model.decoder_layers[0]
    expected = {
        block.convolution.linear: math.sqrt(4 * 0.8 / (3 * 48)),
        block.attention.query: math.sqrt(1 / 48),
        block.attention.output: math.sqrt(1 / 64),
        model.embedding: 0.1,
        model.source_positions: 0.1,
    }
    for layer, deviation in expected.items():
        assert float(layer.weight.detach().std()) == pytest.approx(deviation, rel=0.05)
        assert not getattr(layer, "bias", torch.zeros(1)).any()


def test_places_are_read_in_order_and_what_is_left_out_comes_last():
    unread = torch.tensor([[0, 1, 0, 0, 0], [0, 0, 0, 1, 1]]).bool()
    assert reading_order(unread, reverse=False).tolist() == [[0, 2, 3, 4, 1], [0, 1, 2, 3, 4]]
    assert reading_order(unread, reverse=True).tolist() == [[3, 2, 0, 4, 1], [1, 0, 2, 3, 4]]


# -- configs --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ({"window": 0, "n_layers": 0}, r"n_layers is 0.*window is 0"),
        ({"score": "cosine"}, "expected one of 'dot', 'general', 'concat', 'location'"),
        ({"score": "location", "attention": "local-p"}, "attention is 'local-p'"),
        ({"hidden_size": 0}, "hidden_size is 0"),
        ({"dropout": 1.0}, "dropout is 1.0"),
    ],
)
def test_a_config_that_cannot_be_is_refused(entries, told):
    with pytest.raises(CheckpointError, match=told):
        config_from_dict(luong.LuongConfig, SIZES | entries)
