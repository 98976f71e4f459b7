"""Principal components, held against the covariance by hand and against torch."""

import numpy as np
import pytest
import torch

from core.trajectories import principal

RANDOM = np.random.default_rng(0)
POINTS = RANDOM.normal(size=(40, 7)) @ RANDOM.normal(size=(7, 7)) + 3


def test_the_variances_are_the_largest_eigenvalues_of_the_covariance():
    found = principal(POINTS)
    values = np.linalg.eigvalsh(np.cov(POINTS.T))[::-1]
    np.testing.assert_allclose(found.coordinates.var(axis=0, ddof=1), values[:3])
    np.testing.assert_allclose(found.shares, values[:3] / values.sum())


def test_the_components_are_those_of_torch_up_to_their_signs():
    _, _, right = torch.pca_lowrank(torch.from_numpy(POINTS), q=7, niter=10)
    cosines = np.abs(np.sum(principal(POINTS).components * right.numpy().T[:3], axis=1))
    np.testing.assert_allclose(cosines, 1, atol=1e-8)


def test_components_are_orthonormal_and_point_to_their_largest_number():
    components = principal(POINTS, 7).components
    np.testing.assert_allclose(components @ components.T, np.eye(7), atol=1e-12)
    assert all(row[np.abs(row).argmax()] > 0 for row in components)


def test_all_components_give_the_points_back_and_all_of_the_variance():
    found = principal(POINTS, 7)
    back = found.coordinates @ found.components + POINTS.mean(axis=0)
    np.testing.assert_allclose(back, POINTS)
    assert found.shares.sum() == pytest.approx(1)


def test_points_on_a_line_need_one_component_and_the_rest_is_nothing():
    found = principal(np.outer(np.arange(5.0), [3.0, 4.0, 0.0, 0.0]))
    np.testing.assert_allclose(found.coordinates[:, 0], [-10, -5, 0, 5, 10], atol=1e-12)
    np.testing.assert_allclose(found.components[0], [0.6, 0.8, 0, 0], atol=1e-12)
    np.testing.assert_array_equal(found.shares, [1, 0, 0])
    assert not found.coordinates[:, 1:].any()
    assert not found.components[1:].any()


@pytest.mark.parametrize("n", [1, 4])
def test_equal_points_spread_nowhere(n):
    found = principal(np.full((n, 5), 0.1))
    assert not found.coordinates.any()
    assert not found.shares.any()


def test_more_components_than_dimensions_are_filled_up_with_nothing():
    found = principal(POINTS[:, :2])
    assert found.coordinates.shape == (40, 3)
    assert found.components.shape == (3, 2)
    assert found.shares.sum() == pytest.approx(1)
    assert not found.coordinates[:, 2].any()


def test_a_point_that_is_not_finite_takes_no_part():
    broken = np.insert(POINTS, 4, np.nan, axis=0)
    broken[4, 1:] = 0
    found, without = principal(broken), principal(POINTS)
    assert np.isnan(found.coordinates[4]).all()
    np.testing.assert_allclose(np.delete(found.coordinates, 4, axis=0), without.coordinates)
    np.testing.assert_allclose(found.shares, without.shares)


def test_nothing_finite_or_no_point_is_calm():
    assert np.isnan(principal(np.full((2, 4), np.inf)).coordinates).all()
    assert principal(np.zeros((0, 4))).coordinates.shape == (0, 3)


def test_half_precision_loses_nothing_on_the_way():
    points = (RANDOM.normal(size=(6, 4)) * 3e4).clip(-6e4, 6e4).astype(np.float16)
    np.testing.assert_allclose(
        principal(points).shares, principal(points.astype(np.float64)).shares
    )


def test_what_is_no_table_is_said():
    with pytest.raises(ValueError, match="shape"):
        principal(np.zeros(4))
