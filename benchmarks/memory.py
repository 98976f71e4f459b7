"""``python -m benchmarks.memory [--rounds N] [--write]``: what the server holds after all pages.

One reader after another opens every view of every page with every checkpoint, each in a session of
its own in headless Chromium. What the server's process holds is read at the beginning and after
each round; a second round shows whether anything is kept that will not be used again.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated

from typer import Option

from model import list_checkpoints
from training.commands import alone

from .browser import chromium
from .commands import Write, typed
from .report import Aim, aims_table, cpu_name, publish
from .serving import serve

LIMIT, GROWTH = 1000.0, 50.0  # MB
PATIENCE = 120_000  # ms
AT_REST = '[data-testid="stApp"][data-test-script-state="notRunning"]'


def paths() -> list[str]:
    """Every view with every checkpoint."""
    from ui.pages import pages  # loads Streamlit

    return [
        f"{page.id if page.id != 'attention' else ''}?checkpoint={name}"
        + (f"&{page.key}={view.id}" if view else "")
        for name in list_checkpoints()
        for page in pages()
        for view in page.views or (None,)
    ]


def measure(rounds: int) -> list[float]:
    """Megabytes at the beginning and after each round."""
    from playwright.sync_api import TimeoutError, sync_playwright

    with sync_playwright() as playwright, serve() as server:
        browser = chromium(playwright)
        held = [server.megabytes()]
        for _ in range(rounds):
            for path in paths():
                context = browser.new_context(viewport={"width": 1280, "height": 800})
                page = context.new_page()
                page.goto(f"{server.address}/{path}")
                try:
                    page.wait_for_selector("h1", timeout=PATIENCE)
                    page.wait_for_selector(AT_REST, timeout=PATIENCE)
                except TimeoutError:
                    print(f"{path} took too long", file=sys.stderr)
                context.close()
            held.append(server.megabytes())
            print(f"{held[-1]:.0f} MB after {len(held) - 1} of {rounds}", file=sys.stderr)
        browser.close()
    return held


def report(held: list[float], command: str) -> str:
    first, *after = held
    aims = [Aim("most that the server holds after a round", max(after), LIMIT, " MB")]
    if len(after) > 1:
        growth = after[-1] - after[0]
        aims.append(Aim("growth from the first round to the last", growth, GROWTH, " MB"))
    told = ", ".join(f"{each:.0f} MB" for each in after)
    return "\n".join(
        [
            f"Machine: {cpu_name()}, {os.cpu_count()} cores. {len(paths())} visits a round; "
            f"{first:.0f} MB at the beginning, then {told}. Command: `{command}`.",
            "",
            *aims_table(aims),
        ]
    )


def main(
    rounds: Annotated[int, Option(min=1, help="walks through all pages")] = 2, write: Write = False
) -> None:
    publish(report(measure(rounds), typed("benchmarks.memory")), "memory", write=write)


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.memory", __doc__))
