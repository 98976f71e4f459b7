"""Frame and router of the app: shared choices, the menu of pages, and the page that is open."""

from __future__ import annotations

import streamlit as st

from ui.architecture import show_map
from ui.components.frame import frame
from ui.frame import address
from ui.frame.admission import page_turn
from ui.frame.messages import current_words, say
from ui.frame.run import SHOWN
from ui.frame.state import current_run
from ui.frame.style import look_as_page, style_page
from ui.kit.guard import guarded
from ui.pages import menu, menu_page, page_of
from ui.pages.lessons.book import current_progress
from ui.pages.lessons.strip import show_lesson
from ui.shell.embed import embed_link, embed_style
from ui.shell.full_house import is_let_in
from ui.shell.heading import heading, page_warning, unknown_page
from ui.shell.history import keep_history
from ui.shell.inputs import frame_choices, model_menu
from ui.shell.language import language_switch, language_warning, settle_language
from ui.shell.moved import follow, moved_note
from ui.shell.panels import name_shown_model
from ui.shell.projector import projector_bar, projector_switch, turn_projector
from ui.shell.views import hand_over, page_on

FIRST = "attention"

# Without a title: each page has its own.
# The sidebar's width in pixels: the picture has to fit beside it at 1280 x 800.
st.set_page_config(layout="wide", initial_sidebar_state=256)
style_page()
embed_style()
settle_language()
look_as_page()


# Streamlit serves its default page under the empty path only, whatever path it is given.
pages = {
    here.id: menu_page(here.id, "" if here.id == FIRST else here.id, default=here.id == FIRST)
    for group in menu().values()
    for here in group
}
groups = {say(f"group-{id}"): [pages[here.id] for here in group] for id, group in menu().items()}
unknown = unknown_page(pages)
# Without a page at these paths Streamlit opens a dialog of its own, in English.
others = [path for path in (FIRST, unknown) if path and "/" not in path]
groups[say("group-attention")] += [menu_page(FIRST, path, visibility="hidden") for path in others]
page = st.navigation(groups, expanded=True)
here = page_of(page.url_path if page.url_path in pages else FIRST)
follow(unknown or here.id)
# Admission comes before any model is loaded: a waiting session must cost nothing.
if is_let_in():
    with page_turn(whole=True), guarded("frame"), address.arriving(pages, here.id):
        line = heading(here.id)
        language_warning()
        page_warning(here.id, pages)
        moved_note(here.id)
        lesson = st.container()
        with st.sidebar:
            language_switch()
        with st.container(key="sentence"):
            # The bar is drawn above the sentence but filled after it: its switch needs the run.
            bar = st.container()
            opened = model_menu()
            open_page = page_on(here, opened)
            choices = frame_choices(
                open_page.checkpoint,
                opened=opened,
                reads=open_page.reads,
                page=here.id,
                room=here.sentence_room if current_progress().lesson is None else "",
            )
            run = current_run(choices)
        open_page = hand_over(open_page, run)
        model_line = st.sidebar.container(key="model_shown")
        on_projector = projector_switch()
        tools = line
        if on_projector:
            with bar:
                tools = projector_bar(
                    pages, here.id, here.key, tuple(view.id for view in open_page.views)
                )
        if run is not None:
            with lesson, guarded("lesson"):
                first = tools if here.id == FIRST or on_projector else None
                show_lesson(run, here.id, first=first, slides=on_projector)
        # The page names the model that it shows anew; a stale name would light the wrong map.
        st.session_state.pop(SHOWN, None)
        with st.container(key="page"), guarded("page"):
            page.run()
        embed_link()
        if run is not None:
            with line:
                if here.id != FIRST:
                    show_map(run, here.id)
            with model_line:
                name_shown_model(st.session_state.get(SHOWN, run.translator))
        with tools:
            keep_history()
        languages = run and run.translator.card.languages
        frame(
            current_words().language,
            languages,
            projector=on_projector,
            full=say("full-screen"),
            on_key=turn_projector,
        )
    # A run may hold a recording, and module globals would keep it alive after the session.
    run = None
