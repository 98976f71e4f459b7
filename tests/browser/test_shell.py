"""Around the pages in a real browser: sentence, sidebar, tabs, presentation mode, full screen."""

from __future__ import annotations

import pytest

from ui.pages import pages
from words import Words, english

HEADS = ".heads[data-drawn]"
OUTPUT = ".st-key-translated"
SIDEBAR = '[data-testid="stSidebarContent"]'
SCROLLED = "node => node.scrollHeight - node.clientHeight"
HEADLINE = ':is(.st-key-finding, .st-key-headline) [data-testid="stMarkdownContainer"] p'
LARGE = """node => parseFloat(getComputedStyle(node).fontSize)
  * Number(document.documentElement.style.getPropertyValue("--lab-zoom") || 1)"""
MIXED = [
    page for page in pages() if page.reads and {True, False} == {view.reads for view in page.views}
]


def top(here, selector: str) -> float:
    return here.page.locator(selector).first.bounding_box()["y"]


@pytest.mark.parametrize("width", [1280, 390])
def test_a_visible_button_sends_the_sentence(visit, width):
    here = visit("", HEADS, width=width, height=800)
    here.page.locator(".st-key-text input").fill("A dog runs.")
    here.press_at(".st-key-send button:visible")
    here.page.get_by_role("heading", name="Ein Hund").wait_for()


def test_a_chip_brings_its_sentence_and_is_lit_while_it_is_in_the_box(visit):
    here = visit("", HEADS, height=800)
    chip = here.page.get_by_role("radio", name="it → trophy")
    chip.click()
    box = here.page.locator(".st-key-text input")
    here.until(lambda: "trophy" in box.input_value())
    assert chip.get_attribute("aria-checked") == "true"
    assert box.evaluate("node => node.scrollWidth <= node.clientWidth")
    box.fill("A dog runs.")
    here.until(lambda: chip.get_attribute("aria-checked") == "false")


def test_the_old_output_is_dimmed_in_its_place_while_the_next_is_computed(visit):
    here = visit("", HEADS, height=800)
    before = here.page.locator(OUTPUT).bounding_box()
    # A fast machine may answer before a transition ends; what it would end at is looked at.
    here.page.add_style_tag(content="* { transition: none !important; }")
    here.page.evaluate(
        """selector => {
          globalThis.dimmest = 1;
          const look = () => {
            const node = document.querySelector(`${selector} [data-stale="true"]`);
            const now = node ? Number(getComputedStyle(node).opacity) : 1;
            globalThis.dimmest = Math.min(globalThis.dimmest, now);
            requestAnimationFrame(look);
          };
          look();
        }""",
        OUTPUT,
    )
    here.page.locator(".st-key-text input").fill(
        "The old dog slept because it was very tired and cold."
    )
    here.press_at(".st-key-send button:visible")
    here.page.get_by_role("heading", name="Der alte Hund").wait_for()
    assert here.page.evaluate("globalThis.dimmest") < 0.6
    assert here.page.locator(OUTPUT).bounding_box()["y"] == before["y"]


@pytest.mark.parametrize(
    "path", ["", "masked", "captions", "lineage?lineage_look=step", "?lang=ko"]
)
def test_the_sidebar_fits_the_screen(visit, path):
    here = visit(path, ".st-key-fold_about", height=800)
    assert here.page.locator(SIDEBAR).evaluate(SCROLLED) <= 0


@pytest.mark.parametrize(
    ("path", "key", "id"), [("cost", "fold_about", "licence"), ("", "checks", "attention-checks")]
)
def test_an_open_fold_stays_open_in_another_language(visit, path, key, id):
    here = visit(path, f".st-key-{key}")
    fold = here.page.locator(f".st-key-{key}")
    fold.locator("summary").click()
    fold.get_by_text(english(id, text="").strip()).first.wait_for()
    here.settle()
    here.page.get_by_text("한국어", exact=True).click()
    fold.get_by_text(Words("ko")(id, text="").strip()).first.wait_for()
    assert fold.locator("details").get_attribute("open") is not None


