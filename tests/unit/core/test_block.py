"""The numbers of a block, held against torch's layers and sums by hand."""

import math

import numpy as np
import pandas as pd
import pytest
import torch
from torch import nn

from core.block import (
    Stream,
    SubLayer,
    mean_cosine,
    moments_table,
    moved_by_others,
    norm_stages,
    norm_tables,
    powers_of,
    standardised,
    stream_table,
    strip_tables,
)
from core.tables import spread_places

RANDOM = np.random.default_rng(0)
T, D, S = 5, 12, 2


def stream(**changes) -> Stream:
    made = {
        "places": (SubLayer("encoder", 0, "self"), SubLayer("encoder", 0, "feed_forward")),
        **{
            name: RANDOM.normal(size=(S, T, D)).astype(np.float32)
            for name in ("before", "added", "after")
        },
        "gains": RANDOM.normal(size=(S, D)).astype(np.float32),
        "biases": RANDOM.normal(size=(S, D)).astype(np.float32),
        "eps": 1e-5,
        "pre_norm": False,
        "has_residual": np.ones(S, bool),
        "has_norm": np.ones(S, bool),
    }
    return Stream(**(made | changes))


@pytest.mark.parametrize(
    ("norm", "axis"),
    [
        (nn.LayerNorm(D, eps=1e-5, elementwise_affine=False), 1),
        (nn.BatchNorm1d(D, eps=1e-5, affine=False).double().train(), 0),
    ],
    ids=["layer", "batch"],
)
def test_a_norm_is_torchs(norm, axis):
    values = RANDOM.normal(3, 2, size=(T, D))
    expected = norm(torch.tensor(values)).numpy()
    np.testing.assert_allclose(standardised(values, 1e-5, axis), expected, rtol=1e-9)


def test_the_stages_end_where_torchs_layer_norm_with_gain_and_bias_does():
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
    first = stream(pre_norm=True)  # then it is given what was there
    np.testing.assert_array_equal(norm_stages(first, 0, 2)["given"], first.before[0, 2])


def test_a_norm_without_bias_ends_after_its_gain():
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
    assert line["before"] == pytest.approx(length[0])
    assert line["added"] == pytest.approx(length[1])
    assert line["cosine"] == pytest.approx(dot / length[0] / length[1])
    summed = math.sqrt(sum((x + y) ** 2 for x, y in zip(before, added, strict=True)))
    assert line["summed"] == pytest.approx(summed, rel=1e-6)
    without = stream_table(stream(has_residual=np.array([False, True])), 0)
    assert [without.loc[i, "summed"] == pytest.approx(without.loc[i, "added"]) for i in (0, 1)] == [
        True, False,
    ]  # fmt: skip
    nothing = stream_table(stream(added=np.zeros((S, T, D), np.float32)), 0)
    assert nothing["cosine"].isna().all()


def test_the_mean_cosine_is_that_of_all_pairs():
    vectors = RANDOM.normal(size=(4, 3))
    cosines = [
        vectors[i] @ vectors[j] / np.linalg.norm(vectors[i]) / np.linalg.norm(vectors[j])
        for i in range(4)
        for j in range(4)
        if i != j
    ]
    assert mean_cosine(vectors) == pytest.approx(np.mean(cosines))
    assert mean_cosine(np.ones((3, 2))) == pytest.approx(1)
    assert math.isnan(mean_cosine(np.ones((1, 2))))


def test_others_move_a_batch_norm_and_no_layer_norm():
    vectors = RANDOM.normal(size=(T, D))
    for position in (0, T - 1):
        by_layer, by_batch = moved_by_others(vectors, 1e-5, position)
        assert by_layer == 0
        kept = [i for i in range(T) if i != (0 if position == T - 1 else T - 1)]
        norm = nn.BatchNorm1d(D, eps=1e-5, affine=False).double().train()
        before = norm(torch.tensor(vectors))[position]
        after = norm(torch.tensor(vectors[kept]))[kept.index(position)]
        assert by_batch == pytest.approx(float((before - after).abs().max()))
    assert moved_by_others(vectors[:1], 1e-5, 0) == (0, 0)


def test_places_are_spread_and_distinct():
    assert spread_places(3, 12).tolist() == [0, 1, 2]
    assert spread_places(256, 4).tolist() == [0, 85, 170, 255]


def test_a_power_of_zero_is_left_out_and_a_tiny_one_is_not():
    found = powers_of(pd.Series([1e-21, 0, 3])).tolist()
    assert found == [pytest.approx(-21), None, pytest.approx(math.log10(3))]


def test_spans_reach_one_deviation_to_either_side_of_the_mean():
    values = {"given": np.array([1.0, 3.0]), "scaled": np.array([-2.0, 6.0])}
    numbers, spans = strip_tables(values, ["first", "second"])
    assert spans[["low", "mean", "high"]].to_numpy().tolist() == [[1, 2, 3], [-2, 2, 6]]
    assert numbers["stage"].tolist() == ["first"] * 2 + ["second"] * 2


def matrices(*rows):
    tokens, given = ("▁the", "▁dog", "▁the", "▁ran", "."), stream().sums[0]
    return [norm_tables(given, tokens, 0.0, each, 12) for each in rows]


def test_margins_say_which_norm_makes_which_axis_even():
    rows, columns = (table.groupby("panel")["variance"] for table in matrices(slice(None))[0][1:])
    np.testing.assert_allclose(rows.get_group(1), 1)
    np.testing.assert_allclose(columns.get_group(2), 1)
    assert not np.allclose(rows.get_group(2), 1)
    assert not np.allclose(columns.get_group(1), 1)


def test_tokens_that_are_not_drawn_count_in_a_batch_norm():
    every, some = matrices(slice(None), slice(1, 3))
    pd.testing.assert_frame_equal(every[2], some[2])
    assert some[1]["label"].tolist() == ["dog", "the₂"] * 3
    drawn = every[0][every[0]["q"].isin([1, 2])]
    np.testing.assert_allclose(drawn["value"], some[0]["value"])
