"""How attention came about: one sentence through all systems from 2014 to the Transformer."""

from __future__ import annotations

from ui.lineage import bottleneck, step, systems
from ui.views import Page, View, open_page

VIEWS = (
    View("systems", systems.show, needs=("search", "teacher-forcing", "text")),
    View("step", step.show, needs=("teacher-forcing", "values", "text")),
    View("bottleneck", bottleneck.show, needs=("search", "teacher-forcing", "text")),
)
PAGE = Page("lineage", "lineage_look", VIEWS)

open_page(PAGE)