@pytest.mark.parametrize("page", MIXED, ids=lambda page: page.id)
def test_the_tabs_stay_in_their_place_where_a_view_reads_no_sentence(visit, page):
    here = visit(page.id, height=800)
    tops = set()
    for view in page.views:
        here.open(english(f"view-{page.id}-{view.id}"))
        tops.add(round(top(here, ".st-key-views")))
    assert max(tops) - min(tops) <= 2, tops


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.id)
def test_presentation_has_large_type_a_whole_figure_and_its_tools_within_reach(visit, page):
    here = visit(f"{page.id if page.id != 'attention' else ''}?projector=1", width=1280, height=720)
    here.page.wait_for_function("'fitted' in document.documentElement.dataset")
    headline = here.page.locator(HEADLINE)
    if headline.count():  # lessons and glossary have none
        assert headline.first.evaluate(LARGE) >= 1.36 * 16
    assert here.covered() == []
    assert here.overflow() <= 0
    if page.id == "lessons" or len(page.views) < 2:
        return
    radios = here.page.locator('.st-key-views [role="radio"]')
    names = radios.all_inner_texts()
    for press, expected in (
        (".st-key-projector_next", names[1]),
        (".st-key-projector_back", names[0]),
    ):
        here.press_at(f"{press} button")
        lit = here.page.get_by_role("radio", name=expected, exact=True)
        here.until(lambda lit=lit: lit.get_attribute("aria-checked") == "true")


@pytest.mark.parametrize(
    "path",
    ["cost?cost_look=measured", "worth?worth_look=atlas", "training?training_look=smoothing"],
)
def test_a_figure_as_wide_as_its_box_keeps_still_in_presentation(visit, path):
    here = visit(f"{path}&projector=1", ".st-key-fold_about", width=1280, height=720)
    here.page.wait_for_function("document.querySelector('[data-lab-fit]')")
    here.page.wait_for_timeout(1000)
    picture = here.page.locator("[data-lab-fit] :is(.js-plotly-plot, svg.marks)").first
    below = here.button("Export").first
    seen = set()
    for _ in range(10):
        here.page.wait_for_timeout(200)
        box = picture.bounding_box()
        seen.add((round(box["y"] + box["height"]), round(below.bounding_box()["y"])))
    assert len(seen) == 1
    bottom, next_top = seen.pop()
    assert 650 <= bottom <= 720
    assert next_top >= bottom - 1  # nothing lies on the figure


FULL_HEADLINE = ':fullscreen :is(.st-key-finding, .st-key-headline) [data-testid="stMarkdown"]'


@pytest.mark.parametrize("path", ["?look=matrix", "masks?mask_look=seen", "training"])
def test_a_figure_in_full_screen_has_its_headline(visit, path):
    here = visit(path, height=800)
    here.settle()
    here.page.keyboard.press("f")
    here.until(lambda: here.page.evaluate("() => Boolean(document.fullscreenElement)"))
    here.page.wait_for_timeout(500)
    headline = here.page.locator(FULL_HEADLINE).first.bounding_box()
    assert 0 <= headline["y"] < 200
    assert headline["height"] > 20
    assert not here.page.locator(".st-key-views").is_visible()
    here.page.keyboard.press("f")
    here.until(lambda: here.page.locator(".st-key-views").is_visible())


def test_a_figure_as_wide_as_its_box_fills_the_height_of_a_full_screen(visit):
    here = visit("beam?beam_look=width", "svg.marks", height=800)
    here.page.keyboard.press("f")
    here.until(lambda: here.page.evaluate("() => Boolean(document.fullscreenElement)"))
    here.page.wait_for_timeout(1000)
    box = here.page.locator(":fullscreen svg.marks").first.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 1280
    assert box["height"] > 420
    assert box["y"] + box["height"] <= 800


def test_every_figure_has_a_button_for_full_screen_while_it_is_pointed_at(visit):
    here = visit("masks?mask_look=seen", '[data-testid="stMain"] svg.marks', height=800)
    here.page.locator('[data-testid="stMain"] svg.marks').first.hover()
    here.press_at("#lab-full")
    here.until(lambda: here.page.evaluate("() => Boolean(document.fullscreenElement)"))
    assert here.page.locator(':fullscreen [data-testid="stMarkdown"]').first.is_visible()


def test_a_page_connects_without_a_search_and_fetches_no_script_twice(visit):
    here = visit("beam?beam_look=tree", ".marks")
    addresses = here.page.evaluate("performance.getEntriesByType('resource').map(e => e.name)")
    scripts = [address for address in addresses if address.endswith(".js")]
    assert any("/ArrowVegaLiteChart." in script for script in scripts)
    assert len(scripts) == len({*scripts})
    assert not [address for address in addresses if "/beam/" in address]
