"""Plots around a search, tested on their tables and their specifications."""

import json

import altair as alt
import numpy as np
import pandas as pd
import pytest

from viz.look import Look
from viz.sweep import MEASURES, cost_chart, sweep_chart
from words import english

SWEEP = [
    {"beam_size": 5, "bleu": 38.0, "mean_log_prob": -7.5, "length_ratio": 0.98, "seconds": 0.06},
    {"beam_size": 1, "bleu": 36.0, "mean_log_prob": -8.0, "length_ratio": 0.99, "seconds": 0.03},
]
COST = [
    {"length": length, "beam_size": width, "seconds": length * width / 1000}
    for length in (8, 16, 32)
    for width in (1, 2)
]


def views(figure):
    """Every unit of the specification, layers and concatenations opened."""
    pending = [figure.chart]
    while pending:
        view = pending.pop()
        yield view
        for name in ("layer", "hconcat", "vconcat", "concat"):
            pending += view.get(name, [])


def titles_of(figure, channel):
    found = [view.get("encoding", {}).get(channel, {}).get("title") for view in views(figure)]
    return {title for title in found if title}


def test_every_measure_has_its_own_plot():
    assert titles_of(sweep_chart(SWEEP), "y") == {
        english(f"beam-sweep-{name}") for name, *_ in MEASURES
    }


def test_measures_that_are_missing_are_left_out():
    rows = [{"beam_size": b, "mean_log_prob": -1.0, "bleu": None} for b in (1, 2)]
    assert titles_of(sweep_chart(rows), "y") == {english("beam-sweep-mean_log_prob")}


def test_widths_are_drawn_in_order():
    assert sweep_chart(SWEEP).tables["rows"]["beam_size"].tolist() == [1, 5]


def test_chosen_width_is_marked():
    rows = sweep_chart(SWEEP, chosen=5).tables["rows"]
    assert rows.loc[rows["chosen"], "beam_size"].tolist() == [5]


def test_table_and_list_of_rows_are_drawn_alike():
    first, second = sweep_chart(SWEEP), sweep_chart(pd.DataFrame(SWEEP))
    assert first.chart == second.chart
    pd.testing.assert_frame_equal(first.tables["rows"], second.tables["rows"])


@pytest.mark.parametrize("rows", [[], [{"bleu": 30.0}], [{"beam_size": 1, "other": 2}]])
def test_sweep_without_measures_says_so(rows):
    with pytest.raises(ValueError, match=r"nothing to draw|no measure"):
        sweep_chart(rows)


def test_cost_is_in_milliseconds_and_per_token():
    rows = cost_chart(COST).tables["rows"]
    np.testing.assert_allclose(rows["ms"], rows["length"] * rows["beam_size"])
    np.testing.assert_allclose(rows["ms_per_token"], rows["beam_size"])


def test_cost_is_drawn_against_length_and_width():
    assert titles_of(cost_chart(COST), "x") == {
        english("beam-cost-length"),
        english("beam-sweep-axis"),
    }


def test_every_line_of_cost_has_a_label_of_its_own():
    figure = cost_chart([{"length": 8, "beam_size": b, "seconds": 0.1} for b in (1, 2, 3, 5)])
    labels = figure.tables["widths"]
    assert sorted(labels["label"]) == [english("beam-cost-of-width", n=n) for n in (1, 2, 3, 5)]
    assert (np.diff(labels["place"]) >= 13).all()


def test_cost_without_a_column_says_which():
    with pytest.raises(ValueError, match="length"):
        cost_chart([{"beam_size": 1, "seconds": 0.1}])


def test_charts_fit_the_schema_of_vega_lite():
    for figure in (sweep_chart(SWEEP, chosen=1), cost_chart(COST)):
        alt.Chart.from_dict(figure.chart)


@pytest.mark.parametrize("dark", [False, True])
def test_vega_draws_every_figure(dark):
    vl_convert = pytest.importorskip("vl_convert")
    figures = {
        english("beam-sweep-length_ratio"): Look(dark=dark)(sweep_chart, SWEEP),
        english("beam-cost-of-length", n=32): Look(dark=dark)(cost_chart, COST),
    }
    for words, figure in figures.items():
        assert words in vl_convert.vegalite_to_svg(json.dumps(figure.to_dict()))


def test_a_single_point_beside_a_line_is_left_out():
    lengths = [{"length": n, "beam_size": 5, "seconds": n / 100} for n in (8, 16)]
    rows = [*lengths, {"length": 16, "beam_size": 1, "seconds": 0.1}]
    figure = cost_chart(rows)
    assert figure.tables["widths"]["label"].tolist() == [english("beam-cost-of-width", n=5)]
    assert figure.tables["lengths"]["label"].tolist() == [english("beam-cost-of-length", n=16)]
    drawn = figure.tables["rows"]
    assert drawn.loc[drawn["of_length"], "length"].tolist() == [16, 16]
