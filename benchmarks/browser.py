"""``python -m benchmarks.browser [--repeats N] [--write]``: what a reader of the page waits for.

The app is served on one thread and used in headless Chromium. Times are taken inside the page,
from the click or key press to the first frame that shows the new picture. BertViz draws the same
attention in the same browser; it loads its libraries from a CDN, so copies from Python packages
are handed to it instead, with a few lines in place of RequireJS.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import files
from pathlib import Path
from statistics import median
from typing import Any

import torch

from core.files import bertviz_json
from model import load_translator
from training.commands import alone

from .commands import Repeats, Write
from .report import Aim, aims_table, cpu_name, publish, table
from .serving import serve

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
LENGTHS = {20: 33.0, 64: 60.0}  # tokens, and the milliseconds a head change may take
ENTER_LIMIT = 600.0
WORDS = "The man with the red hat is playing a song for the children who sit in the old park and"
TREE = '[class*="_beam_first"] svg.marks'
BEAM_LIMIT = 250.0
CHANGE_LIMIT = 250.0
CHANGED = '[class*="_change_effect_difference"] .marks'
PILLS = ".st-key-change_hidden button"
HEADING = '[data-testid="stMainBlockContainer"] h2'
HEADS = ".heads[data-drawn]"
TILE = '.heads .tile[data-kind="encoder"]'
OPEN_LIMIT = 3000.0

# What the picture shows, as a short text: of the heads what is open and how often they were drawn,
# fills and images of an SVG, pixels of a canvas.
SIGNATURE = """
let host = null;
const heads = () => {
  if (!host?.isConnected) {
    host = [...document.querySelectorAll('*')].find(e => e.shadowRoot?.querySelector('.heads'));
  }
  return host?.shadowRoot.querySelector(PICTURE);
};
window.signature = () => {
  const picture = document.querySelector(PICTURE) ?? heads();
  if (!picture) return '';
  if (picture.matches('.heads')) return JSON.stringify({...picture.dataset});
  if (picture.tagName.toLowerCase() === 'svg') {
    return [...picture.querySelectorAll('path[fill], image')]
      .map(cell => [
        cell.getAttribute('fill') ?? cell.getAttribute('href')?.slice(-80),
        cell.getAttribute('opacity'),
        cell.getAttribute('d')?.slice(0, 60),
      ]).join();
  }
  const small = document.createElement('canvas');
  small.width = small.height = 96;
  const context = small.getContext('2d', { willReadFrequently: true });
  context.drawImage(picture, 0, 0, 96, 96);
  return context.getImageData(0, 0, 96, 96).data.join();
};
window.idle = () => document.querySelector(
  '[data-testid="stApp"][data-test-script-state="notRunning"]') !== null;
window.began = 0;
for (const name of ['pointerdown', 'keydown']) {
  document.addEventListener(name, () => { window.began = performance.now(); }, true);
}
window.waitFor = (test) => new Promise((resolve, reject) => {
  const started = performance.now();
  const look = () => test() ? resolve(performance.now() - window.began)
    : performance.now() - started > 30000 ? reject(new Error('nothing changed'))
    : requestAnimationFrame(look);
  requestAnimationFrame(look);
});
null;  // else Playwright would call the function that the last line gives
"""

IS_CHANGED = "window.changed ??= () => window.signature() !== window.before"
WATCH = f"({IS_CHANGED}, window.waitFor(() => window.began && window.changed()))"
BEGIN_WATCH = f"""() => {{
  window.before = window.signature();
  window.began = 0;
  window.result = {WATCH};
}}"""
TEXTS = """
window.signature = () =>
  [...document.querySelectorAll('{tree} text')].map(each => each.textContent).join()
  || window.before;
