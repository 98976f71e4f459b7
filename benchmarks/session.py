"""One user without a browser: a websocket that sends the messages of a page (protobuf)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from ui.components import unpacked

MOST_CACHED = 16  # large messages that a session remembers

# Reading messages


def faults(message: ForwardMsg) -> list[str]:
    """Return the faults that a message reports.

    Exceptions, red boxes, parts that could not be drawn, and scripts that ended badly.
    """
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
    """Return the data of the component with this key, None if the message brings none."""
    element = message.delta.new_element.bidi_component
    # Streamlit ends the id of a keyed component with its key.
    if not element.id.endswith(f"-{key}"):
        return None
    if element.bytes:
        return unpacked(element.bytes)
    return json.loads(element.json) if element.json else None


def shown_ids(message: ForwardMsg) -> tuple[int, ...] | None:
    """Return the ids of the source tokens, None if the message brings none."""
    heads = component(message, "heads")
    return tuple(token["id"] for token in heads["lines"][0]["tokens"]) if heads else None


def shown_head(message: ForwardMsg) -> tuple[int, int] | None:
    """Return layer and head of the open head, counted from 0, None if the message names none."""
    opened = component(message, "heads_told")
    return head_of(opened) if opened else None


def head_of(opened: Mapping[str, Any]) -> tuple[int, int]:
    """Return the layer and head that are open at the site on screen."""
    focus = opened["foci"][opened["kind"]]
    return focus["layer"], focus["head"]


def widget_of(message: ForwardMsg) -> tuple[str, str] | None:
    """Return key and id of the widget that a message puts on the page."""
    element = message.delta.new_element
    widget_type = element.WhichOneof("type")
    # Streamlit's ids of keyed widgets: "$$ID-", a hash, and the key.
    match = widget_type and re.fullmatch(
        r"\$\$ID-[0-9a-f]+-(\w+)", getattr(getattr(element, widget_type), "id", "")
    )
    return (match[1], match[0]) if match else None


# Sending choices


@dataclass(frozen=True)
class WidgetChange:
    """Change of one widget: its key, and the field of its state that carries the value."""

    key: str
    field: str
    value: Any


def choose_head(opened: Mapping[str, Any], layer: int, head: int, number: int) -> WidgetChange:
    """Return the choice that opens a head.

    `opened`: what the page last reported as open to the component of all heads. `number`: counts
    the choices of this session.
    """
    site = opened["kind"]
    focus = opened["foci"][site] | {"layer": layer, "head": head}
    foci = opened["foci"] | {site: focus}
    chosen = {name: opened[name] for name in ("identity", "badge", "role")}
    chosen |= {"kind": site, "foci": foci}
    # The number makes each choice a new value, even of a head that was open before.
    choice = {"choice": chosen | {"number": number}}
    return WidgetChange("heads_told", "json_value", json.dumps(choice))


def next_head(
    rng: random.Random, open_head: tuple[int, int], n_layers: int, n_heads: int
) -> tuple[int, int]:
    """Return another head than the open one."""
    # A step of at least one and less than all heads never comes back to the start.
    index = open_head[0] * n_heads + open_head[1]
    return divmod((index + rng.randrange(1, n_layers * n_heads)) % (n_layers * n_heads), n_heads)


class Session:
    """One visitor: a websocket, what it was shown, and what it chose.

    `hear` is called with every message and its size in bytes.
    """

    def __init__(
        self,
        socket: ClientConnection,
        address: str,
        hear: Callable[[ForwardMsg, int], object] = lambda message, size: None,
    ) -> None:
        self._socket = socket
        self._address = address
        self._hear = hear
        self._widgets: dict[str, tuple[str, str]] = {}  # key -> (widget id, fragment id)
        self.opened: dict[str, Any] = {}  # what is open, as the page reported last
        self._sites: dict[str, tuple[int, int]] = {}  # site -> (layers, heads)
        self._states: dict[str, tuple[str, Any]] = {}  # widget id -> (field, value)
        self._query = ""
        self._cached: dict[str, ForwardMsg] = {}
        self.ready = asyncio.Event()
        self.lost_at = 0.0

    def lose(self) -> None:
        """Note that the connection is lost: until it is back, a browser takes no choices."""
        self.lost_at = time.perf_counter()
        self.ready.clear()

    async def go_on(self, socket: ClientConnection) -> None:
        """Go on over another websocket, perhaps of another process.

        Sentence and choices go along with the request; what the old process sent does not count.
        """
        self._socket = socket
        self._cached.clear()
        await self.rerun()

    async def listen(self) -> None:
        """Read messages of the server until the connection ends."""
        with contextlib.suppress(ConnectionClosed):  # `visit` tells a close that nobody asked for
            async for data in self._socket:
                message = self.resolved(ForwardMsg.FromString(data))
                self._note(message)
                self._hear(message, len(data))

    def resolved(self, message: ForwardMsg) -> ForwardMsg:
        """Return the message, or the earlier one that the server only refers to by its hash."""
        if message.WhichOneof("type") == "ref_hash":
            return self._cached.get(message.ref_hash, message)
        if message.metadata.cacheable:
            self._cached[message.hash] = message
            # The oldest first: dictionaries keep the order of insertion.
            while len(self._cached) > MOST_CACHED:
                del self._cached[next(iter(self._cached))]
        return message

    def _note(self, message: ForwardMsg) -> None:
        """Note widgets, their states, and what is open."""
        message_type = message.WhichOneof("type")
        if message_type == "page_info_changed":
            self._query = message.page_info_changed.query_string
        if message_type == "delta" and (widget_ids := widget_of(message)):
            key, id = widget_ids
            self._widgets[key] = id, message.delta.fragment_id
            element = message.delta.new_element
            widget = getattr(element, element.WhichOneof("type"))
            # The server overruled the value; sending the old one again would undo that.
            if getattr(widget, "set_value", False) and id in self._states:
                field = "raw_value" if hasattr(widget, "raw_value") else "value"
                self._states[id] = "string_value", getattr(widget, field)
        self.opened = component(message, "heads_told") or self.opened
        if heads := component(message, "heads"):
            self._sites = {site["name"]: (site["layers"], site["heads"]) for site in heads["sites"]}
        # The page is ready when its first run has ended and drawn the text box.
        if message_type == "script_finished" and "text" in self._widgets:
            self.ready.set()

    def size(self) -> tuple[int, int]:
        """Return the numbers of layers and heads of the open site, which a sentence may change."""
        return self._sites[self.opened["kind"]]

    async def choose(self, choice: WidgetChange) -> None:
        """Change a widget and ask for the run that follows."""
        id, fragment = self._widgets[choice.key]
        self._states[id] = choice.field, choice.value
        await self.rerun(fragment)

    async def rerun(self, fragment: str = "") -> None:
        """Ask for a run, as the browser does first of all."""
        request = BackMsg()
        state = request.rerun_script
        state.query_string = self._query
        state.fragment_id = fragment
        state.context_info.timezone = "UTC"
        state.context_info.locale = "en"
        state.context_info.url = self._address
        state.context_info.color_scheme = "light"
        # Tells the server which large messages it may name instead of sending them.
        state.cached_message_hashes.extend(self._cached)
        # All states go along: a widget that is left out would fall back to its default.
        for id, (name, value) in self._states.items():
            setattr(state.widget_states.widgets.add(id=id), name, value)
        await self._socket.send(request.SerializeToString())
