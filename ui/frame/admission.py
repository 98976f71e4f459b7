"""Queues of the app: for admission, for pages, and for long measurements.

At most as many pages are computed at once as there are cores: then each takes its usual time, and
the others wait for their turn. Work that outlasts a turn moves to the queue of long measurements.
Set by the environment:

- ``ATTENTION_LAB_SESSIONS``: sessions admitted (60);
- ``ATTENTION_LAB_AT_ONCE``: pages computed at once (the number of cores);
- ``ATTENTION_LAB_LONG_AT_ONCE``: long measurements at once (half the cores, at least 2).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime import exists, get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

from model import Reader

from .fair_queue import Admission, Turns
from .messages import say

MOST_SESSIONS = 60
# Seconds after which a turn no longer counts, so that the next may begin beside it.
TURN_LASTS = 1.0
LONG_LASTS = 120.0
HEAD_START = 30.0  # seconds by which a whole page goes before clicks in a page
PATIENCE = 1.0  # seconds before a progress bar or a queue is shown


P = ParamSpec("P")
R = TypeVar("R")
_LOOKED_UP: ContextVar[dict[Any, Any] | None] = ContextVar("looked_up", default=None)


@dataclass(frozen=True)
class Queues:
    """The queues of sessions: pages, long measurements, and admission."""

    pages: Turns
    long: Turns
    admission: Admission


@cache
def queues() -> Queues:
    """Return the queues of this process."""
    return Queues(
        Turns(positive_setting("ATTENTION_LAB_AT_ONCE", cores()), TURN_LASTS),
        Turns(positive_setting("ATTENTION_LAB_LONG_AT_ONCE", max(2, cores() // 2)), LONG_LASTS),
        Admission(positive_setting("ATTENTION_LAB_SESSIONS", MOST_SESSIONS), is_connected),
    )


def positive_setting(name: str, default: int) -> int:
    """Return the positive integer in environment variable `name`, by default `default`.

    Raises ValueError for any other text.
    """
    text = os.environ.get(name, "").strip() or str(default)
    if not (text.isascii() and text.isdigit() and int(text) >= 1):
        raise ValueError(f"{name} is {text!r}, expected a whole number from 1")
    return int(text)


def cores() -> int:
    """Return the number of cores that this process may use."""
    # In a container os.cpu_count still returns all cores of the machine.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def is_connected(session: str) -> bool:
    """Return True if a session is connected; always without a server, as in tests."""
    return not exists() or get_instance().is_active_session(session)


def this_session() -> str:
    """Return the id of the session that is drawn, or an empty string."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else ""


# Turns


@contextmanager
def page_turn(*, whole: bool) -> Iterator[None]:
    """Hold the turn of this session while a page, or the part that a click redraws, is computed.

    A whole page goes first, because a reader waits longer for a sentence than for a click.
    """
    pages = queues().pages
    # Nested calls belong to the turn that is held already.
    if pages.held() is not None:
        yield
        return
    head_start = HEAD_START if whole else 0.0
    with pages.turn(this_session(), lambda _: _end_if_unwanted(), head_start=head_start):
        # A fresh dictionary for `once_a_turn`, reset with the turn.
        before = _LOOKED_UP.set({})
        try:
            yield
        finally:
            _LOOKED_UP.reset(before)


def once_a_turn(function: Callable[P, R]) -> Callable[P, R]:
    """Remember a function's results for the duration of a page's turn.

    A page looks up the same files many times, and must not see them change in between.
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        results = _LOOKED_UP.get()
        if results is None:
            return function(*args, **kwargs)
        key = (function, args, *kwargs.items())
        if key not in results:
            results[key] = function(*args, **kwargs)
        return results[key]

    return call


def interrupted() -> bool:
    """Poll of a search (``stop=``): end it if its page was asked to rerun or was closed.

    The end is an exception of Streamlit, raised through the search, so that no partial result is
    cached. Otherwise returns False. A search that outlasts its turn waits here for a place in the
    long queue.
    """
    give_way()
    pages = queues().pages
    long = queues().long
    turn = pages.held()
    if turn is not None and pages.lapsed(turn) and long.held() is None:
        with WaitingLine() as line:
            long.join(this_session(), line)
    return False


def give_way() -> None:
    """End this run if the session has asked for a newer one.

    Streamlit lets a click in a fragment wait until that fragment is drawn; long work yields to it.
    """
    _end_if_unwanted()
    context = get_script_run_ctx(suppress_warning=True)
    # _state is private to Streamlit, hence getattr: without it a click just waits.
    request = getattr(context and context.script_requests, "_state", None)
    if context and context.fragment_ids_this_run and request is ScriptRequestType.RERUN:
        st.rerun(scope="fragment")


def _end_if_unwanted() -> None:
    # Streamlit checks for a stop or rerun whenever the session state is read.
    st.session_state.get("run")


@contextmanager
def leaving_long_queue() -> Iterator[None]:
    """Compute a result that sessions share; at the end, leave the long queue if it was joined.

    A session that still held a long turn could wait for the result of another session, which itself
    waits for a turn.
    """
    try:
        yield
    finally:
        queues().long.end()


@contextmanager
def long_turn() -> Iterator[None]:
    """Hold a long turn during the block, in place of the turn of the page.

    A thread that holds a long turn already, because `interrupted` waited for it, keeps that one.
    """
    long = queues().long
    # Other pages go on while this one waits for the long queue.
    queues().pages.end()
    if long.held() is not None:
        yield
        return
    with WaitingLine() as line:
        turn = long.join(this_session(), line)
    try:
        yield
    finally:
        long.leave(turn)


@contextmanager
def interruptible_turn(model: Reader) -> Iterator[None]:
    """Hold a long turn in which all computations of `model` stop when the page moves on."""
    with long_turn(), model.asking(interrupted):
        yield


@contextmanager
def late_bar(words: str) -> Iterator[Callable[[float], None]]:
    """Draw a progress bar if the block takes longer than a second, and remove it at the end.

    Yields a function to call with the fraction done, 0 to 1; `words` is the id of the bar's text.
    """
    text = say(words)
    began = time.perf_counter()
    bar: Any = None
    drawn_percent = -1

    def tell(fraction: float) -> None:
        nonlocal bar, drawn_percent
        interrupted()
        percent = int(100 * min(fraction, 1.0))
        # Redrawn only for a new percent: each drawing is a message to the browser.
        if time.perf_counter() - began >= PATIENCE and percent != drawn_percent:
            bar = (bar or st).progress(percent, text)
            drawn_percent = percent

    try:
        yield tell
    finally:
        if bar is not None:
            bar.empty()


class WaitingLine:
    """Line of text with the position in the queue, drawn after a second and cleared at the end."""

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self._position = 0
        self._line: DeltaGenerator | None = None

    def __call__(self, position: int) -> None:
        give_way()
        if time.perf_counter() - self._began < PATIENCE or position == self._position:
            return
        self._position = position
        self._line = self._line or st.empty()
        self._line.info(say("long-queue", n=position), icon=":material/hourglass_empty:")

    def __enter__(self) -> WaitingLine:
        return self

    def __exit__(self, *_: object) -> None:
        if self._line is not None:
            self._line.empty()
