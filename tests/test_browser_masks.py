"""The page of masks in a real browser: clicks, links, two readers."""

from __future__ import annotations

import re
from functools import partial

import pytest
from harness import FOOTER, Visit, visiting

from words import english

SHORT = "text=A+dog+runs.&max_len=10"

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


class PageVisit(Visit):
    """One of the two pages."""

    def __init__(self, browser, app: str, page: str, query: str = "", **options):
        super().__init__(
            browser, f"{app}{page}?{SHORT}{query}", FOOTER, **({"height": 1000} | options)
        )


@pytest.fixture
def visit(browser, app):
    with visiting(partial(PageVisit, browser, app)) as start:
        yield start


def hide(here: PageVisit, token: str) -> None:
    here.page.locator(".st-key-change_hidden").get_by_role("button", name=token, exact=True).click()
    here.settle()


def test_a_clicked_token_is_hidden_said_and_kept_in_the_address(visit):
    here = visit("masks", "&mask_look=Change+something&change=none")
    here.page.get_by_text("No intervention", exact=True).wait_for()
    hide(here, "dog")
    here.page.get_by_text("1 intervention", exact=True).wait_for()
    here.page.get_by_role("heading", name="Head before and after").wait_for()
    here.settle()
    here.until(lambda: "change=hide-both-2" in here.page.url)
    again = visit("masks", here.page.url.partition("max_len=10")[2])
    again.page.get_by_text("1 intervention", exact=True).wait_for()
    again.page.get_by_role("button", name="Remove all").click()
    again.page.get_by_text("No intervention", exact=True).wait_for()


def test_two_readers_do_not_see_each_others_changes(visit):
    first = visit("masks", "&mask_look=Change+something&change=none")
    second = visit("masks", "&mask_look=Change+something&change=none")
    hide(first, "dog")
    hide(second, "A")
    first.until(lambda: "change=hide-both-2" in first.page.url)
    second.until(lambda: "change=hide-both-1" in second.page.url)
    hide(first, ".")
    first.page.get_by_text("2 interventions", exact=True).wait_for()
    second.page.get_by_text("1 intervention", exact=True).wait_for()


def test_hiding_every_token_is_refused_in_words_and_loses_nothing(visit):
    here = visit("masks", "&mask_look=Change+something&change=hide-both-1")
    tokens = here.page.locator(".st-key-change_hidden [role=toolbar] button")
    tokens.first.wait_for()
    for place in range(1, tokens.count()):
        tokens.nth(place).click()
        here.page.wait_for_url(re.compile(rf"hide-both-[\d.]*\b{place + 1}\b"))
        here.settle()
    here.page.get_by_text("no position left to attend to").wait_for()
    here.page.get_by_text(english("masks-change-still")).wait_for()


def test_the_decoder_without_its_mask_stands_on_the_first_screen(visit):
    here = visit("masks", "&mask_look=seen", height=800)
    here.page.locator(".st-key-view_settings button").first.click()
    here.page.locator(".st-key-seen_peek label").click()
    matrix = here.page.locator(".st-key-scroll_seen_peek_matrix")
    matrix.wait_for()
    here.settle()
    assert matrix.bounding_box()["y"] < 300
