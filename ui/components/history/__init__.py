"""Makes the browser's Back undo step by step, with buttons to undo and to copy the link."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import streamlit as st

from .. import style

_HERE = Path(__file__).resolve().parent

_mount = st.components.v2.component(
    "attention_lab_history",
    html=(_HERE / "history.html").read_text(encoding="utf-8"),
    css=style(_HERE, "history"),
    js=(_HERE / "history.js").read_text(encoding="utf-8"),
)


def watch_history(
    texts: Sequence[str],
    *,
    watched: bool,
    words: Mapping[str, str],
    on_watched: Callable[[], None],
) -> None:
    """An entry in the history for each act of the reader that changes the address.

    What one act changes is one entry, and so is what follows within a second.
    """
    _mount(
        key="history",
        data={"texts": list(texts), "watched": watched, "words": dict(words)},
        on_watched_change=on_watched,
    )
