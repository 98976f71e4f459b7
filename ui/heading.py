"""The first line of every page: what this is."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from .words import say


def heading(page: str) -> DeltaGenerator:
    """The title of the page, in the browser's tab too, and one sentence on the app.

    Parameters
    ----------
    page : the id of the page.

    Returns
    -------
    The line, for what else is to stand in it.
    """
    app = say("app-title")
    st.set_page_config(page_title=say("page-title", page=say(f"page-{page}"), app=app))
    line = st.container(key="heading", horizontal=True, vertical_alignment="center", gap="small")
    with line:
        st.title(say(f"heading-{page}", app=app), anchor=False, width="content")
        st.caption(say("app-sentence"), width="content")
    return line
