"""Contract of every figure: valid, drawn of any tokens, with the numbers that were read.

`tests/support/figures/numbers.txt` holds a line a table of every chart, and `specs/` beside it a
specification of each recipe and of some charts made by hand. After a change that is meant:
``python -m pytest tests/unit/viz/test_figures.py -n 0 --rewrite``.
"""

from __future__ import annotations

import html
import json
import re

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from core.block import stream_table, stream_turns
from core.cost import LAYERS
from core.positions import encoding_table
from core.principal import principal
from core.records.tokens import token_labels
from support.figure_text import NESTED, chart_text, plot_text, table_lines
from support.figures import PLAIN, every_figure
from support.figures.block import PLACES, stream_of
from support.figures.cost import measured
from support.figures.knockout import HEADS, heads_table
from support.models import ROOT
from support.number_text import lines_unlike
from support.trees import two_step_tree
from viz.ablation import head_grid
from viz.block import stream_arrows
from viz.cost import measured_lines
from viz.effect import weight_matrix
from viz.encoding_space import encoding_curve, encoding_surface
from viz.explain import correlation_grid
from viz.export import export_spec, figure_svg
from viz.figure import selection_of, spec_of, tables_of
from viz.plots import path, points
from viz.style import Look
from viz.theme import ground, ink
from viz.token_bars import candidates_chart
from viz.training import run_curves
from viz.tree import beam_tree
from words import Words

FOLDER = ROOT / "tests/support/figures"
NUMBERS = FOLDER / "numbers.txt"
CHARTS = every_figure()
KOREAN = Look(dark=True, words=Words("ko"))
HOSTILE = (
    *("<b>", "$x$", "\u202eabc", "\u200b", "{{7*7}}", "</script>", "'\"\\", "", "▁\x07", "🎉" * 9),
)
EXPRESSIONS = "labelExpr|calculate|filter|test|expr"
MANY = tuple(f"▁w{i % 40}" for i in range(64))  # beyond them cells are images and labels sparse


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_is_valid_of_any_tokens_and_holds_the_numbers_that_were_read(name, request):
    figure = CHARTS[name](PLAIN)
    figure.to_dict(validate=True)
    check_tables(figure)
    again = spec_of(CHARTS[name](PLAIN))
    spec = spec_of(figure)
    assert all(spec[part] is again[part] for part in spec if part != "datasets")
    assert not re.search("currentColor|light-dark", json.dumps(export_spec(figure)))
    hold_numbers(request, name, list(table_lines(name, tables_of(figure))))
    hold_to(request, name, chart_text(spec))
    for tokens in (PLAIN[:1], HOSTILE, MANY):
        figure = KOREAN(CHARTS[name], tokens)
        check_drawing(figure_svg(figure))
        assert not re.search(rf'"({EXPRESSIONS})": "[^"]*(7\*7|w39)', chart_text(spec_of(figure)))


def check_tables(figure) -> None:
    """Every table is drawn, every drawn table is there, with the columns that are clicked by."""
    spec, tables = spec_of(figure), tables_of(figure)
    text = json.dumps({key: value for key, value in spec.items() if key != "datasets"})
    assert set(re.findall(r'"data": {"name": "([^"]+)"', text)) == tables.keys()
    fields = {view["name"]: set(tables[view["data"]["name"]]) for view in views(spec)}
    for param in spec.get("params", ()):
        for view in param["views"] if "select" in param else ():
            assert {*param["select"]["fields"]} <= fields[view]


def views(part):
    """The parts of a specification that draw and have a name."""
    if "name" in part:
        yield part
    for kind in NESTED:
        for each in part.get(kind, ()):
            yield from views({"data": part.get("data"), **each})


def check_drawing(svg: str) -> None:
    assert svg.startswith("<svg")
    assert not any(each in svg for each in ("<b>", "</script>", "\u202e", "\u200b", "\x07"))
    assert not re.search(r"[>(,\"]\s*(NaN|undefined)\b", svg)
    assert min(map(float, re.findall(r'font-size="([\d.]+)px"', svg)), default=10) >= 10


def hold_numbers(request, name: str, now: list[str]) -> None:
    lines = NUMBERS.read_text(encoding="utf-8").splitlines()
    mine = [line for line in lines if line.startswith(f"{name}.")]
    if request.config.getoption("--rewrite"):
        others = [line for line in lines if line not in mine]
        NUMBERS.write_text("\n".join(sorted(others + now)) + "\n", encoding="utf-8")
        mine = now
    assert list(lines_unlike("\n".join(sorted(now)), "\n".join(sorted(mine)))) == []


def hold_to(request, name: str, now: str) -> None:
    """Compare a figure with its specification, numbers as numbers, where it has one."""
    file = FOLDER / f"specs/{name}.txt"
    if not file.is_file():
        return
    if request.config.getoption("--rewrite"):
        file.write_text(now, encoding="utf-8")
    assert list(lines_unlike(now, file.read_text(encoding="utf-8"))) == []


def test_the_stored_specifications_and_numbers_are_those_of_figures():
    specs = {file.stem for file in (FOLDER / "specs").iterdir()}
    assert specs <= {*CHARTS, *PLOTS}
    lines = NUMBERS.read_text(encoding="utf-8").splitlines()
    assert {line.partition(".")[0] for line in lines} == CHARTS.keys()


