"""Custom components; their JavaScript and CSS lie beside them as files of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ui.words import say
from viz.theme import css_colours


def script(folder: Path, name: str) -> str:
    """The JavaScript of a component, behind what those have in common that answer by numbers."""
    both = (Path(__file__).with_name("answering.js"), folder / f"{name}.js")
    return "\n".join(path.read_text(encoding="utf-8") for path in both)


def style(folder: Path, name: str) -> str:
    """The CSS of a component whose root is ``bare``, behind that of buttons that look like text."""
    both = (Path(__file__).with_name("buttons.css"), folder / f"{name}.css")
    return "\n".join([css_colours(), *(path.read_text(encoding="utf-8") for path in both)])


def template(id: str, *places: str) -> str:
    """A message whose places stay open, as ``{name}``, for `fill` in the browser."""
    return say(id, **{place: f"{{{place}}}" for place in places})


def sound_places(value: Any, count: int) -> tuple[int, ...] | None:
    """The places below `count` that a browser sent, each once; None when one makes no sense."""
    if not isinstance(value, list):
        return None
    found = [whole(each) for each in value]
    if any(each is None or not 0 <= each < count for each in found):
        return None
    return tuple(sorted(set(found)))


def whole(value: Any) -> int | None:
    """The whole number that a browser sent, else None."""
    # JSON knows one kind of number; True is none.
    sound = isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1
    return int(value) if sound else None
