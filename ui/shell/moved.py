"""Redirects from addresses of views that became part of another view (``moved.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl

import streamlit as st

from ..frame import address, choices
from ..kit.layout import note

_ARRIVED = "moved_arrived"
"""Session key: the redirect that the reader came by, while its target is on screen."""


@dataclass(frozen=True)
class Redirect:
    """A redirect: old page and values, new page and values, and the message shown on arrival."""

    from_page: str
    from_values: Mapping[str, str]
    to_page: str
    to_values: Mapping[str, str]
    note: str = ""

    def matches(self, page: str) -> bool:
        """Return True if an address asks for the old view, by its id or by its former label."""
        if page != self.from_page:
            return False
        return all(choices.option(name, (value,)) for name, value in self.from_values.items())

    def is_open(self) -> bool:
        """Return True if the switch of the page stands at the view that took over."""
        # The first value of a new address is its switch of views.
        switch, view = next(iter(self.to_values.items()))
        return st.session_state.get(switch, view) == view

    def target(self, query: Mapping[str, str]) -> dict[str, str]:
        """Return the new address: values of `query` without the old view, plus the new one."""
        kept = {name: value for name, value in query.items() if name not in self.from_values}
        return {**kept, **self.to_values}


@cache
def redirects() -> tuple[Redirect, ...]:
    """Return all redirects in the order of the file."""
    text = Path(__file__).with_name("moved.toml").read_text(encoding="utf-8")
    return tuple(
        Redirect(*_split(entry["from"]), *_split(entry["to"]), note=entry.get("note", ""))
        for entry in tomllib.loads(text).get("moved", ())
    )


def follow(page: str) -> None:
    """Send the reader to the view that took over, if the address asks for one that moved.

    Called before anything is drawn; `ui.frame.address.arriving` then goes there.

    Parameters
    ----------
    page : the path in the address, which may name a page that is gone.
    """
    # A redirect in the run of arrival would send the reader on forever.
    if address.is_arriving():
        return
    query = dict(st.query_params)
    for redirect in redirects():
        if redirect.matches(page):
            address.go(redirect.to_page, redirect.target(query))
            st.session_state[_ARRIVED] = redirect
            return


def moved_note(page: str) -> None:
    """Say where the content went, while the view that the redirect leads to is on screen."""
    redirect = st.session_state.get(_ARRIVED)
    if redirect is None:
        return
    if redirect.to_page != page or not (address.by_history() or redirect.is_open()):
        del st.session_state[_ARRIVED]
    elif redirect.note:
        note(redirect.note, "alt_route")


def _split(text: str) -> tuple[str, dict[str, str]]:
    page, _, query = text.partition("?")
    return page, dict(parse_qsl(query, keep_blank_values=True))
