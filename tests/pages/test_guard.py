"""Faults while a page is drawn: a sentence of ours with a way back, and a line in the log."""

from __future__ import annotations

import ast

import pytest

import ui.pages.lessons.book
import ui.pages.lessons.strip
import ui.shell.heading
import ui.shell.views
from support.app import asked, n_charts, open_frame, open_page, press, put, says, words
from support.mishaps import Mishaps, pytest_runtest_call
from support.models import ROOT
from ui.kit.guard import guarded
from ui.pages import page_of
from ui.shell.view import BODY, View
from words import Words, english

UNGUARDED = {
    "ui/kit/guard.py",
    "ui/shell/full_house.py",
    "ui/shell/history.py",
}
"""Where fragments are begun that stand outside of every page, and the guard's own."""


@pytest.fixture(autouse=True)
def _tiny(folder) -> None:
    """With random weights."""


def fail(*_args, **_named) -> None:
    raise LookupError("nobody meant this")


def let_fail(monkeypatch, view: View) -> None:
    """Let a view raise when it is drawn; views are frozen, so the patch goes past that."""
    monkeypatch.setitem(vars(view), "show", fail)


def ways(page, place: str, language: str = "en") -> None:
    """A place that could not be drawn says so above its two buttons."""
    said = Words(language)
    assert said("mishap") in words(page)
    labels = [page.button(f"mishap_{way}_{place}").label for way in ("again", "start")]
    assert labels == [said("mishap-again"), said("mishap-start")]
    assert not page.exception


def logged(mishaps: Mishaps) -> str:
    """The one mishap that was logged."""
    (told,) = mishaps.taken()
    return told


@pytest.mark.parametrize(
    ("name", "language", "more"),
    [("attention", "en", {"look": "together"}), ("lineage", "en", {}), ("cost", "ko", {})],
    ids=["attention", "lineage", "cost"],
)
def test_a_view_that_raises_says_so_and_is_logged(monkeypatch, mishaps, name, language, more):
    for view in page_of(name).views:
        let_fail(monkeypatch, view)
    page = open_page(name, lang=language, text="A dog & a\nman.", **more)
    ways(page, BODY, language)
    told = logged(mishaps)
    assert f"could not draw the body of /{name}?" in told
    assert ("lang=ko" in told) == (language == "ko")
    assert "text=A+dog+%26+a" in told
    assert "Traceback" in told
    assert "LookupError: nobody meant this" in told


SEEN = next(view for view in page_of("masks").views if view.id == "seen")
SHOW = SEEN.show


@pytest.fixture
def seen_fails(monkeypatch):
    let_fail(monkeypatch, SEEN)
    return open_page("masks", mask_look="seen", text="A dog.")


def test_another_view_opens_beside_one_that_raises(seen_fails, mishaps):
    ways(seen_fails, BODY)
    logged(mishaps)
    put(seen_fails, mask_look="explain")
    assert not says(seen_fails, "mishap")
    assert n_charts(seen_fails)
    assert mishaps.told == []


def test_again_draws_what_has_been_mended(seen_fails, monkeypatch, mishaps):
    press(seen_fails, "mishap_again_body")
    assert says(seen_fails, "mishap")
    assert len(mishaps.taken()) == 3  # the click is heard where the button is drawn again
    monkeypatch.setitem(vars(SEEN), "show", SHOW)
    press(seen_fails, "mishap_again_body")
    assert not says(seen_fails, "mishap")
    assert seen_fails.segmented_control("mask_look").value == "seen"


def test_the_start_page_is_as_at_the_beginning(seen_fails, mishaps):
    page, start = press(seen_fails, "mishap_start_body"), open_page()
    mishaps.taken()
    assert page.title[0].value == start.title[0].value
    assert page.text_input("text").value == start.text_input("text").value
    assert not {"mask_look", "text"} & asked(page).keys()
    assert not says(page, "mishap")


@pytest.mark.parametrize(
    ("place", "where", "name", "page_id"),
    [
        ("panel", ui.shell.views, "run_panel", "masks"),
        ("footer", ui.shell.views, "checkpoint_footer", "masks"),
        ("lesson", ui.pages.lessons.strip, "show_lesson", "masks"),
        ("frame", ui.shell.heading, "heading", "masks"),
        ("body", ui.pages.lessons.book, "next_in", "lessons"),
    ],
)
def test_what_raises_around_a_view_leaves_it_standing(
    monkeypatch, mishaps, place, where, name, page_id
):
    monkeypatch.setattr(where, name, fail)
    page = open_page(page_id, mask_look="explain")
    ways(page, place)
    assert f"could not draw the {place} of /{page_id}?" in logged(mishaps)
    assert n_charts(page) or place in ("frame", "body")


def clicked_alone() -> None:
    import streamlit as st

    from model import InputError
    from ui.kit.guard import fragment
    from words import Message

    def _part() -> None:
        st.markdown("drawn")
        if st.button("raise", key="raise"):
            raise LookupError("nobody meant this")
        if st.button("refuse", key="refuse"):
            raise InputError(Message("mishap-start"))

    st.markdown("around")
    fragment(_part)()


def test_a_click_in_a_fragment_is_guarded_and_what_a_model_refuses_is_told(mishaps):
    page = press(open_frame(clicked_alone), "raise")
    ways(page, "part")
    assert "LookupError" in logged(mishaps)
    assert {"around", "drawn"} <= {each.value for each in page.markdown}
    page = press(open_frame(clicked_alone), "refuse")
    assert [each.value for each in page.error] == [english("mishap-start")]
    assert not says(page, "mishap")


def nested() -> None:
    import streamlit as st
    from streamlit.delta_generator_singletons import context_dg_stack

    from ui.kit.guard import fragment

    def _part() -> None:
        st.button("again", key="again")
        st.markdown(f"{len(context_dg_stack.get())} in the fragment")

    with st.container(), st.container(), st.container():
        fragment(_part)()
        st.markdown(f"{len(context_dg_stack.get())} behind it")


def test_a_fragment_is_drawn_without_the_containers_around_the_innermost():
    page = open_frame(nested)
    # The main part of the page and three containers; a fragment is one by itself.
    drawn = ["3 in the fragment", "4 behind it"]
    # In this order, because a fragment outside of its container would come last.
    assert [each.value for each in page.markdown] == drawn
    assert [each.value for each in press(page, "again").markdown] == drawn


def ending() -> None:
    import streamlit as st

    from ui.kit.guard import guarded as around

    with around("page"):
        if "again" not in st.session_state:
            st.session_state["again"] = True
            st.rerun()
        st.stop()
    st.markdown("never")


def test_what_ends_a_run_passes_through():
    page = open_frame(ending)
    assert page.session_state["again"]
    assert not [*page.markdown, *page.warning]


def test_every_fragment_of_the_pages_is_guarded():
    found = {
        str(path.relative_to(ROOT))
        for path in [ROOT / "app.py", *(ROOT / "ui").rglob("*.py")]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("fragment", "dialog")
        if isinstance(node.value, ast.Name) and node.value.id == "st"
    }
    assert found == UNGUARDED


def test_a_mishap_that_no_test_means_fails_the_test(mishaps, request):
    hooks = request.config.hook.pytest_runtest_call.get_hookimpls()
    assert pytest_runtest_call in [each.function for each in hooks]
    with guarded("nowhere"):
        fail()
    hook = pytest_runtest_call(None)
    next(hook)
    with pytest.raises(AssertionError, match="nobody meant this"):
        hook.send(None)
    assert mishaps.told == []
