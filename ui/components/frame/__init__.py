"""Browser services of the page around the figures: languages, keys and themes.

    with foreign("de", key="translation"):
        st.markdown(...)

A screen reader changes its voice inside `foreign`. `frame` mounts the component once per page.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from .. import component

_mount = component("frame")

# Keys of text boxes in the source language, and in the target language.
_SOURCE = ("text", "second", "seen_second", "order_text", "order_typed", "lineage_more")
_TARGET = ("begin_box", "reference", "seen_target", "lineage_reference")


def frame(
    language: str,
    model: tuple[str, str] | None,
    *,
    projector: bool,  # large type, and the first picture fitted into the screen
    full: str,  # name of the button that shows a picture in full screen
    on_key: Callable[[], None],
) -> None:
    """Mount the component; a new theme or a new connection redraws the page."""
    source, target = map(language_code, model or ("", ""))
    typed = {**dict.fromkeys(_SOURCE, source), **dict.fromkeys(_TARGET, target)}
    with st.container(key="frame"):
        # The theme needs no handler: the next run knows it from its context.
        _mount(
            key="frame_watch",
            data={"language": language, "typed": typed, "projector": projector, "full": full},
            # One pixel: there is nothing to show.
            height=1,
            on_theme_change=lambda: None,
            on_joined_change=lambda: None,
            on_projector_change=on_key,
        )


def foreign(language: str, *, key: str, **container_kwargs: Any) -> DeltaGenerator:
    """Return a container for text in a language that may differ from the page's."""
    return st.container(key=f"lang_{language_code(language)}_{key}", **container_kwargs)


def language_code(language: str) -> str:
    """Return a valid ``lang`` attribute; "und" (undetermined) for anything else."""
    return language if re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*", language) else "und"
