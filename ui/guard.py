"""What could not be drawn says so in our words, with a way back, and leaves the rest standing.

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

from . import address
from .kit.controls import button
from .kit.layout import apart, warning
from .state import look_as_page, telling

LOGGER = logging.getLogger(__name__)
START = "attention"
"""The page to go back to."""


@contextmanager
def guarded(place: str) -> Iterator[None]:
    """Around what draws a part of a page: what a model refuses is told, all else is a mishap.

    A mishap is logged with its traceback and the address. What ends a run of Streamlit, as the next
    click does, is no `Exception` and passes through.
    """
    try:
        with telling():
            yield
    except Exception:
        LOGGER.exception("could not draw the %s of %s", place, address.here())
        _mishap(place)


def fragment(draw: Callable[..., None], **how: Any) -> Callable[..., None]:
    """As `st.fragment`, guarded: a click in it draws it alone, outside of what is around it."""

    @wraps(draw)
    def part(*args: Any, **named: Any) -> None:
        address.leave()
        look_as_page()
        with apart(), guarded(draw.__name__.strip("_")):
            draw(*args, **named)

    return st.fragment(part, **how)


def _mishap(place: str) -> None:
    with st.container(key=f"mishap_{place}", gap="small"):
        warning("mishap", "report")
        with st.container(horizontal=True, gap="small"):
            again, start = (
                button(f"mishap_{way}_{place}", words=f"mishap-{way}", icon=icon)
                for way, icon in (("again", "refresh"), ("start", "home"))
            )
    if start:
        address.go(START, {})
    if again or start:
        st.rerun()
