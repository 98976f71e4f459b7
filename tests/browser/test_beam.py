"""The beam page in a real browser: clicks, steps, keys, steering, addresses, interrupting."""

from __future__ import annotations

import pytest

from support.browser import FOOTER, Visit, visiting
from words import english

TREE, STEERED, BARS = (
    f'[class*="st-key-"][class*="_beam_{name}"] svg.marks'
    for name in ("first", "second", "candidates")
)
AREAS = "path[d^='M-10,-']"  # the invisible areas that take the clicks, one a node
STEPPER = ".st-key-step_slider .stepper"
CANDIDATES = f"{BARS} path[cursor=pointer], {BARS} path[aria-roledescription='rect mark']"
SWITCH = f'role=radio[name="{english("view-beam-errors")}"]'
SHORT = "text=A+dog+runs.&max_len=10"
RECORD_STEPS = """selector => {
  const [host, inside] = selector.split(" ");
  const stepper = [...document.querySelector(host).querySelectorAll('*')]
    .map(e => e.shadowRoot).find(root => root?.querySelector(inside)).querySelector(inside);
  window.seen = [];
  new MutationObserver(() => window.seen.push(+stepper.dataset.step))
    .observe(stepper, {attributes: true, attributeFilter: ['data-step']});
}"""
BEYOND = """svg => [...svg.querySelectorAll('text')].filter(each =>
  each.getBoundingClientRect().bottom > svg.getBoundingClientRect().bottom + 1).length"""


class BeamVisit(Visit):
    """The beam page."""

    at, ready, height = "beam?", (SWITCH, FOOTER), 1000

    def step(self) -> int:
        return int(self.page.locator(f"{STEPPER}[data-step]").get_attribute("data-step"))

    def faint(self) -> int:
        """Number of marks of the tree that only shimmer through."""
        return self.page.locator(f'{TREE} [opacity="0.12"]').count()

    def press(self, name: str) -> None:
        self.button(english(f"stepper-{name}")).click()


@pytest.fixture
def visit(browser, app):
    with visiting(BeamVisit, browser, app) as start:
        yield start


def test_a_click_on_a_node_opens_it_and_a_second_one_closes_it(visit):
    here = visit(SHORT)
    opened = here.page.locator(".st-key-open_node input")
    before = opened.input_value()
    place = here.page.locator(f"{TREE} {AREAS}").first.get_attribute("transform")
    node = here.page.locator(f"{TREE} {AREAS}[transform='{place}']")
    node.click(force=True)
    here.until(lambda: "node=" in here.page.url and opened.input_value() not in ("", before))
    node.click(force=True)
    here.page.get_by_text(english.page("beam_no_node")[:20]).wait_for()


def test_buttons_and_arrow_keys_move_the_step_and_the_tree_follows_without_the_server(visit):
    here = visit(SHORT)
    last = here.step()
    here.press("back")
    here.until(lambda: here.step() == last - 1)
    for key, step in (("ArrowLeft", last - 2), ("ArrowRight", last - 1)):
        here.page.keyboard.press(key)
        here.until(lambda step=step: here.step() == step)
    here.until(lambda: f"step={last - 1}" in here.page.url)
    here.press("on")
    here.until(lambda: here.faint() == 0)
    here.page.context.set_offline(True)
    here.press("back")
    here.press("back")
    here.until(lambda: here.faint() > 0)
    here.press("on")
    here.press("on")
    here.until(lambda: here.faint() == 0)
    here.page.context.set_offline(False)


def test_playing_goes_through_every_step_to_the_end(visit):
    here = visit(SHORT + "&step=1")
    here.until(lambda: here.step() == 1)
    here.page.evaluate(RECORD_STEPS, STEPPER)
    last = int(here.page.locator(f"{STEPPER} input").get_attribute("max"))
    here.press("play")
    here.until(lambda: here.step() == last)
    assert here.page.evaluate("() => [...new Set(window.seen)]") == list(range(1, last + 1))
    here.button(english("stepper-play")).wait_for()
    here.page.wait_for_url(lambda url: "&step=" not in url)


def test_a_clicked_candidate_is_forced_and_undone(visit):
    here = visit(SHORT)
    here.page.locator(CANDIDATES).nth(3).click(force=True)
    here.settle()
    here.page.locator(STEERED).wait_for()
    here.until(lambda: "force=" in here.page.url)
    here.page.locator(".st-key-undo button").click()
    here.page.locator(STEERED).wait_for(state="detached")
    here.until(lambda: "force=" not in here.page.url)


def test_another_view_interrupts_a_long_search(visit):
    here = visit("exact_limit=60")
    for view, sign in (("methods", "exact-search-progress"), ("tree", "beam-candidates-title")):
        here.page.get_by_role("radio", name=english(f"view-beam-{view}")).click()
        # Sooner than the search would end by itself.
        here.page.get_by_text(english(sign)).wait_for(timeout=40_000)


def test_the_tree_scrolls_to_the_step_and_a_scroll_that_is_dropped_is_asked_for_again(visit):
    here = visit(SHORT + "&step=8", width=390)
    box = here.page.locator(".st-key-scroll_beam_first")
    here.until(lambda: box.evaluate("box => box.scrollLeft > 300"))
    assert here.overflow() <= 0
    box.evaluate("box => { box.scrollTo = () => delete box.scrollTo; }")  # drops the next one
    here.page.locator(STEPPER).get_by_role("slider").press("Home")
    here.until(lambda: box.evaluate("box => box.scrollLeft < 100"))


def test_another_width_exchanges_the_nodes_and_the_drawing_grows_with_them(visit):
    here = visit(f"{SHORT}&beam=2")
    tree = here.page.locator(TREE)
    tree.evaluate("svg => { svg.dataset.was = 'here'; }")
    nodes, height = tree.locator(AREAS).count(), float(tree.get_attribute("height"))
    for _ in range(3):
        here.page.get_by_role("slider", name=english("beam-width")).press("ArrowRight")
    here.until(lambda: tree.locator(AREAS).count() > nodes)
    assert tree.get_attribute("data-was") == "here"
    assert float(tree.get_attribute("height")) > height
    assert tree.evaluate(BEYOND) == 0
