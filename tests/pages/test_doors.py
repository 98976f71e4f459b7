"""No dead ends: pages without the open model, the reader's language, and addresses of nothing."""

from __future__ import annotations

import pytest

from support.app import WIDGETS, asked, open_page, press, put, run
from support.models import ROOT, read_json
from ui.moved import redirects
from ui.pages import pages
from words import Words, english

ENGLISH = "The animal didn't cross the street because it was too tired."
KOREAN = "나는 어제 친구와 함께 영화를 보았다."


def shown(page) -> str:
    return page.session_state["run"].choices.checkpoint


def keys(page) -> list[str]:
    return [each.key for kind in WIDGETS for each in page.get(kind)]


def box(page) -> str:
    return page.text_input("text").value


def go(page, name: str):
    """To another page, as its link in the menu leads there."""
    return run(page.switch_page(f"ui/pages/{name}.py"))


# -- a page that the open model has nothing for -------------------------------------------------


@pytest.mark.parametrize(
    ("checkpoint", "name", "why"),
    [
        ("lineage-sutskever", "attention", "none-attention"),
        ("lineage-bahdanau", "block", "none-layer-norm"),
        ("captions-soft", "masks", "none-causal-attention"),
        ("masked-lm", "beam", "none-writing"),
        ("documents-han", "beam", "none-writing"),
    ],
)
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_model_that_has_the_page_stands_in_and_is_named(checkpoint, name, why, language):
    page = open_page(name, checkpoint=checkpoint, lang=language)
    say = Words(language)
    (told,) = [info.value for info in page.info if say(why) in info.value]
    assert shown(page) == {"en": "en-de", "ko": "ko-en"}[language]
    assert shown(page) in told.replace("\\", "")
    assert page.session_state["checkpoint"] == checkpoint
    assert asked(page)["checkpoint"] == checkpoint


def test_the_open_model_is_back_on_the_next_page_with_its_own_text():
    scene = "small red circle at 1 1; large blue ring at 3 4"
    page = open_page("attention", checkpoint="captions-soft", text=scene)
    assert shown(page) == "captions-soft"
    go(page, "masks")
    assert (shown(page), box(page)) == ("en-de", ENGLISH)
    put(page, text=DOG)
    assert page.session_state["run"].translation.src.text == DOG
    go(page, "attention")
    assert (shown(page), box(page)) == ("captions-soft", scene)
    go(page, "masks")
    assert box(page) == DOG


# -- the language of the reader -----------------------------------------------------------------


DOG, SCHOOL = "A dog runs through the snow.", "저는 오늘 학교에 갑니다."


@pytest.mark.parametrize(
    ("name", "address", "checkpoint", "text"),
    [
        ("attention", {"lang": "ko"}, "ko-en", KOREAN),
        ("attention", {"lang": "ko", "checkpoint": "en-de"}, "en-de", ENGLISH),
        (
            "attention",
            {"lang": "ko", "checkpoint": "lineage-bahdanau"},
            "lineage-bahdanau",
            ENGLISH,
        ),
        ("attention", {"lang": "ko", "text": DOG}, "en-de", DOG),
        ("attention", {"text": KOREAN}, "ko-en", KOREAN),
        ("masks", {"checkpoint": "masked-lm", "text": DOG}, "en-de", DOG),
    ],
)
def test_checkpoint_then_sentence_then_language_say_who_reads(name, address, checkpoint, text):
    page = open_page(name, **address)
    assert (shown(page), box(page)) == (checkpoint, text)
    assert asked(page).get("checkpoint") == address.get("checkpoint")
    assert ("text" in asked(page)) == (text == DOG)


def test_a_sentence_of_ones_own_stays_whatever_model_or_language_is_chosen():
    page = speaks(put(open_page(), text=DOG), "ko")
    assert (shown(page), box(page)) == ("en-de", DOG)
    assert box(put(open_page(), text=SCHOOL, checkpoint="ko-en")) == SCHOOL


def speaks(page, language: str):
    return put(page, lang=language)


def test_the_switch_of_the_language_takes_the_model_along_until_one_is_chosen():
    page = speaks(open_page(), "ko")
    assert (shown(page), box(page)) == ("ko-en", KOREAN)
    assert (shown(speaks(page, "en")), box(page)) == ("en-de", ENGLISH)
    assert shown(speaks(put(page, checkpoint="lineage-bahdanau"), "ko")) == "lineage-bahdanau"
    assert shown(speaks(put(page, checkpoint="en-de"), "en")) == "en-de"
    assert shown(speaks(page, "ko")) == "en-de"
    assert shown(speaks(open_page(checkpoint="en-de"), "ko")) == "en-de"


def test_lessons_in_korean_are_run_by_the_model_that_reads_their_sentence():
    page = press(open_page(lang="ko"), "lesson_new")
    next(r for r in page.radio if r.key.startswith("lesson_guess")).set_value("animal").run()
    page._page_hash = ""
    press(page, "lesson_show")
    assert shown(page) == "en-de"
    assert box(page) == ENGLISH


