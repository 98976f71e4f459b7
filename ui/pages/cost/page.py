"""Cost page: operations counted and measured, and path lengths."""

from __future__ import annotations

from ui.pages.cost import costs
from ui.shell.view import Page, View
from ui.shell.views import open_page

PAGE = Page(
    "cost",
    "cost_look",
    (
        View("counted", costs.counted),
        View("measured", costs.measured, plotted=True),
    ),
    group="transformer",
    order=3,
    of_run=False,
    reads=False,
)

if __name__ == "__main__":
    open_page(PAGE)
