"""A picture told in words: where a captioner looks while it writes, and where it should."""

from __future__ import annotations

import streamlit as st

from ui.captions import gaze, measured
from ui.controls import use_sentence
from ui.state import Run, sentences_for
from ui.views import Page, View, explained, offers, open_page
from ui.words import plain, say


def body(run: Run, page: Page) -> None:
    """The views, and where the open model reads no scenes those that do."""
    if "scene" not in offers(run):
        st.info(say("captions-other-model"), icon=":material/image:")
        for name, title in gaze.captioners().items():
            st.button(
                say("captions-open", title=plain(title)),
                key=f"captions_open_{name}",
                icon=":material/open_in_new:",
                on_click=_open,
                args=(name,),
            )
    explained(run, page)


def _open(name: str) -> None:
    st.session_state["checkpoint"] = name
    use_sentence(sentences_for(name)[1][0].text)


PAGE = Page(
    "captions",
    "captions_look",
    (
        View("gaze", gaze.show, needs=("scene",)),
        View("measured", measured.show),
    ),
    body=body,
    whole=True,
    of_run=False,  # the caption stands beside its picture
)

open_page(PAGE)
