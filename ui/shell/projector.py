"""Presentation mode: no sidebar, one bar on top, large type, and the figure as large as fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ..frame.choices import SWITCH, peek_choice
from ..frame.messages import say
from ..kit.controls import button, toggle, unlike

KEY = "projector"
STYLE = Path(__file__).with_name("projector.css")
STEPS = {"back": -1, "next": 1}
"""Arrows of the bar: by how many views each goes on."""
ICONS = {"back": "arrow_back_ios_new", "next": "arrow_forward_ios"}


def presents() -> bool:
    """Return True in presentation mode, where a figure has the width of the screen."""
    return bool(st.session_state.get(KEY, False))


def projector_switch() -> bool:
    """Draw the switch in the sidebar and return True if the mode is on.

    The browser scales the page and its figure (``components/frame/frame.js``).
    """
    with st.sidebar:
        return toggle(KEY, words="projector", form=SWITCH)


def projector_bar(
    pages: Mapping[str, Any], page: str, view_key: str, views: Sequence[str]
) -> DeltaGenerator:
    """Draw the bar: the menu of pages, arrows between the `views`, and the button to leave.

    Returns
    -------
    DeltaGenerator
        Place for further buttons between the arrows and the last button.
    """
    st.html(STYLE)
    with st.container(horizontal=True, key="projector_row", gap="small", width="content"):
        chosen = _page_menu(list(pages), page)
        if len(views) > 1:
            _view_arrows(view_key, tuple(views))
        further = st.container(horizontal=True, key="projector_more", gap="small", width="content")
        button(
            "projector_leave",
            turn_projector,
            words="projector-leave",
            icon="close_fullscreen",
        )
    if chosen != page:
        st.switch_page(pages[chosen])
    return further


def _page_menu(pages: list[str], page: str) -> str:
    # A key for each page, so that the box shows the page after a switch by other means.
    key = f"projector_from_{page}"
    return st.selectbox(
        say("projector-page"),
        pages,
        pages.index(page),
        key=key,
        format_func=unlike(key, pages, lambda name: say(f"page-{name}")),
        label_visibility="collapsed",
        width=272,
    )


def _view_arrows(key: str, views: tuple[str, ...]) -> None:
    for name, step in STEPS.items():
        button(
            f"projector_{name}",
            _turn_view,
            key,
            views,
            step,
            words=f"projector-{name}",
            icon=ICONS[name],
        )


def _turn_view(key: str, views: Sequence[str], step: int) -> None:
    """Open the next view of the page, after the last one the first (for callbacks)."""
    # The tabs may have changed the view since the bar was drawn.
    here = views.index(peek_choice(key, views, views[0]))
    st.session_state[key] = views[(here + step) % len(views)]


def turn_projector() -> None:
    """Toggle the presentation mode (for callbacks)."""
    st.session_state[KEY] = not st.session_state.get(KEY, False)
