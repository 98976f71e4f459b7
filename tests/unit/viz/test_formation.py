"""Figures of a training hold the numbers that they were given."""

import numpy as np
import pandas as pd
import pytest

from support.figures import map_of
from viz.figure import spec_of, tables_of
from viz.formation import head_lines, one_head
from viz.training import run_curves
from words import english


def test_lines_have_a_dot_where_a_head_has_formed():
    curves = {"cross": np.array([[[0.0, 0.0]], [[0.1, 0.8]], [[0.9, 0.1]]])}
    steps, opened = np.array([0, 5, 1900]), {"at": 2, "selected": ("cross", 0, 0), "title": "x"}
    tables = tables_of(head_lines(curves, steps, **opened))
    assert tables["dots"][["head", "time", "step"]].to_numpy().tolist() == [[0, 2, "1,900"]]
    last = tables["lines"][3:]  # over the others
    assert last["selected"].all()
    np.testing.assert_allclose(last["value"], [0.0, 0.1, 0.9])


@pytest.mark.parametrize(
    ("curve", "risen", "formed"),
    [
        ([0.0, 0.1, 0.9], [1, 2], 1),
        ([0.0, 0.46, 0.9], [0, 1], 1),
        ([0.43, 0.46, 0.9], [1], 1),
        ([0.9, 0.9, 0.9], [], 0),
        ([0.0, 0.0, 0.0], [], 0),
    ],
)
def test_the_open_head_has_its_numbers_where_it_rises_and_formed_heads_are_counted(
    curve, risen, formed
):
    curves = {"cross": np.reshape(curve, (3, 1, 1))}
    steps, opened = np.array([0, 5, 1900]), {"at": 2, "selected": ("cross", 0, 0), "title": "x"}
    figure = head_lines(curves, steps, **opened)
    lines = tables_of(figure)["lines"]
    assert lines["time"][lines["risen"]].tolist() == risen
    assert spec_of(figure)["title"]["text"] == english("training-lines-formed", late=formed, n=1)


RUNS = {
    "a": {"loss": [(1, 2.0), (2, 1.0)], "lr": [(1, 0.1), (2, 0.0)]},
    "b": {"loss": [(1, 3.0)]},
}
TITLES = {"loss": "Loss", "lr": "Rate"}


def curves(runs, names="ab", titles=TITLES, **options):
    """Drawn from (step, value) by run and measure."""
    lines = [
        (run, measure, *point) for run in runs for measure in runs[run]
        for point in runs[run][measure]
    ]  # fmt: skip
    table = pd.DataFrame(lines, columns=["run", "measure", "step", "value"])
    return run_curves(table, list(names), titles, **options)


def test_every_run_has_its_points_in_the_panel_of_its_measure_and_one_name_in_the_legend():
    plot = curves(RUNS, log=("lr",))
    found = {
        (trace.name, plot.layout[f"yaxis{trace.yaxis[1:]}"].title.text): list(
            zip(trace.x, trace.y, strict=True)
        )
        for trace in plot.data
    }
    # Nothing has a place at 0 on a logarithmic axis.
    assert found == {
        ("a", "Loss"): RUNS["a"]["loss"],
        ("b", "Loss"): RUNS["b"]["loss"],
        ("a", "Rate"): [(1, 0.1)],
    }
    assert [plot.layout[f"yaxis{n}"].type for n in (1, 2)] == [None, "log"]
    assert [trace.name for trace in plot.data if trace.showlegend] == ["a", "b"]
    assert {trace.xaxis for trace in plot.data} == {None}  # the first and only one
    assert (plot.layout.grid.rows, plot.layout.hoversubplots) == (2, "axis")


def test_a_run_keeps_its_colour_where_another_has_nothing_to_draw():
    both, alone = (
        {trace.name: trace.line.color for trace in curves(runs).data}
        for runs in (RUNS, {"b": RUNS["b"]})
    )
    assert both["b"] == alone["b"] != both["a"]


def test_what_is_no_number_is_a_gap():
    (trace,) = curves({"a": {"loss": [(1, 2.0), (2, np.nan), (3, 1.0)]}}, "a").data
    assert [trace.y[0], np.isnan(float(trace.y[1] or np.nan)), trace.y[2]] == [2.0, True, 1.0]


def test_named_runs_have_name_and_last_value_at_their_line_and_no_legend():
    plot = curves(RUNS, log=("lr",), named=True)
    assert not any(trace.showlegend for trace in plot.data)
    names = {(note.x, note.y): note.text for note in plot.layout.annotations}
    assert names == {(2, 1.0): "<b>a: 1.00</b>", (1, 3.0): "<b>b: 3.00</b>"}


def test_a_numbered_head_has_an_ink_for_each_weight():
    attention = map_of(("▁a", "▁b"), "cross")
    cells = tables_of(one_head([attention], 0, 0, at=0, numbered=True))["cells"]
    assert set(cells["ink"]) <= {"#000000", "#ffffff"}
    assert "ink" not in tables_of(one_head([attention], 0, 0, at=0))["cells"]
