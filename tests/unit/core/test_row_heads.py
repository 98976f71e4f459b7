"""One row in every head: groups by the largest key, who agrees, and what a mean hides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.weights.row_heads import row_of_heads
from support.figures import PLAIN, map_of

# Two layers of two heads; row 1 of each.
ROWS = [[0.1, 0.7, 0.2], [0.9, 0.1, 0.0], [0.2, 0.6, 0.2], [0.0, 0.8, 0.2]]


@pytest.fixture
def attention():
    attention = map_of(PLAIN[:3], layers=2, heads=2)
    weights = attention.weights.copy()
    weights[:, :, 1] = np.reshape(ROWS, (2, 2, 3))
    return replace(attention, weights=weights)


def test_heads_with_one_largest_key_stand_together_the_largest_group_first(attention):
    heads = row_of_heads(attention, 1)
    assert heads.places == [(1, 1), (0, 0), (1, 0), (0, 1)]
    assert heads.heads["key"].tolist() == [1, 1, 1, 0]
    assert heads.heads["group"].tolist() == [0, 0, 0, 1]
    np.testing.assert_allclose(heads.weights, np.array(ROWS)[[3, 0, 2, 1]], rtol=1e-6)
    assert (heads.n_at(1), heads.n_at(0), heads.n_at(2)) == (3, 1, 0)


def test_a_mean_hides_the_head_that_exceeds_it_by_most_at_another_key(attention):
    heads = row_of_heads(attention, 1)
    mean = np.mean(ROWS, axis=0)
    assert mean.argmax() == 1
    at, weight = heads.hidden_by(mean)
    assert heads.places[at] == (0, 1)
    assert weight == pytest.approx(0.9)


def test_a_row_that_all_heads_agree_with_hides_none(attention):
    heads = row_of_heads(attention, 1, layer=1)
    assert heads.places == [(1, 1), (1, 0)]
    assert heads.hidden_by(heads.weights.mean(axis=0)) == (-1, 0.0)


def test_every_head_is_there_once_with_its_own_row():
    attention = map_of(PLAIN, layers=3, heads=4)
    heads = row_of_heads(attention, 2)
    assert sorted(heads.places) == [(layer, head) for layer in range(3) for head in range(4)]
    for (layer, head), row in zip(heads.places, heads.weights, strict=True):
        np.testing.assert_array_equal(row, attention.weights[layer, head, 2])
