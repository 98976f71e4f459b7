"""The language of the page: asked for, chosen, found out, and kept."""

from __future__ import annotations

from contextvars import copy_context

import pytest

import ui.language
import ui.words
from support.app import open_page, press, put, words
from ui.state import look_as_page
from ui.words import current_words
from words import Words, english

korean = Words("ko")


def titles(page) -> list[str]:
    return [title.value for title in page.title]


def switched(page, language: str):
    return put(page, lang=language)


@pytest.mark.parametrize(
    ("asked", "prefers", "spoken", "kept"),
    [
        (None, "en", "en", None),
        ("ko", "en", "ko", "ko"),
        ("KO", "en", "ko", "ko"),
        ("ko-KR", "en", "ko", "ko"),
        (None, "ko", "ko", None),
        ("en", "ko", "en", "en"),
    ],
)
def test_the_address_is_heard_before_the_browser(folder, monkeypatch, asked, prefers, spoken, kept):
    monkeypatch.setattr(ui.language, "_of_browser", lambda: prefers)
    page = open_page(**({"lang": asked} if asked else {}))
    told = Words(spoken)
    assert titles(page) == [told("page-attention")]
    assert page.selectbox(key="checkpoint").label == told("checkpoint")
    assert page.session_state["lang"] == spoken
    assert page.query_params.get("lang") in (kept, [kept])


@pytest.mark.parametrize("asked", ["xx", "<b>", "korean", "…"])
def test_a_language_that_nobody_speaks_is_said_and_english_stays(folder, asked):
    page = open_page(lang=asked)
    assert titles(page) == [english("page-attention")]
    (warning,) = [each.value for each in page.warning if "한국어" in each.value]
    assert "<b>" not in warning
    chosen = switched(page, "ko")
    assert not any("한국어" in each.value for each in chosen.warning)


def test_the_switch_changes_the_words_and_nothing_else(folder):
    page = open_page("beam", text="A dog runs.", beam="3", alpha="0.4", beam_look="methods")
    before = page.session_state["run"].choices
    page = switched(page, "ko")
    assert titles(page) == [korean("page-beam")]
    assert page.session_state["run"].choices == before
    assert page.query_params["lang"] == "ko"
    assert page.query_params["beam_look"] == "methods"
    back = switched(page, "en")
    assert "lang" not in back.query_params
    assert back.session_state["run"].choices == before


def test_a_message_that_korean_lacks_is_said_in_english(monkeypatch):
    assert korean("loading") != Words("en")("loading")
    from words import catalogue

    known = catalogue._bundle("ko")
    monkeypatch.delitem(known._messages, "loading")
    assert Words("ko")("loading") == Words("en")("loading")


def test_a_lesson_keeps_the_language(folder):
    page = press(open_page("lessons", lang="ko"), "lesson_take_head")
    assert page.query_params["lang"] == "ko"
    assert korean("lesson_close") in [each.label for each in page.button]
    assert words(page)


def test_what_runs_again_on_the_same_thread_speaks_the_language_chosen_since(monkeypatch):
    spoken = []

    def runs() -> None:
        for language in ("ko", "en", "ko"):
            monkeypatch.setattr(ui.words.st, "session_state", {"lang": language})
            look_as_page()
            spoken.append(current_words().language)

    copy_context().run(runs)
    assert spoken == ["ko", "en", "ko"]
