"""Captures of attention: exact, thread-safe, and gone afterwards."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from torch import nn

from core.records.attention import CROSS, TRANSFORMER_SITES
from model.hooks.capture import capture_attention, maps_of, sides_of
from model.nets.attention import AttentionProbe
from model.search.beam import greedy_search
from model.teacher_forcing import (
    likeliest_outputs,
    output_limits,
    read_ids,
    tensor_of,
    token_log_probs,
)
from support.models import hooks

SRC = torch.tensor([[5, 6, 7, 8, 3]])
TGT = torch.tensor([[2, 9, 10, 11]])
SHORT = SRC[:, :3], TGT[:, :2]


def capture(model):
    """Open a capture of weights and scores."""
    return capture_attention(model, scores=True)


def heard(captured):
    """Every array of a capture."""
    return [
        part(kind) for part in (captured.weights, captured.scores) for kind in TRANSFORMER_SITES
    ]


def test_a_site_that_did_not_run_and_scores_that_nobody_asked_for_are_named(tiny_model):
    with capture(tiny_model) as captured:
        tiny_model.encode(SRC)
    with pytest.raises(KeyError, match=r"cross.*encoder"):
        captured.weights("cross")
    with capture_attention(tiny_model) as captured:
        tiny_model.encode(SRC)
    with pytest.raises(KeyError, match="encoder"):
        captured.scores("encoder")


def test_captured_weights_are_float32_even_from_half_precision(tiny_model):
    with capture_attention(tiny_model) as captured, torch.autocast("cpu", dtype=torch.bfloat16):
        tiny_model(SRC, TGT)
    assert captured.weights("cross").dtype == np.float32


def test_a_capture_changes_nothing_and_its_hooks_go_after_an_error_too(tiny_model):
    alone = tiny_model(SRC, TGT)
    with capture(tiny_model):
        assert len(hooks(tiny_model)) == 7
        watched = tiny_model(SRC, TGT)
    torch.testing.assert_close(watched, alone, rtol=0, atol=0)
    assert hooks(tiny_model) == []
    with pytest.raises(IndexError), capture(tiny_model):
        tiny_model(torch.tensor([[99]]), TGT)
    assert hooks(tiny_model) == []


def test_a_later_pass_replaces_an_earlier_one_and_captures_may_be_nested(tiny_model):
    with capture_attention(tiny_model) as outer:
        with capture_attention(tiny_model):
            tiny_model(SRC, TGT)
        tiny_model(SRC[:, :2], TGT)
    assert outer.weights("encoder").shape[-1] == 2


def test_a_capture_hears_its_own_thread_alone(tiny_model):
    both_listen, both_ran = threading.Barrier(2), threading.Barrier(2)
    inputs = ((SRC, TGT), SHORT)

    def work(number):
        with torch.inference_mode(), capture(tiny_model) as captured:
            both_listen.wait(timeout=60)
            tiny_model(*inputs[number])
            both_ran.wait(timeout=60)  # nobody reads before both have run
            return heard(captured)

    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(work, (0, 1)))
    for each, arrays in zip(inputs, found, strict=True):
        with torch.inference_mode(), capture(tiny_model) as alone:
            tiny_model(*each)
        assert all(map(np.array_equal, arrays, heard(alone)))
    with capture(tiny_model) as captured, ThreadPoolExecutor(1) as other:
        other.submit(tiny_model, SRC, TGT).result(timeout=60)
    assert captured.site_ids == ()


class Stepwise(nn.Module):
    """Calls its probe once a query, each time with the next row of what it is given."""

    def __init__(self, one_call):
        super().__init__()
        self.probe = AttentionProbe(CROSS, one_call=one_call)

    def forward(self, rows):
        for row in rows:
            self.probe(row[None, None, None], 2 * row[None, None, None], None)
        return rows


def test_steps_are_joined_along_the_queries_and_maps_are_items_of_a_site():
    model, rows = Stepwise("step"), torch.rand(5, 3)
    with capture_attention(model, scores=True) as captured:
        model(torch.rand(2, 3))
        model(rows)
    np.testing.assert_array_equal(captured.weights("cross")[0, 0, 0], rows.numpy())
    np.testing.assert_array_equal(captured.scores("cross")[0, 0, 0], 2 * rows.numpy())
    assert captured.n_items("cross") == 1
    model, rows = Stepwise("item"), (torch.rand(4), torch.rand(2))
    with capture_attention(model) as captured:
        model(rows)
    assert captured.n_items("cross") == 2
    for item, row in enumerate(rows):
        found = captured.weights("cross", item)
        np.testing.assert_array_equal(found, row.numpy()[None, None, None, None])
    with pytest.raises(KeyError, match="item 2"):
        captured.weights("cross", 2)


def test_a_probe_without_scores_has_none():
    model = nn.Sequential()
    model.probe = AttentionProbe(CROSS)
    with capture_attention(model, scores=True) as captured:
        model.probe(torch.ones(1, 1, 2, 2), None, None)
    assert captured.site_ids == ("cross",)
    assert not captured.has_scores("cross")


# -- reading known tokens, and following the likeliest -----------------------------------------


def test_a_decoder_reads_all_but_the_last_token_and_is_scored_row_by_row(tiny_model):
    bos_id = tiny_model.config.bos_id
    assert read_ids(tiny_model.config, (7, 8, 9)) == (bos_id, 7, 8)
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
    for ids in ((5, 7, 9, 3), (11, 12, 6, 6, 8, 3)):
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
