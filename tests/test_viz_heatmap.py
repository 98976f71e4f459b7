"""The matrix of one head, tested on its tables and its specification."""

import json
import re

import altair as alt
import numpy as np
import pytest

from records import ENCODER, TRANSFORMER_SITES, AttentionMap
from viz.heatmap import attention_cells, attention_heatmap
from viz.look import Look
from words import english


def make_map(kind="encoder", n_rows=4, n_columns=4, tokens=None) -> AttentionMap:
    rng = np.random.default_rng(3)
    mask = np.tril(np.ones((n_rows, n_columns), bool)) if kind == "decoder" else None
    logits = rng.normal(size=(2, 3, n_rows, n_columns))
    weights = np.exp(logits) * (1 if mask is None else mask)
    weights /= weights.sum(axis=-1, keepdims=True)
    keys = tokens or tuple(f"▁w{i}" for i in range(n_columns))
    queries = keys if n_rows == n_columns else tuple(f"▁q{i}" for i in range(n_rows))
    return AttentionMap(
        TRANSFORMER_SITES[kind], weights.astype(np.float32), queries, keys, mask=mask
    )


def views(figure):
    """Every unit of the specification, layers and concatenations opened."""
    pending = [figure.chart]
    while pending:
        view = pending.pop()
        yield view
        pending += view.get("layer", []) + view.get("vconcat", [])


def test_repeated_tokens_keep_their_own_columns():
    attention = make_map(tokens=("▁the", "▁dog", "▁the", "</s>"))
    cells = attention_cells(attention, 0, 0)
    assert len(cells) == 16
    assert not cells.duplicated(["q", "k"]).any()
    columns = attention_heatmap(attention, 0, 0).tables["columns"]
    assert columns["label"].tolist() == ["the₁", "dog", "the₂", "</s>"]
    assert columns["k"].tolist() == [0, 1, 2, 3]


def test_cells_hold_the_weights_of_the_asked_head():
    attention = make_map()
    cells = attention_cells(attention, 1, 2)
    for cell in cells.itertuples():
        assert cell.weight == attention.weights[1, 2, cell.q, cell.k]


def test_masked_cells_are_told_apart():
    cells = attention_cells(make_map("decoder"), 0, 1)
    assert (cells["seen"] == (cells["k"] <= cells["q"])).all()


def test_masked_cells_have_no_colour():
    vl_convert = pytest.importorskip("vl_convert")
    figure = attention_heatmap(make_map("decoder"), 0, 1)
    svg = vl_convert.vegalite_to_svg(json.dumps(figure.to_dict()))
    drawn = re.findall(r'aria-roledescription="rect mark"[^>]*fill="([^"]*)"', svg)
    assert len(drawn) == 10
    assert "transparent" not in drawn


def test_scores_are_given_before_and_after_scaling():
    weights = np.array([[[[0.5, 0.5], [1.0, 0.0]]]], dtype=np.float32)
    scores = np.array([[[[1.0, 1.0], [3.0, -2.0]]]], dtype=np.float32)
    attention = AttentionMap(ENCODER, weights, ("▁a", "▁b"), ("▁a", "▁b"), scores=scores)
    cells = attention_cells(attention, 0, 0, d_k=16)
    assert cells["score"].tolist() == [1.0, 1.0, 3.0, -2.0]
    assert cells["product"].tolist() == [4.0, 4.0, 12.0, -8.0]
    assert "product" not in attention_cells(attention, 0, 0)


def test_totals_are_the_sums_of_rows_and_columns():
    weights = np.array([[[[0.25, 0.75], [1.0, 0.0]]]], dtype=np.float32)
    attention = AttentionMap(ENCODER, weights, ("▁a", "▁b"), ("▁a", "▁b"))
    figure = attention_heatmap(attention, 0, 0)
    assert figure.tables["rows"]["total"].tolist() == [1.0, 1.0]
    assert figure.tables["columns"]["total"].tolist() == [1.25, 0.75]


def test_a_weight_of_zero_is_drawn_when_it_is_not_masked():
    weights = np.array([[[[1.0, 0.0], [0.0, 1.0]]]], dtype=np.float32)
    attention = AttentionMap(ENCODER, weights, ("▁a", "▁b"), ("▁a", "▁b"))
    assert len(attention_cells(attention, 0, 0)) == 4


