"""Measures of attention, against numbers worked out by hand."""

import numpy as np
import pytest

from core.attention import CROSS, DECODER, ENCODER, AttentionMap
from core.measures import (
    badges_of,
    largest_weight,
    mean_distance,
    mean_entropy,
    next_mass,
    pair_weights,
    previous_mass,
    row_ranks,
    same_mass,
    special_mass,
    strongest_head,
    top_keys,
)


@pytest.fixture
def two_heads() -> AttentionMap:
    weights = np.array(
        [[[[0.5, 0.5, 0.0], [0.2, 0.3, 0.5], [1.0, 0.0, 0.0]],
          [[0.0, 0.0, 1.0], [0.25, 0.25, 0.5], [0.0, 1.0, 0.0]]]],
        dtype=np.float32,
    )  # fmt: skip
    tokens = ("▁a", "▁b", "</s>")
    return AttentionMap(ENCODER, weights, tokens, tokens)


def test_pair_weights_sum_over_keys_and_average_over_rows(two_heads):
    found = pair_weights(two_heads, rows=[0, 1], columns=[1, 2])
    np.testing.assert_allclose(found, [[(0.5 + 0.8) / 2, (1.0 + 0.75) / 2]])
    np.testing.assert_allclose(pair_weights(two_heads, [0, 2], [0, 1, 2]), [[1.0, 1.0]])


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
    ],
    ids=["entropy", "distance", "previous", "same", "next", "special", "largest"],
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
    shorter = AttentionMap(
        ENCODER, two_heads.weights[..., :2], two_heads.query_tokens, two_heads.key_tokens[:2]
    )
    assert names(shorter) == {"largest", "entropy"}
    one = AttentionMap(ENCODER, np.ones((1, 2, 1, 1), np.float32), ("</s>",), ("</s>",))
    assert previous_mass(one).tolist() == next_mass(one).tolist() == [[0.0, 0.0]]
    assert same_mass(one).tolist() == [[1.0, 1.0]]
