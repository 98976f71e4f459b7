"""Looks, and contrasts of their colours by the formula of WCAG 2 (1.4.3)."""

from __future__ import annotations

import json
import re
import threading
import tomllib
from itertools import combinations

import numpy as np
import pytest

from support.figures import map_of
from support.models import ROOT
from viz.export import export_spec
from viz.heatmap import attention_heatmap
from viz.plots import panels
from viz.ribbons import head_colour
from viz.style import PLAIN, Look, current_look, is_dark, looking, say, use_look
from viz.theme import (
    GREY,
    GROUNDS,
    HEADS,
    INKS,
    NEGATIVE,
    POSITIVE,
    PRIMARY,
    SELECTION,
    SELECTION_TEXT,
    diverging_ramp,
    ink,
    ink_on,
    of_theme,
    palette_of,
    signed_ramp,
)
from words import Words

THEMES = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
KOREAN = Look(dark=True, words=Words("ko"))
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


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("ground", ["backgroundColor", "secondaryBackgroundColor"])
def test_words_stand_out_from_the_page(theme, ground):
    colours, dark = THEMES[theme], theme == "dark"
    page, text = colours[ground], colours["textColor"]
    red = of_theme(SELECTION_TEXT, dark=dark)
    told = (text, colours["backgroundColor"], colours["primaryColor"])
    assert told == (INKS[dark], GROUNDS[dark], PRIMARY[dark])
    assert contrast(channels(text), channels(page)) >= WORDS
    assert contrast(channels(red), channels(page)) >= WORDS
    # Streamlit writes captions with 60 % of the ink, and puts the chosen of a switch on 20 %
    # of the theme's own colour while the pointer is on it.
    assert contrast(mixed(text, page, 0.6), channels(page)) >= WORDS
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
def test_a_file_has_the_red_of_its_own_paper(dark):
    figure = attention_heatmap(map_of(("▁a", "▁b")), 0, 0, locked_rows=(1,))
    spec = json.dumps(Look(dark=dark)(export_spec, figure))
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


# Colours of heads

# Machado, Oliveira and Fernandes 2009, table 1, severity 1; for linear RGB.
VIEWS = {
    "ordinary": "1 0 0 0 1 0 0 0 1",
    "protan": "0.152286 1.052583 -0.204868 0.114503 0.786281 0.099216 -0.003882 -0.048116 1.051998",
    "deutan": "0.367322 0.860646 -0.227968 0.280085 0.672501 0.047413 -0.011820 0.042940 0.968881",
    "tritan": "1.255528 -0.076749 -0.178779 -0.078411 0.930809 0.147602 0.004733 0.691367 0.303900",
}
TO_XYZ = "0.4124564 0.3575761 0.1804375 0.2126729 0.7151522 0.0721750 0.0193339 0.1191920 0.9503041"
JUST_NOTICEABLE = 2.3  # CIELAB, Mahy et al. 1994


def matrix(numbers: str) -> np.ndarray:
    return np.reshape(numbers.split(), (3, 3)).astype(float)


def lab(colour: str, view: str = "ordinary") -> np.ndarray:
    rgb = np.clip(matrix(VIEWS[view]) @ linear(channels(colour)), 0, 1)
    xyz = matrix(TO_XYZ) @ rgb / [0.95047, 1.0, 1.08883]
    x, y, z = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_head_colours_show_on_either_page_and_beside_a_selection_and_start_again():
    for colour in HEADS:
        assert contrast(channels(colour), channels("#ffffff")) >= MARKS, colour
        assert contrast(channels(colour), channels("#14171c")) >= MARKS, colour
        assert np.linalg.norm(lab(colour) - lab(SELECTION)) > 20, colour
    assert len(set(HEADS)) == len(HEADS) >= 16
    assert head_colour(len(HEADS) + 2) == HEADS[2]


@pytest.mark.parametrize("view", VIEWS)
def test_head_colours_can_be_told_apart_by_the_colour_blind_too(view):
    seen = [lab(colour, view) for colour in HEADS]
    least = [
        min(np.linalg.norm(a - b) for a, b in combinations(some, 2)) for some in (seen, seen[:8])
    ]
    assert least[0] > (20 if view == "ordinary" else 4 * JUST_NOTICEABLE)
    assert least[1] > 7 * JUST_NOTICEABLE


# Looks


def test_a_look_ends_with_its_block_also_after_an_error():
    with looking(KOREAN):
        assert (is_dark(), say("head-name", layer=1, head=2)) == (True, "1층 2번 헤드")
        assert Look()(say, "head-name", layer=1, head=2) == "layer 1, head 2"
        assert current_look() == KOREAN
    assert current_look() == PLAIN
    with pytest.raises(KeyError, match="no-such-message"):
        KOREAN(say, "no-such-message")
    assert current_look() == PLAIN


def test_a_thread_does_not_see_the_look_of_another():
    seen = []
    set_there = threading.Event()
    looked_here = threading.Event()

    def other():
        use_look(KOREAN)
        set_there.set()
        looked_here.wait(60)
        seen.append(current_look())

    thread = threading.Thread(target=other)
    thread.start()
    assert set_there.wait(60)
    assert current_look() == PLAIN
    looked_here.set()
    thread.join()
    assert seen == [KOREAN]


def test_every_panel_of_a_plot_has_the_ink_of_its_page():
    plot = KOREAN(panels, ("a", "b"), x="x", pointer="%{x}", height=100)
    assert plot.layout.template.layout.yaxis.color == KOREAN(ink)
    assert {plot.layout[f"yaxis{place}"].color for place in ("", 2)} == {None}
