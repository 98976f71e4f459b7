"""Inside a block: what its sub-layers add to the stream, its norms, its states, its units."""

from __future__ import annotations

from ui.block import stacks, tokens
from ui.views import Page, View, open_page

NEEDS = ("teacher-forcing", "block")

PAGE = Page(
    "block",
    "block_look",
    (
        View("stream", tokens.show_stream, needs=NEEDS),
        View("norm", tokens.show_norm, needs=NEEDS),
        View(
            "without",
            stacks.show_without,
            needs=(*NEEDS, "search", "change-residual", "change-norm"),
        ),
        View("lens", stacks.show_lens, needs=NEEDS),
        View("paths", stacks.show_paths, needs=NEEDS),
        View("gradients", stacks.show_gradients, needs=NEEDS),
        View("units", tokens.show_units, needs=(*NEEDS, "feed-forward")),
    ),
    group="transformer",
    place=2,
)

if __name__ == "__main__":
    open_page(PAGE)
