"""Record the moving picture of the README: `python -m scripts.demo`.

It types a word, opens heads, hides a word and widens the beam in a headless browser, and writes
``docs/images/demo.webp``. Each picture is shown for a time of its own, so a slow machine records
the same film.
"""

from __future__ import annotations

import io
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image
from playwright.sync_api import Locator, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
# `support` of the tests opens the browser and waits for the app.
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support.browser import ARGUMENTS, FOOTER, Visit, find_browser, served  # noqa: E402

FILE = ROOT / "docs" / "images" / "demo.webp"
WIDTH = 1280
HEIGHT = 800
SCALE = 1.25
BYTES = 2_000_000  # at most
FIRST = "?text=The animal didn't cross the street because it was too wide."
BEAM = "beam?text=I would like to book a table for two.&beam=1"
STEP = 40  # ms between two positions of the pointer
# Headless browsers draw no pointer.
POINTER = """() => {
  const arrow = document.createElement('div');
  arrow.id = 'demo-pointer';
  arrow.innerHTML = `<svg width="22" height="28" viewBox="0 0 16 20">
    <path d="M1 1v15l4-3.5 2.6 6 2.4-1-2.6-5.9H13z" fill="#111" stroke="#fff" stroke-width="1.2"/>
  </svg>`;
  arrow.style.cssText =
    'position:fixed;left:0;top:0;z-index:2147483647;pointer-events:none;line-height:0';
  document.documentElement.append(arrow);
}"""
PUT = """([x, y, pressed]) => {
  const arrow = document.getElementById('demo-pointer');
  arrow.style.transform = `translate(${x}px, ${y}px)`;
  arrow.firstChild.style.filter = pressed ? 'drop-shadow(0 0 5px #ef4444)' : '';
}"""


@dataclass
class Recorder:
    """Pictures of a page, each with the milliseconds that it is shown."""

    visit: Visit
    pictures: list[Image.Image] = field(default_factory=list)
    durations: list[int] = field(default_factory=list)
    pointer: tuple[float, float] = (WIDTH * 0.62, HEIGHT * 0.72)

    @property
    def page(self) -> Page:
        return self.visit.page

    def open(self, visit: Visit) -> None:
        """Go on with another page, with the pointer where it was."""
        self.visit = visit
        self.page.evaluate(POINTER)
        self.put()

    def put(self, pressed: bool = False) -> None:
        """Draw the pointer."""
        self.page.evaluate(PUT, [*self.pointer, pressed])

    def show(self, ms: int) -> None:
        """Take a picture that is shown for `ms`; one like the last prolongs it."""
        picture = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        if self.pictures and picture.tobytes() == self.pictures[-1].tobytes():
            self.durations[-1] += ms
            return
        self.pictures.append(picture)
        self.durations.append(ms)

    def point(self, target: Locator, x: float = 0.5, y: float = 0.5, ms: int = 240) -> None:
        """Move the pointer to a part of `target`, slower at either end of the way."""
        box = target.bounding_box()
        begin = self.pointer
        end = (box["x"] + x * box["width"], box["y"] + y * box["height"])
        n_steps = ms // STEP
        for step in range(1, n_steps + 1):
            part = step / n_steps
            part = part * part * (3 - 2 * part)
            self.pointer = tuple(a + part * (b - a) for a, b in zip(begin, end, strict=True))
            self.page.mouse.move(*self.pointer)
            self.put()
            self.show(STEP)

    def click(self, target: Locator, **part: float) -> None:
        """Point at `target` and press the button."""
        self.point(target, **part)
        self.put(pressed=True)
        self.show(120)
        self.page.mouse.click(*self.pointer)
        self.put()

    def rest(self, ms: int) -> None:
        """Show what the app has drawn once it has come to rest."""
        self.visit.settle()
        self.page.wait_for_timeout(700)  # charts appear a moment after the page
        self.visit.settle()
        self.show(ms)

    def save(self, path: Path) -> None:
        """Write an animated WebP that begins again."""
        first, *others = self.pictures
        first.save(
            path,
            save_all=True,
            append_images=others,
            duration=self.durations,
            loop=0,
            lossless=True,
            quality=100,
            method=6,
            minimize_size=True,
        )


def type_word(recorder: Recorder) -> None:
    """Exchange the last word of the sentence."""
    recorder.rest(900)
    box = recorder.page.get_by_label("English sentence")
    recorder.click(box, x=0.52)
    box.press("End")
    for key in (*["Backspace"] * len("wide."), *"tired."):
        box.press(key)
        recorder.show(50)
    box.press("Enter")
    recorder.rest(1300)


def open_heads(recorder: Recorder) -> None:
    """Open the head at the word that decides, then one of cross-attention."""
    for site, layer, head in (("encoder", 2, 4), ("cross", 1, 7)):
        tile = f".heads .tile[data-kind={site}][data-layer='{layer}'][data-head='{head}']"
        recorder.click(recorder.page.locator(tile), y=0.4)
        recorder.rest(800)


def hide_word(recorder: Recorder) -> None:
    """Hide "animal" from the model."""
    recorder.click(recorder.page.locator(".heads .hide").nth(1))
    recorder.rest(1500)


def widen_beam(recorder: Recorder) -> None:
    """Widen the beam from 1 to 3 hypotheses."""
    slider = recorder.page.get_by_role("slider", name="Beam width")
    slider.scroll_into_view_if_needed()
    recorder.rest(900)
    recorder.point(slider, x=0.06)
    for ms in (700, 1600):
        recorder.put(pressed=True)
        recorder.show(120)
        slider.press("ArrowRight")
        recorder.put()
        recorder.rest(ms)


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        served("app.py", Path(folder)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        window = {"width": WIDTH, "height": HEIGHT, "scale": SCALE}
        pages = [Visit(browser, address, path, FOOTER, **window) for path in (FIRST, BEAM)]
        recorder = Recorder(pages[0])
        recorder.open(pages[0])
        type_word(recorder)
        open_heads(recorder)
        hide_word(recorder)
        recorder.click(recorder.page.get_by_role("link", name="Beam search"))
        recorder.open(pages[1])
        widen_beam(recorder)
        recorder.save(FILE)
        errors = [error for visit in pages for error in visit.errors]
        browser.close()
    size = FILE.stat().st_size
    seconds = sum(recorder.durations) / 1000
    print(f"{len(recorder.pictures)} pictures, {seconds:.1f} s, {size:,} bytes")
    if errors or size > BYTES:
        raise SystemExit(f"The film is too large, or the page had errors: {errors}")


if __name__ == "__main__":
    main()
