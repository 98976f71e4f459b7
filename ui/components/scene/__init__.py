"""A picture of a scene with the gaze of every word of its caption, and tools to change it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from records.scenes import GRID, PIXELS, PLACES, Box
from viz.theme import css_colours

from .. import script, whole
from ..frame import language_code
from ..packing import pack, pack_weights

TOOLS = ("place", "move", "remove", "cover")

_HERE = Path(__file__).resolve().parent

_mount = st.components.v2.component(
    "attention_lab_scene",
    html=(_HERE / "scene.html").read_text(encoding="utf-8"),
    css=css_colours() + (_HERE / "scene.css").read_text(encoding="utf-8"),
    js=script(_HERE, "scene"),
)


@dataclass(frozen=True)
class Act:
    """What the reader did with a tool, at or between places (row, column) from 0."""

    tool: str
    start: tuple[int, int]
    end: tuple[int, int]
    number: int


@dataclass(frozen=True, eq=False)
class Look:
    """A word as it stands under the picture."""

    label: str
    share: str
    mark: str
    note: str
    weights: np.ndarray
    box: Box | None = None


@dataclass(frozen=True)
class Chosen:
    """The word that the reader keeps open by a click, from 0; None for none."""

    word: int | None
    number: int


def read_act(value: Any, identity: str) -> Act | None:
    """What a browser sent; None when it makes no sense or is about another scene."""
    if not isinstance(value, dict) or value.get("identity") != identity:
        return None
    number, start, end = (whole(value.get(name)) for name in ("number", "from", "to"))
    if value.get("act") not in TOOLS or number is None or start is None or end is None:
        return None
    if not all(0 <= place < PLACES**2 for place in (start, end)):
        return None
    return Act(value["act"], divmod(start, PLACES), divmod(end, PLACES), number)


def read_word(value: Any, identity: str, count: int) -> Chosen | None:
    """As `read_act`, for a click on one of so many words."""
    if not isinstance(value, dict) or value.get("identity") != identity or "word" not in value:
        return None
    number, word = whole(value.get("number")), whole(value["word"])
    sound = value["word"] is None if word is None else 0 <= word < count
    return Chosen(word, number) if sound and number is not None else None


def scene_view(
    pixels: np.ndarray,
    looks: Sequence[Look],
    *,
    key: str,
    identity: str,
    names: Sequence[str],
    filled: Sequence[bool],
    words: dict[str, str],
    on_act: Callable[[], None],
    language: str = "",
    chosen: int | None = None,
    tool: str = "",
    answered: int = 0,
) -> None:
    """Show the component; `on_act` is called when the reader has used the tool or clicked a word."""
    maps = [look.weights / max(float(look.weights.max()), 1e-9) for look in looks]
    rows, columns = GRID
    _mount(
        key=key,
        data={
            "identity": identity,
            "answered": answered,
            "side": PIXELS,
            "rows": rows,
            "columns": columns,
            "pixels": pack(np.ascontiguousarray(pixels)),
            "maps": pack_weights(np.array(maps).reshape(len(maps), rows * columns), None),
            "labels": [look.label for look in looks],
            "shares": [look.share for look in looks],
            "marks": [look.mark for look in looks],
            "notes": [look.note for look in looks],
            "boxes": [look.box for look in looks],
            "open": chosen,
            "language": language_code(language) if language else "",
            "names": list(names),
            "filled": list(filled),
            "tool": tool,
            "idle": words["idle"],
            "words": words,
        },
        on_act_change=on_act,
    )
