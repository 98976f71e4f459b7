"""The search for the translation: its tree, its outcomes, and what went wrong in it."""

from __future__ import annotations

import streamlit as st

from ui.beam import hypotheses, methods, sweep, tree, verdict
from ui.beam.scene import make_scene, write_address
from ui.controls import beam_view_switch
from ui.panels import translation_panel
from ui.state import Run
from ui.words import page_text

VIEWS = {
    "tree": tree.show,
    "hypotheses": hypotheses.show,
    "methods": methods.show,
    "width": sweep.show,
    "errors": verdict.show,
}


def show(run: Run) -> None:
    translation_panel(run.translation, run.translator.card.languages)
    look = beam_view_switch()
    scene = make_scene(run)
    VIEWS[look](scene)
    write_address(scene)
    st.markdown(page_text(f"beam_{look}"))


if (current := st.session_state.get("run")) is not None:
    show(current)
