"""The ribbons in a real browser, on an app that shows nothing else: random weights, no model."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from support.browser import IDLE, Visit, visiting
from words import english


class RibbonsVisit(Visit):
    """A page with the ribbons."""

    at, ready = "ribbons?", (".ribbons[data-links]", "text=drawn to the end")

    @property
    def ribbons(self):
        return self.page.locator(".ribbons")

    def settle(self) -> None:
        """Wait until Python would have heard of a click on a chip, and has answered."""
        self.page.wait_for_timeout(600)
        self.page.wait_for_selector(IDLE)
        self.page.wait_for_timeout(200)

    def token(self, side: str, place: int):
        return self.page.locator(f".token[data-side={side}][data-place='{place}']")

    def chip(self, head: int):
        return self.page.locator(f".chip[data-head='{head}']")

    def python(self) -> tuple[int, int, tuple[int, ...], tuple[int, ...]]:
        """What Python knows: runs of the script, open head, rows, columns."""
        line = self.page.get_by_text(re.compile(r"^runs \d+ head")).inner_text()
        runs, head, rows, columns = re.fullmatch(
            r"runs (\d+) head (\d+) rows \((.*)\) columns \((.*)\)", line
        ).groups()
        places = (tuple(int(n) for n in re.findall(r"\d+", part)) for part in (rows, columns))
        return int(runs), int(head), *places

    def pointed(self) -> str:
        """The focus the picture was last drawn with, once it is drawn."""
        self.page.wait_for_timeout(120)
        return self.ribbons.get_attribute("data-focus")

    def n_links(self) -> int:
        return int(self.ribbons.get_attribute("data-links"))

    def on(self) -> list[int]:
        """The heads that are on."""
        pressed = self.page.locator(".chip[data-head][aria-pressed=true]")
        return [int(n) for n in pressed.evaluate_all("c => c.map(e => e.dataset.head)")]

    def leave(self) -> None:
        """Take the pointer off the tokens."""
        self.page.mouse.move(5, 5)

    def picture(self) -> str:
        return self.page.locator(".middle canvas").evaluate("canvas => canvas.toDataURL()")


@pytest.fixture
def visit(browser, stages):
    with visiting(RibbonsVisit, browser, stages) as start:
        yield start


def test_pointing_previews_a_token_and_python_is_not_asked(visit):
    here = visit()
    before, all_links, runs = here.picture(), here.n_links(), here.python()[0]
    for side in ("query", "key"):
        here.token(side, 3).hover()
        assert here.pointed() == f"{side} 3"
        assert 0 < here.n_links() < all_links
        assert here.picture() != before
        here.leave()
        assert here.pointed() == ""
        assert here.picture() == before
    here.until(lambda: here.python()[0] == runs)
    # Names from a text stay text.
    assert here.token("query", 0).inner_text().startswith("<b>one</b>")
    assert here.page.locator(".ribbons b").count() == 0


def test_a_click_locks_a_token_and_reaches_python_and_a_second_one_lets_go(visit):
    here = visit()
    runs = here.python()[0]
    here.token("query", 4).click()
    here.until(lambda: here.python() == (runs + 1, 0, (4,), ()))
    here.token("query", 7).hover()
    assert here.pointed() == "query 7", "a locked token gives way to the pointer"
    here.leave()
    assert here.pointed() == "query 4", "and comes back"
    here.token("key", 6).click()
    here.until(lambda: here.python() == (runs + 2, 0, (4,), (6,)))
    here.leave()
    assert here.pointed() == "key 6", "the last lock is drawn"
    assert here.token("query", 4).get_attribute("aria-pressed") == "true"
    here.token("key", 6).click()
    here.token("query", 4).click()
    here.until(lambda: here.python()[1:] == (0, (), ()))
    assert here.token("query", 4).get_attribute("aria-pressed") == "false"
    for place in (1, 2, 3, 4, 5):  # quickly: it ends where the last one was
        here.token("query", place).click()
    here.until(lambda: here.python()[2] == (5,))
    here.leave()
    assert here.pointed() == "query 5"


def test_only_the_open_head_is_on_until_clicks_add_others_all_or_none(visit):
    here = visit()
    assert here.on() == [0]
    one = here.n_links()
    here.chip(2).click()
    here.until(lambda: here.on() == [0, 2])
    assert here.n_links() > one
    assert parse_qs(urlsplit(here.page.url).query)["heads"] == ["1,3"]
    here.chip(2).click()
    here.until(lambda: (here.on(), here.n_links()) == ([0], one))
    assert "heads" not in here.page.url
    every = here.button("all heads")
    every.click()
    here.until(lambda: here.on() == [0, 1, 2, 3])
    every.click()
    here.until(lambda: here.on() == [0])
    here.chip(0).click()
    here.until(lambda: (here.on(), here.n_links()) == ([], 0))
    here.page.get_by_text(english("attention-ribbons-none")).wait_for()


def test_a_double_click_solos_a_head_and_opens_it(visit):
    here = visit()
    here.chip(1).click()
    here.settle()
    runs = here.python()[0]
    here.chip(3).dblclick()
    here.until(lambda: here.on() == [3])
    here.until(lambda: here.python()[:2] == (runs + 1, 3))  # both clicks are one message


def test_what_python_changes_is_shown(visit):
    here = visit()
    here.button("open head 3").click()
    here.until(lambda: here.on() == [2])
    here.button("lock row 2").click()
    here.settle()
    here.leave()
    assert here.pointed() == "query 1"


def test_everything_can_be_done_by_keyboard(visit):
    here = visit()
    here.chip(0).focus()
    here.page.keyboard.press("Tab")
    here.page.keyboard.press("Space")
    here.until(lambda: here.on() == [0, 1])
    here.page.keyboard.press("Shift+Enter")
    here.until(lambda: here.python()[1] == 1)
    for key in ("Tab", "Tab", "Tab", "Tab", "ArrowDown", "ArrowDown"):
        here.page.keyboard.press(key)
    assert here.pointed() == "query 2"
    here.page.keyboard.press("Enter")
    here.until(lambda: here.python()[2] == (2,))
    here.page.keyboard.press("ArrowRight")
    assert here.pointed() == "key 2"


def test_a_tap_locks_on_a_narrow_screen_where_nothing_overflows(visit):
    here = visit("size=40&n_heads=8", width=390, touch=True)
    here.token("query", 0).tap()
    here.until(lambda: here.python()[2] == (0,))
    assert here.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert here.page.locator(".middle").evaluate("e => e.clientWidth") >= 90


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_eight_heads_of_64_tokens_are_drawn(visit, scheme):
    here = visit("size=64&n_heads=8&heads=1,2,3,4,5,6,7,8", scheme=scheme)
    assert here.on() == list(range(8))
    assert here.n_links() > 4000
    tall = here.token("query", 63).bounding_box()["height"]
    assert tall >= 14
    here.token("query", 40).hover()
    assert here.pointed() == "query 40"
    assert 8 <= here.n_links() < 8 * 64
