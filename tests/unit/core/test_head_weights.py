"""Weights in 8 and 16 bits: the error that is said, and reading them like an array."""

from __future__ import annotations

import io
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.files import attention_npz, map_npz
from core.recorded import as_map, map_of_weights
from core.records.attention import AttentionRecord
from core.records.head_weights import (
    StoredWeights,
    bound_of_codes,
    rounding_of_sums,
    row_sums,
    stored,
)
from core.records.sources import TokenSequence
from core.spelling import spelt
from core.weights.aggregate import COMBINATIONS, combine, rollout
from core.weights.checks import self_check
from core.weights.groups import sentence_groups
from core.weights.links import links
from core.weights.measures import badge_numbers, badges_of, largest_of_rows, pair_weights
from core.weights.pooling import merged, thumbnails
from core.weights.row_heads import row_of_heads
from core.weights.transform import cut_out, groups_for, regroup, window_around

FORMS = ("float16", "uint8")
TEXT = ["<s>", "▁A", "▁d", "og", "▁sle", "eps", ".", "▁It", "▁snor", "es", "!", "</s>"]


def softmax(shape: tuple[int, ...], seed: int = 0, heat: float = 3.0) -> np.ndarray:
    """Weights with a sink and with rows from sharp to nearly even, in float32."""
    scores = np.random.default_rng(seed).normal(size=shape) * heat
    scores[..., -1] += 2
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (weights / weights.sum(axis=-1, keepdims=True)).astype(np.float32)


def two_maps(storage: str, n_layers: int = 2, n_heads: int = 3):
    """The same decoded weights as an array and as they are stored."""
    held = stored(softmax((n_layers, n_heads, len(TEXT), len(TEXT))), storage)
    whole = as_map(np.asarray(held), TEXT)
    return replace(whole, site=replace(whole.site, normalised=True)), replace(
        whole, site=replace(whole.site, normalised=True), weights=held
    )


@pytest.mark.parametrize("storage", FORMS)
@given(
    arrays.arrays(
        np.float32, (1, 2, 3, 9), elements=st.floats(0, 1, width=32, allow_subnormal=False)
    )
)
def test_the_error_that_is_said_is_the_one_measured_and_within_its_bound(storage, weights):
    held = stored(weights, storage)
    errors = np.abs(np.asarray(held, np.float64) - weights)
    assert held.error == pytest.approx(errors.max(), rel=1e-6, abs=1e-9)
    # float32 of the scale and of the squares: three roundings of 2 ** -24.
    assert errors.max() <= held.error_bound + 3 * 2.0**-24
    if storage == "uint8":
        largest = weights.max(axis=-1, keepdims=True)
        assert (errors <= bound_of_codes(1.0) * largest + 3 * 2.0**-24).all()


def test_the_bounds_are_reached():
    # Halfway between the two float16 above one half, and halfway between two roots of 8 bits.
    weights = np.array([[[[0.5 + 2.0**-12, 0], [1, (254.5 / 255) ** 2]]]], np.float32)
    assert stored(weights[:, :, :1], "float16").error == 2.0**-12
    assert stored(weights[:, :, 1:], "uint8").error == pytest.approx(bound_of_codes(1), rel=2e-3)
    assert bound_of_codes(1) == pytest.approx(1 - (509 / 510) ** 2)


@pytest.mark.parametrize("storage", FORMS)
def test_rows_sum_to_one_within_the_rounding_that_is_allowed(storage):
    for n_keys, heat in ((8, 1), (128, 3), (512, 0.3), (512, 3)):
        weights = softmax((1, 2, 16, n_keys), heat=heat)
        held = stored(weights, storage)
        furthest = np.abs(row_sums(held) - row_sums(weights)).max(axis=-1)
        assert (furthest <= rounding_of_sums(held) + 1e-6).all()
        assert map_of_weights(
            "cross", held, ("t", "s"), ("a",) * 16, ("b",) * n_keys
        ).site.normalised


def test_small_weights_of_long_rows_survive_eight_bits():
    # In equal steps of the largest weight, all 511 small ones would become 0.
    row = np.full((1, 1, 1, 512), 0.5 / 511, np.float32)
    row[..., 0] = 0.5
    held = stored(row, "uint8")
    assert row_sums(held)[0, 0, 0] == pytest.approx(1, abs=0.03)


