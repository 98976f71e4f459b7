"""A document judged by words and sentences: its maps, and what they are worth."""

from __future__ import annotations

import streamlit as st

from ui.choice import choice
from ui.documents import agree, measured, other, read
from ui.documents.scene import make_scene
from ui.state import Run
from ui.views import Page, View, open_page
from ui.words import page_text


def body(run: Run, page: Page) -> None:
    """The chosen view, above it what all views of a document share."""
    views = {view.id: view for view in page.views}
    view = views[choice(page.key, tuple(views), words="view-documents", title=False, wrap=True)]
    if view.id == "measured":
        measured.show()
    else:
        scene = make_scene(run, changes=view.id == "read")
        if scene is not None:
            view.show(scene)
    st.markdown(page_text(f"documents_{view.id}"))


PAGE = Page(
    "documents",
    "documents_look",
    (
        View("read", read.show),
        View("agree", agree.show),
        View("other", other.show),
        View("measured", lambda scene: None),
    ),
    body,
    of_run=False,
)

open_page(PAGE)
