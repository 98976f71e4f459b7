"""Listening at the probes: exact, thread-safe, and gone afterwards."""

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
import torch
from torch import nn

from core.attention import CROSS, TRANSFORMER_SITES
from model.attention import AttentionProbe
from model.capture import capture_attention
from model.experiments.arithmetic import CapturedVectors, capture_vectors
from support.models import hooks

SRC = torch.tensor([[5, 6, 7, 8, 3]])
TGT = torch.tensor([[2, 9, 10, 11]])


def sentence(number):
    """A source and a target of their own length for each number."""
    generator = torch.Generator().manual_seed(number)
    src = torch.randint(4, 23, (1, 3 + number % 5), generator=generator)
    return src, torch.randint(4, 23, (1, 2 + number % 4), generator=generator)


@pytest.fixture(params=[partial(capture_attention, scores=True), capture_vectors])
def capture(request):
    """Opens a capture of weights and scores, or one of queries, keys and values."""
    return request.param


def heard(captured):
    """Every array of a capture."""
    if isinstance(captured, CapturedVectors):
        vectors = [captured.of(kind) for kind in TRANSFORMER_SITES]
        return [array for each in vectors for array in (each.queries, each.keys, each.values)]
    of_site = (captured.weights, captured.scores)
    return [part(kind) for part in of_site for kind in TRANSFORMER_SITES]


def watch(capture, model, src, tgt):
    with torch.inference_mode(), capture(model) as captured:
        logits = model(src, tgt)
    return [logits.numpy(), *heard(captured)]


def same(first, second):
    return all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize("kind", TRANSFORMER_SITES)
def test_softmax_of_the_masked_scores_gives_the_weights(tiny_model, kind):
    with capture_attention(tiny_model, scores=True) as captured:
        tiny_model(SRC, TGT)
    scores = torch.from_numpy(captured.scores(kind))
    assert scores.isfinite().all()
    if kind == "decoder":
        scores = scores + torch.full((4, 4), -torch.inf).triu(1)
    torch.testing.assert_close(torch.from_numpy(captured.weights(kind)), scores.softmax(dim=-1))
    assert not captured.weights("decoder")[..., *np.triu_indices(4, 1)].any()


def test_a_kind_that_did_not_run_and_scores_that_nobody_asked_for_are_named(tiny_model):
    with capture_attention(tiny_model) as captured:
        tiny_model.encode(SRC)
    with pytest.raises(KeyError, match=r"cross.*encoder"):
        captured.weights("cross")
    with pytest.raises(KeyError, match="encoder"):
        captured.scores("encoder")


def test_captured_weights_are_float32_even_from_half_precision(tiny_model):
    with capture_attention(tiny_model) as captured, torch.autocast("cpu", dtype=torch.bfloat16):
        tiny_model(SRC, TGT)
    assert captured.weights("cross").dtype == np.float32


def test_logits_are_the_same_with_and_without_capture(tiny_model, capture):
    alone = tiny_model(SRC, TGT)
    with capture(tiny_model):
        watched = tiny_model(SRC, TGT)
    torch.testing.assert_close(watched, alone, rtol=0, atol=0)


def test_hooks_are_there_inside_the_with_and_gone_after_it_and_after_an_error(tiny_model, capture):
    with capture(tiny_model):
        assert len(hooks(tiny_model)) == (18 if capture is capture_vectors else 7)
        tiny_model(SRC, TGT)
    assert hooks(tiny_model) == []
    with pytest.raises(IndexError), capture(tiny_model):
        tiny_model(torch.tensor([[99]]), TGT)
    assert hooks(tiny_model) == []


def test_a_capture_inside_a_capture_leaves_the_outer_one_listening(tiny_model):
    with capture_attention(tiny_model) as outer:
        with capture_attention(tiny_model):
            tiny_model(SRC, TGT)
        tiny_model(SRC[:, :2], TGT)  # which replaces what was heard before
    assert outer.weights("encoder").shape[-1] == 2


def test_two_threads_do_not_mix(tiny_model, capture):
    both_listen, both_ran = threading.Barrier(2), threading.Barrier(2)

    def work(number):
        with torch.inference_mode(), capture(tiny_model) as captured:
            both_listen.wait(timeout=60)
            tiny_model(*sentence(number))
            both_ran.wait(timeout=60)  # nobody reads before both have run
            return heard(captured)

    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(work, (0, 1)))
    for number, arrays in enumerate(found):
        assert same(arrays, watch(capture, tiny_model, *sentence(number))[1:])


def test_a_thread_that_does_not_capture_is_not_recorded(tiny_model):
    with capture_attention(tiny_model) as captured, ThreadPoolExecutor(1) as other:
        other.submit(tiny_model, SRC, TGT).result(timeout=60)
    assert captured.kinds == ()


class Stepwise(nn.Module):
    """Calls its probe once a query, each time with the next row of what it is given."""

    def __init__(self, one_call):
        super().__init__()
        self.probe = AttentionProbe(CROSS, one_call=one_call)

    def forward(self, rows):
        for row in rows:
            self.probe(row[None, None, None], 2 * row[None, None, None], None)
        return rows


def test_the_steps_of_a_decoder_are_joined_along_the_queries_of_the_last_pass():
    model, rows = Stepwise("step"), torch.rand(5, 3)
    with capture_attention(model, scores=True) as captured:
        model(torch.rand(2, 3))
        model(rows)
    np.testing.assert_array_equal(captured.weights("cross")[0, 0, 0], rows.numpy())
    np.testing.assert_array_equal(captured.scores("cross")[0, 0, 0], 2 * rows.numpy())
    assert captured.n_items("cross") == 1


def test_maps_of_different_lengths_are_items_of_one_site():
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
    assert captured.kinds == ("cross",)
    assert not captured.has_scores("cross")
