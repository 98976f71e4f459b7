"""A figure in another page, ``?embed=true``: the picture and its finding, without what is around.

Streamlit itself leaves out its menu then, and reads the theme: ``embed_options=dark_theme``.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from .words import say

STYLE = Path(__file__).with_suffix(".css")


def embed_style() -> None:
    """Leave out the frame, where the page is embedded."""
    if st.context.is_embedded:
        st.html(STYLE)


def embed_link() -> None:
    """The way out of the other page: the same address as a page of its own."""
    if st.context.is_embedded:
        asked = {name: st.query_params.get_all(name) for name in st.query_params}
        where = f"?{urlencode(asked, doseq=True)}"
        with st.container(key="embed"):
            st.link_button(say("embed-open"), where, icon=":material/open_in_new:", type="tertiary")
