"""Two sentences in one padded batch, against each of them alone."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from core.search import Decoding
from model import InputError
from model.attention import causal_mask
from model.experiments.padding import greedy_batch, padded_pair, target_masks

LONG = "The animal didn't cross the street because it was too tired."
SHORT = "A dog runs."


@pytest.fixture(scope="module")
def pair(tiny_translator):
    return padded_pair(tiny_translator, tiny_translator.tokenize(LONG), SHORT)


def test_the_shorter_sentence_is_the_padded_one(pair, tiny_translator):
    missing = len(tiny_translator.tokenize(LONG)) - len(tiny_translator.tokenize(SHORT))
    assert missing > 0
    assert pair.shorter == 1
    assert [run.n_padding for run in pair.masked] == [0, missing]
    turned = padded_pair(tiny_translator, tiny_translator.tokenize(SHORT), LONG)
    assert turned.shorter == 0
    assert [run.n_padding for run in turned.masked] == [missing, 0]
    equal = padded_pair(tiny_translator, tiny_translator.tokenize(SHORT), SHORT)
    assert equal.shorter is None
    assert [run.n_padding for run in (*equal.masked, *equal.unmasked)] == [0] * 4


@pytest.mark.parametrize("item", [0, 1])
def test_log_probs_alone_and_with_the_mask_are_those_of_the_translator(pair, tiny_translator, item):
    record = pair.alone[item].attention
    expected = tiny_translator.read_again(record.src, record.tgt)[1]
    for run in (pair.alone[item], pair.masked[item]):
        np.testing.assert_allclose(run.log_probs, expected, atol=1e-5, rtol=0)


def test_without_the_mask_the_padded_sentence_changes_and_the_longer_does_not(pair):
    longer, padded = (
        np.abs(unmasked.log_probs - alone.log_probs).max()
        for unmasked, alone in zip(pair.unmasked, pair.alone, strict=True)
    )
    assert longer < 1e-5
    assert padded > 1e-3


@pytest.mark.parametrize(("item", "text"), [(0, LONG), (1, SHORT)])
def test_with_the_mask_the_output_is_the_greedy_one(pair, tiny_translator, item, text):
    greedy = tiny_translator.translate(text, Decoding(beam_size=1, alpha=0.0)).tgt
    assert pair.alone[item].output.ids == greedy.ids
    assert pair.masked[item].output.ids == greedy.ids


@pytest.mark.parametrize("kind", ["encoder", "cross"])
def test_with_the_mask_weights_on_padding_are_zero_and_the_rest_those_alone(pair, kind):
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


@pytest.mark.parametrize("kind", ["encoder", "cross"])
def test_without_the_mask_every_row_looks_at_padding_with_what_real_tokens_lack(pair, kind):
    run, record = pair.unmasked[1], pair.unmasked[1].attention
    assert (run.on_padding(kind) > 0).all()
    real = record.of(kind).weights[..., : len(record.src)].sum(-1)
    np.testing.assert_allclose(run.on_padding(kind), 1 - real, atol=1e-6)
    keys = record.of(kind).key_tokens
    assert keys[: len(record.src)] == record.src.tokens
    assert set(keys[len(record.src) :]) == {"<pad>"}
    assert record.encoder.mask is None


@pytest.mark.parametrize(
    ("text", "found"),
    [("", "Sentence 2"), ("   ", "Sentence 2"), ("a " * 400, "takes at most 160")],
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


def test_joined_target_mask_is_both_at_once():
    causal, padding, both = target_masks(3, 2)
    assert_close(torch.tensor(causal), causal_mask(5))
    assert padding.tolist() == [[True] * 3 + [False] * 2] * 5
    for q in range(5):
        for k in range(5):
            assert both[q, k] == (k <= q and k < 3)
