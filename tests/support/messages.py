"""The messages and explanations of a language as they are written, and who says them."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from fluent.syntax import FluentParser
from fluent.syntax.ast import Junk, Message
from fluent.syntax.serializer import serialize_pattern

from support.models import ROOT
from words.catalogue import FOLDER

ROOMS = ("app.py", "ui", "viz", "model", "core", "words")


@cache
def files(language: str) -> dict[str, dict[str, Message]]:
    """The messages of each file by their ids; each is whole and stands once in the language."""
    found: dict[str, dict[str, Message]] = {}
    for path in sorted((FOLDER / language).glob("*.ftl")):
        found[path.name] = {}
        for entry in FluentParser().parse(path.read_text(encoding="utf-8")).body:
            assert not isinstance(entry, Junk), f"{path.name}: {entry.content[:80]!r}"
            if isinstance(entry, Message):
                twice = any(entry.id.name in others for others in found.values())
                assert not twice, f"{entry.id.name} stands twice"
                found[path.name][entry.id.name] = entry
    return found


def entries(language: str = "en") -> dict[str, Message]:
    return {id: entry for each in files(language).values() for id, entry in each.items()}


def pages(language: str = "en") -> dict[str, str]:
    """The explanations, by the names of their files."""
    return {p.name: p.read_text(encoding="utf-8") for p in (FOLDER / language).glob("*.md")}


@cache
def texts(language: str) -> dict[str, str]:
    """Every message as it is written, and every explanation."""
    found = {id: serialize_pattern(each.value).strip() for id, each in entries(language).items()}
    return found | pages(language)


def sources() -> list[Path]:
    """The code that says messages."""
    found = [ROOT / room for room in ROOMS]
    return [p for room in found for p in ([room] if room.is_file() else sorted(room.rglob("*.py")))]


@cache
def nodes() -> dict[Path, list[ast.AST]]:
    """Everything that stands in the code, by its file."""
    return {p: [*ast.walk(ast.parse(p.read_text(encoding="utf-8")))] for p in sources()}


def pattern(node: ast.AST) -> str | None:
    """A regular expression of what a string in the code may become; None for other nodes."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.escape(node.value)
    if isinstance(node, ast.JoinedStr):
        parts = (pattern(each) if isinstance(each, ast.Constant) else ".*" for each in node.values)
        return "".join(parts)
    return None
