"""What the page around the figures needs of the browser: languages, keys and themes.

    with foreign("de", key="translation"):
        st.markdown(...)

A screen reader changes its voice inside `foreign`. That, and the rest, is done by one component
that `frame` mounts once a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from .. import component

_mount = component("frame")

# Boxes for text in the language that the model reads, and in the one it writes, by their keys.
_SOURCE = ("text", "second", "seen_second", "order_text", "order_typed", "lineage_more")
_TARGET = ("begin_box", "reference", "seen_target", "lineage_reference")


def frame(
    language: str,
    model: tuple[str, str] | None,
    *,
    projector: bool,  # fit the first picture into the screen
    on_key: Callable[[], None],
) -> None:
    """Mount the component; the page is drawn anew when its theme changes."""
    source, target = map(language_code, model or ("", ""))
    typed = {**dict.fromkeys(_SOURCE, source), **dict.fromkeys(_TARGET, target)}
    with st.container(key="frame"):
        # The trigger itself says nothing that the next run does not know.
        _mount(
            key="frame_watch",
            data={"language": language, "typed": typed, "projector": projector},
            height=1,
            on_theme_change=lambda: None,
            on_projector_change=on_key,
        )


def foreign(language: str, *, key: str, **how: Any) -> DeltaGenerator:
    """A container for text in a language that need not be the page's."""
    return st.container(key=f"lang_{language_code(language)}_{key}", **how)


def language_code(language: str) -> str:
    """What may stand as a ``lang``; "und" for what is no code of a language."""
    return language if re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*", language) else "und"
