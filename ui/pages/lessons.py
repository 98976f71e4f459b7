"""All lessons, and a sheet of them for a class."""

from __future__ import annotations

import streamlit as st

from ui.lessons.listing import show
from ui.panels import checkpoint_footer

run = st.session_state.get("run")
if run is not None:
    show(run)
    checkpoint_footer(run.translator.card)
