"""Order and position: the encoder on permuted tokens, exact to rounding."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.tokens import TokenSequence
from model import InputError
from model.capture import listening
from model.experiments.order import (
    encoder_outputs,
    equivariance,
    reorder,
)
from support.models import SENTENCES, make_model

IDS = torch.tensor([[5, 6, 7, 6, 3]])


@pytest.fixture(scope="module")
def src(tiny_translator):
    return tiny_translator.tokenize(SENTENCES[0])


def reversed_words(n):
    """The order with everything but the last turned round."""
    return (*range(n - 1)[::-1], n - 1)


# The layers of the encoder


def test_outputs_begin_with_the_embedding_and_end_with_the_memory(tiny_model):
    with torch.inference_mode():
        ends = torch.stack((tiny_model.embed(IDS), tiny_model.encode(IDS)))
    torch.testing.assert_close(encoder_outputs(tiny_model, IDS)[[0, -1]], ends, rtol=0, atol=0)


@pytest.mark.parametrize("positions", [True, False])
def test_float64_agrees_with_float32_but_for_rounding_and_inherits_no_hooks(tiny_model, positions):
    single, double = (
        encoder_outputs(tiny_model, IDS, positions=positions, double=double)
        for double in (False, True)
    )
    assert double.dtype == torch.float64
    torch.testing.assert_close(single.double(), double, rtol=1e-4, atol=1e-5)
    assert {p.dtype for p in tiny_model.parameters()} == {torch.float32}
    spoil = dict.fromkeys(tiny_model.encoder_layers, lambda _module, _inputs, output: output * 0)
    with listening(spoil):
        hooked = encoder_outputs(tiny_model, IDS, positions=positions, double=True)
    torch.testing.assert_close(hooked, double, rtol=0, atol=0)


# Two orders


def test_without_positions_every_token_keeps_its_vector_and_with_them_none_does(
    tiny_translator, src
):
    without, found = (
        reorder(tiny_translator, src, reversed_words(len(src)), positions=positions)
        for positions in (False, True)
    )
    assert not without.distances[0].any()  # the embeddings, bit for bit
    assert without.distances.max() < 1e-5
    record = tiny_translator.attend(SENTENCES[0], SENTENCES[1])
    np.testing.assert_allclose(found.attention[0], record.encoder.weights, atol=1e-6)
    assert found.distances[0, -1] == 0.0  # the embedding of the one that stays
    assert found.distances[1:, 0].min() > 0.1
    first, second = (found.vectors[side, 2, 1].astype(float) for side in (0, 1))
    assert found.distances[2, 1] == pytest.approx(math.dist(first, second))
    cosine = first @ second / math.sqrt(first @ first) / math.sqrt(second @ second)
    assert found.cosines[2, 1] == pytest.approx(cosine)


@pytest.mark.parametrize("order", [(0, 1), (0, 0, 1, 2), (1, 2, 3, 4)])
def test_what_is_no_permutation_or_too_long_is_refused(tiny_translator, order):
    four = TokenSequence("", (5, 6, 7, 3), ("a", "b", "c", "</s>"), ((0, 0),) * 4)
    with pytest.raises(ValueError, match="each of 0 to 3 once"):
        reorder(tiny_translator, four, order, positions=True)
    long = tiny_translator.tokenize("a " * 200)
    with pytest.raises(InputError, match="takes at most 160"):
        reorder(tiny_translator, long, range(len(long)), positions=False)


# Permutation equivariance


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(9)), st.integers(0, 3))
def test_the_encoder_without_positions_commutes_with_every_permutation(order, seed):
    model = make_model(seed)
    ids = torch.arange(4, 13)
    plain, moved = (
        encoder_outputs(model, given[None], positions=False, double=True)[-1, 0]
        for given in (ids, ids[list(order)])
    )
    torch.testing.assert_close(moved, plain[list(order)], rtol=1e-12, atol=1e-12)


def test_equivariance_holds_to_machine_precision_of_the_same_permutations(tiny_translator, src):
    entries = equivariance(tiny_translator, src, n_orders=3, seed=5)
    found = {(e.positions, e.bits): e for e in entries}
    assert found[False, 32].differences.max() < 1e-5
    assert found[False, 64].differences.max() < 1e-13
    assert found[True, 32].differences.min() > 0.1
    assert found[True, 64].differences.min() > 0.1
    assert len({entry.orders for entry in entries}) == 1
    assert any(order[-1] != len(src) - 1 for order in entries[0].orders)  # the end sign moves too
    other = equivariance(tiny_translator, src, n_orders=3, seed=6)
    assert entries[0].orders != other[0].orders