INDICES = (
    np.s_[0, 1],
    np.s_[1],
    np.s_[0:1],
    np.s_[:, :, [1, 2]],
    np.s_[..., [1, 2]],
    np.s_[1, [0, 2]],
    np.s_[0, 1, 2, 3],
    np.ix_([0, 1], [2]),
    np.s_[:, :, 2],
    np.s_[1, :, 3],
    np.s_[1, 2, 0:2, 1:],
    np.s_[...],
)


@pytest.mark.parametrize("storage", FORMS)
def test_an_index_reads_the_cells_that_it_reads_of_an_array(storage):
    held = stored(softmax((2, 3, 5, 7)), storage)
    whole = np.asarray(held)
    for index in INDICES:
        assert np.array_equal(held[index], whole[index])
    for axis in (None, -1, -2, 0, 1, (0, 1)):
        np.testing.assert_allclose(held.mean(axis), whole.mean(axis), rtol=1e-5)
    np.testing.assert_allclose(held.sum(axis=-1, keepdims=True), whole.sum(-1, keepdims=True))
    assert (held.max(), held.min(), held.size) == (whole.max(), whole.min(), whole.size)
    assert np.array_equal(held * 2, whole * 2)
    with pytest.raises(IndexError):
        held[0, 0, 0, 0, 0]


@pytest.mark.parametrize("storage", FORMS)
def test_numbers_of_stored_weights_are_those_of_the_array(storage):
    whole, held = two_maps(storage)
    numbers = badge_numbers(held)
    assert {badge.name for badge in badges_of(whole)} == numbers.keys()
    for badge in badges_of(whole):
        np.testing.assert_allclose(numbers[badge.name], badge.of(whole), rtol=1e-5)
    np.testing.assert_allclose(
        pair_weights(held, (1, 2), (3,)), pair_weights(whole, (1, 2), (3,)), rtol=1e-6
    )
    for combination in COMBINATIONS:
        for layer in (None, 1):
            np.testing.assert_allclose(
                combine(held, combination, layer).weights,
                combine(whole, combination, layer).weights,
                atol=1e-6,
            )
    of = [AttentionRecord(spelt(TEXT).sequence, None, (each,)) for each in (whole, held)]
    rolled = [rollout(record, "encoder").attention.weights for record in of]
    np.testing.assert_allclose(*rolled, atol=1e-6)
    assert np.array_equal(links(held, 1).weight, links(whole, 1).weight)
    assert np.array_equal(row_of_heads(held, 2).weights, row_of_heads(whole, 2).weights)
    assert all(check.passed for check in self_check(held))


@dataclass(frozen=True)
class SlowName:
    """Name of a result at which other threads get their turn."""

    n: int

    def __hash__(self) -> int:
        time.sleep(1e-5)
        return self.n


def test_threads_keep_more_results_than_there_is_room_for():
    held = two_maps("uint8")[1].weights

    def keep(thread: int) -> None:
        for n in np.random.default_rng(thread).integers(60, size=400).tolist():
            assert held.kept(SlowName(n), lambda n=n: n) == n

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(keep, range(6)))
    assert len(held._kept) < 60


def test_kept_results_are_counted_with_those_of_weights_made_of_them(monkeypatch):
    held = stored(softmax((2, 3, 12, 12)), "uint8")
    before = held.nbytes
    held.kept("sums", lambda: np.zeros((2, 3, 12)))
    monkeypatch.setattr("core.weights.pooling.MOST_AT_ONCE", 0)
    pairs = [(i, i + 1) for i in range(0, 12, 2)]
    joined = merged(held, pairs, pairs)
    joined.kept("parts", lambda: (np.zeros(5), [np.zeros(7, np.float32)]))
    assert held.kept_bytes == 2 * 3 * 12 * 8 + 5 * 8 + 7 * 4
    held.drop_kept()
    assert (held.kept_bytes, held.nbytes) == (0, before)