""".format(tree=TREE.replace("'", '"'))

# Until every panel is new and the app rests, and until the picture is new and until it all rests.
ENTERED = f"""() => {{
  const heading = () => document.querySelector({json.dumps(HEADING)})?.textContent;
  const told = () => window.signature() + heading();
  window.before = told();
  window.began = 0;
  let seen = 0;
  window.result = window.waitFor(() => {{
    seen = window.began && told() !== window.before && window.idle() ? seen + 1 : 0;
    return seen > 2;
  }});
}}"""
HIDDEN = """() => {
  window.before = window.signature();
  window.began = 0;
  let seen = 0;
  const changed = () => window.began && window.signature() !== window.before;
  window.result = Promise.all([
    window.waitFor(changed),
    window.waitFor(() => {
      seen = changed() && window.idle() ? seen + 1 : 0;
      return seen > 2;
    }),
  ]);
}"""

REQUIRE_STUB = """
window.require = window.requirejs = (names, ready) => {
  const load = (name) => new Promise((done) => {
    const script = document.createElement('script');
    script.src = 'https://stand-in.invalid/' + name + '.js';
    script.onload = done;
    document.head.append(script);
  });
  (async () => {
    for (const name of names) await load(name);
    ready(...names.map((name) => name === 'd3' ? window.d3 : window.jQuery));
    window.drawn = performance.now();
  })();
};
window.require.config = () => {};
"""


@dataclass(frozen=True)
class Measured:
    """Milliseconds and bytes of one sentence length."""

    n_tokens: int
    head_change: float
    enter: float
    received: int


def sentence_of(translator, n_tokens: int, start: str = "") -> str:
    """A sentence of exactly `n_tokens` source tokens that begins with `start`."""
    words = (start + " " + " ".join([WORDS] * 8)).split()
    text = ""
    for word in words:
        longer = f"{text} {word}".strip()
        if len(translator.tokenize(longer)) > n_tokens:
            break
        text = longer
    return text


class Look:
    """A page in a session of its own, and what came over its websocket."""

    def __init__(self, browser, url: str, picture: str, height: int = 1600) -> None:
        self.context = browser.new_context(viewport={"width": 1280, "height": height})
        self.page = self.context.new_page()
        self.page.set_default_timeout(300_000)
        self.received: list[int] = []
        self.page.on(
            "websocket",
            lambda ws: ws.on("framereceived", lambda data: self.received.append(len(data))),
        )
        self.chromium = self.context.new_cdp_session(self.page)
        self.chromium.send("Performance.enable", {"timeDomain": "threadTicks"})
        self.page.goto(url)
        self.page.wait_for_selector(picture)
        self.page.evaluate(signature_of(picture))
        self.rest()

    def worked(self) -> float:
        """Milliseconds that the page's thread has worked since it began."""
        metrics = self.chromium.send("Performance.getMetrics")["metrics"]
        return 1000 * next(each["value"] for each in metrics if each["name"] == "TaskDuration")

    def timed(self, act: Callable[[], None], watch: str | None = None) -> tuple[Any, float, int]:
        """An act until another picture, or what `watch` waits for: milliseconds, those of work,
        messages of the server."""
        self.page.evaluate(BEGIN_WATCH if watch is None else watch)
        worked, came = self.worked(), len(self.received)
        act()
        wait = self.page.evaluate("window.result")
        found = wait, self.worked() - worked, len(self.received) - came
        self.rest()
        return found

    def rest(self) -> None:
        """Until the app has heard of what was done, and stopped running."""
        self.page.wait_for_timeout(700)
        self.page.wait_for_function("window.idle()")
        self.page.wait_for_timeout(300)


