"""Tokens as labels a reader can tell apart."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

from .look import has_words, say

SPACE = "▁"
INSIDE_WORD = "·"
MAX_LABEL = 16
MOST_ROOM = 120.0  # pixels for a label beside a row; what is longer is cut
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def token_label(token: str, *, special: bool = False, max_length: int = MAX_LABEL) -> str:
    """The text to show for one piece.

    A piece that starts a word loses its ``▁``; one that continues a word gets a leading ``·``;
    punctuation and special tokens stay as they are. Control characters become visible, so that
    a label can neither vanish nor turn its neighbours around. Long labels end in ``…``.
    """
    starts_word = token.startswith(SPACE)
    text = visible(token.removeprefix(SPACE).replace(SPACE, " "))
    continues_word = not special and not starts_word and text[:1].isalnum()
    label = INSIDE_WORD + text if continues_word else text or "␣"
    return label if len(label) <= max_length else label[: max_length - 1] + "…"


def token_labels(tokens: Sequence[str]) -> list[str]:
    """`token_label` of each token."""
    return [token_label(token) for token in tokens]


def distinct_labels(tokens: Sequence[str]) -> list[str]:
    """`token_label` of each token; of words that occur again, each with its number: the₁, the₂."""
    labels = token_labels(tokens)
    counts, seen = Counter(labels), Counter()
    for place, label in enumerate(labels):
        if counts[label] > 1:
            seen[label] += 1
            labels[place] = label + str(seen[label]).translate(_SUBSCRIPTS)
    return labels


def numbered_labels(tokens: Sequence[str]) -> list[str]:
    """Labels for a menu, with the position (from 1) that tells repeated words apart."""
    return [f"{i} · {label}" for i, label in enumerate(token_labels(tokens), start=1)]


def site_title(site: str) -> str:
    """The full name of a site, "encoder self-attention"; its own name where there are no words."""
    id = f"site-{site}-attention"
    return say(id) if has_words(id) else visible(site)


def head_title(site: str, layer: int, head: int) -> str:
    """A head as people count, from 1: "cross 2.1" is layer 2, head 1 of the site."""
    return f"{site} {layer + 1}.{head + 1}"


def site_word(site: str) -> str:
    """A site in one word, "cross"; its own name where there is none."""
    id = f"site-{site}-name"
    return say(id) if has_words(id) else visible(site)


def head_at(site: str, layer: int, head: int) -> str:
    """A head with its site, short and counted from 1: "cross 2.1"."""
    return say("head-at", site=site_word(site), layer=layer + 1, head=head + 1)


def renamed(words: Mapping[str, str]) -> str:
    """An expression of Vega that writes a label as the words it stands for."""
    return f"({json.dumps(dict(words), ensure_ascii=False)})[datum.value]"


def head_name(layer: int, head: int) -> str:
    """A head of a site that is known, counted from 1: "layer 2, head 1"."""
    return say("head-name", layer=layer + 1, head=head + 1)


def full_head_name(site: str, layer: int, head: int) -> str:
    """A head with its site: "cross-attention, layer 2, head 1"."""
    return say("figures-head-of", site=site_title(site), layer=layer + 1, head=head + 1)


def font_size(step: float) -> float:
    """The size of labels that stand `step` pixels apart."""
    return max(9.0, min(13.0, step * 0.62))


def text_width(label: str, font_size: float) -> float:
    """A rough width in pixels; wide scripts and emoji count double."""
    units = sum(1.75 if unicodedata.east_asian_width(c) in "WF" else 1.0 for c in label)
    return units * font_size * 0.58


def label_room(labels: Sequence[str], step: float) -> int:
    """Pixels for the longest of labels that stand `step` pixels apart."""
    return round(min(MOST_ROOM, max(text_width(label, font_size(step)) for label in labels)))


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
