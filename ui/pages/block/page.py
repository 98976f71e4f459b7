"""Block page: output of sub-layers, norms, and states inside a layer."""

from __future__ import annotations

from ui.pages.block import views
from ui.shell.views import Page, View, open_page

NEEDS = ("teacher-forcing", "block")

PAGE = Page(
    "block",
    "block_look",
    (
        View("stream", views.show_stream, needs=NEEDS),
        View("norm", views.show_norm, needs=NEEDS),
        View("lens", views.show_lens, needs=NEEDS),
        View("gradients", views.show_gradients, needs=NEEDS),
    ),
    group="transformer",
    order=2,
)

if __name__ == "__main__":
    open_page(PAGE)
