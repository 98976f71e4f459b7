"""A figure in another page, ``?embed=true``: the picture and its finding, without what is around.

Streamlit itself leaves out its menu then, and reads the theme: ``embed_options=dark_theme``.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from . import address
from .words import say

STYLE = Path(__file__).with_suffix(".css")


def embed_style() -> None:
    if st.context.is_embedded:
        st.html(STYLE)


def embed_link() -> None:
    """The same address as a page of its own."""
    if st.context.is_embedded:
        with st.container(key="embed"):
            st.link_button(
                say("embed-open"), address.query(), icon=":material/open_in_new:", type="tertiary"
            )
