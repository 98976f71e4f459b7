"""The pages: each file here is one, and its `PAGE` says where it stands and what its views need."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path

from ui.views import Page

LEARN = "learn"
"""The group of pages that show no run."""
GROUPS = (LEARN, "attention", "transformer", "decoding", "others")
"""Their order in the menu."""


def page_of(name: str) -> Page:
    """What a page declares, by the name of its file."""
    return importlib.import_module(f"{__name__}.{name}").PAGE


@cache
def menu() -> dict[str, tuple[Page, ...]]:
    """The pages by group, in their order."""
    names = sorted(file.stem for file in Path(__file__).parent.glob("[!_]*.py"))
    found = sorted(map(page_of, names), key=lambda page: page.place)
    return {group: tuple(page for page in found if page.group == group) for group in GROUPS}


def pages() -> tuple[Page, ...]:
    """Those that show a run."""
    return tuple(page for group in GROUPS if group != LEARN for page in menu()[group])


def page_ids() -> tuple[str, ...]:
    """The ids of `pages`."""
    return tuple(page.id for page in pages())
