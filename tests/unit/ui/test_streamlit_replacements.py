"""Replacements of parts inside Streamlit and uvicorn: what they do, and when they stay out."""

from __future__ import annotations

import asyncio
import inspect
import logging
import socket
import threading
from copy import deepcopy
from functools import partial
from pkgutil import resolve_name
from types import SimpleNamespace
from unittest.mock import AsyncMock, MagicMock, Mock, create_autospec

import pytest
import uvicorn
from streamlit import config
from streamlit.cursor import RunningCursor, SparseList
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.NewSession_pb2 import CustomThemeConfig, NewSession
from streamlit.runtime import Runtime, app_session
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.web import bootstrap

from ui import streamlit_replacements as replacements

PLACES = {
    "send_at_once": "uvicorn:Server.startup",
    "read_theme_once": "streamlit.runtime.app_session:_populate_theme_msg",
    "watch_unless_told": "streamlit.web.bootstrap:_install_config_watchers",
    "look_up_single_values": "streamlit.runtime.state:SafeSessionState.filtered_state",
    "copy_cursors_flat": "streamlit.cursor:Cursor.__deepcopy__",
    "hand_over_together": "streamlit.runtime.app_session:AppSession._call_soon_on_event_loop",
    "wake_once": "streamlit.runtime:Runtime._enqueued_some_message",
    "hear_ended_runs_out": "streamlit.runtime.app_session:AppSession.request_rerun",
}
"""Address of what each replacement sets."""
SESSION = "streamlit.runtime.app_session:AppSession"
FURTHER = ("_create_scriptrunner", "_handle_scriptrunner_event_on_event_loop")
"""Parts of a session that `hear_ended_runs_out` sets as well."""


def owner_of(path: str) -> tuple[object, str]:
    """Return the module or class that holds the part at `path`, and the part's name there."""
    module, _, names = path.partition(":")
    *owners, name = names.split(".")
    return resolve_name(f"{module}:{'.'.join(owners)}"), name


def part_at(path: str) -> object:
    """Return the part at `path`, None if its owner has none of its own."""
    owner, name = owner_of(path)
    return vars(owner).get(name)


@pytest.fixture(autouse=True)
def _restored():
    """Restore every part of Streamlit and uvicorn after a test."""
    paths = (*PLACES.values(), *(f"{SESSION}.{name}" for name in FURTHER))
    before = {path: part_at(path) for path in paths}
    yield
    for path, part in before.items():
        if part is not None:
            setattr(*owner_of(path), part)
        elif part_at(path) is not None:
            delattr(*owner_of(path))


def test_every_replacement_fits_the_installed_versions(caplog):
    before = {path: part_at(path) for path in PLACES.values()}
    replacements.replace_parts()
    assert not caplog.records
    assert all(part_at(path) is not part for path, part in before.items())


@pytest.mark.parametrize(
    ("replacement", "part", "other"),
    [
        ("send_at_once", "uvicorn:Server.startup", lambda self, sockets, more: None),
        ("read_theme_once", PLACES["read_theme_once"], lambda msg: None),
        ("read_theme_once", "streamlit.config:on_config_parsed", None),
        (
            "look_up_single_values",
            "streamlit.runtime.state:SafeSessionState.filtered_state",
            lambda self: {},
        ),
        (
            "look_up_single_values",
            "streamlit.runtime.state:SafeSessionState.__init__",
            lambda self, state, yield_callback: None,
        ),
        ("copy_cursors_flat", "streamlit.cursor:LockedCursor", None),
        ("copy_cursors_flat", "streamlit.cursor:SparseList.__init__", lambda self: None),
        ("watch_unless_told", PLACES["watch_unless_told"], lambda: None),
        ("hand_over_together", PLACES["hand_over_together"], lambda self, callback: None),
        ("hear_ended_runs_out", PLACES["hear_ended_runs_out"], lambda self, client_state: None),
        (
            "hear_ended_runs_out",
            "streamlit.runtime.app_session:AppSession._handle_scriptrunner_event_on_event_loop",
            None,
        ),
        ("wake_once", "streamlit.runtime:Runtime._get_async_objs", None),
        ("wake_once", "streamlit.runtime:Runtime._loop_coroutine", lambda self: None),
    ],
)
def test_an_unknown_part_stays_and_the_log_says_so(monkeypatch, caplog, replacement, part, other):
    monkeypatch.setattr(*owner_of(part), other)
    before = part_at(PLACES[replacement])
    with caplog.at_level(logging.WARNING):
        replacements.replace_parts()
    (record,) = caplog.records
    assert replacement in record.getMessage()
    assert part_at(PLACES[replacement]) is before


