"""Mean correlations, with heads and tokens that have none."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.explain import mean_correlations


def test_tokens_without_a_correlation_are_left_out_of_the_mean():
    per_token = np.array([[[0.5, np.nan, 0.1], [np.nan, np.nan, np.nan]]])
    means = mean_correlations(per_token)
    assert means[0, 0] == pytest.approx(0.3)
    assert np.isnan(means[0, 1])
