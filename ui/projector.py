"""The projector view: large type, no sidebar, and the pages in a row on top instead."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from .address import SWITCH
from .kit.controls import toggle
from .words import say

_KEY = "projector"


def projector_switch(pages: Mapping[str, Any]) -> None:
    """The switch in the sidebar; where it is on, large type and a row with the `pages` by name."""
    with st.sidebar:
        on = toggle(_KEY, words="projector", form=SWITCH)
    if not on:
        return
    st.html(Path(__file__).with_name("projector.css"))
    with st.container(horizontal=True, vertical_alignment="center", key="projector_row"):
        for page in pages.values():
            st.page_link(page)
        st.button(
            say("projector-leave"),
            key="projector_leave",
            icon=":material/close_fullscreen:",
            on_click=_leave,
        )


def _leave() -> None:
    st.session_state[_KEY] = False
