"""The view of two sentences, driven without a browser."""

from __future__ import annotations

import numpy as np
import pytest
from harness import (
    DEFAULT,
    asked,
    charts,
    open_frame,
    open_page,
    press,
    put,
    tables,
    words,
)
from streamlit.testing.v1 import AppTest

from core.pairs import align, moved, rank_moved, shared_difference
from core.search import Decoding
from ui.kit import blocks
from words import english

OWN = "A dog runs through the snow."


def frame() -> None:
    """The view with as much of the page around it as it needs."""
    import streamlit as st

    from ui.attention import pair
    from ui.attention.scene import make_scene
    from ui.controls import Display, frame_choices
    from ui.focus import current_focus, link_of
    from ui.kit.controls import kept_choice
    from ui.state import current_run

    view = current_run(frame_choices())
    kind = kept_choice("kind", view.record.kinds)
    raw = view.record.of(kind)
    link = link_of(view, raw)
    current_focus(kind, raw, link, view.identity)
    display = Display(
        produced=kind == "cross",
        contrast=False,
        words=st.toggle("words", key="words"),
        special=st.selectbox("special", ["show", "hide", "renormalise"], key="special"),
    )
    more = pair.show(make_scene(view, kind, raw, link, display))
    if more:
        more()


@pytest.fixture
def page(folder) -> AppTest:
    return open_frame(frame)


def set_second(page: AppTest, text: str) -> AppTest:
    return put(page, second=text)


def translations(translator, *texts: str) -> list:
    return [translator.translate(text, Decoding()) for text in texts]


def test_the_twin_of_an_example_is_there_at_once(page):
    assert page.text_input("second").value == DEFAULT.twin
    assert len(charts(page)) == 3
    assert not page.error


def test_an_own_sentence_starts_without_a_second_and_says_what_to_do(folder):
    page = open_frame(frame, text=OWN)
    assert page.text_input("second").value == ""
    assert page.text_input("second").proto.placeholder
    assert "Type a second sentence" in words(page)
    assert len(charts(page)) == 1


def test_the_twin_follows_the_first_sentence_until_somebody_types(page):
    put(page, text=DEFAULT.twin)
    assert page.text_input("second").value == DEFAULT.text
    set_second(page, OWN)
    put(page, text=DEFAULT.text)
    assert page.text_input("second").value == OWN


def test_the_twin_is_one_click_away_from_every_view(folder):
    page = press(open_page(look="find", second=OWN), "twin")
    assert page.text_input("text").value == DEFAULT.text
    assert page.text_input("second").value == DEFAULT.twin
    assert "second" not in asked(page)
    there = open_page(**asked(page))
    assert there.text_input("second").value == DEFAULT.twin
    assert asked(page)["look"] == "pair"
    assert len(charts(page)) == 3
    assert asked(set_second(page, OWN))["second"] == OWN
    assert "second" not in asked(press(page, "use_twin"))
    assert page.text_input("second").value == DEFAULT.twin


def test_the_list_ranks_every_head_by_how_much_it_moved(page, tiny_translator):
    assert len(charts(page)) == 3
    assert "Sentence 2 minus sentence 1, weight of" in charts(page)[2].alt
    (table,) = page.dataframe
    maps = [t.attention.encoder for t in translations(tiny_translator, DEFAULT.text, DEFAULT.twin)]
    shared = align(maps[0].query_tokens, maps[1].query_tokens)
    per_head = moved(shared_difference(*maps, shared, shared))
    expected = [f"layer {a + 1}, head {b + 1}" for a, b in rank_moved(per_head)]
    assert table.value["name"].tolist() == expected
    np.testing.assert_allclose(table.value["moved"], np.sort(per_head.ravel())[::-1], atol=1e-6)


@pytest.mark.parametrize(("rows", "told"), [([1], [1]), ([], []), ([2], []), ([99], [])])
def test_a_line_of_a_table_is_told_if_it_is_there(monkeypatch, rows, told):
    monkeypatch.setattr(blocks.st, "session_state", {"list": {"selection": {"rows": rows}}})
    found = []
    blocks._pick("list", 2, found.append)
    assert found == told


@pytest.mark.parametrize("special", ["hide", "renormalise"])
def test_special_tokens_can_be_left_out_of_the_comparison(page, special):
    put(page, special=special)
    shown = [tables(chart)["columns"]["label"].tolist() for chart in charts(page)]
    assert len(shown) == 3
    assert all(labels and "</s>" not in labels for labels in shown)


@pytest.mark.parametrize(
    ("text", "said", "n_charts"),
    [
        ("   ", "Type a second sentence", 1),
        (f"  {DEFAULT.text} ", "same to the model, token by token", 1),
        ("ÄÖÜ", "share no words", 2),
        ("word " * 1000, english("attention-pair-first-stays"), 1),
        ("\x01\x02", english("attention-pair-first-stays"), 1),
    ],
)
def test_a_second_sentence_that_cannot_be_compared_leaves_the_first(page, text, said, n_charts):
    set_second(page, text)
    assert said in words(page)
    assert len(charts(page)) == n_charts
    told = [each.value.replace("\\", "") for each in page.error]
    reasons = [each for each in told if "The model takes at most" in each or "no visible" in each]
    assert len(reasons) == len(told) == (said == english("attention-pair-first-stays"))
    assert not page.dataframe


def test_a_chosen_word_without_partner_is_named(page):
    page.toggle("words").set_value(True)
    set_second(page, "The trophy didn't cross the street because it was too wide.")
    assert "Sentence 2 has no counterpart for “animal” of sentence 1" in words(page)
