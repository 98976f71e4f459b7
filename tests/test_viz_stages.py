"""Drawings of the arithmetic of one row: their tables, their colours, and a real Vega."""

import re

import altair as alt
import numpy as np
import pytest
from conftest import SENTENCES
from test_analysis_arithmetic import random_map

from analysis.arithmetic import largest_shares, scaling_effect, staged
from viz.export import figure_svg
from viz.look import Look
from viz.stages import (
    contribution_matrix,
    most_rows,
    output_figure,
    output_parts,
    scaling_curves,
    share_table,
    vector_bars,
)
from viz.strips import (
    ROOM_BESIDE,
    Strip,
    scaling_strips,
    short_number,
    stage_strips,
    strip_cells,
    strips_figure,
)
from words import english


@pytest.fixture(scope="module")
def record(tiny_translator):
    return tiny_translator.attend(SENTENCES[0], SENTENCES[1])


@pytest.fixture(scope="module")
def stages(tiny_translator, record):
    """The third row of a decoder head, so that some keys are masked."""
    vectors = {entry.kind: entry for entry in tiny_translator.vectors(record)}
    return staged(vectors["decoder"], record.decoder, 1, 2, 2)


def views(figure):
    """Every unit of the specification, layers and concatenations opened."""
    pending = [figure.chart]
    while pending:
        view = pending.pop()
        yield view
        for name in ("layer", "vconcat", "hconcat"):
            pending += view.get(name, [])


def colour_bars(figure):
    return [
        view["encoding"]["color"]["legend"]
        for view in views(figure)
        if view.get("encoding", {}).get("color", {}).get("legend")
    ]


def test_the_last_row_is_the_sum_of_all_weights(stages):
    shares = largest_shares(stages, 2, always=0)
    rows = share_table(shares, stages, tuple(f"▁w{i}" for i in range(len(stages.dots))))
    assert rows["label"].tolist()[-1] == english("figures-stages-context")
    assert rows["weight"].tolist()[-1] == "1.00"


def test_masked_cells_are_absent_where_the_mask_has_done_its_work(stages, record):
    cells = strip_cells(stage_strips(stages), record.decoder.key_tokens)
    n_keys = len(stages.dots)
    assert cells.groupby("strip").size().tolist() == [n_keys, n_keys, n_keys, 3, 3]
    mask = cells[cells["strip"] == 2]
    assert mask["text"].tolist() == ["0"] * 3 + ["−∞"] * (n_keys - 3)
    assert mask["value"].isna().tolist() == [False] * 3 + [True] * (n_keys - 3)


def test_the_cells_hold_the_numbers_of_their_stage(stages, record):
    cells = strip_cells(stage_strips(stages), record.decoder.key_tokens)
    last = cells[cells["strip"] == 4]
    np.testing.assert_allclose(last["value"], stages.weights[:3])
    np.testing.assert_allclose(cells[cells["strip"] == 0]["value"], stages.dots)


def test_there_is_no_row_for_a_mask_that_hides_nothing():
    found = staged(*random_map(), 0, 0, 0)
    assert [strip.title for strip in stage_strips(found)] == [
        "q · k", "÷ √4", "exp(· − max)", "÷ sum = weight"
    ]  # fmt: skip


def test_every_coloured_row_has_its_own_colour_bar(stages, record):
    figure = strips_figure(stage_strips(stages), record.decoder.key_tokens, kind="decoder")
    assert len(colour_bars(figure)) == 4
    assert figure.chart["resolve"]["scale"]["color"] == "independent"


def test_signed_colours_reach_as_far_below_zero_as_above(stages, record):
    figure = strips_figure(stage_strips(stages), record.decoder.key_tokens, kind="decoder")
    limits = figure.tables["limits"]
    for strip, values in ((0, stages.dots), (1, stages.scores)):
        expected = [-np.abs(values).max(), np.abs(values).max()]
        assert limits[limits["strip"] == strip]["value"].tolist() == expected


def test_weights_are_coloured_on_the_fixed_range_from_zero_to_one(stages, record):
    figure = strips_figure(scaling_strips(stages), record.decoder.key_tokens, kind="decoder")
    domains = [
        view["encoding"]["color"]["scale"]["domain"]
        for view in views(figure)
        if view.get("encoding", {}).get("color", {}).get("legend")
    ]
    assert domains == [[0, 1], [0, 1]]


@pytest.mark.parametrize("dark", [False, True])
def test_numbers_are_dark_on_pale_cells_and_pale_on_dark_ones(dark):
    strip = Strip("weight", np.array([0.0, 1.0]), "share")
    cells = Look(dark=dark)(strip_cells, [strip], ("▁a", "▁b"), kind="encoder")
    black, white = "#000000", "#ffffff"
    assert cells["ink"].tolist() == ([white, black] if dark else [black, white])


@pytest.mark.parametrize(
    ("value", "text"),
    [(13.416, "13.42"), (-0.001, "0.00"), (-2.5, "−2.50"), (123.45, "123.5"), (99.999, "100.0")],
)
def test_short_numbers(value, text):
    assert short_number(value) == text


