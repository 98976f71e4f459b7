"""Lessons in a real browser, by what is on screen alone; slides, and the projector."""

from __future__ import annotations

import re

from support.browser import Visit
from words import english


def sees(here: Visit, *texts: str | re.Pattern[str]) -> None:
    for text in texts:
        here.page.get_by_text(text).first.wait_for()


def test_somebody_who_has_never_seen_the_page_follows_the_first_lesson(visit):
    here = visit()

    def press(name: str) -> None:
        here.settle()  # while a page is drawn its buttons may move
        here.button(name).click()

    press(english("lesson_new"))
    sees(here, "one head attends to a noun. Which one?")
    here.page.get_by_role("heading", name="Das Tier").wait_for(state="hidden")  # no answer yet
    here.page.get_by_text("“animal”", exact=True).click()
    press("Show me")
    told = re.compile(r"puts (0\.\d\d|1\.00) of its weight on “animal” and 0\.\d\d on “street”")
    sees(here, "You guessed: “animal”. Correct.", told)
    sees(here, "Das Tier überquerte die Straße nicht, weil es zu müde war.")
    press("Replace “tired” with “wide”")
    sees(here, re.compile(r"With “wide”, layer \d, head \d puts (0\.\d\d|1\.00) on “street”"))
    sees(here, "Das Tier überquerte die Straße nicht, weil sie zu breit war.")
    press("Hide “animal” and watch the pronoun")
    last = "“animal” is hidden from the whole model, and “es” becomes “sie”", "1 intervention"
    sees(here, *last)
    here.until(lambda: "mask_look=change" in here.page.url)
    sees(visit(here.page.url.split("/", 3)[3]), *last)  # the link shows somebody else the same


def test_the_picture_answers_nobody_while_it_is_asked_and_then_is_ringed(visit):
    here = visit("?path=heads")
    inert = "document.querySelector('.st-key-page').inert"
    here.until(lambda: here.page.evaluate(inert))
    here.page.get_by_text("“street”", exact=True).click()
    here.settle()  # until then the button cannot be pressed
    for key in ("Tab", "Enter"):
        here.page.keyboard.press(key)
    ring = here.page.locator(".lesson-ring")
    ring.wait_for()
    picture = here.page.locator(".st-key-heads").bounding_box()
    assert picture["y"] <= 320
    here.until(lambda: picture["x"] < ring.bounding_box()["x"] < picture["x"] + picture["width"])
    assert not here.page.evaluate(inert)


def test_slides_are_turned_by_keys(visit):
    here = visit("?projector=1&path=heads")
    sees(here, english("lesson-head-question"))
    here.settle()
    for key, text in (
        ("PageDown", "“street” · 0"),
        ("2", "“street” · 1"),
        ("PageDown", english("lesson-voted")),
    ):
        here.page.keyboard.press(key)
        sees(here, text)
    assert here.overflow() <= 0


def test_the_projector_has_large_type_no_sidebar_and_a_way_back(visit):
    here = visit("?text=The+animal+was+tired.")
    heading = here.page.get_by_role("heading", name="Das Tier")
    sidebar = here.page.get_by_test_id("stSidebar")
    small = heading.bounding_box()["height"]
    sidebar.get_by_text(english("projector"), exact=True).click()
    leave = here.button(english("projector-leave"))
    leave.wait_for()
    here.until(lambda: "projector=1" in here.page.url)
    here.until(lambda: heading.bounding_box()["height"] > 1.1 * small)
    assert not sidebar.is_visible()
    for page in ("masks", "beam"):
        here.page.get_by_role("combobox", name=english("projector-page")).click()
        here.page.get_by_role("option", name=english(f"page-{page}")).click()
        here.until(lambda page=page: f"/{page}?" in here.page.url)
        assert "projector=1" in here.page.url
        assert here.overflow() <= 0
    here.page.keyboard.press("f")
    here.until(lambda: here.page.evaluate("() => Boolean(document.fullscreenElement)"))
    marks = here.page.locator(":fullscreen svg.marks").first
    here.until(lambda: marks.bounding_box()["width"] <= 1280)
    picture = marks.bounding_box()
    assert picture["height"] <= 900
    assert max(picture["width"] / 1280, picture["height"] / 900) > 0.75
    here.page.keyboard.press("f")
    leave.click()
    sidebar.wait_for()
    here.until(lambda: "projector" not in here.page.url)
    here.page.keyboard.press("p")
    here.until(lambda: "projector=1" in here.page.url)
