"""Measures of importance side by side, and the grid of rank correlations."""

import numpy as np

from core.explain import measures_table
from viz.explain import measure_bars
from viz.figure import spec_of

TOKENS = ("▁the", "▁dog", "▁the", "</s>")
WEIGHTS = np.array([0.1, 0.6, 0.2, 0.1])
DROPS = np.array([0.0, 3.0, -0.5, np.nan])  # what cannot be left out has no drop
GRADIENT = np.array([0.1, -0.2, 0.0, 0.3])


def test_what_is_lost_and_of_what_is_named_by_who_shows_it():
    names = ("documents-agree-words", "documents-agree-drop")
    lines = measures_table(TOKENS, WEIGHTS, DROPS, GRADIENT)
    plain, named = (
        spec_of(measure_bars(lines, **more))["hconcat"][1] for more in ({}, {"names": names})
    )
    titles = [part["layer"][0]["encoding"]["x"]["title"] for part in (plain, named)]
    assert titles[0] != titles[1]
