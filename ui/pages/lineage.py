"""How attention came about: one sentence through all systems from 2014 to the Transformer."""

from __future__ import annotations

from ui.lineage import bottleneck, measured, step, systems, timeline
from ui.views import Page, View, open_page

VIEWS = (
    View("systems", systems.show, needs=("search", "teacher-forcing", "text")),
    View("step", step.show, needs=("teacher-forcing", "values", "text"), brings=True),
    View("bottleneck", bottleneck.show, needs=("search", "teacher-forcing", "text")),
    View("length", measured.show_length, reads=False),
    View("timeline", timeline.show, reads=False),
)
PAGE = Page("lineage", "lineage_look", VIEWS, whole=True, group="others", place=1, doc="lineage.md")

if __name__ == "__main__":
    open_page(PAGE)
