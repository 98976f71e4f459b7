"""Where a map points, by hand."""

from __future__ import annotations

import numpy as np

from analysis.pointing import chance, pointed_at, words_at

WEIGHTS = np.array([[0.1, 0.3, 0.2, 0.4], [0.2, 0.3, 0.4, 0.1], [0.7, 0.1, 0.1, 0.1]])


def test_one_row_points_at_its_largest_weight():
    assert pointed_at(WEIGHTS, [0], ((0,), (1,), (2,), (3,))) == 3


def test_pieces_of_a_source_word_are_added():
    # 0.1, 0.3 + 0.2, 0.4
    assert pointed_at(WEIGHTS, [0], ((0,), (1, 2), (3,))) == 1


def test_rows_of_a_target_word_are_averaged():
    # The mean of the first two rows is 0.15, 0.3, 0.3, 0.25; with the third word's pieces 0.55.
    assert pointed_at(WEIGHTS, [0, 1], ((0,), (1,), (2, 3))) == 2


def test_every_head_points_for_itself():
    both = np.stack([WEIGHTS, WEIGHTS[:, ::-1]])[None]
    assert pointed_at(both, [2], ((0,), (1,), (2,), (3,))).tolist() == [[0, 3]]


def test_words_that_hold_the_pieces():
    assert words_at((2, 3), ((0,), (1, 2), (3,))) == (1, 2)


def test_uniform_attention_gives_each_piece_the_same():
    assert chance((1, 2), 8) == 0.25
