"""Measures and checks of maps, against numbers worked out by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.documents import (
    MOST_DIVERGENCE,
    joint_weights,
    js_divergence,
    points_at,
    shown_weights,
    total_variation,
)
from core.gaze import chance, pointed_at
from core.records.attention import CROSS, DECODER, ENCODER, AttentionMap, AttentionSite
from core.weights.checks import self_check, shown_check
from core.weights.groups import shown_at
from core.weights.measures import (
    badges_of,
    largest_weight,
    mean_distance,
    mean_entropy,
    next_mass,
    pair_weights,
    previous_mass,
    same_mass,
    special_mass,
    strongest_head,
    top_keys,
)
from core.weights.tables import row_ranks
from core.weights.transform import regroup


@pytest.fixture
def two_heads() -> AttentionMap:
    weights = np.array(
        [[[[0.5, 0.5, 0.0], [0.2, 0.3, 0.5], [1.0, 0.0, 0.0]],
          [[0.0, 0.0, 1.0], [0.25, 0.25, 0.5], [0.0, 1.0, 0.0]]]],
        dtype=np.float32,
    )  # fmt: skip
    tokens = ("▁a", "▁b", "</s>")
    return AttentionMap(ENCODER, weights, tokens, tokens)


ENTROPY_OF_B = -(0.2 * np.log2(0.2) + 0.3 * np.log2(0.3) + 0.5 * np.log2(0.5))


@pytest.mark.parametrize(
    ("measure", "first", "second"),
    [
        (mean_entropy, (1.0 + ENTROPY_OF_B + 0.0) / 3, (0.0 + 1.5 + 0.0) / 3),
        (mean_distance, (0.5 * 1 + (0.2 + 0.5) + 2.0) / 3, (2.0 + 0.75 + 1.0) / 3),
        (previous_mass, (0.2 + 0.0) / 2, (0.25 + 1.0) / 2),
        (same_mass, (0.5 + 0.3 + 0.0) / 3, 0.25 / 3),
        (next_mass, (0.5 + 0.5) / 2, (0.0 + 0.5) / 2),
        (special_mass, 0.5 / 3, (1.0 + 0.5) / 3),
        (largest_weight, (0.5 + 0.5 + 1) / 3, 2.5 / 3),
        (lambda a: pair_weights(a, [0, 1], [1, 2]), (0.5 + 0.8) / 2, (1.0 + 0.75) / 2),
        (lambda a: pair_weights(a, [0, 1], [0, 1, 2]), 1.0, 1.0),
    ],
    ids=["entropy", "distance", "previous", "same", "next", "special", "largest", "pair", "rows"],
)
def test_measures_of_two_heads_by_hand(two_heads, measure, first, second):
    np.testing.assert_allclose(measure(two_heads), [[first, second]], rtol=1e-6)


def test_ranks_start_at_one_with_the_largest_and_the_strongest_come_first():
    ranks = row_ranks(np.array([[0.2, 0.5, 0.3], [0.4, 0.4, 0.2]]))
    assert ranks.tolist() == [[3, 1, 2], [1, 2, 3]]
    assert strongest_head(np.array([[0.1, 0.2], [0.9, 0.3]])) == (1, 0)
    assert top_keys(np.array([0.1, 0.6, 0.3]), 2) == [1, 2]


def names(attention: AttentionMap) -> set[str]:
    return {badge.name for badge in badges_of(attention)}


@pytest.mark.parametrize(
    ("site", "tokens", "mask", "lost"),
    [
        pytest.param(CROSS, ("<s>", "▁x", "▁y"), None, "distance previous same next", id="cross"),
        pytest.param(DECODER, ("<s>", "▁a", "▁b"), np.tri(3, dtype=bool), "next", id="causal"),
        pytest.param(ENCODER, ("▁a", "▁b", "▁c"), None, "special", id="no special column"),
    ],
)
def test_badges_that_say_nothing_are_left_out(two_heads, site, tokens, mask, lost):
    keys = two_heads.key_tokens if site is CROSS else tokens
    attention = AttentionMap(site, two_heads.weights, tokens, keys, mask=mask)
    assert names(two_heads) - names(attention) == set(lost.split())


def test_rows_and_columns_of_different_tokens_have_no_neighbours(two_heads):
    # As when the end sign is hidden among the columns, but its row is not.
    rows, columns = two_heads.query_tokens, two_heads.key_tokens[:2]
    shorter = AttentionMap(ENCODER, two_heads.weights[..., :2], rows, columns)
    assert names(shorter) == {"largest", "entropy"}
    one = AttentionMap(ENCODER, np.ones((1, 2, 1, 1), np.float32), ("</s>",), ("</s>",))
    assert previous_mass(one).tolist() == next_mass(one).tolist() == [[0.0, 0.0]]
    assert same_mass(one).tolist() == [[1.0, 1.0]]


# -- words that a map points at, and maps of documents


WEIGHTS = np.array([[0.1, 0.3, 0.2, 0.4], [0.2, 0.3, 0.4, 0.1], [0.7, 0.1, 0.1, 0.1]])
ALONE = ((0,), (1,), (2,), (3,))


@pytest.mark.parametrize(
    ("rows", "words", "place"),
    [
        pytest.param([0], ALONE, 3, id="the largest weight of a row"),
        pytest.param([0], ((0,), (1, 2), (3,)), 1, id="0.1, 0.3 + 0.2, 0.4"),
        # The mean of the first two rows is 0.15, 0.3, 0.3, 0.25.
        pytest.param([0, 1], ((0,), (1,), (2, 3)), 2, id="the mean of two rows"),
    ],
)
def test_the_word_that_a_map_points_at(rows, words, place):
    assert pointed_at(WEIGHTS, rows, words) == place
    both = np.stack([WEIGHTS, WEIGHTS[:, ::-1]])[None]  # every head for itself
    assert pointed_at(both, [2], ALONE).tolist() == [[0, 3]]
    assert shown_at((2, 3), ((0,), (1, 2), (3,))) == (1, 2)
    assert chance((1, 2), 8) == 0.25


def test_weights_of_documents_by_hand():
    words = np.array([0.25, 0.75]), np.array([1.0])
    sentences, half = np.array([0.16, 0.84]), np.array([0.5, 0.5])
    first, second = np.array([1.0, 0]), np.array([0, 1.0])
    # A word is shaded by the root of its sentence.
    shades = np.concatenate(shown_weights(words, sentences))
    np.testing.assert_allclose(shades, [0.4 * 0.25, 0.4 * 0.75, math.sqrt(0.84)])
    np.testing.assert_allclose(joint_weights(words, sentences), [0.04, 0.12, 0.84])
    assert js_divergence(first, second) == pytest.approx(MOST_DIVERGENCE)
    assert js_divergence(sentences, sentences) == 0
    # m = (3/4, 1/4), KL(p, m) = log 4/3, KL(q, m) = (log 2/3 + log 2) / 2.
    divergence = (math.log(4 / 3) + (math.log(2 / 3) + math.log(2)) / 2) / 2
    assert js_divergence(first, half) == pytest.approx(divergence)
    assert total_variation(np.array([0.9, 0.1]), np.array([0.6, 0.4])) == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("weights", "answers", "share"),
    [
        ([1 / 8] * 8, {2, 5}, 2 / 8),  # an idle map points as often as chance
        ([0.1, 0.7, 0.2], {1}, 1),
        ([0.1, 0.7, 0.2], {0, 2}, 0),
        ([0.4, np.nan, 0.4, 0.2], {0}, 0.5),
    ],
)
def test_how_often_a_map_points_at_an_answer(weights, answers, share):
    assert points_at(np.array(weights), answers) == share


# -- the self-check


@pytest.fixture
def sound() -> AttentionMap:
    weights = np.array([[[[1.0, 0.0, 0.0], [0.4, 0.6, 0.0], [0.2, 0.3, 0.5]]]], dtype=np.float32)
    tokens, mask = ("<s>", "▁a", "▁b"), np.tri(3, dtype=bool)
    return AttentionMap(DECODER, weights, tokens, tokens, ("▁a", "▁b", "</s>"), mask=mask)


def failed(attention: AttentionMap) -> dict[str, str]:
    """Ids and measured values of the checks that fail."""
    checks = self_check(attention)
    return {each.title.id: str(each.measured) for each in checks if not each.passed}


@pytest.mark.parametrize(
    ("cells", "faults"),
    [
        ({}, {}),
        ({(2, 0): 0.3}, {"rows": "1.0e−01 in 3 rows of 1 head"}),
        (
            {(0, 1): 1e-30},
            {"future": "1 of 3 masked weights of 1 head are not 0; the largest is 1.0e−30"},
        ),
        ({(1, 0): -0.1, (1, 1): 1.1}, {"no-negative": ""}),
        ({(2, 2): np.nan}, {"finite": "", "rows": "", "no-negative": ""}),
    ],
    ids=["sound", "row", "future", "negative", "no number"],
)
def test_the_self_check_finds_what_is_wrong_and_says_how_much(sound, cells, faults):
    weights = sound.weights.copy()
    for cell, value in cells.items():
        weights[0, 0][cell] = value
    found = failed(replace(sound, weights=weights))
    assert found.keys() == {f"figures-check-{name}" for name in faults}
    assert all(told in found[f"figures-check-{name}"] for name, told in faults.items())
    checks = self_check(replace(sound, mask=None))
    assert "figures-check-future" not in [check.title.id for check in checks]


def test_rows_that_sum_to_less_by_design_are_said_so_and_are_no_fault():
    windowed = AttentionSite("local", "target", "source", normalised=False, window=1)
    weights = np.array([[[[0.25, 0.5], [0.125, 0.25]]]], np.float32)
    attention = AttentionMap(windowed, weights, ("▁a", "▁b"), ("▁a", "▁b"))
    check = self_check(attention)[2]
    assert check.passed
    assert "0.3750 to 0.7500" in str(check.measured)
    assert shown_check(regroup(attention)) == check
    assert not self_check(replace(attention, weights=2 * weights))[2].passed


@pytest.mark.parametrize("special", ["show", "hide", "renormalise"])
def test_what_is_shown_accounts_for_all_weight_and_what_got_lost_is_found(sound, special):
    shown = regroup(sound, special=special)
    check = shown_check(shown)
    assert check.passed
    empty = str(check.measured).endswith("no weight remains: 1")  # of one row nothing is left
    assert empty == (special == "renormalise")
    lost = replace(shown.attention, weights=shown.attention.weights * np.float32(0.9))
    assert not shown_check(replace(shown, attention=lost)).passed
