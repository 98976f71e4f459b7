"""Weights of two levels together, and how far one map is from another."""

from __future__ import annotations

import math

import numpy as np

from core.documents import (
    MOST_DIVERGENCE,
    joint_weights,
    js_divergence,
    points_at,
    shown_weights,
    total_variation,
)

WORDS = (np.array([0.25, 0.75]), np.array([1.0]))
SENTENCES = np.array([0.16, 0.84])


def test_a_word_is_shaded_by_the_root_of_its_sentence():
    first, second = shown_weights(WORDS, SENTENCES)
    np.testing.assert_allclose(first, [0.4 * 0.25, 0.4 * 0.75])
    np.testing.assert_allclose(second, [math.sqrt(0.84)])


def test_weights_of_both_levels_together_sum_to_one():
    np.testing.assert_allclose(joint_weights(WORDS, SENTENCES), [0.04, 0.12, 0.84])


def test_maps_that_share_nothing_are_log_two_apart():
    assert math.isclose(js_divergence(np.array([1.0, 0]), np.array([0, 1.0])), MOST_DIVERGENCE)
    assert js_divergence(SENTENCES, SENTENCES) == 0
    # By hand: m = (3/4, 1/4), KL(p, m) = log 4/3, KL(q, m) = (log 2/3 + log 2) / 2.
    by_hand = (math.log(4 / 3) + (math.log(2 / 3) + math.log(2)) / 2) / 2
    assert math.isclose(js_divergence(np.array([1.0, 0]), np.array([0.5, 0.5])), by_hand)


def test_total_variation_is_half_the_differences():
    assert math.isclose(total_variation(np.array([0.9, 0.1]), np.array([0.6, 0.4])), 0.3)


def test_an_idle_map_points_as_often_as_chance():
    assert points_at(np.full(8, 1 / 8), {2, 5}) == 2 / 8
    assert points_at(np.array([0.1, 0.7, 0.2]), {1}) == 1
    assert points_at(np.array([0.1, 0.7, 0.2]), {0, 2}) == 0
    assert points_at(np.array([0.4, np.nan, 0.4, 0.2]), {0}) == 0.5