@pytest.mark.parametrize("contrast", [False, True])
@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_the_colour_domain_is_fixed_from_zero_to_one(kind, contrast):
    figure = attention_heatmap(make_map(kind), 0, 0, contrast=contrast)
    colours = [
        view["encoding"]["color"]
        for view in views(figure)
        if view.get("encoding", {}).get("color", {}).get("field") in ("shade", "weight")
    ]
    assert len(colours) == 1
    assert colours[0]["scale"]["domain"] == [0, 1]
    assert colours[0]["legend"] is not None
    assert ("÷" in colours[0]["title"]) is contrast


def test_contrast_changes_the_shade_and_leaves_the_weight():
    attention = make_map()
    plain = attention_cells(attention, 0, 0)
    contrast = attention_cells(attention, 0, 0, contrast=True)
    assert contrast["weight"].tolist() == plain["weight"].tolist()
    assert contrast.groupby("q")["shade"].max().tolist() == [1.0] * 4


def test_rows_can_be_named_by_other_tokens():
    attention = make_map()
    produced = ("▁Das", "▁Tier", ".", "</s>")
    figure = attention_heatmap(attention, 0, 0, row_tokens=produced)
    assert figure.tables["rows"]["label"].tolist() == ["Das", "Tier", ".", "</s>"]
    assert figure.tables["columns"]["label"].tolist() == ["w0", "w1", "w2", "w3"]


def test_only_the_locked_rows_are_marked_and_the_first_has_bars():
    figure = attention_heatmap(make_map(), 0, 0, locked_rows=(2, 3), locked_columns=(1,))
    assert figure.tables["rows"]["locked"].tolist() == [False, False, True, True]
    assert figure.tables["columns"]["locked"].tolist() == [False, True, False, False]
    cells = figure.tables["cells"]
    assert set(cells.loc[cells["locked"], "q"]) == {2}


def test_all_that_differs_between_heads_is_data():
    attention = make_map()
    first = attention_heatmap(attention, 0, 0, locked_rows=(1,))
    second = attention_heatmap(attention, 1, 2)
    assert first.chart == second.chart


def test_no_text_of_the_sentence_enters_the_specification():
    tokens = ("▁</script><b>", "▁datum.q", "▁\"'];alert(1)", "</s>")
    figure = attention_heatmap(make_map(tokens=tokens), 0, 0)
    specification = json.dumps(figure.chart)
    assert "alert" not in specification
    assert "<b>" not in specification


def test_axes_say_who_attends_to_whom():
    titles = {
        view["encoding"][axis].get("title")
        for view in views(attention_heatmap(make_map("cross", 3, 5), 0, 0))
        for axis in ("x", "y")
        if axis in view.get("encoding", {})
    }
    assert {english("figures-matrix-query-attends"), english("figures-matrix-key")} <= titles


def test_labels_take_the_colour_of_the_page_whatever_its_theme():
    for dark in (False, True):
        labels = [
            view
            for view in views(Look(dark=dark)(attention_heatmap, make_map(), 0, 0))
            if view.get("encoding", {}).get("text", {}).get("field") == "label"
        ]
        assert len(labels) == 2
        assert {view["encoding"]["color"]["value"] for view in labels} == {"currentColor"}


def test_source_and_target_may_differ_in_length():
    figure = attention_heatmap(make_map("cross", 3, 5), 0, 0)
    assert len(figure.tables["cells"]) == 15
    assert len(figure.tables["rows"]) == 3
    assert len(figure.tables["columns"]) == 5


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("dark", [False, True])
def test_vega_draws_the_figure(kind, dark):
    vl_convert = pytest.importorskip("vl_convert")
    figure = Look(dark=dark)(attention_heatmap, make_map(kind), 0, 0, locked_rows=(2,))
    alt.Chart.from_dict(figure.chart)
    svg = vl_convert.vegalite_to_svg(json.dumps(figure.to_dict()))
    assert english("figures-matrix-query-attends") in svg
    cells = attention_cells(make_map(kind), 0, 0)
    assert svg.count('aria-roledescription="rect mark"') == cells["seen"].sum()
