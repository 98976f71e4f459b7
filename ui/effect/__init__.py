"""What a change of the model's run does to one translation, beside the plain run."""

from __future__ import annotations

import streamlit as st

from records import Intervention
from ui.guard import guarded
from ui.kit.blocks import note
from ui.state import Run

from .attention import show_attention
from .outputs import both_outputs, show_notes
from .reading import effect_of, reading_of
from .tokens import show_log_probs, show_next_tokens


def show_effect(run: Run, change: Intervention, *, key: str, **where: int | str) -> None:
    """Draw what `change` does to the sentence on screen, in words, numbers and attention."""
    if not change:
        note("masks-effect-none", "tune")
        return
    above = st.container()
    with guarded(key):
        # Needs no search, so it is there while the search is still running.
        show_attention(run, reading_of(run, change), key=key, **where)
        with above:
            effect = effect_of(run, change)
            st.markdown(both_outputs(run, effect))
            show_notes(run, effect)
            show_log_probs(run, effect, key=key)
            show_next_tokens(run, effect, key=key)
