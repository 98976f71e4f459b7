"""Lineage page: one sentence through all systems from 2014 to the Transformer."""

from __future__ import annotations

from ui.pages.lineage import bottleneck, step, systems
from ui.shell.view import Page, View
from ui.shell.views import open_page

COMPARED = ("search", "teacher-forcing", "text", "lineage")
VIEWS = (
    View("systems", systems.show, needs=COMPARED, brings=True),
    View("step", step.show, needs=("teacher-forcing", "values", "text"), brings=True),
    View("bottleneck", bottleneck.show, needs=COMPARED, brings=True),
)
PAGE = Page("lineage", "lineage_look", VIEWS, whole=True, group="others", order=1, doc="lineage.md")

if __name__ == "__main__":
    open_page(PAGE)
