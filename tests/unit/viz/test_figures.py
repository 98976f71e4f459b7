"""What holds for every figure: it fits the schema, keeps to its specification, and any tokens do.

The specifications stand in `tests/support/figures/specs`, a line a layer and a line a column of
each table behind the figure, to be read as a difference. After a change that is meant:
``python -m pytest tests/unit/viz/test_figures.py --rewrite``.
"""

from __future__ import annotations

import json
import re

import altair as alt
import numpy as np
import pytest

from core.block import stream_table
from support.figures import PLAIN, every_figure
from support.figures.block import PLACES, stream_of
from support.figures.knockout import HEADS
from support.models import ROOT
from support.number_text import lines_unlike
from support.trees import two_step_tree
from viz.block import stream_bars
from viz.effect import weight_matrix
from viz.explain import correlation_grid
from viz.export import export_spec, figure_svg
from viz.figure import selection_of, spec_of, tables_of
from viz.knockout import head_bars
from viz.look import Look
from viz.token_bars import candidates_chart
from viz.tree import beam_tree
from words import Words

FIGURES = every_figure()
SPECS = ROOT / "tests/support/figures/specs"
HOSTILE = (
    "<b>",
    "$x$",
    "\u202eabc",
    "\u200b",
    "{{7*7}}",
    "</script>",
    "'\"\\",
    "",
    "▁\x07",
    "🎉" * 9,
)
NESTED = ("layer", "hconcat", "vconcat", "concat")
MANY = tuple(f"▁w{i % 40}" for i in range(160))
MOST_VALUES = 8


@pytest.mark.parametrize("name", FIGURES)
def test_it_obeys_the_schema(name):
    figure = FIGURES[name](PLAIN)
    assert isinstance(figure, alt.TopLevelMixin)
    figure.to_dict(validate=True)


@pytest.mark.parametrize("name", FIGURES)
def test_its_specification_is_the_one_that_was_read(name, request):
    figure = FIGURES[name](PLAIN)
    hold_to(request, name, _lines(spec_of(figure)) + "\n".join(_columns(tables_of(figure))) + "\n")


