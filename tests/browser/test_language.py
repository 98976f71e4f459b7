"""The app in Korean in a real browser: from the address to a saved picture."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from support.browser import SIZES
from ui.guard import START
from ui.pages import pages
from viz.fonts import FAMILY
from words import Words, english

HEADS = ".heads[data-drawn]"
FOLDED = ".st-key-fold_about"  # what is drawn last
korean = Words("ko")
LETTERS = "[...document.fonts].filter(f => f.status === 'loaded').map(f => f.family)"


KO = "?lang=ko"


def test_from_the_address_to_a_saved_picture(visit_random, tmp_path):
    here = visit_random(KO, HEADS).page
    assert here.evaluate("document.documentElement.lang") == "ko"
    assert here.title() == korean(
        "page-title", page=korean("page-attention"), app=korean("app-title")
    )
    assert here.get_by_role("link", name=korean("page-beam")).is_visible()
    here.get_by_role("button", name=korean("export"), exact=True).first.click()
    with here.expect_download() as download:
        here.get_by_role("button", name="PNG", exact=True).click()
    path = tmp_path / "saved.png"
    download.value.save_as(path)
    assert any("가" <= letter <= "힣" for letter in download.value.suggested_filename)
    picture = np.asarray(Image.open(io.BytesIO(path.read_bytes())).convert("L"))
    assert picture.std() > 1


def test_hangul_is_drawn_in_the_font_that_the_app_brings(visit_random):
    here = visit_random(KO, HEADS).page
    assert any(FAMILY in family for family in here.evaluate(LETTERS))


def test_tokens_stay_as_they_are_and_say_their_language(visit_random):
    here = visit_random(KO, HEADS).page
    token = here.locator(".heads .token").first
    assert token.get_attribute("translate") == "no"
    assert token.get_attribute("lang") == "en"


def test_the_switch_turns_the_page_and_back_undoes_it(visit_random):
    here = visit_random("", HEADS)
    here.page.get_by_role("radio", name="한국어").click()
    here.page.get_by_role("heading", name=korean("page-attention")).wait_for()
    here.until(lambda: "lang=ko" in here.page.url)
    here.until(lambda: here.page.evaluate("document.documentElement.lang") == "ko")
    here.page.go_back()
    here.page.get_by_role("heading", name=english("page-attention")).wait_for()
    here.until(lambda: "lang=ko" not in here.page.url)


def test_no_name_of_a_column_is_cut(visit):
    here = visit("?lang=ko&checkpoint=ko-en&text=저는+맥주로+하겠습니다.", HEADS)
    names, frame = here.page.locator(".columns .label"), here.page.locator(".columns")

    def tops() -> list[float]:
        return [each.bounding_box()["y"] for each in names.all()]

    assert "하겠습니다" in names.all_inner_texts()
    here.until(lambda: min(tops()) >= frame.first.bounding_box()["y"])
    assert all(each.evaluate("e => e.scrollWidth <= e.offsetWidth") for each in names.all())


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", [*(page.id for page in pages()), "lessons", "glossary"])
def test_no_line_ends_inside_a_korean_word(visit, name, size):
    """A page with all its explanations, wide and on a phone."""
    width, height = size
    path = "" if name == START else name
    here = visit(f"{path}{KO}", FOLDED, width=width, height=height)
    here.page.wait_for_function("document.documentElement.lang === 'ko'")
    shut = here.page.locator('[data-testid="stExpander"] details:not([open]) > summary')
    shut.evaluate_all("all => all.forEach(each => each.click())")
    here.settle()
    assert here.broken_words() == []
    assert here.overflow() <= 0


def test_a_word_that_is_taken_apart_is_found(visit_random):
    here = visit_random(KO, HEADS)
    here.page.evaluate(
        """() => {
          const line = document.createElement("p");
          line.textContent = "어텐션";
          line.style = "width: 2.5em; word-break: break-all";
          document.querySelector('[data-testid="stMain"]').append(line);
        }"""
    )
    assert here.broken_words() == ["어텐션"]
