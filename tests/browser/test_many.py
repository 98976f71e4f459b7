"""The table of many sentences in a real browser: files are dropped, and a row is clicked."""

from __future__ import annotations

import pytest

from support.browser import Visit, visiting

PAIRS = "A dog runs.\tEin Hund läuft.\nA man plays.\tEin Mann spielt.\n"
BOXES = '[data-testid="stPopoverBody"] input[type=file]'
TABLE = '[data-testid="stDataFrame"]'
HEADER, ROW = 35, 65  # pixels
CHECKBOX = 12  # pixels from the left


class TableVisit(Visit):
    """The view of many sentences."""

    at = "beam?beam_look=many"

    def drop(self, name: str, text: str, box: int = 0) -> None:
        if not self.page.locator(BOXES).count():
            self.page.locator(".st-key-many_files button").first.click()
        file = {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
        self.page.locator(BOXES).nth(box).set_input_files(file)
        self.settle()

    def click_row(self, position: int) -> None:
        """Click the box at the beginning of a row."""
        box = self.page.locator(TABLE).first.bounding_box()
        self.page.mouse.click(box["x"] + CHECKBOX, box["y"] + HEADER + ROW * (position + 0.5))


@pytest.fixture
def visit(browser, app):
    with visiting(TableVisit, browser, app) as start:
        yield start


def test_a_clicked_row_opens_its_sentence_and_forces_its_target(visit):
    here = visit()
    here.drop("pairs.tsv", PAIRS)
    here.page.get_by_text("pairs.tsv").first.wait_for()
    here.drop("links", "0-0 1-1\n0-0 2-1\n", box=1)
    here.page.keyboard.press("Escape")
    here.settle()
    here.click_row(1)
    here.until(lambda: "text=A+man+plays." in here.page.url)
    here.until(lambda: "begin=Ein+Mann+spielt." in here.page.url)
    here.page.locator(".st-key-scroll_many_links svg.marks").wait_for()
