"""Ways in without dead ends: models that lack a page, languages, old addresses and wrong ones."""

from __future__ import annotations

import pytest
import streamlit as st

from support.app import WIDGETS, asked, at_address, open_page, press, put, run, turned_to
from support.models import ROOT, read_json
from ui.pages import page_ids, page_of, pages
from ui.shell import moved
from ui.shell.moved import Redirect, redirects
from words import Words, english

ENGLISH = "The animal didn't cross the street because it was too tired."
KOREAN = "나는 어제 친구와 함께 영화를 보았다."
DOG, SCHOOL = "A dog runs through the snow.", "저는 오늘 학교에 갑니다."
FRENCH = "Le chien dort sous la table parce qu'il est fatigué."


def shown(page) -> str:
    return page.session_state["run"].choices.checkpoint


def keys(page) -> list[str]:
    return [each.key for kind in WIDGETS for each in page.get(kind)]


def box(page) -> str:
    return page.text_input("text").value


def go(page, name: str):
    """To another page, as its link in the menu leads there."""
    return run(turned_to(page, name))


# A page that the open model has nothing for


@pytest.mark.parametrize(
    ("checkpoint", "name", "why", "language", "other"),
    [
        ("lineage-sutskever", "attention", "none-attention", "en", "en-de"),
        ("lineage-bahdanau", "block", "none-layer-norm", "ko", "ko-en"),
        ("captions-soft", "masks", "none-causal-attention", "en", "en-de"),
        ("masked-lm", "beam", "none-writing", "en", "en-de"),
        ("documents-han", "beam", "none-writing", "ko", "ko-en"),
    ],
)
def test_a_model_that_has_the_page_stands_in_and_is_named(checkpoint, name, why, language, other):
    page = open_page(name, checkpoint=checkpoint, lang=language)
    (told,) = [info.value for info in page.info if Words(language)(why) in info.value]
    assert shown(page) == other
    assert other in told.replace("\\", "")
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


# The language of the reader


