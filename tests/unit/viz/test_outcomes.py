"""Figures of what searches return: outputs over their scores, shares of verdicts."""

from __future__ import annotations

import pandas as pd
import pytest

from viz.figure import tables_of
from viz.outcomes import outcome_bars, score_dots


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


def test_parts_of_a_bar_follow_each_other_and_fill_it():
    shares = pd.DataFrame(
        {
            "name": ["a", "b"],
            "chosen": [True, False],
            "same": [0.25, 0.5],
            "search-error": [0.25, 0.0],
            "model-error": [0.5, 0.5],
            "void": [0.0, 0.0],  # an outcome that never occurs has no colour in the legend
        }
    )
    parts = tables_of(outcome_bars(shares, "beam-tally-axis", "beam-tally-title"))["parts"]
    first = parts[parts["name"] == "a"]
    assert list(zip(first["start"], first["end"], strict=True)) == [
        (0, 0.25),
        (0.25, 0.5),
        (0.5, 1),
    ]
    assert list(first["outcome"]) == ["Reference found", "Search error", "Model error"]
    assert parts.groupby("name")["share"].sum().tolist() == [1, 1]
