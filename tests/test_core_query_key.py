"""Queries and keys in one space: what the balance leaves as it was, held against torch."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from core.attention import ENCODER, AttentionMap
from core.query_key import balance, edges, query_key_space, rank_agreement, space_table, strongest

RANDOM = np.random.default_rng(0)
QUERIES = RANDOM.normal(size=(5, 4)) * 3 + 2
KEYS = RANDOM.normal(size=(7, 4)) - 5


def softmax(scores):
    return torch.from_numpy(np.asarray(scores)).softmax(-1).numpy()


def mean_norm(vectors):
    return np.mean([np.sqrt(sum(x * x for x in vector)) for vector in vectors])


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(2, 6), st.floats(-3, 3))
def test_the_softmax_is_left_as_it_was_and_both_sets_have_the_same_mean_norm(
    seed, n_queries, n_keys, size
):
    rng = np.random.default_rng(seed)
    queries = rng.normal(size=(n_queries, 3)) * 10**size
    keys = rng.normal(size=(n_keys, 3)) + rng.normal(size=3) * 4
    found = balance(queries, keys)
    scores, after = queries @ keys.T, found.queries @ found.keys.T
    np.testing.assert_allclose(softmax(after), softmax(scores), atol=1e-8)
    assert not np.allclose(after, scores), "the scores themselves have moved"
    assert mean_norm(found.queries) == pytest.approx(mean_norm(found.keys))
    np.testing.assert_allclose(found.keys.mean(axis=0), 0, atol=1e-12 * 10 ** abs(size))
    np.testing.assert_allclose(found.shift, keys.mean(axis=0))
    np.testing.assert_allclose(found.queries, found.factor * queries)


def test_the_factor_by_hand():
    # Keys 1 and 5 are 2 from their mean; a query of 8 and keys of 2 meet at 4.
    found = balance([[8.0]], [[1.0], [5.0]])
    assert (found.factor, found.shift.tolist()) == (0.5, [3.0])
    assert found.queries.tolist() == [[4.0]]
    assert found.keys.tolist() == [[-4.0], [4.0]]


@pytest.mark.parametrize(
    ("queries", "keys"),
    [
        (np.ones((2, 3)), np.full((1, 3), 0.1)),
        (np.ones((2, 3)), np.full((4, 3), 0.1)),
        (np.zeros((2, 3)), KEYS[:, :3]),
    ],
)
def test_what_has_no_length_is_not_scaled(queries, keys):
    found = balance(queries, keys)
    assert found.factor == 1
    assert np.isfinite(found.keys).all()
    np.testing.assert_allclose(found.queries, queries)


def test_the_projection_is_that_of_torch_up_to_signs():
    space, balanced = query_key_space(QUERIES, KEYS, 3), balance(QUERIES, KEYS)
    points = torch.from_numpy(np.vstack((balanced.queries, balanced.keys)))
    centred = points - points.mean(0)
    left, sizes, _ = torch.linalg.svd(centred, full_matrices=False)
    ours = np.vstack((space.queries, space.keys))
    np.testing.assert_allclose(np.abs(ours), np.abs((left * sizes)[:, :3].numpy()), atol=1e-10)
    np.testing.assert_allclose(space.shares, (sizes**2 / (sizes**2).sum())[:3].numpy())
    assert (space.queries.shape, space.keys.shape) == ((5, 3), (7, 3))


def test_the_agreement_is_spearmans_over_what_a_row_may_see():
    mask = np.tri(5, 7, k=2, dtype=bool)
    scores = QUERIES @ KEYS.T
    expected = [
        spearmanr(
            scores[i, : i + 3], [-np.linalg.norm(QUERIES[i] - k) for k in KEYS[: i + 3]]
        ).statistic
        for i in range(5)
    ]
    assert rank_agreement(QUERIES, KEYS, scores, mask) == pytest.approx(np.mean(expected))


def test_two_keys_agree_by_chance_and_are_not_asked_and_points_that_are_one_are_not_drawn():
    assert np.isnan(query_key_space(QUERIES, KEYS[:2], 2).agreement)
    assert np.isnan(query_key_space(QUERIES, np.ones((7, 4)), 2).agreement)
    one, none = np.ones((1, 4)), np.full((2, 4), np.nan)
    drawn = [query_key_space(*pair, 2).drawn for pair in ((0 * one, one), (none, none), (one, one))]
    assert drawn == [False, False, True]


def test_a_vector_that_is_not_finite_stands_nowhere_and_moves_no_other():
    keys, queries = np.vstack((KEYS, np.full(4, np.nan))), QUERIES.copy()
    found, clean = query_key_space(queries, keys, 2), query_key_space(queries, KEYS, 2)
    np.testing.assert_allclose(found.keys[:-1], clean.keys)
    np.testing.assert_allclose(found.queries, clean.queries)
    assert np.isnan(found.keys[-1]).all()
    assert found.agreement == pytest.approx(clean.agreement)


def test_the_strongest_are_in_order_and_never_masked():
    weights = np.array([0.05, 0.5, 0.04, 0.41, 0.0], np.float32)
    assert strongest(weights, least=0.05) == (1, 3, 0)
    assert strongest(weights) == (1, 3, 0, 2)
    assert strongest(weights, most=2) == (1, 3)
    assert strongest(weights, np.array([True, False, True, True, True])) == (3, 0, 2)
    assert strongest(np.array([np.nan, 0.2])) == (1,)
    assert strongest(np.full(3, 0.01), least=0.05) == ()


def test_edges_are_no_masked_cells_and_the_table_holds_the_weights_of_the_row():
    tokens, queries = ("▁the", "▁dog", "▁the", "</s>"), np.random.default_rng(0).normal(size=(4, 5))
    weights, masks = np.full((1, 1, 4, 4), 0.25, np.float32), np.ones((1, 1, 4, 4), bool)
    weights[0, 0, 3, 1], masks[0, 0, 2, 1] = np.nan, False
    attention = AttentionMap(ENCODER, weights, tokens, tokens, head_masks=masks)
    found = [edges(attention, 0, 0, row) for row in (1, 2, 3)]
    assert found == [(0, 1, 2, 3), (0, 2, 3), (0, 2, 3)]
    space = query_key_space(queries, 2 * queries, 3)
    table = space_table(space, attention, 0, 0, 2)
    assert table["side"].tolist() == ["query"] * 4 + ["key"] * 4
    assert table["position"].tolist() == [1, 2, 3, 4] * 2
    np.testing.assert_array_equal(table[["pc1", "pc2", "pc3"]][4:], space.keys)
    np.testing.assert_array_equal(table["weight"], [*[np.nan] * 4, *weights[0, 0, 2]])
