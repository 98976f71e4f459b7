"""Shared calls: done once for their arguments, with results that cannot be written."""

from __future__ import annotations

import doctest
import gc
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np
import pytest

import ui.frame.model_cache
from core.records.sources import TokenSequence
from model import load_model
from model.readers.experiment import experiment
from support.models import Numbers
from ui.frame.admission import interrupted, leaving_long_queue, long_turn, queues
from ui.frame.model_cache import ask, cached, lock, once_a_model

calls: list[tuple] = []


@dataclass(frozen=True)
class Asked:
    identity: str
    text: str = ""


@dataclass(frozen=True)
class Found:
    numbers: np.ndarray
    more: tuple


@cached("identity")
def doubled(asked: Asked, by: int, *, plus: float = 0.0) -> Found:
    calls.append((asked, by, plus))
    return Found(np.full(2, by * 2 + plus), ({"inside": np.ones(1)},))


@cached("identity", "text")
def slow(asked: Asked) -> object:
    calls.append((asked,))
    time.sleep(0.2)
    return object()


@cached("identity")
def failing(asked: Asked) -> None:
    calls.append((asked,))
    raise RuntimeError("interrupted")


@pytest.fixture(autouse=True)
def nothing_called():
    calls.clear()


def test_the_same_identity_and_arguments_are_worked_out_once():
    first = doubled(Asked("a"), 3)
    assert doubled(Asked("a", "another text"), 3) is first
    assert len(calls) == 1
    assert doubled(Asked("b"), 3) is not first
    assert doubled(Asked("a"), 4).numbers[0] == 8
    assert doubled(Asked("a"), 3, plus=1.0).numbers[0] == 7
    assert len(calls) == 4


def test_what_is_small_is_worked_out_once_a_model_and_goes_with_it():
    made = []
    count = once_a_model(lambda reader, site: made.append(site) or len(made))
    one, other = Loaded(), Loaded()
    assert [count(one, "a"), count(one, "a"), count(one, "b"), count(other, "a")] == [1, 1, 2, 3]
    kept = weakref.ref(one)
    del one
    gc.collect()
    assert kept() is None


# Questions to a model


@experiment("counting")
def counted(reader: Counted, src: TokenSequence, n: int = 1, *, stop: object = None) -> tuple:
    calls.append((reader, src, n, stop))
    return ("counted",)


@experiment("counting", slow=True)
def counted_long(
    reader: Counted, src: TokenSequence, *, progress: Callable[[float], None] | None = None
) -> tuple:
    progress(0.5) if progress else None
    calls.append((queues().long.n_working, progress))
    return ("counted",)


class Loaded:
    """A model as far as it is told from others."""


class Counted(SimpleNamespace):
    """A model whose needs, and what it is polled for, are counted."""

    def __init__(self, fingerprint: str) -> None:
        super().__init__(card=SimpleNamespace(fingerprint=fingerprint), needed=[], polled=[])

    def need(self, *needs: str) -> None:
        self.needed.append(needs)

    @contextmanager
    def asking(self, poll: object) -> Iterator[None]:
        self.polled.append(poll)
        yield


def test_a_question_is_worked_out_once_for_a_model_a_sentence_and_arguments():
    reader, src = Counted("questions"), Numbers(9).decode((4, 3))
    first = ask(reader, counted, src)
    again = replace(src, tokens=("other", "pieces"))
    assert ask(Counted("questions"), counted, again) is first
    assert len(calls) == 1
    others = [(replace(src, ids=(5, 3)),), (replace(src, text="another"),), (src, 2)]
    for args in others:
        ask(reader, counted, *args)
    ask(reader, counted, src, n=3)
    ask(reader, counted, src, key=("its own",))
    assert reader.needed == [("counting",)] * len(calls) == [("counting",)] * 6
    ask(Counted("other"), counted, src)
    assert len(calls) == 7
    assert {call[3] for call in calls} == {interrupted}


def test_what_is_slow_is_polled_in_a_long_turn_and_tells_its_progress():
    reader, src = Counted("slow questions"), Numbers(9).decode((4, 3))
    ask(reader, counted_long, src, words="ablate-each-head-progress")
    assert reader.polled == [interrupted]
    ((n_working, progress),) = calls
    assert n_working == 1
    assert progress is not None
    assert queues().long.n_working == 0


def test_a_session_with_a_long_turn_goes_on_in_it_and_keeps_none():
    with leaving_long_queue():
        queues().long.join("a session", lambda place: None)
        with long_turn():
            assert queues().long.n_working == 1
    assert queues().long.n_working == 0


def test_arrays_however_deep_cannot_be_written_and_a_failure_leaves_nothing_behind():
    found = doubled(Asked("c"), 1)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="interrupted"):
            failing(Asked("f"))
    assert len(calls) == 3
    with pytest.raises(ValueError, match="read-only"):
        found.numbers[0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        found.more[0]["inside"][0] = 2.0


def test_two_who_ask_at_once_share_one_call():
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(slow(Asked("e", "same")))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 1
    assert found[0] is found[1] is found[2]


def test_the_example_in_the_docstring_holds():
    assert doctest.testmod(ui.frame.model_cache).failed == 0


@cached("identity")
def large(asked: Asked) -> Found:
    calls.append((asked,))
    return Found(np.zeros(1000), ())


@pytest.mark.parametrize(
    ("most", "asked_for", "worked_out"),
    [
        # Two of 8,000 bytes and what is around them.
        (20_000, "first second first third first second", "first second third second"),
        # One larger than all may be is kept as long as it is the newest.
        (100, "one one two one", "one two one"),
    ],
)
def test_the_oldest_result_is_forgotten_where_all_are_too_large(
    monkeypatch, most, asked_for, worked_out
):
    budget = ui.frame.model_cache.MemoryBudget(most)
    monkeypatch.setattr(ui.frame.model_cache, "memory_budget", lambda: budget)
    for name in asked_for.split():
        large(Asked(f"{most} {name}"))
    assert [asked.identity.split()[1] for (asked,) in calls] == worked_out.split()
    assert budget.n_bytes <= max(most, 10_000)


def test_a_loaded_model_counts_with_its_weights(tiny_checkpoint):
    reader = load_model(tiny_checkpoint)
    stored = (tiny_checkpoint / "model.safetensors").stat().st_size
    assert 0.9 * stored < lock(reader) < 3 * stored


def test_what_a_cache_lets_go_is_counted_no_more(monkeypatch):
    budget = ui.frame.model_cache.MemoryBudget(10**6)
    monkeypatch.setattr(ui.frame.model_cache, "memory_budget", lambda: budget)

    @cached("identity", max_entries=2)
    def small(asked: Asked) -> Found:
        return Found(np.zeros(1000), ())

    for number in range(5):
        small(Asked(f"let go {number}"))
    assert 16_000 <= budget.n_bytes < 24_000
