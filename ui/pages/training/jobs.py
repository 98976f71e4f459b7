"""Background trainings of the page: limited in number and duration.

    job = trainings().start("session 7", "copy", seed=0)    # None: no room
    job.state.step, job.status

A training works at most half of the time, and rests while pages are computed.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Literal

from model.toy import ToyState, train_toy
from ui.frame.admission import cores, is_connected, positive_setting, queues

LASTS = 60.0  # seconds
MOST_REST = 0.25  # seconds of a rest, however busy the pages are
STEPS_BETWEEN_LOOKS = 20  # steps between two checks that the session is still there

Status = Literal["running", "done", "stopped", "out-of-time", "failed"]
Train = Callable[[str, int], Iterator[ToyState]]


class TrainingJob:
    """A training of one session, running or over."""

    def __init__(self, who: str, task: str, seed: int) -> None:
        self.who = who
        self.task = task
        self.seed = seed
        self.state: ToyState | None = None  # None before the first step
        self.status: Status = "running"  # "out-of-time" if it was ended before its last step
        self.stopping = threading.Event()
        self.thread: threading.Thread | None = None


class Trainings:
    """Trainings of a server: one per session, `places` at once."""

    def __init__(
        self,
        places: int,
        is_connected: Callable[[str], bool],  # True while a session is connected
        busy: Callable[[], bool],  # True while pages are computed
        *,
        lasts: float = LASTS,
        train: Train = train_toy,
    ) -> None:
        self.places = places
        self.lasts = lasts
        self._is_connected = is_connected
        self._busy = busy
        self._train = train
        self._lock = threading.Lock()
        self._jobs: dict[str, TrainingJob] = {}

    def of(self, who: str) -> TrainingJob | None:
        return self._jobs.get(who)

    @property
    def n_running(self) -> int:
        return sum(job.status == "running" for job in list(self._jobs.values()))

    def start(self, who: str, task: str, seed: int = 0) -> TrainingJob | None:
        """Start a training in place of the session's last one; None if there is no room.

        Without room the last one stays, running or over.
        """
        with self._lock:
            self._jobs = {name: job for name, job in self._jobs.items() if self._stays(name, job)}
            last = self._jobs.get(who)
            mine = last is not None and last.status == "running"
            # A running training of this session makes room for its successor.
            if self.n_running - mine >= self.places:
                return None
            if last is not None:
                last.stopping.set()
            job = self._jobs[who] = TrainingJob(who, task, seed)
            # daemon: a training must not keep the server from ending.
            job.thread = threading.Thread(target=self._run, args=(job,), daemon=True)
            job.thread.start()
            return job

    def stop(self, who: str) -> None:
        """Stop the training of a session; its result stays on screen."""
        job = self.of(who)
        if job is not None:
            job.stopping.set()

    def _stays(self, who: str, job: TrainingJob) -> bool:
        """Return True if `job` is kept; the training of a closed session is stopped."""
        if not self._is_connected(who):
            job.stopping.set()
        return job.status == "running" or self._is_connected(who)

    def _run(self, job: TrainingJob) -> None:
        began = began_step = time.monotonic()
        try:
            for number, state in enumerate(self._train(job.task, job.seed)):
                job.state = state
                gone = number % STEPS_BETWEEN_LOOKS == 0 and not self._is_connected(job.who)
                if job.stopping.is_set() or gone:
                    job.status = "stopped"
                    return
                if time.monotonic() - began > self.lasts:
                    job.status = "out-of-time"
                    return
                began_step = self._rest(began_step)
            job.status = "done"
        # Any error: a thread has nobody else to report to.
        except Exception:
            logging.getLogger(__name__).exception("a training on the page failed")
            job.status = "failed"

    def _rest(self, began_step: float) -> float:
        took = time.monotonic() - began_step
        # Resting as long as the step took leaves half of a core to others.
        time.sleep(min(took, MOST_REST))
        until = time.monotonic() + MOST_REST
        while self._busy() and time.monotonic() < until:
            time.sleep(0.01)
        return time.monotonic()


@cache
def trainings() -> Trainings:
    """Return the trainings of this process.

    ``ATTENTION_LAB_TRAININGS`` run at once (half the cores).
    """
    places = positive_setting("ATTENTION_LAB_TRAININGS", max(1, cores() // 2))
    return Trainings(places, is_connected, lambda: queues().pages.n_working > 0)
