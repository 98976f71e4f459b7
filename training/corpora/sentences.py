"""Sentences from templates: slots take words, and marked words come out with their spans.

``{name}`` and ``{name:form}`` are slots, the form a case, a particle or an order; ``{^name}`` asks
for a capital. ``[name:text]`` marks a text. The data are files, ``training/grammars/*.toml``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
_SLOT = re.compile(r"\{(\^?)(\w+)(?::([^}]+))?\}")
_MARK = re.compile(r"\[(\w+):([^]]*)\]")


def filled(template: str, value: Callable[[str, str], str]) -> str:
    """Fill each slot of a template with `value(name, form)`, from left to right."""

    def word(slot: re.Match[str]) -> str:
        text = value(slot[2], slot[3] or "")
        return capital(text) if slot[1] else text

    return _SLOT.sub(word, template)


def capital(text: str) -> str:
    """Capitalise the first letter, marked or not."""
    return re.sub(r"^(\[\w+:)?(\w)", lambda first: (first[1] or "") + first[2].upper(), text)


def articles(text: str) -> str:
    """Write "an" for "a" before a vowel."""
    # "a useful" keeps its "a": "us" sounds like a consonant.
    return re.sub(r"\b([Aa]) (?=(?:\[\w+:)?(?!us)[aeiou])", r"\1n ", text)


def with_spans(marked: str) -> tuple[str, dict[str, tuple[int, int]]]:
    """Return the sentence without marks, capitalised, and the span ``[start, end)`` of each mark.

    >>> with_spans("I did [turn:not] find it [word:dull].")
    ('I did not find it dull.', {'turn': (6, 9), 'word': (18, 22)})
    """
    # `split` with two groups returns text, name, content, text, name, content, text.
    text, *rest = _MARK.split(marked)
    spans = {}
    for name, inside, after in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        spans[name] = len(text), len(text) + len(inside)
        text += inside + after
    return text[:1].upper() + text[1:], spans


def digest(text: str) -> int:
    """Return a number to hold texts out by, the same in every process."""
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)


def distinct(n: int, draw: Callable[[int], T], text: Callable[[T], str]) -> list[T]:
    """Return `n` items with distinct `text`; `draw` receives the number of items so far."""
    items: dict[str, T] = {}
    while len(items) < n:
        item = draw(len(items))
        items.setdefault(text(item), item)
    return list(items.values())
