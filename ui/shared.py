"""Calls of the model that every session and every rerun shares.

@cached("translator.card.fingerprint", "choices.text")
def candidates_after(run: Run, prefix_ids: tuple[int, ...], k: int) -> tuple[Candidate, ...]:
    return run.translator.candidates(run.choices.text, prefix_ids, k)
"""

from __future__ import annotations

import inspect
import zlib
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache, wraps
from operator import attrgetter
from typing import Any, ParamSpec, TypeVar

import numpy as np
import streamlit as st

from .waiting import piece_of_work
from .words import current_words

P, R = ParamSpec("P"), TypeVar("R")


def cached(
    *of: str, max_entries: int = 64, spinner: str = ""
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Work out a function once for each model, sentence and arguments, and share what it returns.

    `of` names what of the first argument the result depends on, such as ``"identity"`` of a run;
    the fingerprint of the model must be in it. The other arguments all count. Arrays in the
    result, however deep, are locked against writing, because nobody gets a copy. Who asks for what
    another session is working out waits for it. A function that looks at
    `ui.waiting.interrupted` on its way ends when its page is asked to run again, and leaves
    nothing behind.

    Parameters
    ----------
    max_entries : results kept; the oldest goes.
    spinner : id of the message shown meanwhile.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        part_of = attrgetter(*of)
        version = zlib.crc32(inspect.getsource(function).encode())

        def kept(version: int, part: Any, args: tuple, named: dict, _first: Any) -> R:
            with piece_of_work():
                return locked(function(_first, *args, **named))

        kept.__module__, kept.__qualname__ = function.__module__, function.__qualname__

        @lru_cache(maxsize=8)
        def telling(words: str) -> Callable[..., R]:
            """The same cache, with a spinner in the reader's language."""
            return st.cache_resource(show_spinner=words or False, max_entries=max_entries)(kept)

        @wraps(function)
        def call(first: Any, *args: Any, **named: Any) -> R:
            words = current_words()(spinner) if spinner else ""
            return telling(words)(version, part_of(first), args, named, first)

        return call

    return decorate


def locked(value: R) -> R:
    """The same value, with every array in it made read-only.

    >>> locked((np.zeros(2), {"a": np.ones(1)}))[1]["a"].flags.writeable
    False
    """
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            locked(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for part in value.values():
            locked(part)
    elif isinstance(value, tuple | list):
        for part in value:
            locked(part)
    return value
