"""The frame around the pages: the model in the sidebar, the room of the sentence, and the bar of
presentation mode.
"""

from __future__ import annotations

import pytest

from support.app import markdown, open_page, run
from words import english


def named_in_sidebar(page) -> list[str]:
    begin = english("model-shown", model="")
    return [each.value for each in page.sidebar.caption if each.value.startswith(begin.strip())]


@pytest.mark.parametrize(
    ("page", "name"), [("documents", "HAN"), ("masked", "BERT"), ("captions", "Xu 2015")]
)
def test_the_sidebar_names_the_model_of_a_page_that_shows_another_than_the_chosen(page, name):
    (line,) = named_in_sidebar(open_page(page))
    assert name in line


@pytest.mark.parametrize("page", ["attention", "beam", "training"])
def test_a_page_of_the_chosen_model_names_no_other(page):
    assert named_in_sidebar(open_page(page)) == []


@pytest.mark.parametrize(
    ("page", "look", "unread"),
    [
        ("worth", {"worth_look": "atlas"}, True),
        ("masked", {"masked_look": "agreement"}, True),
        ("masked", {}, False),
        ("training", {}, False),
        ("cost", {}, False),
    ],
)
def test_a_view_says_that_it_reads_no_sentence_on_a_page_that_opens_with_one(page, look, unread):
    captions = [each.value for each in open_page(page, **look).caption]
    assert any(english("sentence-unread") in caption for caption in captions) == unread


def test_the_arrows_of_the_bar_go_round_the_views_of_the_page():
    page = open_page("cost", projector="1")
    key = "cost_look"
    first = page.session_state[key]
    seen = [first]
    for _ in range(3):
        page.button(key="projector_next").click().run()
        seen.append(page.session_state[key])
        if seen[-1] == first:
            break
    assert seen[-1] == first
    assert len({*seen}) == len(seen) - 1 > 1
    page.button(key="projector_back").click().run()
    assert page.session_state[key] == seen[-2]


def test_a_page_of_one_view_has_no_arrows():
    page = open_page("captions", projector="1")
    assert "projector_next" not in [each.key for each in page.button]


def test_a_closed_fold_is_drawn_when_it_opens():
    page = open_page()
    licence = english("licence", text="")
    for is_open in (False, True):
        page.session_state["fold_about"] = is_open
        assert (licence.strip() in markdown(run(page))) == is_open


@pytest.mark.parametrize("look", ["matrix", "ribbons", "arithmetic", "together", "pair"])
def test_the_explanation_of_a_site_is_in_the_fold_below_every_view_of_the_heads(look):
    page = open_page(look=look, kind="encoder", text="A dog runs.")
    page.session_state["fold_reading"] = True
    assert "attends to every token of its sentence" in markdown(run(page))
