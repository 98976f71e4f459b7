"""Figures of what searches return: outputs over their scores, shares of search errors."""

from __future__ import annotations

import pandas as pd
import pytest

from viz.figure import tables_of
from viz.outcomes import error_dots, score_dots, verdict_bars


def outputs(*scores: float) -> pd.DataFrame:
    names = [f"way {n}" for n in range(len(scores))]
    return pd.DataFrame({"name": names, "text": "Ein Hund", "score": scores, "chosen": False})


@pytest.mark.parametrize(
    ("scores", "best"),
    [
        ((-2.0, -3.0, -2.5), [True, False, False]),
        ((-2.0, -2.004, -2.5), [True, True, False]),  # alike to two decimals
        ((-1.0,), [True]),
    ],
)
def test_the_highest_scores_are_marked(scores, best):
    assert list(tables_of(score_dots(outputs(*scores)))["dots"]["best"]) == best


def test_an_empty_output_says_so():
    rows = outputs(-1.0, -2.0)
    rows.loc[1, "text"] = ""
    assert tables_of(score_dots(rows))["dots"]["output"][1] == "(empty)"


def test_words_that_the_best_output_lacks_are_tinted_and_keep_their_order():
    rows = outputs(-3.0, -1.0)
    rows["text"] = ["ein Hund der Hund läuft", "ein Hund läuft schnell"]
    words = tables_of(score_dots(rows))["words"]
    worse = words[words["place"] == 0]
    assert list(worse["word"]) == ["ein Hund", "der Hund", "läuft", ""]
    assert list(worse["changed"]) == [False, True, False, True]
    assert not words.loc[words["place"] == 1, "changed"].any()
    assert (worse["x"].to_numpy()[1:] >= worse["end"].to_numpy()[:-1]).all()


def test_a_gap_is_tinted_where_words_of_the_best_output_are_missing():
    rows = outputs(-3.0, -1.0)
    rows["text"] = ["ein Hund", "ein großer Hund"]
    words = tables_of(score_dots(rows))["words"]
    worse = words[words["place"] == 0]
    assert list(worse["word"]) == ["ein", "", "Hund"]
    assert list(worse["changed"]) == [False, True, False]
    assert (worse["end"] > worse["x"]).all()


def test_a_long_output_shows_the_place_where_it_differs():
    rows = outputs(-3.0, -1.0)
    begin = "wort " * 60
    rows["text"] = [begin + "hier anders", begin + "hier gleich"]
    words = tables_of(score_dots(rows))["words"]
    worse = words[words["place"] == 0]
    assert list(worse["word"]) == ["… wort hier", "anders"]
    assert words[words["place"] == 1]["word"].iloc[-1] == "…"
    assert words["end"].max() <= 900


def test_dots_say_share_and_number_of_sentences():
    rows = pd.DataFrame(
        {
            "name": ["a", "b"],
            "chosen": [True, False],
            "value": [0.2, 0.01],
            "low": [0.15, 0.0],
            "high": [0.3, 0.02],
            "n": 100,
        }
    )
    dots = tables_of(error_dots(rows))["dots"]
    assert list(dots["place"]) == [0, 1]
    assert list(dots["chosen"]) == [True, False]
    assert list(dots["written"]) == ["20.0% (n = 100)", "1.0% (n = 100)"]


def test_the_shares_of_a_bar_follow_each_other_and_small_ones_have_no_number():
    rows = pd.DataFrame(
        {
            "name": ["a", "a", "a", "b"],
            "chosen": [True, True, True, False],
            "outcome": ["same", "search", "model", "same"],
            "value": [0.25, 0.01, 0.74, 1.0],
            "aside": ["1%", "1%", "1%", "0%"],
        }
    )
    tables = tables_of(verdict_bars(rows, ["same", "search", "model"]))
    bars = tables["bars"]
    assert list(bars["place"]) == [0, 0, 0, 1]
    assert list(bars["start"]) == pytest.approx([0, 0.25, 0.26, 0])
    assert list(bars["end"]) == pytest.approx([0.25, 0.26, 1, 1])
    assert list(bars["written"]) == ["25%", "", "74%", "100%"]
    assert list(tables["names"]["aside"]) == ["1%", "0%"]
    assert list(tables["names"]["chosen"]) == [True, False]