def test_a_missing_module_stops_no_other_replacement(monkeypatch, caplog):
    monkeypatch.setitem(replacements.__dict__, "resolve_name", Mock(side_effect=ImportError("no")))
    replacements.replace_parts()
    assert len(caplog.records) == len(replacements.REPLACEMENTS)


def test_connections_send_without_waiting_for_the_browser(monkeypatch):
    startup = create_autospec(uvicorn.Server.startup, side_effect=AsyncMock())
    monkeypatch.setattr(uvicorn.Server, "startup", startup)
    replacements.send_at_once()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        asyncio.run(uvicorn.Server.startup(Mock(), [listening]))
        with socket.create_connection(listening.getsockname()), listening.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.fixture
def look_up(monkeypatch) -> Mock:
    """Count the walks through all options of the configuration."""
    walk = Mock(side_effect=config.get_options_for_section)
    monkeypatch.setattr(config, "get_options_for_section", walk)
    return walk


def theme_of(*sections: str) -> CustomThemeConfig:
    """Return the theme that Streamlit sends of some sections of the configuration."""
    theme = CustomThemeConfig()
    app_session._populate_theme_msg(theme)
    for section in sections:
        app_session._populate_theme_msg(getattr(theme, section), f"theme.{section}")
    return theme


def test_the_theme_is_looked_up_once(look_up):
    replacements.read_theme_once()
    themes = [theme_of() for _ in range(2)]
    look_up.assert_called_once()
    assert themes[0].heading_font_sizes
    assert themes[0] == themes[1]


def test_the_theme_is_what_streamlit_sends():
    sections = ("light", "dark", "sidebar")
    sent = theme_of(*sections)
    replacements.read_theme_once()
    for _ in range(2):
        assert theme_of(*sections).SerializeToString() == sent.SerializeToString()


@pytest.mark.parametrize("options", [{}, {"base": "light"}, {"base": "light", "font": "serif"}])
def test_a_theme_of_defaults_is_sent_as_streamlit_does(monkeypatch, options):
    monkeypatch.setattr(config, "get_options_for_section", lambda section: options)
    sent = NewSession()
    app_session._populate_theme_msg(sent.custom_theme)
    replacements.read_theme_once()
    again = NewSession()
    app_session._populate_theme_msg(again.custom_theme)
    assert again.SerializeToString() == sent.SerializeToString()


def test_the_theme_is_looked_up_again_when_the_configuration_is_read_again(look_up):
    replacements.read_theme_once()
    theme_of()
    config._on_config_parsed.send()
    theme_of()
    assert look_up.call_count == 2


@pytest.mark.parametrize(("watched", "n"), [("none", 0), ("auto", 1)])
def test_the_configuration_is_watched_where_files_are(monkeypatch, watched, n):
    watch = Mock(side_effect=lambda flag_options: None)
    watch.__signature__ = inspect.signature(bootstrap._install_config_watchers)
    monkeypatch.setattr(bootstrap, "_install_config_watchers", watch)
    monkeypatch.setattr(config, "get_option", lambda key: {"server.fileWatcherType": watched}[key])
    replacements.watch_unless_told()
    bootstrap._install_config_watchers({})
    assert watch.call_count == n


@pytest.fixture
def session() -> SessionState:
    state = SessionState()
    state["chosen"] = 3
    state["cleared"] = None
    return state


def values_of(session: SessionState) -> replacements.NamedValues:
    replacements.look_up_single_values()
    return SafeSessionState(session, lambda: None).filtered_state


def test_a_widget_looks_up_its_own_value_alone(monkeypatch, session):
    monkeypatch.setattr(SessionState, "_keys", Mock())
    values = values_of(session)
    assert "chosen" in values
    assert "missing" not in values
    assert values["cleared"] is None
    SessionState._keys.assert_not_called()


