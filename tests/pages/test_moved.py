"""Old addresses lead to the view that took over, and say where the content went."""

from __future__ import annotations

import pytest
from pages.test_doors import OLD

from support.app import asked, at_address, put
from ui import moved
from ui.moved import Redirect, redirects
from ui.pages import page_ids, page_of
from words import english

TEXT = "A dog runs through the snow."
CASES = {f"{each.from_page}-{'-'.join(each.from_values.values())}": each for each in redirects()}


def query(values) -> str:
    return "&".join(f"{name}={value}" for name, value in values.items())


@pytest.fixture
def redirect(monkeypatch):
    """A redirect of the test's own, from a view that never was."""
    made = Redirect("masks", {"mask_look": "gone"}, "beam", {"beam_look": "width"}, "view-none")
    monkeypatch.setattr(moved, "redirects", lambda: (made,))
    return made


def test_an_old_address_opens_the_new_view_and_keeps_the_sentence(redirect):
    page = at_address("masks?mask_look=gone", text=TEXT, beam="3")
    assert page.session_state["beam_look"] == "width"
    assert asked(page)["text"] == TEXT
    assert asked(page)["beam"] == "3"
    assert "mask_look" not in asked(page)


def test_the_note_stands_until_another_view_is_opened(monkeypatch):
    made = Redirect("masks", {"mask_look": "gone"}, "masks", {"mask_look": "change"}, "view-none")
    monkeypatch.setattr(moved, "redirects", lambda: (made,))
    page = at_address("masks?mask_look=gone")
    assert english("view-none") in [each.value for each in page.info]
    assert english("view-none") in [each.value for each in put(page, text=TEXT).info]
    put(page, mask_look="seen")
    assert english("view-none") not in [each.value for each in put(page, text="Hello.").info]


def test_other_addresses_of_the_page_stay(redirect):
    page = at_address("masks?mask_look=change")
    assert page.session_state["mask_look"] == "change"


@pytest.mark.parametrize("name", CASES)
def test_a_redirect_leads_from_a_view_that_is_gone_to_one_that_is_there(name):
    case = CASES[name]
    if case.from_page in page_ids():
        here = page_of(case.from_page)
        assert case.from_values[here.key] not in {view.id for view in here.views}
    there = page_of(case.to_page)
    assert case.to_values[there.key] in {view.id for view in there.views}
    assert not case.note or english.has(case.note)


@pytest.mark.parametrize("name", [n for n, case in CASES.items() if case.from_page in page_ids()])
def test_an_old_address_shows_its_new_view(name):
    case = CASES[name]
    page = at_address(f"{case.from_page}?{query(case.from_values)}")
    key = page_of(case.to_page).key
    assert page.session_state[key] == case.to_values[key]
    assert not page.error
    said = [each.value.replace("\\", "") for each in page.info]
    assert not case.note or english(case.note) in said


def test_a_page_that_is_gone_leads_to_the_one_that_took_over(monkeypatch):
    made = Redirect("gone", {}, "beam", {"beam_look": "tree"})
    monkeypatch.setattr(moved, "redirects", lambda: (made,))
    monkeypatch.setattr("streamlit.runtime.context.ContextProxy.url", "http://localhost/gone")
    page = at_address("attention")
    assert page.session_state["beam_look"] == "tree"


def test_a_former_label_leads_there_too(monkeypatch):
    label = next(iter(OLD["beam_look"]))
    made = Redirect("beam", {"beam_look": OLD["beam_look"][label]}, "masks", {"mask_look": "seen"})
    monkeypatch.setattr(moved, "redirects", lambda: (made,))
    assert at_address(f"beam?beam_look={label}").session_state["mask_look"] == "seen"
