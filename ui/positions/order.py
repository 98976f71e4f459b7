"""Being written."""

from __future__ import annotations

import streamlit as st

from ui.state import View


def show(view: View) -> None:
    st.write("order")