def test_values_are_listed_as_streamlit_lists_them(session):
    values = values_of(session)
    assert dict(values) == session.filtered_state == {"chosen": 3, "cleared": None}
    assert len(values) == 2


def test_each_look_up_holds_the_lock_of_the_session(session):
    safe = SafeSessionState(session, lambda: None)
    replacements.look_up_single_values()
    lock = MagicMock()
    object.__setattr__(safe, "_lock", lock)
    values = safe.filtered_state
    assert not lock.__enter__.called
    for look_up in (lambda: "chosen" in values, lambda: values["cleared"], lambda: len(values)):
        lock.reset_mock()
        look_up()
        lock.__enter__.assert_called_once()
        lock.__exit__.assert_called_once()


def test_a_value_that_was_there_stays_though_another_run_removes_it(session):
    values = values_of(session)
    assert "chosen" in values
    del session["chosen"]
    assert values["chosen"] == 3
    with pytest.raises(KeyError):
        values["missing"]


def test_a_copied_cursor_moves_alone():
    replacements.copy_cursors_flat()
    cursor = RunningCursor(0, (1, 2))
    cursor.lock_element()
    copied = deepcopy(cursor)
    assert copied.delta_path == [0, 1, 2, 1]
    copied.lock_element()
    copied.transient_elements[0] = "passing"
    assert copied.delta_path == [0, 1, 2, 2]
    assert cursor.delta_path == [0, 1, 2, 1]
    assert not list(cursor.transient_elements)


def test_a_copied_cursor_is_what_python_would_copy():
    cursor = RunningCursor(0, (1, 2), 3, SparseList())
    cursor.transient_elements[4] = "passing"
    slow = deepcopy(cursor)
    replacements.copy_cursors_flat()
    flat = deepcopy(cursor)
    assert vars(flat).keys() == vars(slow).keys()
    assert flat.transient_elements._data == slow.transient_elements._data == {4: "passing"}
    assert (flat.delta_path, flat.transient_index) == (slow.delta_path, slow.transient_index)


class Session:
    """Stand-in of Streamlit's session, with its event loop alone."""

    def __init__(self, loop: object) -> None:
        self._event_loop = loop


class Loop:
    """Stand-in of an event loop, whose calls run when the test says so."""

    def __init__(self) -> None:
        self.from_threads: list = []
        self.calls: list = []

    def call_soon_threadsafe(self, callback) -> None:
        self.from_threads.append(callback)

    def call_soon(self, callback) -> None:
        self.calls.append(callback)

    def run(self) -> None:
        for queue in (self.from_threads, self.calls):
            while queue:
                queue.pop(0)()


def test_events_of_a_run_reach_the_loop_in_groups_and_in_order():
    replacements.hand_over_together()
    loop = Loop()
    sessions = [Session(loop), Session(loop)]
    heard = []
    for number in range(3):
        for session in sessions:
            call = partial(heard.append, (session, number))
            app_session.AppSession._call_soon_on_event_loop(session, call)
    assert len(loop.from_threads) == 2
    loop.run()
    assert [n for session, n in heard if session is sessions[0]] == [0, 1, 2]
    assert [n for session, n in heard if session is sessions[1]] == [0, 1, 2]
    # What comes after a group begins another.
    app_session.AppSession._call_soon_on_event_loop(sessions[0], partial(heard.append, "more"))
    loop.run()
    assert heard[-1] == "more"


def test_a_failing_event_holds_back_no_other():
    replacements.hand_over_together()
    heard = []
    failed = []

    async def serve() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: failed.append(context["exception"]))
        session = Session(loop)
        for callback in (lambda: 1 / 0, partial(heard.append, "later")):
            app_session.AppSession._call_soon_on_event_loop(session, callback)
        await asyncio.sleep(0.01)

    asyncio.run(serve())
    assert heard == ["later"]
    assert [type(error) for error in failed] == [ZeroDivisionError]


