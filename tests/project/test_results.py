"""Figures of the docs: on disk in both themes, drawn from the stored files as they lie."""

from __future__ import annotations

import re

from PIL import Image, ImageColor

from scripts.results import FIGURES, IMAGES, THEMES, figure_file, write_figures
from support.models import ROOT
from viz.style import Look
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
            assert dark.replace("-dark.png", "-light.png") == light
            found |= {dark, light}
    assert found == FILES.keys()


def test_a_figure_on_disk_was_drawn_from_the_stored_file_as_it_lies():
    for file, name in FILES.items():
        with Image.open(DOCS / IMAGES / file) as picture:
            told = {name.lower(): value for name, value in picture.text.items()}
        assert told == FIGURES[name].signature(), file


def test_the_command_draws_each_theme_on_its_own_ground(tmp_path, monkeypatch):
    name = next(iter(FIGURES))
    monkeypatch.setattr("scripts.results.FIGURES", {name: FIGURES[name]})
    write_figures(tmp_path)
    for theme in THEMES:
        with Image.open(tmp_path / IMAGES / figure_file(name, theme)) as picture:
            corner = picture.convert("RGB").getpixel((0, 0))
        ground_here = Look(dark=theme == "dark")(ground)
        assert corner == ImageColor.getrgb(ground_here)
