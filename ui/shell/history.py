"""Buttons for undo and copy link, and the browser history of a reader's acts."""

from __future__ import annotations

import streamlit as st

from ..components.history import watch_history
from ..frame.address import leave
from ..frame.choices import TYPED, WATCHED, write_waiting
from ..frame.messages import say


@st.fragment
def keep_history() -> None:
    """Draw the buttons for undo and copy link; the browser records each change as one step."""
    leave()
    words = {name: say(f"link-{name}") for name in ("undo", "copy", "copied")}
    watched = WATCHED in st.session_state
    watch_history(TYPED, watched=watched, words=words, on_watched=_watched)
    if WATCHED in st.session_state:
        write_waiting()


def _watched() -> None:
    st.session_state[WATCHED] = True
