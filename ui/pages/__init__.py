"""Pages: each folder is one; `PAGE` in its ``page.py`` declares order and views."""

from __future__ import annotations

import importlib
from copy import copy
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from ui.frame.messages import say
from ui.shell.view import Page

LEARN = "learn"
"""Group of the pages that show no run."""
GROUPS = (LEARN, "attention", "transformer", "decoding", "others")
"""Groups in the order of the menu."""


def page_of(name: str) -> Page:
    """Return the page declared in the folder `name`."""
    return importlib.import_module(f"{__name__}.{name}.page").PAGE


@cache
def menu() -> dict[str, tuple[Page, ...]]:
    """Return the pages by group, in order."""
    # Found by folder, so that a new page needs no registration.
    names = sorted(file.parent.name for file in Path(__file__).parent.glob("*/page.py"))
    ordered = sorted(map(page_of, names), key=lambda page: page.order)
    return {group: tuple(page for page in ordered if page.group == group) for group in GROUPS}


def menu_page(id: str, path: str, **options: Any) -> Any:
    """Return the page `id` for Streamlit's menu, at this path of the address.

    A copy for each run, because Streamlit notes in a page that it may be drawn.
    """
    return copy(_menu_page(id, say(f"page-{id}"), path, **options))


# Each costs Streamlit several questions about files, and there are fifteen in every run.
@lru_cache(maxsize=256)
def _menu_page(id: str, title: str, path: str, **options: Any) -> Any:
    return st.Page(f"ui/pages/{id}/page.py", title=title, url_path=path, **options)


def pages() -> tuple[Page, ...]:
    """Return the pages that show a run."""
    return tuple(page for group in GROUPS if group != LEARN for page in menu()[group])


def page_ids() -> tuple[str, ...]:
    """Return the ids of `pages`."""
    return tuple(page.id for page in pages())
