"""Documents page: a document judged by words and sentences, and the worth of its maps."""

from __future__ import annotations

from ui.pages.documents import agreement, read
from ui.pages.documents.scene import make_scene
from ui.shell.view import Page, View
from ui.shell.views import open_page, own_model

PAGE = Page(
    "documents",
    "documents_look",
    (
        View("read", read.show),
        View("agree", agreement.show),
    ),
    group="others",
    order=3,
    doc="documents.md",
    body=own_model(make_scene),
    of_run=False,
    reads=False,  # it has a text box of its own
    footer=False,
)

if __name__ == "__main__":
    open_page(PAGE)
