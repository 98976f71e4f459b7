"""Note for a session that is not admitted yet; it asks again by itself."""

from __future__ import annotations

import streamlit as st

from ..frame import admission
from ..frame.admission import this_session
from ..frame.messages import say
from ..kit.controls import button
from ..kit.layout import note

TRY_AGAIN = 10.0  # seconds between two requests for admission


def is_let_in() -> bool:
    """Return True if this session is admitted; otherwise draw a note that asks again by itself.

    A session that was admitted once stays in, even if its connection breaks for a while.
    """
    was_in = "let_in" in st.session_state
    if admission.queues().admission.come_in(this_session(), was_in=was_in):
        st.session_state["let_in"] = True
        return True
    # A fragment with a clock of its own: waiting sessions rerun nothing else.
    st.fragment(_full, run_every=TRY_AGAIN)(admission.queues().admission.places)
    return False


def _full(places: int) -> None:
    st.title(say("app-title"), anchor=False)
    note("door-full", "groups", n=places)
    if button("door_again", words="door-again") or admission.queues().admission.come_in(
        this_session()
    ):
        st.rerun()
