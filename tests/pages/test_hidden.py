"""Words that a click hides from the model, on the page of the heads."""

from __future__ import annotations

import numpy as np
import pytest

from core.intervention import hide
from support.app import HEADS, asked, choose, focus, heads_of, open_page, press, put, send, told_of
from ui.components import MASKED
from ui.pages import page_of

ANIMAL, DIDNT = (1,), (2, 3, 4)
NONSENSE = ("99", "</s>", "x", "-1", "2,99", "1" * 500, "<b>")


@pytest.fixture
def plain(folder):
    return open_page()


def translation(page):
    return page.session_state["run"].translation


def hide_by_click(page, *places):
    """What the browser sends when somebody hides these positions."""
    told = told_of(page)
    choice = {name: told[name] for name in ("identity", "kind", "badge", "role", "foci")}
    return send(page, HEADS, choice={**choice, "number": told["answered"] + 1, "hidden": places})


def test_a_click_hides_a_word_from_every_head_that_reads_it(folder):
    page = hide_by_click(open_page(), *ANIMAL)
    for attention in translation(page).attention.maps:
        if attention.site.key == "source":
            assert not attention.weights[..., ANIMAL].any()
            np.testing.assert_allclose(attention.weights.sum(axis=-1), 1, atol=1e-5)
    assert asked(page)["hidden"] == "2"
    for site in heads_of(page)["sites"]:
        if site["name"] != "decoder":
            sent = np.frombuffer(site["weights"], "<u2").reshape(-1, len(site["columns"]))
            assert (sent[:, ANIMAL] == MASKED).all()


def test_what_is_shown_is_what_the_model_writes_without_the_word(folder):
    page = open_page(hidden="2")
    run = page.session_state["run"]
    without = run.translator.translate(
        run.choices.text, run.choices.decoding, intervention=hide(*ANIMAL)
    )
    assert translation(page).tgt == without.tgt
    np.testing.assert_allclose(translation(page).log_probs, without.log_probs, rtol=0, atol=1e-5)


def test_a_second_click_and_undo_bring_it_back(folder, plain):
    wanted = translation(plain).tgt
    page = hide_by_click(open_page(hidden="2,3,4,5"), *DIDNT)
    assert page.session_state["hidden"] == DIDNT
    page = hide_by_click(page)
    assert translation(page).tgt == wanted
    assert "hidden" not in asked(page)
    page = press(open_page(hidden="2"), "hidden_undo")
    assert translation(page).tgt == wanted
    assert heads_of(page)["hidden"] == []


@pytest.mark.parametrize("spelt", NONSENSE)
def test_an_address_that_hides_nothing_of_the_sentence_is_passed_over(plain, spelt):
    end = str(len(translation(plain).src))
    page = open_page(hidden=spelt.replace("</s>", end))
    assert not page.error
    assert heads_of(page)["identity"] == heads_of(plain)["identity"]


def test_what_was_chosen_stays_and_another_sentence_is_whole(folder):
    page = choose(open_page(), layer=0, head=1, rows=[7], columns=[])
    page = hide_by_click(page, *ANIMAL)
    assert told_of(page)["foci"]["encoder"] == {"layer": 0, "head": 1, "rows": [7], "columns": []}
    page = choose(page, layer=1, head=1)
    assert page.session_state["hidden"] == ANIMAL
    page = put(page, text="A dog runs.")
    assert not page.session_state["run"].change


@pytest.mark.parametrize("view", page_of("attention").views, ids=lambda view: view.id)
def test_a_view_shows_the_words_hidden_or_the_plain_run_and_no_buttons(folder, view):
    page = open_page(look=view.id, hidden="2")
    assert bool(page.session_state["run"].change) == view.hides
    assert ("hidden_undo" in {each.key for each in page.button}) == view.hides
    assert bool(heads_of(page)["hiding"]) == view.hides


def test_the_words_can_be_looked_into_where_changes_are_made(folder):
    page = open_page(hidden="3,4,5")
    sentence = page.session_state["run"].choices.text
    page = press(page, "hidden_more")
    assert page.session_state["run"].choices.text == sentence
    assert asked(page)["change"] == "hide-both-3.4.5"


def test_the_measured_head_opens_where_the_noun_is_hidden():
    page = open_page(checkpoint="en-de", hidden="2")
    card = page.session_state["run"].card.heads["encoder"]
    assert focus(page).place == (card["layer"], card["head"]) != (0, 0)
