"""The pages of masks and positions in a real browser: every view, clicks, links, two readers."""

from __future__ import annotations

import re

import pytest

sync_api = pytest.importorskip("playwright.sync_api")

import test_browser_attention  # noqa: E402
from test_browser_attention import PATIENCE, Visit  # noqa: E402

from ui.controls import MASK_VIEWS, POSITION_VIEWS  # noqa: E402
from words import english  # noqa: E402

address = test_browser_attention.address
browser = test_browser_attention.browser

SHORT = "text=A+dog+runs.&max_len=10"
# Streamlit looks for its server under the page's own path first, when a page is loaded directly.
ELSEWHERE = re.compile(r"/(masks|positions)/_stcore/")
SWITCHES = {"masks": MASK_VIEWS, "positions": POSITION_VIEWS}

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


class PageVisit(Visit):
    """One of the two pages, and a record of its console errors."""

    def __init__(self, browser, address: str, page: str, query: str = "", **options):
        self.errors: list[str] = []
        self.hosts: set[str] = set()
        size = {"width": options.get("width", 1280), "height": 1000}
        context = browser.new_context(viewport=size, color_scheme=options.get("scheme", "light"))
        self.page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self._note(request.url))
        self.page.goto(f"{address}{page}?{SHORT}{query}")
        self.page.get_by_text("Data and licence").wait_for()
        self.settle()

    def _hear(self, message) -> None:
        if message.type == "error" and not ELSEWHERE.search(message.location.get("url", "")):
            self.errors.append(message.text)

    def open(self, view: str) -> None:
        self.page.get_by_role("radio", name=view, exact=True).click()
        self.settle()

    def failures(self) -> list[str]:
        return self.page.locator('[data-testid="stException"]').all_inner_texts()


@pytest.fixture
def visit(browser, address):
    visits = []

    def start(page: str, query: str = "", **options) -> PageVisit:
        visits.append(PageVisit(browser, address, page, query, **options))
        return visits[-1]

    yield start
    for each in visits:
        each.page.context.close()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
@pytest.mark.parametrize("page", list(SWITCHES))
def test_every_view_draws_within_the_window_and_from_this_host_only(visit, page, width, scheme):
    here = visit(page, "&change=zero-cross-2.1", width=width, scheme=scheme)
    for view in SWITCHES[page]:
        here.open(english(f"view-{page}-{view}"))
        assert here.failures() == []
        assert here.overflow() <= 0
        drawn = here.page.locator("svg.marks, canvas.marks").count()
        assert drawn > 0 or view == "pronoun"  # there is no pronoun to test
    assert here.errors == []
    assert here.hosts == {"127.0.0.1"}


def hide(here: PageVisit, token: str) -> None:
    here.page.locator(".st-key-change_hidden").get_by_role("button", name=token, exact=True).click()
    here.settle()


def test_a_clicked_token_is_hidden_said_and_kept_in_the_address(visit):
    here = visit("masks", "&mask_look=Change+something")
    here.page.get_by_text("No change").wait_for()
    hide(here, "dog")
    here.page.get_by_text("1 change", exact=True).wait_for()
    here.page.get_by_role("heading", name="One head, before and after").wait_for()
    here.settle()
    assert "change=hide-both-2" in here.page.url
    again = visit("masks", here.page.url.partition("max_len=10")[2])
    again.page.get_by_text("1 change", exact=True).wait_for()
    again.page.get_by_role("button", name="Undo all").click()
    again.page.get_by_text("No change").wait_for()
    assert again.errors == []


def test_two_readers_do_not_see_each_others_changes(visit):
    first = visit("masks", "&mask_look=Change+something")
    second = visit("masks", "&mask_look=Change+something")
    hide(first, "dog")
    hide(second, "A")
    assert "change=hide-both-2" in first.page.url
    assert "change=hide-both-1" in second.page.url
    hide(first, ".")
    first.page.get_by_text("2 changes", exact=True).wait_for()
    second.page.get_by_text("1 change", exact=True).wait_for()
    assert first.failures() == second.failures() == []


def test_hiding_every_token_is_refused_in_words_and_loses_nothing(visit):
    here = visit("masks", "&mask_look=Change+something&change=hide-both-1")
    tokens = here.page.locator(".st-key-change_hidden button")
    tokens.first.wait_for()
    for place in range(1, tokens.count()):
        tokens.nth(place).click()
        here.page.wait_for_url(re.compile(rf"hide-both-[\d.]*\b{place + 1}\b"))
        here.settle()
    here.page.get_by_text("nothing left to look at").wait_for()
    here.page.get_by_text("Still showing the effect").wait_for()
    assert here.failures() == []
    assert here.errors == []
