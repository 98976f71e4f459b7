"""Calls of the model, cached and shared by every session and rerun.

ablations = ask(run.translator, ablate_each_head, run.src, run.tgt, "mean")
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
from typing import Any, Concatenate, ParamSpec, TypeVar, cast
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
import streamlit as st

from core.records.sources import TokenSequence
from model import Reader

from .admission import interrupted, interruptible_turn, late_bar, leaving_long_queue
from .messages import current_words

MOST_BYTES = 200 * 10**6  # models and results together
MOST_ANSWERS = 256  # cached for each question
PART_BYTES = 60  # rough size of a small number, a short text or an empty list
SMALL = (str, int, float, type(None))
SMALL_CLASSES = {*SMALL, bool}

P = ParamSpec("P")
R = TypeVar("R")


def cached(
    *of: str, max_entries: int = 64, spinner: str = ""
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Cache a function by model, sentence and arguments for all sessions.

    Parameters
    ----------
    of : attributes of the first argument that the result depends on, such as ``"identity"`` of a
        run; the model's fingerprint must be part of them. All other arguments count as they are.
    max_entries : results kept for each function and language.
    spinner : id of the message shown while it is computed.

    Notes
    -----
    Arrays in the result, however deep, are made read-only, because callers share them. A second
    session that asks for the same waits for the first. A function that calls
    `ui.frame.admission.interrupted` stops when its page reruns, and nothing is stored. All results
    and loaded models together are limited to `MOST_BYTES`.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        part_of = attrgetter(*of)
        cache_saying = _caches_of(function, max_entries)
        # The source is part of the key, so an edited function drops its results during development.
        version = zlib.crc32(inspect.getsource(function).encode())

        @wraps(function)
        def call(first: Any, *args: Any, **kwargs: Any) -> R:
            words = current_words()(spinner) if spinner else ""
            value: R = cache_saying(words)(version, part_of(first), args, kwargs, first)
            memory_budget().used(value)
            return value

        return cast("Callable[P, R]", call)

    return decorate


def _caches_of(function: Callable[..., Any], max_entries: int) -> Callable[[str], Any]:
    """Return the function that gives the cache of `function` whose spinner says some words."""

    # Streamlit hashes every argument but those whose names begin with an underscore.
    def compute(
        version: int, part: Any, args: tuple[Any, ...], kwargs: dict[str, Any], _first: Any
    ) -> Any:
        with leaving_long_queue():
            value = function(_first, *args, **kwargs)
        key = (version, part, args, kwargs, None)
        memory_budget().put(value, lock(value), lambda: cache_saying("").clear(*key))
        return value

    # Streamlit names a cache by module and qualified name, here those of `compute`.
    compute.__module__ = function.__module__
    compute.__qualname__ = function.__qualname__

    # One cache per language, because the spinner's text belongs to the decorated function.
    @lru_cache(maxsize=8)
    def cache_saying(words: str) -> Any:
        return st.cache_resource(
            show_spinner=words or False,
            max_entries=max_entries,
            # Keeps the budget in step with Streamlit's own evictions.
            on_release=lambda value: memory_budget().gone(value),
        )(compute)

    return cache_saying


def once_a_model(
    function: Callable[Concatenate[Reader, P], R],
) -> Callable[Concatenate[Reader, P], R]:
    """Cache small results of a function by loaded model, for as long as the model lives.

    A model whose files change is loaded as a new object. Faster to look up than `cached`. As with
    `functools.cache`, ``cache_clear`` forgets all results.
    """
    by_model: WeakKeyDictionary[Reader, dict[Any, R]] = WeakKeyDictionary()

    @wraps(function)
    def call(reader: Reader, *args: P.args, **kwargs: P.kwargs) -> R:
        results = by_model.setdefault(reader, {})
        key = (args, *kwargs.items())
        if key not in results:
            results[key] = function(reader, *args, **kwargs)
        return results[key]

    call.cache_clear = by_model.clear  # type: ignore[attr-defined]
    return cast("Callable[Concatenate[Reader, P], R]", call)


def ask(
    reader: Reader,
    question: Callable[..., R],
    *args: Any,
    key: tuple[Any, ...] = (),
    words: str = "",
    **kwargs: Any,
) -> R:
    """Return the answer of an experiment or method of the model, computed once (see `cached`).

    Parameters
    ----------
    reader : the model.
    question : function of `reader`, `args` and `kwargs`. If it is declared ``slow``, it waits among
        the few long computations; if it takes ``stop`` or ``progress``, it gets them.
    key : stands for large arguments in the cache key; they must follow from it.
    words : id of the message shown meanwhile, by default ``<name of the question>-progress``.
    """
    request = _Request(reader, args, kwargs)
    request_key = key or (tuple(map(_identity, args)), kwargs)
    words = words or f"{question.__name__.replace('_', '-')}-progress"
    progress_words = words if current_words().has(words) else ""
    return _answering(question, progress_words)(request, request_key)


def _identity(value: Any) -> Any:
    """Return a stand-in of an argument for the cache key.

    Token ids become one string, because Streamlit hashes long lists slowly.
    """
    return (value.text, str(value.ids)) if isinstance(value, TokenSequence) else value


@dataclass(frozen=True)
class _Request:
    """Arguments of a question."""

    reader: Reader
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


@cache
def _answering(question: Callable[..., R], words: str) -> Callable[[_Request, Any], R]:
    takes = inspect.signature(question).parameters
    has_bar = bool(words) and "progress" in takes
    spinner = "" if has_bar else words

    @cached("reader.card.fingerprint", max_entries=MOST_ANSWERS, spinner=spinner)
    # Gives each question a cache under its own name (see `cached`).
    @wraps(question)
    def answer(request: _Request, _key: Any) -> R:
        # A rerun that came while this one waited makes the answer useless.
        interrupted()
        kwargs = dict(request.kwargs)
        if "stop" in takes:
            kwargs["stop"] = interrupted
        with ExitStack() as stack:
            if getattr(question, "slow", False):
                stack.enter_context(interruptible_turn(request.reader))
            if has_bar:
                kwargs["progress"] = stack.enter_context(late_bar(words))
            return question(request.reader, *request.args, **kwargs)

    return answer


@cache
def memory_budget() -> MemoryBudget:
    """Return the memory budget of this process."""
    return MemoryBudget(MOST_BYTES)


class MemoryBudget:
    """Memory budget of all cached results; evicts the least recently used when it is exceeded."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.n_bytes = 0
        self._lock = threading.Lock()
        self._kept: dict[int, tuple[int, Callable[[], None]]] = {}  # by id, in order of use

    def put(self, value: Any, n_bytes: int, forget: Callable[[], None]) -> None:
        """Add a new result, which is never evicted itself; `forget` removes it from its cache."""
        evictions: list[Callable[[], None] | None] = []
        with self._lock:
            # Python may give the id of a lost object to a new one.
            self._take(id(value))
            self._kept[id(value)] = n_bytes, forget
            self.n_bytes += n_bytes
            while self.n_bytes > self.most_bytes and len(self._kept) > 1:
                evictions.append(self._take(next(iter(self._kept))))
        # Outside the lock: `forget` calls `gone`, which takes it.
        for evict in filter(None, evictions):
            evict()

    def used(self, value: Any) -> None:
        """Mark a result as recently used."""
        with self._lock:
            if (key := id(value)) in self._kept:
                self._kept[key] = self._kept.pop(key)

    def gone(self, value: Any) -> None:
        """Remove a result that its cache has released."""
        with self._lock:
            self._take(id(value))

    def _take(self, key: int) -> Callable[[], None] | None:
        n_bytes, forget = self._kept.pop(key, (0, None))
        self.n_bytes -= n_bytes
        return forget


def lock(value: Any) -> int:
    """Make every array in `value` read-only, however deep, and return its approximate bytes.

    >>> two = np.zeros(1000), {"a": np.zeros(1)}
    >>> lock(two) - lock((np.zeros(0), {"a": np.zeros(0)})), two[1]["a"].flags.writeable
    (8008, False)
    """
    if isinstance(value, SMALL):
        return PART_BYTES
    if isinstance(value, Reader):
        return value.n_bytes
    n_bytes = PART_BYTES
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
        return n_bytes + value.nbytes
    if isinstance(value, pd.DataFrame):
        n_bytes += int(value.memory_usage().sum())
    parts = parts_of(value)
    # Most parts are small: a result holds thousands of ids, marks and numbers.
    large = [part for part in parts if part.__class__ not in SMALL_CLASSES]
    return n_bytes + PART_BYTES * (len(parts) - len(large)) + sum(map(lock, large))


def parts_of(value: Any) -> Collection[Any]:
    """Return the parts of a dataclass, mapping or sequence; empty for anything else."""
    # is_dataclass is also True for the class itself.
    if is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, name) for name in _field_names(value.__class__)]
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, tuple | list) else ()


@lru_cache(maxsize=256)
def _field_names(record: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(record))
