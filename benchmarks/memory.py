"""Measure the server's memory after visits to all pages.

`python -m benchmarks.memory [--rounds N] [--write]`

Every view is opened with the first checkpoint, and every page with every other one, each in its own
session of headless Chromium. The memory of the server process is read at the start and after each
round; a second round shows whether anything is kept without need.
"""

from __future__ import annotations

import sys
from typing import Annotated

from typer import Option

from model import list_checkpoints
from training.commands import alone

from .commands import Write
from .report import Aim, publish
from .visits import Visit, browsing

LIMIT = 1000.0  # MB
GROWTH = 50.0  # MB


def paths() -> list[str]:
    """Return the addresses of every view, and of every page with each further checkpoint."""
    from ui.pages import pages  # loads Streamlit

    first, *others = list_checkpoints()
    visited = [(first, page, view) for page in pages() for view in page.views or (None,)]
    visited += [(name, page, None) for name in others for page in pages()]
    return [
        # The first page has no path of its own.
        f"{page.id if page.id != 'attention' else ''}?checkpoint={name}"
        + (f"&{page.key}={view.id}" if view else "")
        for name, page, view in visited
    ]


def measure(rounds: int, visited: list[str]) -> list[float]:
    """Return megabytes at the beginning and after each round."""
    from playwright.sync_api import TimeoutError

    with browsing() as (browser, (server,)):
        held = [server.megabytes()]
        for number in range(1, rounds + 1):
            for path in visited:
                try:
                    with Visit(browser, server, path, height=800):
                        pass
                # One slow page must not end the whole measurement.
                except TimeoutError:
                    print(f"{path} took too long", file=sys.stderr)
            held.append(server.megabytes())
            print(f"{held[-1]:.0f} MB after {number} of {rounds}", file=sys.stderr)
    return held


def main(
    rounds: Annotated[int, Option(min=1, help="visits to all pages")] = 2, write: Write = False
) -> None:
    visited = paths()
    first, *after = measure(rounds, visited)
    aims = [Aim("most that the server holds after a round", max(after), LIMIT, " MB")]
    # The first round fills caches; growth after it is a leak.
    if len(after) > 1:
        growth = after[-1] - after[0]
        aims.append(Aim("growth from the first round to the last", growth, GROWTH, " MB"))
    values = {"first": first, "after": after, "visits": len(visited)}
    publish("memory", aims, values, write=write)


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.memory", __doc__))
