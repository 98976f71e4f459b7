"""Beyond weights: sources of a score, alignment, share of source and target, all heads."""

from __future__ import annotations

from ui.pages.worth import atlas, gold, score_parts, source_share
from ui.shell.view import Page, View
from ui.shell.views import open_page

WRITES = ("teacher-forcing", "text")
SHARE = (*WRITES, "vectors", "block", "causal-attention", "change-causal")

PAGE = Page(
    "worth",
    "worth_look",
    (
        View("why", score_parts.show, needs=("teacher-forcing", "block", "scores", "positions")),
        View("gold", gold.show, needs=("teacher-forcing", "source-attention", "text")),
        View("share", source_share.show, needs=(*SHARE, "leave-out")),
        View("atlas", atlas.show, needs=("several-heads", "text"), reads=False, plotted=True),
    ),
    group="attention",
    order=3,
)

if __name__ == "__main__":
    open_page(PAGE)
