"""Calls of the model that every session and every rerun shares.

found = run.ask_pair(knock_out, "mean")
"""

from __future__ import annotations

import inspect
import threading
import zlib
from collections.abc import Callable, Collection, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, lru_cache, wraps
from operator import attrgetter
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
import streamlit as st

from core.tokens import TokenSequence
from model import Reader

from .waiting import interrupted, late_bar, long_reading, piece_of_work
from .words import current_words

MOST_BYTES = 200 * 10**6  # of models and results together
MOST_ANSWERS = 256  # to each question
PART_BYTES = 60  # of a small number, a short text, an empty list: roughly
SMALL = (str, int, float, type(None))

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
    nothing behind. All results together, loaded models among them, take no more than `MOST_BYTES`.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        part_of = attrgetter(*of)
        version = zlib.crc32(inspect.getsource(function).encode())

        def kept(version: int, part: Any, args: tuple, named: dict, _first: Any) -> R:
            with piece_of_work():
                value = function(_first, *args, **named)
            key = (version, part, args, named, None)
            shelf().put(value, lock(value), lambda: telling("").clear(*key))
            return value

        kept.__module__, kept.__qualname__ = function.__module__, function.__qualname__

        @lru_cache(maxsize=8)
        def telling(words: str) -> Callable[..., R]:
            """The same cache, with a spinner in the reader's language."""
            return st.cache_resource(
                show_spinner=words or False,
                max_entries=max_entries,
                on_release=lambda value: shelf().gone(value),
            )(kept)

        @wraps(function)
        def call(first: Any, *args: Any, **named: Any) -> R:
            words = current_words()(spinner) if spinner else ""
            value = telling(words)(version, part_of(first), args, named, first)
            shelf().used(value)
            return value

        return call

    return decorate


def once_a_model(
    function: Callable[Concatenate[Reader, P], R],
) -> Callable[Concatenate[Reader, P], R]:
    """Work out a function once for each loaded model, for as long as that stays; one whose files
    change is another. A click finds it sooner than by `cached`, and it must be small."""
    kept: WeakKeyDictionary[Reader, dict[Any, R]] = WeakKeyDictionary()

    @wraps(function)
    def call(reader: Reader, *args: P.args, **named: P.kwargs) -> R:
        known, key = kept.setdefault(reader, {}), (args, *named.items())
        if key not in known:
            known[key] = function(reader, *args, **named)
        return known[key]

    return call


def ask(
    reader: Reader,
    question: Callable[..., R],
    *args: Any,
    key: tuple = (),
    words: str = "",
    **named: Any,
) -> R:
    """What an experiment or a method of the model returns, worked out once for all (see `cached`).

    A question that is declared slow waits for its turn among the few long ones. All give way where
    the page has moved on. `words` is the id of what is said meanwhile, beside the progress where
    the question tells it; by itself that of its name, as ``knock-out-progress``. `key` stands for
    arguments that are large and follow from it.
    """
    asked = _Asked(reader, args, named)
    exactly = key or (tuple(map(_identity, args)), named)
    words = words or f"{question.__name__.replace('_', '-')}-progress"
    told = words if current_words().has(words) else ""
    return _answering(question, told)(asked, exactly)


def _identity(value: Any) -> Any:
    """What tells an argument from others; of pieces not all that is known of them, and their ids
    in one: Streamlit takes long over many numbers."""
    return (value.text, str(value.ids)) if isinstance(value, TokenSequence) else value


@dataclass(frozen=True)
class _Asked:
    reader: Reader
    args: tuple
    named: dict[str, Any]


@cache
def _answering(question: Callable[..., R], words: str) -> Callable[[_Asked, Any], R]:
    takes = inspect.signature(question).parameters
    has_bar = bool(words) and "progress" in takes
    spinner = "" if has_bar else words

    @cached("reader.card.fingerprint", max_entries=MOST_ANSWERS, spinner=spinner)
    @wraps(question)
    def answer(asked: _Asked, _key: Any) -> R:
        interrupted()
        polled = {"stop": interrupted} if "stop" in takes else {}
        with ExitStack() as stack:
            if getattr(question, "slow", False):
                stack.enter_context(long_reading(asked.reader))
            if has_bar:
                polled["progress"] = stack.enter_context(late_bar(words))
            return question(asked.reader, *asked.args, **asked.named, **polled)

    return answer


@cache
def shelf() -> Shelf:
    """What the shared calls of this process keep."""
    return Shelf(MOST_BYTES)


class Shelf:
    """How much all kept results take together; what was not asked for longest goes where it is
    too much."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes, self.n_bytes = most_bytes, 0
        self._lock = threading.Lock()
        self._kept: dict[int, tuple[int, Callable[[], None]]] = {}  # by id, the last used last

    def put(self, value: Any, n_bytes: int, forget: Callable[[], None]) -> None:
        """Take note of a new result; `forget` takes it out of its cache. The newest stays."""
        forgotten = []
        with self._lock:
            self._take(id(value))
            self._kept[id(value)] = n_bytes, forget
            self.n_bytes += n_bytes
            while self.n_bytes > self.most_bytes and len(self._kept) > 1:
                forgotten.append(self._take(next(iter(self._kept))))
        for each in forgotten:
            each()

    def used(self, value: Any) -> None:
        """Take note that a result was asked for again."""
        with self._lock:
            if (key := id(value)) in self._kept:
                self._kept[key] = self._kept.pop(key)

    def gone(self, value: Any) -> None:
        """Take note that a cache has let a result go."""
        with self._lock:
            self._take(id(value))

    def _take(self, key: int) -> Callable[[], None]:
        n_bytes, forget = self._kept.pop(key, (0, None))
        self.n_bytes -= n_bytes
        return forget


def lock(value: Any) -> int:
    """Make every array in a result, however deep, read-only; returns about how many bytes it takes:
    its arrays or weights, and something for each part.

    >>> two = np.zeros(1000), {"a": np.zeros(1)}
    >>> lock(two) - lock((np.zeros(0), {"a": np.zeros(0)})), two[1]["a"].flags.writeable
    (8008, False)
    """
    if isinstance(value, SMALL):
        return PART_BYTES
    if isinstance(value, Reader):
        return value.n_bytes
    own = PART_BYTES
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
        return own + value.nbytes
    if isinstance(value, pd.DataFrame):
        own += int(value.memory_usage().sum())
    return own + sum(map(lock, parts_of(value)))


def parts_of(value: Any) -> Collection[Any]:
    """What a record, a mapping or a sequence is made of."""
    if is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, field.name) for field in fields(value)]
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, tuple | list) else ()
