"""Measures of attention, against numbers worked out by hand."""

import numpy as np
import pytest

from records import AttentionMap
from viz.measures import (
    mean_distance,
    mean_entropy,
    pair_weights,
    row_ranks,
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
    return AttentionMap("encoder", weights, tokens, tokens)


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
