"""The first page in a real browser: typing, clicking, narrow screens, both themes."""

from __future__ import annotations

import re
from functools import partial

import pytest
from harness import DEFAULT, Visit, visiting

from records import Decoding
from ui.pages.attention import PAGE
from words import english

SENTENCE = "A dog runs through the snow."
GRID = '[class*="st-key-"][class*="_grid"] svg.marks'
MATRIX = '[class*="st-key-"][class*="_encoder_matrix"] svg.marks'
CELLS = 'path[aria-roledescription="rect mark"]'

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


class AttentionVisit(Visit):
    """The first page."""

    def __init__(self, browser, app: str, path: str = "", ready: str = MATRIX, **options):
        super().__init__(browser, app + path, GRID, ready, **options)

    def type_sentence(self, text: str) -> None:
        box = self.page.get_by_label("English sentence")
        box.fill(text)
        box.press("Enter")

    def fills(self) -> list[str]:
        """The colours of the matrix, cell by cell."""
        return self.page.locator(f"{MATRIX} {CELLS}").evaluate_all(
            "cells => cells.map(cell => cell.getAttribute('fill'))"
        )


@pytest.fixture
def visit(browser, app):
    with visiting(partial(AttentionVisit, browser, app)) as start:
        yield start


def test_a_typed_sentence_is_translated_and_a_clicked_head_changes_the_picture(
    visit, tiny_translator
):
    here = visit()
    here.type_sentence(SENTENCE)
    translation = tiny_translator.translate(SENTENCE).text
    here.page.get_by_role("heading", name=translation, exact=True).wait_for()
    here.settle()
    n_tokens = len(tiny_translator.tokenize(SENTENCE))
    before = here.fills()
    assert len(before) == n_tokens * n_tokens

    here.page.locator(f"{GRID} {CELLS}").nth(6).click()
    here.page.get_by_role("heading", name="Layer 2, head 3").wait_for()
    here.settle()
    after = here.fills()
    assert len(after) == len(before)
    assert after != before

    assert here.errors == []
    assert here.hosts == {"127.0.0.1"}


def test_pointing_previews_a_row_and_clicking_locks_it(visit):
    here = visit()
    bars = here.page.locator(f"{MATRIX} path[aria-roledescription='bar']")
    locked = bars.evaluate_all("bars => bars.map(bar => bar.getAttribute('d'))")
    assert locked
    cell = here.page.locator(f"{MATRIX} {CELLS}").nth(0)
    cell.hover(force=True)  # what lies over a cell is the cell's own tooltip
    here.page.wait_for_function(
        """([selector, old]) => {
          const now = [...document.querySelectorAll(selector)].map(b => b.getAttribute('d'));
          return now.length > 0 && now.join() !== old;
        }""",
        arg=[f"{MATRIX} path[aria-roledescription='bar']", ",".join(locked)],
    )
    assert "row=1" not in here.page.url.split("&")
    cell.click(force=True)
    here.page.wait_for_url(lambda url: "row=1" in url.split("&"))
    here.settle()
    cell.click(force=True)
    here.page.get_by_text("Point at a row to see its weights").wait_for()
    assert here.errors == []


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_a_cell_tells_its_numbers_under_the_pointer(visit, tiny_translator, kind):
    matrix = f'[class*="st-key-"][class*="_{kind}_matrix"] svg.marks'
    here = visit(path=f"?kind={kind.capitalize()}", ready=matrix)
    attention = tiny_translator.translate(DEFAULT.text, Decoding()).attention.of(kind)
    found = re.search(r"layer=(\d+)&head=(\d+)|$", here.page.url)
    layer, head = (int(n) - 1 for n in found.groups()) if found[0] else (0, 0)
    cell = here.page.locator(f"{matrix} {CELLS}").nth(0)
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    for step in range(4):
        here.page.mouse.move(box["x"] + 3 + step, box["y"] + 3 + step)
        here.page.wait_for_timeout(150)
    tooltip = here.page.locator("#vg-tooltip-element")
    here.page.wait_for_function(
        "() => (document.querySelector('#vg-tooltip-element')?.innerText || '').includes('rank')"
    )
    text = tooltip.inner_text()
    assert f"{attention.weights[layer, head, 0, 0]:.4f}" in text
    for title in ("query", "key", "score q·k", "scaled", "mask", "rank in row"):
        assert title in text
    assert here.errors == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_overflows(visit, width, scheme, tiny_translator):
    here = visit(width=width, height=844, scheme=scheme)
    assert here.overflow() <= 0
    long = "The animal didn't cross the street because it was too tired. " * 6
    here.type_sentence(long)
    here.page.get_by_text(f"{len(tiny_translator.tokenize(long))} in,").wait_for()
    here.settle()
    assert here.overflow() <= 0
    wide = here.page.locator('[class*="st-key-scroll_encoder_matrix"]')
    hidden, how = wide.evaluate(
        "e => [e.scrollWidth - e.clientWidth, getComputedStyle(e).overflowX]"
    )
    assert (hidden > 0, how) == (True, "auto"), "a wide matrix scrolls in its own box"
    assert here.errors == []