# -- a text in another language -----------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize(
    ("checkpoint", "text", "other", "codes"),
    [
        ("en-de", "저는 오늘 학교에 갑니다.", "ko-en", ("ko", "en")),
        ("lineage-bahdanau", "저는 오늘 학교에 갑니다.", "ko-en", ("ko", "en")),
        ("ko-en", "A dog runs through the snow.", "en-de", ("en", "de")),
        ("en-de", "Der Hund schläft unter dem Tisch.", "de-en", ("de", "en")),
        ("de-en", "A dog runs through the snow.", "en-de", ("en", "de")),
    ],
)
def test_one_press_opens_the_model_that_reads_the_text(checkpoint, text, other, codes, language):
    say = Words(language)
    page = open_page(checkpoint=checkpoint, lang=language)
    put(page, text=text)
    assert len(page.warning) == 1
    source, target = map(say.language_name, codes)
    assert page.button("language_open").label == say("language-open", source=source, target=target)
    press(page, "language_open")
    assert (shown(page), box(page)) == (other, text)
    assert not page.warning
    assert "language_open" not in [button.key for button in page.button]


@pytest.mark.parametrize(
    ("checkpoint", "text"),
    [
        ("en-de", "Le chien dort sous la table parce qu'il est fatigué."),
        ("en-de", DOG),
        ("ko-en", "Le chien dort sous la table parce qu'il est fatigué."),
        ("ko-en", KOREAN),
    ],
)
def test_where_no_other_model_reads_the_text_none_is_offered(checkpoint, text):
    page = put(open_page(checkpoint=checkpoint), text=text)
    assert "language_open" not in [button.key for button in page.button]


# -- addresses of nothing -----------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("asked_for", ["nope", "<b>", "en-de2"])
def test_a_checkpoint_that_is_not_there_is_said_until_another_is_chosen(asked_for, language):
    page = open_page(checkpoint=asked_for, lang=language)
    (warning,) = page.warning
    assert asked_for in warning.value.replace("\\", "")
    assert "<b>" not in warning.value
    assert shown(page) in warning.value.replace("\\", "")
    assert not put(page, checkpoint="lineage-bahdanau").warning


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("http://localhost/nonsense", "nonsense"),
        ("http://localhost/a/%3Cb%3E", "a/<b>"),
        ("http://localhost/attention", None),
        ("http://localhost/", None),
        ("http://localhost", None),
        (None, None),
    ],
)
def test_a_page_that_is_not_there_is_said(url, named, monkeypatch):
    monkeypatch.setattr("streamlit.runtime.context.ContextProxy.url", url)
    page = open_page()
    told = [each.value.replace("\\", "") for each in page.warning]
    said = english("page-unknown", asked=named, shown=english("page-attention")) if named else ""
    assert told == ([said] if named else [])


OLD = read_json(ROOT / "ui" / "old_labels.json")
"""Words by which options stood in addresses before they had ids."""


@pytest.mark.parametrize("page", [each for each in pages() if each.key in OLD], ids=lambda p: p.id)
def test_an_address_from_before_there_were_ids_opens_its_view(page):
    views = {each.id for each in page.views}
    moved = {each.from_values[page.key] for each in redirects() if page.key in each.from_values}
    assert {*OLD[page.key].values()} <= views | moved
    label, view = next(each for each in reversed(OLD[page.key].items()) if each[1] in views)
    assert open_page(page.id, **{page.key: label}).session_state[page.key] == view


# -- a page shows no control that does nothing on it ---------------------------------------------


@pytest.mark.parametrize("name", ["lessons", "glossary"])
def test_no_sentence_and_no_search_stand_where_none_is_read(name):
    """Of the views `test_contract.py` says it."""
    assert not {"text", "example", "beam", "alpha"} & set(keys(open_page(name)))


@pytest.mark.parametrize("name", ["cost", "documents", "glossary", "lessons", "curves"])
def test_what_was_typed_and_searched_comes_back_after_a_page_that_reads_nothing(name):
    before, after = ({"training_look": look} for look in ("smoothing", "forming"))
    view = name == "curves"
    address = before if view else {"alpha": "0.4"}
    page = open_page("training" if view else "attention", text=DOG, beam="3", **address)
    choices = page.session_state["run"].choices
    put(page, **after) if view else go(page, name)
    assert "text" not in keys(page)
    put(page, **before) if view else go(page, "beam")
    assert page.session_state["run"].choices == choices
    assert (asked(page)["text"], asked(page)["beam"]) == (box(page), "3") == (DOG, "3")


def test_an_empty_sentence_is_no_fault_of_a_page_that_reads_none():
    page = open_page("attention", text="")
    assert page.error
    assert not go(page, "cost").error
    assert go(page, "attention").error
