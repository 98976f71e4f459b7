"""The app served to a real browser, and a visit in it."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from support.models import ROOT

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PATIENCE = 60_000  # ms; a busy machine loads the model slowly
MISHAP = "could not draw the"  # in the log of an app that is served
FOOTER = "text=About this model"  # what is drawn last on every page
SIZES = ((1280, 800), (390, 844))
BROKEN_WORDS, COVERED, FIGURE_TEXT, LABEL_ROOM = (
    (ROOT / f"tests/support/{name}.js").read_text(encoding="utf-8")
    for name in ("broken_words", "covered", "figure_text", "label_room")
)
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
# Vega names a group of marks after its marks, and leaves it there where there are none.
EXCUSED = {"svg-img-alt": "g[role='graphics-symbol']:empty"}
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
IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]'
# Streamlit looks for its server under the page's own path first, when a page is loaded directly.
ELSEWHERE = re.compile(r"/\w+/_stcore/")


def find_browser() -> str | None:
    """CHROMIUM, or a browser on the path; None for the one Playwright installed itself."""
    named = os.environ.get("CHROMIUM")
    return named or next(filter(None, map(shutil.which, BROWSERS)), None)


@contextlib.contextmanager
def served(script: str | Path, folder: Path, **environment: str) -> Iterator[str]:
    """The address of the app or of a script served on a free port; its log goes into `folder`."""
    port = free_port()
    started = ("ui.serve",) if script == "app.py" else ("streamlit", "run", str(script))
    log = folder / "log.txt"
    with log.open("w") as output:
        server = subprocess.Popen(
            [
                *(sys.executable, "-m", *started),
                *("--server.port", str(port), "--server.address", "127.0.0.1"),
                *("--server.headless", "true", "--server.fileWatcherType", "none"),
            ],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_until_healthy(f"http://127.0.0.1:{port}/_stcore/health", server, log)
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.terminate()
        server.wait(timeout=60)
    assert MISHAP not in (told := log.read_text()), told


def until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait for what another thread does."""
    ends = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.005)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_healthy(url: str, server: subprocess.Popen, log: Path) -> None:
    for _ in range(480):
        if server.poll() is not None:
            pytest.fail(f"the app ended:\n{log.read_text()}")
        try:
            with urllib.request.urlopen(url, timeout=10):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.25)
    pytest.fail(f"the app did not start:\n{log.read_text()}")


