"""Embedding of a view in another page, ``?embed=true``: only the picture and its finding.

Streamlit hides its own menu then and takes the theme from ``embed_options=dark_theme``.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ..frame import address
from ..frame.messages import say

STYLE = Path(__file__).with_suffix(".css")


def embed_style() -> None:
    if st.context.is_embedded:
        st.html(STYLE)


def embed_link() -> None:
    """Draw a link to the same address as a full page."""
    if st.context.is_embedded:
        with st.container(key="embed"):
            st.link_button(
                say("embed-open"), address.query(), icon=":material/open_in_new:", type="tertiary"
            )
