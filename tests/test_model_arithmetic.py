"""Queries, keys and values behind the attention, against sums by hand and torch's own layer.

That the capture keeps to its thread and leaves, test_model_capture.py says of both captures.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from conftest import SENTENCES, make_model

from core.attention import TRANSFORMER_SITES, AttentionRecord
from core.tokens import TokenSequence
from model.attention import MultiHeadAttention
from model.experiments.arithmetic import capture_vectors, vectors_of
from model.experiments.padding import padding_effect

SRC = torch.tensor([[5, 6, 7, 8, 3]])
TGT = torch.tensor([[2, 9, 10, 11]])


@pytest.fixture(scope="module")
def record(tiny_translator):
    return tiny_translator.attend(SENTENCES[0], SENTENCES[1])


@pytest.fixture(scope="module")
def vectors(tiny_translator, record):
    return {entry.kind: entry for entry in vectors_of(tiny_translator, record)}


def layers_of(model):
    return [module for module in model.modules() if isinstance(module, MultiHeadAttention)]


# -- the numbers ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", TRANSFORMER_SITES)
def test_softmax_of_the_vectors_gives_the_captured_weights_of_every_head(vectors, record, kind):
    q, k = (torch.from_numpy(x).double() for x in (vectors[kind].queries, vectors[kind].keys))
    scores = torch.einsum("lhqd,lhkd->lhqk", q, k) / math.sqrt(q.shape[-1])
    if kind == "decoder":
        scores = scores + torch.full(scores.shape[-2:], -torch.inf).triu(1)
    expected = torch.from_numpy(record.of(kind).weights).double()
    torch.testing.assert_close(scores.softmax(dim=-1), expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("kind", TRANSFORMER_SITES)
def test_weights_times_values_through_w_o_give_what_the_sub_layer_gave(kind):
    model = make_model(seed=4)
    heard = {}
    for layer in layers_of(model):
        if layer.probe.kind == kind:
            layer.register_forward_hook(
                lambda module, inputs, output: heard.update({module.probe.layer: output[0]})
            )
    with torch.inference_mode(), capture_vectors(model) as captured:
        model(SRC, TGT)
    found = captured.of(kind)
    for layer, expected in heard.items():
        total = found.out_bias[layer].astype(np.float64)
        d_k = found.queries.shape[-1]
        for head in range(found.queries.shape[1]):
            scores = found.queries[layer, head] @ found.keys[layer, head].T / math.sqrt(d_k)
            if kind == "decoder":
                scores = np.where(np.tri(len(scores), dtype=bool), scores, -np.inf)
            terms = np.exp(scores)
            context = terms / terms.sum(axis=-1, keepdims=True) @ found.values[layer, head]
            block = found.out_weight[layer][:, head * d_k : (head + 1) * d_k]
            total = total + context @ block.T
        np.testing.assert_allclose(total, expected.numpy(), rtol=0, atol=1e-5)
    assert sorted(heard) == [0, 1]


def test_the_first_encoder_layer_agrees_with_torchs_own_multi_head_attention():
    model = make_model(seed=5)
    layer = model.encoder_layers[0].self_attention
    with torch.inference_mode(), capture_vectors(model) as captured:
        x = model.embed(SRC)
        model(SRC, TGT)
        expected, _ = F.multi_head_attention_forward(
            *(x.transpose(0, 1),) * 3, 16, 4, None,
            torch.cat([p.bias for p in (layer.query_proj, layer.key_proj, layer.value_proj)]),
            None, None, False, 0.0, layer.out_proj.weight, layer.out_proj.bias,
            training=False, use_separate_proj_weight=True,
            q_proj_weight=layer.query_proj.weight, k_proj_weight=layer.key_proj.weight,
            v_proj_weight=layer.value_proj.weight,
        )  # fmt: skip
    found = captured.of("encoder")
    q, k, v = (torch.from_numpy(x[0]) for x in (found.queries, found.keys, found.values))
    context = F.scaled_dot_product_attention(q, k, v).transpose(0, 1).flatten(1)
    output = F.linear(
        context, torch.from_numpy(found.out_weight[0]), torch.from_numpy(found.out_bias[0])
    )
    torch.testing.assert_close(output, expected[:, 0], rtol=0, atol=1e-5)


@pytest.mark.parametrize("kind", TRANSFORMER_SITES)
def test_shapes_are_layers_heads_positions_d_k(vectors, record, kind):
    n_tgt, n_src = len(record.tgt), len(record.src)
    n_queries = n_src if kind == "encoder" else n_tgt
    n_keys = n_tgt if kind == "decoder" else n_src
    found = vectors[kind]
    assert found.queries.shape == (2, 4, n_queries, 4)
    assert found.keys.shape == found.values.shape == (2, 4, n_keys, 4)
    assert found.out_weight.shape == (2, 16, 16)
    assert found.out_bias.shape == (2, 16)
    assert {array.dtype for array in (found.queries, found.values, found.out_weight)} == {
        np.dtype("float32")
    }


def test_ids_are_read_as_they_stand_and_not_tokenised_anew(tiny_translator, record):
    renamed = replace(record, src=replace(record.src, text="Something else entirely."))
    found = vectors_of(tiny_translator, renamed)[0].queries
    np.testing.assert_array_equal(found, vectors_of(tiny_translator, record)[0].queries)


def test_a_record_without_a_target_has_the_encoders_vectors_only(tiny_translator, record):
    alone = AttentionRecord(record.src, None, record.maps[:1])
    found = vectors_of(tiny_translator, alone)
    assert [entry.kind for entry in found] == ["encoder"]
    both = vectors_of(tiny_translator, record)[0]
    np.testing.assert_allclose(found[0].keys, both.keys, rtol=0, atol=1e-6)


def test_a_kind_that_did_not_run_is_named(tiny_model):
    with capture_vectors(tiny_model) as captured:
        tiny_model.encode(SRC)
    with pytest.raises(KeyError, match=r"cross.*encoder"):
        captured.of("cross")


# -- padding -------------------------------------------------------------------------------


def test_padding_gets_no_weight_and_changes_the_rest_by_rounding_only(tiny_translator, record):
    effect = padding_effect(tiny_translator, record, n_padding=4)
    assert (effect.n_source, effect.n_target, effect.largest_weight) == (4, 4, 0.0)
    assert effect.largest_change < 1e-5


def test_a_lost_padding_mask_is_noticed(tiny_translator, record, monkeypatch):
    monkeypatch.setattr(type(tiny_translator.model), "source_padding", lambda self, src: None)
    effect = padding_effect(tiny_translator, record)
    assert effect.largest_weight > 0.01
    assert effect.largest_change > 0.01


def test_a_source_as_long_as_the_model_takes_gets_no_padding(tiny_translator, record):
    ids = (5,) * tiny_translator.max_source_len
    longest = TokenSequence("", ids, ("a",) * len(ids), ((0, 0),) * len(ids))
    effect = padding_effect(tiny_translator, replace(record, src=longest))
    assert (effect.n_source, effect.n_target) == (0, 3)
    assert effect.largest_weight == 0.0


def test_padding_needs_a_target(tiny_translator, record):
    with pytest.raises(ValueError, match="target"):
        padding_effect(tiny_translator, AttentionRecord(record.src, None, record.maps[:1]))
