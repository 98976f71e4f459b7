"""Words of the field, in both languages."""

from __future__ import annotations

import streamlit as st

from ui.glossary import show
from ui.panels import checkpoint_footer

show()
run = st.session_state.get("run")
if run is not None:
    checkpoint_footer(run.translator.card)
