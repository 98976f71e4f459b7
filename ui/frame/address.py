"""Address of a page: where the reader is, and links from one view of the app to another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

PAGES = Path(__file__).resolve().parent.parent / "pages"
LANGUAGE = "lang"
"""Query parameter of the page's language, kept when `go` replaces all others."""
_GOING = "address_going"
"""Session key: page and values that `go` asked for."""
_ARRIVING = "address_arriving"
"""Session key: present in the run that `go` leads to."""
_PAGE = "address_page"
IN_BODY = "address_in_body"
"""Session key: True while the page is drawn, below the frame."""


def here() -> str:
    """Return the path and query of this run, as the address spells them."""
    return f"/{st.session_state.get(_PAGE, '')}{query()}"


def query() -> str:
    """Return the query string of the address, with its ``?``."""
    values = {name: st.query_params.get_all(name) for name in st.query_params}
    return f"?{urlencode(values, doseq=True)}"


def by_history() -> bool:
    """Return True if the reader went back or forth, or followed a link of the app.

    The address then decides what is shown, not the session. Streamlit knows about navigation by
    history (https://github.com/streamlit/streamlit/pull/16998) but has no public call for it.
    """
    context = get_script_run_ctx()
    # is_history_navigation is private to Streamlit; see the docstring.
    went_back = context is not None and context.is_history_navigation
    return went_back or is_arriving()


def is_arriving() -> bool:
    """Return True in the run that `go` leads to; its URL may still be the previous one."""
    return _ARRIVING in st.session_state


def go(page: str, values: Mapping[str, str]) -> None:
    """Make the next run show the view of a link, whatever the session has chosen (for callbacks).

    As after the Back button, every value is read from the address, and names that are not in
    `values` return to their defaults.

    Parameters
    ----------
    page : name of a folder in ``ui/pages/``.
    values : spelt values by name.

    Raises
    ------
    ValueError : there is no such page.
    """
    if not (PAGES / page / "page.py").is_file():
        raise ValueError(f"there is no page {page!r}")
    along = {LANGUAGE: st.query_params[LANGUAGE]} if LANGUAGE in st.query_params else {}
    st.session_state[_GOING] = page, {**along, **values}


def leave() -> None:
    """Rerun the whole script after `go`, if only a fragment is being drawn.

    The fragment's run may be interrupted by that of another fragment, so each one calls this.
    """
    context = get_script_run_ctx()
    if _GOING in st.session_state and context is not None and context.fragment_ids_this_run:
        st.rerun()


@contextmanager
def arriving(pages: Mapping[str, Any], page: str) -> Iterator[None]:
    """Perform the navigation that `go` asked for; wraps everything that draws `page`.

    Streamlit switches pages only outside callbacks, so the run after the callback does it. A run
    that is interrupted on the way is repeated.
    """
    state = st.session_state
    state[_PAGE] = page
    state[IN_BODY] = False  # a body may have been left half-way
    if _GOING in state:
        page, values = state.pop(_GOING)
        state[_ARRIVING] = True
        st.switch_page(pages[page], query_params=values)
    # No `finally`: a rerun raised by Streamlit is no Exception and must keep the mark.
    try:
        yield
    except Exception:
        state.pop(_ARRIVING, None)
        raise
    state.pop(_ARRIVING, None)
