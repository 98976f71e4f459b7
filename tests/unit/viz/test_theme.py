"""The colours of words and marks against what is under them, by the formula of WCAG 2 (1.4.3)."""

from __future__ import annotations

import json
import re
import tomllib

import numpy as np
import pytest

from support.models import ROOT
from viz.export import export_spec
from viz.heatmap import attention_heatmap
from viz.look import Look
from viz.theme import (
    GREY,
    GROUNDS,
    INKS,
    NEGATIVE,
    POSITIVE,
    PRIMARY,
    SELECTION,
    SELECTION_TEXT,
    diverging_ramp,
    ink_on,
    of_theme,
    palette_of,
    signed_ramp,
)

THEMES = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
WORDS, MARKS = 4.5, 3.0
SITES = ("encoder", "decoder", "cross", "a", "b")  # those without a site have two palettes


def channels(colour: str) -> list[float]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def linear(rgb: list[float]) -> list[float]:
    parts = (value / 255 for value in rgb)
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def luminance(rgb: list[float]) -> float:
    red, green, blue = linear(rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: list[float], two: list[float]) -> float:
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


def mixed(colour: str, ground: str, part: float) -> list[float]:
    """`part` of a colour over a ground."""
    both = zip(channels(colour), channels(ground), strict=True)
    return [part * above + (1 - part) * below for above, below in both]


def test_the_formula_gives_the_known_extremes():
    assert contrast([0, 0, 0], [255, 255, 255]) == pytest.approx(21)
    assert contrast([119, 119, 119], [255, 255, 255]) == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("ground", ["backgroundColor", "secondaryBackgroundColor"])
def test_words_stand_out_from_the_page(theme, ground):
    colours, dark = THEMES[theme], theme == "dark"
    page, ink = colours[ground], colours["textColor"]
    red = of_theme(SELECTION_TEXT, dark=dark)
    told = (ink, colours["backgroundColor"], colours["primaryColor"])
    assert told == (INKS[dark], GROUNDS[dark], PRIMARY[dark])
    assert contrast(channels(ink), channels(page)) >= WORDS
    assert contrast(channels(red), channels(page)) >= WORDS
    # Streamlit writes captions with 60 % of the ink, and puts the chosen of a switch on 20 %
    # of the theme's own colour while the pointer is on it.
    assert contrast(mixed(ink, page, 0.6), channels(page)) >= WORDS
    own = colours["primaryColor"]
    assert contrast(channels(own), mixed(own, colours["backgroundColor"], 0.2)) >= WORDS


@pytest.mark.parametrize("dark", [False, True])
def test_marks_stand_out_from_the_page(dark):
    page = channels(THEMES["dark" if dark else "light"]["backgroundColor"])
    accents = {site: Look(dark=dark)(palette_of, site).accent for site in SITES}
    colours = {**accents, "selection": SELECTION, "grey": GREY}
    colours |= {"below": NEGATIVE, "above": POSITIVE}
    # Not the colours of heads: a number stands beside each, and they have to differ first.
    pale = {name: contrast(channels(colour), page) for name, colour in colours.items()}
    assert {name: round(ratio, 2) for name, ratio in pale.items() if ratio < MARKS} == {}


@pytest.mark.parametrize("dark", [False, True])
def test_a_number_stands_out_from_its_cell_all_along_a_ramp(dark):
    places = np.linspace(0, 1, 201)
    ramps = [Look(dark=dark)(palette_of, site).ramp for site in SITES]
    for ramp in (*ramps, Look(dark=dark)(diverging_ramp), Look(dark=dark)(signed_ramp)):
        stops = np.array([channels(colour) for colour in ramp])
        at = places * (len(ramp) - 1)
        grounds = np.stack([np.interp(at, range(len(ramp)), stops[:, c]) for c in range(3)], -1)
        inks = ink_on(ramp, places)
        worst = min(contrast(channels(i), list(g)) for i, g in zip(inks, grounds, strict=True))
        assert worst >= WORDS


@pytest.mark.parametrize("dark", [False, True])
def test_a_file_has_the_red_of_its_own_paper(dark, tiny_translator):
    record = tiny_translator.translate("A dog runs.").attention
    spec = json.dumps(
        Look(dark=dark)(
            export_spec, attention_heatmap(record.of("encoder"), 0, 0, locked_rows=(1,))
        )
    )
    assert "light-dark" not in spec
    assert of_theme(SELECTION_TEXT, dark=dark) in spec


def test_colours_stand_in_one_file():
    """But for those of sheets to print, which are grey, and Streamlit's own copy."""
    found = {}
    for folder in ("ui", "viz"):
        for file in sorted((ROOT / folder).rglob("*")):
            if file.suffix in (".py", ".css", ".js") and file.name != "theme.py":
                colours = re.findall(r"#[0-9a-fA-F]{6}\b", file.read_text(encoding="utf-8"))
                found |= {file.name: colours} if colours else {}
    assert found == {}
