"""What holds for every figure: it fits the schema, keeps to its specification, and any tokens do.

The specifications stand in `tests/figures/specs`, a line a layer, to be read as a difference. After
a change that is meant: ``python -m pytest tests/test_viz_figures.py --rewrite``.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import altair as alt
import pytest
from figures import PLAIN, every_figure

from viz.export import export_spec, figure_svg
from viz.figure import spec_of, tables_of
from viz.look import Look
from words import Words

FIGURES = every_figure()
SPECS = Path(__file__).parent / "figures" / "specs"
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
MANY = tuple(f"▁w{i % 40}" for i in range(160))


@pytest.mark.parametrize("name", FIGURES)
def test_it_obeys_the_schema(name):
    figure = FIGURES[name](PLAIN)
    assert isinstance(figure, alt.TopLevelMixin)
    figure.to_dict(validate=True)


@pytest.mark.parametrize("name", FIGURES)
def test_its_specification_is_the_one_that_was_read(name, request):
    now = _lines(spec_of(FIGURES[name](PLAIN)))
    file = SPECS / f"{name}.txt"
    if request.config.getoption("--rewrite"):
        file.write_text(now, encoding="utf-8")
    assert now == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("tokens", [PLAIN[:1], HOSTILE, MANY], ids=["one", "hostile", "many"])
@pytest.mark.parametrize("name", FIGURES)
def test_it_is_drawn_of_any_tokens(name, tokens):
    svg = figure_svg(Look(dark=True, words=Words("ko"))(FIGURES[name], tokens))
    assert svg.startswith("<svg")
    assert not any(each in svg for each in ("<b>", "</script>", "\u202e", "\u200b", "\x07"))
    assert not re.search(r"[>(,\"]\s*(NaN|undefined)\b", svg)


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
def test_in_a_file_it_takes_no_ink_from_a_page(name):
    text = json.dumps(export_spec(FIGURES[name](PLAIN)))
    assert not re.search("currentColor|light-dark", text)


def _lines(part, indent="") -> str:
    """A specification with a line for each layer and each other property."""
    nested = ("layer", "hconcat", "vconcat", "concat")
    rows = []
    for key in sorted(part):
        if key == "datasets":
            rows.append(f"{indent}tables: {', '.join(part[key])}")
        elif key in nested:
            for each in part[key]:
                rows += [f"{indent}{key}:", _lines(each, indent + "  ").rstrip("\n")]
        else:
            value = json.dumps(part[key], ensure_ascii=False, sort_keys=True)
            rows.append(f"{indent}{key}: {value}")
    return "\n".join(rows) + "\n"
