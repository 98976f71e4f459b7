"""Whose queries, keys and values are asked for, and what padding changes.

That they are those of the attention, the claims of test_settings.py say of every setting;
that the capture keeps to its thread and leaves, test_capture.py of both captures.
"""

from dataclasses import replace

import numpy as np
import pytest
import torch

from core.attention import AttentionRecord
from core.tokens import TokenSequence
from model.experiments.arithmetic import capture_vectors, vectors_of
from model.experiments.padding import padding_effect

SRC = torch.tensor([[5, 6, 7, 8, 3]])


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
    shorter = padding_effect(tiny_translator, record, n_padding=4)
    assert (shorter.n_source, shorter.n_target, shorter.largest_weight) == (4, 4, 0.0)
    assert shorter.largest_change < 1e-5
    with pytest.raises(ValueError, match="target"):
        padding_effect(tiny_translator, AttentionRecord(record.src, None, record.maps[:1]))
