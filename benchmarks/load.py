"""Simulate a class of users on one server.

`python -m benchmarks.load [--sessions N] [--minutes M] [--processes N] [--restarts] [--write]`

Every session is a websocket that sends the messages of a browser (protobuf over `/_stcore/stream`).
Each session types a new sentence every 20 seconds and selects another head every second, on its own
clock and without waiting for answers. No two sessions ever type the same sentence, so a mix-up is
noticed: the ids of the source tokens on a page must belong to one of that session's sentences. The
app is started on the loopback interface and stopped afterwards; the sessions run in this process.

With `--processes N`, the sessions reach N processes through Caddy and `deploy/Caddyfile`. With
`--restarts`, the first process is killed after a quarter of the time and started again, and at
half-time all are restarted one by one. Sessions then connect again, as a browser does.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import signal
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Protocol

import numpy as np
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from typer import Option
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from model import load_translator
from training.commands import alone
from words.packs import first_pack

from .commands import Write
from .proxied import Processes, proxy
from .report import Aim, publish
from .serving import serve
from .session import (
    Session,
    WidgetChange,
    choose_head,
    faults,
    head_of,
    next_head,
    shown_head,
    shown_ids,
)

CHECKPOINT = "en-de"
MOST_SESSIONS = 200
MOST_MINUTES = 30.0
SENTENCE_EVERY = 20.0  # seconds
HEAD_EVERY = 1.0  # seconds
JOIN_SECONDS = 20.0  # over which the arrivals of all sessions are spread
PATIENCE = 60.0  # seconds after which an answer counts as lost
PAUSE = 10.0  # seconds between the return of a killed process and the rolling restart
RECONNECT_EVERY = 0.5  # seconds between two tries to connect again
READING_EVERY = 5.0  # seconds between two readings of the server's memory
SENTENCE_LIMIT = 1.0  # seconds
CORES_LIMIT = 0.5  # of the server, on average
MEMORY_LIMIT = 1200.0  # MB
MOST_LISTED = 5

# 10 x 16 x 14 x 16 = 35,840 sentences: enough for 200 sessions of 30 minutes.
WHO = (
    "man", "woman", "boy", "girl", "child", "dog", "cat", "horse", "worker", "student", "teacher",
    "singer", "player", "driver", "farmer", "doctor",
)  # fmt: skip
HOW = ("young", "old", "tall", "small", "happy", "tired", "black", "white", "brown", "clever")
WHAT = (
    "is sleeping", "is running", "is sitting", "is waiting", "is playing", "is standing",
    "is walking slowly", "is eating", "is drinking water", "is looking at a book",
    "is talking to a friend", "is jumping", "is carrying a red bag", "is climbing",
)  # fmt: skip
WHERE = (
    "in the park", "on the street", "near the river", "in front of a house", "on the beach",
    "in the snow", "behind a green car", "at the station", "in the kitchen", "under a big tree",
    "on a wooden bench", "next to the old church", "in a field", "on the bridge", "in the garden",
    "at the market",
)  # fmt: skip


def sentences(n_sessions: int, n_texts: int, seed: int = 0) -> list[list[str]]:
    """Return for each session sentences that no other session has."""
    n_all = len(HOW) * len(WHO) * len(WHAT) * len(WHERE)
    if n_sessions * n_texts > n_all:
        raise ValueError(f"{n_sessions * n_texts} sentences asked for, there are {n_all}")
    every = itertools.product(HOW, WHO, WHAT, WHERE)
    texts = [f"The {' '.join(words)}." for words in every]
    random.Random(seed).shuffle(texts)
    # A stride deals the shuffled sentences out like cards.
    return [texts[i : n_sessions * n_texts : n_sessions] for i in range(n_sessions)]


@dataclass
class LoadTally:
    """Waiting times, losses and faults of one session, or of all of them."""

    sentence_seconds: list[float] = field(default_factory=list)
    head_seconds: list[float] = field(default_factory=list)
    n_sentences: int = 0
    n_heads: int = 0
    lost_sentences: int = 0
    lost_heads: int = 0
    crossed: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    received: int = 0
    away_seconds: list[float] = field(default_factory=list)

    @classmethod
    def of(cls, tallies: Iterable[LoadTally]) -> LoadTally:
        """Return the sum of several tallies; lists are joined."""
        total = cls()
        for tally in tallies:
            for name, value in vars(tally).items():
                setattr(total, name, getattr(total, name) + value)
        return total


class AppUnderLoad(Protocol):
    """One process of the app, or several, as measured from outside."""

    def megabytes(self) -> float: ...

    def cpu_seconds(self) -> float: ...


class Judge:
    """Requests of a session, and the judgement of what it is shown.

    Times are seconds of a monotonic clock. A choice overtaken by a later one counts as answered
    when the later one is shown.
    """

    def __init__(self, opening: tuple[int, ...]) -> None:
        self.tally = LoadTally()
        self.typed_ids = {opening}
        self.ids = opening
        self.head: tuple[int, int] | None = None
        self._sentence: tuple[float, tuple[int, ...]] | None = None
        self._heads: list[tuple[float, tuple[int, int]]] = []

    def typed(self, now: float, ids: tuple[int, ...]) -> None:
        """Note that a sentence was typed; one that is still unanswered is lost."""
        if self._sentence is not None:
            self.tally.lost_sentences += 1
        self._sentence = now, ids
        self.typed_ids.add(ids)
        self.tally.n_sentences += 1

    def opened(self, now: float, head: tuple[int, int]) -> None:
        """Note that a head was opened."""
        self._heads.append((now, head))
        self.tally.n_heads += 1

    def hear(self, now: float, message: ForwardMsg, size: int = 0) -> None:
        """Take a message of `size` bytes from the server."""
        self.tally.received += size
        self.tally.errors += faults(message)
        self.head = shown_head(message) or self.head
        ids = shown_ids(message)
        if ids is not None:
            self.ids = ids
            if ids not in self.typed_ids:
                self.tally.crossed.append(f"ids {ids} belong to no sentence of this session")
        # A page counts as shown when its run has ended, not when the first picture comes.
        if message.WhichOneof("type") == "script_finished":
            self._finished(now)

    def _finished(self, now: float) -> None:
        """Time the requests that the page now answers."""
        if self._sentence is not None and self._sentence[1] == self.ids:
            self.tally.sentence_seconds.append(now - self._sentence[0])
            self._sentence = None
        heads = [head for _, head in self._heads]
        if self.head in heads:
            # The last occurrence: the same head may have been opened more than once.
            last = len(heads) - heads[::-1].index(self.head)
            self.tally.head_seconds += [now - began for began, _ in self._heads[:last]]
            del self._heads[:last]

    def end(self, now: float) -> None:
        """Count requests as lost that were not answered within `PATIENCE`."""
        if self._sentence is not None and now - self._sentence[0] > PATIENCE:
            self.tally.lost_sentences += 1
        self.tally.lost_heads += sum(now - began > PATIENCE for began, _ in self._heads)


def _connect(server: str, cookie: str) -> connect:
    """Open the websocket that a page speaks with."""
    return connect(
        server.replace("http", "ws", 1) + "/_stcore/stream",
        subprotocols=["streamlit"],
        origin=server,
        additional_headers={"Cookie": cookie} if cookie else {},
        max_size=None,
        open_timeout=PATIENCE,
        # A busy server answers pings late; that is measured, not punished by a closed connection.
        ping_interval=None,
    )


def _cookie_of(server: str) -> str:
    """Ask for the page, as a browser does first; return the proxy's cookie, or an empty text."""
    with urllib.request.urlopen(server, timeout=PATIENCE) as answer:
        return (answer.headers.get("Set-Cookie") or "").partition(";")[0]


