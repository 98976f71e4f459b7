"""The matrix of one head: the numbers around it and what is marked."""

import numpy as np
from figures import map_of

from core.attention import ENCODER, AttentionMap
from viz.figure import spec_of, tables_of
from viz.heatmap import attention_heatmap

TOKENS = ("▁the", "▁dog", "▁the", "</s>")


def test_repeated_tokens_keep_their_own_columns_and_rows_can_have_other_names():
    produced = ("▁Das", "▁Tier", ".", "</s>")
    tables = tables_of(attention_heatmap(map_of(TOKENS), 0, 0, row_tokens=produced))
    assert tables["columns"]["label"].tolist() == ["the₁", "dog", "the₂", "</s>"]
    assert tables["columns"]["k"].tolist() == [0, 1, 2, 3]
    assert tables["rows"]["label"].tolist() == ["Das", "Tier", ".", "</s>"]


def test_totals_are_the_sums_of_rows_and_columns():
    weights = np.array([[[[0.25, 0.75], [1.0, 0.0]]]], dtype=np.float32)
    tables = tables_of(attention_heatmap(AttentionMap(ENCODER, weights, "ab", "ab"), 0, 0))
    assert tables["rows"]["total"].tolist() == [1.0, 1.0]
    assert tables["columns"]["total"].tolist() == [1.25, 0.75]


def test_only_the_locked_rows_are_marked_and_the_first_has_bars():
    tables = tables_of(
        attention_heatmap(map_of(TOKENS), 0, 0, locked_rows=(2, 3), locked_columns=(1,))
    )
    assert tables["rows"]["locked"].tolist() == [False, False, True, True]
    assert tables["columns"]["locked"].tolist() == [False, True, False, False]
    assert set(tables["cells"].loc[tables["cells"]["locked"], "q"]) == {2}


def test_the_product_is_the_score_times_the_root_of_the_width():
    scores = np.zeros((2, 3, 4, 4), np.float32)
    for d_k, times in ((16, "datum.score * 4.0"), (None, None)):
        figure = attention_heatmap(map_of(TOKENS, scores=scores), 0, 0, d_k=d_k)
        layers = spec_of(figure)["vconcat"][0]["layer"]
        steps = [step for layer in layers for step in layer.get("transform", [])]
        worked_out = {step["as"]: step["calculate"] for step in steps if "as" in step}
        assert worked_out.get("product") == times
