"""Block page: output of sub-layers, norms, and states inside a layer."""

from __future__ import annotations

from ui import block
from ui.views import Page, View, open_page

NEEDS = ("teacher-forcing", "block")

PAGE = Page(
    "block",
    "block_look",
    (
        View("stream", block.show_stream, needs=NEEDS),
        View("norm", block.show_norm, needs=NEEDS),
        View("lens", block.show_lens, needs=NEEDS),
        View("gradients", block.show_gradients, needs=NEEDS),
    ),
    group="transformer",
    order=2,
)

if __name__ == "__main__":
    open_page(PAGE)
