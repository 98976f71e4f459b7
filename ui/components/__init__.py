"""Custom components; the HTML, CSS and JavaScript of each lie in a folder of its name.

What the browser sends carries a running number, which Python gives back as `answered`, and the
`identity` of what it is about: what was sent about something else is good for nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from ui.words import say
from viz.theme import css_colours

FOLDER = Path(__file__).resolve().parent
Packed = Mapping[str, Any] | bytes
MASKED, FULL = 65535, 65534  # 16 bits a weight, and one value for "may not look"


def component(name: str) -> Callable[..., Any]:
    """The component of a folder, behind what all have in common: how data is opened, and of those
    that draw something colours, buttons that look like text where their root is ``bare``, and how
    state is told and answered."""

    def text(*names: str) -> str:
        files = (FOLDER / each for each in names)
        return "\n".join(file.read_text(encoding="utf-8") for file in files if file.is_file())

    own = f"{name}/{name}"
    html, css, js = text(f"{own}.html"), "", ["opened.js"]
    if html:
        css, js = css_colours() + text("buttons.css", f"{own}.css"), [*js, "answering.js"]
    mount = st.components.v2.component(
        f"attention_lab_{name}",
        html=html or "<span></span>",
        css=css or None,
        js=text(*js, f"{own}.js"),
    )

    def draw(*, data: Packed, **how: Any) -> Any:
        return mount(data=data if isinstance(data, bytes) else packed(data), **how)

    return draw


def packed(data: Mapping[str, Any]) -> Packed:
    """What goes to the browser: where arrays are in it, their bytes stand behind the JSON.

    Four bytes say how long the JSON is; an array is ``{"bytes": [begin, end]}`` there. Base64
    inside of JSON would be a third larger.
    """
    arrays: list[bytes] = []

    def place(array: np.ndarray) -> dict[str, list[int]]:
        begin = sum(map(len, arrays))
        arrays.append(array.tobytes())
        return {"bytes": [begin, begin + len(arrays[-1])]}

    text = json.dumps(data, default=place).encode()
    return b"".join((len(text).to_bytes(4, "little"), text, *arrays)) if arrays else data


def unpacked(data: bytes) -> dict[str, Any]:
    """What `packed` wrote as bytes; an array as the bytes it had."""
    begin = 4 + int.from_bytes(data[:4], "little")

    def opened(value: dict[str, Any]) -> Any:
        return data[slice(*(begin + at for at in value["bytes"]))] if "bytes" in value else value

    return json.loads(data[4:begin], object_hook=opened)


def template(id: str, *places: str, **values: Any) -> str:
    """A message whose `places` stay open, as ``{name}``, for `fill` in the browser."""
    return say(id, **{place: f"{{{place}}}" for place in places}, **values)


def sent(value: Any, identity: str) -> dict[str, Any]:
    """What a browser sent about this, with its running number; nothing where it makes no sense."""
    about_this = isinstance(value, dict) and value.get("identity") == identity
    number = whole(value.get("number")) if about_this else None
    return {} if number is None else {**value, "number": number}


def whole(value: Any) -> int | None:
    """The whole number that a browser sent, else None."""
    # JSON knows one kind of number; True is none.
    sound = isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1
    return int(value) if sound else None


def place_below(value: Any, count: int) -> int | None:
    """The place below `count` that a browser sent, else None."""
    found = whole(value)
    return None if found is None or not 0 <= found < count else found


def sound_places(value: Any, count: int) -> tuple[int, ...] | None:
    """As `place_below`, of a list, each once; None when one of them makes no sense."""
    found = [place_below(each, count) for each in value] if isinstance(value, list) else [None]
    return None if None in found else tuple(sorted(set(found)))


def steps_of(weights: np.ndarray, seen: np.ndarray | None) -> np.ndarray:
    """Weights of any shape as 16-bit numbers, lowest byte first.

    A weight w is ``round(w * FULL)``; where `seen`, which broadcasts to the weights, is False, it
    is `MASKED`.
    """
    steps = np.rint(np.clip(weights, 0, 1) * FULL)
    if seen is not None:
        steps = np.where(seen, steps, MASKED)
    return steps.astype("<u2")