async def visit(
    server: str,
    texts: Sequence[str],
    ids_of: Mapping[str, tuple[int, ...]],
    seed: int,
    until: float,
    *,
    moves: bool = False,
) -> LoadTally:
    """Play one visitor from opening the page to closing it.

    `moves`: processes end during the visit, so that a closed connection is opened again.
    """
    judge = Judge(ids_of[""])
    errors = judge.tally.errors
    try:
        cookie = await asyncio.to_thread(_cookie_of, server)
        async with contextlib.AsyncExitStack() as stack:
            socket = await stack.enter_async_context(_connect(server, cookie))
            session = Session(
                socket,
                server,
                lambda message, size: judge.hear(time.perf_counter(), message, size),
            )

            async def stay_connected() -> None:
                await session.listen()
                while moves:
                    session.lose()
                    # A process that is about to end may accept a connection and close it.
                    with contextlib.suppress(ConnectionClosed):
                        await session.go_on(await _reconnected(stack, server, cookie, until))
                        await session.listen()

            listening = asyncio.create_task(stay_connected())
            await session.rerun()
            await asyncio.wait_for(session.ready.wait(), PATIENCE)
            await _use(session, judge, texts, ids_of, random.Random(seed), until)
            # Time for the last answers.
            await asyncio.sleep(min(PATIENCE, 5))
            judge.end(time.perf_counter())
            # The task returns only when the connection ends.
            if listening.done():
                errors.append("the connection was closed")
            listening.cancel()
    except (OSError, ConnectionClosed, TimeoutError) as error:
        errors.append(f"connection: {type(error).__name__} {error}")
    return judge.tally


