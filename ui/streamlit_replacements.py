"""Replacements of parts inside Streamlit and uvicorn that cost time or lose an answer.

`replace_parts` puts them in before the server starts. Each first checks that the part has the
names and parameters that it was written for. Where another version has others, that part stays and
a line of the log says so: the app then works as well, only slower, or without an answer now and
then on a busy machine.

Several threads run these parts at once: those of all sessions, and for a moment two of one session,
when a new run begins before the old one has stopped.
"""

from __future__ import annotations

import inspect
import logging
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from functools import cache, partial
from pkgutil import resolve_name
from typing import Any
from weakref import WeakKeyDictionary

LOGGER = logging.getLogger(__name__)
_MISSING = object()


class UnknownPart(Exception):
    """A part is missing, or differs from the one that a replacement was written for."""


def replace_parts() -> None:
    """Put every replacement in whose part is as expected; log the others."""
    for replace in REPLACEMENTS:
        try:
            replace()
        except UnknownPart as unknown:
            LOGGER.warning("Streamlit does without %s: %s", replace.__name__, unknown)


def _part(path: str, *parameters: str) -> Any:
    """Return the function at `path`, "module:name"; UnknownPart if it takes other parameters."""
    try:
        part = resolve_name(path)
        actual = tuple(inspect.signature(part).parameters)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise UnknownPart(f"no function {path} ({error})") from error
    if actual != parameters:
        raise UnknownPart(f"expected parameters {parameters} of {path}, found {actual}")
    return part


def _expect_fields(value: object, *names: str) -> None:
    """Raise UnknownPart unless `value` holds fields of these names and no others."""
    actual = sorted(vars(value))
    if actual != sorted(names):
        raise UnknownPart(f"expected fields {sorted(names)} of {value.__class__}, found {actual}")


def send_at_once() -> None:
    """Let every connection send without waiting until the browser confirms what it has received.

    A system joins small packets of a connection (Nagle's algorithm), and a browser confirms up to
    40 ms late: each file of a page and most messages of a click would wait for that. asyncio turns
    it off only for sockets that name their protocol, which Streamlit's does not; connections
    inherit the option from the socket that accepts them.
    """
    startup = _part("uvicorn:Server.startup", "self", "sockets")

    async def startup_at_once(server: Any, sockets: list[socket.socket] | None = None) -> None:
        for listening in sockets or ():
            if listening.family in (socket.AF_INET, socket.AF_INET6):
                listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        await startup(server, sockets)

    resolve_name("uvicorn:Server").startup = startup_at_once


def read_theme_once() -> None:
    """Keep the message of each section of the theme until the configuration is read again.

    Streamlit sends the theme whenever it runs something, even the texts of a clicked head, and for
    that it goes through all of its options six times.
    """
    populate = _part("streamlit.runtime.app_session:_populate_theme_msg", "msg", "section")
    when_parsed = _part("streamlit.config:on_config_parsed", "func", "force_connect", "lock")

    try:
        session_message = resolve_name("streamlit.proto.NewSession_pb2:NewSession")
        session_message().HasField("custom_theme")
    except (ImportError, AttributeError, ValueError) as error:
        raise UnknownPart(f"no message of a new session with a theme ({error})") from error

    @cache
    def theme_of(section: str) -> Any:
        message = session_message()
        populate(message.custom_theme, section)
        return message.custom_theme if message.HasField("custom_theme") else None

    def populate_once(msg: Any, section: str = "theme") -> None:
        theme = theme_of(section)
        # A section without options stays out of the message; one of defaults stays in, empty.
        if theme is not None:
            msg.MergeFrom(theme)
            msg.SetInParent()

    when_parsed(theme_of.cache_clear, force_connect=True)
    resolve_name("streamlit.runtime.app_session")._populate_theme_msg = populate_once


def watch_unless_told() -> None:
    """Watch the files of the configuration only where files are watched at all.

    Streamlit looks at them five times a second, also with ``--server.fileWatcherType none``.
    """
    watch = _part("streamlit.web.bootstrap:_install_config_watchers", "flag_options")
    option = _part("streamlit.config:get_option", "key")

    def watch_if_wanted(flag_options: dict[str, Any]) -> None:
        if option("server.fileWatcherType") != "none":
            watch(flag_options)

    resolve_name("streamlit.web.bootstrap")._install_config_watchers = watch_if_wanted


