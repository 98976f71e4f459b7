"""Words masked and said from both sides: an encoder alone."""

from __future__ import annotations

import streamlit as st

from ui.choice import choice
from ui.masked import agreement, guess, measured, riddle, sides
from ui.masked.scene import make_scene
from ui.state import Run
from ui.views import Page, View, open_page
from ui.words import page_text


def body(run: Run, page: Page) -> None:
    """The chosen view, above it the sentence in which words are masked."""
    views = {view.id: view for view in page.views}
    view = views[choice(page.key, tuple(views), words="view-masked", title=False, wrap=True)]
    scene = make_scene(run, masks=view.id == "guess")
    if scene is not None:
        view.show(scene)
    st.markdown(page_text(f"masked_{view.id}"))


PAGE = Page(
    "masked",
    "masked_look",
    (
        View("guess", guess.show),
        View("sides", sides.show),
        View("it", riddle.show),
        View("agreement", agreement.show),
        View("measured", measured.show),
    ),
    body,
    of_run=False,
)

open_page(PAGE)
