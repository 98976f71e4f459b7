"""Turns: so many at once, each session in its turn, and none holds a place that it left."""

from __future__ import annotations

import threading
import time

import pytest

from support.browser import until
from ui.frame.fair_queue import Admission, Turns

PATIENCE = 60.0


def nothing(place: int) -> None:
    """Somebody who waits and does not mind."""


class Worker(threading.Thread):
    """A session that works when it is called, until it is told to end."""

    def __init__(self, turns: Turns, who: str, served: list[str], poll=nothing, **how: float):
        super().__init__(daemon=True)
        self.turns, self.who, self.served, self.poll, self.how = turns, who, served, poll, how
        self.may_end = threading.Event()
        self.error: BaseException | None = None
        waiting = turns.n_waiting + turns.n_working
        self.start()
        until(lambda: turns.n_waiting + turns.n_working > waiting or not self.is_alive())

    def run(self) -> None:
        try:
            with self.turns.turn(self.who, self.poll, **self.how):
                self.served.append(self.who)
                self.may_end.wait(PATIENCE)
        except BaseException as error:
            self.error = error

    def end(self) -> None:
        self.may_end.set()
        self.join(PATIENCE)
        assert not self.is_alive()


@pytest.mark.parametrize("places", [1, 2])
def test_no_more_work_at_once_than_places_and_first_come_is_first_served(places):
    turns, served = Turns(places), []
    workers = [Worker(turns, name, served) for name in "abcd"]
    first = [*"ab"][:places]
    assert (served, turns.n_working, turns.n_waiting) == (first, places, 4 - places)
    for ended, worker in enumerate(workers, start=1):
        worker.end()
        until(lambda ended=ended: len(served) == min(places + ended, 4))  # one place, one turn
    assert served == ["a", "b", "c", "d"]
    assert (turns.n_working, turns.n_waiting) == (0, 0)


def test_a_busy_session_is_not_served_again_before_the_others():
    """One session that asks without a pause, and two that ask once."""
    turns, served = Turns(1), []
    busy = [Worker(turns, "busy", served)]
    others = [Worker(turns, name, served) for name in ("one", "two")]
    for _ in range(3):
        busy.append(Worker(turns, "busy", served))
    for worker in busy + others:
        worker.may_end.set()
    for worker in busy + others:
        worker.end()
    assert served[:4] == ["busy", "one", "two", "busy"]


def test_asking_again_keeps_the_place():
    turns, served = Turns(1), []
    first = Worker(turns, "first", served)
    unwanted = threading.Event()

    def leave_when_unwanted(place: int) -> None:
        if unwanted.is_set():
            raise SystemExit

    old = Worker(turns, "again", served, leave_when_unwanted)
    other = Worker(turns, "other", served)
    new = Worker(turns, "again", served)
    unwanted.set()
    old.join(PATIENCE)
    for worker in (first, new, other):
        until(lambda worker=worker: worker.who in served)
        worker.end()
    assert served == ["first", "again", "other"]
    assert isinstance(old.error, SystemExit)


def test_a_stopped_session_leaves_the_queue():
    turns, served = Turns(1), []
    first = Worker(turns, "first", served)

    def stop(place: int) -> None:
        raise KeyboardInterrupt

    gone = Worker(turns, "gone", served, stop)
    gone.join(PATIENCE)
    assert isinstance(gone.error, KeyboardInterrupt)
    assert turns.n_waiting == 0
    first.end()
    assert served == ["first"]


def test_a_head_start_goes_before_an_earlier_one_and_a_waiting_session_is_told_its_place():
    turns, served, told = Turns(1), [], []
    first = Worker(turns, "first", served)
    click = Worker(turns, "click", served, told.append)
    sentence = Worker(turns, "sentence", served, head_start=60.0)
    until(lambda: told and told[-1] == 2)
    first.end()
    until(lambda: len(served) == 2)
    assert served == ["first", "sentence"]
    until(lambda: told[-1] == 1)
    sentence.end()
    click.end()


def test_after_its_time_a_turn_lets_the_next_begin_and_goes_on():
    turns, served = Turns(1, lasts=0.1), []
    slow = Worker(turns, "slow", served)
    quick = Worker(turns, "quick", served)
    until(lambda: "quick" in served)
    assert slow.is_alive()
    quick.end()
    slow.end()


def test_a_thread_knows_its_own_turn_until_it_ends_or_fails():
    turns = Turns(1)
    for error in (ValueError, SystemExit):
        with pytest.raises(error), turns.turn("a", nothing):
            raise error
        assert turns.held() is None
    with turns.turn("a", nothing) as turn:
        assert turns.held() is turn
        turns.end()
        assert turns.held() is None
        with turns.turn("b", nothing):  # the place is free again
            pass
    assert turns.n_working == 0


def test_many_threads_never_exceed_the_places_and_all_are_served():
    turns, lock = Turns(3), threading.Lock()
    at_work, most, served = 0, 0, []

    def session(number: int) -> None:
        nonlocal at_work, most
        for _ in range(5):
            with turns.turn(str(number), nothing):
                with lock:
                    at_work += 1
                    most = max(most, at_work)
                time.sleep(0.001)
                with lock:
                    at_work -= 1
                    served.append(number)

    threads = [threading.Thread(target=session, args=(n,)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert most <= 3
    assert sorted(served) == sorted(list(range(20)) * 5)


def test_a_full_room_admits_nobody_new_until_somebody_leaves():
    here = {"a", "b"}
    room = Admission(2, here.__contains__)
    assert room.has_room()
    assert [room.come_in(who) for who in ("a", "b", "c", "a")] == [True, True, False, True]
    assert room.come_in("d", was_in=True)
    assert not room.has_room()
    here.clear()
    assert room.has_room()
    assert room.come_in("c")
