"""Language of the page, asked for, chosen, found out and kept; and that of the sentence."""

from __future__ import annotations

from contextvars import copy_context

import pytest

import ui.frame.messages
import ui.shell.language
from core.measurements import LANGUAGE
from support.app import open_page, put, says, words
from support.models import write_measured
from ui.frame.messages import current_words
from ui.frame.style import look_as_page
from words import Words, english

korean = Words("ko")


def titles(page) -> list[str]:
    return [title.value for title in page.title]


@pytest.mark.parametrize(
    ("asked", "prefers", "spoken", "kept"),
    [
        (None, "en", "en", None),
        ("KO-KR", "en", "ko", "ko"),
        (None, "ko", "ko", None),
        ("en", "ko", "en", "en"),
    ],
)
def test_the_address_is_heard_before_the_browser(folder, monkeypatch, asked, prefers, spoken, kept):
    monkeypatch.setattr(ui.shell.language, "_of_browser", lambda: prefers)
    page = open_page(**({"lang": asked} if asked else {}))
    told = Words(spoken)
    assert titles(page) == [told("page-attention")]
    assert page.selectbox(key="checkpoint").label == told("checkpoint")
    assert page.session_state["lang"] == spoken
    assert page.query_params.get("lang") in (kept, [kept])


@pytest.mark.parametrize("asked", ["xx", "<b>"])
def test_a_language_that_nobody_speaks_is_said_and_english_stays(folder, asked):
    page = open_page(lang=asked)
    assert titles(page) == [english("page-attention")]
    (warning,) = [each.value for each in page.warning if "한국어" in each.value]
    assert "<b>" not in warning
    chosen = put(page, lang="ko")
    assert not any("한국어" in each.value for each in chosen.warning)


def test_the_switch_changes_the_words_and_nothing_else(folder):
    page = open_page("beam", text="A dog runs.", beam="3", alpha="0.4", beam_look="methods")
    before = page.session_state["run"].choices
    page = put(page, lang="ko")
    assert titles(page) == [korean("page-beam")]
    assert page.session_state["run"].choices == before
    assert page.query_params["lang"] == "ko"
    assert page.query_params["beam_look"] == "methods"
    back = put(page, lang="en")
    assert "lang" not in back.query_params
    assert back.session_state["run"].choices == before


MENUS = ("selectbox", "radio", "multiselect", "button_group")


def chosen_labels(page) -> dict[str, tuple[str, ...]]:
    """The labels of what is chosen in every menu but that of languages, by its key."""
    return {
        menu.key: tuple(map(menu.format_func, values))
        for kind in MENUS
        for menu in page.get(kind)
        if menu.key != "lang"
        and (values := menu.value if isinstance(menu.value, list) else [menu.value]) != [None]
    }


@pytest.mark.parametrize("name", ["documents", "lineage", "attention", "training", "masked"])
def test_the_switch_sends_every_choice_anew_whose_label_it_changes(name):
    """A browser keeps the label of a choice, and would go on to show that of before."""
    page = open_page(name)
    before = chosen_labels(page)
    page = put(page, lang="ko")
    after = chosen_labels(page)
    renamed = [key for key, labels in after.items() if key in before and before[key] != labels]
    assert renamed
    for kind in MENUS:
        for menu in page.get(kind):
            if menu.key in renamed:
                assert menu.proto.set_value, menu.key


def test_what_runs_again_on_the_same_thread_speaks_the_language_chosen_since(monkeypatch):
    spoken = []

    def runs() -> None:
        for language in ("ko", "en", "ko"):
            monkeypatch.setattr(ui.frame.messages.st, "session_state", {"lang": language})
            look_as_page()
            spoken.append(current_words().language)

    copy_context().run(runs)
    assert spoken == ["ko", "en", "ko"]


# The language of the sentence


@pytest.fixture
def measured(copies):
    """A page with the tiny checkpoint and the language check of the shipped one."""
    write_measured(copies / "en-de", LANGUAGE)
    return open_page()


@pytest.mark.parametrize(
    ("text", "id", "other"),
    [
        ("Der Hund schläft unter dem Tisch.", "other", "German"),
        ("qwrtz plmkx fghjk wvbnq", "not", ""),
    ],
)
def test_a_text_that_is_no_english_is_warned_of(measured, text, id, other):
    page = put(measured, text=text)
    assert says(page, f"language-{id}", language="English", other=other)
    assert page.warning


def test_unknown_pieces_are_named_and_a_few_stand_for_many(measured):
    page = put(measured, text="A dog 漢字 ☃.")
    assert "“漢”" in words(page)
    assert "“☃”" in words(page)
    page = put(page, text="A 一二三四五六七八九十 and a dog runs through the snow and a man.")
    assert "“八”, 2 more" in words(page)


def test_nothing_was_measured_nothing_is_said(folder):
    page = put(open_page(), text="Der Hund schläft unter dem Tisch.")
    assert english("language-not", language="English") not in words(page)
    assert english("language-other", language="English", other="German") not in words(page)
