"""Figures of what a change does: the numbers in them, against sums by hand."""

from __future__ import annotations

import math
import re

import altair as alt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.effect import moved_mass
from analysis.measures import seen_cells
from records import CROSS, AttentionMap, Candidate
from viz.effect import (
    difference_matrix,
    log_prob_bars,
    log_prob_changes,
    matrix_cells,
    next_token_bars,
    next_tokens,
    side_by_side,
    weight_matrix,
)
from viz.export import figure_svg
from viz.figure import Figure
from viz.look import Look

TOKENS = ("▁the", "▁dog", "▁the")


def candidates(*log_probs: float, ids: tuple[int, ...]) -> tuple[Candidate, ...]:
    """Candidates by id, ranked by their log-probability."""
    order = sorted(range(len(ids)), key=lambda i: -log_probs[i])
    return tuple(
        Candidate(ids[i], f"▁w{ids[i]}", log_probs[i], rank) for rank, i in enumerate(order)
    )


def attention(weights: np.ndarray, **masks: np.ndarray) -> AttentionMap:
    rows, columns = weights.shape[2:]
    return AttentionMap(CROSS, weights, ("▁q",) * rows, ("▁k",) * columns, **masks)


# Log-probabilities


def test_the_change_of_a_token_is_after_minus_before():
    changes = log_prob_changes(TOKENS, [-1.0, -2.0, -0.5], [-1.5, -1.0, -0.5])
    assert changes["change"].tolist() == [-0.5, 1.0, 0.0]


def test_repeated_tokens_have_bars_of_their_own():
    bars = log_prob_bars(TOKENS, [-1, -2, -3], [-1, -2, -3]).tables["bars"]
    assert bars["label"].tolist() == ["the₁", "dog", "the₂"]
    assert bars["place"].tolist() == [0, 1, 2]


def test_tokens_and_numbers_must_be_as_many():
    with pytest.raises(ValueError, match="3 tokens, but 2 log-probabilities before and 3 after"):
        log_prob_changes(TOKENS, [-1, -2], [-1, -2, -3])


def test_the_framed_token_is_the_given_one():
    bars = log_prob_bars(TOKENS, [-1] * 3, [-2] * 3, marked=2).tables["bars"]
    assert bars["marked"].tolist() == [False, False, True]


def test_tiny_changes_do_not_fill_the_picture():
    ends = log_prob_bars(TOKENS, [-1] * 3, [-1.001] * 3).tables["ends"]["change"]
    assert ends.min() == -0.5
    assert ends.max() == 0.1


def test_large_changes_are_in_the_picture():
    ends = log_prob_bars(TOKENS, [-1, -9, -1], [-8, -1, -1]).tables["ends"]["change"]
    assert ends.tolist() == [-7, 8]


# Next tokens


def test_next_tokens_are_the_likeliest_of_either_side():
    before = candidates(-0.1, -3.0, -9.0, ids=(7, 8, 9))
    after = candidates(-5.0, -6.0, -0.2, ids=(7, 8, 9))
    found = next_tokens(before, after, count=1)
    assert found["token_id"].tolist() == [7, 9]
    assert found["rank_before"].tolist() == [1, 3]
    assert found["rank_after"].tolist() == [2, 1]


@given(
    st.lists(st.floats(-20, 0), min_size=4, max_size=12, unique=True),
    st.randoms(use_true_random=False),
    st.integers(1, 4),
)
def test_no_token_left_out_is_likelier_than_the_likeliest_shown(logs, random, count):
    shuffled = random.sample(logs, len(logs))
    ids = tuple(range(len(logs)))
    found = next_tokens(candidates(*logs, ids=ids), candidates(*shuffled, ids=ids), count)
    rest = set(ids) - set(found["token_id"])
    for side, values in (("before", logs), ("after", shuffled)):
        least = sorted(found[side], reverse=True)[count - 1]
        assert all(math.exp(values[i]) <= least for i in rest)


def test_probabilities_are_the_exponentials_of_the_log_probabilities():
    side = candidates(math.log(0.75), math.log(0.25), ids=(1, 2))
    found = next_tokens(side, side)
    np.testing.assert_allclose(found["before"], [0.75, 0.25])


def test_a_token_that_one_side_lacks_is_an_error():
    with pytest.raises(KeyError):
        next_tokens(candidates(-0.1, ids=(1,)), candidates(-0.1, ids=(2,)))


def test_the_written_token_is_marked_by_a_sign():
    side = candidates(-0.1, -2.0, ids=(1, 2))
    drawn = next_token_bars(next_tokens(side, side), written=2).tables["tokens"]
    assert drawn["label"].tolist() == ["w1", "▸ w2"]


def test_the_chart_of_next_tokens_is_the_same_for_any_number_of_them():
    few, more = (candidates(*([-1.0] * n), ids=tuple(range(n))) for n in (2, 6))
    charts = [next_token_bars(next_tokens(side, side)).chart for side in (few, more)]
    assert charts[0] == charts[1]


# Matrices


