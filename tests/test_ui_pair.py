"""The view of two sentences, driven without a browser."""

from __future__ import annotations

import json

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

from analysis.measures import pair_weights
from analysis.pairs import align, moved, rank_moved, shared_difference
from records import Decoding
from ui.attention.pair import MARKS
from ui.effect.outputs import word_changes
from ui.focus import Focus
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


def test_compare_shows_its_own_second_sentence_and_not_that_of_the_address(folder):
    page = press(open_page(second=OWN), "twin")
    assert page.text_input("second").value == DEFAULT.twin
    assert "second" not in asked(page)


def test_the_address_keeps_another_second_sentence_than_the_twin(page):
    set_second(page, OWN)
    assert asked(page)["second"] == OWN
    assert "second" not in asked(press(page, "use_twin"))


def test_the_twin_follows_the_first_sentence_until_somebody_types(page):
    put(page, text=DEFAULT.twin)
    assert page.text_input("second").value == DEFAULT.text
    set_second(page, OWN)
    put(page, text=DEFAULT.text)
    assert page.text_input("second").value == OWN


def test_the_twin_is_one_click_away(page):
    set_second(page, OWN)
    press(page, "use_twin")
    assert page.text_input("second").value == DEFAULT.twin


def test_the_twin_is_one_click_away_from_every_view(folder):
    page = press(open_page(look="find"), "twin")
    assert page.text_input("text").value == DEFAULT.text
    assert page.text_input("second").value == DEFAULT.twin
    there = open_page(**asked(page))
    assert there.text_input("second").value == DEFAULT.twin
    assert asked(page)["look"] == "pair"
    assert len(charts(page)) == 3


def test_both_translations_are_shown_with_their_differences(page, tiny_translator):
    first, second = translations(tiny_translator, DEFAULT.text, DEFAULT.twin)
    text = words(page)
    assert ":violet-background[**tired.**]" in text
    assert ":green-background[**wide.**]" in text
    for side in word_changes(first.text, second.text, MARKS):
        assert side.replace("\\", "") in text


def test_the_chosen_weight_is_told_for_both_sentences(page, tiny_translator):
    first, second = translations(tiny_translator, DEFAULT.text, DEFAULT.twin)
    open_now: Focus = page.session_state["focus"]["encoder"]["focus"]
    weights = [
        pair_weights(t.attention.encoder, t.src.pieces_of("it"), t.src.pieces_of("animal"))[
            open_now.layer, open_now.head
        ]
        for t in (first, second)
    ]
    assert "**{:.2f}** → **{:.2f}**".format(*weights) in words(page)


def test_the_list_ranks_every_head_by_how_much_it_moved(page, tiny_translator):
    maps = [t.attention.encoder for t in translations(tiny_translator, DEFAULT.text, DEFAULT.twin)]
    shared = align(maps[0].query_tokens, maps[1].query_tokens)
    per_head = moved(shared_difference(*maps, shared, shared))
    (table,) = page.dataframe
    expected = [f"layer {a + 1}, head {b + 1}" for a, b in rank_moved(per_head)]
    assert table.value["name"].tolist() == expected
    np.testing.assert_allclose(table.value["moved"], np.sort(per_head.ravel())[::-1], atol=1e-6)


def test_the_difference_map_holds_the_shared_words_only(page):
    spec = json.loads(charts(page)[2].spec)
    title = english("figures-pairs-second-minus-first")
    assert title in json.dumps(spec, ensure_ascii=False)
    assert "in sentence 2 minus those in sentence 1" in charts(page)[2].alt


@pytest.mark.parametrize(("rows", "told"), [([1], [1]), ([], []), ([2], []), ([99], [])])
def test_a_line_of_a_table_is_told_if_it_is_there(monkeypatch, rows, told):
    monkeypatch.setattr(blocks.st, "session_state", {"list": {"selection": {"rows": rows}}})
    found = []
    blocks._pick("list", 2, found.append)
    assert found == told


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("merged", [False, True])
def test_every_kind_can_be_compared_by_pieces_and_by_words(page, kind, merged):
    page.session_state["kind"] = kind
    put(page, words=merged)
    assert len(charts(page)) == 3
    assert len(page.dataframe) == 1


@pytest.mark.parametrize("special", ["hide", "renormalise"])
def test_special_tokens_can_be_left_out_of_the_comparison(page, special):
    put(page, special=special)
    shown = [tables(chart)["columns"]["label"].tolist() for chart in charts(page)]
    assert len(shown) == 3
    assert all(labels and "</s>" not in labels for labels in shown)


def test_an_empty_second_sentence_is_told_what_to_do(page):
    set_second(page, "   ")
    assert "Type a second sentence" in words(page)
    assert len(charts(page)) == 1
    assert not page.error


def test_the_same_sentence_twice_is_said_to_be_the_same(page):
    set_second(page, f"  {DEFAULT.text} ")
    assert "same to the model, token by token" in words(page)
    assert len(charts(page)) == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [("word " * 1000, "The model takes at most"), ("\x01\x02", "no visible characters")],
)
def test_a_second_sentence_that_cannot_be_translated_leaves_the_first(page, text, reason):
    set_second(page, text)
    (error,) = page.error
    assert reason in error.value.replace("\\", "")
    assert english("attention-pair-first-stays") in words(page)
    assert len(charts(page)) == 1


def test_sentences_with_no_word_in_common_still_stand_side_by_side(page):
    set_second(page, "ÄÖÜ")
    assert "share no words" in words(page)
    assert len(charts(page)) == 2
    assert not page.dataframe


def test_a_chosen_word_without_partner_is_named(page):
    page.toggle("words").set_value(True)
    set_second(page, "The trophy didn't cross the street because it was too wide.")
    assert "Sentence 2 has no counterpart for “animal” of sentence 1" in words(page)


def test_words_that_differ_are_marked_and_the_others_are_not():
    first, second = word_changes("it was too tired", "it was so wide", MARKS)
    assert first == "it was :violet-background[**too tired**]"
    assert second == "it was :green-background[**so wide**]"


def test_markdown_in_a_word_is_shown_as_it_is():
    first, _ = word_changes("*a*]", "b", MARKS)
    assert first == r":violet-background[**\*a\*\]**]"
