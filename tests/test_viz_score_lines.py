"""Score against alpha, tested on tables and specifications."""

import json
import re

import altair as alt
import numpy as np
import pytest
from trees import ends_at

from analysis.hypotheses import rerank
from viz.score_lines import _differing, score_lines
from words import english
from words.numbers import short


def test_one_line_a_hypothesis():
    tree = ends_at([(-2.0, 4), (-3.0, 8), (-2.5, 4)])
    lines = score_lines(tree, np.linspace(0, 2, 11)).tables["lines"]
    assert lines.groupby("node").size().tolist() == [11, 11, 11]


def written(figure) -> list[str]:
    """The words of a figure, as Vega draws them."""
    vl_convert = pytest.importorskip("vl_convert")
    svg = vl_convert.vegalite_to_svg(json.dumps(figure.to_dict()))
    return re.findall(r">([^<>]+)</text>", svg)


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0, 1.95])
@pytest.mark.parametrize("penalty", ["wu", "length", "none"])
def test_ranks_in_the_picture_are_those_at_its_alpha(alpha, penalty):
    tree = ends_at([(-2.0, 4), (-3.0, 8), (-2.5, 4), (-2.0, 4)])
    figure = score_lines(tree, np.linspace(0, 2, 11), alpha=alpha, penalty=penalty)
    ranked = rerank(tree, alpha, penalty)
    first = ranked["text"].iloc[0]
    names = [_differing(text, first) for text in ranked["text"]]
    shown = written(figure)
    assert english("beam-lines-now", alpha=short(alpha)) in shown
    wanted = {english("beam-lines-name", rank=str(i), text=n) for i, n in enumerate(names, 1)}
    assert wanted <= set(shown)


def test_an_alpha_off_the_axis_is_not_marked():
    tree = ends_at([(-2.0, 4), (-3.0, 8)])
    assert english("beam-lines-now", alpha="0.6") in written(score_lines(tree, (0, 1)))
    assert english("beam-lines-now", alpha="4") not in written(score_lines(tree, (0, 1), alpha=4.0))


def test_labels_of_lines_do_not_overlap():
    tree = ends_at([(-2.0 - i / 1000, 4) for i in range(20)])
    labels = score_lines(tree, (0, 1)).tables["labels"]
    assert (np.diff(labels["place"]) >= 15).all()


def test_charts_fit_the_schema_of_vega_lite():
    for figure in [score_lines(ends_at([(total, 2), (-3.0, 8)]), (0, 1)) for total in (0.0, -1.0)]:
        alt.Chart.from_dict(figure.chart)


def test_lines_with_a_certain_hypothesis_are_drawn():
    vl_convert = pytest.importorskip("vl_convert")
    figure = score_lines(ends_at([(0.0, 2), (-3.0, 8)]), (0, 1, 2))
    svg = vl_convert.vegalite_to_svg(json.dumps(figure.to_dict()))
    assert svg.count(english("beam-hypothesis")) >= 2


def test_a_line_needs_two_alphas():
    with pytest.raises(ValueError, match="two alphas"):
        score_lines(ends_at([(-2.0, 4)]), (0.5, 0.5))