def test_bars_hold_query_key_and_product(stages):
    bars = vector_bars(stages, 1).tables["bars"]
    np.testing.assert_allclose(bars["q"] * bars["k"], bars["product"])
    assert bars["component"].tolist() == [1, 2, 3, 4]


def test_the_matrix_ends_with_the_context(stages, record):
    shares = largest_shares(stages, most_rows(stages.d_k), always=0)
    cells = contribution_matrix(shares, stages, record.decoder.key_tokens).tables["cells"]
    last = cells[cells["row"] == cells["row"].max()]
    np.testing.assert_allclose(last["value"], stages.context)


def test_the_parts_drawn_add_up_to_the_output(stages):
    *parts, output = output_parts(stages).values()
    np.testing.assert_allclose(sum(parts), output)
    assert len(parts) == 3


def test_a_layer_of_one_head_has_no_other_heads():
    found = staged(*random_map(n_heads=1), 0, 0, 0)
    *parts, output = output_parts(found).values()
    assert len(parts) == 2
    np.testing.assert_allclose(sum(parts), output)


def test_the_block_of_this_head_is_marked(stages):
    blocks = output_figure(stages).tables["blocks"]
    assert blocks["chosen"].tolist() == [False, False, True, False]
    assert blocks["start"].tolist() == [0, 4, 8, 12]


def test_curves_and_own_row_name_the_same_two_cases(stages):
    tables = scaling_curves(scaling_effect(5), stages).tables
    assert set(tables["curves"]["name"]) == set(tables["own"]["name"])
    assert len(tables["own"]) == 2


def test_charts_are_built_once_and_filled_anew():
    first = staged(*random_map(seed=1), 0, 0, 0)
    second = staged(*random_map(seed=2), 0, 1, 4)
    tokens = tuple(f"▁w{i}" for i in range(6))
    charts = [
        strips_figure(stage_strips(found), tokens, kind="encoder", chosen=1)
        for found in (first, second)
    ]
    assert charts[0].chart == charts[1].chart
    assert (
        charts[0].tables["cells"]["value"].tolist() != charts[1].tables["cells"]["value"].tolist()
    )


@pytest.mark.parametrize("n_keys", [1, 14, 40, 90])
def test_strips_fit_the_schema_of_vega_lite(n_keys):
    found = staged(*random_map("decoder", n_keys=n_keys), 0, 0, n_keys // 2)
    tokens = tuple(f"▁w{i}" for i in range(n_keys))
    figure = strips_figure(stage_strips(found), tokens, kind="decoder", chosen=0)
    chart = alt.Chart.from_dict(figure.chart)
    assert len(chart.vconcat) == len(stage_strips(found))


def test_of_labels_that_would_overlap_the_chosen_one_stays():
    found = staged(*random_map(n_keys=90), 0, 0, 0)
    tokens = tuple(f"▁w{i}" for i in range(90))
    keys = strips_figure(stage_strips(found), tokens, kind="encoder", chosen=7).tables["keys"]
    assert keys["label"].tolist()[4:11] == ["w4", "", "", "w7", "", "", "w10"]


@pytest.mark.parametrize("n_keys", [1, 2, 40, 128])
def test_any_number_of_keys_can_be_drawn_by_a_real_vega(n_keys):
    vl_convert = pytest.importorskip("vl_convert")
    found = staged(*random_map("decoder", n_keys=n_keys), 0, 0, n_keys - 1)
    tokens = tuple(f"▁w{i}" for i in range(n_keys))
    shares = largest_shares(found, 3, always=0)
    for figure in (
        strips_figure(stage_strips(found), tokens, kind="decoder", chosen=0),
        contribution_matrix(shares, found, tokens, chosen=0),
        output_figure(found),
        vector_bars(found, 0),
        scaling_curves(scaling_effect(n_keys), found),
    ):
        alt.Chart.from_dict(figure.chart)
        assert vl_convert.vegalite_to_svg(figure.to_dict()).startswith("<svg")


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_the_arithmetic_of_a_sentence_fits_beside_all_heads(kind):
    """A page of 1280 pixels leaves 565 to it; the tokens are those of the first sentence."""
    words = [
        "The",
        "animal",
        "didn",
        "'",
        "t",
        "cross",
        "the",
        "street",
        "because",
        "it",
        "was",
        "too",
        "tired",
        ".",
        "</s>",
    ]
    tokens = tuple(f"▁{word}" for word in words)
    found = staged(*random_map(kind, n_keys=len(words), d_k=32, n_heads=8), 0, 7, 9)
    shares = largest_shares(found, most_rows(32), always=1)
    figures = {
        "strips": strips_figure(stage_strips(found), tokens, kind=kind, chosen=1, room=ROOM_BESIDE),
        "values": contribution_matrix(shares, found, tokens, chosen=1),
        "output": output_figure(found),
        "vectors": vector_bars(found, 1),
        "curves": scaling_curves(scaling_effect(15), found),
    }
    widths = {
        name: float(re.search(r'<svg[^>]* width="([\d.]+)"', figure_svg(figure))[1])
        for name, figure in figures.items()
    }
    assert {name: width for name, width in widths.items() if width > 565} == {}
