"""Score against alpha, tested on tables and specifications."""

import json

import altair as alt
import numpy as np
import pytest
from trees import ends_at

from viz.score_lines import score_lines
from words import english


def test_one_line_a_hypothesis():
    tree = ends_at([(-2.0, 4), (-3.0, 8), (-2.5, 4)])
    lines = score_lines(tree, np.linspace(0, 2, 11)).tables["lines"]
    assert lines.groupby("node").size().tolist() == [11, 11, 11]


def test_own_alpha_is_marked():
    tree = ends_at([(-2.0, 4), (-3.0, 8)])
    assert score_lines(tree, (0, 1)).tables["now"]["alpha"].tolist() == [0.6]
    assert score_lines(tree, (0, 1), alpha=4.0).tables["now"].empty


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
