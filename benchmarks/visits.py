"""The app in headless Chromium, as its readers use it: opened, changed, timed, at rest."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from .serving import ROOT, Server, serve

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SCRIPT = Path(__file__).with_name("page.js")
PATIENCE = 300.0  # seconds


@dataclass(frozen=True)
class Spent:
    """Milliseconds of waiting, of work by the page's thread and by the server; messages sent."""

    wait: float
    page: float
    server: float
    messages: float

    def __sub__(self, other: Spent) -> Spent:
        return Spent(*(a - b for a, b in zip(astuple(self), astuple(other), strict=True)))


def medians(steps: Sequence[Spent]) -> Spent:
    return Spent(*map(median, zip(*map(astuple, steps), strict=True)))


@contextmanager
def browsing(*folders: Path) -> Iterator[tuple[Any, list[Server]]]:
    """A headless browser, that which CHROMIUM names or which is installed, and the app of each
    folder, of this one by default."""
    from playwright.sync_api import sync_playwright

    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright, ExitStack() as stack:
        servers = [stack.enter_context(serve(folder=folder)) for folder in folders or (ROOT,)]
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser, servers
        browser.close()


class Visit:
    """A page in a session of its own, open in a `with` block; `received`: bytes of each message.

    `picture`: selector of the figure that is watched. `script`: run once, when the page stands; it
    may say anew what counts as another picture.
    """

    def __init__(
        self,
        browser: Any,
        server: Server,
        path: str = "",
        picture: str = "h1",
        *,
        script: str = "",
        height: int = 1600,
        patience: float = PATIENCE,
    ) -> None:
        self.server, self.received = server, []
        self.context = browser.new_context(viewport={"width": 1280, "height": height})
        self.page = self.context.new_page()
        self.page.set_default_timeout(1000 * patience)
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._hear))
        self.chromium = self.context.new_cdp_session(self.page)
        self.chromium.send("Performance.enable", {"timeDomain": "threadTicks"})
        try:
            before = self.now()
            self.page.goto(f"{server.address}/{path}")
            self.page.wait_for_selector(picture)
            self.stood = self.now()
            self.opening = self.stood - before
            self.page.evaluate(SCRIPT.read_text("utf-8").replace("PICTURE", json.dumps(picture)))
            self.page.evaluate(f"() => {{ {script} }}")
            self.rest()
        except BaseException:
            self.context.close()
            raise

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()

    def _hear(self, data: bytes | str) -> None:
        self.received.append(len(data))

    def now(self) -> Spent:
        """What was spent so far; the wait since a moment that all visits share."""
        page = self.worked("TaskDuration")
        server = 1000 * self.server.cpu_seconds()
        return Spent(1000 * time.perf_counter(), page, server, len(self.received))

    def worked(self, metric: str) -> float:
        """Milliseconds that the page's thread has worked so far, by a metric of Chromium that is a
        duration: "TaskDuration" for all of it, "RecalcStyleDuration" for matching style rules."""
        metrics = self.chromium.send("Performance.getMetrics")["metrics"]
        return 1000 * next(each["value"] for each in metrics if each["name"] == metric)

    def timed(self, act: Callable[[], object]) -> tuple[Spent, Spent]:
        """What an act costs until another picture stands, and until the app has come to rest."""
        self.page.evaluate("window.watch()")
        before = self.now()
        act()
        wait = self.page.evaluate("window.picture")
        drawn = self.now()
        rested = self.page.evaluate("window.rested")
        self.rest()
        return replace(drawn - before, wait=wait), replace(self.now() - before, wait=rested)

    def rest(self) -> None:
        """Until the app has heard of what was done, and stopped running."""
        self.page.wait_for_timeout(700)
        self.page.wait_for_function("window.idle()")
        self.page.wait_for_timeout(300)


Act = Callable[[Visit, int], Callable[[], object]]
"""Makes ready for the n-th time, and returns what is timed."""


@dataclass(frozen=True)
class Move:
    """A thing that readers do: where, which picture it changes, how it is done."""

    path: str
    picture: str
    act: Act
    script: str = ""
    height: int = 1600

    def visit(self, browser: Any, server: Server) -> Visit:
        return Visit(
            browser, server, self.path, self.picture, script=self.script, height=self.height
        )

    def step(self, visit: Visit, turn: int) -> tuple[Spent, Spent]:
        return visit.timed(self.act(visit, turn))

    def steps(
        self, browser: Any, server: Server, repeats: int, warm_up: int = 2
    ) -> tuple[list[Spent], list[Spent]]:
        """Of `repeats` moves after `warm_up` others: to the picture, and to rest."""
        with self.visit(browser, server) as visit:
            steps = [self.step(visit, turn) for turn in range(warm_up + repeats)][warm_up:]
        pictures, rests = zip(*steps, strict=True)
        return list(pictures), list(rests)
