"""One visitor without a browser: a websocket that speaks as the page does (protobuf)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from ui.components import unpacked

MOST_CACHED = 16  # large messages that a session can be spared

# What a session reads in the messages


def faults(message: ForwardMsg) -> list[str]:
    """What the server says went wrong: an exception, a red box, a script that ended badly."""
    message_type = message.WhichOneof("type")
    element = message.delta.new_element
    of_element = element.WhichOneof("type")
    event = message.session_event
    signs = {
        f"exception: {element.exception.type} {element.exception.message}": (
            of_element == "exception"
        ),
        f"error on the page: {element.alert.body}": (
            of_element == "alert" and element.alert.format == element.alert.ERROR
        ),
        "a part of the page could not be drawn": "-mishap_" in message.delta.add_block.id,
        f"exception: {event.script_compilation_exception.message}": (
            message_type == "session_event" and event.HasField("script_compilation_exception")
        ),
        "the script does not compile": (
            message_type == "script_finished"
            and message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR
        ),
    }
    return [text for text, there in signs.items() if there]


def component(message: ForwardMsg, key: str) -> dict[str, Any] | None:
    """What the component of this key is given to show, where this message brings it."""
    element = message.delta.new_element.bidi_component
    if not element.id.endswith(f"-{key}"):
        return None
    if element.bytes:
        return unpacked(element.bytes)
    return json.loads(element.json) if element.json else None


def shown_ids(message: ForwardMsg) -> tuple[int, ...] | None:
    """The ids of the source tokens, where this message brings them."""
    heads = component(message, "heads")
    return tuple(token["id"] for token in heads["lines"][0]["tokens"]) if heads else None


def shown_head(message: ForwardMsg) -> tuple[int, int] | None:
    """Layer and head of the open head, counted from 0, where this message tells them."""
    opened = component(message, "heads_told")
    return head_of(opened) if opened else None


def head_of(opened: Mapping[str, Any]) -> tuple[int, int]:
    """Layer and head that are open at the site on screen."""
    focus = opened["foci"][opened["kind"]]
    return focus["layer"], focus["head"]


def widget_of(message: ForwardMsg) -> tuple[str, str] | None:
    """Key and id of the widget that this message puts on the page."""
    element = message.delta.new_element
    widget_type = element.WhichOneof("type")
    match = widget_type and re.fullmatch(
        r"\$\$ID-[0-9a-f]+-(\w+)", getattr(getattr(element, widget_type), "id", "")
    )
    return (match[1], match[0]) if match else None


# What a session sends


@dataclass(frozen=True)
class Choice:
    """A change of one widget: its key and the field of a widget's state that carries the value."""

    key: str
    field: str
    value: Any


def choose_head(opened: Mapping[str, Any], layer: int, head: int, number: int) -> Choice:
    """How a head is opened.

    `opened`: what the page last said is open, to the component of all heads. `number`: counts the
    choices of this session.
    """
    site, foci = opened["kind"], opened["foci"]
    foci = foci | {site: foci[site] | {"layer": layer, "head": head}}
    chosen = {name: opened[name] for name in ("identity", "badge", "role")}
    chosen |= {"kind": site, "foci": foci}
    return Choice("heads", "json_value", json.dumps({"choice": chosen | {"number": number}}))


def next_head(
    rng: random.Random, open_head: tuple[int, int], n_layers: int, n_heads: int
) -> tuple[int, int]:
    """Another head than the open one."""
    index = open_head[0] * n_heads + open_head[1]
    return divmod((index + rng.randrange(1, n_layers * n_heads)) % (n_layers * n_heads), n_heads)


class Session:
    """One visitor: a websocket, what it has been shown, and what it has chosen.

    `hear`: called with every message and its bytes.
    """

    def __init__(
        self,
        socket: ClientConnection,
        address: str,
        hear: Callable[[ForwardMsg, int], object] = lambda message, size: None,
    ) -> None:
        self._socket, self._address, self._hear = socket, address, hear
        self._widgets: dict[str, tuple[str, str]] = {}  # key -> widget id, fragment id
        self.opened: dict[str, Any] = {}  # what is open, as the page said last
        self.n_layers, self.n_heads = 1, 1
        self._states: dict[str, tuple[str, Any]] = {}  # widget id -> field and value
        self._query = ""
        self._cached: dict[str, ForwardMsg] = {}
        self.ready = asyncio.Event()

    async def listen(self) -> None:
        """Read what the server sends until the connection ends."""
        with contextlib.suppress(ConnectionClosed):  # `visit` tells a close that nobody asked for
            async for data in self._socket:
                message = self.resolved(ForwardMsg.FromString(data))
                self._note(message)
                self._hear(message, len(data))

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
        message_type = message.WhichOneof("type")
        if message_type == "page_info_changed":
            self._query = message.page_info_changed.query_string
        if message_type == "delta" and (widget_ids := widget_of(message)):
            key, id = widget_ids
            self._widgets[key] = id, message.delta.fragment_id
            element = message.delta.new_element
            widget = getattr(element, element.WhichOneof("type"))
            if getattr(widget, "set_value", False) and id in self._states:
                self._states[id] = "string_value", widget.raw_value
        self.opened = component(message, "heads_told") or self.opened
        if heads := component(message, "heads"):
            site = heads["sites"][0]
            self.n_layers, self.n_heads = site["layers"], site["heads"]
        if message_type == "script_finished" and "text" in self._widgets:
            self.ready.set()

    async def choose(self, choice: Choice) -> None:
        """Change a widget and ask for the run that this brings about."""
        id, fragment = self._widgets[choice.key]
        self._states[id] = choice.field, choice.value
        await self.rerun(fragment)

    async def rerun(self, fragment: str = "") -> None:
        """Ask for a run, as the browser does it first of all."""
        asked = BackMsg()
        state = asked.rerun_script
        state.query_string, state.fragment_id = self._query, fragment
        state.context_info.timezone, state.context_info.locale = "UTC", "en"
        state.context_info.url, state.context_info.color_scheme = self._address, "light"
        state.cached_message_hashes.extend(self._cached)
        for id, (name, value) in self._states.items():
            setattr(state.widget_states.widgets.add(id=id), name, value)
        await self._socket.send(asked.SerializeToString())
