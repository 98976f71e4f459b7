"""The cells of one head."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.attention import ENCODER, AttentionMap
from core.explain import mean_correlations, measures_table
from core.maps import NamedMap, head_rows_cells, map_cells
from core.order import Equivariance, equivariance_table, layer_table
from core.tables import attention_cells
from core.tokens import log_prob_lines
from support.figures import PLAIN, map_of, rng

TOKENS = ("▁the", "▁dog", "▁the", "</s>")


def test_cells_hold_the_weights_and_ranks_of_the_asked_head():
    attention = map_of(TOKENS)
    cells = attention_cells(attention, 1, 2)
    assert len(cells) == 16
    assert "seen" not in cells
    for cell in cells.itertuples():
        row = attention.weights[1, 2, cell.q]
        assert cell.weight == row[cell.k]
        assert cell.rank == 1 + (row > cell.weight).sum()


def test_masked_cells_are_told_apart():
    cells = attention_cells(map_of(TOKENS, "decoder"), 0, 1)
    assert (cells["seen"] == (cells["k"] <= cells["q"])).all()


def test_scores_are_those_before_the_mask_and_zero_weights_stay():
    weights = np.array([[[[0.5, 0.5], [1.0, 0.0]]]], dtype=np.float32)
    scores = np.array([[[[1.0, 1.0], [3.0, -2.0]]]], dtype=np.float32)
    attention = AttentionMap(ENCODER, weights, ("▁a", "▁b"), ("▁a", "▁b"), scores=scores)
    assert attention_cells(attention, 0, 0)["score"].tolist() == [1.0, 1.0, 3.0, -2.0]


def test_contrast_divides_by_the_largest_of_the_row_and_leaves_the_weight():
    attention = map_of(TOKENS)
    plain, contrast = (attention_cells(attention, 0, 0, contrast=c) for c in (False, True))
    assert contrast["weight"].tolist() == plain["weight"].tolist()
    assert contrast.groupby("q")["shade"].max().tolist() == [1.0] * 4


WEIGHTS = rng().dirichlet(np.ones(6), size=(2, 4)).astype(np.float32)
NAMES = [f"H{n}" for n in range(1, 9)]


def test_map_cells_are_the_weights_and_masked_ones_are_absent():
    maps = [NamedMap.of(site, map_of(PLAIN, site), 0, 1) for site in ("encoder", "decoder")]
    cells = map_cells(maps)
    assert cells["panel"].value_counts().to_dict() == {0: 36, 1: 21}
    for line in cells.itertuples():
        assert line.weight == maps[line.panel].weights[line.q, line.k]
        assert line.map == maps[line.panel].title
    assert (cells["query"].iloc[-1], cells["key"].iloc[-1]) == ("6 · </s>", "6 · </s>")
    attention = map_of(("<s>", "▁a"), "decoder")
    named = NamedMap.of("t", replace(attention, output_tokens=("▁a", "b")), 0, 0, produced=True)
    assert (named.row_tokens, NamedMap.of("t", attention, 0, 0).row_tokens) == (
        ("▁a", "b"), ("<s>", "▁a"),
    )  # fmt: skip


def test_every_weight_is_a_cell_of_its_head():
    cells = head_rows_cells(WEIGHTS, PLAIN, NAMES)
    assert [WEIGHTS[each.layer, each.head, each.k] for each in cells.itertuples()] == list(
        cells["weight"]
    )
    assert len(cells) == WEIGHTS.size
    assert (cells["name"].iloc[-1], cells["key"].iloc[2]) == ("H8", "3 · the")


ROW = np.array([0.1, 0.6, 0.2, 0.1])
DROPS = np.array([0.0, 3.0, -0.5, np.nan])  # what cannot be left out has no drop
GRADIENT = np.array([0.1, -0.2, 0.0, 0.3])


def test_tokens_without_a_correlation_are_left_out_of_the_mean():
    per_token = np.array([[[0.5, np.nan, 0.1], [np.nan, np.nan, np.nan]]])
    means = mean_correlations(per_token)
    assert means[0, 0] == pytest.approx(0.3)
    assert np.isnan(means[0, 1])


def test_repeated_tokens_keep_their_own_lines():
    table = measures_table(TOKENS, ROW, DROPS, GRADIENT)
    assert list(table["token"]) == ["the₁", "dog", "the₂", "</s>"]
    expected = np.stack([ROW, DROPS, GRADIENT], axis=1)
    np.testing.assert_array_equal(table[["attention", "drop", "gradient"]], expected)
    assert "attention" not in measures_table(TOKENS, None, DROPS, GRADIENT)
    lines = log_prob_lines(["▁a", "▁b", "</s>"], [-1.0, -0.5, -0.25])
    assert lines["sum"].tolist() == [-1.0, -1.5, -1.75]


CASES = (
    Equivariance(False, 32, ((0, 1), (1, 0)), np.array([0.0, 2e-7]), 3.0),
    Equivariance(True, 64, ((0, 1), (1, 0)), np.array([0.5, 2.0]), 3.0),
)


def test_a_small_distance_is_not_called_nothing():
    table = layer_table({"a": np.array([[0.0, 2.3e-6, 0.5]])}, ("a", "b", "c"), "distance")
    assert table["text"].tolist() == ["0.00", "2e-6", "0.50"]
    values = np.arange(8.0).reshape(2, 4)
    table = layer_table({"a": values, "b": -values}, TOKENS, "distance")
    line = table.set_index(["panel", "layer", "t"]).loc[(1, 1, 2)]
    assert (line["value"], line["token"], line["text"]) == (-6.0, "3 · the", "-6.00")


def test_one_rounding_step_is_that_of_the_largest_number():
    # Numbers from 2 to 4 are 2^(1 - 23) apart in float32, 2^(1 - 52) in float64.
    assert equivariance_table(CASES)["rounding"].unique().tolist() == [2.0**-22, 2.0**-51]
