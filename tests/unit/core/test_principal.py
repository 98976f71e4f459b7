"""Principal components, held against the eigenvalues of the covariance and sums by hand."""

import numpy as np
import pytest

from core.principal import principal

RANDOM = np.random.default_rng(1)
POINTS = RANDOM.normal(size=(40, 7)) @ RANDOM.normal(size=(7, 7)) + 3


def test_the_variances_are_the_largest_eigenvalues_of_the_covariance():
    found = principal(POINTS)
    values = np.linalg.eigvalsh(np.cov(POINTS.T))[::-1]
    np.testing.assert_allclose(found.coordinates.var(axis=0, ddof=1), values[:3])
    np.testing.assert_allclose(found.shares, values[:3] / values.sum())


def test_components_are_orthonormal_point_to_their_largest_number_and_give_the_points_back():
    found = principal(POINTS, 7)
    np.testing.assert_allclose(found.components @ found.components.T, np.eye(7), atol=1e-12)
    assert all(row[np.abs(row).argmax()] > 0 for row in found.components)
    back = found.coordinates @ found.components + POINTS.mean(axis=0)
    np.testing.assert_allclose(back, POINTS)
    assert found.shares.sum() == pytest.approx(1)
    few = principal(POINTS[:, :2])  # dimensions, filled up with nothing
    assert (few.coordinates.shape, few.components.shape) == ((40, 3), (3, 2))
    assert few.shares.sum() == pytest.approx(1)
    assert not few.coordinates[:, 2].any()


def test_points_on_a_line_need_one_component_and_the_rest_is_nothing():
    found = principal(np.outer(np.arange(5.0), [3.0, 4.0, 0.0, 0.0]))
    np.testing.assert_allclose(found.coordinates[:, 0], [-10, -5, 0, 5, 10], atol=1e-12)
    np.testing.assert_allclose(found.components[0], [0.6, 0.8, 0, 0], atol=1e-12)
    np.testing.assert_array_equal(found.shares, [1, 0, 0])
    assert not found.coordinates[:, 1:].any()
    assert not found.components[1:].any()


def test_a_point_that_is_not_finite_takes_no_part_and_none_or_equal_ones_spread_nowhere():
    broken = np.insert(POINTS, 4, np.nan, axis=0)
    broken[4, 1:] = 0
    found, without = principal(broken), principal(POINTS)
    assert np.isnan(found.coordinates[4]).all()
    np.testing.assert_allclose(np.delete(found.coordinates, 4, axis=0), without.coordinates)
    np.testing.assert_allclose(found.shares, without.shares)
    assert np.isnan(principal(np.full((2, 4), np.inf)).coordinates).all()
    assert principal(np.zeros((0, 4))).coordinates.shape == (0, 3)
    for n in (1, 4):
        equal = principal(np.full((n, 5), 0.1))
        assert not equal.coordinates.any()
        assert not equal.shares.any()
