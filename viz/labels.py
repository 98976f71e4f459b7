"""Names of sites and heads in the language of the figure, and the room that labels take."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping

from core.records.tokens import visible

from .style import has_words, say

MOST_ROOM = 120.0  # pixels for a label beside a row; longer ones are cut
SMALLEST_FONT = 10.0  # smallest font of a figure, in pixels
# Letters far from the mean width.
_NARROW = frozenset("ijl.,:;!|'·")
_SLIM = frozenset(" frt()[]-“”‘’I")
_WIDE = frozenset("mwMW@%—…")


def site_title(site: str) -> str:
    """Return the full name of a site, "encoder self-attention"; its id if it has no words."""
    id = f"site-{site}-attention"
    return say(id) if has_words(id) else visible(site)


def site_word(site: str) -> str:
    """Return a site in one word, "cross"; its id if it has no words."""
    id = f"site-{site}-name"
    return say(id) if has_words(id) else visible(site)


def head_at(site: str, layer: int, head: int) -> str:
    """Return a head with its site, short and counted from 1: "cross L2 H1"."""
    return say("head-at", site=site_word(site), layer=layer + 1, head=head + 1)


def renamed(words: Mapping[str, str | list[str]]) -> str:
    """Return a Vega expression that replaces labels by words, or by lines of words."""
    return f"({json.dumps(dict(words), ensure_ascii=False)})[datum.value]"


def head_name(layer: int, head: int) -> str:
    """Return a head without its site, counted from 1: "layer 2, head 1"."""
    return say("head-name", layer=layer + 1, head=head + 1)


def full_head_name(site: str, layer: int, head: int) -> str:
    """Return a head with its site: "cross-attention, layer 2, head 1"."""
    return say("figures-head-of", site=site_title(site), layer=layer + 1, head=head + 1)


def font_size(step: float, most: float = 13.0) -> float:
    """Return the size of labels that stand `step` pixels apart."""
    return max(SMALLEST_FONT, min(most, step * 0.62))


def text_width(label: str, font_size: float) -> float:
    """Estimate the width in pixels; wide scripts and emoji count double, isolates zero."""
    signs = (c for c in label if unicodedata.category(c) != "Cf")
    units = sum(1.75 if unicodedata.east_asian_width(c) in "WF" else 1.0 for c in signs)
    # A letter is roughly 0.58 of its font size wide.
    return units * font_size * 0.58


def line_width(text: str, size: float) -> float:
    """Estimate the pixels of a line in the page's font, letter by letter, to a few per cent."""
    return size * sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    """Return the width of a letter as a share of the font size."""
    if unicodedata.east_asian_width(letter) in "WF":
        return 0.92
    if letter in _NARROW:
        return 0.25
    if letter in _SLIM:
        return 0.34
    if letter in _WIDE:
        return 0.83
    return 0.58 if letter.isupper() else 0.49
