"""Every shipped checkpoint on every page: what fits is shown, the rest is named, nothing fails."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import FOOTER

from ui.pages import page_ids
from words import english

ROOT = Path(__file__).resolve().parent.parent
NAMES = sorted(path.parent.name for path in (ROOT / "checkpoints").glob("*/config.json"))


pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", NAMES)
def test_every_page_opens_with_every_checkpoint(visit, name):
    here = visit(f"?checkpoint={name}")
    for page in page_ids():
        here.page.get_by_role("link", name=english(f"page-{page}"), exact=True).click()
        title = english(f"page-{page}")
        here.page.get_by_role("heading", name=title, exact=True, level=1).wait_for()
        here.page.wait_for_selector(FOOTER)
        here.settle()
        assert here.failures() == [], page
        assert here.overflow() <= 0, page
        assert here.page.get_by_role("radio").count() > 0, page
