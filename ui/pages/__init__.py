"""The pages by group, in their order; each file's `PAGE` says what its views need."""

from __future__ import annotations

import importlib

from ui.views import Page

GROUPS = {
    "learn": ("lessons", "glossary"),
    "attention": ("attention", "masks"),
    "transformer": ("positions", "block", "cost"),
    "decoding": ("beam", "training"),
    "others": ("lineage", "captions", "documents", "masked"),
}
PAGE_IDS = tuple(id for group, ids in GROUPS.items() if group != "learn" for id in ids)
"""Those that show a run."""


def page_of(name: str) -> Page:
    """What a page declares, by the name of its file."""
    return importlib.import_module(f"{__name__}.{name}").PAGE


def pages() -> tuple[Page, ...]:
    """What each of `PAGE_IDS` declares."""
    return tuple(map(page_of, PAGE_IDS))
