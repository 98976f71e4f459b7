"""Box for a file of the reader, whose content leaves the box as soon as it is taken."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui.frame.messages import current_words, say


def file_box(key: str, words: str, most_mb: int, take: Callable[[str, bytes], None]) -> None:
    """Draw a box for a file; `take` gets its name and content, then the page is drawn anew.

    Parameters
    ----------
    key : prefix of the box's key in the session.
    words : id of its label; its help is ``<words>-help``, if there is one.
    most_mb : size that the box accepts.
    """
    state = st.session_state
    say_words = current_words()
    drops = f"{key}_drops"
    file = st.file_uploader(
        say(words),
        # A number for each file, as only a new box is empty.
        key=f"{key}_{state.setdefault(drops, 0)}",
        max_upload_size=most_mb,
        help=say_words(f"{words}-help") if say_words.has(f"{words}-help") else None,
    )
    if file is None:
        return
    take(file.name, file.getvalue())
    state[drops] += 1
    context = get_script_run_ctx()
    # The manager is private to Streamlit; without this the file stays in memory for the session.
    if context is not None and hasattr(context.uploaded_file_mgr, "remove_file"):
        context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)
    st.rerun()
