"""Order and position: what the encoder makes of permuted tokens, and which heads follow places."""

import math

import numpy as np
import pytest
import torch
from conftest import SENTENCES, make_model
from hypothesis import given, settings
from hypothesis import strategies as st

from core.attention import TRANSFORMER_SITES
from core.changes import AblatedHead, OverriddenRow, Positions
from core.intervention import Intervention
from core.tokens import TokenSequence
from model import InputError
from model.capture import listening
from model.experiments.order import (
    chance_overlap,
    encoder_outputs,
    equivariance,
    overlap,
    position_heads,
    reorder,
    replaced_words,
    rows_without_choice,
)

BOTH_ABSENT = Intervention(Positions("absent"), Positions("absent", side="target"))
IDS = torch.tensor([[5, 6, 7, 6, 3]])


@pytest.fixture(scope="module")
def src(tiny_translator):
    return tiny_translator.tokenize(SENTENCES[0])


@pytest.fixture(scope="module")
def tgt(tiny_translator):
    return tiny_translator.tokenize(SENTENCES[1])


@pytest.fixture(scope="module")
def found(tiny_translator, src, tgt):
    return position_heads(tiny_translator, src, tgt, n_others=3)


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


# Overlap


def test_overlap_by_hand():
    first = np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]])
    second = np.array([[0.2, 0.5, 0.3], [0.0, 0.0, 1.0]])
    # Row 1 shares 0.2 + 0.5, row 2 nothing.
    assert overlap(first, second) == pytest.approx((0.7 + 0.0) / 2)
    assert overlap(first, second, skip=1) == pytest.approx(0.0)
    assert overlap(first, first) == 1.0
    assert np.isnan(overlap(np.ones((1, 1)), np.ones((1, 1)), skip=1))


def test_chance_is_the_mean_over_pairs_by_hand():
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
    weights = rows[None, :, None, :]  # one layer, three heads, one row
    assert chance_overlap(weights) == pytest.approx((0.0 + 0.5 + 0.5) / 3)
    assert math.isnan(chance_overlap(weights[:, :1]))


# Other words


def test_special_tokens_stay_and_words_go():
    generator = np.random.default_rng(0)
    drawn = replaced_words((7, 8, 9, 3), (False, False, False, True), (7, 8, 9, 10), generator)
    assert drawn[3] == 3
    assert all(new != old for new, old in zip(drawn, (7, 8, 9), strict=False))
    drawn = replaced_words((7,) * 20, (False,) * 20, (7, 50, 51), generator)
    assert set(drawn) == {50, 51}
    with pytest.raises(ValueError, match="two ids or more"):
        replaced_words((7,), (False,), (7, 7), generator)


def test_other_pairs_are_words_of_the_lengths_of_the_pair_and_few_are_shown(found, src, tgt):
    assert {(len(s), len(t)) for s, t in found.others} == {(len(src), len(tgt))}
    assert {s.ids[-1] for s, _ in found.others} == {src.ids[-1]}
    pieces = {t for s, _ in found.others for t in s.tokens[:-1]}
    assert all(piece.startswith("▁") and piece[1:].isalpha() for piece in pieces)
    assert (len(found.others), len(found.shown)) == (3, 2)
    assert found.shown[1].src.ids == found.others[1][0].ids


def test_the_same_seed_draws_the_same_words(tiny_translator, src, tgt):
    seeds = [
        [s.ids for s, _ in position_heads(tiny_translator, src, tgt, n_others=2, seed=n).others]
        for n in (1, 1, 2)
    ]
    assert seeds[0] == seeds[1] != seeds[2]


# Heads that follow position


@pytest.mark.parametrize("kind", TRANSFORMER_SITES)
@pytest.mark.parametrize(("run", "change"), [("plain", None), ("absent", BOTH_ABSENT)])
def test_maps_are_those_of_teacher_forcing(found, tiny_translator, src, tgt, kind, run, change):
    record, _ = tiny_translator.read_again(src, tgt, change)
    weights = getattr(found, run).of(kind).weights
    np.testing.assert_allclose(weights, record.of(kind).weights, atol=1e-6)


@pytest.mark.parametrize("kind", TRANSFORMER_SITES)
def test_overlap_with_other_words_equals_a_run_of_its_own(found, tiny_translator, kind):
    record, _ = tiny_translator.read_again(*found.others[1])
    skip = rows_without_choice(TRANSFORMER_SITES[kind])
    expected = overlap(found.plain.of(kind).weights, record.of(kind).weights, skip=skip)
    np.testing.assert_allclose(found.other_words[kind][1], expected, atol=1e-5)


@pytest.mark.parametrize("kind", TRANSFORMER_SITES)
def test_an_even_head_and_no_other_survives_everything(found, tiny_translator, src, tgt, kind):
    even = Intervention(AblatedHead(kind, 1, 2, "uniform"))
    changed = position_heads(tiny_translator, src, tgt, n_others=2, intervention=even)
    np.testing.assert_allclose(changed.other_words[kind][:, 1, 2], 1.0, atol=1e-6)
    assert changed.without_positions[kind][1, 2] == pytest.approx(1.0)
    assert found.other_words[kind].max() < 0.999


def test_a_head_that_looks_at_the_previous_token_is_told_by_its_map(tiny_translator, src, tgt):
    n = len(src)
    rows = tuple(
        OverriddenRow(
            "encoder", 0, 0, query, tuple(float(k == max(query - 1, 0)) for k in range(n))
        )
        for query in range(n)
    )
    found = position_heads(tiny_translator, src, tgt, n_others=2, intervention=Intervention(*rows))
    np.testing.assert_allclose(found.other_words["encoder"][:, 0, 0], 1.0)
    assert found.sharpness["encoder"][0, 0] == 1.0


def test_the_row_of_the_decoder_that_sees_itself_alone_does_not_count(found):
    alone = found.plain.decoder.weights[:, :, 0, 0]
    np.testing.assert_allclose(alone, 1.0)
    expected = overlap(
        found.plain.decoder.weights[..., 1:, :], found.absent.decoder.weights[..., 1:, :]
    )
    np.testing.assert_allclose(found.without_positions["decoder"], expected)


def test_a_target_of_one_token_says_nothing_of_the_decoder(tiny_translator, src):
    end = tiny_translator.tokenize("")
    assert len(end) == 1
    found = position_heads(tiny_translator, src, end, n_others=2)
    assert np.isnan(found.without_positions["decoder"]).all()
    assert np.isfinite(found.other_words["cross"]).all()
