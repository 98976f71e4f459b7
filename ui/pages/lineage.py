"""How attention came about: one sentence through all systems from 2014 to the Transformer."""

from __future__ import annotations

from ui.lineage import bottleneck, length, step, systems, table, timeline
from ui.views import Page, View, open_page

VIEWS = (
    View("systems", systems.show, needs=("search", "teacher-forcing", "text")),
    View("step", step.show, needs=("teacher-forcing", "values", "text"), brings=True),
    View("bottleneck", bottleneck.show, needs=("search", "teacher-forcing", "text")),
    View("length", length.show, reads=False),
    View("table", table.show, reads=False),
    View("timeline", timeline.show, reads=False),
)
PAGE = Page("lineage", "lineage_look", VIEWS, whole=True, group="others", place=1)

if __name__ == "__main__":
    open_page(PAGE)
