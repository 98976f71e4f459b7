"""``python -m benchmarks.pages [--repeats N] [--write]``: the pages of training, blocks and cost.

The app is served on one thread and used in headless Chromium. A step of the training is timed from
the key press on its slider to the first frame with other heads, another token inside a block from
the click in its menu to the first frame with another picture; both inside the page. Beside the time
stands what the page's thread has worked meanwhile, which a busy machine does not lengthen. What a
page weighs is all that comes over the websocket until it stands, in a session of its own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

from training.commands import alone

from .browser import Look, chromium
from .commands import Repeats, Write, typed
from .report import Aim, aims_table, cpu_name, publish
from .serving import serve

STEP_LIMIT, BLOCK_LIMIT, WEIGHT_LIMIT = 100.0, 300.0, 1.5  # ms, ms, MB
FORMING = '[class*="_forming_heads"] .marks'
BLOCK = '[class*="_block_stream"] .marks'
PLOT = ".js-plotly-plot .main-svg"
SLIDER = ".stepper input[type=range]"
MENU = ".st-key-block_encoder_token input"
WEIGHED = {
    "heads forming": ("training?training_look=forming", FORMING),
    "curves of a training": ("training?training_look=curves", PLOT),
    "inside a block": ("block?block_look=stream", BLOCK),
    "cost, counted": ("cost?cost_look=counted", ".marks"),
    "cost, measured": ("cost?cost_look=measured", PLOT),
}
WARM_UP = 2


@dataclass(frozen=True)
class Steps:
    """Milliseconds until the pictures, what the page worked for them, and how many messages of the
    server came before them."""

    waits: Sequence[float]
    work: Sequence[float]
    messages: Sequence[int]

    def told(self) -> str:
        return (
            f"{len(self.waits)} steps (from {min(self.waits):.0f} to {max(self.waits):.0f} ms; the "
            f"page's thread worked {median(self.work):.0f} ms of that)"
        )


def measure_steps(browser, address: str, repeats: int) -> Steps:
    """Steps back through a training, one key press each, at rest between them."""
    look = Look(browser, f"{address}/{WEIGHED['heads forming'][0]}", FORMING)
    slider = look.page.locator(SLIDER).first
    found = []
    for turn in range(repeats + WARM_UP):
        slider.focus()
        key = "ArrowLeft" if turn % 20 < 10 else "ArrowRight"
        found.append(look.timed(partial(slider.press, key)))
    look.context.close()
    return Steps(*zip(*found[WARM_UP:], strict=True))


def measure_block(browser, address: str, repeats: int) -> Steps:
    """Choices of another token inside a block."""
    look = Look(browser, f"{address}/{WEIGHED['inside a block'][0]}", BLOCK)
    found = []
    for turn in range(repeats + WARM_UP):
        look.page.locator(MENU).click()
        option = look.page.get_by_role("option").nth(turn % 2 + 2 * (turn % 3))
        option.wait_for()
        found.append(look.timed(option.click))
    look.context.close()
    return Steps(*zip(*found[WARM_UP:], strict=True))


def weigh(browser, address: str, path: str, picture: str) -> int:
    """Bytes that came until the page stood."""
    look = Look(browser, f"{address}/{path}", picture)
    look.rest()
    look.context.close()
    return sum(look.received)


def run(repeats: int, command: str) -> str:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, serve() as server:
        browser = chromium(playwright)
        weights = {name: weigh(browser, server.address, *how) for name, how in WEIGHED.items()}
        steps = measure_steps(browser, server.address, repeats)
        block = measure_block(browser, server.address, max(4, repeats // 2))
        browser.close()
    return report(steps, block, weights, command)


def report(steps: Steps, block: Steps, weights: dict[str, int], command: str) -> str:
    aims = [
        Aim("training, slider step to other heads", median(steps.waits), STEP_LIMIT, " ms"),
        Aim("messages of the server before them, most", max(steps.messages), 0, ""),
        Aim("block, another token to another picture", median(block.waits), BLOCK_LIMIT, " ms"),
        *(
            Aim(f"sent to the browser: {name}", size / 1e6, WEIGHT_LIMIT, " MB")
            for name, size in weights.items()
        ),
    ]
    lines = [
        f"Machine: {cpu_name()}, {os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}.",
        f"Training: {steps.told()}; block: {block.told()}. Medians; headless Chromium and the app "
        f"share the machine. Command: `{command}`.",
        "",
        *aims_table(aims),
    ]
    return "\n".join(lines)


def main(repeats: Repeats = 20, write: Write = False) -> None:
    publish(run(repeats, typed("benchmarks.pages")), "pages", write=write)


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.pages", __doc__))
