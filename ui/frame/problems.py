"""Messages of a model that refuses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from model import CheckpointError, ModelError, list_checkpoints

from .messages import as_sentence, plain, say


@contextmanager
def telling(instead: str = "") -> Iterator[None]:
    """Tell why a model refused, and `instead` if given, and go on with the page."""
    try:
        yield
    except ModelError as error:
        show_problem(error)
        if instead:
            st.caption(say(instead))


def show_problem(error: ModelError) -> None:
    """Draw the error's message and hint."""
    message = plain(as_sentence(say(error.message)), 1200)
    hint = f"  \n{plain(say(error.hint))}" if error.hint else ""
    if isinstance(error, CheckpointError) and len(list_checkpoints()) > 1:
        hint += f"  \n{say('other-checkpoints')}"
    st.error(message + hint, icon=":material/error:")
