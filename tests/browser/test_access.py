"""What a reader with other eyes or hands meets: axe-core, contrast, headings, focus, languages."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from support.browser import Visit, visiting
from support.models import ROOT
from ui.pages import pages
from ui.views import Page
from words import english

PAGES = {page.id: page for page in pages()}
RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]},
    # Not of level A or AA, but what the levels of headings are for.
    "rules": {"heading-order": {"enabled": True}, "page-has-heading-one": {"enabled": True}},
    "resultTypes": ["violations"],
}
COLOURS = {
    "runOnly": {"type": "rule", "values": ["color-contrast"]},
    "resultTypes": ["violations"],
}
# Rules that Streamlit's own widgets break where nobody outside can mend it: rule, selector, reason.
NOT_OURS = (
    (
        "svg-img-alt",
        "g[role='graphics-symbol']:empty",
        "Vega names a group of marks after its marks, and leaves it there where there are none",
    ),
)
# Until nothing has changed for longer than the page waits before it is mended, or ten seconds.
AT_REST = """() => new Promise((done) => {
  let timer = 0;
  const seen = new MutationObserver(() => wait());
  const end = () => { seen.disconnect(); done(); };
  const wait = () => { clearTimeout(timer); timer = setTimeout(end, 600); };
  seen.observe(document.body, { childList: true, subtree: true });
  wait();
  setTimeout(end, 10000);
})"""
FIGURE_TEXT = (ROOT / "tests/support/figure_text.js").read_text(encoding="utf-8")
SHORT = "text=A+dog+runs.&max_len=8"


class AccessVisit(Visit):
    """A page with axe-core in it."""

    def violations(self, rules: dict[str, Any]) -> list[str]:
        """What breaks the rules and is not excused, a line for each element."""
        axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
        self.page.evaluate(AT_REST)  # the page is mended a moment after it rests
        found = axe.run(self.page, options=rules).response["violations"]
        excused = {(rule, selector) for rule, selector, _ in NOT_OURS}
        return [
            f"{rule['id']}: {node['html'][:160]} {node['failureSummary'][:300]}"
            for rule in found
            for node in rule["nodes"]
            if not any(
                rule["id"] == name and self.page.locator(node["target"][-1]).first.evaluate(
                    "(element, selector) => element.matches(selector)", selector
                )
                for name, selector in excused
            )
        ]  # fmt: skip

    def pale_figure_text(self) -> list[str]:
        """Text of charts with a contrast below 4.5:1; axe-core does not look at SVG."""
        return self.page.evaluate(FIGURE_TEXT)

    def turn(self, scheme: str) -> None:
        """Let the system change its theme."""
        self.page.emulate_media(color_scheme=scheme)
        self.settle()


@pytest.fixture
def visit(browser, app) -> Iterator[Any]:
    with visiting(AccessVisit, browser, app) as start:
        yield start


TITLED = ("attention", "beam", "masks", "positions", "lineage", "training")
CHARTS = f"masks?{SHORT}"


def test_every_page_has_a_title_of_its_own_and_one_heading_above_all(visit):
    here = visit(f"?{SHORT}")
    for name in TITLED:
        title = english(f"page-{name}")
        here.page.get_by_role("link", name=title, exact=True).click()
        here.page.wait_for_function(
            "title => document.title === title", arg=f"{title} · {english('app-title')}"
        )
        here.settle()
        assert here.page.locator("h1").all_inner_texts() == [title]
        assert here.page.get_by_text(english(f"subtitle-{name}")).is_visible()


def test_texts_say_which_language_they_are_in_after_every_run(visit):
    here = visit(CHARTS)
    spoken = "element => element.closest('[lang]').lang"

    def languages() -> list[str]:
        parts = (
            *('[class*="_translation"] h2', '[class*="_read_tokens"] p'),
            *('[class*="_written_tokens"] p', ".st-key-text input", ".st-key-heading h1"),
        )
        return [here.page.locator(part).first.evaluate(spoken) for part in parts]

    here.until(lambda: languages() == ["de", "en", "de", "en", "en"])
    box = here.page.get_by_label("English sentence")
    box.fill("A dog runs through the snow.")
    box.press("Enter")
    here.settle()
    here.until(lambda: languages() == ["de", "en", "de", "en", "en"])
    beam = visit(f"beam?{SHORT}")
    typed = beam.page.get_by_role("textbox", name=english("beam-steer-box"))
    beam.until(lambda: typed.evaluate(spoken) == "de")


def test_charts_follow_a_change_of_theme_at_once_and_are_not_drawn_twice_at_load(visit):
    here = visit(CHARTS)
    cells = here.page.locator("svg.marks .mark-rect path")
    here.page.locator(".st-key-history button").first.wait_for()  # the history is watched
    here.settle()
    # A legend's own gradients are numbered anew at every drawing.
    fills = "cells => cells.map(c => c.getAttribute('fill')).filter(c => !c?.startsWith('url'))"
    # Every run is asked for by a message; a short one need not show in the page at all.
    here.page.evaluate(
        """() => {
          window.runs = 0;
          const send = WebSocket.prototype.send;
          WebSocket.prototype.send = function (message) {
            window.runs += 1;
            return send.call(this, message);
          };
        }"""
    )
    here.page.wait_for_timeout(1500)
    assert here.page.evaluate("window.runs") == 0
    light = cells.evaluate_all(fills)
    here.turn("dark")
    here.until(lambda: cells.evaluate_all(fills) != light)
    here.until(lambda: here.page.evaluate("window.runs") > 0)
    here.page.wait_for_timeout(1500)
    assert here.page.evaluate("window.runs") == 1
    here.turn("light")
    here.until(lambda: cells.evaluate_all(fills) == light)
    assert here.pale_figure_text() == []


def test_a_change_of_theme_at_load_does_not_tell_of_the_history_again(browser, app):
    sent, asked, answers, held = [], [], [], []
    context = browser.new_context(color_scheme="light")
    page = context.new_page()

    def told() -> int:
        return sum(b'"watched":true' in each and b'"event":"theme"' not in each for each in sent)

    def turned() -> bool:
        return any(b'"event":"theme"' in each for each in sent)

    def between(browser_side: Any) -> None:
        server_side = browser_side.connect_to_server()

        def up(message: bytes) -> None:
            first = not told()
            sent.append(message)
            send = partial(server_side.send, message)
            asked.append(send) if first and told() else send()

        def down(message: bytes) -> None:
            send = partial(browser_side.send, message)
            answers.append(send) if held else send()

        browser_side.on_message(up)
        server_side.on_message(down)

    page.route_web_socket("**/_stcore/stream", between)
    page.goto(app + CHARTS)
    page.wait_for_function("() => window.attentionLabFrame")
    while not asked:
        page.wait_for_timeout(20)
    held.append("what answers that the history is watched")
    asked.pop()()
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(1500)
    held.clear()
    for answer in answers:
        answer()
    until = time.monotonic() + 60
    while not turned() and time.monotonic() < until:
        page.wait_for_timeout(200)
    page.wait_for_timeout(1500)
    context.close()
    assert turned()
    assert told() == 1


def test_no_bar_of_tools_lies_over_a_chart_or_what_is_above_it(visit):
    here = visit(CHARTS)
    charts = here.page.locator('[data-testid="stVegaLiteChart"]')
    bars = here.page.locator(
        '[data-testid="stFullScreenFrame"]:has([data-testid="stVegaLiteChart"]) '
        '[data-testid="stElementToolbar"]'
    )
    charts.first.wait_for()
    for place in range(charts.count()):
        charts.nth(place).hover(force=True)
    here.page.wait_for_timeout(400)
    assert [bars.nth(place).is_visible() for place in range(bars.count())] == [False] * bars.count()
    assert here.button("Export").first.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_focus_is_seen_on_all_that_takes_it(visit, scheme):
    here = visit(f"?{SHORT}", scheme=scheme)
    unseen = []
    for _ in range(26):
        here.page.keyboard.press("Tab")
        here.page.wait_for_timeout(250)  # links turn to their new look slowly
        unseen.append(here.page.evaluate(FOCUS))
    assert [where for where in unseen if where] == []


# What of the focused element, or of the label around a hidden box, shows that it has the focus.
FOCUS = """() => {
  let found = document.activeElement;
  while (found.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
  if (found === document.body || found.matches("main, input[type=text]")) return "";
  const shows = (element) => {
    const { outlineStyle, outlineWidth } = element ? getComputedStyle(element) : {};
    return outlineStyle === "solid" && parseFloat(outlineWidth) >= 2;
  };
  const around = [found, found.closest("label"), found.parentElement?.parentElement];
  return around.some(shows) ? "" : found.outerHTML.slice(0, 200);
}"""


def address_of(page: Page, view: str) -> str:
    path = "" if page.id == "attention" else page.id
    return f"{path}?{page.key}={view}&{SHORT}"


@pytest.mark.slow
@pytest.mark.parametrize("name", [id for id, page in PAGES.items() if len(page.views) > 1])
def test_no_view_breaks_a_rule_of_level_a_or_aa_in_light_or_dark(visit, name):
    page = PAGES[name]
    here = visit(address_of(page, page.views[0].id))
    names = {view.id: english(f"view-{page.id}-{view.id}") for view in page.views}
    # The last view of every page fits a Transformer, the first may not.
    here.page.get_by_role("radio", name=names[page.views[-1].id], exact=True).wait_for()
    # All words in one look: a switch that is drawn meanwhile would move the others.
    switch = {text.strip() for text in here.page.get_by_role("radio").all_inner_texts()}
    fitting = [view for view in page.views if names[view.id] in switch]
    assert len(fitting) >= len(page.views) - 1  # one does not fit a Transformer
    broken = []
    for scheme, rules in (("light", RULES), ("dark", COLOURS)):
        here.turn(scheme)
        for view in fitting:
            here.open(names[view.id])
            found = here.violations(rules) + here.pale_figure_text()
            broken += [f"{view.id}, {scheme}: {each}" for each in found]
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize("address", ["captions?checkpoint=captions-soft", "glossary"])
def test_pages_beside_the_translator_break_no_rule_either(browser, shipped, address):
    with visiting(AccessVisit, browser, shipped) as start:
        here = start(address)
        here.page.wait_for_timeout(500)
        assert here.violations(RULES) == []
        here.turn("dark")
        assert here.violations(COLOURS) == []
