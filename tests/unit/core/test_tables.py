"""Tables behind figures; their first values and sums are held by the snapshots of the figures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.explain import Explanation, mean_correlations, measures_table, needing_position
from core.gold import Aligned, GoldSet, error_table
from core.records.sources import TokenSequence
from core.records.tokens import log_prob_lines
from core.storage import ShareInterval
from core.weights.tables import attention_cells
from core.word_order import Equivariance, equivariance_table, layer_table
from support.figures import map_of

TOKENS = ("▁the", "▁dog", "▁the", "</s>")


def test_cells_hold_weights_ranks_and_scores_and_the_mask():
    attention = map_of(TOKENS, "decoder")
    attention = replace(attention, scores=np.log(attention.weights + 1))
    cells = attention_cells(attention, 1, 2, contrast=True)
    assert (cells["seen"] == (cells["k"] <= cells["q"])).all()
    for cell in cells[cells["seen"]].itertuples():
        row = attention.weights[1, 2, cell.q]
        assert cell.weight == row[cell.k]
        assert cell.rank == 1 + (row > cell.weight).sum()
        assert cell.shade == row[cell.k] / row.max()
        assert cell.score == attention.scores[1, 2, cell.q, cell.k]


def test_lines_of_tokens_keep_repeated_ones_apart_and_leave_out_what_is_no_number():
    row, gradient = np.array([0.1, 0.6, 0.2, 0.1]), np.array([0.1, -0.2, 0.0, 0.3])
    drops = np.array([0.0, 3.0, -0.5, np.nan])  # what cannot be left out has no drop
    table = measures_table(TOKENS, row, drops, gradient)
    assert list(table["token"]) == ["the₁", "dog", "the₂", "</s>"]
    expected = np.stack([row, drops, gradient], axis=1)
    np.testing.assert_array_equal(table[["attention", "drop", "gradient"]], expected)
    assert "attention" not in measures_table(TOKENS, None, drops, gradient)
    lines = log_prob_lines(["▁a", "▁b", "</s>"], [-1.0, -0.5, -0.25])
    assert lines["sum"].tolist() == [-1.0, -1.5, -1.75]
    means = mean_correlations(np.array([[[0.5, np.nan, 0.1], [np.nan, np.nan, np.nan]]]))
    np.testing.assert_allclose(means, [[0.3, np.nan]])


def _explanation(drops: list[list[float]]) -> Explanation:
    src, tgt = (
        TokenSequence(
            text="", tokens=tokens, ids=tuple(range(n)), offsets=((0, 0),) * n, unknown=(False,) * n
        )
        for tokens, n in ((("▁dog", ".", "</s>"), 3), (("▁Hund", ".", "</s>"), 3))
    )
    array = np.array(drops)
    none = np.zeros(3)
    return Explanation(src, tgt, "both", "spearman", none, array, array, None, None, none)


def test_the_word_that_needs_a_word_most_is_found_and_never_punctuation():
    nan = np.nan
    found = needing_position(_explanation([[0.5, 0.1, nan], [4.0, 9.0, nan], [5.0, 0.0, nan]]))
    assert found == 0
    assert needing_position(_explanation([[0.5, 0.6, nan], [4.0, 9.0, nan], [0, 0, nan]])) is None
    assert needing_position(_explanation([[-0.5, -0.6, nan]] * 3)) is None


def test_a_small_distance_is_not_called_nothing_and_rounding_is_that_of_the_largest_number():
    table = layer_table({"a": np.array([[0.0, 2.3e-6, 0.5]])}, ("a", "b", "c"), "distance")
    assert table["text"].tolist() == ["0.00", "2e-6", "0.50"]
    # Numbers from 2 to 4 are 2^(1 - 23) apart in float32, 2^(1 - 52) in float64.
    cases = [
        Equivariance(double, bits, ((0, 1), (1, 0)), np.array([0.5, 2.0]), 3.0)
        for double, bits in ((False, 32), (True, 64))
    ]
    assert equivariance_table(cases)["rounding"].unique().tolist() == [2.0**-22, 2.0**-51]


def test_maps_stand_by_their_alignment_error_and_name_layer_and_head_or_neither():
    def aligned(map: str, value: float, **place: int) -> Aligned:
        error = ShareInterval(value=value, low=value - 0.1, high=value + 0.1)
        return Aligned(map=map, reading="reads", error=error, precision=0.5, recall=0.25, **place)

    maps = [
        aligned("weight", 0.4, layer=1, head=2),
        aligned("diagonal", 0.6),
        aligned("mean", 0.3, layer=1),
        aligned("length", 0.2, layer=0, head=0),  # of another measure
    ]
    table = error_table(GoldSet(pairs=3, maps=maps), "reads", "weight")
    rows = list(table[["map", "layer", "head", "error"]].itertuples(index=False, name=None))
    assert rows == [("mean", 1, -1, 0.3), ("weight", 1, 2, 0.4), ("diagonal", -1, -1, 0.6)]
    assert table["low"].tolist() == [0.3 - 0.1, 0.4 - 0.1, 0.6 - 0.1]
