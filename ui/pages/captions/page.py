"""Captions page: the gaze of a captioner while it writes, and where it should be."""

from __future__ import annotations

from ui.pages.captions import gaze
from ui.pages.captions.captioning import captioner
from ui.shell.view import Page, View
from ui.shell.views import open_page

PAGE = Page(
    "captions",
    "captions_look",
    (View("gaze", gaze.show, needs=("scene",)),),
    group="others",
    order=2,
    model=captioner,
    whole=True,
    doc="captions.md",
    of_run=False,  # the caption stands beside its picture instead
)

if __name__ == "__main__":
    open_page(PAGE)
