"""Blunders of the models: each is written where its address leads."""

from __future__ import annotations

import re

import pytest

from support.app import asked, open_page, press, words
from ui.pages import page_ids
from ui.pages.attention.breaks import breaks
from words import Words, languages

PAIRS = dict(zip(breaks(), ("en-de", "ko-en"), strict=True))
BLUNDERS = [
    pytest.param(PAIRS[model], id, *blunder["link"], blunder["output"], id=f"{PAIRS[model]}-{id}")
    for model, blunders in breaks().items()
    for id, blunder in blunders.items()
]


def strip(text: str) -> str:
    """The letters alone; where both translations are in one, those of the one after."""
    text = re.sub(r":violet-background\[~~.*?~~\]", "", text).replace(":green-background", "")
    return "".join(letter for letter in text if letter.isalnum())


@pytest.mark.slow
@pytest.mark.parametrize(("pair", "id", "name", "address", "output"), BLUNDERS)
def test_a_blunder_stands_where_its_address_leads(pair, id, name, address, output):
    page = open_page(name, checkpoint=pair, **address)
    assert not page.error
    assert strip(output) in strip(words(page))


def test_every_blunder_has_words_and_a_page():
    for model, blunders in breaks().items():
        for id, blunder in blunders.items():
            assert blunder["link"][0] in page_ids(), id
            for name in (id, f"{PAIRS[model]}-{id}"):
                assert all(Words(each).has(f"attention-breaks-{name}") for each in languages())


def test_they_are_told_of_the_model_that_they_were_found_of_alone(folder):
    assert not [each for each in open_page().button if each.key.startswith("breaks_")]


def test_a_click_opens_the_view_that_shows_it():
    page = press(open_page(), "breaks_greedy")
    assert asked(page)["beam"] == "1"
    assert "zwei einen Tisch für einen Tisch" in words(page)
