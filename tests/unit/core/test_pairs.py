"""What two sentences share and how far heads move between them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.attention import ENCODER, AttentionMap
from core.pairs import (
    align,
    difference_cells,
    moved,
    moved_rows,
    moved_table,
    partners,
    rank_moved,
    shared_difference,
    shared_mask,
    shared_weights,
)

WORDS = st.lists(st.sampled_from(["the", "animal", "street", "it", ",", "</s>"]), max_size=12)
FIRST = ("the", "animal", "slept")
SECOND = ("the", "big", "animal")


def attention(weights: list, tokens: tuple[str, ...], mask=None) -> AttentionMap:
    return AttentionMap(ENCODER, np.array([[weights]], np.float32), tokens, tokens, mask=mask)


@pytest.fixture
def first() -> AttentionMap:
    return attention([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.4, 0.4, 0.2]], FIRST)


@pytest.fixture
def second() -> AttentionMap:
    return attention([[0.6, 0.3, 0.1], [0.2, 0.2, 0.6], [0.3, 0.4, 0.3]], SECOND)


PAIRS = ((0, 0), (1, 2))


@pytest.mark.parametrize(
    ("first", "second", "pairs"),
    [
        pytest.param("too tired .", "too wide .", ((0, 0), (2, 2)), id="one changed"),
        pytest.param("the animal slept", "the big animal", PAIRS, id="one inserted"),
        pytest.param("the a the", "the b the", ((0, 0), (2, 2)), id="one repeated"),
        pytest.param("a", "b", (), id="nothing in common"),
        pytest.param("", "b", (), id="nothing at all"),
    ],
)
def test_words_that_two_sentences_share(first, second, pairs):
    assert align(first.split(), second.split()) == pairs


def test_frequent_words_of_long_sentences_are_not_called_junk():
    tokens = ["the", "cat"] * 150
    assert align(tokens, tokens) == tuple((i, i) for i in range(300))


@given(WORDS, WORDS)
def test_partners_are_equal_ordered_and_used_once(a, b):
    pairs = align(a, b)
    assert all(a[i] == b[j] for i, j in pairs)
    assert all(x[0] < y[0] and x[1] < y[1] for x, y in pairwise(pairs))
    assert align(a, a) == tuple((i, i) for i in range(len(a)))


@given(st.lists(st.sampled_from("abcdef"), unique=True), st.sampled_from("uvw"))
def test_a_replaced_word_is_the_only_one_without_partner(words, other):
    for place in range(len(words)):
        changed = [*words[:place], other, *words[place + 1 :]]
        assert {i for i, _ in align(words, changed)} == set(range(len(words))) - {place}


def test_what_moved_by_hand(first, second):
    before, after = shared_weights(first, second, PAIRS, PAIRS)
    np.testing.assert_allclose(before[0, 0].sum(axis=-1), [0.8, 0.9], atol=1e-6)
    np.testing.assert_allclose(after[0, 0].sum(axis=-1), [0.7, 0.6], atol=1e-6)
    difference = shared_difference(first, second, PAIRS, PAIRS)  # second minus first
    np.testing.assert_allclose(difference, [[[[0.1, -0.2], [0.2, -0.5]]]], atol=1e-6)
    np.testing.assert_allclose(moved_rows(difference)[0, 0], [0.15, 0.35], atol=1e-6)
    np.testing.assert_allclose(moved(difference), [[0.25]], atol=1e-6)
    nothing = shared_difference(first, second, (), PAIRS)
    assert (nothing.shape, moved(nothing).tolist()) == ((1, 1, 0, 2), [[0.0]])
    assert shared_difference(first, second, PAIRS, ()).shape == (1, 1, 2, 0)
    assert partners(PAIRS, (1, 2, 0)) == (2, 0)  # without a partner they are left out


def test_heads_are_ranked_by_how_much_they_moved():
    assert rank_moved(np.array([[0.1, 0.3], [0.3, 0.2]])) == [(0, 1), (1, 0), (1, 1), (0, 0)]


def test_the_table_of_heads_carries_the_chosen_weights_with_them():
    per_head = np.array([[0.1, 0.3]])
    frame = moved_table(per_head, np.array([[0.78, 0.5]]), np.array([[0.05, 0.6]]))
    assert frame.to_dict("list") == {
        "layer": [0, 0],
        "head": [1, 0],
        "moved": [0.3, 0.1],
        "first": [0.5, 0.78],
        "second": [0.6, 0.05],
    }
    assert list(moved_table(per_head)) == ["layer", "head", "moved"]


def test_a_cell_masked_in_either_sentence_is_absent(second):
    weights = [[1, 0, 0], [0.1, 0.9, 0], [0.4, 0.4, 0.2]]
    masked = attention(weights, FIRST, mask=np.tri(3, dtype=bool))
    assert shared_mask(masked, second, PAIRS, PAIRS).tolist() == [[True, False], [True, True]]
    cells = difference_cells((masked, second), (0, 0), (PAIRS, PAIRS), FIRST)
    assert list(zip(cells["q"], cells["k"], strict=True)) == [(0, 0), (1, 0), (1, 1)]


def test_cells_carry_both_weights_and_where_they_come_from(first, second):
    cell = difference_cells((first, second), (0, 0), (PAIRS, PAIRS), FIRST).iloc[-1]
    assert (cell["query"], cell["key"]) == ("2 · ·animal", "2 · ·animal")
    found = cell[["first", "second", "difference"]].astype(float)
    np.testing.assert_allclose(found, [0.8, 0.3, -0.5], atol=1e-6)
