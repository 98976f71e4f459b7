"""The frame of the attention lab: shared choices, the pages, and what the model is."""

from __future__ import annotations

import streamlit as st

from ui import address
from ui.controls import frame_choices
from ui.lessons.strip import show_lesson
from ui.panels import checkpoint_footer
from ui.projector import projector_switch
from ui.state import current_run, style_page
from ui.words import say

PAGES = ("attention", "beam", "masks", "positions", "lessons")

st.set_page_config(page_title=say("app-title"), layout="wide", initial_sidebar_state=256)
style_page()

pages = {
    name: st.Page(
        f"ui/pages/{name}.py",
        title=say(f"page-{name}"),
        url_path=name,
        default=name == PAGES[0],
    )
    for name in PAGES
}
page = st.navigation(list(pages.values()))
with address.arriving():
    top = st.container()
    lesson = st.container()
    with st.container(key="sentence"):
        run = current_run(frame_choices())
    st.session_state["run"] = run
    with top:
        projector_switch(pages)
    if run is not None:
        with lesson:
            show_lesson(run, page.url_path or PAGES[0], first=not page.url_path)
    with st.container(key="page"):
        page.run()
    if run is not None:
        checkpoint_footer(run.translator.card)
