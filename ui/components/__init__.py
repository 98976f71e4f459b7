"""Custom components; the HTML, CSS and JavaScript of each lie in a folder of its name.

Messages from the browser carry a running number, which Python returns as `answered`, and the
`identity` of their subject; messages about another subject are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from ui.frame.messages import say
from viz.theme import css_colours

FOLDER = Path(__file__).resolve().parent
MASKED = 65535  # value of a masked cell; weights have 16 bits
FULL = 65534  # value of the weight 1


def component(name: str) -> Callable[..., Any]:
    """Return the function that draws the component of a folder.

    All share ``opened.js``, which unpacks data. Components with HTML also get the colours, buttons
    that look like text if their root is ``bare``, and ``answering.js``, which sends and confirms
    state.
    """

    def text(*names: str) -> str:
        files = (FOLDER / file for file in names)
        return "\n".join(file.read_text(encoding="utf-8") for file in files if file.is_file())

    stem = f"{name}/{name}"
    html = text(f"{stem}.html")
    scripts = ["opened.js", *(["answering.js"] if html else []), f"{stem}.js"]
    mount = st.components.v2.component(
        f"attention_lab_{name}",
        html=html or "<span></span>",
        css=css_colours() + text("buttons.css", f"{stem}.css") if html else None,
        # A component has one script, so its files are joined.
        js=text(*scripts),
    )

    def draw(*, data: Mapping[str, Any] | bytes, **mount_kwargs: Any) -> Any:
        return mount(data=data if isinstance(data, bytes) else packed(data), **mount_kwargs)

    return draw


def packed(data: Mapping[str, Any]) -> bytes:
    """Return data for the browser: JSON, and behind it the bytes of its arrays.

    The first four bytes hold the length of the JSON, in which an array is ``{"bytes": [begin,
    end]}``. Base64 inside JSON would be a third larger.
    """
    arrays: list[bytes] = []

    def append(array: np.ndarray) -> dict[str, list[int]]:
        begin = sum(map(len, arrays))
        arrays.append(array.tobytes())
        return {"bytes": [begin, begin + len(arrays[-1])]}

    # json calls `default` in the order of the text, which is that of the bytes.
    text = json.dumps(data, default=append).encode()
    return b"".join((len(text).to_bytes(4, "little"), text, *arrays))


def unpacked(data: bytes) -> dict[str, Any]:
    """Return the data of `packed` bytes, with arrays as bytes."""
    begin = 4 + int.from_bytes(data[:4], "little")

    def opened(value: dict[str, Any]) -> Any:
        return data[slice(*(begin + at for at in value["bytes"]))] if "bytes" in value else value

    return json.loads(data[4:begin], object_hook=opened)


def template(id: str, *places: str, **values: Any) -> str:
    """Return a message whose `places` stay open, as ``{name}``, for `fill` in the browser."""
    return say(id, **values, **{name: f"{{{name}}}" for name in places})


def browser_sent(key: str, name: str) -> Any:
    """Return the value `name` of the component `key` as the browser sent it, None before that."""
    return (st.session_state.get(key) or {}).get(name)


def sent(value: Any, identity: str) -> dict[str, Any]:
    """Return a browser's message about `identity`, with its number; empty if it is invalid."""
    about_this = isinstance(value, dict) and value.get("identity") == identity
    number = whole(value.get("number")) if about_this else None
    return {} if number is None else {**value, "number": number}


def whole(value: Any) -> int | None:
    """Return the integer that a browser sent, else None."""
    # JSON has one kind of number, so 3.0 counts; True would count as 1 in Python.
    sound = isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1
    return int(value) if sound else None


def place_below(value: Any, count: int) -> int | None:
    """Return the index below `count` that a browser sent, else None."""
    index = whole(value)
    return None if index is None or not 0 <= index < count else index


def sound_places(value: Any, count: int) -> tuple[int, ...] | None:
    """Return distinct indices below `count`, sorted; None if one of them is invalid."""
    if not isinstance(value, list):
        return None
    indices = {place_below(item, count) for item in value}
    sound = {index for index in indices if index is not None}
    return tuple(sorted(sound)) if sound == indices else None


def steps_of(weights: np.ndarray, seen: np.ndarray | None) -> np.ndarray:
    """Return weights of any shape as 16-bit steps, little endian.

    A weight w becomes ``round(w * FULL)``, or `MASKED` where `seen`, which broadcasts, is False.
    """
    # Rounding can leave a float32 weight slightly above 1, which would wrap to a small number.
    steps = np.rint(np.clip(weights, 0, 1) * FULL)
    if seen is not None:
        steps = np.where(seen, steps, MASKED)
    # Little endian on every machine, as the browser expects it.
    return steps.astype("<u2")