class Visit:
    """A page in a browser, with a record of its console errors and of the hosts it asked.

    One kind of page says what its addresses begin with, what is there once it is drawn, and in a
    window of which size.
    """

    at = ""
    ready: tuple[str, ...] = (FOOTER,)
    width, height = 1280, 900

    def __init__(
        self,
        browser: Any,
        app: str,
        path: str = "",
        *ready: str,
        width: int | None = None,
        height: int | None = None,
        scheme: str = "light",
        touch: bool = False,
        scale: float = 1,
    ) -> None:
        self.errors: list[str] = []
        self.hosts: set[str] = set()
        size = {"width": width or self.width, "height": height or self.height}
        self.context = browser.new_context(
            viewport=size, color_scheme=scheme, has_touch=touch, device_scale_factor=scale
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self._note(request.url))
        self.page.on("websocket", lambda socket: self._note(socket.url))
        self.page.goto(app + self.at + path)
        for selector in ready or self.ready:
            self.page.wait_for_selector(selector)
        self.settle()

    def _hear(self, message: Any) -> None:
        if message.type == "error" and not ELSEWHERE.search(message.location.get("url", "")):
            self.errors.append(message.text)

    def _note(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https", "ws", "wss"):
            self.hosts.add(parts.hostname)

    def settle(self) -> None:
        """Wait until the app has heard of what was done, and has stopped running."""
        self.page.wait_for_timeout(300)
        self.page.wait_for_selector(IDLE)
        self.page.wait_for_timeout(300)

    def button(self, name: str, **how: Any) -> Any:
        return self.page.get_by_role("button", name=name, **how)

    def press_at(self, selector: str) -> None:
        """Click where something stands, whatever lies on it, and without scrolling to it."""
        box = self.page.locator(selector).first.bounding_box()
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def open(self, view: str) -> None:
        """Choose one of the views by its name."""
        self.page.get_by_role("radio", name=view, exact=True).click()
        self.settle()

    def turn(self, scheme: str) -> None:
        """Let the system change its theme."""
        self.page.emulate_media(color_scheme=scheme)
        self.settle()

    def resize(self, width: int, height: int) -> None:
        self.page.set_viewport_size({"width": width, "height": height})

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds, and see that it still does when the app is done."""
        for _ in range(PATIENCE // 100):
            if holds():
                break
            self.page.wait_for_timeout(100)
        self.settle()
        assert holds()

    def overflow(self) -> int:
        """Pixels by which the page is wider than the window."""
        return self.page.evaluate(
            """() => Math.max(
              document.documentElement.scrollWidth - window.innerWidth,
              ...[...document.querySelectorAll('[data-testid="stMain"]')].map(
                main => main.scrollWidth - main.clientWidth))"""
        )

    def cramped(self) -> list[str]:
        """Labels that are cut or wrapped into three lines, and by how much the page is too wide, in
        a narrow window and then in a wide one.
        """
        found = []
        for width, height in reversed(SIZES):
            self.resize(width, height)
            for _ in range(20):  # menus slide, and figures are fitted
                self.page.wait_for_timeout(500)
                wrong = self.page.evaluate(LABEL_ROOM)
                if over := self.overflow():
                    wrong.append(f"the page is {over} pixels too wide")
                if not wrong:
                    break
            found += [f"at {width} pixels: {each}" for each in wrong]
        return found

    def covered(self) -> list[str]:
        """Buttons, tabs and links on the screen that a click at their middle does not reach."""
        return self.page.evaluate(COVERED)

    def hold_sliders(self) -> int:
        """Hold an arrow key on every slider for a second, in either direction; return how many."""
        sliders = self.page.locator('[data-testid="stMain"] [role="slider"]:visible')
        for place in range(sliders.count()):
            for key in ("ArrowLeft", "ArrowRight"):
                slider = sliders.nth(place)
                slider.focus()
                for _ in range(20):
                    self.page.keyboard.down(key)  # again and again, as a held key does
                    self.page.wait_for_timeout(50)
                self.page.keyboard.up(key)
            self.settle()
        return sliders.count()

    def broken_words(self) -> list[str]:
        """Korean words that a line break takes apart."""
        return self.page.evaluate(BROKEN_WORDS)

    def violations(self, rules: dict[str, Any]) -> list[str]:
        """Rules of axe-core that are broken, with each element that breaks one; and the text of
        charts with a contrast below 4.5:1, because axe-core does not look at SVG.
        """
        axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
        self.page.evaluate(AT_REST)  # the page is mended a moment after it rests
        found = []
        for rule in axe.run(self.page, options=rules).response["violations"]:
            for node in rule["nodes"]:
                element = self.page.locator(node["target"][-1]).first
                excuse = EXCUSED.get(rule["id"])
                if not excuse or not element.evaluate("(e, css) => e.matches(css)", excuse):
                    told = f"{node['html'][:160]} {node['failureSummary'][:300]}"
                    found.append(f"{rule['id']}: {told}")
        return found + self.page.evaluate(FIGURE_TEXT)

    def failures(self) -> list[str]:
        """What the page says of what it could not draw."""
        told = '[data-testid="stException"], [class*="st-key-mishap_"]'
        return self.page.locator(told).all_inner_texts()


@contextlib.contextmanager
def visiting(of: type[Visit], browser: Any, app: str) -> Iterator[Callable[..., Visit]]:
    """Opens addresses of an app, and closes them in the end: without errors, all that they show
    drawn, no host asked but the app's.
    """
    visits: list[Visit] = []

    def start(*address: str, **options: Any) -> Visit:
        visits.append(of(browser, app, *address, **options))
        return visits[-1]

    yield start
    errors = [[*each.errors, *each.failures()] for each in visits]
    hosts = {host for each in visits for host in each.hosts}
    for each in visits:
        each.context.close()
    assert errors == [[]] * len(visits), errors
    assert hosts <= {"127.0.0.1"}
