"""Scripts that a browser is told of in the HTML, read from the front end as it is installed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from starlette.responses import HTMLResponse
from starlette.testclient import TestClient
from streamlit.file_util import get_static_dir

import ui.serve
from ui.preloading import ELEMENTS, PLOTLY, early_scripts, scripts_of

INSTALLED = Path(get_static_dir())
FILES = {
    "index.main1.js": "",
    "Chart.a1.js": 'import{a}from"./shared.b2.js";import"./main.c3.js";()=>import("./late.d4.js")',
    "ChartTitle.e5.js": "",
    "shared.b2.js": 'import{b}from"./Chart.a1.js";import{c}from"./lost.f6.js"',
    "main.c3.js": 'import"./beyond.g7.js"',
    "beyond.g7.js": "",
    "late.d4.js": "",
}
"""A front end: the first and the third script stand in its HTML."""


@pytest.fixture
def front_end(tmp_path) -> Path:
    scripts = tmp_path / "static/js"
    scripts.mkdir(parents=True)
    for name, text in FILES.items():
        (scripts / name).write_text(text)
    named = '<script src="./static/js/index.main1.js"><link href="./static/js/main.c3.js">'
    (tmp_path / "index.html").write_text(named)
    return tmp_path


def addresses(html: str) -> list[str]:
    (listed,) = re.findall(r"for \(const href of (\[.*?\])\)", html)
    return json.loads(listed)


def test_an_element_brings_what_its_script_imports_at_once(front_end):
    assert scripts_of(["Chart"], front_end) == ("Chart.a1.js", "shared.b2.js")


def test_an_element_that_the_front_end_no_longer_has_is_left_out(front_end, tmp_path):
    assert scripts_of(["Table", "ChartTitle"], front_end) == ("ChartTitle.e5.js",)
    assert addresses(early_scripts(folder=tmp_path / "none")) == []


@pytest.mark.parametrize("element", [*ELEMENTS, PLOTLY])
def test_the_installed_front_end_has_the_script_of_each_element(element):
    found = scripts_of([element], INSTALLED)
    assert found[0].startswith(f"{element}.")
    assert addresses(early_scripts(element))[-1].startswith("./static/js/")


def test_an_option_cannot_end_the_script_that_it_is_written_into(monkeypatch):
    monkeypatch.setattr("streamlit.get_option", {"client.allowedOrigins": ["</script>"]}.get)
    assert early_scripts(folder=INSTALLED).count("</script>") == 2


@pytest.mark.parametrize(
    ("base", "address", "is_plotted"),
    [
        ("", "/", False),
        ("", "/training", False),
        ("", "/training?training_look=warmup", True),
        ("", "/training?training_look=nothing", False),
        ("", "/nothing?training_look=warmup", False),
        ("lab", "/lab/training?training_look=warmup&embed=true", True),
        ("lab", "/lab/lessons", False),
    ],
)
def test_only_views_that_open_with_a_figure_of_plotly_fetch_it(
    base, address, is_plotted, monkeypatch
):
    monkeypatch.setattr("streamlit.get_option", {"server.baseUrlPath": base}.get)
    sent = TestClient(ui.serve.Dressed(HTMLResponse("<body></body>"))).get(address).text
    assert (f"/{PLOTLY}." in sent) == is_plotted
    assert "/ArrowVegaLiteChart." in sent
