"""Picture of a scene with the gaze of every caption word, and tools to change it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.records.scenes import GRID, PIXELS, PLACES, Box

from .. import component, place_below, sent, steps_of
from ..frame import language_code

TOOLS = ("place", "move", "remove", "cover")

_mount = component("scene")


@dataclass(frozen=True)
class Act:
    """Use of a tool on the grid, between positions (row, column) from 0."""

    tool: str
    start: tuple[int, int]
    end: tuple[int, int]
    number: int


@dataclass(frozen=True, eq=False)
class WordGaze:
    """Gaze of one caption word, with its texts."""

    label: str
    share: str  # of the gaze inside the right box; "" if unknown
    mark: str  # "hit", "miss" or ""
    note: str
    weights: np.ndarray  # (196,), drawn relative to their maximum
    box: Box | None = None  # bounds of the object that the word names


@dataclass(frozen=True)
class OpenWord:
    """Index of the word that a click keeps open, or None."""

    word: int | None
    number: int


def read_act(value: Any, identity: str) -> Act | None:
    """Return the use of a tool that the browser sent; None if invalid or about another scene."""
    value = sent(value, identity)
    start, end = (place_below(value.get(name), PLACES**2) for name in ("from", "to"))
    if value.get("act") not in TOOLS or start is None or end is None:
        return None
    # The browser numbers places row by row.
    return Act(value["act"], divmod(start, PLACES), divmod(end, PLACES), value["number"])


def read_word(value: Any, identity: str, count: int) -> OpenWord | None:
    """Return a click on one of `count` words; None if invalid or about another scene."""
    value = sent(value, identity)
    word = place_below(value.get("word"), count)
    sound = word is not None or ("word" in value and value["word"] is None)
    return OpenWord(word, value["number"]) if sound else None


def scene_view(
    pixels: np.ndarray,  # uint8 (112, 112, 3)
    gazes: Sequence[WordGaze],
    *,
    key: str,
    identity: str,
    names: Sequence[str],
    filled: Sequence[bool],  # True where something stands
    words: dict[str, str],
    on_act: Callable[[], None],
    language: str = "",
    chosen: int | None = None,
    tool: str = "",  # nothing can be changed without one
    answered: int = 0,
) -> None:
    """Mount the component; `on_act` then finds messages for `read_act` and `read_word`."""
    rows, columns = GRID
    _mount(
        key=key,
        data={
            "identity": identity,
            "answered": answered,
            "side": PIXELS,
            "rows": rows,
            "columns": columns,
            "pixels": pixels,
            **_by_word(gazes),
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


def _by_word(gazes: Sequence[WordGaze]) -> dict[str, Any]:
    """Return lists of what belongs to each word, in their order."""
    rows, columns = GRID
    # 1e-9: a word without gaze keeps a map of zeros.
    maps = [gaze.weights / max(float(gaze.weights.max()), 1e-9) for gaze in gazes]
    return {
        "maps": steps_of(np.array(maps).reshape(len(maps), rows * columns), None),
        "labels": [gaze.label for gaze in gazes],
        "shares": [gaze.share for gaze in gazes],
        "marks": [gaze.mark for gaze in gazes],
        "notes": [gaze.note for gaze in gazes],
        "boxes": [gaze.box for gaze in gazes],
    }
