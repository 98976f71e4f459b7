"""Custom components; their JavaScript and CSS lie beside them as files of their own."""

from __future__ import annotations

from pathlib import Path

from ui.words import say


def script(folder: Path, name: str) -> str:
    """The JavaScript of a component, behind what those have in common that answer by numbers."""
    both = (Path(__file__).with_name("answering.js"), folder / f"{name}.js")
    return "\n".join(path.read_text(encoding="utf-8") for path in both)


def template(id: str, *places: str) -> str:
    """A message whose places stay open, as ``{name}``, for `fill` in the browser."""
    return say(id, **{place: f"{{{place}}}" for place in places})
