"""Compare the interaction times of two versions of the app, alternating between them.

`python -m benchmarks.moves [MOVE] [--other FOLDER]`

Moves are another head, norms instead of weights, another sentence, a step of the beam slider, a
hidden token, another page, and another word for every model of the lineage (until all maps are
new). They alternate between this app and that of another folder (a worktree of an older commit),
each in its own session of one browser. A cold start lasts from the start of a server to its first
page. The table has the time to the new figure, the processor time of the page and of the server
until the app is idle, and the number of messages; these three do not grow on a busy machine.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import astuple, replace
from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Argument, BadParameter, Option

from training.commands import alone

from .commands import Repeats, typed
from .report import machine
from .serving import ROOT, serve
from .visits import Act, Move, Spent, Visit, browsing, medians

TREE = '[class*="_beam_first"] svg.marks'
CHANGED = '[class*="_change_effect_difference"] .marks'
PILLS = ".st-key-change_hidden button"
HEADS = ".heads[data-drawn]"
TILE = '.heads .tile[data-kind="encoder"]'
CHART = '[data-testid="stVegaLiteChart"] svg.marks'
MAPS = '[class*="_lineage_map_"] .marks'
FORMING = '[class*="_forming_heads"] .marks'
SLIDER = ".stepper input[type=range]"
BLOCK = '[class*="_block_stream"] .marks'
MENU = ".st-key-block_encoder_token input"

PAIR = "?look=pair&text=A dog runs through the snow.&second=A cat runs through the snow."
WORDS = ("dog", "man", "child", "bird", "girl")
PAGES = ("Masking & interventions", "Beam search")
START = "cold start"
WARM_UP = 1

# The tree's texts tell one tree from another; without any, nothing has changed yet.
TEXTS = f"""
window.signature = () =>
  [...document.querySelectorAll('{TREE} text')].map(node => node.textContent).join()
  || window.before;
"""
# Another page is new once the app is idle, has a picture and another path.
RESTED = """
window.signature = () => window.idle() && document.querySelector('.marks')
  ? location.pathname : window.before;
