"""Inside a block: what its sub-layers add to the stream, its norms, its states, its units."""

from __future__ import annotations

from ui.block import gradients, lens, norm, paths, stream, units, without
from ui.views import Page, View, open_page

NEEDS = ("teacher-forcing", "block")

PAGE = Page(
    "block",
    "block_look",
    (
        View("stream", stream.show, needs=NEEDS),
        View("norm", norm.show, needs=NEEDS),
        View("without", without.show, needs=(*NEEDS, "search", "change-residual", "change-norm")),
        View("lens", lens.show, needs=NEEDS),
        View("paths", paths.show, needs=NEEDS),
        View("gradients", gradients.show, needs=NEEDS),
        View("units", units.show, needs=(*NEEDS, "feed-forward")),
    ),
)

if __name__ == "__main__":
    open_page(PAGE)