def test_script_tags_stay_text(visit):
    here = visit()
    here.page.on("dialog", lambda dialog: here.errors.append(dialog.message))
    here.type_sentence("<script>alert(1)</script><img src=x onerror=alert(2)> it")
    here.page.get_by_text("not in the vocabulary").wait_for()
    here.settle()
    assert here.page.locator("img[src='x']").count() == 0
    assert here.errors == []


def test_a_bad_sentence_leaves_the_page_standing(visit):
    here = visit()
    here.type_sentence("word " * 1000)
    here.page.get_by_text("tokens long; the model takes").wait_for()
    here.settle()
    assert here.page.locator(MATRIX).count() == 1
    assert here.page.get_by_label("English sentence").input_value().startswith("word word")
    here.type_sentence(SENTENCE)
    here.page.get_by_text("tokens long; the model takes").wait_for(state="detached")
    assert here.errors == []


def test_a_shared_address_shows_the_same_view_in_a_new_browser(visit, app):
    here = visit()
    here.page.get_by_text("Find a head", exact=True).click()
    here.page.get_by_text("Queries: tokens that look").wait_for()
    here.settle()
    here.page.locator(f"{GRID} {CELLS}").nth(5).click()
    here.page.wait_for_url(lambda url: "layer=2" in url and "head=2" in url)
    here.settle()
    url = here.page.url
    assert "look=find" in url
    there = visit(path=url.removeprefix(app), ready="text=Queries: tokens that look")
    for words in ("Queries: tokens that look", "line"):
        assert there.page.get_by_text(words).first.is_visible()
    opened = [v.page.get_by_text("Open: layer 2, head 2, line").inner_text() for v in (here, there)]
    assert opened[0] == opened[1]
    assert here.errors == there.errors == []


def test_a_head_of_another_kind_opens_from_the_overview(visit):
    here = visit()
    # The tiny model has 2 layers by 4 heads of every kind; cross-attention comes last.
    here.page.locator(f"{GRID} {CELLS}").nth(8 + 8 + 6).click()
    here.page.wait_for_url(lambda url: "kind=cross" in url and "layer=2" in url)
    here.page.wait_for_selector('[class*="_cross_matrix"] svg.marks')
    here.page.get_by_role("heading", name="Layer 2, head 3").wait_for()
    assert here.errors == []


def test_a_figure_and_its_numbers_can_be_saved(visit, tmp_path):
    here = visit()
    menu = here.page.locator('[class*="st-key-encoder_matrix_export"]')
    menu.get_by_role("button", name="Export").first.click()
    saved = {}
    for name in ("SVG", "CSV"):
        with here.page.expect_download() as download:
            here.page.get_by_role("button", name=name, exact=True).click()
        saved[name] = tmp_path / download.value.suggested_filename
        download.value.save_as(saved[name])
    assert "query (row) attends to" in saved["SVG"].read_text()
    lines = saved["CSV"].read_text().splitlines()
    cells = here.page.locator(f"{MATRIX} {CELLS}").count()
    assert len(lines) == 1 + cells
    assert here.hosts == {"127.0.0.1"}
    assert here.errors == []


def test_the_attention_views_do_not_overflow_a_phone(visit):
    here = visit(width=390, height=844)
    for look in [view.id for view in PAGE.views]:
        here.open(english(f"view-attention-{look}"))
        assert here.failures() == []
        assert here.overflow() <= 0, look