window.before = location.pathname;
"""
# Every map has to change, and none may be missing, before the picture counts as new.
EVERY_MAP = f"""
window.signature = () => [...document.querySelectorAll('{MAPS}')].map(node => node.textContent);
window.changed = () => {{
  const now = window.signature();
  return now.length >= window.before.length && now.every((text, i) => text !== window.before[i]);
}};
"""


def enter(sentence: Callable[[int], str]) -> Act:
    """Return an act that types another sentence and presses Enter."""

    def make(visit: Visit, turn: int) -> Callable[[], object]:
        box = visit.page.get_by_role("textbox", name="English sentence")
        box.fill(sentence(turn))
        return partial(box.press, "Enter")

    return make


def head(visit: Visit, turn: int) -> Callable[[], object]:
    """Choose a head that is never the open one."""
    # 32 tiles in strides of five: all come up, and no two in a row are the same.
    return visit.page.locator(TILE).nth((turn * 5 + 5) % 32).click


def vector_norm(visit: Visit, turn: int) -> Callable[[], object]:
    """Choose weights and norms by turns, for both sentences."""
    visit.page.locator(".st-key-measure input").click()
    option = visit.page.get_by_role("option").nth(1 - turn % 2)
    # Opening the menu is no part of the timed move.
    option.wait_for()
    return option.click


def beam_width(visit: Visit, turn: int) -> Callable[[], object]:
    """Move the slider up to ten and back to one."""
    thumb = visit.page.get_by_role("slider", name="Beam width")
    return partial(thumb.press, "ArrowRight" if turn % 18 < 9 else "ArrowLeft")


def hidden_token(visit: Visit, turn: int) -> Callable[[], object]:
    """Hide or show another token."""
    return visit.page.locator(PILLS).nth(3 + turn % 10).click


def page(visit: Visit, turn: int) -> Callable[[], object]:
    """Go to the other page."""
    return visit.page.get_by_role("link", name=PAGES[turn % len(PAGES)], exact=True).click


def training_step(visit: Visit, turn: int) -> Callable[[], object]:
    """Move the slider of training steps back and forth."""
    slider = visit.page.locator(SLIDER).first
    slider.focus()
    return partial(slider.press, "ArrowLeft" if turn % 20 < 10 else "ArrowRight")


def block_token(visit: Visit, turn: int) -> Callable[[], object]:
    """Choose another token in the menu of the block."""
    visit.page.locator(MENU).click()
    option = visit.page.get_by_role("option").nth(turn % 2 + 2 * (turn % 3))
    option.wait_for()
    return option.click


def sentence(turn: int) -> str:
    """Return sentences of other words and other lengths, as people type them."""
    return f"A {WORDS[turn % len(WORDS)]} runs {'very ' * (turn % 4)}fast through the snow."


BEAM = Move("beam?beam=1", TREE, beam_width, TEXTS)
HIDE = Move("masks?mask_look=change&change=hide-both-2", CHANGED, hidden_token, height=2600)
STEP = Move("training?training_look=forming", FORMING, training_step)
TOKEN = Move("block?block_look=stream", BLOCK, block_token)
MOVES = {
    "another head": Move(PAIR, CHART, head),
    "vector norm": Move(PAIR, CHART, vector_norm),
    "another sentence": Move("?look=together", CHART, enter(sentence)),
    "another page": Move("beam", TREE, page, RESTED),
    "beam slider": BEAM,
    "hidden token": HIDE,
    "another word, maps of all systems": Move(
        "lineage?lineage_look=systems&lineage_target=own",
        MAPS,
        enter(lambda turn: f"A {WORDS[turn % len(WORDS)]} runs through the snow."),
        EVERY_MAP,
    ),
}


def start(browser, folder: Path) -> Spent:
    """Return the cost of starting a server and opening its first page."""
    began = 1000 * time.perf_counter()
    with serve(folder=folder) as server, Visit(browser, server, picture=HEADS) as visit:
        return replace(visit.stood, wait=visit.stood.wait - began)


def in_turns(browser, servers, folders, name: str, repeats: int) -> Iterator[list[Spent]]:
    """Make a move in every app again and again, yielding the cost of each round.

    The wait ends with the picture, the other costs when the app rests.
    """
    # A cold start needs a new server each time, which takes seconds: fewer rounds.
    if name == START:
        for _ in range(max(3, repeats // 2)):
            yield [start(browser, folder) for folder in folders]
        return
    move = MOVES[name]
    # A stack, since one or two apps may be compared.
    with ExitStack() as stack:
        visits = [stack.enter_context(move.visit(browser, server)) for server in servers]
        for turn in range(repeats + WARM_UP):
            # One app after the other, so that a busy spell of the machine hits both.
            steps = [move.step(visit, turn) for visit in visits]
            if turn >= WARM_UP:
                yield [replace(rest, wait=picture.wait) for picture, rest in steps]


def run(folders: list[Path], names: list[str], repeats: int) -> Iterator[str]:
    """Yield a line of the table for each move and app, as soon as it is there."""
    with browsing(*folders) as (browser, servers):
        for name in names:
            turns = in_turns(browser, servers, folders, name, repeats)
            for side, steps in zip(("here", "other"), zip(*turns, strict=True), strict=False):
                spent = " | ".join(f"{value:.0f}" for value in astuple(medians(steps)))
                yield f"| {name}, {side} | {spent} |"


def main(
    moves: Annotated[list[str] | None, Argument(help="moves to time (default: all)")] = None,
    other: Annotated[Path | None, Option(help="folder of another version of the app")] = None,
    repeats: Repeats = 10,
) -> None:
    every = [*MOVES, START]
    if unknown := set(moves or ()).difference(every):
        raise BadParameter(f"{', '.join(unknown)}: choose from {', '.join(every)}")
    print(f"{machine()}; medians of {repeats} moves each.")
    print("Command:", typed("moves"))
    print("| | to the picture, ms | page worked, ms | server worked, ms | messages |")
    print("|---|---:|---:|---:|---:|")
    for line in run([ROOT, *([other] if other else [])], moves or every, repeats):
        print(line, flush=True)


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.moves", __doc__))
