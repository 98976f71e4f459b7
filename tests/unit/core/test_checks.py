"""The self-check finds what is wrong and says how much."""

from dataclasses import replace

import numpy as np
import pytest

from core.attention import DECODER, AttentionMap, AttentionSite
from core.checks import self_check, shown_check
from core.transform import regroup

FUTURE = "figures-check-future"


@pytest.fixture
def sound() -> AttentionMap:
    weights = np.array([[[[1.0, 0.0, 0.0], [0.4, 0.6, 0.0], [0.2, 0.3, 0.5]]]], dtype=np.float32)
    tokens = ("<s>", "▁a", "▁b")
    mask = np.tril(np.ones((3, 3), bool))
    return AttentionMap(DECODER, weights, tokens, tokens, ("▁a", "▁b", "</s>"), mask=mask)


def damaged(attention: AttentionMap, **cells: float) -> AttentionMap:
    """A copy with cells overwritten, named by row and column: `_01=0.5`."""
    weights = attention.weights.copy()
    for place, value in cells.items():
        weights[0, 0, int(place[1]), int(place[2])] = value
    return replace(attention, weights=weights)


def failed(attention: AttentionMap) -> list[str]:
    return [check.title.id for check in self_check(attention) if not check.passed]


def test_all_kinds_of_a_model_pass(tiny_translator):
    record = tiny_translator.attend("The animal was too tired.", "Das Tier war zu müde.")
    assert [failed(attention) for attention in record.maps] == [[], [], []]


def test_rows_that_sum_to_less_by_design_are_said_so_and_are_no_fault():
    windowed = AttentionSite("local", "target", "source", normalised=False, window=1)
    weights = np.array([[[[0.25, 0.5], [0.125, 0.25]]]], np.float32)
    attention = AttentionMap(windowed, weights, ("▁a", "▁b"), ("▁a", "▁b"))
    check = self_check(attention)[2]
    assert check.passed
    assert "0.3750 to 0.7500" in str(check.measured)
    assert shown_check(regroup(attention)) == check
    assert not self_check(replace(attention, weights=2 * weights))[2].passed


def test_a_row_that_does_not_sum_to_one_is_found_and_measured(sound):
    broken = damaged(sound, _20=0.3)
    assert failed(broken) == ["figures-check-rows"]
    rows = next(check for check in self_check(broken) if check.title.id == "figures-check-rows")
    assert "1.0e-01 in 3 rows of 1 head" in str(rows.measured)


def test_the_smallest_future_weight_is_found(sound):
    broken = damaged(sound, _01=1e-30)
    assert failed(broken) == [FUTURE]
    future = self_check(broken)[-1]
    assert str(future.measured).startswith("1 of 3 masked weights")
    assert str(future.measured).endswith("1.0e-30")
    unmasked = self_check(replace(sound, mask=None))
    assert FUTURE not in [check.title.id for check in unmasked]


def test_a_negative_weight_and_one_that_is_no_number_are_found(sound):
    assert failed(damaged(sound, _10=-0.1, _11=1.1)) == ["figures-check-no-negative"]
    broken = failed(damaged(sound, _22=np.nan))
    assert {"figures-check-finite", "figures-check-rows"} <= set(broken)


@pytest.mark.parametrize("special", ["show", "hide", "renormalise"])
def test_what_is_shown_accounts_for_all_weight_and_what_got_lost_is_found(sound, special):
    shown = regroup(sound, special=special)
    check = shown_check(shown)
    assert check.passed
    empty = str(check.measured).endswith("no weight remains: 1")  # of one row nothing is left
    assert empty == (special == "renormalise")
    lost = replace(shown.attention, weights=shown.attention.weights * np.float32(0.9))
    assert not shown_check(replace(shown, attention=lost)).passed