async def _reconnected(
    stack: contextlib.AsyncExitStack, server: str, cookie: str, until: float
) -> ClientConnection:
    """Connect again, as often as it takes; raises OSError after the end of the visit."""
    while True:
        await asyncio.sleep(RECONNECT_EVERY)
        try:
            return await stack.enter_async_context(_connect(server, cookie))
        except (OSError, InvalidHandshake, TimeoutError):
            if time.perf_counter() > until:
                raise


async def _use(
    session: Session,
    judge: Judge,
    texts: Sequence[str],
    ids_of: Mapping[str, tuple[int, ...]],
    rng: random.Random,
    until: float,
) -> None:
    """Type sentences and open heads, each at its own pace, without waiting for answers."""
    began = time.perf_counter()
    # A random start within each period, else all sessions would act at once.
    sentence_at = began + rng.uniform(0, SENTENCE_EVERY)
    head_at = began + rng.uniform(0, HEAD_EVERY)
    left = iter(texts)
    numbers = itertools.count(1)
    while (now := time.perf_counter()) < until:
        if not session.ready.is_set():
            await asyncio.wait_for(session.ready.wait(), PATIENCE)
            now = time.perf_counter()
            judge.tally.away_seconds.append(now - session.lost_at)
            sentence_at = max(sentence_at, now)
            head_at = max(head_at, now)
        if now >= sentence_at and (text := next(left, None)):
            judge.typed(now, ids_of[text])
            await _choose(session, WidgetChange("text", "string_value", text))
            sentence_at += SENTENCE_EVERY
        elif now >= head_at:
            head = next_head(rng, head_of(session.opened), *session.size())
            judge.opened(now, head)
            await _choose(session, choose_head(session.opened, *head, next(numbers)))
            head_at += HEAD_EVERY
        await asyncio.sleep(max(0.0, min(sentence_at, head_at, until) - time.perf_counter()))


async def _choose(session: Session, change: WidgetChange) -> None:
    """Send a choice; while there is no connection, it goes along with the next request."""
    with contextlib.suppress(ConnectionClosed):
        await session.choose(change)


@dataclass(frozen=True)
class ServerReading:
    """The server at a moment: seconds since the first session, MB in memory, CPU seconds."""

    at: float
    megabytes: float
    cpu: float


async def measure(
    app: AppUnderLoad,
    address: str,
    n_sessions: int,
    seconds: float,
    ids_of: Callable[[str], tuple[int, ...]],
    disturb: Callable[[float], Awaitable[None]] | None = None,
) -> tuple[LoadTally, list[ServerReading]]:
    """Let visitors use the app for `seconds`; meanwhile, `disturb` ends processes."""
    texts = sentences(n_sessions, int(seconds / SENTENCE_EVERY) + 1)
    # Tokenized beforehand: this process shares the machine with the server.
    ids = {text: ids_of(text) for of_session in texts for text in of_session}
    ids[""] = ids_of(first_pack().examples[0].text)  # what the page shows at first
    began = time.perf_counter()
    until = began + seconds
    join = min(JOIN_SECONDS, seconds / 4)
    readings: list[ServerReading] = []

    async def watch() -> None:
        while True:
            at = time.perf_counter() - began
            readings.append(ServerReading(at, app.megabytes(), app.cpu_seconds()))
            await asyncio.sleep(READING_EVERY)

    async def come(i: int) -> LoadTally:
        await asyncio.sleep(join * i / n_sessions)
        return await visit(address, texts[i], ids, i, until, moves=disturb is not None)

    # Cancelled when the last visitor has gone.
    watching = asyncio.create_task(watch())
    disturbing = asyncio.create_task(disturb(seconds)) if disturb else None
    tallies = await asyncio.gather(*map(come, range(n_sessions)))
    if disturbing:
        await disturbing
    watching.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await watching
    return LoadTally.of(tallies), readings


def run(
    n_sessions: int, minutes: float, port: int = 0, *, n_processes: int = 1, restarts: bool = False
) -> tuple[LoadTally, list[ServerReading]]:
    """Start the app, let the visitors come, end the app.

    Raises ValueError if more sessions or minutes are asked for than a machine should bear.
    """
    if not 1 <= n_sessions <= MOST_SESSIONS:
        raise ValueError(f"{n_sessions} sessions, expected from 1 to {MOST_SESSIONS}")
    if not 0 < minutes <= MOST_MINUTES:
        raise ValueError(f"{minutes:g} minutes, expected more than 0 and at most {MOST_MINUTES:g}")
    translator = load_translator(CHECKPOINT)
    ids_of = lambda text: tuple(translator.tokenize(text).ids)  # noqa: E731
    # One process may have to take the users of all.
    environment = {"ATTENTION_LAB_SESSIONS": str(n_sessions)}
    if n_processes == 1:
        with serve(port, **environment) as server:
            load = measure(server, server.address, n_sessions, 60 * minutes, ids_of)
            return asyncio.run(load)
    environment["STREAMLIT_SERVER_COOKIE_SECRET"] = "the same for all"
    with Processes(n_processes, **environment) as processes, proxy(processes) as address:
        disturb = partial(_disturb, processes) if restarts else None
        load = measure(processes, address, n_sessions, 60 * minutes, ids_of, disturb)
        return asyncio.run(load)


