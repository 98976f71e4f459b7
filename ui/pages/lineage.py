"""How attention came about: one sentence through all systems from 2014 to the Transformer."""

from __future__ import annotations

from ui.lineage import length, table, timeline
from ui.views import Page, View, open_page

VIEWS = (
    View("length", length.show),
    View("table", table.show),
    View("timeline", timeline.show),
)
PAGE = Page("lineage", "lineage_look", VIEWS)

open_page(PAGE)
