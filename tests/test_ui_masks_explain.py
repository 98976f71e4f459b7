"""Attention beside other measures of importance, driven without a browser."""

from __future__ import annotations

import harness
import masks_page
import pytest
from harness import asked, n_charts, press, words
from masks_page import SHORT, open_page, says

from records import Decoding
from ui.masks import explain
from words import english, numbers

measured, measured_root = masks_page.measured, masks_page.measured_root


def click(page, **values: object):
    return harness.click(page, "explain_heads", "head", **values)


def test_three_measures_and_the_grid_are_there_and_the_command_for_averages(folder):
    page = open_page("explain")
    n_src = len(page.session_state["run"].translation.src)
    assert n_charts(page) == 2
    assert any(says(page, "masks-explain-rests", n=n_src, ties=ties) for ties in range(n_src))
    assert any("training intervene" in code.value for code in page.code)


def test_the_number_on_the_page_is_that_of_the_model(folder, tiny_translator):
    page = open_page("explain", explain_head="2.3", explain_method="Kendall τ-b")
    translation = tiny_translator.translate(SHORT, Decoding(beam_size=2, max_len=8, n_runners_up=3))
    found = tiny_translator.explain(translation.src, translation.tgt, method="kendall")
    position = page.selectbox("explain_token").value
    number = float(found.to_drops[1, 2, position])
    assert page.segmented_control("explain_method").value == "kendall"
    assert asked(page)["explain_method"] == "kendall"
    assert english("head-name", layer=2, head=3) in words(page)
    assert f"**{numbers.signed(number)}**" in words(page)


def test_a_click_on_the_grid_opens_a_head_and_one_beside_it_nothing(folder):
    page = open_page("explain")
    click(page, layer=0, head=3)
    assert page.selectbox("explain_head").value == (0, 3)
    assert asked(page)["explain_head"] == "1.4"
    for layer, head in ((9, 0), (0, 9), (None, None), ("0", 1)):
        click(page, layer=layer, head=head)
        assert page.selectbox("explain_head").value == (0, 3)


def test_stored_averages_stand_beside_those_of_the_sentence(measured):
    page = open_page("explain", explain_head="1.3")
    assert n_charts(page) == 3
    assert "**+0.30**" in words(page)
    for name in explain.COMPARED:
        assert says(page, f"masks-explain-over-{name}", mean=0.25)


@pytest.mark.parametrize("spelt", ["the encoder", "encoder"])
def test_averages_that_are_not_stored_for_this_choice_are_not_made_up(measured, spelt):
    page = open_page("explain", explain_hidden=spelt)
    assert n_charts(page) == 2
    assert says(page, "masks-explain-not-stored")


def test_a_long_pair_waits_for_the_button(folder, monkeypatch):
    monkeypatch.setattr(explain, "MOST_AT_ONCE", 3)
    page = open_page("explain")
    assert n_charts(page) == 0
    press(page, "explain_start")
    assert n_charts(page) == 2