CLICKED = {
    "node": lambda: beam_tree(two_step_tree(), click=3),
    "head": lambda: correlation_grid(np.zeros((2, 2)), title="ρ", selected=(1, 0), click=3),
    "head of all": lambda: head_grid(
        heads_table(HEADS), np.arange(6.0), title="c", selected=HEADS[2], click=3
    ),
    "candidate": lambda: candidates_chart("ab", [-1.0, -2.0], [7, 9], taken=[9], click=3),
    "cell": lambda: weight_matrix(np.eye(2), "ab", "ab", site="cross", click=3),
    "place": lambda: stream_arrows(
        stream_turns(stream_table(stream_of(PLAIN), 0)), PLACES, chosen=1, click=3
    ),
}
CHOSEN = {"head": "selected", "head of all": "selected", "candidate": "taken", "place": "chosen"}


@pytest.mark.parametrize("what", CLICKED)
def test_a_click_reports_the_drawing_it_is_on_and_one_mark_is_chosen(what):
    figure = CLICKED[what]()
    assert selection_of(figure) == what.split()[0]
    marks = next(table for table in tables_of(figure).values() if "click" in table)
    assert set(marks["click"]) == {3}
    assert what not in CHOSEN or marks[CHOSEN[what]].sum() == 1


def test_a_figure_that_cannot_be_clicked_has_no_selection():
    assert selection_of(correlation_grid(np.zeros((2, 2)), title="ρ", clickable=False)) == ""
    assert selection_of(weight_matrix(np.eye(2), "ab", "ab", site="cross")) == ""


# Figures of Plotly

MARKUP = ("▁<i>x</i>", "▁&lt;", "▁%{x}", "a<br>b", "▁<sup>", *HOSTILE[2:])


def encoding(tokens):
    values = encoding_table(max(12, len(tokens)), 8)
    values[3, 2] = np.nan
    return values


def runs(tokens):
    lines = [(run, "loss", step, step or np.nan) for run in tokens[:6] for step in range(3)]
    table = pd.DataFrame(lines, columns=["run", "measure", "step", "value"])
    return run_curves(table, list(dict.fromkeys(tokens[:6])), {"loss": "Loss"})


def layers(tokens):
    powers = pd.DataFrame({"kind": ["gru"], "at": 256, "exponent": 1.0, "low": 0.9, "high": 1.1})
    return measured_lines(measured(), LAYERS, "forward", 256, powers, here=measured()[:1])


OF_TOKENS = {
    "plot-surface": lambda tokens: encoding_surface(encoding(tokens), tokens=tokens, chosen=(3, 2)),
    "plot-curve": lambda tokens: encoding_curve(
        principal(encoding(tokens)), tokens=tokens, chosen=0
    ),
}
PLOTS = OF_TOKENS | {
    "plot-runs": runs,
    "plot-layers": layers,
}


def strings(part):
    """All strings of a figure, those of columns one by one."""
    if isinstance(part, str):
        return [part]
    below = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return [text for each in below for text in strings(each)]


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_is_valid_of_any_tokens_and_has_the_traces_that_were_read(name, request):
    plain = PLOTS[name](PLAIN)
    hold_to(request, name, plot_text(plain.to_dict()))
    templates = {trace["hovertemplate"] for trace in plain.data}
    for tokens in (PLAIN, PLAIN[:1], MARKUP, MANY):
        figure = PLOTS[name](tokens)
        shown = json.loads(figure.to_json())
        go.Figure(shown, skip_invalid=False)
        json.dumps(shown, allow_nan=False)
        assert figure.layout.height
        assert figure.layout.uirevision
        tags = {tag for text in strings(shown) for tag in re.findall(r"</?\w+[^>]*>", text)}
        assert tags <= {"<b>", "</b>", "<br>", "<extra>", "</extra>"}
        if len(tokens) >= len(PLAIN):
            assert {trace.hovertemplate for trace in figure.data} == templates
        if name in OF_TOKENS:
            told = html.unescape("\n".join(strings(shown["data"])))
            assert all(label in told for label in token_labels(tokens))


@pytest.mark.parametrize("name", PLOTS)
def test_ink_and_words_of_a_plot_are_those_of_the_look(name):
    for look in (Look(), KOREAN):
        figure = look(PLOTS[name], PLAIN)
        assert figure.layout.template.layout.font.color == look(ink)
        assert figure.layout.template.layout.hoverlabel.bgcolor == look(ground)
        words = json.dumps(json.loads(figure.to_json()), ensure_ascii=False)
        assert bool(re.search("[가-힣]", words)) == (look is KOREAN)


def test_points_tell_their_lines_and_a_heading_and_paths_tell_nothing():
    told = [("", ["<a>\n&", "b"]), ("figures-token", ["c", "d"]), ("x", "%{x}")]
    trace = points([[0, 1], [2, 3]], told)
    assert list(map(tuple, trace.customdata)) == [("&lt;a&gt;<br>&amp;", "c"), ("b", "d")]
    lines = "<b>%{customdata[0]}</b><br>Token: %{customdata[1]}<br>x: %{x}<extra></extra>"
    assert trace.hovertemplate == lines
    assert path([[0], [0], [0]], "red", 2).hoverinfo == "skip"
    # Text written by WebGL knows no entities.
    flat, deep = (points([[0]] * n, text=["<b>&"]).text[0] for n in (2, 3))
    assert (flat, deep) == ("&lt;b&gt;&amp;", "<\u200bb>&")
