"""A checkpoint of every family on every page: what fits is shown, the rest is named, nothing fails;
`test_views.py` opens all checkpoints without a browser."""

from __future__ import annotations

import pytest

from support.app import BY_FAMILY
from support.browser import FOOTER
from ui.pages import page_ids
from words import english

NAMES = (*BY_FAMILY.values(), "ko-en")

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", NAMES)
def test_every_page_opens_with_a_checkpoint_of_every_family(visit, name):
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
