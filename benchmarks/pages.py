"""Measure the time, traffic and style work of every page.

`python -m benchmarks.pages [--styles] [--repeats N] [--write]`

One session of a fresh server opens all pages in the order of the menu, and then once more. A page
is timed from the click to the first frame at which the app is idle and every chart drawn.

The app is served on one thread and used in headless Chromium. On the page Training, a step of the
slider is timed from the key press to the first frame with other heads; on the page Transformer
block, another token is timed from the click to the first frame with another figure. The processor
time of the page is listed as well, since it does not grow on a busy machine. The traffic of a page
is all that its websocket receives until it is complete, in its own session.

Each view is also opened by its address, as from a link. A style rule that the browser matches again
for each mark of a chart makes such a user wait for many seconds; `--styles` measures this alone.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from statistics import median
from typing import Annotated

from typer import Option

from training.commands import alone
from ui.kit.guard import START
from ui.pages import pages

from .commands import Repeats, Write, typed
from .moves import HEADS, STEP, TOKEN
from .report import Aim, publish
from .visits import Visit, browsing, medians

STEP_LIMIT = 100.0  # ms
BLOCK_LIMIT = 300.0  # ms
WEIGHT_LIMIT = 1.5  # MB
FIRST_LIMIT = 800.0  # ms
LATER_LIMIT = 300.0  # ms
PLOT = ".js-plotly-plot .main-svg"
WEIGHED = {
    "heads forming": (STEP.path, STEP.picture),
    "curves of a training": ("training?training_look=forming", PLOT),
    "inside a block": (TOKEN.path, TOKEN.picture),
    "cost, counted": ("cost?cost_look=counted", ".marks"),
    "cost, measured": ("cost?cost_look=measured", PLOT),
}
STYLE_LIMIT = 500.0  # ms

# A page is new when the app is idle, every chart has its picture and the title has changed.
STANDS = """
const drawn = (chart, picture) => [...document.querySelectorAll(`[data-testid="${chart}"]`)]
  .every(node => node.querySelector(picture));
window.stands = () => window.idle() && drawn('stVegaLiteChart', '.marks')
  && drawn('stPlotlyChart', '.main-svg');
window.signature = () => window.stands() ? document.title : window.before;
window.before = document.title;
"""


def visit_all(browser, server) -> tuple[dict[str, float], dict[str, float]]:
    """Return milliseconds of the first and of a later visit, by page."""
    with Visit(browser, server, picture=HEADS, script=STANDS) as visit:
        links = visit.page.get_by_test_id("stSidebarNavLink")
        names = links.all_inner_texts()
        opened = names.index(visit.page.locator("h1").inner_text())
        first, later = (
            {name: visit.timed(links.nth(i).click)[1].wait for i, name in order}
            # The open page comes last: at first a click on it would change nothing.
            for order in [sorted(enumerate(names), key=lambda numbered: numbered[0] == opened)] * 2
        )
    # It was opened with the server, so its first visit is no first visit.
    del first[names[opened]]
    return first, later


def weigh(browser, server, path: str, picture: str) -> int:
    """Return the bytes that came until the page stood."""
    with Visit(browser, server, path, picture) as visit:
        visit.rest()
        return sum(visit.received)


def style_work(browser, server) -> dict[str, dict[str, float]]:
    """Return milliseconds of style work of a fresh visit, by page and view."""
    work: dict[str, dict[str, float]] = {}
    for page in pages():
        path = "" if page.id == START else page.id
        for view in page.views:
            with Visit(browser, server, f"{path}?{page.key}={view.id}", script=STANDS) as visit:
                visit.page.wait_for_function("window.stands()")
                visit.rest()
                work.setdefault(page.id, {})[view.id] = visit.worked("RecalcStyleDuration")
    return work


def measure_styles(browser, server, write: bool) -> None:
    """Publish median and maximum of the style work."""
    work = style_work(browser, server)
    times = [ms for views in work.values() for ms in views.values()]
    aims = [
        Aim(f"style work of a fresh visit, {statistic}", of(times), STYLE_LIMIT, " ms")
        for statistic, of in (("median", median), ("most", max))
    ]
    publish("styles", aims, {"work": work, "command": typed("pages")}, write=write)


def visit_aims(name: str, waits: Mapping[str, float], limit: float) -> list[Aim]:
    """Return the aims for the milliseconds that visits of each page took."""
    return [
        Aim(f"{name} of a page, {statistic}", of(waits.values()), limit, " ms")
        for statistic, of in (("median", median), ("longest", max))
    ]


def main(
    repeats: Repeats = 20,
    styles: Annotated[
        bool, Option("--styles", help="measure only the work on style rules")
    ] = False,
    write: Write = False,
) -> None:
    with browsing() as (browser, (server,)):
        measure_styles(browser, server, write)
        if styles:
            return
        first, later = visit_all(browser, server)
        weights = {name: weigh(browser, server, *page) for name, page in WEIGHED.items()}
        steps, _ = STEP.steps(browser, server, repeats)
        block, _ = TOKEN.steps(browser, server, max(4, repeats // 2))
    step = medians(steps)
    token = medians(block)
    most = max(step.messages for step in steps)
    aims = [
        *visit_aims("first visit", first, FIRST_LIMIT),
        *visit_aims("later visit", later, LATER_LIMIT),
        Aim("training, slider step to other heads", step.wait, STEP_LIMIT, " ms"),
        Aim("messages of the server before them, most", most, 0, ""),
        Aim("block, another token to another picture", token.wait, BLOCK_LIMIT, " ms"),
    ]
    aims += [
        Aim(f"sent to the browser: {name}", size / 1e6, WEIGHT_LIMIT, " MB")
        for name, size in weights.items()
    ]
    values = {
        "moves": {"Training": steps, "block": block},
        "medians": medians,
        "first": first,
        "later": later,
    }
    publish("pages", aims, values, write=write)


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.pages", __doc__))
