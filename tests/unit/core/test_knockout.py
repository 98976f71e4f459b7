"""Heads switched off in tables: what was hit, and where each stands along an axis."""

from __future__ import annotations

import numpy as np

from core.knockout import head_places, knockout_table, plain_choices
from support.figures.knockout import knock_out

HEADS = (("encoder", 0, 0), ("encoder", 1, 0), ("decoder", 0, 0), ("cross", 0, 0))


def found(**more):
    """Four heads and two tokens; head 1 hurts, head 3 helps when it is gone."""
    changes = [[0.0, 0.0], [-2.0, -0.125], [-0.25, -0.5], [0.25, 0.125]]
    shares = [[0.75, 0.25], [0.25, 0.5], [0.5, 0.25], [1, 0]]
    return knock_out(HEADS, changes, [-0.5, -0.25], shares, **more)


def test_the_table_holds_changes_hardest_hit_tokens_and_choices():
    table = knockout_table(found())
    assert list(table["change"]) == [0.0, -2.125, -0.75, 0.375]
    assert table.loc[2, ["token", "token_change"]].tolist() == ["war", -0.5]
    assert list(table["name"]) == ["encoder L1 H1", "encoder L2 H1", "decoder L1 H1", "cross L1 H1"]
    assert list(table["P(es)"]) == [0.75, 0.25, 0.5, 1.0]
    assert list(table["P(sie)"]) == [0.25, 0.5, 0.25, 0.0]
    assert list(table["changed"]) == [False, True, False, False]  # by their pieces


def test_ranked_heads_stand_lowest_first_and_equal_ones_keep_their_order():
    for values, places in (([0.0, -2.0, 3.0, -1.0], [2, 0, 3, 1]), ([0.0] * 4, [0, 1, 2, 3])):
        assert list(head_places(HEADS, np.array(values), ranked=True)["place"]) == places


def test_by_place_kinds_stand_further_apart_than_layers_and_layers_than_heads():
    heads = (("encoder", 0, 0), ("encoder", 0, 1), ("encoder", 1, 0), ("decoder", 1, 0))
    lines = head_places(heads, np.zeros(4), ranked=False)
    head, layer, kind = np.diff(lines["place"])
    assert head < layer < kind


def test_the_labels_of_the_plain_lines_do_not_cover_each_other():
    even = found(plain_choice_probs=np.array([0.5, 0.5], np.float32))
    first, second = plain_choices(even, 190)["place"]
    assert (first - second) * 190 >= 12
