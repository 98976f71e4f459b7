"""A picture told in words: where a captioner looks while it writes, and where it should."""

from __future__ import annotations

from ui.captions import gaze
from ui.views import Page, View, open_page

PAGE = Page(
    "captions",
    "captions_look",
    (View("gaze", gaze.show, needs=("scene",)),),
    group="others",
    place=2,
    model=gaze.captioner,
    whole=True,
    doc="captions.md",
    of_run=False,  # the caption stands beside its picture
)

if __name__ == "__main__":
    open_page(PAGE)
