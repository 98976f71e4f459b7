"""Projector view: no sidebar, one bar on top, and the picture as large as the screen allows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from ..frame.address import SWITCH
from ..frame.messages import say
from ..kit.controls import button, toggle

KEY = "projector"
STYLE = Path(__file__).with_name("projector.css")


def projector_switch(pages: Mapping[str, Any], page: str) -> bool:
    """Draw the switch in the sidebar and, if it is on, a bar to change pages and to leave.

    The browser chooses the scale (``components/frame/frame.js``).
    """
    with st.sidebar:
        on = toggle(KEY, words="projector", form=SWITCH)
    if on:
        st.html(STYLE)
        with st.container(horizontal=True, key="projector_row", gap="small", width="content"):
            # A key for each page, so that the box shows the page after a switch by other means.
            chosen = st.selectbox(
                say("projector-page"),
                list(pages),
                list(pages).index(page),
                key=f"projector_from_{page}",
                format_func=lambda name: say(f"page-{name}"),
                label_visibility="collapsed",
                width=190,
            )
            button(
                "projector_leave",
                turn_projector,
                words="projector-leave",
                icon="close_fullscreen",
            )
        if chosen != page:
            st.switch_page(pages[chosen])
    return on


def turn_projector() -> None:
    """Toggle the projector view (for callbacks)."""
    st.session_state[KEY] = not st.session_state.get(KEY, False)
