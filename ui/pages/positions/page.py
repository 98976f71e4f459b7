"""Positions page: position encodings and the need for them."""

from __future__ import annotations

from ui.pages.positions import encoding, word_order
from ui.shell.view import Page, View
from ui.shell.views import open_page

PAGE = Page(
    "positions",
    "position_look",
    (
        View("encoding", encoding.show, needs=("position-table",)),
        View("order", word_order.show, needs=("order",)),
    ),
    group="transformer",
    order=1,
)

if __name__ == "__main__":
    open_page(PAGE)
