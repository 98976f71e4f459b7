"""Where a token stands: the encoding of positions, why it is needed, and what the model does."""

from __future__ import annotations

import streamlit as st

from ui.controls import position_view_switch
from ui.panels import translation_panel
from ui.positions import encoding, heads, model, order
from ui.state import Run
from ui.words import page_text

VIEWS = {
    "encoding": encoding.show,
    "order": order.show,
    "model": model.show,
    "heads": heads.show,
}


def show(run: Run) -> None:
    translation_panel(run.translation, run.translator.card.languages)
    lab(run)


@st.fragment
def lab(run: Run) -> None:
    """Everything below the translation; a click in it draws no more than this anew."""
    look = position_view_switch()
    VIEWS[look](run)
    st.markdown(page_text(f"positions_{look}"))


if (current := st.session_state.get("run")) is not None:
    show(current)
