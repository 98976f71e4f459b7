"""The picture of the links of some heads, and the colours of heads."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from unit.core.test_links import attention_of, random_attention
from unit.viz.test_theme import channels, contrast, linear

from core.links import links
from viz.export import figure_svg
from viz.figure import tables_of
from viz.ribbons import head_colour, ribbon_figure
from viz.theme import HEADS, SELECTION

# Machado, Oliveira and Fernandes 2009, table 1, severity 1; for linear RGB.
VIEWS = {
    "ordinary": "1 0 0 0 1 0 0 0 1",
    "protan": "0.152286 1.052583 -0.204868 0.114503 0.786281 0.099216 -0.003882 -0.048116 1.051998",
    "deutan": "0.367322 0.860646 -0.227968 0.280085 0.672501 0.047413 -0.011820 0.042940 0.968881",
    "tritan": "1.255528 -0.076749 -0.178779 -0.078411 0.930809 0.147602 0.004733 0.691367 0.303900",
}
JUST_NOTICEABLE = 2.3  # CIELAB, Mahy et al. 1994


def lab(colour: str, seen: str = "ordinary") -> np.ndarray:
    rgb = np.clip(
        np.reshape(VIEWS[seen].split(), (3, 3)).astype(float) @ linear(channels(colour)), 0, 1
    )
    to_xyz = "0.4124564 0.3575761 0.1804375 0.2126729 0.7151522 0.0721750 "
    to_xyz += "0.0193339 0.1191920 0.9503041"
    xyz = np.reshape(to_xyz.split(), (3, 3)).astype(float) @ rgb / [0.95047, 1.0, 1.08883]
    x, y, z = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_heads_past_the_last_colour_start_again():
    assert len(set(HEADS)) == len(HEADS) >= 16
    assert head_colour(len(HEADS) + 2) == HEADS[2]


@pytest.mark.parametrize("colour", HEADS)
def test_head_colours_show_on_white_on_the_dark_page_and_beside_a_selection(colour):
    assert contrast(channels(colour), channels("#ffffff")) >= 3.0
    assert contrast(channels(colour), channels("#14171c")) >= 3.0
    assert np.linalg.norm(lab(colour) - lab(SELECTION)) > 20


@pytest.mark.parametrize("view", VIEWS)
def test_head_colours_can_be_told_apart_by_the_colour_blind_too(view):
    seen = [lab(colour, view) for colour in HEADS]
    least = [
        min(np.linalg.norm(a - b) for a, b in combinations(some, 2)) for some in (seen, seen[:8])
    ]
    assert least[0] > (20 if view == "ordinary" else 4 * JUST_NOTICEABLE)
    assert least[1] > 7 * JUST_NOTICEABLE


def test_only_the_links_of_a_chosen_row_are_in_the_picture():
    attention = random_attention(0)
    shown = links(attention, 0)
    tables = tables_of(ribbon_figure(attention, shown, rows=(2,), columns=(1,)))
    assert set(tables["curves"]["query"]) == {"3 · q2"}
    assert len(tables["curves"]) == (shown.query == 2).sum()
    assert tables["queries"]["chosen"].tolist() == [False, False, True, False, False]
    assert tables["keys"]["chosen"].tolist().index(True) == 1


def test_a_picture_without_links_is_drawn():
    attention = attention_of([[[0.0, 0.0]]])
    assert ">k1</text>" in figure_svg(ribbon_figure(attention, links(attention, 0)))


def test_a_head_keeps_its_colour_whichever_others_are_shown():
    attention = random_attention(0)
    for heads in ((2,), (0, 2), (2, 1)):
        svg = figure_svg(ribbon_figure(attention, links(attention, 0, heads)))
        assert HEADS[2] in svg
        assert all((HEADS[head] in svg) == (head in heads) for head in range(3))
