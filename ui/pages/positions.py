"""Where a token stands: the encoding of positions, why it is needed, and what the model does."""

from __future__ import annotations

from ui.positions import encoding, heads, order
from ui.views import Page, View, open_page

PAGE = Page(
    "positions",
    "position_look",
    (
        View("encoding", encoding.show, needs=("position-table",)),
        View("order", order.show, needs=("order",)),
        View("heads", heads.show, needs=("change-positions", "self-attention")),
    ),
    group="transformer",
    place=1,
)

if __name__ == "__main__":
    open_page(PAGE)
