"""The cells of one head."""

import numpy as np
from figures import map_of

from core.attention import ENCODER, AttentionMap
from core.tables import attention_cells

TOKENS = ("▁the", "▁dog", "▁the", "</s>")


def test_cells_hold_the_weights_and_ranks_of_the_asked_head():
    attention = map_of(TOKENS)
    cells = attention_cells(attention, 1, 2)
    assert len(cells) == 16
    assert "seen" not in cells
    for cell in cells.itertuples():
        row = attention.weights[1, 2, cell.q]
        assert cell.weight == row[cell.k]
        assert cell.rank == 1 + (row > cell.weight).sum()


def test_masked_cells_are_told_apart():
    cells = attention_cells(map_of(TOKENS, "decoder"), 0, 1)
    assert (cells["seen"] == (cells["k"] <= cells["q"])).all()


def test_scores_are_those_before_the_mask_and_zero_weights_stay():
    weights = np.array([[[[0.5, 0.5], [1.0, 0.0]]]], dtype=np.float32)
    scores = np.array([[[[1.0, 1.0], [3.0, -2.0]]]], dtype=np.float32)
    attention = AttentionMap(ENCODER, weights, ("▁a", "▁b"), ("▁a", "▁b"), scores=scores)
    assert attention_cells(attention, 0, 0)["score"].tolist() == [1.0, 1.0, 3.0, -2.0]


def test_contrast_divides_by_the_largest_of_the_row_and_leaves_the_weight():
    attention = map_of(TOKENS)
    plain, contrast = (attention_cells(attention, 0, 0, contrast=c) for c in (False, True))
    assert contrast["weight"].tolist() == plain["weight"].tolist()
    assert contrast.groupby("q")["shade"].max().tolist() == [1.0] * 4
