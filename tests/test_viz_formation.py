"""Figures of the page of training: they hold, with the numbers they were given."""

import json

import altair as alt
import numpy as np
import pandas as pd
import pytest

from model.toy import train_toy
from viz.formation import STEP_SIGNAL, all_heads, claim_lines, expected_tokens, head_lines, one_head
from viz.training import calibration_chart, rate_curves, run_curves, target_bars


@pytest.fixture(scope="module")
def formation():
    *_, last = train_toy("reverse", last_step=12)
    return last.formation


@pytest.fixture(scope="module")
def frames(formation):
    return [formation.maps(0, at) for at in range(len(formation.steps))]


def sound(figure):
    alt.Chart.from_dict(figure.to_dict())
    return figure


def dial_of(figure):
    return next(each for each in figure.chart["params"] if each["name"] == STEP_SIGNAL)


def test_all_heads_hold_every_step_under_one_dial(frames):
    badges = {m.kind: np.full((m.n_layers, m.n_heads), 0.5) for m in frames[0]}
    figure = sound(
        all_heads(
            [(maps, badges) for maps in frames], at=1, badge_title="x", selected=("cross", 0, 0)
        )
    )
    assert len(figure.tables["pictures"]) == len(frames) * 3
    assert len(figure.tables["heads"]) == len(frames) * 6
    assert (dial_of(figure)["value"], dial_of(figure)["bind"]["max"]) == (1, len(frames) - 1)


def test_one_head_holds_its_weights_and_frames_the_known_answer(formation, frames):
    cross = [next(m for m in maps if m.kind == "cross") for maps in frames]
    known = formation.sentences[0].alignment
    figure = sound(one_head(cross, 0, 1, at=0, alignment=known))
    cells = figure.tables["cells"]
    last = cells[cells["time"] == len(frames) - 1]
    np.testing.assert_array_equal(last["weight"], cross[-1].weights[0, 1].ravel())
    assert figure.tables["known"].to_numpy().tolist() == [[q, 6 - q] for q in range(7)]


def test_masked_cells_are_absent(frames):
    decoder = [next(m for m in maps if m.kind == "decoder") for maps in frames]
    cells = one_head(decoder, 0, 0, at=0).tables["cells"]
    assert (cells["k"] <= cells["q"]).all()
    assert len(cells) == len(frames) * 8 * 9 / 2


def test_tokens_tell_what_was_likelier(formation):
    tokens = sound(expected_tokens(formation.sentences[0], at=0)).tables["tokens"]
    np.testing.assert_allclose(
        tokens["probability"], np.exp(formation.sentences[0].log_probs.ravel()), rtol=1e-5
    )
    assert tokens["likeliest"].notna().all()


def test_lines_have_a_dot_where_a_head_has_formed():
    curves = {"cross": np.array([[[0.0, 0.0]], [[0.1, 0.8]], [[0.9, 0.1]]])}
    figure = sound(
        head_lines(curves, np.array([0, 5, 9]), at=2, selected=("cross", 0, 0), title="x")
    )
    dots = figure.tables["dots"]
    assert dots[["head", "time", "step"]].to_numpy().tolist() == [[0, 2, "9"]]


def test_claims_are_drawn_side_by_side():
    lines = {"focus": np.arange(3.0), "knowledge": np.arange(3.0)}
    titles = dict.fromkeys(lines, "x")
    assert len(sound(claim_lines(lines, np.arange(3), titles, at=0)).chart["hconcat"]) == 2


def noted(runs):
    """The table of what runs noted, from (step, value) by run and measure."""
    return pd.DataFrame(
        [
            (run, measure, step, value)
            for run, measures in runs.items()
            for measure, points in measures.items()
            for step, value in points
        ],
        columns=["run", "measure", "step", "value"],
    )


RUNS = {
    "a": {"loss": [(1, 2.0), (2, 1.0)], "lr": [(1, 0.1), (2, 0.0)]},
    "b": {"loss": [(1, 3.0)]},
}
TITLES = {"loss": "Loss", "lr": "Rate"}


def test_every_run_has_its_points_in_the_panel_of_its_measure():
    plot = run_curves(noted(RUNS), list(RUNS), TITLES, log=("lr",))
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


def test_all_panels_of_runs_share_their_steps_and_one_pointer():
    plot = run_curves(noted(RUNS), list(RUNS), TITLES)
    assert {trace.xaxis for trace in plot.data} == {None}  # the first and only one
    assert (plot.layout.hovermode, plot.layout.hoversubplots) == ("x unified", "axis")
    assert (plot.layout.grid.rows, plot.layout.grid.columns) == (2, 1)


def test_a_run_keeps_its_colour_where_another_has_nothing_to_draw():
    colours = [
        {trace.name: trace.line.color for trace in run_curves(lines, list(RUNS), TITLES).data}
        for lines in (noted(RUNS), noted({"b": RUNS["b"]}))
    ]
    assert colours[0]["b"] == colours[1]["b"] != colours[0]["a"]


def test_a_name_stands_in_the_legend_once_and_as_it_is_typed():
    names = ["<b>a</b>", "b"]
    plot = run_curves(noted(dict(zip(names, RUNS.values(), strict=True))), names, TITLES)
    shown = [trace.name for trace in plot.data if trace.showlegend]
    assert shown == ["&lt;b&gt;a&lt;/b&gt;", "b"]


def test_what_is_no_number_is_a_gap():
    lines = noted({"a": {"loss": [(1, 2.0), (2, float("nan")), (3, 1.0)]}})
    drawn = json.loads(run_curves(lines, ["a"], TITLES).to_json())["data"]
    assert [trace["y"] for trace in drawn] == [[2.0, None, 1.0]]


@pytest.mark.parametrize("runs", [["a"], [], list("abcdefg")])
def test_runs_without_numbers_none_and_too_many_are_refused(runs):
    with pytest.raises(ValueError, match="expected"):
        run_curves(noted({}), runs, {"loss": "loss"})


def test_the_other_figures_of_the_page_hold():
    bins = {"count": [3], "confidence": [0.9], "accuracy": [0.8]}
    sound(calibration_chart({"a": bins}))
    sound(rate_curves([(1, 0.1), (2, 0.2)], [], warmup=2))
    sound(target_bars(["▁a", "▁b"], [0.9, 0.1], [0.95, 0.05]))
