"""Words that two sentences share, and weight that moves between them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.records.attention import ENCODER, AttentionMap
from core.weights.measures import moved, moved_rows
from core.weights.pairs import (
    align,
    difference_cells,
    partners,
    rank_moved,
    shared_difference,
    shared_mask,
    shared_weights,
)

WORDS = st.lists(st.sampled_from(["the", "animal", "street", "it", ",", "</s>"]), max_size=12)
PAIRS = ((0, 0), (1, 2))
FIRST = ("the", "animal", "slept")


def attention(*weights: list, tokens: tuple[str, ...] = FIRST, mask=None) -> AttentionMap:
    return AttentionMap(ENCODER, np.array([[weights]], np.float32), tokens, tokens, mask=mask)


BEFORE = attention([0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.4, 0.4, 0.2])
AFTER = attention(
    [0.6, 0.3, 0.1], [0.2, 0.2, 0.6], [0.3, 0.4, 0.3], tokens=("the", "big", "animal")
)


def test_words_that_two_sentences_share():
    for first, second, pairs in (
        ("too tired .", "too wide .", ((0, 0), (2, 2))),
        ("the animal slept", "the big animal", PAIRS),
        ("the a the", "the b the", ((0, 0), (2, 2))),
        ("a", "b", ()),
        ("", "b", ()),
    ):
        assert align(first.split(), second.split()) == pairs
    tokens = ["the", "cat"] * 150  # frequent words of long sentences are not called junk
    assert align(tokens, tokens) == tuple((i, i) for i in range(300))


@given(WORDS, WORDS)
def test_partners_are_equal_ordered_and_used_once(a, b):
    pairs = align(a, b)
    assert all(a[i] == b[j] for i, j in pairs)
    assert all(x[0] < y[0] and x[1] < y[1] for x, y in pairwise(pairs))
    assert align(a, a) == tuple((i, i) for i in range(len(a)))


def test_what_moved_by_hand():
    weights = shared_weights(BEFORE, AFTER, PAIRS, PAIRS)
    np.testing.assert_allclose(weights[0], [[[[0.5, 0.3], [0.1, 0.8]]]], atol=1e-6)
    np.testing.assert_allclose(weights[1], [[[[0.6, 0.1], [0.3, 0.3]]]], atol=1e-6)
    difference = shared_difference(BEFORE, AFTER, PAIRS, PAIRS)  # second minus first
    np.testing.assert_allclose(difference, [[[[0.1, -0.2], [0.2, -0.5]]]], atol=1e-6)
    np.testing.assert_allclose(moved_rows(difference)[0, 0], [0.15, 0.35], atol=1e-6)
    np.testing.assert_allclose(moved(difference), [[0.25]], atol=1e-6)
    nothing = shared_difference(BEFORE, AFTER, (), PAIRS)
    assert (nothing.shape, moved(nothing).tolist()) == ((1, 1, 0, 2), [[0.0]])
    assert partners(PAIRS, (1, 2, 0)) == (2, 0)  # without a partner they are left out
    assert rank_moved(np.array([[0.1, 0.3], [0.3, 0.2]])) == [(0, 1), (1, 0), (1, 1), (0, 0)]


def test_a_cell_masked_in_either_sentence_is_absent():
    mask = np.tri(3, dtype=bool)
    masked = attention([1, 0, 0], [0.1, 0.9, 0], [0.4, 0.4, 0.2], mask=mask)
    assert shared_mask(masked, AFTER, PAIRS, PAIRS).tolist() == [[True, False], [True, True]]
    cells = difference_cells((masked, AFTER), (0, 0), (PAIRS, PAIRS), FIRST)
    assert list(zip(cells["q"], cells["k"], strict=True)) == [(0, 0), (1, 0), (1, 1)]
