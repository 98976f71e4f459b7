"""Models opened by path, for one session and only on the reader's own computer.

On a server a path would disclose which files exist there.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

from core.card import Outline
from model import CheckpointError, ModelError
from model.io.checkpoint import FOLDER_VARIABLE, typed_path
from model.io.formats import formats
from words import Message

from ..frame import choices
from ..frame.checkpoints import OPENED, open_checkpoint, opened
from ..frame.choices import arrives
from ..frame.messages import say
from ..frame.problems import show_problem
from ..frame.state import get_translator
from ..kit.layout import caption

PATH = "open_path"
_REQUESTED = "open_requested"
"""Session key: the path that was typed, until it is opened."""
_REFUSED = "open_refused"
"""Session key: the error of a path that cannot be opened."""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
# Headers of proxies: a forwarded request does not come from this computer.
_PASSED_ON = ("forwarded", "via", "x-forwarded", "x-real-ip")


def on_localhost() -> bool:
    """Return True if server address, host and origin are all loopback, without a proxy."""
    headers = st.context.headers
    hosts = (f"//{headers.get('Host', '')}", headers.get("Origin", ""))
    passed_on = any(name.lower().startswith(_PASSED_ON) for name in headers)
    # Origin as well as Host: a page of another site may send requests to localhost.
    served = {st.get_option("server.address"), *(urlsplit(host).hostname for host in hosts)}
    return not passed_on and served <= LOOPBACK


def open_requested() -> None:
    """Open the path that was typed, or that the address names."""
    state = st.session_state
    path = state.pop(_REQUESTED, "").strip()
    if not path and arrives("checkpoint"):
        path = choices.read("checkpoint", choices.OPTION) or ""
        # A UNC path would be looked up on another computer, which learns of the reader that way.
        path = path if Path(path).is_absolute() and path[:2] not in ("//", "\\\\") else ""
    if not path or path in opened() or not on_localhost():
        return
    try:
        path = os.path.abspath(typed_path(path))
        reader = get_translator(path)
    except (ModelError, OSError) as error:
        message = Message.of("format-unread", name=repr(path), error=str(error))
        state[_REFUSED] = error if isinstance(error, ModelError) else CheckpointError(message)
        return
    outline = Outline(
        path,
        reader.card.architecture,
        languages=reader.card.languages,
        capabilities=reader.capabilities,
        title=reader.card.title,
    )
    state[OPENED] = {**opened(), path: outline}
    open_checkpoint(path)


def open_menu() -> None:
    """Draw the text box for a path."""
    if on_localhost():
        with st.popover(say("open-model"), icon=":material/folder_open:", width="stretch"):
            st.text_input(
                say("open-path"), key=PATH, placeholder=say("open-path-none"), on_change=_request
            )
            caption("open-path-told", formats=", ".join(format.name for format in formats()))
            if os.environ.get(FOLDER_VARIABLE):
                caption("open-path-alone", variable=FOLDER_VARIABLE)


def _request() -> None:
    st.session_state[_REQUESTED] = st.session_state[PATH]


def tell_refused() -> bool:
    """Tell why a path was not opened; return True if there was such a path."""
    if error := st.session_state.pop(_REFUSED, None):
        show_problem(error)
    return error is not None
