"""Ways in and between models and languages in a real browser: unknown addresses, and Back."""

from __future__ import annotations

from words import Words, english

HEADS = ".heads[data-drawn]"
korean = Words("ko")
KOREAN = "저는 오늘 학교에 갑니다."


def box(page) -> str:
    return page.locator(".st-key-text input").last.input_value()


def test_a_page_that_is_not_there_is_said_until_another_is_opened(visit):
    here = visit("nonsense?lang=ko", HEADS)
    text = korean("page-unknown", asked="nonsense", shown=korean("page-attention"))
    told = here.page.get_by_text(text, exact=True)
    told.wait_for()
    assert here.page.get_by_role("dialog").count() == 0  # Streamlit has one of its own
    assert not here.errors
    for name in ("cost", "attention"):
        here.page.get_by_role("link", name=korean(f"page-{name}"), exact=True).click()
        here.until(lambda: told.count() == 0)


def test_the_switch_turns_the_page_into_korean_and_back_undoes_it(visit_random):
    here = visit_random("", HEADS)
    here.page.get_by_role("radio", name="한국어").click()
    here.page.get_by_role("heading", name=korean("page-attention")).wait_for()
    here.until(lambda: "lang=ko" in here.page.url)
    here.until(lambda: here.page.evaluate("document.documentElement.lang") == "ko")
    here.page.go_back()
    here.page.get_by_role("heading", name=english("page-attention")).wait_for()
    here.until(lambda: "lang=ko" not in here.page.url)


def test_captions_open_with_a_picture_and_back_undoes_the_choice_of_a_captioner(visit):
    here = visit("captions", ".scene")
    assert here.page.get_by_text("The open checkpoint").count() == 0
    menu = here.page.locator(".st-key-captions_model input")
    first = menu.input_value()
    menu.click()
    here.page.get_by_role("option", name=english("system-captions-mean"), exact=True).click()
    here.until(lambda: "captions_model=captions-mean" in here.page.url)
    here.page.go_back()
    here.until(lambda: "captions_model" not in here.page.url)
    here.until(lambda: menu.input_value() == first)


def test_one_press_opens_the_model_of_the_text_and_back_undoes_it(visit):
    here = visit(f"?checkpoint=en-de&text={KOREAN}", HEADS)
    label = english("language-open", source="Korean", target="English")
    press = here.button(label)
    press.click()
    here.until(lambda: "checkpoint" not in here.page.url)  # it is the text's own
    here.until(lambda: box(here.page) == KOREAN)
    here.until(lambda: press.count() == 0)
    here.page.go_back()
    here.until(lambda: "checkpoint=en-de" in here.page.url)
    press.wait_for()
    assert box(here.page) == KOREAN


def test_back_brings_the_text_of_the_page_before(visit):
    here = visit("?checkpoint=captions-soft&look=ribbons", 'role=textbox[name="Scene description"]')
    scene = box(here.page)
    here.page.get_by_role("link", name=english("page-masks"), exact=True).click()
    here.until(lambda: box(here.page).startswith("The animal"))
    assert "checkpoint=captions-soft" in here.page.url
    here.page.go_back()
    here.until(lambda: box(here.page) == scene)
