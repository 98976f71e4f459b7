"""Numbers of the sinusoidal encoding: by hand, by the model, and properties that must hold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.positions import (
    cosine_matrix,
    drawn_pairs,
    encoding_table,
    frequencies,
    near_and_far,
    offset_similarity,
    rotation,
    rotation_error,
    round_steps,
    spread_dimensions,
    wavelengths,
)
from model.nets.sublayers import sinusoidal_encoding
from viz.encoding import MOST_CURVES

even = st.integers(1, 40).map(lambda pairs: 2 * pairs)
bases = st.floats(10, 1e5)


@settings(deadline=None, max_examples=20)
@given(n_positions=st.integers(1, 200), d_model=even, base=bases)
def test_the_formula_is_the_models(n_positions, d_model, base):
    own = sinusoidal_encoding(n_positions, d_model, base).numpy()
    assert np.abs(encoding_table(n_positions, d_model, base) - own).max() < 1e-7


def test_the_formula_and_wavelengths_by_hand():
    # d_model 4, base 100: pair 1 has the divisor 100^(2/4) = 10.
    expected = [math.sin(3), math.cos(3), math.sin(0.3), math.cos(0.3)]
    np.testing.assert_allclose(encoding_table(4, 4, 100.0)[3], expected, rtol=1e-15)
    assert encoding_table(1, 6).tolist() == [[0, 1, 0, 1, 0, 1]]
    base = (12 / math.pi) ** 2  # pair 1 has 2 pi 12 / pi = 24 positions
    np.testing.assert_allclose(wavelengths(4, base), [2 * math.pi, 24])
    np.testing.assert_allclose(wavelengths(4, 100.0) * frequencies(4, 100.0), 2 * math.pi)


@settings(deadline=None, max_examples=20)
@given(length=st.integers(2, 60), d_model=even, base=bases)
def test_products_are_the_sum_of_cosines_of_the_offset(length, d_model, base):
    found = offset_similarity(encoding_table(length, d_model, base))
    expected = np.cos(np.outer(np.arange(length), frequencies(d_model, base))).sum(axis=1)
    np.testing.assert_allclose(found.dots, expected, atol=1e-11)
    np.testing.assert_allclose(found.cosines, expected / (d_model / 2), atol=1e-11)
    assert found.spread < 1e-12 * d_model


def test_spread_and_cosines_by_hand():
    # Products at offset 1 are 2 and 6; at offset 0 they are 1, 4 and 9.
    assert offset_similarity(np.array([[1.0], [2.0], [3.0]])).spread == 8
    found = cosine_matrix(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, -2.0]]))
    half = math.sqrt(0.5)
    np.testing.assert_allclose(found, [[1, half, 0], [half, 1, -half], [0, -half, 1]], atol=1e-15)


@settings(deadline=None, max_examples=20)
@given(data=st.data(), d_model=even, base=bases)
def test_the_rotation_carries_a_position_to_a_later_one(data, d_model, base):
    position, offset = data.draw(st.integers(0, 100)), data.draw(st.integers(0, 100))
    pair = data.draw(st.integers(0, d_model // 2 - 1))
    found = rotation(position, pair, offset, d_model, base)
    values = encoding_table(position + offset + 1, d_model, base)[:, 2 * pair : 2 * pair + 2]
    np.testing.assert_allclose(found.before, values[position], atol=1e-13)
    np.testing.assert_allclose(found.after, values[position + offset], atol=1e-12)
    np.testing.assert_allclose(found.matrix @ found.before, found.after, atol=1e-12)
    assert found.angle == pytest.approx(offset * frequencies(d_model, base)[pair])


def test_rotating_all_pairs_is_exact_to_rounding_and_shows_a_wrong_value():
    for offset in (0, 1, 159):
        assert rotation_error(encoding_table(160, 256), offset) < 1e-13
    single = rotation_error(sinusoidal_encoding(160, 256).numpy(), 5)
    assert 1e-9 < single < 2e-7
    values = encoding_table(20, 8)
    values[13, 5] += 0.25
    assert rotation_error(values, 2) == pytest.approx(0.25, rel=0.05)
    assert rotation_error(encoding_table(20, 8, 100.0), 2) > 0.1


def test_ticks_are_round_numbers_and_a_few_dimensions_are_there_to_begin_with():
    for count, most, steps in (
        (4, 9, range(4)),
        (10, 3, range(0, 10, 4)),
        (61, 6, range(0, 61, 10)),
        (900, 4, range(0, 900, 200)),
    ):
        assert round_steps(count, most) == list(steps)
    for d_model in (2, 4, 6, 256):
        chosen = spread_dimensions(d_model)
        assert 1 < len(chosen) <= MOST_CURVES
        assert all(0 <= dimension < d_model for dimension in chosen)
        assert {chosen[0], chosen[0] + 1} <= set(chosen)  # a sine with its cosine


@pytest.mark.parametrize(("d_model", "pair"), [(4, 1), (64, 0), (256, 8), (300, 149), (512, 255)])
def test_the_drawn_pairs_are_few_and_the_chosen_one_is_among_them(d_model, pair):
    first, step = drawn_pairs(d_model, 32, pair)
    drawn = range(first, d_model // 2, step)
    assert pair in drawn
    assert len(drawn) <= 32


def test_the_next_position_is_more_alike_than_the_least_similar_one():
    values = encoding_table(15, 256)
    assert near_and_far(values, 9)[0] == 10
    assert near_and_far(values, 14)[0] == 13
    for position in range(15):
        near, near_cosine, far, far_cosine = near_and_far(values, position)
        cosines = [values[position] @ row for row in values / 128]
        assert near_cosine == pytest.approx(cosines[near])
        assert far_cosine == pytest.approx(min(cosines))
        assert near_cosine > far_cosine
        assert cosines[far] == min(cosines)
