"""Numbers that hold one system against another, and that take one step apart."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.lineage import (
    MeasuredLineage,
    adding_up,
    beyond_a_seed,
    grouped_drops,
    grouped_places,
    mean_map,
    prefixes,
    sharpest_head,
)
from core.softmax import softmax_parts
from core.storage import DamageError, checked
from support.lineage_values import values


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=30), st.integers(0, 5))
def test_what_is_shown_adds_up_and_is_off_by_less_than_one_of_its_last_digit(values, digits):
    shown = adding_up(values, digits)
    unit = 10.0**-digits
    assert abs(shown.sum() - float(np.sum(values))) < unit * 0.5 * (1 + 1e-6)
    assert np.abs(shown - np.array(values)).max() < unit * (1 + 1e-6)
    assert adding_up([1 / 3, 1 / 3, 1 / 3], 2).tolist() == [0.34, 0.33, 0.33]


def test_the_softmax_is_taken_over_what_is_seen():
    scores, seen = np.array([1.0, 9.0, 1.0 + np.log(3)]), np.array([True, False, True])
    below, exponentials, shares = softmax_parts(scores, seen)
    np.testing.assert_allclose(shares, [0.25, 0, 0.75])
    np.testing.assert_allclose(exponentials, [1 / 3, 0, 1])
    np.testing.assert_allclose(below, [-np.log(3), np.nan, 0])


def test_the_sharpest_head_has_the_largest_weights_of_its_rows():
    weights = np.full((2, 2, 3, 4), 0.25)
    weights[1, 0] = np.eye(4)[:3]
    weights[0, 1, 0] = [1, 0, 0, 0]
    assert sharpest_head(weights) == (1, 0)
    expected = sum(weights[layer, head] for layer, head in np.ndindex(2, 2)) / 4
    np.testing.assert_allclose(mean_map(weights), expected)


def test_drops_and_places_of_words_by_hand():
    # The sum over the pieces of a word, with the strongest of the pieces left out.
    drops = np.array([[1.0, 2.0, -9.0], [0.5, -4.0, 1.0], [7.0, 8.0, 9.0]])
    found = grouped_drops(drops, ((0, 1), (2,)), ((0,), (1, 2)))
    np.testing.assert_allclose(found, [[1.5, -8.0], [7.0, 9.0]])
    centres = np.array([0.0, 1.5, 3.0])
    alone = tuple((i,) for i in range(4))
    np.testing.assert_allclose(grouped_places(centres, alone[:3], alone), centres)
    # Two pieces of one word have their middle where the word is.
    found = grouped_places(centres, alone[:3], ((0,), (1, 2), (3,)))
    np.testing.assert_allclose(found, [0, 1, 2])


def test_a_sentence_is_lengthened_word_by_word_to_its_end():
    assert prefixes("A b.", "c d", 9) == ((0, "A b."), (1, "A b. c"), (2, "A b. c d"))
    assert prefixes("A", "", 5) == ((0, "A"),)
    many = prefixes("A", " ".join("w" * 100), 11)
    assert len(many) == 11
    assert many[0][0] == 0
    assert many[-1][1].count("w") == 100


def test_a_gain_of_a_system_that_is_not_there_is_refused():
    found = values()
    del found["systems"]["sutskever-forward"]
    with pytest.raises(DamageError, match="gains between stored models, got sutskever-forward"):
        checked(json.dumps(found).encode(), MeasuredLineage)


def test_a_difference_is_held_against_that_of_a_seed_to_the_tenth_that_is_known():
    for bleu, beyond in ((1.74, False), (-1.74, False), (1.76, True), (-3.5, True), (0.0, False)):
        assert beyond_a_seed(bleu, 1.7) == beyond, bleu
