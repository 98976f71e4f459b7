"""What breaks the models: each blunder is what the model writes where its address leads."""

from __future__ import annotations

import re

import pytest
from harness import asked, open_page, press, words

from ui.attention.breaks import breaks
from ui.pages import page_ids
from words import Words

FOUND = [(of["pair"], each) for of in breaks().values() for each in of["found"]]


def strip(text: str) -> str:
    """The letters alone; where both translations are in one, those of the one after."""
    text = re.sub(r":violet-background\[~~.*?~~\]", "", text).replace(":green-background", "")
    return "".join(letter for letter in text if letter.isalnum())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pair", "found"), FOUND, ids=lambda each: each if type(each) is str else each["id"]
)
def test_a_blunder_stands_where_its_address_leads(pair, found):
    page = open_page(found["page"], checkpoint=pair, **found["address"])
    assert not page.error
    assert strip(found["output"]) in strip(words(page))


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_every_blunder_has_words_and_a_page(lang):
    for pair, found in FOUND:
        assert found["page"] in page_ids()
        for id in (found["id"], f"{pair}-{found['id']}"):
            assert Words(lang).has(f"attention-breaks-{id}")


def test_they_are_told_of_the_model_that_they_were_found_of_alone(folder):
    assert not [each for each in open_page().button if each.key.startswith("breaks_")]


def test_a_click_opens_the_view_that_shows_it():
    page = press(open_page(), "breaks_greedy")
    assert asked(page)["beam"] == "1"
    assert "zwei einen Tisch für einen Tisch" in words(page)
