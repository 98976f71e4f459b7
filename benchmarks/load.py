"""``python -m benchmarks.load [--sessions N] [--minutes M] [--write]``: a class on one server.

Every session is a websocket that speaks as the browser does (protobuf over ``/_stcore/stream``):
each types a new sentence every 20 seconds and opens another head every second, at times of its own,
whether or not what came before has been answered. No two sessions ever type the same sentence, so
whatever one sees of another's is noticed: the ids of the source tokens on the page must be those of
a sentence of its own. The app is started on the loopback and ended afterwards; the sessions run on
the same machine, in this process.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from typer import Option
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from model import load_translator
from training.commands import alone

from .commands import Write
from .report import Aim, aims_table, cpu_name, publish, table
from .serving import Server, serve

CHECKPOINT = "en-de"
MOST_SESSIONS, MOST_MINUTES = 200, 30.0
SENTENCE_EVERY, HEAD_EVERY = 20.0, 1.0  # seconds
JOIN_SECONDS = 20.0  # in which all sessions come
PATIENCE = 60.0  # seconds after which an answer is taken for lost
LOOK_EVERY = 5.0  # seconds between two looks at the server's memory
SENTENCE_LIMIT, MEMORY_LIMIT = 2.0, 1200.0  # seconds, MB
MOST_CACHED = 16  # large messages that a session can be spared
MOST_TOLD = 5

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

# What a session reads in the messages


def faults(message: ForwardMsg) -> list[str]:
    """What the server says went wrong: an exception, a red box, a script that ended badly."""
    found = []
    kind = message.WhichOneof("type")
    if kind == "delta":
        element = message.delta.new_element
        if element.WhichOneof("type") == "exception":
            found.append(f"exception: {element.exception.type} {element.exception.message}")
        if element.WhichOneof("type") == "alert" and element.alert.format == element.alert.ERROR:
            found.append(f"error on the page: {element.alert.body}")
        if "-mishap_" in message.delta.add_block.id:
            found.append("a part of the page could not be drawn")
    if kind == "session_event" and message.session_event.HasField("script_compilation_exception"):
        found.append(f"exception: {message.session_event.script_compilation_exception.message}")
    if (
        kind == "script_finished"
        and message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR
    ):
        found.append("the script does not compile")
    return found


def component(message: ForwardMsg, key: str) -> dict[str, Any] | None:
    """What the component of this key is given to show, where this message brings it."""
    found = message.delta.new_element.bidi_component
    return json.loads(found.json) if found.id.endswith(f"-{key}") and found.json else None


def shown_ids(message: ForwardMsg) -> tuple[int, ...] | None:
    """The ids of the source tokens, where this message brings them."""
    drawn = component(message, "heads")
    return tuple(token["id"] for token in drawn["lines"][0]["tokens"]) if drawn else None


def shown_head(message: ForwardMsg) -> tuple[int, int] | None:
    """Layer and head of the open head, counted from 0, where this message tells them."""
    told = component(message, "heads_told")
    return head_of(told) if told else None


def head_of(told: Mapping[str, Any]) -> tuple[int, int]:
    """Layer and head that are open at the site on screen."""
    place = told["foci"][told["kind"]]
    return place["layer"], place["head"]


def widget_of(message: ForwardMsg) -> tuple[str, str] | None:
    """Key and id of the widget that this message puts on the page."""
    element = message.delta.new_element
    kind = element.WhichOneof("type")
    found = kind and re.fullmatch(
        r"\$\$ID-[0-9a-f]+-(\w+)", getattr(getattr(element, kind), "id", "")
    )
    return (found[1], found[0]) if found else None


# What a session sends


@dataclass(frozen=True)
class Choice:
    """A change of one widget: its key and the field of a widget's state that carries the value."""

    key: str
    field: str
    value: Any


def choose_head(told: Mapping[str, Any], layer: int, head: int, number: int) -> Choice:
    """How a head is opened.

    `told`: what the page last said is open, to the component of all heads. `number`: counts the
    choices of this session.
    """
    kind, foci = told["kind"], told["foci"]
    foci = foci | {kind: foci[kind] | {"layer": layer, "head": head}}
    chosen = {"identity": told["identity"], "kind": kind, "badge": told["badge"], "foci": foci}
    return Choice("heads", "json_value", json.dumps({"choice": chosen | {"number": number}}))


def next_head(
    rng: random.Random, open_head: tuple[int, int], n_layers: int, n_heads: int
) -> tuple[int, int]:
    """Another head than the open one."""
    place = open_head[0] * n_heads + open_head[1]
    return divmod((place + rng.randrange(1, n_layers * n_heads)) % (n_layers * n_heads), n_heads)


