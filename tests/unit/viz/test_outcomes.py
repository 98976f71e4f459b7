"""Figures of what searches return: outputs over their scores, shares of search errors."""

from __future__ import annotations

import pandas as pd
import pytest

from viz.figure import tables_of
from viz.outcomes import error_dots, score_dots


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


def test_names_of_equal_methods_are_broken_between_them():
    rows = outputs(-1.0, -2.0)
    rows["name"] = ["Greedy search = Beam search (B = 5) = Exact search", "Exact search = Other"]
    assert list(tables_of(score_dots(rows))["dots"]["label"]) == [
        "Greedy search = Beam search (B = 5) =\nExact search",
        "Exact search = Other",
    ]


def test_a_long_output_shows_the_place_where_it_differs():
    rows = outputs(-3.0, -1.0)
    begin = "wort " * 60
    rows["text"] = [begin + "hier anders", begin + "hier gleich"]
    words = tables_of(score_dots(rows))["words"]
    worse = words[words["place"] == 0]
    assert list(worse["word"]) == ["… wort hier", "anders"]
    assert words[words["place"] == 1]["word"].iloc[-1] == "…"
    assert words["end"].max() <= 660


def test_dots_of_a_line_share_its_place_and_keep_their_bounds():
    rows = pd.DataFrame(
        {
            "name": ["a", "a", "b"],
            "chosen": [True, True, False],
            "test": ["exact", "reference", "exact"],
            "value": [0.2, 0.01, 0.1],
            "low": [0.15, 0.0, 0.05],
            "high": [0.3, 0.02, 0.2],
            "n": 100,
            "aside": ["80%", "80%", "70%"],
        }
    )
    tables = tables_of(error_dots(rows))
    dots = tables["dots"]
    assert list(dots["place"]) == [0, 0, 1]
    # One above and one below the middle of the first line, and the same in the next one.
    assert dots["y"][0] + dots["y"][1] == pytest.approx(2 * tables["asides"]["y"][0])
    assert dots["y"][2] - dots["y"][0] == pytest.approx(tables["asides"]["y"].diff()[1])
    assert list(tables["names"]["chosen"]) == [True, False]
    assert list(dots["written"]) == ["20.0% (n = 100)", "1.0% (n = 100)", "10.0% (n = 100)"]
