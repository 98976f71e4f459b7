"""The app in headless Chromium: open a page, change it, time it, wait until it is idle."""

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

# Containers lack the privileges of the sandbox, and most a GPU.
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SCRIPT = Path(__file__).with_name("page.js")
PATIENCE = 300.0  # seconds until a page that does not come counts as an error


@dataclass(frozen=True)
class Spent:
    """Costs of an act in the app."""

    wait: float  # milliseconds until the picture stands
    page: float  # milliseconds of work by the page's thread
    server: float  # milliseconds of work by the server
    messages: float  # received by the browser

    def __sub__(self, other: Spent) -> Spent:
        return Spent(*(a - b for a, b in zip(astuple(self), astuple(other), strict=True)))


def medians(steps: Sequence[Spent]) -> Spent:
    """Return the median of each number over several steps."""
    return Spent(*map(median, zip(*map(astuple, steps), strict=True)))


@contextmanager
def browsing(*folders: Path) -> Iterator[tuple[Any, list[Server]]]:
    """Open a headless browser, and start the app of each folder, by default of this one.

    The browser is the one that CHROMIUM names, or an installed one.
    """
    from playwright.sync_api import sync_playwright

    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright, ExitStack() as stack:
        servers = [stack.enter_context(serve(folder=folder)) for folder in folders or (ROOT,)]
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser, servers
        browser.close()


class Visit:
    """A page in a session of its own, open in a `with` block; `received`: bytes of each message.

    `picture`: selector of the figure that is watched. `script`: run once when the page stands; it
    may redefine what counts as another picture.
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
    ) -> None:
        self.server = server
        self.received: list[int] = []
        # A context is a session of its own: it shares no cookies with other visits.
        self.context = browser.new_context(viewport={"width": 1280, "height": height})
        self.page = self.context.new_page()
        self.page.set_default_timeout(1000 * PATIENCE)
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._hear))
        self.chromium = self.context.new_cdp_session(self.page)
        # "threadTicks" counts work of the thread, not time on the wall.
        self.chromium.send("Performance.enable", {"timeDomain": "threadTicks"})
        try:
            before = self.now()
            self.page.goto(f"{server.address}/{path}")
            self.page.wait_for_selector(picture)
            self.stood = self.now()  # the costs when the picture first stood
            self.opening = self.stood - before
            # The watching script is installed after the page stands, since it watches the picture.
            self.page.evaluate(SCRIPT.read_text("utf-8").replace("PICTURE", json.dumps(picture)))
            self.page.evaluate(f"() => {{ {script} }}")
            self.rest()
        # Without this, a failed visit would leave its session open on the server.
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
        """Return the costs so far; waits count from a moment that all visits share."""
        page = self.worked("TaskDuration")
        server = 1000 * self.server.cpu_seconds()
        return Spent(1000 * time.perf_counter(), page, server, len(self.received))

    def worked(self, metric: str) -> float:
        """Return milliseconds that the page's thread has worked so far.

        `metric` is a duration of Chromium: "TaskDuration" for all work, "RecalcStyleDuration" for
        matching style rules.
        """
        metrics = self.chromium.send("Performance.getMetrics")["metrics"]
        return 1000 * next(entry["value"] for entry in metrics if entry["name"] == metric)

    def timed(self, act: Callable[[], object]) -> tuple[Spent, Spent]:
        """Return the costs of an act until another picture stands, and until the app rests."""
        self.page.evaluate("window.watch()")
        before = self.now()
        act()
        # Taken inside the page, from event to frame; Playwright's own round trips are left out.
        wait = self.page.evaluate("window.picture")
        drawn = self.now()
        rested = self.page.evaluate("window.rested")
        self.rest()
        return replace(drawn - before, wait=wait), replace(self.now() - before, wait=rested)

    def rest(self) -> None:
        """Wait until the app has received all acts and stopped running."""
        # The app looks idle until it has received what was done.
        self.page.wait_for_timeout(700)
        self.page.wait_for_function("window.idle()")
        self.page.wait_for_timeout(300)


Act = Callable[[Visit, int], Callable[[], object]]
"""Prepare the n-th time, and return the function that is timed."""


@dataclass(frozen=True)
class Move:
    """A thing that readers do: address, the picture that it changes, and the act."""

    path: str
    picture: str
    act: Act
    script: str = ""
    height: int = 1600

    def visit(self, browser: Any, server: Server) -> Visit:
        """Open the page of this move."""
        return Visit(
            browser, server, self.path, self.picture, script=self.script, height=self.height
        )

    def step(self, visit: Visit, turn: int) -> tuple[Spent, Spent]:
        """Make the move once, and return its costs."""
        return visit.timed(self.act(visit, turn))

    def steps(
        self, browser: Any, server: Server, repeats: int, warm_up: int = 2
    ) -> tuple[list[Spent], list[Spent]]:
        """Return the costs of `repeats` moves after `warm_up` more, to the picture and to rest."""
        with self.visit(browser, server) as visit:
            steps = [self.step(visit, turn) for turn in range(warm_up + repeats)][warm_up:]
        pictures, rests = zip(*steps, strict=True)
        return list(pictures), list(rests)