def choose_sentence(text: str) -> Choice:
    """How a sentence is typed."""
    return Choice("text", "string_value", text)


def sentences(n_sessions: int, n_each: int, seed: int = 0) -> list[list[str]]:
    """For each session sentences that no other session has."""
    n_all = len(HOW) * len(WHO) * len(WHAT) * len(WHERE)
    if n_sessions * n_each > n_all:
        raise ValueError(f"{n_sessions * n_each} sentences asked for, there are {n_all}")
    every = itertools.product(HOW, WHO, WHAT, WHERE)
    texts = [f"The {how} {who} {what} {where}." for how, who, what, where in every]
    random.Random(seed).shuffle(texts)
    return [texts[i : n_sessions * n_each : n_sessions] for i in range(n_sessions)]


# What is judged


@dataclass
class Tally:
    """What one session, or all of them, met."""

    sentence_seconds: list[float] = field(default_factory=list)
    head_seconds: list[float] = field(default_factory=list)
    n_sentences: int = 0
    n_heads: int = 0
    lost_sentences: int = 0
    lost_heads: int = 0
    crossed: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    received: int = 0

    @classmethod
    def of(cls, tallies: Iterable[Tally]) -> Tally:
        total = cls()
        for each in tallies:
            for name, value in vars(each).items():
                setattr(total, name, getattr(total, name) + value)
        return total


class Judge:
    """What a session has asked for, and whether what it is shown answers it.

    Times are seconds of any clock that only goes forward. A choice that a later one overtook counts
    as answered when the later one is shown.
    """

    def __init__(self, opening: tuple[int, ...]) -> None:
        self.tally = Tally()
        self.own = {opening}
        self.ids, self.head = opening, None
        self._sentence: tuple[float, tuple[int, ...]] | None = None
        self._heads: list[tuple[float, tuple[int, int]]] = []

    def typed(self, now: float, ids: tuple[int, ...]) -> None:
        if self._sentence is not None:
            self.tally.lost_sentences += 1
        self._sentence = now, ids
        self.own.add(ids)
        self.tally.n_sentences += 1

    def opened(self, now: float, head: tuple[int, int]) -> None:
        self._heads.append((now, head))
        self.tally.n_heads += 1

    def hear(self, now: float, message: ForwardMsg) -> None:
        """Take a message from the server."""
        self.tally.errors += faults(message)
        self.head = shown_head(message) or self.head
        ids = shown_ids(message)
        if ids is not None:
            self.ids = ids
            if ids not in self.own:
                self.tally.crossed.append(f"ids {ids} belong to no sentence of this session")
        if message.WhichOneof("type") == "script_finished":
            self._finished(now)

    def _finished(self, now: float) -> None:
        if self._sentence is not None and self._sentence[1] == self.ids:
            self.tally.sentence_seconds.append(now - self._sentence[0])
            self._sentence = None
        asked = [head for _, head in self._heads]
        if self.head in asked:
            last = len(asked) - asked[::-1].index(self.head)
            self.tally.head_seconds += [now - began for began, _ in self._heads[:last]]
            del self._heads[:last]

    def end(self, now: float) -> None:
        """What has not been answered after all this time is lost."""
        if self._sentence is not None and now - self._sentence[0] > PATIENCE:
            self.tally.lost_sentences += 1
        self.tally.lost_heads += sum(now - began > PATIENCE for began, _ in self._heads)


# A session


