"""Score against alpha: its numbers, and the ranks that the browser works out."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from core.hypotheses import differing, rerank
from support.trees import ends_at
from viz.export import figure_svg
from viz.figure import tables_of
from viz.score_lines import score_lines
from viz.token_bars import candidates_chart, token_log_probs
from words import english
from words.numbers import short


def written(figure) -> list[str]:
    return re.findall(r">([^<>]+)</text>", figure_svg(figure))


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0, 1.95])
@pytest.mark.parametrize("penalty", ["wu", "length", "none"])
def test_ranks_in_the_picture_are_those_at_its_alpha(alpha, penalty):
    tree = replace(ends_at([(-2.0, 4), (-3.0, 8), (-2.5, 4), (-2.0, 4)]), penalty=penalty)
    shown = written(score_lines(tree, np.linspace(0, 2, 11), alpha=alpha))
    texts = rerank(tree, alpha, penalty)["text"]
    assert english("beam-lines-now", alpha=short(alpha)) in shown
    for rank, text in enumerate(texts, 1):
        name = differing(text, texts.iloc[0])
        assert english("beam-lines-name", rank=str(rank), text=name) in shown
    off = written(score_lines(tree, (0, 1), alpha=4.0))
    assert english("beam-lines-now", alpha="4") not in off


@pytest.mark.parametrize("best", [-2.0, 0.0])
def test_labels_stand_where_lines_end_and_do_not_overlap(best):
    tree = ends_at([(best - i / 1000, 4) for i in range(20)])
    figure = score_lines(tree, (0, 1))
    labels = tables_of(figure)["labels"]
    assert (np.diff(labels["place"]) >= 15).all()
    lines = re.findall(
        r'aria-roledescription="line mark"[^>]* d="M0,([\d.]+)L630,([\d.]+)', figure_svg(figure)
    )
    assert sorted(labels["end"]) == pytest.approx(sorted(float(end) for _, end in lines), abs=0.01)


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
    tiny = tables_of(candidates([math.log(1e-6), -math.inf]))["bars"]
    assert tiny["percent"].tolist() == ["< 0.1%", "0.0%"]


def test_impossible_token_reaches_the_edge_and_says_infinity():
    figure = token_log_probs(["▁a"], [-3.0], ["▁b", "▁c"], [-math.inf, -1.0])
    reference = tables_of(figure)["reference"]
    assert reference["bar"].tolist() == [-3.0, -1.0]
    assert reference["sum_text"].tolist() == ["−∞", "−∞"]
