"""The way to the head where a mask matters most."""

from __future__ import annotations

import numpy as np
import streamlit as st

from analysis.measures import strongest_head
from ui.words import head_name, say
from words import numbers


def open_best(key: str, per_head: np.ndarray, shown: tuple[int, int]) -> None:
    """A button to the head with the largest number, where another one is open.

    `key` is that of the `ui.kit.blocks.head_picker`; ``masks-<key>-best`` says what is largest.
    """
    best = strongest_head(per_head)
    if best != shown and per_head[best] > 0:
        words = f"masks-{key.replace('_', '-')}-best"
        st.button(
            say(words, head=head_name(*best), share=numbers.fixed(per_head[best])),
            key=f"{key}_best",
            icon=":material/arrow_forward:",
            on_click=_open,
            args=(key, *best),
        )


def _open(key: str, layer: int, head: int) -> None:
    st.session_state[f"{key}_layer"] = layer
    st.session_state[f"{key}_head"] = head
