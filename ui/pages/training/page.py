"""Training page: forming of heads, learning-rate schedule, label smoothing, a training here."""

from __future__ import annotations

from ui.pages.training import forming, here, smoothing, warmup
from ui.shell.view import Page, View
from ui.shell.views import open_page

PAGE = Page(
    "training",
    "training_look",
    (
        View("forming", forming.show, reads=False),
        View("warmup", warmup.show, reads=False, plotted=True),
        View("smoothing", smoothing.show, needs=("search", "teacher-forcing")),
        View("here", here.show, reads=False),
    ),
    group="decoding",
    order=2,
)

if __name__ == "__main__":
    open_page(PAGE)