async def _disturb(processes: Processes, seconds: float) -> None:
    """Kill the first process after a quarter of the time; then restart all, one by one."""
    began = time.perf_counter()
    await asyncio.sleep(seconds / 4)
    await asyncio.to_thread(processes.end, processes.ports[0], signal.SIGKILL)
    await asyncio.to_thread(processes.start, processes.ports[0])
    # At half-time, if the first process is back by then.
    await asyncio.sleep(max(PAUSE, began + seconds / 2 - time.perf_counter()))
    for port in processes.ports:
        await asyncio.to_thread(processes.end, port, signal.SIGTERM)
        await asyncio.to_thread(processes.start, port)


def aims(tally: LoadTally, readings: Sequence[ServerReading]) -> list[Aim]:
    """Return the limits promised for a class beside the measured values."""
    # The first half warms caches up; growth after that is a leak.
    warm = [reading.megabytes for reading in readings if reading.at >= readings[-1].at / 2]
    slow = np.quantile(tally.sentence_seconds, 0.9) if tally.sentence_seconds else np.inf
    lost = tally.lost_sentences + tally.lost_heads
    most = max(reading.megabytes for reading in readings)
    return [
        Aim("errors, closed connections", len(tally.errors), 0, ""),
        Aim("pages that showed another session's sentence", len(tally.crossed), 0, ""),
        Aim("sentences and heads without an answer", lost, 0, ""),
        Aim("sentence to the finished page, 90 % within", float(slow), SENTENCE_LIMIT, " s"),
        Aim("cores of the server, on average", _cores(readings), CORES_LIMIT, ""),
        Aim("most memory of the server", most, MEMORY_LIMIT, " MB"),
        Aim("growth of memory over the second half", warm[-1] - warm[0], 50, " MB"),
    ]


def _cores(readings: Sequence[ServerReading]) -> float:
    """Return the processor seconds of the server per second between first and last reading."""
    first = readings[0]
    last = readings[-1]
    return (last.cpu - first.cpu) / (last.at - first.at)


def values(tally: LoadTally, readings: Sequence[ServerReading]) -> dict[str, Any]:
    """Return the values of the template ``load`` beside the aims."""
    last = readings[-1]
    # About ten rows, whatever the duration.
    wanted = np.arange(0, last.at / 60 + 0.01, max(1.0, round(last.at / 60 / 10)))

    def spread(seconds: Sequence[float]) -> Sequence[float]:
        return np.quantile(seconds, (0.5, 0.9, 0.99, 1)).tolist() if seconds else ()

    return {
        "waits": (
            ("sentence to the finished page", tally.n_sentences, spread(tally.sentence_seconds)),
            ("head to the finished page", tally.n_heads, spread(tally.head_seconds)),
        ),
        "cores": _cores(readings),
        "megabytes": tally.received / 1e6,
        "away": spread(tally.away_seconds),
        "n_away": len(tally.away_seconds),
        "minutes": [
            (minute, min(readings, key=lambda reading: abs(reading.at - 60 * minute)))
            for minute in wanted
        ],
        "faults": {
            "Errors": Counter(tally.errors).most_common(MOST_LISTED),
            "Another session's": Counter(tally.crossed).most_common(MOST_LISTED),
        },
    }


def main(
    sessions: Annotated[int, Option(min=1, max=MOST_SESSIONS, help="users at once")] = 50,
    minutes: Annotated[
        float, Option(min=0.01, max=MOST_MINUTES, help="how long the users stay")
    ] = 10,
    port: Annotated[int, Option(help="port of the app on this machine; 0 takes a free one")] = 0,
    processes: Annotated[
        int, Option(min=1, max=8, help="processes of the app; several are put behind Caddy")
    ] = 1,
    restarts: Annotated[
        bool, Option("--restarts", help="kill a process on the way, then restart all one by one")
    ] = False,
    json_file: Annotated[
        Path | None,
        Option("--json", help="also write all waiting times and memory readings to this file"),
    ] = None,
    write: Write = False,
) -> None:
    if restarts and processes == 1:
        raise ValueError("--restarts needs --processes 2 or more")
    tally, readings = run(sessions, minutes, port, n_processes=processes, restarts=restarts)
    if json_file:
        everything = {"looks": [vars(reading) for reading in readings], **vars(tally)}
        json_file.write_text(json.dumps(everything), encoding="utf-8")
    publish("load", aims(tally, readings), values(tally, readings), write=write)


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.load", __doc__))
