"""Measure how long a reader waits in the browser, compared with BertViz.

`python -m benchmarks.browser [--repeats N] [--write]`

The app is served on one thread and used in headless Chromium. Times are taken inside the page, from
the click or key press to the first frame that shows the new picture. BertViz draws the same
attention in the same browser. It loads its libraries from a CDN, so copies from Python packages are
served instead, with a few lines in place of RequireJS.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import urllib.parse
from dataclasses import replace
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
from .visits import Visit, browsing, medians

LENGTHS = {20: 33.0, 64: 60.0}  # tokens, and the milliseconds a head change may take
ENTER_LIMIT, BEAM_LIMIT, CHANGE_LIMIT, OPEN_LIMIT = 600.0, 250.0, 250.0, 3000.0  # ms
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


def main(repeats: Repeats = 20, write: Write = False) -> None:
    translator = load_translator("en-de")
    fewer = max(3, repeats // 3)
    aims, received, entered = [], 0, 0.0
    with browsing() as (browser, (server,)):
        for n_tokens, limit in LENGTHS.items():
            quoted = urllib.parse.quote(sentence_of(translator, n_tokens))
            heads = Move(f"?text={quoted}", HEADS, head)
            typing = replace(
                heads,
                act=enter(
                    lambda turn, n=n_tokens: sentence_of(
                        translator, n, f"{'very ' * turn}old dogs and"
                    )
                ),
            )
            with heads.visit(browser, server) as visit:
                received = sum(visit.received)
            changed = medians(heads.steps(browser, server, repeats)[0]).wait
            entered = medians(typing.steps(browser, server, fewer - 1, warm_up=1)[1]).wait
            aims += [
                Aim(f"head change to new picture, {n_tokens} tokens", changed, limit, " ms"),
                Aim(f"Enter to all panels, {n_tokens} tokens", entered, ENTER_LIMIT, " ms"),
            ]
        # A stable sort: head changes of all lengths first, then the sentences.
        aims.sort(key=lambda aim: aim.what.startswith("Enter"))
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
    change, first = medians(hidden).wait, medians(opened).wait
    aims += [
        Aim("beam slider to new tree, widths 1 to 10", medians(beam).wait, BEAM_LIMIT, " ms"),
        Aim("hidden token to new picture, 20 tokens", change, CHANGE_LIMIT, " ms"),
        Aim("first visit to all heads, default sentence", first, OPEN_LIMIT, " ms"),
        Aim("sent to the browser, 64 tokens, all heads", received / 1e6, SIZE_LIMIT, " MB"),
    ]
    publish(
        "browser",
        aims,
        write=write,
        repeats=repeats,
        n_sentences=fewer - 1,
        rest=medians(rests).wait,
        received=received,
        entered=entered,
        views=views,
    )


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.browser", __doc__))