class Session:
    """One visitor: a websocket, what it has been shown, and what it has chosen."""

    def __init__(self, socket: ClientConnection, address: str, opening: tuple[int, ...]) -> None:
        self._socket, self._address = socket, address
        self.judge = Judge(opening)
        self._places: dict[str, tuple[str, str]] = {}  # key -> widget id, fragment id
        self.told: dict[str, Any] = {}  # what is open, as the page said last
        self.n_layers, self.n_heads = 1, 1
        self._states: dict[str, tuple[str, Any]] = {}  # widget id -> field and value
        self._query = ""
        self._cached: dict[str, ForwardMsg] = {}
        self.ready = asyncio.Event()

    async def listen(self) -> None:
        """Read what the server sends until the connection ends."""
        with contextlib.suppress(ConnectionClosed):  # `visit` tells a close that nobody asked for
            await self._listen()

    async def _listen(self) -> None:
        async for data in self._socket:
            message = ForwardMsg.FromString(data)
            self.judge.tally.received += len(data)
            message = self.resolved(message)
            self._note(message)
            self.judge.hear(time.perf_counter(), message)

    def resolved(self, message: ForwardMsg) -> ForwardMsg:
        """The message itself, or the one that came before where the server only names it."""
        if message.WhichOneof("type") == "ref_hash":
            return self._cached.get(message.ref_hash, message)
        if message.metadata.cacheable:
            self._cached[message.hash] = message
            while len(self._cached) > MOST_CACHED:
                del self._cached[next(iter(self._cached))]
        return message

    def _note(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        if kind == "delta" and (found := widget_of(message)):
            self._places[found[0]] = found[1], message.delta.fragment_id
            element = message.delta.new_element
            widget = getattr(element, element.WhichOneof("type"))
            if getattr(widget, "set_value", False) and found[1] in self._states:
                self._states[found[1]] = "string_value", widget.raw_value
        self.told = component(message, "heads_told") or self.told
        if drawn := component(message, "heads"):
            site = drawn["sites"][0]
            self.n_layers, self.n_heads = site["layers"], site["heads"]
        if kind == "script_finished" and "text" in self._places:
            self.ready.set()

    async def open(self) -> None:
        """What the browser sends first."""
        await self._rerun()

    async def choose(self, choice: Choice) -> None:
        """Change a widget and ask for the run that this brings about."""
        id, fragment = self._places[choice.key]
        self._states[id] = choice.field, choice.value
        await self._rerun(fragment)

    async def _rerun(self, fragment: str = "") -> None:
        asked = BackMsg()
        state = asked.rerun_script
        state.query_string, state.fragment_id = self._query, fragment
        state.context_info.timezone, state.context_info.locale = "UTC", "en"
        state.context_info.url, state.context_info.color_scheme = self._address, "light"
        state.cached_message_hashes.extend(self._cached)
        for id, (name, value) in self._states.items():
            setattr(state.widget_states.widgets.add(id=id), name, value)
        await self._socket.send(asked.SerializeToString())


async def visit(
    server: str,
    texts: Sequence[str],
    ids_of: Mapping[str, tuple[int, ...]],
    seed: int,
    until: float,
) -> Tally:
    """One visitor from opening the page to closing it."""
    rng = random.Random(seed)
    stream = server.replace("http", "ws", 1) + "/_stcore/stream"
    tally = Tally()
    try:
        async with connect(
            stream,
            subprotocols=["streamlit"],
            origin=server,
            max_size=None,
            open_timeout=PATIENCE,
            ping_interval=None,
        ) as ws:
            session = Session(ws, server, ids_of[""])
            tally = session.judge.tally
            listening = asyncio.create_task(session.listen())
            await session.open()
            await asyncio.wait_for(session.ready.wait(), PATIENCE)
            await _use(session, texts, ids_of, rng, until)
            await asyncio.sleep(min(PATIENCE, 5))
            session.judge.end(time.perf_counter())
            if listening.done():
                tally.errors.append("the connection was closed")
            listening.cancel()
    except (OSError, ConnectionClosed, TimeoutError) as error:
        tally.errors.append(f"connection: {type(error).__name__} {error}")
    return tally


async def _use(
    session: Session,
    texts: Sequence[str],
    ids_of: Mapping[str, tuple[int, ...]],
    rng: random.Random,
    until: float,
) -> None:
    """Sentences and heads in turn, each at its own pace, without waiting for answers."""
    began = time.perf_counter()
    sentence_at = began + rng.uniform(0, SENTENCE_EVERY)
    head_at = began + rng.uniform(0, HEAD_EVERY)
    left, numbers = iter(texts), itertools.count(1)
    while (now := time.perf_counter()) < until:
        if now >= sentence_at and (text := next(left, None)):
            session.judge.typed(now, ids_of[text])
            await session.choose(choose_sentence(text))
            sentence_at += SENTENCE_EVERY
        elif now >= head_at:
            head = next_head(rng, head_of(session.told), session.n_layers, session.n_heads)
            session.judge.opened(now, head)
            await session.choose(choose_head(session.told, *head, next(numbers)))
            head_at += HEAD_EVERY
        await asyncio.sleep(max(0.0, min(sentence_at, head_at, until) - time.perf_counter()))


# All of them


@dataclass(frozen=True)
class Look:
    """The server at a moment: seconds since the first session, MB in memory, CPU seconds."""

    at: float
    megabytes: float
    cpu: float


async def measure(
    server: Server,
    n_sessions: int,
    seconds: float,
    ids_of: Callable[[str], tuple[int, ...]],
    opening: str,
) -> tuple[Tally, list[Look]]:
    """Let `n_sessions` visitors use the app for so long."""
    texts = sentences(n_sessions, int(seconds / SENTENCE_EVERY) + 1)
    ids = {text: ids_of(text) for each in texts for text in each} | {"": ids_of(opening)}
    began = time.perf_counter()
    until = began + seconds
    join = min(JOIN_SECONDS, seconds / 4)
    looks: list[Look] = []

    async def watch() -> None:
        while True:
            at = time.perf_counter() - began
            looks.append(Look(at, server.megabytes(), server.cpu_seconds()))
            await asyncio.sleep(LOOK_EVERY)

    async def come(i: int) -> Tally:
        await asyncio.sleep(join * i / n_sessions)
        return await visit(server.address, texts[i], ids, i, until)

    watching = asyncio.create_task(watch())
    tallies = await asyncio.gather(*map(come, range(n_sessions)))
    watching.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await watching
    return Tally.of(tallies), looks


def run(n_sessions: int, minutes: float, port: int = 0) -> tuple[Tally, list[Look]]:
    """Start the app, let the visitors come, end the app.

    Raises ValueError where more sessions or minutes than this may ask of a machine.
    """
    if not 1 <= n_sessions <= MOST_SESSIONS:
        raise ValueError(f"{n_sessions} sessions, expected from 1 to {MOST_SESSIONS}")
    if not 0 < minutes <= MOST_MINUTES:
        raise ValueError(f"{minutes:g} minutes, expected more than 0 and at most {MOST_MINUTES:g}")
    translator = load_translator(CHECKPOINT)
    ids_of = lambda text: tuple(translator.tokenize(text).ids)  # noqa: E731
    with serve(port, ATTENTION_LAB_SESSIONS=str(n_sessions)) as server:
        opening = first_sentence()
        return asyncio.run(measure(server, n_sessions, 60 * minutes, ids_of, opening))


def first_sentence() -> str:
    """What the page shows to somebody who has not typed yet."""
    from words.packs import first_pack

    return first_pack().examples[0].text


# What came of it


def aims(tally: Tally, looks: Sequence[Look]) -> list[Aim]:
    """What was promised for a class, and what was measured."""
    warm = [look.megabytes for look in looks if look.at >= looks[-1].at / 2]
    slow = np.quantile(tally.sentence_seconds, 0.9) if tally.sentence_seconds else np.inf
    return [
        Aim("errors, closed connections", len(tally.errors), 0, ""),
        Aim("pages that showed another session's sentence", len(tally.crossed), 0, ""),
        Aim(
            "sentences and heads without an answer", tally.lost_sentences + tally.lost_heads, 0, ""
        ),
        Aim("sentence to the finished page, 90 % within", float(slow), SENTENCE_LIMIT, " s"),
        Aim(
            "most memory of the server", max(look.megabytes for look in looks), MEMORY_LIMIT, " MB"
        ),
        Aim("growth of memory over the second half", warm[-1] - warm[0], 50, " MB"),
    ]


def report(tally: Tally, looks: Sequence[Look], command: str) -> str:
    """Everything that was measured, as Markdown."""
    first, last = looks[0], looks[-1]
    wanted = np.arange(0, last.at / 60 + 0.01, max(1.0, round(last.at / 60 / 10)))
    minutes = [
        (minute, min(looks, key=lambda look: abs(look.at - 60 * minute))) for minute in wanted
    ]

    def spread(seconds: Sequence[float]) -> Sequence[float]:
        return np.quantile(seconds, (0.5, 0.9, 0.99, 1)).tolist() if seconds else ()

    return table(
        "load.md.j2",
        machine=f"{cpu_name()}, {os.cpu_count()} cores",
        command=command,
        aims=aims_table(aims(tally, looks)),
        waits=(
            ("sentence to the finished page", tally.n_sentences, spread(tally.sentence_seconds)),
            ("head to the finished page", tally.n_heads, spread(tally.head_seconds)),
        ),
        cores=(last.cpu - first.cpu) / (last.at - first.at),
        megabytes=tally.received / 1e6,
        minutes=minutes,
        faults={
            name: Counter(found).most_common(MOST_TOLD)
            for name, found in (("Errors", tally.errors), ("Another session's", tally.crossed))
        },
    )


def main(
    sessions: Annotated[int, Option(min=1, max=MOST_SESSIONS, help="visitors at once")] = 50,
    minutes: Annotated[float, Option(min=0.01, max=MOST_MINUTES, help="how long they stay")] = 10,
    port: Annotated[int, Option(help="of the loopback; a free one if left out")] = 0,
    json_file: Annotated[
        Path | None, Option("--json", help="also write every waiting time and look into this file")
    ] = None,
    write: Write = False,
) -> None:
    tally, looks = run(sessions, minutes, port)
    command = f"python -m benchmarks.load --sessions {sessions} --minutes {minutes:g}"
    if json_file:
        found = {"looks": [vars(look) for look in looks], **vars(tally)}
        json_file.write_text(json.dumps(found), encoding="utf-8")
    publish(report(tally, looks, command), "load", write=write)


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.load", __doc__))
