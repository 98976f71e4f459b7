"""Block page: output of sub-layers, norms, and states inside a layer."""

from __future__ import annotations

from ui.pages.block import gradients, lens, norm, stream
from ui.shell.view import Page, View
from ui.shell.views import open_page

NEEDS = ("teacher-forcing", "block")

PAGE = Page(
    "block",
    "block_look",
    (
        View("stream", stream.show, needs=NEEDS),
        View("norm", norm.show, needs=NEEDS),
        View("lens", lens.show, needs=NEEDS),
        View("gradients", gradients.show, needs=NEEDS),
    ),
    group="transformer",
    order=2,
)

if __name__ == "__main__":
    open_page(PAGE)
