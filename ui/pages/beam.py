"""The search for the translation: its tree, its outcomes, and what went wrong in it."""

from __future__ import annotations

import streamlit as st

from ui.beam import hypotheses, methods, sweep, tree, verdict
from ui.beam.scene import make_scene, write_address
from ui.controls import beam_view_switch
from ui.panels import translation_panel
from ui.state import View
from ui.words import page_text

VIEWS = {
    "tree": tree.show,
    "hypotheses": hypotheses.show,
    "methods": methods.show,
    "width": sweep.show,
    "errors": verdict.show,
}


def show(view: View) -> None:
    translation_panel(view.translation, view.translator.card.languages)
    look = beam_view_switch()
    scene = make_scene(view)
    VIEWS[look](scene)
    write_address(scene)
    st.markdown(page_text(f"beam_{look}"))


if (current := st.session_state.get("view")) is not None:
    show(current)