@pytest.mark.parametrize(
    ("name", "address", "checkpoint", "text"),
    [
        ("attention", {"lang": "ko"}, "ko-en", KOREAN),
        ("attention", {"lang": "ko", "checkpoint": "en-de"}, "en-de", ENGLISH),
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


def test_the_switch_of_the_language_takes_the_model_along_until_one_is_chosen():
    page = put(open_page(), lang="ko")
    assert (shown(page), box(page)) == ("ko-en", KOREAN)
    assert (shown(put(page, lang="en")), box(page)) == ("en-de", ENGLISH)
    put(page, checkpoint="lineage-bahdanau")
    assert shown(put(page, lang="ko")) == "lineage-bahdanau"
    assert shown(put(put(page, checkpoint="en-de"), lang="en")) == "en-de"
    assert shown(put(page, lang="ko")) == "en-de"


def test_a_sentence_of_ones_own_stays_whatever_model_or_language_is_chosen():
    page = put(put(open_page(), text=DOG), lang="ko")
    assert (shown(page), box(page)) == ("en-de", DOG)
    assert box(put(page, text=SCHOOL, checkpoint="ko-en")) == SCHOOL


def test_lessons_in_korean_are_run_by_the_model_that_reads_their_sentence():
    page = press(open_page(lang="ko"), "lesson_new")
    next(r for r in page.radio if r.key.startswith("lesson_guess")).set_value("animal").run()
    page._page_hash = ""
    press(page, "lesson_show")
    assert (shown(page), box(page)) == ("en-de", ENGLISH)


# A text in another language


@pytest.mark.parametrize(
    ("checkpoint", "text", "other", "codes", "language"),
    [
        ("en-de", SCHOOL, "ko-en", ("ko", "en"), "ko"),
        ("lineage-bahdanau", SCHOOL, "ko-en", ("ko", "en"), "en"),
        ("ko-en", DOG, "en-de", ("en", "de"), "en"),
        ("en-de", "Der Hund schläft unter dem Tisch.", "de-en", ("de", "en"), "en"),
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
    ("checkpoint", "text"), [("en-de", FRENCH), ("en-de", DOG), ("ko-en", KOREAN)]
)
def test_where_no_other_model_reads_the_text_none_is_offered(checkpoint, text):
    page = put(open_page(checkpoint=checkpoint), text=text)
    assert "language_open" not in [button.key for button in page.button]


# Addresses of nothing


@pytest.mark.parametrize(("asked_for", "language"), [("nope", "ko"), ("<b>", "en")])
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
        ("http://localhost/a/%3Cb%3E", "a/<b>"),
        ("http://localhost/nosuch", "nosuch"),
        ("http://localhost/attention", None),
        ("http://localhost", None),
        (None, None),
    ],
)
def test_a_page_that_is_not_there_is_said(url, named, monkeypatch):
    navigated = []
    navigation = st.navigation
    monkeypatch.setattr(
        st, "navigation", lambda pages, **how: navigated.append(pages) or navigation(pages, **how)
    )
    monkeypatch.setattr("streamlit.runtime.context.ContextProxy.url", url)
    told = [each.value.replace("\\", "") for each in open_page().warning]
    said = english("page-unknown", asked=named, shown=english("page-attention")) if named else ""
    assert told == ([said] if named else [])
    # Pages under these paths, or Streamlit would open a dialog of its own.
    hidden = [
        page for group in navigated[-1].values() for page in group if page.visibility == "hidden"
    ]
    others = ["attention"] + ["nosuch"] * (named == "nosuch")
    assert [page.url_path for page in hidden] == others


def test_a_recording_of_another_session_is_missed_until_a_file_is_dropped():
    page = open_page(checkpoint="recording")
    lost = english("recording-elsewhere")
    assert lost in [info.value for info in page.info]
    recorded = b'{"tokens": ["a", "dog"], "attentions": [[[[0.25, 0.75], [0.5, 0.5]]]]}'
    page.get("file_uploader")[0].upload("dog.json", recorded, "application/json")
    assert lost not in [info.value for info in run(page).info]
    assert lost not in [info.value for info in open_page().info]


# Addresses of before

OLD = read_json(ROOT / "ui" / "frame" / "old_labels.json")
"""Words by which options stood in addresses before they had ids."""


def test_an_address_from_before_there_were_ids_opens_its_view():
    gone = {(switch, view) for each in redirects() for switch, view in each.from_values.items()}
    for page in (each for each in pages() if each.key in OLD):
        there = {(page.key, view.id) for view in page.views}
        assert {(page.key, view) for view in OLD[page.key].values()} <= there | gone
    labels = {view: label for label, view in OLD["mask_look"].items()}
    page = open_page("masks", mask_look=labels["explain"])
    assert page.session_state["mask_look"] == "explain"


def test_a_redirect_leads_from_a_view_that_is_gone_to_one_that_is_there():
    for each in redirects():
        if each.from_page in page_ids():
            here = page_of(each.from_page)
            is_there = each.from_values[here.key] in {view.id for view in here.views}
            # A view that is there may have a control that another one took over.
            assert not is_there or len(each.from_values) > 1, each
        there = page_of(each.to_page)
        assert each.to_values[there.key] in {view.id for view in there.views}, each
        assert not each.note or english.has(each.note), each


FROM_HERE = [each for each in redirects() if each.from_page in page_ids()]
KINDS = {
    (each.from_page == each.to_page, bool(each.note), len(each.from_values) > 1): each
    for each in FROM_HERE
}
"""One redirect of each kind: within a page or not, with words or without, of one value or more."""


@pytest.mark.parametrize("redirect", KINDS.values(), ids=lambda each: str(each.to_values))
def test_an_old_address_opens_its_new_view_and_keeps_the_sentence(redirect):
    old = "&".join(f"{name}={value}" for name, value in redirect.from_values.items())
    page = at_address(f"{redirect.from_page}?{old}", text=DOG, beam="3")
    key = page_of(redirect.to_page).key
    assert page.session_state[key] == redirect.to_values[key]
    assert not page.error
    said = [each.value.replace("\\", "") for each in page.info]
    assert not redirect.note or english(redirect.note) in said
    if "text" in keys(page):
        assert (asked(page)["text"], asked(page)["beam"]) == (DOG, "3")
    assert not asked(page).keys() & redirect.from_values.keys() - redirect.to_values.keys()


def moves(monkeypatch, *redirect) -> None:
    monkeypatch.setattr(moved, "redirects", lambda: (Redirect(*redirect),))


def test_the_note_stands_until_another_view_is_opened(monkeypatch):
    old, new = {"mask_look": "gone"}, {"mask_look": "change"}
    moves(monkeypatch, "masks", old, "masks", new, "view-none")
    page = at_address("masks?mask_look=gone")
    assert english("view-none") in [each.value for each in page.info]
    assert english("view-none") in [each.value for each in put(page, text=DOG).info]
    put(page, mask_look="seen")
    assert english("view-none") not in [each.value for each in put(page, text="Hello.").info]


def test_other_addresses_of_the_page_stay_and_a_former_label_leads_on(monkeypatch):
    label, view = next(iter(OLD["beam_look"].items()))
    moves(monkeypatch, "beam", {"beam_look": view}, "masks", {"mask_look": "seen"})
    assert at_address("masks?mask_look=change").session_state["mask_look"] == "change"
    assert at_address(f"beam?beam_look={label}").session_state["mask_look"] == "seen"


def test_a_page_that_is_gone_leads_to_the_one_that_took_over(monkeypatch):
    moves(monkeypatch, "gone", {}, "beam", {"beam_look": "tree"})
    monkeypatch.setattr("streamlit.runtime.context.ContextProxy.url", "http://localhost/gone")
    assert at_address("attention").session_state["beam_look"] == "tree"


# A page shows no control that does nothing on it


@pytest.mark.parametrize("name", ["cost", "glossary", "lessons", "curves"])
def test_what_was_typed_and_searched_comes_back_after_a_page_that_reads_nothing(name):
    before, after = ({"training_look": look} for look in ("smoothing", "forming"))
    view = name == "curves"
    address = before if view else {"alpha": "0.4"}
    page = open_page("training" if view else "attention", text=DOG, beam="3", **address)
    choices = page.session_state["run"].choices
    put(page, **after) if view else go(page, name)
    assert not {"text", "example", "beam", "alpha"} & {*keys(page)}
    put(page, **before) if view else go(page, "beam")
    assert page.session_state["run"].choices == choices
    assert (asked(page)["text"], asked(page)["beam"]) == (box(page), "3") == (DOG, "3")


def test_an_empty_sentence_is_no_fault_of_a_page_that_reads_none():
    page = open_page("attention", text="")
    assert page.error
    assert not go(page, "cost").error
    assert go(page, "attention").error
