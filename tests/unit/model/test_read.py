"""Reading what is known already, and following the likeliest token."""

from __future__ import annotations

import pytest
import torch

from model.capture import capture_attention
from model.read import (
    likeliest_outputs,
    maps_of,
    output_limits,
    read_ids,
    sides_of,
    tensor_of,
    token_log_probs,
)
from model.search import greedy_search

SOURCES = ((5, 7, 9, 3), (11, 12, 6, 6, 8, 3))


def test_a_decoder_reads_the_beginning_sign_and_all_but_the_last(tiny_model):
    bos_id = tiny_model.config.bos_id
    assert read_ids(tiny_model.config, (7, 8, 9)) == (bos_id, 7, 8)
    assert read_ids(tiny_model.config, (7,)) == (bos_id,)


def test_log_probs_of_tokens_are_picked_row_by_row():
    logits = torch.tensor([[0.0, 1.0, 2.0], [3.0, 0.0, 0.0]])
    expected = [logits[0].log_softmax(-1)[2], logits[1].log_softmax(-1)[1]]
    torch.testing.assert_close(token_log_probs(logits, (2, 1)), torch.stack(expected))
    batch = torch.stack((logits, logits.flip(0)))
    assert token_log_probs(batch, (2, 1)).shape == (2, 2)


@pytest.mark.parametrize(
    ("asked", "limits"),
    [
        ({"n_src": 5}, (0, 20)),
        ({"n_src": 5, "n_prefix": 30}, (0, 40)),
        ({"n_src": 5, "min_len": 25}, (25, 25)),
        ({"n_src": 5, "max_len": 7, "min_len": 9}, (7, 7)),
        ({"n_src": 50}, (0, 64)),
    ],
)
def test_limits_of_an_output(asked, limits):
    assert output_limits(64, **asked) == limits


def test_the_likeliest_outputs_of_a_batch_are_those_of_greedy_search(tiny_model):
    for ids in SOURCES:
        src = tensor_of(tiny_model, ids)
        for max_len in (1, 6, 20):
            tree = greedy_search(tiny_model, src, max_len=max_len)
            (found,) = likeliest_outputs(tiny_model, src, [max_len])
            assert found == tree.hypothesis(tree.best).ids
        assert likeliest_outputs(tiny_model, src, [0]) == [()]


def test_a_map_whose_sides_have_other_lengths_is_refused(tiny_translator):
    model, pieces = tiny_translator.model, tiny_translator.tokenize("A dog runs.")
    ids = tensor_of(model, pieces.ids)
    with capture_attention(model) as captured:
        model(ids, ids)
    with pytest.raises(ValueError, match="tokens are"):
        maps_of(captured, model.sites, sides_of(pieces, ("<s>", "too", "few")))
