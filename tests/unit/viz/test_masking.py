"""Drawings of masks and of what a softmax makes of its scores with and without them."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from core.attention_masks import head_stages
from viz.attention_masks import (
    MaskPanel,
    masks_figure,
    masks_table,
    outside_table,
    ranking_figure,
    ranking_table,
    stages_figure,
    stages_table,
)
from viz.figure import selection_of, spec_of, tables_of

CAUSAL = np.tri(3, dtype=bool)
TOKENS = ("<s>", "▁das", "▁das")
WEIGHTS = np.array([[0.2, 0.5, 0.3], [0.1, 0.2, 0.7], [0.3, 0.3, 0.4]])


@pytest.fixture
def stages():
    scores = np.array([[0.0, math.log(3), 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, math.log(2)]])
    return head_stages(scores, CAUSAL)


def masks(*shown):
    return [MaskPanel(str(i), mask, TOKENS, TOKENS) for i, mask in enumerate(shown)]


def test_hatching_crosses_every_forbidden_cell_and_no_other():
    mask = np.array([[1, 0, 1, 0], [1, 1, 0, 0], [0, 1, 1, 1]], bool)
    panel = MaskPanel("", mask, TOKENS, (*TOKENS, "a"))
    path = tables_of(masks_figure([panel]))["hatch0"]["link"][0]
    crossed = np.zeros(mask.shape, int)
    for line in re.findall(r"M(\d+),(\d+)l(\d+),-(\d+)", path):
        x, y, right, up = map(int, line)
        crossed[range(y - 1, y - 1 - up, -1), range(x, x + right)] += 1
    np.testing.assert_array_equal(crossed, ~mask)
    # Touching cells share a line.
    long = MaskPanel("", np.tri(60, dtype=bool), TOKENS * 20, TOKENS * 20)
    assert tables_of(masks_figure([long]))["hatch0"]["link"][0].count("l") == 117


def test_a_click_says_in_every_panel_which_row_and_drawing(stages):
    figure = stages_figure(stages, TOKENS, TOKENS, row=1, click=4)
    assert selection_of(figure) == "cell"
    (selection,) = spec_of(figure)["params"]
    assert len(set(selection["views"])) == 8
    tables = tables_of(figure)
    for name in ("cells", "rows", "bars", "infinite"):
        assert set(tables[name]["click"]) == {4}
        # Numbers of 64 bits would come back from a click as no numbers at all.
        assert all(tables[name][part].dtype.itemsize < 8 for part in ("q", "click"))
    assert tables["rows"]["chosen"].tolist() == [False, True, False]


def test_a_long_sentence_is_drawn_as_images():
    tokens = TOKENS * 20
    found = head_stages(np.random.default_rng(0).normal(size=(60, 60)), np.tri(60, dtype=bool))
    tables = tables_of(stages_figure(found, tokens, tokens))
    assert len(tables["picture"]) == 7
    assert sum(map(len, tables.values())) < 250


def test_tables_have_every_cell_and_say_what_masks_forbid(stages):
    row = stages_table(stages, TOKENS, TOKENS).iloc[1]
    assert (row["q"], row["k"], row["may_look"]) == (0, 1, False)
    assert row["score"] == pytest.approx(math.log(3))
    assert (row["weight"], row["weight_without_mask"]) == pytest.approx((0, 3 / 5))
    table = outside_table(WEIGHTS, CAUSAL, TOKENS, TOKENS)
    assert table.loc[table["outside"], "weight"].tolist() == [0.5, 0.3, 0.7]
    of_masks = masks_table(masks(CAUSAL, CAUSAL | True))
    assert of_masks.groupby("mask")["may_look"].sum().to_dict() == {"0": 6, "1": 9}


def test_heads_are_ranked_by_their_share_and_the_chosen_one_stays_in_a_long_ranking():
    ranked = ranking_table(np.array([[0.1, 0.4], [0.3, 0.2]]))
    heads = list(zip(ranked["layer"], ranked["head"], strict=True))
    assert heads == [(1, 2), (2, 1), (2, 2), (1, 1)]
    assert ranked["share"].tolist() == [0.4, 0.3, 0.2, 0.1]
    ranked = ranking_table(np.linspace(1, 0, 32).reshape(4, 8))
    bars = tables_of(ranking_figure(ranked, chosen=(3, 7), most=5))["bars"]
    assert len(bars) == 6
    assert bars.loc[bars["chosen"], "label"].tolist() == ["L4 H8"]
