"""Measure how long a user waits in the browser, compared with BertViz.

`python -m benchmarks.browser [--repeats N] [--write]`

The app is served on one thread and used in headless Chromium. Times are taken inside the page, from
the click or key press to the first frame that shows the new figure. BertViz draws the same
attention in the same browser. It loads its libraries from a CDN, so copies from Python packages are
served instead, with a few lines in place of RequireJS.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import urllib.parse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import files
from pathlib import Path

import torch

from core.files import bertviz_json
from model import load_translator
from training.commands import alone

from .cases import sentence_of
from .commands import Repeats, Write
from .moves import BEAM, HEADS, HIDE, Move, enter, head
from .report import Aim, publish
from .visits import Spent, Visit, browsing, medians

LENGTHS = {20: 33.0, 64: 60.0}  # tokens, and the milliseconds a head change may take
ENTER_LIMIT = 600.0  # ms
BEAM_LIMIT = 250.0  # ms
CHANGE_LIMIT = 250.0  # ms
OPEN_LIMIT = 3000.0  # ms
SIZE_LIMIT = 1.5  # MB
REQUIRE = Path(__file__).with_name("require.js")


def packaged(distribution: str, ending: str) -> str:
    """Return the text of a file inside an installed package."""
    (file,) = [f for f in files(distribution) if str(f).endswith(ending)]
    return Path(file.locate()).read_text(encoding="utf-8")


def bertviz(browser, record, view: str) -> tuple[int, float]:
    """Return the bytes of BertViz's page for a record, and milliseconds until it is drawn."""
    import bertviz as package

    arguments = {
        name: [torch.tensor(layer) for layer in value] if name.endswith("attention") else value
        for name, value in json.loads(bertviz_json(record)).items()
    }
    html = getattr(package, view)(**arguments, html_action="return").data
    scripts = {
        "require.min.js": REQUIRE.read_text("utf-8"),
        "d3.js": packaged("mpld3", "d3.v5.min.js"),
        "jquery.js": packaged("XStatic-jQuery", "jquery.min.js"),
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "view.html"
        path.write_text(f"<!doctype html><meta charset=utf-8>{html}", encoding="utf-8")
        context = browser.new_context(viewport={"width": 1280, "height": 1600})
        page = context.new_page()

        # Scripts are served from here: a slow network would count as drawing time.
        def answer(route) -> None:
            name = route.request.url.rsplit("/", 1)[1]
            body = scripts.get(name)
            if body is None:
                route.abort()
            else:
                route.fulfill(body=body, content_type="text/javascript")

        page.route(re.compile("^https://"), answer)
        page.goto(path.as_uri())
        # require.js sets `window.drawn` when the view's script has run.
        page.wait_for_function("window.drawn", timeout=120_000)
        # Two frames: the first callback runs before the paint, the second after it.
        drawn = page.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame("
            "() => done(performance.now()))))"
        )
        context.close()
    return len(html.encode()), drawn


@dataclass(frozen=True)
class LengthTimes:
    """Milliseconds of a head change and of a new sentence at one length, and bytes of the page."""

    n_tokens: int
    head_change: float
    enter: float
    received: int


def _time_length(
    browser, server, translator, n_tokens: int, repeats: int, n_sentences: int
) -> LengthTimes:
    """Time `repeats` head changes and `n_sentences` new sentences of `n_tokens` tokens."""
    quoted = urllib.parse.quote(sentence_of(translator, n_tokens))
    heads = Move(f"?text={quoted}", HEADS, head)
    # Each turn begins with other words, so that no sentence comes twice.
    typing = replace(
        heads,
        act=enter(lambda turn: sentence_of(translator, n_tokens, f"{'very ' * turn}old dogs and")),
    )
    # In a visit of its own, so that only the bytes of one page are counted.
    with heads.visit(browser, server) as visit:
        received = sum(visit.received)
    changed, _ = heads.steps(browser, server, repeats)
    _, entered = typing.steps(browser, server, n_sentences, warm_up=1)
    return LengthTimes(n_tokens, medians(changed).wait, medians(entered).wait, received)


def _aims(
    lengths: Sequence[LengthTimes],
    beam: Sequence[Spent],
    hidden: Sequence[Spent],
    opened: Sequence[Spent],
) -> list[Aim]:
    """Return the promises beside the measured values."""
    aims = [
        Aim(
            f"head change to new picture, {times.n_tokens} tokens",
            times.head_change,
            LENGTHS[times.n_tokens],
            " ms",
        )
        for times in lengths
    ]
    aims += [
        Aim(f"Enter to all panels, {times.n_tokens} tokens", times.enter, ENTER_LIMIT, " ms")
        for times in lengths
    ]
    change = medians(hidden).wait
    first = medians(opened).wait
    sent = lengths[-1].received / 1e6
    return [
        *aims,
        Aim("beam slider to new tree, widths 1 to 10", medians(beam).wait, BEAM_LIMIT, " ms"),
        Aim("hidden token to new picture, 20 tokens", change, CHANGE_LIMIT, " ms"),
        Aim("first visit to all heads, default sentence", first, OPEN_LIMIT, " ms"),
        Aim("sent to the browser, 64 tokens, all heads", sent, SIZE_LIMIT, " MB"),
    ]


def main(repeats: Repeats = 20, write: Write = False) -> None:
    translator = load_translator("en-de")
    fewer = max(3, repeats // 3)
    with browsing() as (browser, (server,)):
        lengths = [
            _time_length(browser, server, translator, n_tokens, repeats, fewer - 1)
            for n_tokens in LENGTHS
        ]
        beam, _ = BEAM.steps(browser, server, max(repeats, 9), warm_up=0)
        quoted = urllib.parse.quote(sentence_of(translator, 20))
        hide = replace(HIDE, path=f"{HIDE.path}&text={quoted}")
        hidden, rests = hide.steps(browser, server, repeats)
        opened = []
        for _ in range(fewer):
            with Visit(browser, server, picture=HEADS, height=800) as visit:
                opened.append(visit.opening)
        record = translator.translate(sentence_of(translator, 64)).attention
        views = {view: bertviz(browser, record, view) for view in ("model_view", "head_view")}
    longest = lengths[-1]
    values = {
        "repeats": repeats,
        "n_sentences": fewer - 1,
        "rest": medians(rests).wait,
        "received": longest.received,
        "entered": longest.enter,
        "views": views,
    }
    publish("browser", _aims(lengths, beam, hidden, opened), values, write=write)


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.browser", __doc__))
