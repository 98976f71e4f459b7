"""``python -m benchmarks.moves [MOVE] [--other FOLDER]``: moves of a reader, two apps in turns.

Another head, another sentence, a move of the beam slider, a hidden token, another page and another
word for every system of the lineage (until all maps are new) are made by turns in this app and in
that of another folder (a worktree of an older commit), each in its own session of one browser; a
cold start is a server begun anew until the first page stands. Beside the time to the new picture
stand the time that the page's thread has worked until the app came to rest, the time that the
server's process has worked, and the messages that came: a busy machine does not lengthen those.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Annotated

from typer import Argument, BadParameter, Option

from training.commands import alone

from .browser import CHANGED, HEADS, PILLS, TEXTS, TILE, TREE, Look, chromium
from .commands import Repeats, typed
from .report import cpu_name
from .serving import ROOT, Server, serve

WARM_UP = 1


@dataclass(frozen=True)
class Move:
    """One kind of move: where it is made, what shows it, and how it is made the n-th time.

    `script`: run once, when the page stands; it may say anew what counts as another picture.
    """

    path: str
    picture: str
    make: Callable[[Look, int], None]
    script: str = ""


def _slide(look: Look, turn: int) -> None:
    thumb = look.page.get_by_role("slider", name="Beam width")
    thumb.press("ArrowRight" if turn % 18 < 9 else "ArrowLeft")


def _hide(look: Look, turn: int) -> None:
    look.page.locator(PILLS).nth(3 + turn % 10).click()


def _head(look: Look, turn: int) -> None:
    look.page.locator(TILE).nth(1 + turn % 7).click()


def _enter(look: Look, turn: int) -> None:
    """Sentences of other words and other lengths, as people type them."""
    box = look.page.get_by_role("textbox", name="English sentence")
    box.fill(f"A {WORDS[turn % len(WORDS)]} runs {'very ' * (turn % 4)}fast through the snow.")
    box.press("Enter")


def _page(look: Look, turn: int) -> None:
    look.page.get_by_role("link", name=PAGES[turn % len(PAGES)], exact=True).click()


def _another_word(look: Look, turn: int) -> None:
    box = look.page.get_by_role("textbox", name="English sentence")
    box.fill(f"A {WORDS[turn % len(WORDS)]} runs through the snow.")
    box.press("Enter")


MAPS = '[class*="_lineage_map_"] .marks'
WORDS = ("dog", "man", "child", "bird", "girl")
EVERY_MAP = f"""
window.signature = () => [...document.querySelectorAll('{MAPS}')].map(each => each.textContent);
window.changed = () => {{
  const now = window.signature();
  return now.length >= window.before.length && now.every((text, i) => text !== window.before[i]);
}};"""
PAGES = ("Masking & interventions", "Beam search")
RESTED = """
window.signature = () => window.idle() && document.querySelector('.marks')
  ? location.pathname : window.before;
window.before = location.pathname;
"""
CHART = '[data-testid="stVegaLiteChart"] svg.marks'
PAIR = "?look=pair&text=A dog runs through the snow.&second=A cat runs through the snow."
START = "cold start"
MOVES = {
    "another head": Move(PAIR, CHART, _head),
    "another sentence": Move("?look=together", CHART, _enter),
    "another page": Move("beam", TREE, _page, RESTED),
    "beam slider": Move("beam?beam=1", TREE, _slide, TEXTS),
    "hidden token": Move("masks?mask_look=change&change=hide-both-2", CHANGED, _hide),
    "another word, maps of all systems": Move(
        "lineage?lineage_look=systems&lineage_target=own", MAPS, _another_word, EVERY_MAP
    ),
}


@dataclass
class Tally:
    """Of every move: milliseconds to the picture, of the page, of the server; messages."""

    waits: list[float] = field(default_factory=list)
    page: list[float] = field(default_factory=list)
    server: list[float] = field(default_factory=list)
    messages: list[float] = field(default_factory=list)

    def row(self, name: str) -> str:
        parts = (self.waits, self.page, self.server, self.messages)
        return f"| {name} | " + " | ".join(f"{median(each):.0f}" for each in parts) + " |"


def _one(look: Look, server: Server, move: Move, turn: int, tally: Tally) -> None:
    used, worked, came = server.cpu_seconds(), look.worked(), len(look.received)
    wait, _, _ = look.timed(lambda: move.make(look, turn))
    if turn >= WARM_UP:
        tally.waits.append(wait)
        tally.page.append(look.worked() - worked)
        tally.server.append(1000 * (server.cpu_seconds() - used))
        tally.messages.append(len(look.received) - came)


def _start(browser, folder: Path, tally: Tally) -> None:
    """A server and a browser's first page, until the heads stand."""
    began = time.perf_counter()
    with serve(folder=folder) as server:
        context = browser.new_context(viewport={"width": 1280, "height": 1600})
        page = context.new_page()
        received: list[int] = []
        page.on(
            "websocket",
            lambda ws: ws.on("framereceived", lambda data: received.append(len(data))),
        )
        page.goto(server.address)
        page.wait_for_selector(HEADS, timeout=120_000)
        tally.waits.append(1000 * (time.perf_counter() - began))
        tally.server.append(1000 * server.cpu_seconds())
        tally.page.append(0)
        tally.messages.append(len(received))
        context.close()


def run(folders: list[Path], names: list[str], repeats: int) -> Iterator[str]:
    """A line of the table for each move and app, as soon as it is there."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, ExitStack() as stack:
        servers = [stack.enter_context(serve(folder=each)) for each in folders]
        browser = chromium(playwright)
        sides = ("here", "other")[: len(servers)]
        for name in names:
            if name == START:
                tallies = [Tally() for _ in folders]
                for _ in range(max(3, repeats // 2)):
                    for folder, tally in zip(folders, tallies, strict=True):
                        _start(browser, folder, tally)
                yield from (t.row(f"{name}, {s}") for s, t in zip(sides, tallies, strict=True))
                continue
            move = MOVES[name]
            looks = [Look(browser, f"{s.address}/{move.path}", move.picture) for s in servers]
            tallies = [Tally() for _ in looks]
            for look in looks:
                if move.script:
                    look.page.evaluate(f"() => {{ {move.script} }}")
            for turn in range(repeats + WARM_UP):
                for look, server, tally in zip(looks, servers, tallies, strict=True):
                    _one(look, server, move, turn, tally)
            yield from (t.row(f"{name}, {side}") for side, t in zip(sides, tallies, strict=True))
            for look in looks:
                look.context.close()
        browser.close()


def main(
    moves: Annotated[list[str] | None, Argument(help="all where none is named")] = None,
    other: Annotated[Path | None, Option(help="folder of another version of the app")] = None,
    repeats: Repeats = 10,
) -> None:
    every = [*MOVES, START]
    if unknown := set(moves or ()).difference(every):
        raise BadParameter(f"{', '.join(unknown)}: choose from {', '.join(every)}")
    print(f"{cpu_name()}, {os.cpu_count()} cores; medians of {repeats} moves each.")
    print("Command:", typed("benchmarks.moves"))
    print("| | to the picture, ms | page worked, ms | server worked, ms | messages |")
    print("|---|---:|---:|---:|---:|")
    for line in run([ROOT, *([other] if other else [])], moves or every, repeats):
        print(line, flush=True)


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.moves", __doc__))