def hold_to(request, name: str, now: str) -> None:
    """Compare a figure with its file, numbers as numbers; --rewrite writes the file anew."""
    file = SPECS / f"{name}.txt"
    if request.config.getoption("--rewrite"):
        file.write_text(now, encoding="utf-8")
    assert list(lines_unlike(now, file.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("tokens", [PLAIN[:1], HOSTILE, MANY], ids=["one", "hostile", "many"])
@pytest.mark.parametrize("name", FIGURES)
def test_it_is_drawn_of_any_tokens(name, tokens):
    svg = figure_svg(Look(dark=True, words=Words("ko"))(FIGURES[name], tokens))
    assert svg.startswith("<svg")
    assert not any(each in svg for each in ("<b>", "</script>", "\u202e", "\u200b", "\x07"))
    assert not re.search(r"[>(,\"]\s*(NaN|undefined)\b", svg)
    assert min(map(float, re.findall(r'font-size="([\d.]+)px"', svg)), default=10) >= 10


@pytest.mark.parametrize("name", FIGURES)
def test_equal_shapes_share_one_chart_and_differ_in_their_tables(name):
    first, second = (spec_of(FIGURES[name](PLAIN)) for _ in range(2))
    assert {k: v for k, v in first.items() if k != "datasets"} == {
        k: v for k, v in second.items() if k != "datasets"
    }
    assert all(first[part] is second[part] for part in first if part != "datasets")


@pytest.mark.parametrize("name", FIGURES)
def test_every_table_is_drawn_and_every_drawn_table_is_there(name):
    figure = FIGURES[name](PLAIN)
    text = json.dumps({k: v for k, v in spec_of(figure).items() if k != "datasets"})
    asked = {part.split('"')[0] for part in text.split('"data": {"name": "')[1:]}
    assert asked == set(tables_of(figure))


@pytest.mark.parametrize("name", FIGURES)
def test_what_a_click_or_the_pointer_chooses_by_stands_in_the_tables(name):
    figure = FIGURES[name](PLAIN)
    spec, tables = spec_of(figure), tables_of(figure)
    fields = {v["name"]: set(tables[v["data"]["name"]]) for v in views(spec) if "name" in v}
    for param in spec.get("params", ()):
        for view in param["views"] if "select" in param else ():
            assert {*param["select"]["fields"]} <= fields[view]


CLICKED = {
    "node": lambda: beam_tree(two_step_tree(), click=3),
    "head": lambda: correlation_grid(np.zeros((2, 2)), title="ρ", selected=(1, 0), click=3),
    "head of bars": lambda: head_bars(HEADS, np.arange(6.0), title="c", selected=HEADS[2], click=3),
    "candidate": lambda: candidates_chart("ab", [-1.0, -2.0], [7, 9], taken=[9], click=3),
    "cell": lambda: weight_matrix(np.eye(2), "ab", "ab", kind="cross", click=3),
    "place": lambda: stream_bars(stream_table(stream_of(PLAIN), 0), PLACES, chosen=1, click=3),
}
CHOSEN = {"head": "selected", "head of bars": "selected", "candidate": "taken"}
CHOSEN |= dict.fromkeys(("place", "unit"), "chosen")


@pytest.mark.parametrize("what", CLICKED)
def test_a_click_reports_the_drawing_it_is_on_and_one_mark_is_chosen(what):
    figure = CLICKED[what]()
    assert selection_of(figure) == what.split()[0]
    marks = next(table for table in tables_of(figure).values() if "click" in table)
    assert set(marks["click"]) == {3}
    assert what not in CHOSEN or marks[CHOSEN[what]].sum() == 1


def test_who_cannot_be_clicked_has_no_selection():
    assert selection_of(correlation_grid(np.zeros((2, 2)), title="ρ", clickable=False)) == ""
    assert selection_of(weight_matrix(np.eye(2), "ab", "ab", kind="cross")) == ""


@pytest.mark.parametrize("name", FIGURES)
def test_in_a_file_it_takes_no_ink_from_a_page(name):
    text = json.dumps(export_spec(FIGURES[name](PLAIN)))
    assert not re.search("currentColor|light-dark", text)


def views(part):
    """A specification and all its parts that draw."""
    yield part
    for kind in NESTED:
        for each in part.get(kind, ()):
            yield from ({"data": part.get("data"), **view} for view in views(each))


def _lines(part, indent="") -> str:
    """A specification with a line for each layer and each other property."""
    rows = []
    for key in sorted(part):
        if key == "datasets":
            rows.append(f"{indent}tables: {', '.join(part[key])}")
        elif key in NESTED:
            for each in part[key]:
                rows += [f"{indent}{key}:", _lines(each, indent + "  ").rstrip("\n")]
        else:
            value = json.dumps(part[key], ensure_ascii=False, sort_keys=True)
            rows.append(f"{indent}{key}: {value}")
    return "\n".join(rows) + "\n"


def _columns(tables):
    """Of every column the first values, and of numbers their sum."""
    for name, table in tables.items():
        for column, values in table.items():
            found = values.dropna()
            numeric = found.dtype.kind in "iuf" and len(found)
            whole = f", sum {short(found.to_numpy(float).sum())}" if numeric else ""
            first = ", ".join(map(short, values[:MOST_VALUES]))
            yield f"{name}.{column}: {first} ({len(values)}{whole})"


def short(value) -> str:
    """Three digits of a number; of a picture that it is one."""
    if isinstance(value, float | np.floating):
        return f"{value + 0:.3g}"
    if isinstance(value, int | np.integer | np.bool_):
        return str(value)
    text = str(value)
    return "a picture" if text.startswith("data:") else json.dumps(text[:60], ensure_ascii=False)
