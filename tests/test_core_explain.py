"""Mean correlations, with heads and tokens that have none."""

from __future__ import annotations

import numpy as np
import pytest

from core.explain import mean_correlations, measures_table

TOKENS = ("▁the", "▁dog", "▁the", "</s>")
WEIGHTS = np.array([0.1, 0.6, 0.2, 0.1])
DROPS = np.array([0.0, 3.0, -0.5, np.nan])  # what cannot be left out has no drop
GRADIENT = np.array([0.1, -0.2, 0.0, 0.3])


def test_tokens_without_a_correlation_are_left_out_of_the_mean():
    per_token = np.array([[[0.5, np.nan, 0.1], [np.nan, np.nan, np.nan]]])
    means = mean_correlations(per_token)
    assert means[0, 0] == pytest.approx(0.3)
    assert np.isnan(means[0, 1])


def test_repeated_tokens_keep_their_own_lines():
    table = measures_table(TOKENS, WEIGHTS, DROPS, GRADIENT)
    assert list(table["token"]) == ["the₁", "dog", "the₂", "</s>"]
    expected = np.stack([WEIGHTS, DROPS, GRADIENT], axis=1)
    np.testing.assert_array_equal(table[["attention", "drop", "gradient"]], expected)
    assert "attention" not in measures_table(TOKENS, None, DROPS, GRADIENT)


def test_a_measure_too_short_is_refused():
    with pytest.raises(ValueError, match=r"\[3, 4\]"):
        measures_table(TOKENS, WEIGHTS, DROPS[:3], GRADIENT)
