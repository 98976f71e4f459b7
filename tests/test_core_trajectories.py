"""The ways of tokens through a stack, held against sums by hand."""

from dataclasses import replace

import numpy as np
import pytest

from core.block import Stream, SubLayer
from core.trajectories import layer_ends, principal, trajectories, trajectory_table

RANDOM = np.random.default_rng(1)
NAMES = ("self", "cross", "feed_forward")
PLACES = tuple(SubLayer("decoder", layer, name) for layer in range(2) for name in NAMES)
S, T, D = len(PLACES), 5, 12


def stream(n: int = T, scale: float = 1.0) -> Stream:
    def made() -> np.ndarray:
        return (scale * RANDOM.normal(size=(S, n, D))).astype(np.float32)

    one = np.ones((S, D), np.float32)
    on = np.ones(S, bool)
    return Stream(PLACES, made(), made(), made(), one, 0 * one, 1e-5, False, on, on)


GIVEN = stream()
STATES = np.concatenate((GIVEN.before[:1], GIVEN.after)).astype(float)


def test_distances_in_the_picture_are_those_of_three_dimensional_states():
    flat = replace(GIVEN, before=GIVEN.before.copy(), after=GIVEN.after.copy())
    flat.before[..., 3:] = flat.after[..., 3:] = 0
    found = trajectories(flat)
    states = np.concatenate((flat.before[:1], flat.after)).reshape(-1, D)
    drawn = found.coordinates.reshape(-1, 3)
    for i in (0, 7, 30):
        expected = np.linalg.norm(states - states[i], axis=1)
        np.testing.assert_allclose(np.linalg.norm(drawn - drawn[i], axis=1), expected, rtol=1e-6)
    assert found.shares.sum() == pytest.approx(1)


@pytest.mark.parametrize("unit", [False, True])
def test_norms_and_cosines_are_of_the_whole_states_whatever_is_drawn(unit):
    found = trajectories(GIVEN, unit=unit)
    for state, token in ((0, 0), (3, 2), (S, T - 1)):
        here, first = STATES[state, token], STATES[0, token]
        length = np.sqrt((here**2).sum())
        assert found.norms[state, token] == pytest.approx(length)
        cosine = here @ first / (length * np.sqrt((first**2).sum()))
        assert found.cosines[state, token] == pytest.approx(cosine)
    np.testing.assert_allclose(found.cosines[0], 1)


def test_growth_alone_is_no_way_when_directions_are_drawn():
    grown = np.arange(1, S + 1, dtype=np.float32)[:, None, None] * GIVEN.before[:1] * 2
    growing = replace(GIVEN, after=grown)
    directions = trajectories(growing, unit=True).coordinates
    np.testing.assert_allclose(directions, np.broadcast_to(directions[:1], directions.shape))
    assert np.ptp(trajectories(growing).coordinates, axis=0).max() > 1


def test_one_token_has_a_way_of_its_own():
    found = trajectories(stream(1))
    assert found.coordinates.shape == (S + 1, 1, 3)
    assert np.isfinite(found.coordinates).all()
    assert np.flatnonzero(layer_ends(PLACES)).tolist() == [3, 6]


@pytest.mark.parametrize("unit", [False, True])
def test_a_state_of_nothing_has_no_direction(unit):
    empty = replace(GIVEN, after=GIVEN.after.copy())
    empty.after[2, 1] = 0
    found = trajectories(empty, unit=unit)
    assert np.isnan(found.cosines[3, 1])
    assert np.isnan(found.cosines).sum() == 1
    assert found.norms[3, 1] == 0
    assert np.isfinite(found.coordinates).all()


def test_the_table_has_a_line_for_each_state_of_each_token():
    found = trajectories(GIVEN)
    table = trajectory_table(found)
    assert len(table) == (S + 1) * T
    line = table[(table["state"] == 4) & (table["token"] == 3)].iloc[0]
    assert line["sublayer"] == "decoder.2.self"
    np.testing.assert_allclose(line[["pc1", "pc2", "pc3"]].tolist(), found.coordinates[4, 2])
    assert line["norm"] == found.norms[4, 2]
    assert line["cosine"] == found.cosines[4, 2]


POINTS = RANDOM.normal(size=(40, 7)) @ RANDOM.normal(size=(7, 7)) + 3


def test_the_variances_are_the_largest_eigenvalues_of_the_covariance():
    found = principal(POINTS)
    values = np.linalg.eigvalsh(np.cov(POINTS.T))[::-1]
    np.testing.assert_allclose(found.coordinates.var(axis=0, ddof=1), values[:3])
    np.testing.assert_allclose(found.shares, values[:3] / values.sum())
    values = np.linalg.eigvalsh(np.cov(STATES.reshape(-1, D).T))[::-1]
    np.testing.assert_allclose(trajectories(GIVEN).shares, values[:3] / values.sum())


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