class NamedValues(Mapping[str, Any]):
    """Values of a session by name, each looked up when it is first asked for.

    Parameters
    ----------
    session : `SafeSessionState` of Streamlit, whose lock guards each look-up, since another run of
        the session may change it at the same time.
    """

    def __init__(self, session: Any) -> None:
        self._session = session
        # A value that was there once stays, as in a copy, though another run may remove it.
        self._values: dict[object, Any] = {}

    def _value(self, name: object) -> Any:
        if name not in self._values:
            with self._session._lock:
                try:
                    self._values[name] = self._session._state[name]
                except KeyError:
                    self._values[name] = _MISSING
        return self._values[name]

    def __getitem__(self, name: str) -> Any:
        value = self._value(name)
        if value is _MISSING:
            raise KeyError(name)
        return value

    def __contains__(self, name: object) -> bool:
        return self._value(name) is not _MISSING

    def __iter__(self) -> Iterator[str]:
        return iter(self._copy())

    def __len__(self) -> int:
        return len(self._copy())

    def _copy(self) -> dict[str, Any]:
        with self._session._lock:
            state: dict[str, Any] = self._session._state.filtered_state
        return state


def look_up_single_values() -> None:
    """Let Streamlit's widgets look up their own value instead of copying all of the session.

    Each slider, radio, menu and box copies the whole session to see if its value is None.
    """
    for name in ("SafeSessionState", "SessionState"):
        _part(f"streamlit.runtime.state:{name}.filtered_state.fget", "self")
    safe_session = resolve_name("streamlit.runtime.state:SafeSessionState")
    session = resolve_name("streamlit.runtime.state:SessionState")()
    _expect_fields(safe_session(session, lambda: None), "_state", "_lock", "_yield_callback")
    safe_session.filtered_state = property(NamedValues)


def copy_cursors_flat() -> None:
    """Copy a cursor of Streamlit, a position on the page, without walking through its parts.

    Whenever a fragment is drawn, Streamlit copies the cursors of the page and of all containers
    around it, some thirty, by the general way of Python.
    """
    transient = ("transient_index", "transient_elements")
    _part("streamlit.cursor:RunningCursor", "root_container", "parent_path", *transient)
    _part("streamlit.cursor:LockedCursor", "root_container", "parent_path", "index", *transient)
    _expect_fields(_part("streamlit.cursor:SparseList")(), "_data")
    for name in ("RunningCursor", "LockedCursor"):
        cursor = resolve_name(f"streamlit.cursor:{name}")(0)
        fields = ("_root_container", "_parent_path", "_index")
        _expect_fields(cursor, *fields, *(f"_{field}" for field in transient))

    def flat_copy(cursor: Any, _memo: Any) -> Any:
        copied = cursor.__class__.__new__(cursor.__class__)
        # Positions are numbers and tuples; of what changes in place there are the transients alone.
        copied.__dict__.update(cursor.__dict__)
        copied._transient_elements = copy(cursor._transient_elements)
        # In one step of the interpreter, so that no other thread adds to it meanwhile.
        copied._transient_elements._data = dict(cursor._transient_elements._data)
        return copied

    resolve_name("streamlit.cursor:Cursor").__deepcopy__ = flat_copy


def hand_over_together() -> None:
    """Hand what a run sends to the loop in groups, each with one call to its thread.

    A run tells the loop of every message by a byte through a socket, which gives the interpreter to
    the other thread: a sentence has a hundred messages. The first of a group is not held back; it
    takes along those that come before the loop gets to it, in their order.
    """
    path = "streamlit.runtime.app_session:AppSession._call_soon_on_event_loop"
    call_soon = _part(path, "self", "callback")
    if "self._event_loop.call_soon_threadsafe(callback)" not in inspect.getsource(call_soon):
        raise UnknownPart(f"{path} calls no self._event_loop")
    lock = threading.Lock()
    waiting: WeakKeyDictionary[Any, list[Callable[[], None]]] = WeakKeyDictionary()

    def call_waiting(session: Any) -> None:
        with lock:
            callbacks = waiting.pop(session, [])
        # By the loop itself, which handles their exceptions.
        for callback in callbacks:
            session._event_loop.call_soon(callback)

    def call_soon_together(session: Any, callback: Callable[[], None]) -> None:
        with lock:
            group = waiting.setdefault(session, [])
            group.append(callback)
            is_first = len(group) == 1
        if is_first:
            call_soon(session, partial(call_waiting, session))

    resolve_name(path.rpartition(".")[0])._call_soon_on_event_loop = call_soon_together