def test_the_oldest_results_leave_when_they_take_too_many_bytes(monkeypatch):
    monkeypatch.setattr("core.records.head_weights._MOST_KEPT_BYTES", 100)
    held = stored(softmax((1, 1, 2, 2)), "uint8")
    for name in "abc":
        held.kept(name, lambda: np.zeros(6))
    assert held.kept_bytes == 2 * 48
    assert held.kept("c", lambda: None) is not None
    assert held.kept("a", lambda: "anew") == "anew"
    assert held.kept("large", lambda: np.zeros(99)).nbytes == held.kept_bytes


def test_maps_of_the_same_weights_have_numbers_of_their_own():
    held = two_maps("uint8")[1]
    unmasked = replace(held, mask=None)
    renamed = [f"piece {n}" for n in range(len(TEXT))]
    # Special tokens are no longer among the columns, and rows are other tokens.
    others = replace(unmasked, query_tokens=tuple(TEXT[::-1]), key_tokens=tuple(renamed))
    causal = replace(held, mask=np.tri(len(TEXT), dtype=bool))
    for attention in (unmasked, others, causal):
        whole = replace(attention, weights=np.asarray(held.weights))
        assert badge_numbers(attention).keys() == {badge.name for badge in badges_of(whole)}
        for badge in badges_of(whole):
            numbers = badge_numbers(attention)[badge.name]
            np.testing.assert_allclose(numbers, badge.of(whole), rtol=1e-5)
        # The rule of the mask comes last; rows of the array are not excused by its storage.
        of_mask = [check.passed for check in self_check(attention)[3:]]
        assert of_mask == [check.passed for check in self_check(whole)[3:]]


@pytest.mark.parametrize("axis", [None, -1, 1])
@pytest.mark.parametrize("function", [np.sum, np.mean, np.max, np.min, np.argmax])
def test_functions_of_numpy_take_stored_weights(function, axis):
    whole, held = two_maps("uint8")
    expected = function(whole.weights, axis=axis)
    np.testing.assert_allclose(function(held.weights, axis=axis), expected, rtol=1e-5)


@pytest.mark.parametrize("special", ["show", "hide", "renormalise"])
@pytest.mark.parametrize("at_once", [0, 10**6])
def test_merged_heads_are_those_of_the_merged_array(special, at_once, monkeypatch):
    monkeypatch.setattr("core.weights.pooling.MOST_AT_ONCE", at_once)
    whole, held = two_maps("uint8")
    record = AttentionRecord(spelt(TEXT).sequence, None, (whole,))
    for grouped in (None, sentence_groups):
        rows, columns = groups_for(record, "encoder", produced=False, grouped=grouped)
        options = {"query_groups": rows, "key_groups": columns, "special": special}
        array, lazy = (regroup(each, **options) for each in (whole, held))
        assert array.attention.key_tokens == lazy.attention.key_tokens
        np.testing.assert_allclose(lazy.attention.weights[:], array.attention.weights, atol=1e-6)
        assert lazy.hidden_mass == pytest.approx(array.hidden_mass, abs=1e-6)
        assert lazy.empty_rows == array.empty_rows
        assert isinstance(lazy.attention.weights, np.ndarray) == bool(at_once)


def test_numbers_of_many_rows_are_read_head_by_head():
    weights = softmax((6, 6, 64, 64))
    whole = as_map(weights, TEXT[:1] * 64)
    held = replace(whole, weights=stored(weights, "float16"))
    rows = range(3, 64)
    expected = [weights[:, :, rows].mean(2).max(-1), weights[:, :, rows, :9].sum(-1).mean(-1)]
    for each in (whole, held):
        tracemalloc.start()
        numbers = [largest_of_rows(each, rows), pair_weights(each, rows, range(9))]
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        np.testing.assert_allclose(numbers, expected, atol=1e-3)
    assert peak < 8 * weights[0, 0].nbytes


@pytest.mark.parametrize("at_once", [0, 10**6])
def test_a_part_of_a_map_has_its_cells_and_leaves_nothing_with_the_weights(at_once, monkeypatch):
    monkeypatch.setattr("core.weights.pooling.MOST_AT_ONCE", at_once)
    whole, held = two_maps("float16")
    whole = replace(whole, mask=whole.weights.max((0, 1)) > 0.1)
    for each in (whole, held):
        part = cut_out(each, range(2, 5), range(1, 9))
        assert np.array_equal(part.weights[:], whole.weights[:, :, 2:5, 1:9])
        assert part.query_tokens == whole.query_tokens[2:5]
        assert part.key_tokens == whole.key_tokens[1:9]
    assert np.array_equal(cut_out(whole, range(2), range(3)).mask, whole.mask[:2, :3])
    assert not held.weights._kept


