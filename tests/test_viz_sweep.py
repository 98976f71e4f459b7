"""Plots around a search, tested on what they hold."""

import json

import altair as alt
import numpy as np
import pandas as pd
import pytest

from viz.look import Look
from viz.sweep import MEASURES, cost_chart, sweep_chart
from viz.theme import SELECTION
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


def test_every_measure_has_its_own_panel_over_the_same_widths():
    plot = sweep_chart(SWEEP)
    assert [trace.name for trace in plot.data] == [
        english(f"beam-sweep-{name}") for name, *_ in MEASURES
    ]
    for place, (trace, (name, *_)) in enumerate(zip(plot.data, MEASURES, strict=True), start=1):
        assert (trace.xaxis, trace.yaxis) == (None, f"y{place}".removesuffix("1"))
        assert plot.layout[f"yaxis{place}"].title.text == trace.name
        assert dict(zip(trace.x, trace.y, strict=True)) == {
            row["beam_size"]: row[name] for row in SWEEP
        }


def test_measures_that_are_missing_are_left_out():
    rows = [{"beam_size": b, "mean_log_prob": -1.0, "bleu": None} for b in (1, 2)]
    assert [trace.name for trace in sweep_chart(rows).data] == [english("beam-sweep-mean_log_prob")]


def test_widths_are_drawn_in_order_with_a_tick_each():
    plot = sweep_chart(SWEEP)
    assert plot.data[0].x == plot.layout.xaxis.tickvals == (1, 5)
    assert plot.layout.xaxis.type == "log"


def test_chosen_width_is_marked():
    marker = sweep_chart(SWEEP, chosen=5).data[0].marker
    assert [colour == SELECTION for colour in marker.color] == [False, True]
    assert marker.size[1] > marker.size[0]


def test_table_and_list_of_rows_are_drawn_alike():
    assert sweep_chart(SWEEP) == sweep_chart(pd.DataFrame(SWEEP))


def test_a_measure_that_one_width_lacks_has_a_gap_there():
    rows = [{**SWEEP[0], "bleu": None}, SWEEP[1]]
    assert json.loads(sweep_chart(rows).to_json())["data"][0]["y"] == [36.0, None]


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


def test_the_chart_of_cost_fits_the_schema_of_vega_lite():
    alt.Chart.from_dict(cost_chart(COST).chart)


@pytest.mark.parametrize("dark", [False, True])
def test_vega_draws_the_chart_of_cost(dark):
    vl_convert = pytest.importorskip("vl_convert")
    figure = Look(dark=dark)(cost_chart, COST)
    drawn = vl_convert.vegalite_to_svg(json.dumps(figure.to_dict()))
    assert english("beam-cost-of-length", n=32) in drawn


def test_a_single_point_beside_a_line_is_left_out():
    lengths = [{"length": n, "beam_size": 5, "seconds": n / 100} for n in (8, 16)]
    rows = [*lengths, {"length": 16, "beam_size": 1, "seconds": 0.1}]
    figure = cost_chart(rows)
    assert figure.tables["widths"]["label"].tolist() == [english("beam-cost-of-width", n=5)]
    assert figure.tables["lengths"]["label"].tolist() == [english("beam-cost-of-length", n=16)]
    drawn = figure.tables["rows"]
    assert drawn.loc[drawn["of_length"], "length"].tolist() == [16, 16]
