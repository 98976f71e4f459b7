"""Where a map points, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from core.gaze import chance, pointed_at
from core.transform import shown_at

WEIGHTS = np.array([[0.1, 0.3, 0.2, 0.4], [0.2, 0.3, 0.4, 0.1], [0.7, 0.1, 0.1, 0.1]])


@pytest.mark.parametrize(
    ("rows", "words", "place"),
    [
        pytest.param([0], ((0,), (1,), (2,), (3,)), 3, id="the largest weight of a row"),
        pytest.param([0], ((0,), (1, 2), (3,)), 1, id="0.1, 0.3 + 0.2, 0.4"),
        # The mean of the first two rows is 0.15, 0.3, 0.3, 0.25.
        pytest.param([0, 1], ((0,), (1,), (2, 3)), 2, id="the mean of two rows"),
    ],
)
def test_the_word_that_a_map_points_at(rows, words, place):
    assert pointed_at(WEIGHTS, rows, words) == place


def test_every_head_points_for_itself():
    both = np.stack([WEIGHTS, WEIGHTS[:, ::-1]])[None]
    assert pointed_at(both, [2], ((0,), (1,), (2,), (3,))).tolist() == [[0, 3]]


def test_words_that_hold_the_pieces():
    assert shown_at((2, 3), ((0,), (1, 2), (3,))) == (1, 2)


def test_uniform_attention_gives_each_piece_the_same():
    assert chance((1, 2), 8) == 0.25
