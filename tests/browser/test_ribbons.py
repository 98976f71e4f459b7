"""The ribbons in a real browser, on an app that shows nothing else: random weights, no model."""

from __future__ import annotations

import re
from ast import literal_eval

import pytest

from support.browser import IDLE, Visit, visiting
from words import english


class RibbonsVisit(Visit):
    """A page with the ribbons."""

    at, ready = "ribbons?", (".ribbons[data-links]", "text=drawn to the end")

    def settle(self) -> None:
        """Wait until Python would have heard of a click on a chip, and has answered."""
        self.page.wait_for_timeout(600)
        self.page.wait_for_selector(IDLE)
        self.page.wait_for_timeout(200)

    def token(self, side: str, place: int):
        return self.page.locator(f".token[data-side={side}][data-place='{place}']")

    def chip(self, head: int):
        return self.page.locator(f".chip[data-head='{head}']")

    def python(self) -> list:
        """Numbers that Python knows: runs of the script, open head, rows, columns."""
        line = self.page.get_by_text(re.compile(r"^runs \d+ head")).inner_text()
        return [literal_eval(value) for value in re.findall(r"\d+(?= )|\(.*?\)", line)]

    def pointed(self) -> str:
        """The focus that the picture was last drawn with."""
        self.page.wait_for_timeout(120)
        return self.page.locator(".ribbons").get_attribute("data-focus")

    def n_links(self) -> int:
        return int(self.page.locator(".ribbons").get_attribute("data-links"))

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
    assert here.token("query", 0).inner_text().startswith("<b>one</b>")  # a name stays text
    assert here.page.locator(".ribbons b").count() == 0


def test_a_click_locks_a_token_and_reaches_python_and_a_second_one_lets_go(visit):
    here = visit()
    runs = here.python()[0]
    here.token("query", 4).click()
    here.until(lambda: here.python() == [runs + 1, 0, (4,), ()])
    here.token("query", 7).hover()
    assert here.pointed() == "query 7", "a locked token gives way to the pointer"
    here.leave()
    assert here.pointed() == "query 4", "and comes back"
    here.token("key", 6).click()
    here.until(lambda: here.python() == [runs + 2, 0, (4,), (6,)])
    here.leave()
    assert here.pointed() == "key 6", "the last lock is drawn"
    assert here.token("query", 4).get_attribute("aria-pressed") == "true"
    here.token("key", 6).click()
    here.token("query", 4).click()
    here.until(lambda: here.python()[1:] == [0, (), ()])
    assert here.token("query", 4).get_attribute("aria-pressed") == "false"
    for place in (1, 2, 3, 4, 5):  # quickly: it ends where the last one was
        here.token("query", place).click()
    here.until(lambda: here.python()[2] == (5,))
    here.leave()
    assert here.pointed() == "query 5"
    here.button("lock row 2").click()
    here.settle()
    here.leave()
    assert here.pointed() == "query 1", "a lock of Python's is shown"


def test_clicks_on_chips_add_heads_and_a_double_click_opens_one_alone(visit):
    here = visit()
    assert here.on() == [0]
    one = here.n_links()
    here.chip(2).click()
    here.until(lambda: here.on() == [0, 2])
    assert here.n_links() > one
    assert "heads=1%2C3" in here.page.url
    here.chip(2).click()
    here.until(lambda: (here.on(), here.n_links()) == ([0], one))
    assert "heads" not in here.page.url
    for heads in ([0, 1, 2, 3], [0]):
        here.button("all heads").click()
        here.until(lambda heads=heads: here.on() == heads)
    here.chip(0).click()
    here.until(lambda: (here.on(), here.n_links()) == ([], 0))
    here.page.get_by_text(english("attention-ribbons-none")).wait_for()
    runs = here.python()[0]
    here.chip(3).dblclick()
    here.until(lambda: here.on() == [3])
    here.until(lambda: here.python()[:2] == [runs + 1, 3])  # both clicks are one message
    here.button("open head 3").click()
    here.until(lambda: here.on() == [2])


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
    assert here.overflow() <= 0
    assert here.page.locator(".middle").evaluate("e => e.clientWidth") >= 90


def test_eight_heads_of_64_tokens_are_drawn(visit):
    here = visit("size=64&n_heads=8&heads=1,2,3,4,5,6,7,8", scheme="dark")
    assert here.on() == list(range(8))
    assert here.n_links() > 4000
    assert here.token("query", 63).bounding_box()["height"] >= 14
    here.token("query", 40).hover()
    assert here.pointed() == "query 40"
    assert 8 <= here.n_links() < 8 * 64
