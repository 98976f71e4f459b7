"""Fair queue for expensive work: a limited number at once, one turn per session.

    with turns.turn("session 7", poll) as turn:
        ...

Knows nothing about pages; `ui.frame.admission` holds the queues of the app.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PAUSE = 0.05  # seconds between two calls of `poll`

Poll = Callable[[int], None]


class Turn:
    """A position in a queue, then the turn itself."""

    def __init__(self, who: str, since: float) -> None:
        self.who = who
        self.since = since
        # The thread is recorded because `end` frees the turn of the thread that calls it.
        self.thread = threading.get_ident()
        self.called = threading.Event()
        # Seconds, monotonic; infinite before the turn, so that it has not lapsed.
        self.began = math.inf


class Turns:
    """Queue with at most `places` turns at once; the others wait, first come, first served.

    A session waits once: a new request takes the position of its older one, which moves to the end
    until its thread stops. So nobody is served twice while another waits, and nobody loses a
    position by asking again. An exception in the work frees the place like its end. A turn of more
    than `lasts` seconds no longer counts, so that the next can begin; its work goes on.
    """

    def __init__(self, places: int, lasts: float = math.inf) -> None:
        self.places = places
        self.lasts = lasts
        self._lock = threading.Lock()
        self._waiting: list[Turn] = []
        self._working: list[Turn] = []
        self._of_thread: dict[int, Turn] = {}

    @contextmanager
    def turn(self, who: str, poll: Poll, *, head_start: float = 0.0) -> Iterator[Turn]:
        """Wait for a place and hold it while the block runs.

        Parameters
        ----------
        who : id of the session.
        poll : called with the position in the queue, from 1, while it waits; its exceptions end the
            wait.
        head_start : seconds by which it goes before earlier requests.
        """
        turn = self.join(who, poll, head_start=head_start)
        try:
            yield turn
        finally:
            self.leave(turn)

    def join(self, who: str, poll: Poll, *, head_start: float = 0.0) -> Turn:
        """Wait for a place as `turn` does; the caller then calls `leave` or `end`."""
        turn = Turn(who, time.monotonic() - head_start)
        with self._lock:
            for older in self._waiting:
                if older.who == who and older.since < turn.since:
                    # Swaps the times of arrival: the new request inherits the older one's position.
                    older.since, turn.since = turn.since, older.since
            self._waiting.append(turn)
            self._call()
        try:
            while not turn.called.wait(PAUSE):
                poll(max(1, self.place_of(turn)))
                # Turns lapse by time alone, without an event, so every poll looks for one.
                with self._lock:
                    self._call()
        # Also Streamlit's exceptions that stop a run.
        except BaseException:
            self.leave(turn)
            raise
        return turn

    def leave(self, turn: Turn) -> None:
        """Free the position in the queue or at work; does nothing if it is free already."""
        with self._lock:
            # A lapsed turn is in neither group.
            for group in (self._waiting, self._working):
                if turn in group:
                    group.remove(turn)
            if self._of_thread.get(turn.thread) is turn:
                del self._of_thread[turn.thread]
            self._call()

    def end(self) -> None:
        """Free the place that this thread holds, if any."""
        if (turn := self.held()) is not None:
            self.leave(turn)

    def held(self) -> Turn | None:
        """Return the turn of this thread, lapsed or not."""
        return self._of_thread.get(threading.get_ident())

    def lapsed(self, turn: Turn) -> bool:
        """Return True if the turn has lasted longer than allowed."""
        return time.monotonic() - turn.began > self.lasts

    def place_of(self, turn: Turn) -> int:
        """Return the position in the queue, from 1; 0 if the turn no longer waits."""
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
            # By head start, the order may differ from that of arrival.
            turn = min(self._waiting, key=lambda waiting: waiting.since)
            self._waiting.remove(turn)
            self._working.append(turn)
            self._of_thread[turn.thread] = turn
            turn.began = time.monotonic()
            turn.called.set()


class Admission:
    """Admission control: at most `places` sessions; an admitted session keeps its slot."""

    def __init__(self, places: int, is_connected: Callable[[str], bool]) -> None:
        self.places = places
        self._is_connected = is_connected
        self._lock = threading.Lock()
        self._inside: set[str] = set()

    def has_room(self) -> bool:
        """Return True if a new session would be admitted."""
        with self._lock:
            self._clear_if_full()
            return len(self._inside) < self.places

    def come_in(self, who: str, *, was_in: bool = False) -> bool:
        """Admit session `who` if a slot is free or it has one; return True if admitted.

        A session that `was_in` returns to its work even if there is no free slot.
        """
        with self._lock:
            if who in self._inside:
                return True
            self._clear_if_full()
            if len(self._inside) >= self.places and not was_in:
                return False
            self._inside.add(who)
            return True

    def _clear_if_full(self) -> None:
        """Clear closed sessions, only when their slots are needed."""
        if len(self._inside) >= self.places:
            self._inside = {session for session in self._inside if self._is_connected(session)}
