"""Plots around a search, tested on what they hold."""

import pandas as pd

from viz.figure import tables_of
from viz.sweep import MEASURES, cost_chart, sweep_chart
from viz.theme import SELECTION
from words import english

SWEEP = [
    {"beam_size": 5, "bleu": 38.0, "mean_log_prob": -7.5, "length_ratio": 0.98, "seconds": 0.06},
    {"beam_size": 1, "bleu": 36.0, "mean_log_prob": -8.0, "length_ratio": 0.99, "seconds": 0.03},
]


def test_every_measure_has_its_own_panel_over_the_same_widths_in_order_and_one_is_marked():
    plot = sweep_chart(pd.DataFrame(SWEEP), chosen=5)
    for place, (trace, (name, *_)) in enumerate(zip(plot.data, MEASURES, strict=True), start=1):
        assert (trace.xaxis, trace.yaxis) == (None, f"y{place}".removesuffix("1"))
        assert plot.layout[f"yaxis{place}"].title.text == trace.name
        assert trace.name == english(f"beam-sweep-{name}")
        assert trace.x == plot.layout.xaxis.tickvals == (1, 5)
        assert trace.y == (SWEEP[1][name], SWEEP[0][name])
    assert plot.layout.xaxis.type == "log"
    assert [colour == SELECTION for colour in trace.marker.color] == [False, True]


def test_measures_that_are_missing_are_left_out():
    rows = [{"beam_size": b, "mean_log_prob": -1.0, "bleu": None} for b in (1, 2)]
    assert [trace.name for trace in sweep_chart(rows).data] == [english("beam-sweep-mean_log_prob")]


def test_a_single_point_beside_a_line_is_left_out():
    rows = [
        {"length": n, "beam_size": b, "seconds": n / 100} for n, b in ((8, 5), (16, 5), (16, 1))
    ]
    tables = tables_of(cost_chart(rows))
    assert tables["widths"]["label"].tolist() == [english("beam-cost-of-width", n=5)]
    assert tables["lengths"]["label"].tolist() == [english("beam-cost-of-length", n=16)]
    assert tables["rows"].query("of_length")["length"].tolist() == [16, 16]
