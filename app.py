"""The frame of the attention lab: shared choices, the pages, and what the model is."""

from __future__ import annotations

import streamlit as st

from ui.controls import frame_choices
from ui.panels import checkpoint_footer
from ui.state import current_run, style_page

st.set_page_config(page_title="Attention lab", layout="wide", initial_sidebar_state=256)
style_page()

page = st.navigation(
    [
        st.Page("ui/pages/attention.py", title="Attention", url_path="attention", default=True),
        st.Page("ui/pages/beam.py", title="Beam search", url_path="beam"),
        st.Page("ui/pages/masks.py", title="Masks", url_path="masks"),
        st.Page("ui/pages/positions.py", title="Positions", url_path="positions"),
    ]
)
run = current_run(frame_choices())
st.session_state["run"] = run
page.run()
if run is not None:
    checkpoint_footer(run.translator.card)
