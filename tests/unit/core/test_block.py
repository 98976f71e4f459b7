"""The numbers of a block and principal components, against torch, eigenvalues and sums by hand."""

import math

import numpy as np
import pandas as pd
import pytest
import torch
from torch import nn

from core.block import (
    gradient_changes,
    mean_cosine,
    moments_table,
    moved_by_others,
    norm_stages,
    powers_of,
    standardised,
    stream_table,
    stream_turns,
)
from core.principal import principal
from core.records.sublayers import Gradients, Stream, SubLayer
from core.weights.tables import spread_places

RANDOM = np.random.default_rng(0)
T, D, S = 5, 12, 2


def stream(**changes) -> Stream:
    made = {
        "places": (SubLayer("encoder", 0, "self"), SubLayer("encoder", 0, "feed_forward")),
        "eps": 1e-5,
        "pre_norm": False,
        "has_residual": np.ones(S, bool),
        "has_norm": np.ones(S, bool),
    }
    for name in ("before", "added", "after"):
        made[name] = RANDOM.normal(size=(S, T, D)).astype(np.float32)
    for name in ("gains", "biases"):
        made[name] = RANDOM.normal(size=(S, D)).astype(np.float32)
    return Stream(**(made | changes))


def batch_norm() -> nn.Module:
    return nn.BatchNorm1d(D, eps=1e-5, affine=False).double().train()


def test_norms_are_torchs():
    values = RANDOM.normal(3, 2, size=(T, D))
    layer_norm = nn.LayerNorm(D, eps=1e-5, elementwise_affine=False)
    for axis, norm in ((1, layer_norm), (0, batch_norm())):
        expected = norm(torch.tensor(values)).numpy()
        np.testing.assert_allclose(standardised(values, 1e-5, axis), expected, rtol=1e-9)


def test_the_stages_end_where_torchs_norm_with_gain_and_bias_does():
    found = stream()
    stages = norm_stages(found, 1, 3)
    norm = nn.LayerNorm(D, eps=1e-5)
    norm.weight.data = torch.from_numpy(found.gains[1])
    norm.bias.data = torch.from_numpy(found.biases[1])
    given = torch.from_numpy(found.before[1, 3] + found.added[1, 3])
    np.testing.assert_allclose(stages["scaled"], norm(given).detach().numpy(), atol=1e-5)
    moments = moments_table(stages).set_index("stage")
    assert moments.loc["standardised", "mean"] == pytest.approx(0, abs=1e-12)
    variance = float(given.double().var(unbiased=False))
    assert moments.loc["standardised", "variance"] == pytest.approx(variance / (variance + 1e-5))
    first = stream(pre_norm=True)  # which is given what was there
    np.testing.assert_array_equal(norm_stages(first, 0, 2)["given"], first.before[0, 2])
    found = stream(rms=True, biases=np.zeros((S, D), np.float32))
    stages = norm_stages(found, 1, 3)
    assert list(stages) == ["given", "standardised", "gained"]
    norm = nn.RMSNorm(D, eps=1e-5)
    norm.weight.data = torch.from_numpy(found.gains[1])
    expected = norm(torch.from_numpy(stages["given"]).float()).detach().numpy()
    np.testing.assert_allclose(stages["gained"], expected, atol=1e-5)


def test_lengths_and_cosine_are_those_of_a_sum_by_hand():
    found = stream()
    line = stream_table(found, 2).loc[1]
    before, added = found.before[1, 2].tolist(), found.added[1, 2].tolist()
    length = [math.sqrt(sum(x * x for x in of)) for of in (before, added)]
    dot = sum(x * y for x, y in zip(before, added, strict=True))
    summed = math.sqrt(sum((x + y) ** 2 for x, y in zip(before, added, strict=True)))
    expected = [*length, summed, dot / length[0] / length[1]]
    np.testing.assert_allclose(
        line[["before", "added", "summed", "cosine"]].astype(float), expected, rtol=1e-6
    )
    without = stream_table(stream(has_residual=np.array([False, True])), 0)
    assert without.loc[0, "summed"] == pytest.approx(without.loc[0, "added"])
    assert without.loc[1, "summed"] != pytest.approx(without.loc[1, "added"])
    nothing = stream_table(stream(added=np.zeros((S, T, D), np.float32)), 0)
    assert nothing["cosine"].isna().all()


