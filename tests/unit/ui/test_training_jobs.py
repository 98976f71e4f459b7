"""Trainings on the page: one a session, few at once, none without an end."""

from __future__ import annotations

import threading
import time
from itertools import count

import pytest

from support.browser import until
from ui.pages.training.jobs import STEPS_BETWEEN_LOOKS, Trainings


def endless(task, seed):
    for step in count():
        time.sleep(0.001)
        yield step


def short(task, seed):
    yield from range(5)


def failing(task, seed):
    yield 0
    raise RuntimeError("on purpose")


class Sessions:
    """Who is there."""

    def __init__(self) -> None:
        self.gone: set[str] = set()

    def __call__(self, who: str) -> bool:
        return who not in self.gone


@pytest.fixture
def sessions() -> Sessions:
    return Sessions()


def trainings(sessions, train=endless, places=1, **how) -> Trainings:
    return Trainings(places, sessions, how.pop("busy", lambda: False), train=train, **how)


def test_no_more_run_at_once_than_there_are_places(sessions):
    found = trainings(sessions)
    first = found.start("a", "copy")
    assert found.start("b", "copy") is None
    assert found.of("b") is None
    found.stop("a")
    until(lambda: first.status == "stopped")
    assert found.start("b", "copy") is not None
    found.stop("b")


def test_a_session_that_trains_anew_ends_its_last_training(sessions):
    found = trainings(sessions)
    first, second = found.start("a", "copy"), found.start("a", "sort")
    until(lambda: first.status == "stopped")
    assert (found.of("a"), found.n_running) == (second, 1)
    found.stop("a")


def test_a_refusal_takes_nothing_away(sessions):
    found = trainings(sessions, lambda task, seed: short(0, 0) if task == "copy" else endless(0, 0))
    mine = found.start("a", "copy")
    until(lambda: mine.status == "done")
    assert mine.state == 4
    found.start("b", "sort")
    assert found.start("a", "copy") is None
    assert found.of("a") is mine
    found.stop("b")


def test_a_training_ends_when_its_session_has_gone(sessions):
    found = trainings(sessions)
    job = found.start("a", "copy")
    until(lambda: job.state is not None and job.state > STEPS_BETWEEN_LOOKS)
    sessions.gone.add("a")
    until(lambda: job.status == "stopped")
    found.start("b", "copy")
    assert found.of("a") is None
    found.stop("b")


def test_a_training_ends_when_its_time_is_over(sessions):
    job = trainings(sessions, lasts=0.5).start("a", "copy")
    until(lambda: job.status == "out-of-time")
    assert job.state > 0


def test_an_error_frees_the_place_and_is_told(sessions):
    found = trainings(sessions, failing)
    job = found.start("a", "copy")
    until(lambda: job.status == "failed")
    assert found.n_running == 0
    assert found.start("b", "copy") is not None


def test_a_training_rests_while_pages_are_worked_out(sessions):
    working = threading.Event()
    working.set()
    job = trainings(sessions, busy=working.is_set).start("a", "copy")
    began = time.monotonic()
    until(lambda: job.state is not None and job.state >= 4)
    assert time.monotonic() - began > 4 * 0.2  # four rests of a quarter of a second
    working.clear()
    before = job.state
    until(lambda: job.state > before + 20)
    job.stopping.set()
