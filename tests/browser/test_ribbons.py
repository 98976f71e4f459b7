"""The ribbons in a real browser, on an app that shows nothing else: random weights, no model."""

from __future__ import annotations

import re
from ast import literal_eval

import numpy as np
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

    def press_at(self, side: str, place: int, *held: str) -> None:
        """Click at the middle of a token, while keys are held."""
        box = self.token(side, place).bounding_box()
        for key in held:
            self.page.keyboard.down(key)
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        for key in held:
            self.page.keyboard.up(key)

    def status(self) -> str:
        return self.page.locator(".ribbons .status").inner_text()

    def names(self) -> list[str]:
        """Headings over the numbers of several queries."""
        return self.page.locator(".legend .name").all_inner_texts()


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
    for key in (*["Tab"] * 5, "ArrowDown", "ArrowDown"):
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


@pytest.mark.parametrize("layout", ["vertical", "horizontal"])
def test_two_queries_are_chosen_by_clicks_and_let_go_by_one(visit, layout):
    here = visit(f"ribbons_layout={layout}")
    clear = here.page.locator(".ribbons .clear")
    assert not clear.is_visible()
    here.press_at("query", 2)
    here.until(lambda: here.python()[2] == (2,))
    here.leave()
    assert (here.pointed(), here.names()) == ("query 2", [])
    here.press_at("query", 5, "Shift")
    here.until(lambda: here.python()[2] == (2, 5))
    here.leave()
    assert (here.pointed(), here.names()) == ("query 2 5", ["Mean", "Sum"])
    assert "Means add up to 1.00, sums to 2.00." in here.status()
    here.token("query", 7).hover()
    assert (here.pointed(), here.names()) == ("query 7", []), "one token is shown as before"
    here.press_at("query", 2, "Control")
    here.until(lambda: here.python()[2] == (5,))
    here.button("Select several").click()
    here.press_at("query", 0)
    here.press_at("query", 2)
    here.until(lambda: here.python()[2] == (0, 2, 5))
    here.leave()
    assert "sums to 3.00" in here.status()
    clear.click()
    here.until(lambda: here.python()[2:] == [(), ()])
    assert not clear.is_visible()
    assert here.pointed() == ""


def test_a_choice_of_queries_and_the_layout_are_there_again_after_a_reload(visit):
    here = visit()
    here.page.get_by_role("radio", name="Horizontal").click()
    here.page.wait_for_url(re.compile("ribbons_layout=horizontal"))
    here.page.wait_for_selector(".ribbons.across")
    keys, queries = (here.token(side, 0).bounding_box() for side in ("key", "query"))
    assert keys["y"] + keys["height"] < queries["y"], "keys stand above"
    assert keys["x"] == queries["x"], "and a column holds one place of both"
    here.page.reload()
    here.page.wait_for_selector(".ribbons.across[data-links]")


def test_arrows_follow_the_rows(visit):
    here = visit("ribbons_layout=horizontal")
    here.token("query", 0).focus()
    for key, pointed in (
        ("ArrowRight", "query 1"),
        ("ArrowRight", "query 2"),
        ("ArrowUp", "key 2"),
        ("ArrowLeft", "key 1"),
        ("ArrowDown", "query 1"),
    ):
        here.page.keyboard.press(key)
        assert here.pointed() == pointed
    here.page.keyboard.press("Enter")
    here.page.keyboard.press("ArrowRight")
    here.page.keyboard.press("Shift+Enter")
    here.until(lambda: here.python()[2] == (1, 2))


def test_a_long_row_is_turned_on_a_wide_screen_and_scrolled_on_a_narrow_one(visit):
    cut = "all => all.filter(e => e.scrollWidth > e.clientWidth + 1).length"
    for width, touch, turned in ((1280, False, True), (390, True, False)):
        here = visit("ribbons_layout=horizontal&size=40", width=width, height=800, touch=touch)
        box = here.page.locator(".ribbons .scroll")
        assert here.overflow() <= 0
        assert (here.page.locator(".ribbons.turned").count() == 1) == turned
        wider = box.evaluate("e => e.scrollWidth - e.clientWidth")
        assert (wider > 0) != turned
        assert here.page.locator(".ribbons .token").evaluate_all(cut) == 0, "words are whole"
        last = here.token("query", 39)
        last.scroll_into_view_if_needed()
        last.tap() if touch else last.click()
        here.until(lambda here=here: here.python()[2] == (39,))


def test_a_long_row_opens_at_the_token_that_the_chosen_one_attends_to_most(visit):
    here = visit("size=40", width=390, touch=True)
    # The one head that is on, and the query that looks the farthest: not both ends fit on a phone.
    raised = np.exp(np.random.default_rng(40).normal(size=(2, 4, 40, 40)) * 2)
    keys = raised[0, here.on()[0]].argmax(axis=-1)
    query = int(np.abs(keys - np.arange(40)).argmax())
    here.token("query", query).scroll_into_view_if_needed()
    here.token("query", query).tap()
    here.until(lambda: here.python()[2] == (query,))
    here.page.get_by_role("radio", name="Horizontal").click()
    here.page.wait_for_selector(".ribbons.across")
    scroll = here.page.locator(".ribbons .scroll")

    def is_seen() -> bool:
        room = scroll.bounding_box()
        token = here.token("key", int(keys[query])).bounding_box()
        right = room["x"] + room["width"]
        return room["x"] <= token["x"] and token["x"] + token["width"] <= right + 1

    here.until(is_seen)


def test_taps_add_queries_while_several_are_selected(visit):
    here = visit("ribbons_layout=horizontal", width=390, touch=True)
    here.button("Select several").tap()
    for place in (1, 3):
        here.token("query", place).tap()
    here.until(lambda: here.python()[2] == (1, 3))
    assert here.names() == ["Mean", "Sum"]
    here.token("query", 1).tap()
    here.until(lambda: here.python()[2] == (3,))
