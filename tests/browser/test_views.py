"""Every view in a real browser: rules of access, its place on the first screen, room for labels,
Korean words, and what a visit costs.
"""

from __future__ import annotations

import pytest

from support.app import BY_FAMILY
from support.browser import COLOURS, RULES, SIZES, Visit
from ui.pages import pages
from ui.shell.view import Page
from words import english

HIGHEST, LOWEST = 230, 790  # pixels of a screen of 1280 x 800 between which the picture stands
LATER = {
    ("lineage", "step"): 235,  # a line says that another model is shown
    (
        "lineage",
        "systems",
    ): 350,  # the translations, and whose words the rows are, stand above the maps
    ("attention", "matrix"): 300,  # below the drawn Transformer
    ("attention", "pair"): 325,  # both sentences and their translations
    ("attention", "together"): 255,
    # The controls of a picture stand in its own line, those of masks in two.
    ("masks", "seen"): 300,
    # A second line says what becomes of the pronoun; then come the interventions to try.
    ("masks", "change"): 375,
    ("masks", "knockout"): 270,
    ("masks", "explain"): 245,
    **{("worth", view): 270 for view in ("why", "gold")},
    ("worth", "atlas"): 255,
    ("positions", "encoding"): 290,
    ("masked", "guess"): 300,
    # Beam width and length penalty stand above the views, play and step above the tree.
    ("beam", "width"): 270,  # a second line says that wider is not always better
    ("beam", "errors"): 250,
    ("beam", "many"): 290,  # two more lines: the row to look at, and the roles that heads show
    ("beam", "tree"): 335,
    ("beam", "methods"): 330,  # the temperature has a line of its own
}
# Maps beside each other keep their titles.
LOWER = {
    ("training", "forming"): 795,
    ("lineage", "systems"): 815,
}
FOLDED = ".st-key-fold_about"  # what is drawn last
# A table is a canvas, which ends above its box in presentation mode.
PICTURES = (
    '[data-testid="stMain"] :is(svg.marks, canvas, .js-plotly-plot, '
    '.document, [data-testid="stBidiComponentRegular"], [data-testid="stBidiComponentIsolated"])'
)
FIRST = """all => all.map(e => e.getBoundingClientRect())
  .filter(box => box.width >= 150 && box.height >= 80)
  .map(box => [box.top, box.bottom]).sort((a, b) => a[0] - b[0])[0] ?? null"""
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
# Every component and every kind of figure.
SAMPLE = (
    *("?look=matrix", "?look=ribbons", "?look=arithmetic", "?look=together", "?path=heads"),
    *("masks?mask_look=change", "positions?position_look=encoding", "block?block_look=norm"),
    *("cost?cost_look=measured", "beam?beam_look=tree", "training?training_look=forming"),
    *("lineage?lineage_look=step", "captions?", "documents?"),
)
BESIDE = ("lessons?", "glossary?")  # pages without views


def box_of_picture(here: Visit) -> tuple[float, float] | None:
    """Top and bottom of the first picture on the screen, if there is one now."""
    return here.page.locator(PICTURES).evaluate_all(FIRST)


def first_picture(here: Visit) -> tuple[float, float]:
    """Top and bottom of the first picture on the screen, once there is one."""
    here.until(lambda: box_of_picture(here) is not None)
    return box_of_picture(here)


def ends_above(here: Visit, bottom: float) -> bool:
    """Return True if there is a picture and the first one ends above `bottom`."""
    box = box_of_picture(here)
    return box is not None and box[1] <= bottom


def misplaced(here: Visit, page: str, view: str) -> list[str]:
    """Parts of a view that are not where they belong on the first screen."""
    top, bottom = first_picture(here)
    boxes = {
        name: here.page.locator(f".st-key-{name}").bounding_box() for name in ("heading", "views")
    }
    highest = LATER.get((page, view), HIGHEST)
    limits = {
        "top of the picture": (top, highest),
        "bottom of the picture": (bottom, LOWER.get((page, view), LOWEST)),
        "height of the heading": (boxes["heading"]["height"], 36),
        "top of the views": (boxes["views"]["y"], 140 + highest - HIGHEST),
    }
    return [f"{part}: {at} > {most}" for part, (at, most) in limits.items() if at > most]


def texts_typed(here: Visit) -> list[str]:
    """Return the text of the sentence box, if there is one, once Streamlit has filled it."""
    box = here.page.locator(".st-key-text input")
    if not box.count():
        return []
    here.until(lambda: box.input_value() != "")
    return [box.input_value()]


