"""The pages in their order; each file's `PAGE` says what its views need."""

from __future__ import annotations

import importlib

from ui.views import Page

PAGE_IDS = (
    "attention", "beam", "masks", "positions", "block", "cost", "lineage", "captions",
    "documents", "masked", "training",
)  # fmt: skip
"""Those that show a run."""


def page_of(name: str) -> Page:
    """What a page declares, by the name of its file."""
    return importlib.import_module(f"{__name__}.{name}").PAGE


def pages() -> tuple[Page, ...]:
    """What each of `PAGE_IDS` declares."""
    return tuple(map(page_of, PAGE_IDS))
