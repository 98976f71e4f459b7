"""The area under the ROC curve: pairs counted by hand, and the interval of Hanley and McNeil."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.auc import auc, auc_interval


@pytest.mark.parametrize(
    ("values", "good", "expected"),
    [
        # Good 3 and 1 against bad 2 and 1: right, right; wrong, equal. (2 + 1/2) of 4.
        ([3, 1, 2, 1], [True, True, False, False], 2.5 / 4),
        ([1, 2, 3], [False, False, True], 1.0),
        ([3, 2, 1], [False, False, True], 0.0),
        ([1, 2], [True, True], math.nan),
    ],
    ids=["two pairs and a half", "all", "none", "no pair"],
)
def test_the_auc_is_the_share_of_pairs_in_the_right_order(values, good, expected):
    assert auc(values, good) == pytest.approx(expected, nan_ok=True)


def test_pairs_within_a_set_are_counted_set_by_set():
    # One set: good 4 over bad 3; the other: good 1 under bad 2. Across sets 4 > 2 and 1 < 3.
    values, good = [4, 3, 1, 2], [True, False, True, False]
    assert auc(values, good) == 2 / 4
    assert auc(values, good, ["a", "a", "b", "b"]) == 1 / 2
    # What tells the sets apart and nothing else tells nothing within them.
    assert auc([2, 2, 1, 1], [True, False, True, False], ["a", "a", "b", "b"]) == 1 / 2
    assert math.isnan(auc([2, 1], [True, False], ["a", "b"]))


def test_the_interval_of_an_auc_is_that_of_hanley_and_mcneil():
    """Their standard error from the AUC and the two counts, equation 2."""
    rng = np.random.default_rng(0)
    good = rng.random(600) < 0.4
    values = rng.normal(size=600) + good
    found, n, m = auc_interval(values, good), good.sum(), (~good).sum()
    a = found.value
    q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
    error = math.sqrt((a * (1 - a) + (n - 1) * (q1 - a * a) + (m - 1) * (q2 - a * a)) / (n * m))
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * error, rel=0.12)
    assert found.low < a < found.high
