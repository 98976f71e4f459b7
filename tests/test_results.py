"""Figures of the docs: on disk in both themes, drawn from the stored files as they lie."""

from __future__ import annotations

import re

import pytest
from conftest import ROOT

from core.files import signature_line
from scripts.results import FIGURES, IMAGES, THEMES, figure_file, write_figures
from viz.theme import ground

DOCS = ROOT / "docs"
FILES = {figure_file(name, theme): name for name in FIGURES for theme in THEMES}


def test_the_folder_holds_the_figures_and_nothing_else():
    assert {path.name for path in (DOCS / IMAGES).iterdir()} == FILES.keys()


def test_a_page_shows_a_figure_in_both_themes():
    picture = re.compile(r"<picture>(.*?)</picture>", re.DOTALL)
    found = set()
    for page in DOCS.glob("*.md"):
        for shown in picture.findall(page.read_text(encoding="utf-8")):
            dark, light = re.findall(rf'{IMAGES}/([^"]+)', shown)
            assert dark.replace("-dark.svg", "-light.svg") == light
            found |= {dark, light}
    assert found == FILES.keys()


@pytest.mark.parametrize("file", FILES)
def test_a_figure_on_disk_was_drawn_from_the_stored_file_as_it_lies(file):
    text = (DOCS / IMAGES / file).read_text(encoding="utf-8")
    assert f"<metadata>{signature_line(FIGURES[FILES[file]].signature())}</metadata>" in text


def test_the_command_draws_each_theme_on_its_own_ground(tmp_path, monkeypatch):
    name = next(iter(FIGURES))
    monkeypatch.setattr("scripts.results.FIGURES", {name: FIGURES[name]})
    write_figures(tmp_path)
    grounds = {}
    for theme in THEMES:
        text = (tmp_path / IMAGES / figure_file(name, theme)).read_text(encoding="utf-8")
        grounds[theme] = re.search(r'<rect [^>]*fill="(#\w+)"', text)[1]
    assert grounds["light"] == ground()
    assert grounds["dark"] != grounds["light"]
