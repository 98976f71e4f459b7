"""A page is one screen: the picture of a view stands whole on the first one, below few lines."""

from __future__ import annotations

from functools import partial

import pytest
from harness import Visit, visiting

from ui.pages import pages

HIGHEST, LOWEST = 200, 790  # pixels of a screen of 1280 x 800 between which the picture stands
LATER = {
    ("lineage", "step"): 215,  # a line says that another model is shown
}
# The pages that were laid out so; the others follow.
LAID_OUT = (
    "masks/knockout",
    "masks/pronoun",
    "masks/trace",
    "masks/explain",
    "lineage",
    "beam",
    "attention",
)
VIEWS = [
    (page, view)
    for page in pages()
    for view in page.views
    if {page.id, f"{page.id}/{view.id}"} & set(LAID_OUT)
]
SHOWN = (
    '[data-testid="stMain"] :is(svg.marks, canvas, .js-plotly-plot, [data-testid="stDataFrame"],'
    ' [data-testid="stBidiComponentRegular"], [data-testid="stBidiComponentIsolated"])'
)
FIRST = """all => all.map(e => e.getBoundingClientRect())
  .filter(box => box.width >= 150 && box.height >= 80)
  .map(box => [box.top, box.bottom]).sort((a, b) => a[0] - b[0])[0]"""
FOLDED = ".st-key-fold_about"  # what is drawn last

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240), pytest.mark.slow]


@pytest.fixture
def visit(browser, shipped):
    with visiting(partial(Visit, browser)) as start:
        yield lambda path: start(shipped + path, FOLDED, width=1280, height=800)


@pytest.mark.parametrize(("page", "view"), VIEWS, ids=lambda each: each.id)
def test_the_picture_stands_whole_on_the_first_screen(visit, page, view):
    path = "" if page.id == "attention" else page.id
    here = visit(f"{path}?{page.key}={view.id}")
    here.page.locator(SHOWN).first.wait_for()
    here.settle()
    top, bottom = here.page.locator(SHOWN).evaluate_all(FIRST)
    assert top <= LATER.get((page.id, view.id), HIGHEST)
    assert bottom <= LOWEST


@pytest.mark.parametrize("page", [page for page in pages() if page.views], ids=lambda each: each.id)
def test_the_first_lines_of_every_page_are_low(visit, page):
    here = visit("" if page.id == "attention" else page.id)
    heading, views = (here.page.locator(f".st-key-{name}") for name in ("heading", "views"))
    assert heading.bounding_box()["height"] <= 36
    assert views.bounding_box()["y"] <= 140
