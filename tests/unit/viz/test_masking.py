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
    pair_figure,
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


def pair(stages, tokens=TOKENS, step="weight", **more):
    values = {
        "score": (stages.scores, stages.scores),
        "exp": (stages.terms, stages.free_terms),
        "weight": (stages.weights, stages.free_weights),
    }[step]
    matrices = dict(zip(("with", "without"), values, strict=True))
    return pair_figure(matrices, stages.mask, (tokens, tokens), step=step, **more)


def test_a_click_says_in_every_panel_which_row_and_drawing(stages):
    figure = pair(stages, step="score", row=1, click=4)
    assert selection_of(figure) == "cell"
    (selection,) = spec_of(figure)["params"]
    assert len(set(selection["views"])) == 3
    tables = tables_of(figure)
    for name in ("cells", "rows", "bars", "infinite"):
        assert set(tables[name]["click"]) == {4}
        # Numbers of 64 bits would come back from a click as no numbers at all.
        assert all(tables[name][part].dtype.itemsize < 8 for part in ("q", "click"))
    assert tables["rows"]["chosen"].tolist() == [False, True, False]


@pytest.mark.parametrize("step", ["score", "exp", "weight"])
def test_bars_show_at_every_step_the_weight_that_moved_to_masked_keys(stages, step):
    assert tables_of(pair(stages, step=step))["bars"]["value"].tolist() == pytest.approx(
        stages.moved
    )


def test_a_long_sentence_is_drawn_as_images():
    tokens = TOKENS * 20
    stages = head_stages(np.random.default_rng(0).normal(size=(60, 60)), np.tri(60, dtype=bool))
    tables = tables_of(pair(stages, tokens))
    assert len(tables["picture"]) == 3
    assert sum(map(len, tables.values())) < 250


@pytest.mark.parametrize("step", ["exp", "weight"])
def test_every_cell_without_the_mask_has_one_of_two_colours(stages, step):
    cells = tables_of(pair(stages, step=step))["cells"]
    places = {
        panel: {*zip(part["q"], part["k"], strict=True)} for panel, part in cells.groupby("panel")
    }
    lower = {*zip(*np.tril_indices(3), strict=True)}
    upper = {*zip(*np.triu_indices(3, 1), strict=True)}
    assert places == {0: lower, 1: lower, 2: upper}


def test_tables_have_every_cell_and_say_what_masks_forbid(stages):
    row = stages_table(stages, TOKENS, TOKENS).iloc[1]
    assert (row["q"], row["k"], row["may_look"]) == (0, 1, False)
    assert row["score"] == pytest.approx(math.log(3))
    assert (row["weight"], row["weight_without_mask"]) == pytest.approx((0, 3 / 5))
    table = outside_table(WEIGHTS, CAUSAL, TOKENS, TOKENS)
    assert table.loc[table["outside"], "weight"].tolist() == [0.5, 0.3, 0.7]
    of_masks = masks_table(masks(CAUSAL, CAUSAL | True))
    assert of_masks.groupby("mask")["may_look"].sum().to_dict() == {"0": 6, "1": 9}
