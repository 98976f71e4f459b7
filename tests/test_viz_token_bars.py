"""Tokens as bars, tested on their tables and their specifications."""

import json
import math

import altair as alt
import numpy as np
import pytest

from viz.look import Look
from viz.token_bars import SELECTION_NAME, candidates_chart, log_prob_lines, token_log_probs
from words import english


def views(figure):
    """Every unit of the specification, layers and concatenations opened."""
    pending = [figure.chart]
    while pending:
        view = pending.pop()
        yield view
        for name in ("layer", "hconcat", "vconcat", "concat"):
            pending += view.get(name, [])


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


def test_charts_fit_the_schema_of_vega_lite():
    for figure in (
        candidates_chart(["a"], [-1.0], [3]),
        token_log_probs(["a"], [-1.0], ["b"], [-2.0]),
    ):
        alt.Chart.from_dict(figure.chart)


@pytest.mark.parametrize("dark", [False, True])
def test_vega_draws_every_figure(dark):
    vl_convert = pytest.importorskip("vl_convert")
    figures = {
        english("beam-candidates-others"): Look(dark=dark)(
            candidates_chart, ["▁a", "▁b"], [-1.0, -2.0], [7, 9]
        ),
        english("beam-errors-sum"): token_log_probs(["▁a"], [-1.0], ["▁b"], [-math.inf]),
    }
    for words, figure in figures.items():
        assert words in vl_convert.vegalite_to_svg(json.dumps(figure.to_dict()))
