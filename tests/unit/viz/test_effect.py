"""Figures of what a change does and of two sentences: the numbers, against sums by hand."""

from __future__ import annotations

import numpy as np
import pytest
from unit.core.test_effect import candidates

from core.effect import log_prob_changes, next_tokens
from viz import effect
from viz.figure import side_by_side, tables_of

TOKENS = ("▁the", "▁dog", "▁the")


@pytest.mark.parametrize(
    ("before", "after", "range_"),
    [([-1] * 3, [-1.001] * 3, [-0.5, 0.1]), ([-1, -9, -1], [-8, -1, -1], [-7, 8])],
)
def test_tiny_changes_do_not_fill_the_picture_and_large_ones_are_in_it(before, after, range_):
    changes = log_prob_changes(TOKENS, before, after)
    ends = tables_of(effect.log_prob_bars(changes))["ends"]["change"]
    assert ends.tolist() == range_


def test_the_chart_of_next_tokens_is_the_same_for_any_number_and_marks_the_written_one():
    sides = [candidates(*([-1.0] * n), ids=tuple(range(n))) for n in (2, 6)]
    few, more = (effect.next_token_bars(next_tokens(s, s), written=1) for s in sides)
    assert few._args is more._args
    assert few.layer is more.layer
    assert tables_of(few)["tokens"]["label"].tolist() == ["w0", "▸ w1"]


def test_side_by_side_both_keep_their_numbers():
    weights = np.array([[0.25, 0.75]], np.float32)
    one = effect.weight_matrix(weights, ("▁a",), TOKENS[:2], kind="cross")
    other = effect.difference_matrix(weights, weights[:, ::-1], ("▁a",), TOKENS[:2])
    both = tables_of(side_by_side({"one": one, "two": other}))
    assert both["cells0"]["value"].tolist() == [0.25, 0.75]
    assert both["cells1"]["value"].tolist() == [0.5, -0.5]
