"""Error boundaries: a part that cannot be drawn says so, and the rest of the page stands.

with guarded("panel"):
    run_panel(run)

fragment(_steps)(scene, figures)
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import streamlit as st
from streamlit.delta_generator_singletons import context_dg_stack

from ..frame import address
from ..frame.problems import telling
from ..frame.style import look_as_page
from .controls import button
from .layout import apart, warning

LOGGER = logging.getLogger(__name__)
START = "attention"
"""Page that the reader is sent back to after an error."""


@contextmanager
def guarded(part: str) -> Iterator[None]:
    """Guard a part of a page: tell a `ModelError`, log any other exception.

    An unexpected exception is logged with its traceback and the address. Streamlit ends a run, on
    the next click for instance, by a BaseException, which passes through.
    """
    try:
        with telling():
            yield
    except Exception:
        LOGGER.exception("could not draw the %s of %s", part, address.here())
        _mishap(part)


def fragment(
    draw: Callable[..., None], *, key: str | None = None, run_every: float | None = None
) -> Callable[..., None]:
    """Wrap `draw` as `st.fragment`, guarded: a click in it redraws it alone.

    With `run_every` it is also redrawn by itself, after so many seconds.
    """

    @wraps(draw)
    def draw_guarded(*args: Any, **kwargs: Any) -> None:
        # A fragment runs outside app.py, so its set-up is repeated here.
        address.leave()
        look_as_page()
        with apart(), guarded(draw.__name__.strip("_")):
            draw(*args, **kwargs)

    declare = st.fragment(draw_guarded, key=key, run_every=run_every)

    @wraps(draw)
    def declare_in_innermost(*args: Any, **kwargs: Any) -> None:
        with _innermost_container():
            declare(*args, **kwargs)

    return declare_in_innermost


@contextmanager
def _innermost_container() -> Iterator[None]:
    """Let Streamlit see only the page and the innermost open container, which is drawn into.

    A fragment copies all of them, each with every container around it, whenever it runs: a third
    of what a click on a head cost the server. Streamlit has no public call for the stack.
    """
    page, *containers = context_dg_stack.get()
    # A stack of the innermost alone would stand for the page itself.
    token = context_dg_stack.set((page, *containers[-1:]))
    try:
        yield
    finally:
        context_dg_stack.reset(token)


def _mishap(part: str) -> None:
    with st.container(key=f"mishap_{part}", gap="small"):
        warning("mishap", "report")
        with st.container(horizontal=True, gap="small"):
            again = button(f"mishap_again_{part}", words="mishap-again", icon="refresh")
            start = button(f"mishap_start_{part}", words="mishap-start", icon="home")
    if start:
        address.go(START, {})
    if again or start:
        st.rerun()
