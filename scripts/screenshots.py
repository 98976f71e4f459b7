"""Take the pictures of README, docs and lessons: `python scripts/screenshots.py [name ...]`."""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageOps
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
THUMBNAILS = ROOT / "static" / "lessons"
THUMBNAIL = 400, 240  # pixels
# `support` of the tests opens the browser and waits for the app.
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support.browser import ARGUMENTS, FOOTER, Visit, find_browser, served  # noqa: E402

KOREAN_FOOTER = "text=모델 정보"


# Lower end of the page, if it is shorter than the window.
END = "Math.ceil(document.querySelector('.st-key-fold_about').getBoundingClientRect().bottom) + 24"


@dataclass(frozen=True)
class Shot:
    """Address of a page, size of the window, and the text that ends its loading."""

    path: str
    height: int = 1500
    width: int = 1280
    scheme: str = "light"
    last: str = FOOTER


SHOTS = {
    "attention-light": Shot("", 1250),
    "attention-dark": Shot("", 1250, scheme="dark"),
    "attention-phone": Shot("", 1500, 390),
    "attention-cross": Shot("?kind=cross", 1080),
    "attention-ribbons": Shot("?look=ribbons", 1080),
    "attention-arithmetic": Shot("?look=arithmetic", 1500),
    "attention-rollout": Shot("?look=together&together=rollout", 1200),
    "attention-pair": Shot("?look=pair", 2300),
    "beam-tree": Shot("beam"),
    "beam-width": Shot("beam?beam_look=width", 1500),
    "beam-errors": Shot(
        "beam?text=The animal didn't cross the street because it was too tired."
        "&beam_look=errors&reference=Das Tier ging nicht über die Straße, weil es zu müde war.",
        1800,
    ),
    "masks-change": Shot("masks?mask_look=change&change=hide-both-2", 1960),
    "masks-seen": Shot("masks?mask_look=seen"),
    "masks-knockout": Shot("masks?mask_look=knockout"),
    "masks-explain": Shot("masks?mask_look=explain"),
    "worth-why": Shot("worth", 1000),
    "positions-encoding": Shot("positions", 1250),
    "positions-order": Shot("positions?position_look=order"),
    "lineage-systems": Shot("lineage?checkpoint=lineage-bahdanau", 2300),
    "lineage-length": Shot(
        "lineage?checkpoint=lineage-bahdanau&lineage_look=bottleneck&length_part=joined"
    ),
    "captions": Shot("captions?checkpoint=captions-soft", 1200),
    "training-forming": Shot("training?checkpoint=lineage-transformer", 2100),
    "block-stream": Shot("block", 950),
    "cost-measured": Shot("cost?cost_look=measured", 1250),
    "documents": Shot("documents", 850),
    "masked-words": Shot("masked?checkpoint=masked-lm", 1900),
    "korean-to-english": Shot("?lang=ko&checkpoint=ko-en", 1250, last=KOREAN_FOOTER),
}

PATHS = {
    "heads": "?row=10&column=2",
    "masks": "masks?mask_look=seen",
    "positions": "positions",
    "search": "beam?text=I would like to book a table for two.",
    "explain": "masks?mask_look=explain",
    "block": "block?block_look=lens",
    "relatives": "lineage?lineage_look=bottleneck&length_part=joined",
}
"""Address of each path of lessons, whose first figure is its thumbnail."""
FIGURES = """[data-testid="stMain"] :is(svg.marks, [data-testid^="stBidiComponent"])"""
FIRST = """all => all.map(e => e.getBoundingClientRect())
  .filter(box => box.width >= 400 && box.height >= 100)
  .map(box => [box.left, box.top, box.right, box.bottom])[0]"""
"""Corners of the first figure; the drawn model above it is lower than any."""


@contextmanager
def seen(
    browser, url: str, *, width: int, height: int, scheme: str, ready: str = FOOTER
) -> Iterator[tuple[Visit, Image.Image]]:
    """Open a page, and yield it at rest with its picture."""
    here = Visit(browser, url, "", ready, width=width, height=height, scheme=scheme)
    # Charts appear a moment after the page.
    here.page.wait_for_timeout(1500)
    here.settle()
    yield here, Image.open(io.BytesIO(here.page.screenshot())).convert("RGB")
    here.context.close()
    print(url, *here.errors)


def take(browser, address: str, name: str) -> None:
    """Take one picture of the docs, cut off below the footer."""
    shot = SHOTS[name]
    with seen(
        browser,
        address + shot.path,
        width=shot.width,
        height=shot.height,
        scheme=shot.scheme,
        ready=shot.last,
    ) as (here, picture):
        end = min(picture.height, here.page.evaluate(END))
        # A palette makes small files, and pages have few colours.
        cut = picture.crop((0, 0, picture.width, end)).quantize(256)
        cut.save(IMAGES / f"{name}.png", optimize=True)


def thumbnail(browser, address: str, path: str) -> None:
    """Take the thumbnail of a path of lessons, light and dark: its whole first figure."""
    for scheme in ("light", "dark"):
        with seen(browser, address + PATHS[path], width=1280, height=800, scheme=scheme) as (
            here,
            picture,
        ):
            box = here.page.locator(FIGURES).evaluate_all(FIRST)
            figure = picture.crop(tuple(map(round, box)))
            # The rest of the card has the colour of the page.
            ground = picture.getpixel((picture.width - 2, picture.height - 2))
            ImageOps.pad(figure, THUMBNAIL, Image.Resampling.LANCZOS, ground).save(
                THUMBNAILS / f"{path}-{scheme}.webp", quality=80, method=6
            )


def main(names: list[str]) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        served("app.py", Path(folder)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        for name in names or (*SHOTS, *PATHS):
            (thumbnail if name in PATHS else take)(browser, address, name)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
