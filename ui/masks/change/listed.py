"""What is changed, in words, each with a button that takes it back; and the causal mask."""

from __future__ import annotations

import streamlit as st

from records import Intervention, LiftedMask
from ui.masks.built import address_faults, can_undo, entries_of, set_change, undo
from ui.state import Run
from ui.words import plain, say

MOST_LISTED = 6


def changes_list(run: Run, change: Intervention) -> None:
    """Every change as a button that takes it back."""
    for fault in address_faults():
        st.warning(plain(fault, 600), icon=":material/link_off:")
    entries = entries_of(run, change)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(say("masks-change-count", n=len(entries)))
        st.button(
            say("masks-change-undo"),
            key="change_undo",
            icon=":material/undo:",
            disabled=not can_undo(run),
            on_click=undo,
            args=(run,),
            help=say("masks-change-undo-help"),
        )
        st.button(
            say("masks-change-undo-all"),
            key="change_clear",
            icon=":material/restart_alt:",
            disabled=not entries,
            on_click=set_change,
            args=(run, Intervention()),
        )
    if not entries:
        return
    with st.container(gap=None, height=200 if len(entries) > MOST_LISTED else "content"):
        for number, entry in enumerate(entries):
            st.button(
                entry.text,
                key=f"change_remove_{number}",
                icon=":material/close:",
                type="tertiary",
                on_click=set_change,
                args=(run, entry.without),
            )


def causal_toggle(run: Run, change: Intervention) -> None:
    st.session_state["change_causal"] = change.causal
    st.toggle(
        say("masks-change-causal"),
        key="change_causal",
        on_change=_take_causal,
        args=(run, change),
        help=say("masks-change-causal-help"),
    )


def _take_causal(run: Run, change: Intervention) -> None:
    lifted = () if st.session_state["change_causal"] else (LiftedMask(),)
    set_change(run, change.replaced(LiftedMask, *lifted))