def measure(browser, address: str, translator, n_tokens: int, repeats: int) -> Measured:
    text = urllib.request.quote(sentence_of(translator, n_tokens))
    look = Look(browser, f"{address}/?text={text}", HEADS)
    on_load = sum(look.received)
    tiles = look.page.locator(TILE)
    changes = [  # never the one that is open
        look.timed(tiles.nth((turn * 5 + 5) % 32).click)[0] for turn in range(repeats + 2)
    ]
    enters = []
    box = look.page.get_by_label("English sentence")
    for turn in range(max(3, repeats // 3)):
        box.fill(sentence_of(translator, n_tokens, f"{'very ' * turn}old dogs and"))
        enters.append(look.timed(partial(box.press, "Enter"), ENTERED)[0])
    look.context.close()
    return Measured(n_tokens, median(changes[2:]), median(enters[1:]), on_load)


def measure_open(browser, address: str, repeats: int) -> float:
    """Milliseconds from the address to the heads, for somebody who never was there."""
    waits = []
    for _ in range(repeats):
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.set_default_timeout(120_000)
        begun = time.perf_counter()
        page.goto(address)
        page.wait_for_selector(HEADS)
        waits.append((time.perf_counter() - begun) * 1000)
        context.close()
    return median(waits)


def measure_beam(browser, address: str, repeats: int) -> float:
    """Milliseconds from a key press on the slider of the beam width to another tree, 1 to 10."""
    look = Look(browser, f"{address}/beam?beam=1", TREE)
    look.page.evaluate(f"() => {{ {TEXTS} }}")
    thumb = look.page.get_by_role("slider", name="Beam width")
    keys = ("ArrowRight" if turn % 18 < 9 else "ArrowLeft" for turn in range(max(repeats, 9)))
    waits = [look.timed(partial(thumb.press, key))[0] for key in keys]
    look.context.close()
    return median(waits)


def measure_change(browser, address: str, translator, repeats: int) -> tuple[float, float]:
    """Milliseconds from hiding another token to another difference of the open head, and to the
    first frame in which the app, new search included, has come to rest; 20 tokens."""
    text = urllib.request.quote(sentence_of(translator, 20))
    query = f"mask_look=Change+something&change=hide-both-2&text={text}"
    look = Look(browser, f"{address}/masks?{query}", CHANGED, 2600)
    pills = look.page.locator(PILLS)
    found = [look.timed(pills.nth(3 + turn % 12).click, HIDDEN)[0] for turn in range(repeats + 2)]
    look.context.close()
    pictures, ends = zip(*found[2:], strict=True)
    return median(pictures), median(ends)


def chromium(playwright):
    """A headless browser, the one that CHROMIUM names or that is installed."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium")
    return playwright.chromium.launch(executable_path=found, args=ARGUMENTS)


def signature_of(picture: str) -> str:
    """The script that gives the page `signature`, of the figure that the selector names."""
    return SIGNATURE.replace("PICTURE", json.dumps(picture))


def packaged(distribution: str, ending: str) -> str:
    """The text of a file inside an installed package."""
    (found,) = [f for f in files(distribution) if str(f).endswith(ending)]
    return Path(found.locate()).read_text(encoding="utf-8")


def bertviz(browser, record, view: str) -> tuple[int, float]:
    """Bytes of BertViz's page for a record, and milliseconds until it is drawn."""
    import bertviz as package

    arguments = {
        name: [torch.tensor(layer) for layer in value] if name.endswith("attention") else value
        for name, value in json.loads(bertviz_json(record)).items()
    }
    html = getattr(package, view)(**arguments, html_action="return").data
    scripts = {
        "require.min.js": REQUIRE_STUB,
        "d3.js": packaged("mpld3", "d3.v5.min.js"),
        "jquery.js": packaged("XStatic-jQuery", "jquery.min.js"),
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "view.html"
        path.write_text(f"<!doctype html><meta charset=utf-8>{html}", encoding="utf-8")
        context = browser.new_context(viewport={"width": 1280, "height": 1600})
        page = context.new_page()

        def answer(route) -> None:
            name = route.request.url.rsplit("/", 1)[1]
            body = scripts.get(name)
            if body is None:
                route.abort()
            else:
                route.fulfill(body=body, content_type="text/javascript")

        page.route(re.compile("^https://"), answer)
        page.goto(path.as_uri())
        page.wait_for_function("window.drawn", timeout=120_000)
        drawn = page.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame("
            "() => done(performance.now()))))"
        )
        context.close()
    return len(html.encode()), drawn


def run(repeats: int) -> str:
    from playwright.sync_api import sync_playwright

    translator = load_translator("en-de")
    with sync_playwright() as playwright, serve() as server:
        address = server.address
        browser = chromium(playwright)
        results = [measure(browser, address, translator, n, repeats) for n in LENGTHS]
        cold = measure_open(browser, address, max(3, repeats // 3))
        beam = measure_beam(browser, address, repeats)
        change = measure_change(browser, address, translator, repeats)
        record = translator.translate(sentence_of(translator, 64)).attention
        views = {view: bertviz(browser, record, view) for view in ("model_view", "head_view")}
        browser.close()
    return report(results, cold, beam, change, views, repeats)


def report(
    results: list[Measured],
    cold: float,
    beam: float,
    change: tuple[float, float],
    views: dict[str, tuple[int, float]],
    repeats: int,
) -> str:
    aims = [
        Aim(f"head change to new picture, {r.n_tokens} tokens", r.head_change, limit, " ms")
        for r, limit in zip(results, LENGTHS.values(), strict=True)
    ]
    aims += [
        Aim(f"Enter to all panels, {r.n_tokens} tokens", r.enter, ENTER_LIMIT, " ms")
        for r in results
    ]
    aims.append(Aim("beam slider to new tree, widths 1 to 10", beam, BEAM_LIMIT, " ms"))
    aims.append(Aim("hidden token to new picture, 20 tokens", change[0], CHANGE_LIMIT, " ms"))
    aims.append(Aim("first visit to all heads, default sentence", cold, OPEN_LIMIT, " ms"))
    aims.append(
        Aim("sent to the browser, 64 tokens, all heads", results[-1].received / 1e6, 1.5, " MB")
    )
    return table(
        "browser.md.j2",
        machine=f"{cpu_name()}, {os.cpu_count()} cores",
        repeats=repeats,
        n_sentences=max(3, repeats // 3) - 1,
        aims=aims_table(aims),
        rest=change[1],
        long=results[-1],
        views=views,
    )


def main(repeats: Repeats = 20, write: Write = False) -> None:
    publish(run(repeats), "browser", write=write)


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.browser", __doc__))
