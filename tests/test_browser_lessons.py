"""The first lesson in a real browser, by what is on screen alone; the projector, the sheet."""

from __future__ import annotations

import re
from functools import partial

import pytest
from harness import FOOTER, Visit, visiting

from ui.lessons.book import paths
from words import english

PATHS = paths().items()
pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture
def visit(browser, shipped):
    with visiting(partial(open_at, browser, shipped)) as start:
        yield start


def open_at(browser, app: str, path: str = "", ready: str = FOOTER, **options) -> Visit:
    return Visit(browser, app + path, ready, **options)


def press(here: Visit, name: str) -> None:
    here.settle()  # while a page is drawn its buttons may move
    here.page.get_by_role("button", name=name).click()


def sees(here: Visit, text: str) -> None:
    here.page.get_by_text(text).first.wait_for()


def translation(here: Visit, text: str) -> None:
    here.page.get_by_role("heading", name=text, exact=True).wait_for()


def test_somebody_who_has_never_seen_the_page_follows_the_first_lesson(visit):
    here = visit()
    press(here, english("lesson-new"))
    sees(here, "one head attends to a noun. Which one?")
    here.page.get_by_role("heading", name="Das Tier").wait_for(state="hidden")  # no answer yet
    here.page.get_by_text("“animal”", exact=True).click()
    press(here, "Show me")

    sees(here, "You guessed: “animal”. That is correct for this model.")
    told = re.compile(r"gives “animal” (0\.\d\d|1\.00) of its attention and “street” 0\.\d\d")
    here.page.get_by_text(told).wait_for()
    translation(here, "Das Tier überquerte die Straße nicht, weil es zu müde war.")

    press(here, "Replace “tired” with “wide”")
    told = re.compile(r"With “wide”, layer \d, head \d gives “street” (0\.\d\d|1\.00)")
    here.page.get_by_text(told).wait_for()
    translation(here, "Das Tier überquerte die Straße nicht, weil sie zu breit war.")

    press(here, "Hide “animal” and watch the pronoun")
    sees(here, "“animal” is hidden from the whole model, and “es” becomes “sie”")
    sees(here, "1 intervention")
    here.until(lambda: "mask_look=change" in here.page.url)

    again = visit(here.page.url.split("/", 3)[3])  # the link shows somebody else the same
    sees(again, "“animal” is hidden from the whole model, and “es” becomes “sie”")
    sees(again, "1 intervention")


def test_a_lesson_replaces_what_the_reader_had_chosen_before(visit):
    # While a lesson asks, the page that holds the answer is out of sight.
    address = "?beam=2&kind=decoder&look=pair&text=A+dog+runs.&lesson=length"
    here = visit(address, ready="text=longer")
    here.page.get_by_text("longer", exact=True).click()
    here.settle()  # until then the button cannot be pressed
    for key in ("Tab", "Enter"):
        here.page.keyboard.press(key)
    sees(here, "You guessed: longer.")
    here.until(lambda: re.search(r"/beam\?.*\balpha=0(&|$)", here.page.url))
    assert "beam=2" not in here.page.url
    assert here.page.get_by_role("slider", name="Length penalty α").input_value() == "0"
    press(here, "Restore the length penalty")
    sees(here, "With α = 0.6 the best hypothesis is")
    here.until(lambda: "alpha=" not in here.page.url)
    assert "text=The+government" in here.page.url


@pytest.mark.parametrize("width", [1280, 390])
def test_the_lessons_and_their_strip_stay_within_the_window(visit, width):
    here = visit("lessons", width=width)
    begin = {
        id: english("lessons-begin", title=english(f"lesson-{path[0].id}")) for id, path in PATHS
    }
    for name in begin.values():
        here.page.get_by_role("button", name=name).wait_for()
    assert here.overflow() <= 0
    press(here, begin["positions"])
    sees(here, english("lesson-order-question"))
    assert here.overflow() <= 0


def test_the_picture_answers_nobody_while_it_is_asked_and_then_is_ringed(visit):
    here = visit("?path=heads")
    here.until(lambda: here.page.evaluate("document.querySelector('.st-key-page').inert"))
    here.page.get_by_text("“street”", exact=True).click()
    press(here, "Show me")
    ring = here.page.locator(".lesson-ring")
    ring.wait_for()
    picture = here.page.locator(".st-key-heads").bounding_box()
    assert picture["y"] <= 260
    here.until(lambda: picture["x"] < ring.bounding_box()["x"] < picture["x"] + picture["width"])
    assert not here.page.evaluate("document.querySelector('.st-key-page').inert")


def test_slides_are_turned_by_keys(visit):
    here = visit("?projector=1&path=heads")
    sees(here, english("lesson-head-question"))
    here.settle()
    here.page.keyboard.press("PageDown")
    sees(here, "“street” · 0")
    here.page.keyboard.press("2")
    sees(here, "“street” · 1")
    here.page.keyboard.press("PageDown")
    sees(here, english("lesson-voted"))
    assert here.overflow() <= 0


def test_the_projector_has_large_type_no_sidebar_and_a_way_back(visit):
    here = visit("?text=The+animal+was+tired.")
    heading = here.page.get_by_role("heading", name="Das Tier")
    small = heading.bounding_box()["height"]
    here.page.get_by_test_id("stSidebar").get_by_text(english("projector"), exact=True).click()
    leave = here.page.get_by_role("button", name=english("projector-leave"))
    leave.wait_for()
    here.until(lambda: "projector=1" in here.page.url)
    here.until(lambda: heading.bounding_box()["height"] > 1.1 * small)
    assert not here.page.get_by_test_id("stSidebar").is_visible()
    for page in ("masks", "beam"):
        here.page.get_by_role("combobox", name=english("projector-page")).click()
        here.page.get_by_role("option", name=english(f"page-{page}")).click()
        here.until(lambda page=page: f"/{page}?" in here.page.url)
        assert "projector=1" in here.page.url
        assert here.overflow() <= 0
    here.page.keyboard.press("f")
    here.until(lambda: here.page.evaluate("() => Boolean(document.fullscreenElement)"))
    picture = here.page.locator(":fullscreen svg.marks").bounding_box()
    assert picture["width"] <= 1280
    assert picture["height"] <= 900
    assert max(picture["width"] / 1280, picture["height"] / 900) > 0.9
    here.page.keyboard.press("f")
    leave.click()
    here.page.get_by_test_id("stSidebar").wait_for()
    here.until(lambda: "projector" not in here.page.url)
    here.page.keyboard.press("p")
    here.until(lambda: "projector=1" in here.page.url)


def test_the_class_sheet_is_saved_and_asks_nobody(visit, browser, tmp_path):
    here = visit("lessons")
    press(here, english("lessons-sheet"))
    here.settle()
    box = here.page.get_by_role("combobox", name=english("lessons-choose"))
    box.fill("Is attention an")
    here.page.get_by_role("option", name=english("lesson-explain")).wait_for()
    for key in ("ArrowDown", "Enter"):
        here.page.keyboard.press(key)
    with here.page.expect_download() as saved:
        press(here, "Save worksheet")
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    assert file.suffix == ".html"
    page = browser.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    assert asked == [file.as_uri()]
    text = page.inner_text("body")
    page.close()
    assert english("lesson-explain-question") in text
    assert f"{here.page.url.split('/lessons')[0]}/masks?" in text
