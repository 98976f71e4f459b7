"""The view of two sentences, driven without a browser."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from support.app import DEFAULT, asked, charts, open_page, press, put, tables, words
from ui.kit import blocks

OWN = "A dog runs through the snow."


@pytest.fixture
def page(folder) -> AppTest:
    return open_page(look="pair")


def set_second(page: AppTest, text: str) -> AppTest:
    return put(page, second=text)


def test_the_twin_follows_the_first_sentence_until_somebody_types(page):
    put(page, text=DEFAULT.twin)
    assert page.text_input("second").value == DEFAULT.text
    set_second(page, OWN)
    put(page, text=DEFAULT.text)
    assert page.text_input("second").value == OWN


def test_the_twin_is_one_click_away_from_every_view(folder):
    page = press(open_page(look="ribbons", second=OWN), "twin")
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
    ],
)
def test_a_second_sentence_that_cannot_be_compared_leaves_the_first(page, text, said, n_charts):
    set_second(page, text)
    assert said in words(page)
    assert len(charts(page)) == n_charts
    assert not page.dataframe


def test_a_chosen_word_without_partner_is_named(page):
    put(page, words=True)
    set_second(page, "The trophy didn't cross the street because it was too wide.")
    assert "Sentence 2 has no counterpart for “animal” of sentence 1" in words(page)
