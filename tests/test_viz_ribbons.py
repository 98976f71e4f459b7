"""The picture of the links of some heads, and the colours of heads."""

from __future__ import annotations

from itertools import combinations

import altair as alt
import numpy as np
import pytest
from test_analysis_links import attention_of, random_attention

from analysis.links import links
from records import ENCODER, AttentionMap
from viz.export import figure_svg
from viz.ribbons import HEAD_COLOURS, curve_table, head_colour, ribbon_figure
from viz.theme import SELECTION
from words import english

# Machado, Oliveira and Fernandes 2009, table 1, severity 1; for linear RGB.
COLOUR_BLIND = {
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
JUST_NOTICEABLE = 2.3  # CIELAB, Mahy et al. 1994


def linear(colour: str) -> np.ndarray:
    value = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def luminance(colour: str) -> float:
    return float(linear(colour) @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, relative luminance."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def lab(rgb: np.ndarray) -> np.ndarray:
    to_xyz = [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
    xyz = np.array(to_xyz) @ rgb / [0.95047, 1.0, 1.08883]
    x, y, z = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


# --- colours


def test_heads_past_the_last_colour_start_again():
    assert len(set(HEAD_COLOURS)) == len(HEAD_COLOURS) >= 16
    assert head_colour(len(HEAD_COLOURS) + 2) == HEAD_COLOURS[2]


@pytest.mark.parametrize("colour", HEAD_COLOURS)
def test_head_colours_show_on_white_on_the_dark_page_and_beside_a_selection(colour):
    assert contrast(colour, "#ffffff") >= 3.0
    assert contrast(colour, "#14171c") >= 3.0
    assert np.linalg.norm(lab(linear(colour)) - lab(linear(SELECTION))) > 20


def test_head_colours_are_far_apart():
    points = [lab(linear(colour)) for colour in HEAD_COLOURS]
    assert min(np.linalg.norm(a - b) for a, b in combinations(points, 2)) > 20


@pytest.mark.parametrize("kind", COLOUR_BLIND)
def test_head_colours_can_be_told_apart_by_the_colour_blind(kind):
    seen = [
        lab(np.clip(np.array(COLOUR_BLIND[kind]) @ linear(colour), 0, 1)) for colour in HEAD_COLOURS
    ]
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > 4 * JUST_NOTICEABLE
    first = seen[:8]
    assert min(np.linalg.norm(a - b) for a, b in combinations(first, 2)) > 7 * JUST_NOTICEABLE


# --- the picture


def test_a_curve_starts_at_its_query_and_ends_at_its_key():
    shown = links(attention_of([[[0.1, 0.9], [0.9, 0.1]]]), 0, share=0.5)
    curves = curve_table(shown, np.ones(2, bool), step=20.0)
    first = curves[curves["link"] == 0]
    assert first["point"].tolist() == [0, 1, 2, 3]
    assert first["y"].tolist() == [10, 10, 30, 30]
    assert (first["x"].iloc[0], first["x"].iloc[-1]) == (0, 1)


def test_links_of_two_heads_between_the_same_tokens_lie_side_by_side():
    shown = links(attention_of([[[1.0]], [[1.0]]]), 0)
    curves = curve_table(shown, np.ones(2, bool), step=20.0)
    one, two = (curves[curves["head"] == head]["y"].tolist() for head in (1, 2))
    assert one[0] < 10 < two[0]
    assert one[0] + two[0] == pytest.approx(20)


def test_a_head_keeps_its_colour_whichever_others_are_shown():
    attention = random_attention(0)
    for heads in ((2,), (0, 2), (2, 1)):
        shown = links(attention, 0, heads)
        curves = ribbon_figure(attention, shown).tables["curves"]
        assert set(curves[curves["head"] == 3]["colour"]) == {HEAD_COLOURS[2]}


def test_only_the_links_of_a_chosen_row_are_in_the_picture():
    attention = random_attention(0)
    shown = links(attention, 0)
    tables = ribbon_figure(attention, shown, rows=(2,), columns=(1,)).tables
    assert set(tables["curves"]["query"]) == {"3 · q2"}
    assert tables["curves"]["link"].nunique() == (shown.query == 2).sum()
    assert tables["queries"]["chosen"].tolist() == [False, False, True, False, False]
    assert tables["keys"]["chosen"].tolist().index(True) == 1


def test_the_hidden_weight_is_printed():
    attention = attention_of([[[0.8, 0.2]]])
    (note,) = ribbon_figure(attention, links(attention, 0)).tables["note"]["text"]
    assert note == english("figures-ribbons-note", layer=1, n=1, links="1", hidden="20.0%")


def test_repeated_words_keep_rows_of_their_own():
    weights = np.full((1, 1, 3, 3), 1 / 3, np.float32)
    attention = AttentionMap(ENCODER, weights, ("▁the",) * 3, ("▁the",) * 3)
    tables = ribbon_figure(attention, links(attention, 0)).tables
    assert tables["queries"]["label"].nunique() == 3
    assert tables["queries"]["y"].nunique() == 3


@pytest.mark.parametrize("n", [1, 3, 70])
def test_the_picture_is_drawn_with_a_curve_for_each_link_and_every_token(n):
    attention = random_attention(n, 2, n, n)
    shown = links(attention, 0, share=0.5)
    svg = figure_svg(ribbon_figure(attention, shown))
    assert svg.count('aria-roledescription="line mark"') == len(shown)
    for token in (f"q{n - 1}", f"k{n - 1}"):
        assert f">{token}</text>" in svg
    assert f"{english('figures-ribbons-head', head=2)}</text>" in svg


def test_a_picture_without_links_is_drawn():
    attention = attention_of([[[0.0, 0.0]]])
    svg = figure_svg(ribbon_figure(attention, links(attention, 0)))
    assert ">k1</text>" in svg
    assert "line mark" not in svg


def test_the_chart_fits_the_schema_of_vega_lite():
    attention = random_attention(0)
    alt.Chart.from_dict(ribbon_figure(attention, links(attention, 0), rows=(1,)).chart)