def labels(page: Page) -> dict[str, str]:
    return {view.id: english(f"view-{page.id}-{view.id}") for view in page.views}


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.id)
def test_every_view_keeps_the_rules_stands_in_its_place_and_has_room_for_its_labels(visit, page):
    path = "" if page.id == "attention" else page.id
    here = visit(f"{path}?{page.key}={page.views[0].id}", FOLDED, height=800)
    title = english(f"page-{page.id}")
    assert here.page.title() == english("page-title", page=title, app=english("app-title"))
    assert here.page.locator("h1").all_inner_texts() == [title]
    assert here.page.get_by_text(english(f"subtitle-{page.id}")).is_visible()
    first_picture(here)
    assert here.page.evaluate(MOVED) <= STILL

    names, faults = labels(page), []
    if len(names) > 1:  # such a page has a switch
        here.page.get_by_role("radio", name=[*names.values()][-1], exact=True).wait_for()
        switch = {text.strip() for text in here.page.get_by_role("radio").all_inner_texts()}
        names = {view: name for view, name in names.items() if name in switch}
        assert len(names) >= len(page.views) - 1  # one does not fit a Transformer
    for view, name in names.items():
        if len(names) > 1:
            here.open(name)
        found = misplaced(here, page.id, view) + here.covered()
        found += here.violations(RULES) + here.cramped()
        faults += [f"{view}: {fault}" for fault in found + here.failures()]
    assert not faults, "\n".join(faults)

    here.resize(1280, 720)
    here.page.keyboard.press("p")
    here.page.wait_for_url("**projector=1**")
    here.until(lambda: ends_above(here, 720))
    assert here.overflow() <= 0


@pytest.mark.parametrize("path", [*SAMPLE, *BESIDE])
def test_pages_in_korean_and_dark_have_contrast_room_and_whole_words(visit, path):
    narrow, wide = SIZES[1], SIZES[0]
    here = visit(f"{path}&lang=ko", FOLDED, width=narrow[0], height=narrow[1], scheme="dark")
    here.page.wait_for_function("document.documentElement.lang === 'ko'")
    if path not in BESIDE:
        first_picture(here)
    assert here.cramped() == []
    assert here.violations(RULES if path in BESIDE else COLOURS) == []
    shut = here.page.locator('[data-testid="stExpander"] details:not([open]) > summary')
    shut.evaluate_all("all => all.forEach(each => each.click())")
    here.settle()
    for size in (wide, narrow):
        here.resize(*size)
        here.page.wait_for_timeout(500)
        assert (here.broken_words(), max(0, here.overflow())) == ([], 0), size


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.id)
def test_a_slider_that_is_held_loses_nothing_and_every_button_is_within_reach_on_a_phone(
    visit, page
):
    path = "" if page.id == "attention" else page.id
    narrow = SIZES[1]
    here = visit(path, FOLDED, width=narrow[0], height=narrow[1], touch=True)
    assert here.covered() == []
    for view in page.views:
        here = visit(f"{path}?{page.key}={view.id}", FOLDED, height=800)
        texts = texts_typed(here)
        here.hold_sliders()
        assert here.failures() == [], view.id
        assert texts_typed(here) == texts, view.id


@pytest.mark.parametrize("path", ["?look=together", "masks?mask_look=seen", "documents"])
def test_hardly_anything_moves_while_a_page_comes_to_a_phone(visit, path):
    here = visit(path, FOLDED, width=SIZES[1][0], height=SIZES[1][1])
    first_picture(here)
    assert here.page.evaluate(MOVED) <= STILL


def test_a_checkpoint_of_every_family_is_drawn(visit):
    for name in (*BY_FAMILY.values(), "ko-en"):
        here = visit(f"?checkpoint={name}")
        assert here.failures() == [], name
        assert here.overflow() <= 0, name
        assert here.page.get_by_role("radio").count() > 0, name


def test_style_rules_are_a_small_part_of_the_cost_of_a_fresh_visit(visit):
    """A rule that was matched again for each of 4,300 marks took nine tenths."""
    here = visit("positions?position_look=encoding", FOLDED, height=800)
    chromium = here.context.new_cdp_session(here.page)
    chromium.send("Performance.enable", {"timeDomain": "threadTicks"})
    here.page.reload()  # counted from its begin
    here.page.wait_for_function(DRAWN)
    here.settle()
    metrics = chromium.send("Performance.getMetrics")["metrics"]
    spent = {each["name"]: each["value"] for each in metrics}
    assert spent["TaskDuration"] > 0
    assert spent["RecalcStyleDuration"] <= MOST_STYLE * spent["TaskDuration"]
