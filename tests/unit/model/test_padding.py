"""Two sentences in one padded batch against each alone, and what padding changes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from core.records.attention import AttentionRecord
from core.records.search import Decoding
from core.records.sources import TokenSequence
from model import InputError
from model.experiments.padding import greedy_batch, padded_pair, padding_effect, target_masks
from model.nets.attention import causal_mask

LONG = "The animal didn't cross the street because it was too tired."
SHORT = "A dog runs."


@pytest.fixture(scope="module")
def pair(tiny_translator):
    return padded_pair(tiny_translator, tiny_translator.tokenize(LONG), SHORT)


def test_the_shorter_sentence_is_the_padded_one(pair, tiny_translator):
    long, short = map(tiny_translator.tokenize, (LONG, SHORT))
    missing = len(long) - len(short)
    assert (pair.shorter, [run.n_padding for run in pair.masked]) == (1, [0, missing])
    turned = padded_pair(tiny_translator, short, LONG)
    assert (turned.shorter, [run.n_padding for run in turned.masked]) == (0, [missing, 0])
    equal = padded_pair(tiny_translator, short, SHORT)
    assert equal.shorter is None
    assert [run.n_padding for run in (*equal.masked, *equal.unmasked)] == [0] * 4


@pytest.mark.parametrize(("item", "text"), [(0, LONG), (1, SHORT)])
def test_log_probs_and_outputs_alone_and_with_the_mask_are_those_of_the_translator(
    pair, tiny_translator, item, text
):
    record = pair.alone[item].attention
    expected = tiny_translator.teacher_force(record.src, record.tgt)[1]
    greedy = tiny_translator.translate(text, Decoding(beam_size=1, alpha=0.0)).tgt
    for run in (pair.alone[item], pair.masked[item]):
        np.testing.assert_allclose(run.log_probs, expected, atol=1e-5, rtol=0)
        assert run.output.ids == greedy.ids
    apart = np.abs(pair.unmasked[item].log_probs - pair.alone[item].log_probs).max()
    assert apart > 1e-3 if item else apart < 1e-5


@pytest.mark.parametrize("kind", ["encoder", "cross"])
def test_only_the_mask_keeps_weights_off_the_padding(pair, kind):
    alone, masked = (runs[1].attention.of(kind).weights for runs in (pair.alone, pair.masked))
    run, n = pair.masked[1], alone.shape[-1]
    np.testing.assert_allclose(masked[..., :n], alone, atol=1e-5)
    assert masked[..., n:].size
    assert not masked[..., n:].any()
    mask = run.attention.encoder.mask
    assert not mask[:, -run.n_padding :].any()
    assert mask[:, : -run.n_padding].all()
    padded = [run for run in pair.masked if run.n_target_padding]
    assert padded
    assert not any(run.on_padding("decoder").any() for run in padded)
    bare = pair.unmasked[1]
    weights = bare.attention.of(kind)
    assert (bare.on_padding(kind) > 0).all()
    np.testing.assert_allclose(
        bare.on_padding(kind), 1 - weights.weights[..., :n].sum(-1), atol=1e-6
    )
    assert weights.key_tokens[:n] == bare.attention.src.tokens
    assert set(weights.key_tokens[n:]) == {"<pad>"}
    assert bare.attention.encoder.mask is None


@pytest.mark.parametrize(
    ("text", "found"), [("   ", "Sentence 2"), ("a " * 400, "takes at most 160")]
)
def test_a_second_sentence_that_cannot_be_read_is_refused(tiny_translator, text, found):
    with pytest.raises(InputError, match=found):
        padded_pair(tiny_translator, tiny_translator.tokenize(SHORT), text)


def test_greedy_batch_ends_at_the_end_sign_or_its_limit(tiny_model):
    src, found = torch.tensor([[5, 6, 7], [8, 9, 0]]), []
    for scale in (100, -1):  # by one of the signs </s> has by far the largest logit
        with torch.no_grad():
            tiny_model.embedding.weight[3] *= scale
        longer = greedy_batch(tiny_model, src, src == 0, [6, 6])
        limited = greedy_batch(tiny_model, src, src == 0, [6, 2])
        assert limited == [longer[0], longer[1][:2]]
        found += longer
    assert any(len(ids) < 6 for ids in found)
    for ids in found:
        assert len(ids) == 6 or ids[-1] == 3
        assert 3 not in ids[:-1]


def test_the_target_mask_is_causal_and_hides_padding():
    causal, padding, both = target_masks(3, 2)
    assert_close(torch.tensor(causal), causal_mask(5))
    assert padding.tolist() == [[True] * 3 + [False] * 2] * 5
    assert both.tolist() == [[k <= q and k < 3 for k in range(5)] for q in range(5)]


def test_padding_has_no_effect_unless_its_mask_is_lost(tiny_translator, record, monkeypatch):
    effect = padding_effect(tiny_translator, record, n_padding=4)
    assert (effect.n_source, effect.n_target, effect.largest_weight) == (4, 4, 0.0)
    assert effect.largest_change < 1e-5
    ids = (5,) * tiny_translator.max_source_len
    longest = TokenSequence("", ids, ("a",) * len(ids), ((0, 0),) * len(ids))
    full = padding_effect(tiny_translator, replace(record, src=longest))
    assert (full.n_source, full.n_target, full.largest_weight) == (0, 3, 0.0)
    with pytest.raises(ValueError, match="target"):
        padding_effect(tiny_translator, AttentionRecord(record.src, None, record.maps[:1]))
    monkeypatch.setattr(type(tiny_translator.model), "source_padding", lambda self, src: None)
    lost = padding_effect(tiny_translator, record)
    assert lost.largest_weight > 0.01
    assert lost.largest_change > 0.01
