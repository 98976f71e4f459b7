"""Measures of attention, against numbers worked out by hand."""

import numpy as np
import pytest

from analysis.measures import (
    badges_of,
    head_table_of,
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
from records import CROSS, DECODER, ENCODER, AttentionMap


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


def test_all_columns_together_get_all_the_weight(two_heads):
    np.testing.assert_allclose(pair_weights(two_heads, [0, 2], [0, 1, 2]), [[1.0, 1.0]])


def test_the_strongest_head_is_named_by_layer_and_head():
    assert strongest_head(np.array([[0.1, 0.2], [0.9, 0.3]])) == (1, 0)


def test_entropy_is_zero_for_one_key_and_one_bit_for_two(two_heads):
    row_of_b = -(0.2 * np.log2(0.2) + 0.3 * np.log2(0.3) + 0.5 * np.log2(0.5))
    expected = [[(1.0 + row_of_b + 0.0) / 3, (0.0 + 1.5 + 0.0) / 3]]
    np.testing.assert_allclose(mean_entropy(two_heads), expected, rtol=1e-6)


def test_distance_counts_tokens_between_query_and_key(two_heads):
    first = (0.5 * 1 + (0.2 + 0.5) + 2.0) / 3
    second = (2.0 + 0.75 + 1.0) / 3
    np.testing.assert_allclose(mean_distance(two_heads), [[first, second]], rtol=1e-6)


def test_ranks_start_at_one_with_the_largest():
    assert row_ranks(np.array([[0.2, 0.5, 0.3], [0.4, 0.4, 0.2]])).tolist() == [
        [3, 1, 2],
        [1, 2, 3],
    ]


def test_top_keys_come_largest_first():
    assert top_keys(np.array([0.1, 0.6, 0.3]), 2) == [1, 2]


def test_neighbour_masses_by_hand(two_heads):
    np.testing.assert_allclose(previous_mass(two_heads), [[(0.2 + 0.0) / 2, (0.25 + 1.0) / 2]])
    np.testing.assert_allclose(same_mass(two_heads), [[(0.5 + 0.3 + 0.0) / 3, 0.25 / 3]], rtol=1e-6)
    np.testing.assert_allclose(next_mass(two_heads), [[(0.5 + 0.5) / 2, (0.0 + 0.5) / 2]])


def test_one_token_has_no_neighbours():
    one = AttentionMap(ENCODER, np.ones((1, 2, 1, 1), np.float32), ("</s>",), ("</s>",))
    assert previous_mass(one).tolist() == next_mass(one).tolist() == [[0.0, 0.0]]
    assert same_mass(one).tolist() == [[1.0, 1.0]]


def test_special_mass_is_the_weight_on_end_signs(two_heads):
    np.testing.assert_allclose(special_mass(two_heads), [[0.5 / 3, (1.0 + 0.5) / 3]], rtol=1e-6)


def test_largest_weight_is_averaged_over_the_rows(two_heads):
    np.testing.assert_allclose(largest_weight(two_heads), [[(0.5 + 0.5 + 1) / 3, 2.5 / 3]], 1e-6)


def names(attention: AttentionMap) -> set[str]:
    return {badge.name for badge in badges_of(attention)}


def test_cross_attention_has_no_distances_and_no_neighbours(two_heads):
    cross = AttentionMap(CROSS, two_heads.weights, ("<s>", "▁x", "▁y"), two_heads.key_tokens)
    assert names(two_heads) - names(cross) == {"distance", "previous", "same", "next"}


def test_a_causal_map_has_no_next_token(two_heads):
    mask = np.tril(np.ones((3, 3), bool))
    tokens = ("<s>", "▁a", "▁b")
    decoder = AttentionMap(DECODER, two_heads.weights, tokens, tokens, mask=mask)
    assert names(two_heads) - names(decoder) == {"next"}


def test_without_special_columns_there_is_no_mass_on_them(two_heads):
    tokens = ("▁a", "▁b", "▁c")
    plain = AttentionMap(ENCODER, two_heads.weights, tokens, tokens)
    assert names(two_heads) - names(plain) == {"special"}


def test_rows_and_columns_of_different_tokens_have_no_neighbours(two_heads):
    # As when the end sign is hidden among the columns, but its row is not.
    shorter = AttentionMap(
        ENCODER, two_heads.weights[..., :2], two_heads.query_tokens, two_heads.key_tokens[:2]
    )
    assert names(shorter) == {"largest", "entropy"}


def test_the_table_of_heads_counts_from_one_and_holds_every_badge(two_heads):
    table = head_table_of(two_heads, rows=[0], columns=[2])
    assert table[["layer", "head"]].to_numpy().tolist() == [[1, 1], [1, 2]]
    assert table["weight"].tolist() == [0.0, 1.0]
    assert set(table.columns) == {"layer", "head", "weight"} | names(two_heads)


def test_the_table_has_no_weight_of_a_pair_that_is_not_chosen(two_heads):
    assert "weight" not in head_table_of(two_heads, rows=[0])


def test_every_line_of_the_table_belongs_to_its_head():
    weights = np.random.default_rng(0).dirichlet(np.ones(3), size=(3, 2, 3)).astype(np.float32)
    tokens = ("▁a", "▁b", "</s>")
    attention = AttentionMap(ENCODER, weights, tokens, tokens)
    for line in head_table_of(attention, [0], [1]).itertuples():
        head = attention.head(line.layer - 1, line.head - 1)
        assert line.weight == head[0, 1]
        assert line.same == pytest.approx(np.trace(head) / 3)
