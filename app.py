"""The frame of the attention lab: shared choices, the pages, and what the model is."""

from __future__ import annotations

import streamlit as st

from ui import address
from ui.components.frame import frame
from ui.controls import frame_choices
from ui.guard import guarded
from ui.heading import heading, page_warning
from ui.language import language_switch, language_warning, settle_language
from ui.lessons.strip import show_lesson
from ui.pages import GROUPS, page_of
from ui.projector import projector_switch
from ui.state import current_run, look_as_page, style_page
from ui.views import reading, shown_by
from ui.waiting import is_let_in, page_turn
from ui.words import current_words, say

FIRST = "attention"

# Without a title: each page has its own.
st.set_page_config(layout="wide", initial_sidebar_state=256)
style_page()
settle_language()
look_as_page()

pages = {
    name: st.Page(
        f"ui/pages/{name}.py",
        title=say(f"page-{name}"),
        url_path=name,
        default=name == FIRST,
    )
    for names in GROUPS.values()
    for name in names
}
groups = {say(f"group-{id}"): [pages[name] for name in names] for id, names in GROUPS.items()}
page = st.navigation(groups, expanded=True)
here = page_of(page.url_path or FIRST)
if is_let_in():
    with page_turn(whole=True), guarded("frame"), address.arriving(pages, here.id):
        line = heading(here.id)
        language_warning()
        page_warning(here.id, pages)
        top = st.container()
        lesson = st.container()
        with st.sidebar:
            language_switch()
        with st.container(key="sentence"):
            run = current_run(frame_choices(shown_by(here), reads=reading(here), page=here.id))
        frame(current_words().language, run and run.translator.card.languages)
        st.session_state["run"] = run
        with top:
            projector_switch(pages)
        if run is not None:
            with lesson, guarded("lesson"):
                show_lesson(run, here.id, first=None if page.url_path else line)
        with st.container(key="page"), guarded("page"):
            page.run()
        with line:
            address.keep_history()
