"""Tokens as bars: the numbers behind them."""

import math

import numpy as np
import pytest

from viz.figure import selection_of, tables_of
from viz.token_bars import SELECTION_NAME, candidates_chart, token_log_probs


def candidates(logs, **more):
    return candidates_chart(["▁a", "b"], logs, [7, 9], **more)


def test_candidates_are_probabilities_of_their_logs_and_the_rest_is_left_for_all_others():
    tables = tables_of(candidates(np.log([0.5, 0.2])))
    np.testing.assert_allclose(tables["bars"]["probability"], [0.5, 0.2])
    assert tables["bars"]["percent"].tolist() == ["50.0%", "20.0%"]
    assert tables["rest"]["probability"].item() == pytest.approx(0.3)
    none_left = tables_of(candidates_chart(["▁a"], [1e-7], [7]))
    assert none_left["rest"]["probability"].item() == 0
    assert tables["names"]["label"].tolist()[:2] == ["a", "·b"]


def test_tiny_probability_is_not_called_nothing():
    bars = tables_of(candidates([math.log(1e-6), -math.inf]))["bars"]
    assert bars["percent"].tolist() == ["< 0.1%", "0.0%"]


def test_click_on_a_candidate_reports_its_id():
    figure = candidates([-1.0, -2.0], click=4, taken=[9])
    bars = tables_of(figure)["bars"]
    assert selection_of(figure) == SELECTION_NAME == "candidate"
    assert bars[["token_id", "click"]].to_numpy().tolist() == [[7, 4], [9, 4]]
    assert bars["taken"].tolist() == [False, True]


def test_impossible_token_reaches_the_edge_and_says_infinity():
    figure = token_log_probs(["▁a"], [-3.0], ["▁b", "▁c"], [-math.inf, -1.0])
    reference = tables_of(figure)["reference"]
    assert reference["bar"].tolist() == [-3.0, -1.0]
    assert reference["sum_text"].tolist() == ["−∞", "−∞"]


def test_token_that_left_the_beam_is_marked_in_the_reference_alone():
    figure = token_log_probs(["▁a", "▁b"], [-1, -1], ["▁a", "▁c"], [-1, -4], fell_out=1)
    assert tables_of(figure)["reference"]["fell"].tolist() == [False, True]
    assert not tables_of(figure)["hypothesis"]["fell"].any()


def test_two_empty_translations_are_refused():
    with pytest.raises(ValueError, match="no tokens"):
        token_log_probs([], [], [], [])
