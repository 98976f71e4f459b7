"""Scale of roots: when an axis needs one, and its ticks."""

import math

import numpy as np
import pandas as pd
import pytest

from viz.root_scale import is_squeezed, root_ticks, signed_root

EVEN = pd.Series(np.linspace(-1, 1, 20))
WITH_OUTLIER = pd.Series([*np.linspace(-0.05, 0, 19), -0.53])


@pytest.mark.parametrize(
    ("values", "squeezed"),
    [
        (EVEN, False),
        (WITH_OUTLIER, True),
        (-WITH_OUTLIER, True),
        (pd.Series([*WITH_OUTLIER, math.nan]), True),
        (pd.Series([0.5] * 5), False),
        (pd.Series([math.nan, 0.5]), False),
        (pd.Series([], dtype=float), False),
    ],
)
def test_an_axis_is_squeezed_if_few_numbers_stand_far_from_nearly_all(values, squeezed):
    assert is_squeezed(values) is squeezed


def test_roots_keep_sign_and_order_and_give_small_numbers_more_room():
    roots = signed_root(WITH_OUTLIER)
    assert list(np.argsort(roots)) == list(np.argsort(WITH_OUTLIER))
    assert roots.iloc[-1] == pytest.approx(-math.sqrt(0.53))
    near, whole = roots.iloc[:-1], roots
    assert np.ptp(near) / np.ptp(whole) > 3 * np.ptp(WITH_OUTLIER[:-1]) / np.ptp(WITH_OUTLIER)


@pytest.mark.parametrize("values", [WITH_OUTLIER, -1000 * WITH_OUTLIER, WITH_OUTLIER / 50])
def test_ticks_are_zero_and_round_numbers_that_keep_their_distance(values):
    ticks = root_ticks(values)
    at, written = np.array(ticks["tickvals"]), ticks["ticktext"]
    numbers = [float(text.replace("−", "-")) for text in written]
    assert 0 in numbers
    assert 4 <= len(numbers) <= 12
    assert at == pytest.approx([math.copysign(math.sqrt(abs(n)), n) for n in numbers])
    assert np.diff(at).min() >= 0.09 * np.ptp(signed_root(values)) * 0.999
    assert all(f"{abs(n):e}"[0] in "0125" for n in numbers)