def wake_once() -> None:
    """Let a message wake the loop that sends only if it has not been woken for another.

    Safe on any thread: a message is in its queue before it wakes the loop, and the loop takes the
    event back before it empties the queues. A message that finds the event set is thus sent.
    """
    path = "streamlit.runtime:Runtime"
    wake = _part(f"{path}._enqueued_some_message", "self")
    _part(f"{path}._get_async_objs", "self")
    loop = inspect.getsource(_part(f"{path}._loop_coroutine", "self"))
    cleared = loop.find("need_send_data.clear()")
    emptied = loop.find("flush_browser_queue()")
    if not 0 <= cleared < emptied:
        raise UnknownPart(f"{path} empties its queues before it clears need_send_data")

    def wake_unless_awake(runtime: Any) -> None:
        if not runtime._get_async_objs().need_send_data.is_set():
            wake(runtime)

    resolve_name(path)._enqueued_some_message = wake_unless_awake


class _EndedRunUnheard(Exception):
    """A run has ended, and what it sent is still on its way to the loop."""


def _parts_of_requests(path: str) -> tuple[Callable[..., None], ...]:
    """Return what asks a session for a run, what starts its runner, and what hears its events."""
    request = _part(f"{path}.request_rerun", "self", "client_state")
    create = _part(f"{path}._create_scriptrunner", "self", "initial_rerun_data")
    steps = (
        "success = self._scriptrunner.request_rerun(rerun_data)",
        "self._scriptrunner = None",
        "self._create_scriptrunner(rerun_data)",
    )
    source = inspect.getsource(request)
    if not all(step in source for step in steps):
        raise UnknownPart(f"{path}.request_rerun starts runners in another way")
    try:
        handle = resolve_name(f"{path}._handle_scriptrunner_event_on_event_loop")
        forgets = "self._scriptrunner = None" in inspect.getsource(handle)
    except (AttributeError, TypeError, OSError) as error:
        raise UnknownPart(f"{path} hears events in another way ({error})") from error
    if not forgets:
        raise UnknownPart(f"{path} keeps a runner after its last event")
    return request, create, handle


def hear_ended_runs_out() -> None:
    """Start the run of a fragment only when the loop has heard all that an ended run has sent.

    Streamlit starts another runner for a click that finds the last one ended, and from then on
    ignores what the last one sent. On a busy machine that is a whole page: the sentence typed
    before the click would stay unanswered. So the click, and what is asked after it, waits for the
    last event of the ended runner, a moment later
    (https://github.com/streamlit/streamlit/issues/9921 describes a case of this).
    """
    path = "streamlit.runtime.app_session:AppSession"
    request, create, handle = _parts_of_requests(path)
    held: WeakKeyDictionary[Any, deque[Any]] = WeakKeyDictionary()  # requests by session

    def create_after_ended(session: Any, initial_rerun_data: Any) -> None:
        # A runner that is still there has ended: it took no request and was not stopped by one.
        if session._scriptrunner is not None:
            raise _EndedRunUnheard
        create(session, initial_rerun_data)

    def request_in_order(session: Any, client_state: Any) -> None:
        requests = held.setdefault(session, deque())
        requests.append(client_state)
        if len(requests) == 1:
            _answer(requests, partial(request, session))

    def handle_and_go_on(session: Any, *event: Any, **more: Any) -> None:
        handle(session, *event, **more)
        if session._scriptrunner is None:
            _answer(held.get(session, deque()), partial(request, session))

    owner = resolve_name(path)
    owner.request_rerun = request_in_order
    owner._create_scriptrunner = create_after_ended
    owner._handle_scriptrunner_event_on_event_loop = handle_and_go_on


def _answer(requests: deque[Any], request: Callable[[Any], None]) -> None:
    """Pass requests on in their order, until one has to wait for an ended run."""
    while requests:
        client_state = requests.popleft()
        try:
            request(client_state)
        except _EndedRunUnheard:
            requests.appendleft(client_state)
            return


REPLACEMENTS: tuple[Callable[[], None], ...] = (
    send_at_once,
    read_theme_once,
    watch_unless_told,
    look_up_single_values,
    copy_cursors_flat,
    hand_over_together,
    wake_once,
    hear_ended_runs_out,
)
