"""Measures of importance side by side, and the grid of rank correlations."""

import numpy as np

from viz.explain import correlation_grid, measure_bars
from viz.figure import spec_of, tables_of

TOKENS = ("▁the", "▁dog", "▁the", "</s>")
WEIGHTS = np.array([0.1, 0.6, 0.2, 0.1])
DROPS = np.array([0.0, 3.0, -0.5, np.nan])  # what cannot be left out has no drop
GRADIENT = np.array([0.1, -0.2, 0.0, 0.3])


def test_without_attention_two_measures_are_left():
    for weights, n in ((None, 2), (WEIGHTS, 3)):
        assert len(spec_of(measure_bars(TOKENS, weights, DROPS, GRADIENT))["hconcat"]) == n


def test_what_is_lost_and_of_what_is_named_by_who_shows_it():
    names = ("documents-agree-words", "documents-agree-drop")
    plain, named = (
        spec_of(measure_bars(TOKENS, WEIGHTS, DROPS, GRADIENT, **more))["hconcat"][1]
        for more in ({}, {"names": names})
    )
    titles = [part["layer"][0]["encoding"]["x"]["title"] for part in (plain, named)]
    assert titles[0] != titles[1]


def test_a_head_without_a_number_has_no_colour_and_says_so():
    cells = tables_of(correlation_grid(np.array([[0.5, np.nan]]), title="ρ"))["cells"]
    assert list(cells["name"]) == ["layer 1, head 1", "layer 1, head 2"]
    assert list(cells["text"]) == ["+0.50", "–"]
    assert list(cells["correlation"].isna()) == [False, True]
