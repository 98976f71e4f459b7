"""What the model may see: its masks, and what happens when somebody changes them."""

from __future__ import annotations

import streamlit as st

from ui import address
from ui.controls import mask_view_switch
from ui.masks import change, explain, knockout, pronoun, seen, trace
from ui.panels import translation_panel
from ui.state import Run
from ui.words import page_text

VIEWS = {
    "seen": seen.show,
    "change": change.show,
    "knockout": knockout.show,
    "pronoun": pronoun.show,
    "trace": trace.show,
    "explain": explain.show,
}


def show(run: Run) -> None:
    translation_panel(run.translation, run.translator.card.languages)
    lab(run)


@st.fragment
def lab(run: Run) -> None:
    """Everything below the translation; a click in it draws no more than this anew."""
    address.begin()
    look = mask_view_switch()
    VIEWS[look](run)
    st.markdown(page_text(f"masks_{look}"))
    address.tidy()


if (current := st.session_state.get("run")) is not None:
    show(current)
