"""Attention page: all heads of the model on one sentence, and one head in five views."""

from __future__ import annotations

from ui.pages.attention import arithmetic, pair, ribbons, together
from ui.pages.attention.lab import lab
from ui.shell.view import Page, View
from ui.shell.views import open_page

SEVERAL = ("any-attention", "several-heads")
PAGE = Page(
    "attention",
    "look",
    (
        # The lab draws the matrix itself, beside the overview of all heads.
        View("matrix", lambda scene: None, needs=("any-attention",), hides=True, recorded=True),
        View("ribbons", ribbons.show, needs=("any-attention",), hides=True, recorded=True),
        View("arithmetic", arithmetic.show, needs=("scores", "vectors")),
        View("together", together.show, needs=SEVERAL, hides=True, recorded=True),
        View("pair", pair.show, needs=("any-attention", "text")),
    ),
    group="attention",
    order=1,
    body=lab,
)

# Streamlit runs the file of a page as __main__; `page_of` imports it for its PAGE.
if __name__ == "__main__":
    open_page(PAGE)
