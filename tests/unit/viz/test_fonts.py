"""Hangul in files, on a machine that has no Korean font at all."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys

import altair as alt
import numpy as np
import pytest
from fontTools.ttLib import TTFont

import words.catalogue
from support.figures import pixels_of
from support.models import ROOT
from viz.export import figure_html, figure_svg
from viz.figure import Figure
from viz.fonts import FAMILY, FOLDER, STACK, has_hangul
from viz.look import Look
from words import Words

SYLLABLES = "가각힣뜻층ㄱㅏ"
NOTHING = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}</dir></fontconfig>"""
DRAW = """
import sys
import altair as alt
from viz.export import figure_png
for place, text in enumerate(sys.argv[2:]):
    chart = alt.Chart(alt.NamedData(name="one"), width=60, height=60)
    chart = chart.mark_text(fontSize=40, text=text).configure_view(stroke=None)
    chart.datasets = {"one": [{"x": 0}]}
    with open(f"{sys.argv[1]}/{place}.png", "wb") as file:
        file.write(figure_png(chart))
"""


@pytest.fixture(scope="module")
def drawn(tmp_path_factory) -> dict[str, np.ndarray]:
    """Each of `SYLLABLES`, a sign that no font has and nothing, as pictures."""
    folder = tmp_path_factory.mktemp("fonts")
    (folder / "fonts.conf").write_text(NOTHING.format(folder=folder / "none"))
    texts = [*SYLLABLES, "\ue123", " "]
    environment = {**os.environ, "FONTCONFIG_FILE": str(folder / "fonts.conf")}
    subprocess.run(
        [sys.executable, "-c", DRAW, str(folder), *texts],
        cwd=ROOT, env=environment, check=True, timeout=300,
    )  # fmt: skip
    return {
        text: pixels_of((folder / f"{place}.png").read_bytes(), "L")
        for place, text in enumerate(texts)
    }


def test_every_syllable_is_drawn_as_itself_and_no_box(drawn):
    for first, second in itertools.combinations(drawn, 2):
        assert (drawn[first] != drawn[second]).any(), (first, second)
    for syllable in SYLLABLES:
        assert (drawn[syllable] < 128).sum() > 40
    # A box is empty inside and closed outside; a syllable has ink in the middle of what it covers.
    for syllable in SYLLABLES[:5]:
        ink = drawn[syllable] < 128
        rows, columns = np.nonzero(ink)
        inner = ink[rows.min() + 8 : rows.max() - 7, columns.min() + 8 : columns.max() - 7]
        assert inner.any()


@pytest.mark.parametrize("weight", ["Regular", "Bold"])
def test_the_fonts_hold_what_korean_words_are_made_of(weight):
    font = TTFont(FOLDER / f"NotoSansKRLab-{weight}.otf")
    known = set(font.getBestCmap())
    assert font["name"].getDebugName(1) == FAMILY
    assert len([c for c in known if 0xAC00 <= c <= 0xD7A3]) == 2350
    said = "".join(p.read_text("utf-8") for p in (words.catalogue.FOLDER / "ko").iterdir())
    assert {c for c in said if has_hangul(c)} <= set(map(chr, known))


def test_the_browser_is_told_where_the_fonts_lie_beside_their_licence():
    config = (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    urls = re.findall(r'url = "app/(\S+)"', config)
    assert len(urls) == 2
    assert all((ROOT / url).is_file() for url in urls)
    assert "SIL OPEN FONT LICENSE" in (FOLDER / "OFL.txt").read_text(encoding="utf-8")
    assert f"Source Sans, {FAMILY}, sans-serif" in config


def drawing(text: str) -> Figure:
    chart = alt.Chart(alt.NamedData(name="one")).mark_text(text=text)
    chart.datasets = {"one": [{"x": 0}]}
    return chart


def test_pictures_hold_the_fonts_only_where_they_need_them():
    korean = Look(words=Words("ko"))(figure_html, drawing("layer"), "제목")
    needing = (figure_svg(drawing("층")), figure_html(drawing("층"), "title"), korean)
    others = (figure_svg(drawing("layer")), figure_html(drawing("layer"), "title"))
    assert ["@font-face" in each for each in (*needing, *others)] == [True] * 3 + [False] * 2
    assert 'lang="ko"' in korean


def test_words_with_letters_that_the_fonts_for_hangul_lack_are_in_another():
    rows = alt.Chart(alt.NamedData(name="t")).mark_text().encode(y="w:N", text="w:N")
    rows.datasets = {"t": [{"w": "Straße"}, {"w": "쿼리"}]}
    fonts = dict(
        (word, font)
        for font, word in re.findall(r'font-family="([^"]*)"[^>]*>(쿼리|Straße)<', figure_svg(rows))
    )
    assert fonts == {"Straße": "sans-serif", "쿼리": STACK}
