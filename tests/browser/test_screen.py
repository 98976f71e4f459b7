"""A page is one screen: the picture of a view stands whole on the first one, below few lines; no
label is cut or wrapped into three lines, in any language, wide or narrow."""

from __future__ import annotations

import pytest

from support.browser import SIZES, Visit
from ui.pages import pages
from ui.views import Page
from words import Words, languages

HIGHEST, LOWEST = 200, 790  # pixels of a screen of 1280 x 800 between which the picture stands
LATER = {
    ("lineage", "step"): 215,  # a line says that another model is shown
    ("masks", "change"): 210,  # a second line says what becomes of the pronoun
}
VIEWS = [(page, view) for page in pages() for view in page.views]
SHOWN = (
    '[data-testid="stMain"] :is(svg.marks, canvas, .js-plotly-plot, [data-testid="stDataFrame"], '
    '.document, [data-testid="stBidiComponentRegular"], [data-testid="stBidiComponentIsolated"])'
)
FIRST = """all => all.map(e => e.getBoundingClientRect())
  .filter(box => box.width >= 150 && box.height >= 80)
  .map(box => [box.top, box.bottom]).sort((a, b) => a[0] - b[0])[0] ?? null"""
FOLDED = ".st-key-fold_about"  # what is drawn last
STILL = 0.1  # how much of the screen may move while a page comes
MOVED = """() => new Promise(done => {
  const sum = list => list.getEntries().reduce((all, { value }) => all + value, 0);
  const looks = new PerformanceObserver(list => done(sum(list)));
  looks.observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(0), 1000);
})"""
MOST_STYLE = 0.3  # of what the browser works until a page stands
DRAWN = """() => document.querySelector('[data-test-script-state="notRunning"] .st-key-fold_about')
  && [...document.querySelectorAll('[data-testid="stVegaLiteChart"]')]
    .every(chart => chart.querySelector("svg.marks"))"""
FITTED = 2000  # ms; figures of Plotly come late, and the page is fitted to each

pytestmark = pytest.mark.slow


def path_of(page: Page) -> str:
    """The first page has none of its own."""
    return "" if page.id == "attention" else page.id


def first_picture(here: Visit) -> tuple[float, float]:
    """Where the first picture begins and ends on the screen, once there is one."""
    here.until(lambda: here.page.locator(SHOWN).evaluate_all(FIRST) is not None)
    return here.page.locator(SHOWN).evaluate_all(FIRST)


@pytest.mark.parametrize(("page", "view"), VIEWS, ids=lambda named: named.id)
def test_the_picture_stands_whole_on_the_first_screen_and_on_a_projector_and_labels_have_room(
    visit, page, view
):
    here = visit(f"{path_of(page)}?{page.key}={view.id}", FOLDED, height=800)
    top, bottom = first_picture(here)
    assert top <= LATER.get((page.id, view.id), HIGHEST)
    assert bottom <= LOWEST
    heading, views = (here.page.locator(f".st-key-{name}") for name in ("heading", "views"))
    here.until(lambda: heading.bounding_box()["height"] <= 36)
    if (page.id, view.id) not in LATER:
        here.until(lambda: views.bounding_box()["y"] <= 140)
    assert here.cramped() == []

    width, height = 1280, 720
    here.page.set_viewport_size({"width": width, "height": height})
    here.page.keyboard.press("p")
    here.page.wait_for_url("**projector=1**")
    here.page.wait_for_timeout(FITTED)
    here.until(lambda: first_picture(here)[1] <= height)
    assert here.overflow() <= 0


@pytest.mark.parametrize("language", languages()[1:])
@pytest.mark.parametrize("page", pages(), ids=lambda named: named.id)
def test_labels_have_room_in_every_other_language(visit, page, language):
    here, say, wrong = visit(f"{path_of(page)}?lang={language}", FOLDED), Words(language), []
    names = {view.id: say(f"view-{page.id}-{view.id}") for view in page.views}
    if len(page.views) == 1:  # such a page has no switch
        here.until(lambda: first_picture(here)[1] > 0)
        assert here.cramped() == []
        return
    here.page.get_by_role("radio", name=names[page.views[-1].id], exact=True).wait_for()
    for view, label in names.items():
        if here.page.get_by_role("radio", name=label, exact=True).count():  # else it does not fit
            here.open(label)
            wrong += [f"{view} {each}" for each in here.cramped()]
    assert wrong == [], "\n".join(wrong)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", ["lessons", "glossary"])
def test_pages_without_views_have_room_for_their_labels(visit, name, language):
    assert visit(f"{name}?lang={language}", FOLDED).cramped() == []


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(
    "path",
    [
        *("", "?look=together", "masks?mask_look=seen", "cost?cost_look=measured", "captions"),
        "documents",
    ],
)
def test_hardly_anything_moves_while_a_page_comes(visit, path, size):
    assert_still(visit(path, FOLDED, width=size[0], height=size[1]))


@pytest.mark.parametrize("path", ["?projector=1", "beam?projector=1"])
def test_hardly_anything_moves_while_a_page_comes_on_a_projector(visit, path):
    assert_still(visit(path, FOLDED, width=1280, height=720))


@pytest.mark.parametrize(
    "path", ["positions?position_look=encoding", "?look=arithmetic", "block?block_look=norm"]
)
def test_style_rules_are_a_small_part_of_what_a_fresh_visit_costs(visit, path):
    """A rule that was matched again for each of 4,300 marks took nine tenths."""
    here = visit(path, FOLDED, height=800)
    chromium = here.context.new_cdp_session(here.page)
    chromium.send("Performance.enable", {"timeDomain": "threadTicks"})
    here.page.reload()  # counted from its begin
    here.page.wait_for_function(DRAWN)
    here.settle()
    metrics = chromium.send("Performance.getMetrics")["metrics"]
    spent = {each["name"]: each["value"] for each in metrics}
    assert spent["TaskDuration"] > 0
    assert spent["RecalcStyleDuration"] <= MOST_STYLE * spent["TaskDuration"]


def assert_still(here: Visit) -> None:
    first_picture(here)
    assert here.page.evaluate(MOVED) <= STILL