def test_the_mass_that_moved_is_half_the_absolute_difference():
    before = np.array([[[[1.0, 0.0], [0.5, 0.5]]]], np.float32)
    after = np.array([[[[0.25, 0.75], [0.5, 0.5]]]], np.float32)
    moved = moved_mass(attention(before), attention(after))
    assert moved.tolist() == [[0.375]]


def test_a_head_of_its_own_mask_is_seen_by_it():
    weights = np.full((1, 2, 1, 2), 0.5, np.float32)
    own = np.ones(weights.shape, bool)
    own[0, 1, 0, 1] = False
    masked = attention(weights, head_masks=own)
    assert seen_cells(masked, 0, 0).tolist() == [[True, True]]
    assert seen_cells(masked, 0, 1).tolist() == [[True, False]]


def test_every_cell_carries_its_place_and_value():
    values = np.arange(6, dtype=np.float32).reshape(2, 3) / 10
    cells = matrix_cells(values, ("▁a", "▁b"), TOKENS)
    for q in range(2):
        for k in range(3):
            line = cells[(cells["q"] == q) & (cells["k"] == k)].iloc[0]
            assert line["value"] == values[q, k]
            assert (line["query"][0], line["key"][0]) == (str(q + 1), str(k + 1))


def test_the_difference_is_after_minus_before_and_its_scale_is_symmetric():
    before, after = np.array([[0.9, 0.1]]), np.array([[0.6, 0.4]])
    figure = difference_matrix(before, after, ("▁a",), TOKENS[:2])
    np.testing.assert_allclose(figure.tables["cells"]["value"], [-0.3, 0.3], atol=1e-6)
    colours = [c["scale"]["domain"] for c in _found(figure.chart, "color") if "scale" in c]
    assert colours == [[-0.5, 0.5]]


def test_weights_are_coloured_from_nought_to_one_whatever_they_are():
    figure = weight_matrix(np.array([[0.1, 0.2]]), ("▁a",), TOKENS[:2], kind="cross")
    colours = [c["scale"]["domain"] for c in _found(figure.chart, "color") if "scale" in c]
    assert colours == [[0, 1]]


def test_only_a_clickable_matrix_has_a_selection():
    weights = np.array([[0.5, 0.5]])
    quiet = weight_matrix(weights, ("▁a",), TOKENS[:2], kind="cross")
    loud = weight_matrix(weights, ("▁a",), TOKENS[:2], kind="cross", click=3)
    assert quiet.selection == ""
    assert "params" not in quiet.chart
    assert loud.selection == "cell"
    assert loud.tables["cells"]["click"].tolist() == [3, 3]


def test_each_forbidden_cell_is_drawn_as_hatching():
    weights = np.array([[1.0, 0.0], [0.5, 0.5]])
    for hatched in ([[False, True], [False, False]], [[True, True], [False, True]]):
        cells = np.array(hatched)
        figure = weight_matrix(weights, ("▁a", "▁b"), TOKENS[:2], kind="cross", hatched=cells)
        symbols = re.findall(r'<g class="mark-symbol[^>]*>(.*?)</g>', figure_svg(figure), re.S)
        assert sum(group.count("<path") for group in symbols) == cells.sum()


def test_matrices_side_by_side_keep_their_own_numbers():
    first = weight_matrix(np.array([[0.25, 0.75]]), ("▁a",), TOKENS[:2], kind="cross")
    second = weight_matrix(np.array([[0.5, 0.5]]), ("▁a",), TOKENS[:2], kind="cross")
    both = side_by_side((first, second), titles=("one", "two"))
    assert isinstance(both, Figure)
    assert both.tables["cells0"]["value"].tolist() == [0.25, 0.75]
    assert both.tables["cells1"]["value"].tolist() == [0.5, 0.5]
    svg = figure_svg(both)
    assert "one" in svg
    assert "two" in svg


@pytest.mark.parametrize("dark", [False, True])
def test_the_charts_fit_the_schema_of_vega_lite(dark):
    weights = np.array([[1.0, 0.0], [0.5, 0.5]])
    pair = TOKENS[:2], TOKENS[:2]
    side = candidates(-0.1, -2.0, ids=(1, 2))
    matrix = Look(dark=dark)(weight_matrix, weights, *pair, kind="cross")
    for figure in (
        Look(dark=dark)(log_prob_bars, TOKENS, [-1] * 3, [-2] * 3, marked=2),
        next_token_bars(next_tokens(side, side)),
        matrix,
        Look(dark=dark)(weight_matrix, weights, *pair, kind="cross", click=1),
        Look(dark=dark)(difference_matrix, weights, weights[::-1], *pair),
        side_by_side((matrix, matrix), titles=("one", "two")),
    ):
        alt.Chart.from_dict(figure.chart)


def _found(part: object, name: str) -> list:
    """Every value of that name, however deep."""
    if isinstance(part, list):
        return [value for each in part for value in _found(each, name)]
    if not isinstance(part, dict):
        return []
    here = [part[name]] if name in part else []
    return here + [value for each in part.values() for value in _found(each, name)]
