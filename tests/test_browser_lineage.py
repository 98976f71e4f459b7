"""The page of the lineage in a browser: its maps stand, and nothing is wider than the window."""

from __future__ import annotations

from functools import partial

import pytest
from harness import FOOTER, Visit, visiting

from words import english

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture
def visit(browser, app):
    with visiting(partial(Visit, browser)) as start:
        yield partial(_open, start, app)


def _open(start, app: str, look: str, **how) -> Visit:
    address = f"{app}lineage?text=A%20dog%20runs.&max_len=6&lineage_look={look}"
    return start(address, "[data-testid=stVegaLiteChart] svg, canvas", FOOTER, **how)


@pytest.mark.parametrize("width", [1280, 390])
def test_the_map_of_a_system_stands_within_the_window(visit, width):
    here = visit("systems", width=width)
    assert here.failures() == []
    assert here.overflow() <= 0


def test_a_sentence_that_grows_is_drawn_anew_when_its_words_change(visit):
    here = visit("bottleneck")
    here.page.get_by_role("button", name=english("settings")).click()
    box = here.page.get_by_role("textbox", name=english("lineage-more"))
    box.fill("A man plays.")
    box.press("Control+Enter")
    here.until(lambda: "lineage_more" in here.page.url)
    assert here.failures() == []
