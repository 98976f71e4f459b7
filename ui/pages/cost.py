"""What layers cost: counted, measured, and the way information takes through them."""

from __future__ import annotations

from ui.cost import costs
from ui.views import Page, View, open_page

PAGE = Page(
    "cost",
    "cost_look",
    (
        View("counted", costs.counted),
        View("measured", costs.layers),
        View("paths", costs.paths),
        View("scores", costs.scores),
    ),
    group="transformer",
    place=3,
    of_run=False,
    reads=False,
)

if __name__ == "__main__":
    open_page(PAGE)
