"""Plots around a search, tested on their tables and their specifications."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from viz.sweep import (
    SELECTION_NAME,
    candidates_chart,
    cost_chart,
    log_prob_lines,
    sweep_chart,
    token_log_probs,
)

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
        "BLEU", "mean log P", "length ÷ reference", "seconds per sentence",
    }  # fmt: skip


def test_measures_that_are_missing_are_left_out():
    rows = [{"beam_size": b, "mean_log_prob": -1.0, "bleu": None} for b in (1, 2)]
    assert titles_of(sweep_chart(rows), "y") == {"mean log P"}


def test_widths_are_drawn_in_order():
    assert sweep_chart(SWEEP).tables["rows"]["beam_size"].tolist() == [1, 5]


def test_chosen_width_is_marked():
    rows = sweep_chart(SWEEP, chosen=5).tables["rows"]
    assert rows.loc[rows["chosen"], "beam_size"].tolist() == [5]


def test_table_and_list_of_rows_are_drawn_alike():
    first, second = sweep_chart(SWEEP), sweep_chart(pd.DataFrame(SWEEP))
    assert first.chart is second.chart
    pd.testing.assert_frame_equal(first.tables["rows"], second.tables["rows"])


@pytest.mark.parametrize("rows", [[], [{"bleu": 30.0}], [{"beam_size": 1, "other": 2}]])
def test_sweep_without_measures_says_so(rows):
    with pytest.raises(ValueError, match=r"nothing to draw|no measure"):
        sweep_chart(rows)


def test_candidates_are_probabilities_of_their_logs():
    bars = candidates_chart(["▁a", "b"], np.log([0.5, 0.25]), [7, 9]).tables["bars"]
    np.testing.assert_allclose(bars["probability"], [0.5, 0.25])
    assert bars["label"].tolist() == ["a", "·b"]
    assert bars["percent"].tolist() == ["50.0%", "25.0%"]


def test_what_no_candidate_has_is_left_for_all_others():
    rest = candidates_chart(["▁a", "b"], np.log([0.5, 0.25]), [7, 9]).tables["rest"]
    assert rest["probability"].item() == pytest.approx(0.25)


def test_nothing_is_left_when_the_candidates_are_all_there_is():
    rest = candidates_chart(["▁a"], [1e-7], [7]).tables["rest"]
    assert rest["probability"].item() == 0


def test_tiny_probability_is_not_called_nothing():
    bars = candidates_chart(["▁a", "▁b"], [math.log(1e-6), -math.inf], [7, 9]).tables["bars"]
    assert bars["percent"].tolist() == ["< 0.1%", "0.0%"]


def test_click_on_a_candidate_reports_its_id():
    figure = candidates_chart(["▁a", "▁b"], [-1.0, -2.0], [7, 9], click=4)
    params = {p["name"]: p for view in views(figure) for p in view.get("params", [])}
    assert figure.selection == SELECTION_NAME == "candidate"
    assert params[SELECTION_NAME]["select"]["fields"] == ["token_id", "click"]
    assert figure.tables["bars"][["token_id", "click"]].to_numpy().tolist() == [[7, 4], [9, 4]]


def test_repeated_labels_keep_their_own_bars():
    bars = candidates_chart(["▁a", "▁a"], [-1.0, -2.0], [7, 9]).tables["bars"]
    assert bars["place"].tolist() == [0, 1]


def test_taken_candidates_are_marked():
    bars = candidates_chart(["▁a", "▁b"], [-1.0, -2.0], [7, 9], taken=[9]).tables["bars"]
    assert bars["taken"].tolist() == [False, True]


@pytest.mark.parametrize(("tokens", "logs", "ids"), [([], [], []), (["a"], [-1.0], [1, 2])])
def test_candidates_must_match(tokens, logs, ids):
    with pytest.raises(ValueError, match="as many"):
        candidates_chart(tokens, logs, ids)


def test_running_sums_add_up():
    lines = log_prob_lines(["▁a", "▁b", "</s>"], [-1.0, -0.5, -0.25])
    assert lines["sum"].tolist() == [-1.0, -1.5, -1.75]


def test_log_probabilities_must_match_tokens():
    with pytest.raises(ValueError, match="2 log-probabilities for 1 tokens"):
        log_prob_lines(["▁a"], [-1.0, -2.0])


def test_both_translations_share_one_scale():
    figure = token_log_probs(["▁a"], [-1.0], ["▁b", "▁c"], [-6.0, -0.5])
    domains = [
        view["encoding"]["x"]["scale"]["domain"]
        for view in views(figure)
        if "scale" in view.get("encoding", {}).get("x", {})
    ]
    assert domains == [[-6.0, 0], [-6.0, 0]]


def test_impossible_token_reaches_the_edge_and_says_infinity():
    reference = token_log_probs(["▁a"], [-3.0], ["▁b", "▁c"], [-math.inf, -1.0]).tables["reference"]
    assert reference["bar"].tolist() == [-3.0, -1.0]
    assert reference["sum_text"].tolist() == ["−∞", "−∞"]


def test_token_that_left_the_beam_is_marked_in_the_reference_alone():
    figure = token_log_probs(["▁a", "▁b"], [-1, -1], ["▁a", "▁c"], [-1, -4], fell_out=1)
    assert figure.tables["reference"]["fell"].tolist() == [False, True]
    assert not figure.tables["hypothesis"]["fell"].any()


def test_two_empty_translations_are_refused():
    with pytest.raises(ValueError, match="no tokens"):
        token_log_probs([], [], [], [])


def test_cost_is_in_milliseconds_and_per_token():
    rows = cost_chart(COST).tables["rows"]
    np.testing.assert_allclose(rows["ms"], rows["length"] * rows["beam_size"])
    np.testing.assert_allclose(rows["ms_per_token"], rows["beam_size"])


def test_cost_is_drawn_against_length_and_width():
    assert titles_of(cost_chart(COST), "x") == {"tokens of output", "beam width B"}


def test_every_line_of_cost_has_a_label_of_its_own():
    figure = cost_chart([{"length": 8, "beam_size": b, "seconds": 0.1} for b in (1, 2, 3, 5)])
    labels = figure.tables["widths"]
    assert sorted(labels["label"]) == ["B = 1", "B = 2", "B = 3", "B = 5"]
    assert (np.diff(labels["place"]) >= 13).all()


def test_cost_without_a_column_says_which():
    with pytest.raises(ValueError, match="length"):
        cost_chart([{"beam_size": 1, "seconds": 0.1}])


@pytest.mark.parametrize("dark", [False, True])
def test_vega_draws_every_figure(dark):
    vl_convert = pytest.importorskip("vl_convert")
    figures = {
        "length ÷ reference": sweep_chart(SWEEP, dark=dark),
        "all others": candidates_chart(["▁a", "▁b"], [-1.0, -2.0], [7, 9], dark=dark),
        "sum so far": token_log_probs(["▁a"], [-1.0], ["▁b"], [-math.inf]),
        "32 tokens": cost_chart(COST, dark=dark),
    }
    for words, figure in figures.items():
        assert words in vl_convert.vegalite_to_svg(json.dumps(figure.to_dict()))


def test_a_single_point_beside_a_line_is_left_out():
    lengths = [{"length": n, "beam_size": 5, "seconds": n / 100} for n in (8, 16)]
    rows = [*lengths, {"length": 16, "beam_size": 1, "seconds": 0.1}]
    figure = cost_chart(rows)
    assert figure.tables["widths"]["label"].tolist() == ["B = 5"]
    assert figure.tables["lengths"]["label"].tolist() == ["16 tokens"]
    drawn = figure.tables["rows"]
    assert drawn.loc[drawn["of_length"], "length"].tolist() == [16, 16]
