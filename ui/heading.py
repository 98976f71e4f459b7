"""The first line of every page: what this is."""

from __future__ import annotations

import streamlit as st

from .words import say


def heading(page: str) -> None:
    """The title of the page, in the browser's tab too, and one sentence on the app.

    Parameters
    ----------
    page : the id of the page.
    """
    app = say("app-title")
    st.set_page_config(page_title=say("page-title", page=say(f"page-{page}"), app=app))
    with st.container(key="heading", horizontal=True, vertical_alignment="center", gap="small"):
        st.title(say(f"heading-{page}", app=app), anchor=False, width="content")
        st.caption(say("app-sentence"), width="content")