def test_a_window_surrounds_a_position():
    assert [window_around(at, 10, 4) for at in (0, 5, 9)] == [range(4), range(3, 7), range(6, 10)]
    assert window_around(3, 4, 8) == range(4)


def test_a_small_picture_has_the_largest_weight_of_each_part():
    weights = softmax((1, 2, 7, 12))
    causal = as_map(np.tril(softmax((1, 1, 12, 12))), TEXT)
    small = thumbnails(as_map(weights, TEXT[:7], TEXT), 5)
    assert small.weights.shape == (1, 2, 5, 5)
    for row in range(5):
        for column in range(5):
            rows = [i for i in range(7) if i * 5 // 7 == row]
            columns = [i for i in range(12) if i * 5 // 12 == column]
            cells = weights[0, 0][np.ix_(rows, columns)]
            assert small.weights[0, 0, row, column] == cells.max()
    assert np.array_equal(thumbnails(causal, 6).mask, np.tri(6, dtype=bool))
    assert thumbnails(causal, 12) is causal


SENTENCES = (
    ("A dog sleeps. It snores!", [(0, 1, 2, 3), (4, 5, 6)]),
    ("See Fig. two, e.g. here. Then?", [(*range(11),), (11, 12)]),
    ("개가 잔다. 코를 곤다.", [(0, 1, 2), (3, 4, 5)]),
    ("狗睡觉。它打呼。", [(0, 1), (2, 3)]),
    ("No stop", [(0, 1)]),
    ("3.5 dogs sleep", [(0, 1, 2, 3, 4)]),
)


def pieces(text: str) -> TokenSequence:
    """Words and signs as tokens, with their places in the text."""
    import re

    spans = [match.span() for match in re.finditer(r"\w+|[^\w\s]", text)]
    tokens = tuple(("▁" if text[a - 1 : a] in ("", " ") else "") + text[a:b] for a, b in spans)
    return TokenSequence(text, tokens, tuple(range(len(spans))), tuple(spans))


@pytest.mark.parametrize(("text", "groups"), SENTENCES)
def test_sentences_end_at_their_signs(text, groups):
    assert list(sentence_groups(pieces(text))) == groups


@pytest.mark.parametrize("storage", FORMS)
def test_a_file_says_its_error_and_keeps_no_pickle(storage):
    attention = as_map(softmax((2, 3, 12, 12)), TEXT)
    record = AttentionRecord(spelt(TEXT).sequence, None, (attention,))
    file = np.load(io.BytesIO(attention_npz(record, storage=storage)), allow_pickle=False)
    codes = file["encoder_weights"]
    assert codes.dtype == storage
    decoded = codes.astype(np.float64)
    if storage == "uint8":
        decoded = file["encoder_scale"][..., None] * (decoded / 255) ** 2
    measured = np.abs(decoded - attention.weights).max()
    assert float(file["encoder_error"]) == pytest.approx(measured, rel=1e-4)
    with pytest.raises(ValueError, match="float8"):
        attention_npz(record, storage="float8")


def test_an_export_of_stored_weights_keeps_their_storage():
    attention = as_map(softmax((2, 3, 12, 12)), TEXT)
    held = stored(attention.weights, "uint8")
    file = np.load(io.BytesIO(map_npz(replace(attention, weights=held))))
    assert np.array_equal(file["encoder_weights"], held.codes)
    again = stored(held, "float16")
    # The error of the first storage stays part of what is said.
    assert again.error == pytest.approx(held.error, abs=3e-4)
    assert again.error > held.error


def test_codes_and_scale_must_fit():
    with pytest.raises(ValueError, match="scale"):
        StoredWeights(np.zeros((1, 1, 2, 2), np.uint8))
    with pytest.raises(ValueError, match="scale"):
        StoredWeights(np.zeros((1, 1, 2, 2), np.uint8), np.zeros((1, 1, 3), np.float32))
