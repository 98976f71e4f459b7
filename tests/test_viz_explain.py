"""Measures of importance side by side, and the grid of rank correlations."""

from __future__ import annotations

import altair as alt
import numpy as np
import pytest

from viz.explain import (
    correlation_grid,
    correlation_table,
    measure_bars,
    measures_table,
)
from viz.export import figure_svg
from viz.look import Look
from words import english

TOKENS = ("▁the", "▁dog", "▁the", "</s>")
WEIGHTS = np.array([0.1, 0.6, 0.2, 0.1])
DROPS = np.array([0.0, 3.0, -0.5, 0.25])
GRADIENT = np.array([0.1, -0.2, 0.0, 0.3])


def test_repeated_tokens_keep_their_own_lines():
    table = measures_table(TOKENS, WEIGHTS, DROPS, GRADIENT)
    assert list(table["token"]) == ["the₁", "dog", "the₂", "</s>"]
    assert list(table["attention"]) == list(WEIGHTS)
    assert list(table["drop"]) == list(DROPS)
    assert list(table["gradient"]) == list(GRADIENT)


def test_without_attention_two_measures_are_left():
    assert "attention" not in measures_table(TOKENS, None, DROPS, GRADIENT)
    drops = np.array([1.0, 2.0, 3.0, np.nan])  # what cannot be left out has no drop
    figure = measure_bars(TOKENS, None, drops, GRADIENT)
    assert len(figure.spec["hconcat"]) == 2
    alt.Chart.from_dict(figure.chart)
    assert "the₁" in figure_svg(figure)


def test_a_measure_too_short_is_refused():
    with pytest.raises(ValueError, match=r"\[3, 4\]"):
        measures_table(TOKENS, WEIGHTS, DROPS[:3], GRADIENT)


def test_what_is_below_zero_is_told_from_what_is_above():
    lines = measure_bars(TOKENS, WEIGHTS, DROPS, GRADIENT).tables["lines"]
    assert list(lines["drop_sign"]) == ["above", "above", "below", "above"]
    assert list(lines["gradient_sign"]) == ["above", "below", "above", "above"]


def test_what_is_lost_and_of_what_is_named_by_who_shows_it():
    names = ("documents-agree-words", "documents-agree-drop")
    told = figure_svg(measure_bars(TOKENS, WEIGHTS, DROPS, GRADIENT, names=names))
    assert english("documents-agree-drop") in told
    assert english("figures-explain-drop") not in told
    assert english("figures-explain-drop") in figure_svg(
        measure_bars(TOKENS, WEIGHTS, DROPS, GRADIENT)
    )


def test_attention_alone_has_the_scale_from_zero_to_one():
    panels = measure_bars(TOKENS, WEIGHTS, DROPS, GRADIENT).chart["hconcat"]
    domains = [panel["layer"][0]["encoding"]["x"]["scale"].get("domain") for panel in panels]
    assert domains == [[0, 1], None, None]


def test_heads_of_the_grid_count_from_one_in_words_only():
    table = correlation_table(np.array([[0.1, 0.2], [0.3, 0.4]]))
    assert table.loc[2].tolist() == [1, 0, "layer 2, head 1", 0.3]


def test_a_head_without_a_number_has_no_colour_and_says_so():
    cells = correlation_grid(np.array([[0.5, np.nan]]), title="ρ").tables["cells"]
    assert list(cells["text"]) == ["+0.50", "–"]
    assert list(cells["correlation"].isna()) == [False, True]


def test_the_colours_run_from_minus_one_to_one_whatever_the_numbers():
    figure = correlation_grid(np.array([[0.1, 0.2]]), title="ρ")
    colour = figure.chart["layer"][0]["encoding"]["color"]
    assert colour["scale"]["domain"] == [-1, 1]


def test_a_click_reports_layer_head_and_the_number_of_the_drawing():
    figure = correlation_grid(np.zeros((2, 2)), title="ρ", selected=(1, 0), click=3)
    cells = figure.tables["cells"]
    assert figure.selection == "head"
    assert set(cells["click"]) == {3}
    assert cells.loc[cells["selected"], ["layer", "head"]].to_numpy().tolist() == [[1, 0]]


def test_a_grid_that_is_not_to_be_clicked_has_no_selection():
    figure = correlation_grid(np.zeros((2, 2)), title="ρ", clickable=False)
    assert figure.selection == ""
    assert "params" not in figure.chart


def test_correlations_of_another_shape_are_refused():
    with pytest.raises(ValueError, match="L, H"):
        correlation_grid(np.zeros((2, 2, 2)), title="ρ")


@pytest.mark.parametrize("dark", [False, True])
def test_both_figures_can_be_saved(dark):
    bars = Look(dark=dark)(measure_bars, TOKENS, WEIGHTS, DROPS, GRADIENT)
    alt.Chart.from_dict(bars.chart)
    assert english("figures-explain-gradient") in Look(dark=dark)(figure_svg, bars)
    grid = Look(dark=dark)(correlation_grid, np.array([[0.5, -0.75]]), title="rank correlation")
    alt.Chart.from_dict(grid.chart)
    assert "−0.75" in Look(dark=dark)(figure_svg, grid)
