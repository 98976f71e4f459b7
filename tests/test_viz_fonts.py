"""Hangul in files, on a machine that has no Korean font at all."""

from __future__ import annotations

import io
import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

import altair as alt
import numpy as np
import pytest
from fontTools.ttLib import TTFont
from PIL import Image

import words.catalogue
from viz.export import figure_svg
from viz.figure import Figure
from viz.fonts import FAMILY, FOLDER, STACK, has_hangul
from viz.look import Look
from words import Words

ROOT = Path(__file__).resolve().parent.parent
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
        text: np.asarray(
            Image.open(io.BytesIO((folder / f"{place}.png").read_bytes())).convert("L")
        )
        for place, text in enumerate(texts)
    }


def test_every_syllable_is_drawn_as_itself(drawn):
    for first, second in itertools.combinations(drawn, 2):
        assert (drawn[first] != drawn[second]).any(), (first, second)
    for syllable in SYLLABLES:
        assert (drawn[syllable] < 128).sum() > 40


def test_syllables_are_no_boxes(drawn):
    # A box is empty inside and closed outside; a syllable has ink in the middle of what it covers.
    box = drawn["\ue123"] < 128
    for syllable in SYLLABLES[:5]:
        ink = drawn[syllable] < 128
        assert not (ink == box).all()
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


def test_the_licence_lies_beside_the_fonts():
    text = (FOLDER / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE" in text
    assert "Adobe" in text


def test_the_browser_is_told_where_the_fonts_lie():
    config = (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    urls = re.findall(r'url = "app/(\S+)"', config)
    assert len(urls) == 2
    assert all((ROOT / url).is_file() for url in urls)
    assert f"Source Sans, {FAMILY}, sans-serif" in config


def test_pictures_hold_the_fonts_only_where_they_need_them():
    from viz.export import figure_html, figure_svg

    def figure(text: str) -> Figure:
        chart = alt.Chart(alt.NamedData(name="one")).mark_text(text=text)
        chart.datasets = {"one": [{"x": 0}]}
        return chart

    assert "@font-face" in figure_svg(figure("층"))
    assert "@font-face" not in figure_svg(figure("layer"))
    assert "@font-face" in figure_html(figure("층"), "title")
    assert "@font-face" in Look(words=Words("ko"))(figure_html, figure("layer"), "제목")
    assert 'lang="ko"' in Look(words=Words("ko"))(figure_html, figure("layer"), "제목")
    assert "@font-face" not in figure_html(figure("layer"), "title")


def test_words_with_letters_that_the_fonts_for_hangul_lack_are_in_another():
    rows = alt.Chart(alt.NamedData(name="t")).mark_text().encode(y="w:N", text="w:N")
    rows.datasets = {"t": [{"w": "Straße"}, {"w": "쿼리"}]}
    fonts = dict(
        (word, font)
        for font, word in re.findall(r'font-family="([^"]*)"[^>]*>(쿼리|Straße)<', figure_svg(rows))
    )
    assert fonts == {"Straße": "sans-serif", "쿼리": STACK}
