"""Tokens and heads as labels a reader can tell apart."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

SPACE = "▁"
INSIDE_WORD = "·"
MAX_LABEL = 16
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def token_label(token: str, *, special: bool = False, max_length: int = MAX_LABEL) -> str:
    """The text to show for one piece.

    A piece that starts a word loses its ``▁``; one that continues a word gets a leading ``·``;
    punctuation and special tokens stay as they are. Control characters become visible, so that
    a label can neither vanish nor turn its neighbours around. Labels wider than `max_length`
    narrow letters end in ``…``.
    """
    starts_word = token.startswith(SPACE)
    text = visible(token.removeprefix(SPACE).replace(SPACE, " "))
    continues_word = not special and not starts_word and text[:1].isalnum()
    label = INSIDE_WORD + text if continues_word else text or "␣"
    return label if n_columns(label) <= max_length else _cut(label, max_length - 1) + "…"


def n_columns(text: str) -> int:
    """How many narrow letters are as wide; wide scripts and emoji count double."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _cut(text: str, most: int) -> str:
    while n_columns(text) > most:
        text = text[:-1]
    return text


def token_labels(tokens: Sequence[str]) -> list[str]:
    """`token_label` of each token."""
    return [token_label(token) for token in tokens]


def distinct_labels(tokens: Sequence[str]) -> list[str]:
    """`token_label` of each token; of words that occur again, each with its number: the₁, the₂."""
    labels = token_labels(tokens)
    counts = Counter(labels)
    seen: Counter[str] = Counter()
    for place, label in enumerate(labels):
        if counts[label] > 1:
            seen[label] += 1
            labels[place] = label + str(seen[label]).translate(_SUBSCRIPTS)
    return labels


def numbered_labels(tokens: Sequence[str]) -> list[str]:
    """Labels for a menu, with the position (from 1) that tells repeated words apart."""
    return [f"{i} · {label}" for i, label in enumerate(token_labels(tokens), start=1)]


def head_title(site: str, layer: int, head: int) -> str:
    """A head as people count, from 1: "cross 2.1" is layer 2, head 1 of the site."""
    return f"{site} {layer + 1}.{head + 1}"


def visible(text: str) -> str:
    """`text` with control and direction characters replaced by signs one can see."""
    return "".join(_visible_character(character) for character in text)


def _visible_character(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cc":
        code = ord(character)
        return chr(0x2400 + code) if code < 0x20 else "␡" if code == 0x7F else f"‹{code:X}›"
    if category in ("Cf", "Co", "Cs", "Cn", "Zl", "Zp"):
        return f"‹{ord(character):X}›"
    return character
