"""Makes the browser's Back go from step to step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

_mount = st.components.v2.component(
    "attention_lab_history",
    html="<span></span>",
    js=(Path(__file__).with_name("history.js")).read_text(encoding="utf-8"),
)


def watch_history(
    steps: Sequence[str], texts: Sequence[str], *, watched: bool, on_watched: Callable[[], None]
) -> None:
    """An entry in the history for each step of the reader, and for nothing else.

    Parameters
    ----------
    steps : names in the address; another value of one of them is a step, as is another page.
    texts : those of them that are typed; what follows within a moment is the same step.
    watched : the browser has said that it watches; until then `on_watched` may be called.
    """
    _mount(
        key="history",
        data={"steps": list(steps), "texts": list(texts), "watched": watched},
        on_watched_change=on_watched,
        height=1,
    )