def test_the_mean_cosine_is_that_of_all_pairs():
    vectors = RANDOM.normal(size=(4, 3))
    lengths = np.linalg.norm(vectors, axis=1)
    cosines = [
        vectors[i] @ vectors[j] / lengths[i] / lengths[j] for i in range(4) for j in range(i)
    ]
    assert mean_cosine(vectors) == pytest.approx(np.mean(cosines))
    assert math.isnan(mean_cosine(np.ones((1, 2))))


def test_others_move_a_batch_norm_and_no_layer_norm():
    vectors = RANDOM.normal(size=(T, D))
    for position in (0, T - 1):
        by_layer, by_batch = moved_by_others(vectors, 1e-5, position)
        assert by_layer == 0
        kept = [i for i in range(T) if i != (0 if position == T - 1 else T - 1)]
        before = batch_norm()(torch.tensor(vectors))[position]
        after = batch_norm()(torch.tensor(vectors[kept]))[kept.index(position)]
        assert by_batch == pytest.approx(float((before - after).abs().max()))
    assert moved_by_others(vectors[:1], 1e-5, 0) == (0, 0)


def test_the_change_of_a_gradient_is_that_from_the_last_sub_layer_to_the_first():
    sizes = np.array([[1.0, 9, 4], [0, 9, 4], [8, 9, 4], [1, 9, np.nan]])
    places = tuple(SubLayer("encoder", 0, name) for name in "abc")
    changes = gradient_changes(Gradients(places, sizes, sizes, np.ones(4)))
    np.testing.assert_array_equal(changes, [0.25, np.nan, 2, np.nan])


def test_places_and_powers_by_hand():
    assert spread_places(3, 12).tolist() == [0, 1, 2]
    assert spread_places(256, 4).tolist() == [0, 85, 170, 255]
    found = powers_of(pd.Series([1e-21, 0, 3])).tolist()
    assert found == [pytest.approx(-21), None, pytest.approx(math.log10(3))]


POINTS = RANDOM.normal(size=(40, 7)) @ RANDOM.normal(size=(7, 7)) + 3


def test_principal_components_are_those_of_the_covariance():
    found = principal(POINTS)
    values = np.linalg.eigvalsh(np.cov(POINTS.T))[::-1]
    np.testing.assert_allclose(found.coordinates.var(axis=0, ddof=1), values[:3])
    np.testing.assert_allclose(found.shares, values[:3] / values.sum())
    found = principal(POINTS, 7)
    np.testing.assert_allclose(found.components @ found.components.T, np.eye(7), atol=1e-12)
    assert all(row[np.abs(row).argmax()] > 0 for row in found.components)
    back = found.coordinates @ found.components + POINTS.mean(axis=0)
    np.testing.assert_allclose(back, POINTS)
    line = principal(np.outer(np.arange(5.0), [3.0, 4.0, 0.0, 0.0]))  # needs one alone
    np.testing.assert_allclose(line.coordinates[:, 0], [-10, -5, 0, 5, 10], atol=1e-12)
    np.testing.assert_array_equal(line.shares, [1, 0, 0])
    assert not line.components[1:].any()
    few = principal(POINTS[:, :2])  # dimensions, filled up with nothing
    assert (few.coordinates.shape, few.components.shape) == ((40, 3), (3, 2))
    assert not few.coordinates[:, 2].any()


def test_a_point_that_is_not_finite_takes_no_part_and_equal_ones_spread_nowhere():
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


def test_stream_and_output_make_a_triangle_with_their_sum():
    found = stream()
    for position in range(T):
        for line in stream_turns(stream_table(found, position)).itertuples():
            before = found.before[line.place, position].astype(float)
            added = found.added[line.place, position].astype(float)
            assert np.hypot(line.before + line.along, line.across) == pytest.approx(line.summed)
            cosine = before @ (before + added) / line.before / line.summed
            assert line.turn == pytest.approx(np.degrees(np.arccos(cosine)), abs=1e-3)


def test_a_sub_layer_that_adds_nothing_turns_nothing():
    turns = stream_turns(stream_table(stream(added=np.zeros((S, T, D), np.float32)), 0))
    assert (turns[["along", "across", "turn"]].to_numpy() == 0).all()
