"""Text on the pages: explanations from files, and other people's words made harmless."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from records import TokenSequence
from viz.labels import token_label, visible

_TEXTS = Path(__file__).resolve().parent / "text"
_MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")


@lru_cache(maxsize=64)
def page_text(name: str, language: str = "en") -> str:
    """The explanation in ``ui/text/<language>/<name>.md``."""
    return (_TEXTS / language / f"{name}.md").read_text(encoding="utf-8")


def plain(text: str, max_length: int = 400) -> str:
    """Text from outside as Markdown that shows exactly that text, on one line."""
    shown = visible(" ".join(text.split()))
    if len(shown) > max_length:
        shown = shown[: max_length - 1] + "…"
    return _MARKDOWN.sub(r"\\\1", shown)


def token_chips(sequence: TokenSequence) -> str:
    """Every piece with its id, unknown ones in red with a question mark, as Markdown."""
    chips = []
    for token, token_id, special, unknown in zip(
        sequence.tokens, sequence.ids, sequence.special, sequence.unknown, strict=True
    ):
        colour = "red" if unknown else "violet" if special else "gray"
        mark = "? " if unknown else ""
        label = plain(token_label(token, special=special))
        chips.append(f":{colour}-badge[{mark}{label} {token_id}]")
    return " ".join(chips)


def head_name(layer: int, head: int) -> str:
    """A head as people count: from one."""
    return f"layer {layer + 1}, head {head + 1}"
