"""Look of figures: on a light or a dark page, and in which language.

    with looking(Look(dark=True, words=Words("ko"))):
        figure = attention_cells(...)


A figure calls `is_dark` and `say`; neither is passed as an argument. The app sets the look at the
start of a run, and again on the thread that makes a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

from words import Words, english

Result = TypeVar("Result")


@dataclass(frozen=True)
class Look:
    """Look of a figure; equal for equal looks, so that a cache can use it as a key."""

    dark: bool = False  # the page under it is dark
    words: Words = english  # the language of its titles, labels and tooltips

    def __call__(self, draw: Callable[..., Result], *args: Any, **named: Any) -> Result:
        """Call a function within this look and return its result.

        >>> Look(dark=True)(is_dark), is_dark()
        (True, False)
        """
        with looking(self):
            return draw(*args, **named)


PLAIN = Look()
"""Default look: light, in English."""
# A context variable, because sessions draw on several threads of one process.
_LOOK: ContextVar[Look] = ContextVar("look", default=PLAIN)


def current_look() -> Look:
    """Return the look of this thread."""
    return _LOOK.get()


def use_look(look: Look) -> None:
    """Draw in this look from now on, in this thread alone."""
    _LOOK.set(look)


@contextmanager
def looking(look: Look) -> Iterator[None]:
    """Draw in this look within the block, in this thread alone."""
    before = _LOOK.set(look)
    try:
        yield
    finally:
        _LOOK.reset(before)


def is_dark() -> bool:
    """Return True if figures are drawn for a dark page."""
    return _LOOK.get().dark


def say(id: str, /, **values: Any) -> str:
    """Return a message in the language of the figure; see `words.Words`."""
    return _LOOK.get().words(id, **values)


def has_words(id: str) -> bool:
    """Return True if there is a message of this id."""
    return _LOOK.get().words.has(id)
