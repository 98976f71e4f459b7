"""First line of every page: title and subtitle."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import unquote, urlsplit

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ..frame.address import is_arriving
from ..frame.messages import plain, say
from ..kit.layout import warning


def heading(page: str) -> DeltaGenerator:
    """Draw the title of the page and one sentence on it; set the title of the browser tab.

    Parameters
    ----------
    page : the id of the page.

    Returns
    -------
    DeltaGenerator
        The line, for more elements in it.
    """
    title = say("page-title", page=say(f"page-{page}"), app=say("app-title"))
    st.set_page_config(page_title=title)
    line = st.container(key="heading", horizontal=True, vertical_alignment="center", gap="small")
    with line:
        st.title(say(f"page-{page}"), anchor=False, width="content")
        st.caption(say(f"subtitle-{page}"), width="content")
    return line


def unknown_page(pages: Collection[str]) -> str:
    """Return the path in the address if no page has it, else an empty string.

    Streamlit shows the first page then, and leaves the address as it is.

    Parameters
    ----------
    pages : the ids of all pages.
    """
    # The app may be served below a base path.
    base = st.get_option("server.baseUrlPath").strip("/")
    path = unquote(urlsplit(st.context.url or "").path).strip("/").removeprefix(base).strip("/")
    return "" if path in pages else path


def page_warning(page: str, pages: Collection[str]) -> None:
    """Warn that the address names a page that does not exist, and say which page is shown."""
    path = unknown_page(pages)
    if path and not is_arriving():
        title = say(f"page-{page}")
        warning("page-unknown", "link_off", asked=plain(path, 40), shown=title)
