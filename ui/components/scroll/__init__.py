"""Scrolls a wide figure to a place in it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_mount = st.components.v2.component(
    "attention_lab_scroll",
    html="<span></span>",
    js=(Path(__file__).with_name("scroll.js")).read_text(encoding="utf-8"),
)


def scroll_to(figure_key: str, place: float | None, *, room: float = 120.0, key: str) -> None:
    """Bring a place of the figure shown as `figure_key` into view; nothing moves where it is.

    Parameters
    ----------
    place : pixels from the left end of the figure; None leaves it as it is.
    room : pixels that must be in view to the right of it.
    """
    with st.container(height=1, border=False):
        _mount(key=key, data={"key": figure_key, "place": place, "room": room}, height=1)
