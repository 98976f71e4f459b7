"""The queues of the app: for pages, for long measurements, and at the door.

Whatever a session asks for is worked out in its turn, as many at once as there are cores, so that
many short waits do not become one long one for everybody. What takes longer than a turn goes on
among the few long ones. Set by the environment:

- ``ATTENTION_LAB_SESSIONS``: sessions that fit (60);
- ``ATTENTION_LAB_AT_ONCE``: pages worked out at once (the number of cores);
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
from streamlit.runtime import exists, get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

from model import Reader

from .kit.controls import button
from .kit.layout import note
from .turns import Room, Turns
from .words import say

MOST_SESSIONS = 60
TURN_LASTS, LONG_LASTS = 1.0, 120.0  # seconds
HEAD_START = 30.0  # seconds by which a sentence goes before clicks in a page
TRY_AGAIN = 10.0  # seconds
PATIENCE = 1.0  # seconds until it is said that somebody waits


P, R = ParamSpec("P"), TypeVar("R")
_LOOKED_UP: ContextVar[dict[Any, Any] | None] = ContextVar("looked_up", default=None)


@dataclass(frozen=True)
class Queues:
    """Where sessions wait: for a page, for something that takes long, and at the door."""

    pages: Turns
    long: Turns
    door: Room


@cache
def queues() -> Queues:
    """The queues of this process."""
    return Queues(
        Turns(number_set("ATTENTION_LAB_AT_ONCE", cores()), TURN_LASTS),
        Turns(number_set("ATTENTION_LAB_LONG_AT_ONCE", max(2, cores() // 2)), LONG_LASTS),
        Room(number_set("ATTENTION_LAB_SESSIONS", MOST_SESSIONS), is_here),
    )


def number_set(name: str, default: int) -> int:
    """The whole number from 1 that the environment gives, or else `default`."""
    text = os.environ.get(name, "").strip() or str(default)
    if not (text.isascii() and text.isdigit() and int(text) >= 1):
        raise ValueError(f"{name} is {text!r}, expected a whole number from 1")
    return int(text)


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def is_here(session: str) -> bool:
    """Whether a session is still there; always so where nothing is served."""
    return not exists() or get_instance().is_active_session(session)


def this_session() -> str:
    """The id of the session that is drawn; empty where there is none."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else ""


# At the door


def is_let_in() -> bool:
    """Whether this session fits; if not, the page says so and asks again by itself.

    A session that was let in once stays in, also when its connection breaks for a while.
    """
    was_in = "let_in" in st.session_state
    if queues().door.come_in(this_session(), was_in=was_in):
        st.session_state["let_in"] = True
        return True
    st.fragment(_full, run_every=TRY_AGAIN)(queues().door.places)
    return False


def _full(places: int) -> None:
    st.title(say("app-title"), anchor=False)
    note("door-full", "groups", n=places)
    if button("door_again", words="door-again") or queues().door.come_in(this_session()):
        st.rerun()


# Turns


@contextmanager
def page_turn(*, whole: bool) -> Iterator[None]:
    """Work out a page, or the part of it that a click draws anew, when it is this session's turn.

    A whole page goes first: whoever typed a sentence waits for more than who clicked.
    """
    pages = queues().pages
    if pages.held() is not None:
        yield
        return
    first = {"head_start": HEAD_START if whole else 0.0}
    with pages.turn(this_session(), lambda _: _end_if_unwanted(), **first):
        before = _LOOKED_UP.set({})
        try:
            yield
        finally:
            _LOOKED_UP.reset(before)


def once_a_turn(function: Callable[P, R]) -> Callable[P, R]:
    """Call a function once for the same arguments while a page is worked out, and remember what
    it returned: a page asks many times which files there are, and shall not see them change."""

    @wraps(function)
    def call(*args: P.args, **named: P.kwargs) -> R:
        known, key = _LOOKED_UP.get(), (function, args, *named.items())
        if known is None:
            return function(*args, **named)
        if key not in known:
            known[key] = function(*args, **named)
        return known[key]

    return call


def interrupted() -> bool:
    """For ``stop=``: ends a search whose page has been asked to run again, or was closed.

    It ends by an exception that passes through the search, so that nothing half done is kept in a
    cache. A search that lasts longer than a turn waits here until it may go on as one of the few
    long ones.
    """
    give_way()
    pages, long = queues().pages, queues().long
    turn = pages.held()
    if turn is not None and pages.lapsed(turn) and long.held() is None:
        with WaitingLine() as line:
            long.join(this_session(), line)
    return False


def give_way() -> None:
    """End this run where the session has asked for something newer.

    Streamlit lets a click in a part of the page wait until that part has been drawn; what takes
    long gives way to it.
    """
    _end_if_unwanted()
    context = get_script_run_ctx(suppress_warning=True)
    asked = getattr(context and context.script_requests, "_state", None)
    if context and context.fragment_ids_this_run and asked is ScriptRequestType.RERUN:
        st.rerun(scope="fragment")


def _end_if_unwanted() -> None:
    st.session_state.get("run")  # a look into the session is where Streamlit ends a run


@contextmanager
def piece_of_work() -> Iterator[None]:
    """Around what is worked out once for all: a long turn that was taken in it ends with it.

    Whoever holds one must not wait for another's result, who may be waiting for a turn.
    """
    try:
        yield
    finally:
        queues().long.end()


@contextmanager
def long_turn() -> Iterator[None]:
    """Measure something that may take long, as one of few at once; the turn of the page ends.

    Who has a long turn by then, as `interrupted` gives it, goes on in it.
    """
    long = queues().long
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
def long_reading(model: Reader) -> Iterator[None]:
    """A long turn in which whatever `model` computes gives way when the page has moved on."""
    with long_turn(), model.asking(interrupted):
        yield


@contextmanager
def late_bar(words: str) -> Iterator[Callable[[float], None]]:
    """A progress bar that appears when something takes longer than a second, and goes at its end.

    Whatever works calls it with the fraction that is done, 0 to 1; `words` is the id of its text.
    """
    text, began = say(words), time.perf_counter()
    bar: Any = None
    shown = -1

    def tell(fraction: float) -> None:
        nonlocal bar, shown
        interrupted()
        percent = int(100 * min(fraction, 1.0))
        if time.perf_counter() - began >= PATIENCE and percent != shown:
            shown, bar = percent, (bar or st).progress(percent, text)

    try:
        yield tell
    finally:
        if bar is not None:
            bar.empty()


class WaitingLine:
    """Says how many are before, once somebody has waited for a second; gone when it is over."""

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self._place, self._shown = 0, None

    def __call__(self, place: int) -> None:
        give_way()
        if time.perf_counter() - self._began < PATIENCE or place == self._place:
            return
        self._place = place
        self._shown = self._shown or st.empty()
        self._shown.info(say("long-queue", n=place), icon=":material/hourglass_empty:")

    def __enter__(self) -> WaitingLine:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown is not None:
            self._shown.empty()
