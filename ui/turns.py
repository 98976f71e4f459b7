"""A queue for what costs time: so many at once, and each session in its turn.

    with turns.turn("session 7", poll) as turn:
        ...

Nothing here knows of pages; `ui.waiting` holds the queues of the app.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PAUSE = 0.05  # seconds between two looks of somebody who waits

Poll = Callable[[int], None]


class Turn:
    """A place in a queue, and then the turn itself."""

    def __init__(self, who: str, since: float) -> None:
        self.who, self.since = who, since
        self.thread = threading.get_ident()
        self.called = threading.Event()
        self.began = math.inf


class Turns:
    """At most `places` at work at once; the others wait, first come, first served.

    A session waits once: when it asks again, its new wish takes the place of the old one, which
    goes to the end until its thread notices that it is not wanted any more. So nobody is served
    twice while another waits, and nobody loses a place by asking again. An error in the work frees
    the place like its end. One that `lasts` longer than so many seconds counts no more, so that the
    next can begin; its work goes on.
    """

    def __init__(self, places: int, lasts: float = math.inf) -> None:
        self.places, self.lasts = places, lasts
        self._lock = threading.Lock()
        self._waiting: list[Turn] = []
        self._working: list[Turn] = []
        self._of_thread: dict[int, Turn] = {}

    @contextmanager
    def turn(self, who: str, poll: Poll, *, head_start: float = 0.0) -> Iterator[Turn]:
        """Wait for a place and hold it while the block runs; at once where one is free.

        `poll` is told the place in the queue, from 1, as long as it waits; what it raises ends the
        waiting. `head_start` are seconds by which it goes before those that came earlier.
        """
        turn = self.join(who, poll, head_start=head_start)
        try:
            yield turn
        finally:
            self.leave(turn)

    def join(self, who: str, poll: Poll, *, head_start: float = 0.0) -> Turn:
        """As `turn`, for a caller who calls `leave` or `end` himself."""
        turn = Turn(who, time.monotonic() - head_start)
        with self._lock:
            for older in self._waiting:
                if older.who == who and older.since < turn.since:
                    older.since, turn.since = turn.since, older.since
            self._waiting.append(turn)
            self._call()
        try:
            while not turn.called.wait(PAUSE):
                poll(max(1, self.place_of(turn)))
                with self._lock:
                    self._call()
        except BaseException:
            self.leave(turn)
            raise
        return turn

    def leave(self, turn: Turn) -> None:
        """Free the place, of the queue or of the work; nothing where that has been done."""
        with self._lock:
            for group in (self._waiting, self._working):
                if turn in group:
                    group.remove(turn)
            if self._of_thread.get(turn.thread) is turn:
                del self._of_thread[turn.thread]
            self._call()

    def end(self) -> None:
        """Free the place that this thread holds, if it holds one."""
        if (turn := self.held()) is not None:
            self.leave(turn)

    def held(self) -> Turn | None:
        """The turn of this thread, lapsed or not."""
        return self._of_thread.get(threading.get_ident())

    def lapsed(self, turn: Turn) -> bool:
        """Whether it has lasted longer than a turn may."""
        return time.monotonic() - turn.began > self.lasts

    def place_of(self, turn: Turn) -> int:
        """From 1 for the next; 0 for who waits no more."""
        with self._lock:
            if turn not in self._waiting:
                return 0
            return 1 + sum(other.since < turn.since for other in self._waiting)

    @property
    def n_working(self) -> int:
        with self._lock:
            return len(self._working)

    @property
    def n_waiting(self) -> int:
        with self._lock:
            return len(self._waiting)

    def _call(self) -> None:
        self._working = [turn for turn in self._working if not self.lapsed(turn)]
        while self._waiting and len(self._working) < self.places:
            turn = min(self._waiting, key=lambda each: each.since)
            self._waiting.remove(turn)
            self._working.append(turn)
            self._of_thread[turn.thread] = turn
            turn.began = time.monotonic()
            turn.called.set()


class Room:
    """Who may be in it: so many at once, and who has come in stays until he leaves."""

    def __init__(self, places: int, is_here: Callable[[str], bool]) -> None:
        self.places, self._is_here = places, is_here
        self._lock = threading.Lock()
        self._inside: set[str] = set()

    def come_in(self, who: str, *, was_in: bool = False) -> bool:
        """Take a place, if one is free or `who` has one; whether that worked.

        Who `was_in` comes back to what he left here, also where there is no place.
        """
        with self._lock:
            if who in self._inside:
                return True
            if len(self._inside) >= self.places:
                self._inside = {each for each in self._inside if self._is_here(each)}
            if len(self._inside) >= self.places and not was_in:
                return False
            self._inside.add(who)
            return True
