"""Rows of several queries combined: every number against a sum by hand."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.weights.combined import combine_rows, combined_table
from support.maps import attention_of, random_attention


@pytest.mark.parametrize("queries", [(3,), (0, 4), (4, 0, 2), (0, 1, 2, 3, 4)])
def test_means_add_up_to_one_and_sums_to_the_number_of_queries(queries):
    attention = random_attention(seed=1)
    combined = combine_rows(attention, 0, (2, 0), queries)
    for nth, head in enumerate((2, 0)):
        for key in range(7):
            cells = [float(attention.weights[0, head, query, key]) for query in queries]
            assert combined.sum[nth, key] == pytest.approx(sum(cells), abs=1e-6)
            assert combined.mean[nth, key] == pytest.approx(sum(cells) / len(cells), abs=1e-6)
    assert_allclose(combined.mean.sum(axis=-1), 1, atol=1e-5)
    assert_allclose(combined.sum.sum(axis=-1), len(queries), atol=1e-5)
    assert combined.queries == tuple(sorted(queries))


def test_a_masked_cell_counts_as_zero_whatever_stands_there():
    causal = attention_of([[[1.0, 9.0, 9.0], [0.25, 0.75, 9.0], [0.5, 0.5, 0.0]]], np.tri(3) > 0)
    combined = combine_rows(causal, 0, (0,), (0, 1))
    assert_allclose(combined.sum, [[1.25, 0.75, 0.0]])
    assert_allclose(combined.mean, [[0.625, 0.375, 0.0]])
    assert combined.allowed.tolist() == [True, True, False]


def test_the_table_names_the_queries_and_counts_from_one():
    attention = random_attention(seed=2)
    table = combined_table(attention, 0, (1, 2), (4, 1), row_tokens=tuple("abcde"))
    assert set(table["query_positions"]) == {"2 + 5"}
    assert set(table["query_tokens"]) == {"b + e"}
    assert table["head"].tolist() == [2] * 7 + [3] * 7
    assert table["key_position"].tolist() == [*range(1, 8)] * 2
    assert table["key_token"][0] == "▁k0"
    rows = attention.weights[0, 1:, [1, 4]]  # (query, head, key)
    assert_allclose(table["weight_sum"], (rows[0] + rows[1]).ravel(), rtol=1e-6)
    assert_allclose(table["weight_mean"], table["weight_sum"] / 2)


@pytest.mark.parametrize(
    ("heads", "queries", "error", "words"),
    [
        ((0,), (5,), IndexError, "query row 5 of 5"),
        ((0,), (-1, 0), IndexError, "query row -1 of 5"),
        ((3,), (0,), IndexError, "head 3 of 3"),
        ((0,), (), ValueError, "at least one"),
    ],
)
def test_queries_and_heads_that_are_not_there_are_refused(heads, queries, error, words):
    with pytest.raises(error, match=words):
        combine_rows(random_attention(seed=0), 0, heads, queries)