def test_no_event_of_several_threads_is_lost():
    replacements.hand_over_together()
    heard = []

    async def serve() -> None:
        session = Session(asyncio.get_running_loop())

        def send(thread: int) -> None:
            for number in range(500):
                call = partial(heard.append, (thread, number))
                app_session.AppSession._call_soon_on_event_loop(session, call)

        await asyncio.gather(*(asyncio.to_thread(send, thread) for thread in range(4)))
        await asyncio.sleep(0.05)

    asyncio.run(serve())
    for thread in range(4):
        assert [n for at, n in heard if at == thread] == list(range(500))


def test_messages_that_wait_together_wake_the_sender_once():
    replacements.wake_once()
    wanted = threading.Event()
    loop = Mock()
    loop.call_soon_threadsafe.side_effect = lambda call: call()
    objects = SimpleNamespace(eventloop=loop, need_send_data=wanted)
    runtime = Mock(_get_async_objs=lambda: objects)
    for _ in range(3):
        Runtime._enqueued_some_message(runtime)
    assert loop.call_soon_threadsafe.call_count == 1
    wanted.clear()
    Runtime._enqueued_some_message(runtime)
    assert loop.call_soon_threadsafe.call_count == 2


class Runner:
    """Stand-in of Streamlit's runner: it takes requests until it has ended."""

    def __init__(self, data: object) -> None:
        self.requests = [data]
        self.has_ended = False

    def request_rerun(self, data: object) -> bool:
        if not self.has_ended:
            self.requests.append(data)
        return not self.has_ended

    def request_stop(self) -> None:
        self.has_ended = True


class AskedSession(app_session.AppSession):
    """Session whose runners are stand-ins and whose events are told by the test."""

    def __init__(self) -> None:
        self._state = app_session.AppSessionState.APP_IS_RUNNING
        self._client_state = ClientState()
        self._scriptrunner = None
        self.runners: list[Runner] = []

    def __del__(self) -> None:
        pass

    def has_fragment(self, fragment_id: str) -> bool:
        return True


@pytest.fixture
def asked(monkeypatch):
    """Return a session behind the replacement, which hears the last event of its runner."""

    def create(session, initial_rerun_data):
        session._scriptrunner = Runner(initial_rerun_data)
        session.runners.append(session._scriptrunner)

    def handle(session, sender):
        # What another runner sent is ignored, as in Streamlit.
        if sender is session._scriptrunner:
            session._scriptrunner = None

    for part, stand_in in zip(FURTHER, (create, handle), strict=True):
        monkeypatch.setattr(app_session.AppSession, part, stand_in)
    monkeypatch.setattr(
        replacements,
        "_parts_of_requests",
        lambda path: (app_session.AppSession.request_rerun, create, handle),
    )
    replacements.hear_ended_runs_out()
    return AskedSession()


def ask(session: AskedSession, fragment_id: str = "") -> None:
    session.request_rerun(ClientState(fragment_id=fragment_id, query_string=fragment_id or "page"))


def asked_of(runner: Runner) -> list[str]:
    return [data.query_string for data in runner.requests]


def test_a_click_waits_until_all_of_an_ended_run_is_heard(asked):
    ask(asked)
    asked._scriptrunner.has_ended = True
    ended = asked._scriptrunner
    ask(asked, "first")
    ask(asked, "second")
    ask(asked)
    assert asked._scriptrunner is ended
    asked._handle_scriptrunner_event_on_event_loop(ended)
    # The page, asked for last, takes the place of the clicks' runner and has nothing to wait for.
    assert [asked_of(runner) for runner in asked.runners] == [
        ["page"],
        ["first", "second"],
        ["page"],
    ]


def test_a_request_goes_at_once_to_a_run_that_goes_on_or_where_there_is_none(asked):
    ask(asked, "first")
    ask(asked, "second")
    ask(asked)
    assert [asked_of(runner) for runner in asked.runners] == [["first", "second"], ["page"]]


def test_a_request_that_fails_holds_back_no_other(asked, monkeypatch):
    monkeypatch.setattr(asked, "has_fragment", Mock(side_effect=[ValueError("no"), True]))
    with pytest.raises(ValueError, match="no"):
        ask(asked, "first")
    ask(asked, "second")
    assert [asked_of(runner) for runner in asked.runners] == [["second"]]
