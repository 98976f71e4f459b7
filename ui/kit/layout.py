"""Layout of one screen: the areas of a page from its switch of views to the folds.

    with controls():
        how = choice("knock_how", ...)
    with settings():
        seed = seed_box("toy_seed", ...)
    finding("masks-knockout-missed", ...)
    picture("masks-knockout", ...)
    with folded("reading"):
        paragraph("masks_knockout")

Everything else that a view draws stands between the finding and the folds, the picture first.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.words import called, say, told

ICONS = {
    "roles": ":material/badge:",
    "reading": ":material/menu_book:",
    "breaks": ":material/heart_broken:",
    "numbers": ":material/tag:",
    "about": ":material/info:",
}


@dataclass
class Places:
    """Areas of a view; `made` holds the menu and the folds that exist so far."""

    line: DeltaGenerator
    said: DeltaGenerator
    below: DeltaGenerator
    made: dict[str, DeltaGenerator] = field(default_factory=dict)


# A context variable, as every session runs on its own thread.
_PLACES: ContextVar[Places | None] = ContextVar("places", default=None)


@contextmanager
def screen() -> Iterator[None]:
    """Lay out the areas of a page, around everything below input and output."""
    line = st.container(key="views", horizontal=True, vertical_alignment="center", gap="small")
    said, picture, below = (st.container(key=name) for name in ("finding", "picture", "folds"))
    before = _PLACES.set(Places(line, said, below))
    try:
        with picture:
            yield
    finally:
        _PLACES.reset(before)


@contextmanager
def apart() -> Iterator[None]:
    """Draw outside the areas of the page, around a fragment that is redrawn alone.

    A fragment must not write into containers of the page, which are not redrawn with it.
    """
    before = _PLACES.set(None)
    try:
        yield
    finally:
        _PLACES.reset(before)


def controls() -> DeltaGenerator:
    """Return the line of views, for the few controls that change the picture."""
    places = _PLACES.get()
    return places.line if places else control_row()


def settings() -> DeltaGenerator:
    """Return the settings menu at the end of that line, for all other controls."""
    places = _PLACES.get()
    if places is None:
        return st.container()
    # Created by the first control that asks for it: views without settings have no menu.
    if "settings" not in places.made:
        with places.line:
            places.made["settings"] = st.popover(
                say("settings"), icon=":material/tune:", key="view_settings"
            )
    return places.made["settings"]


def finding(said: str, **values: object) -> None:
    """Draw the finding above the picture, one or two sentences: a message id, or Markdown."""
    places = _PLACES.get()
    with places.said if places else nullcontext():
        st.markdown(called(said, said, **values))


def control_row() -> DeltaGenerator:
    """Return a line of controls within the picture."""
    return st.container(horizontal=True, vertical_alignment="bottom")


def subtitle(id: str, **values: object) -> None:
    """Draw the title of a further part of the picture."""
    st.markdown(f"## {say(id, **values)}")


def paragraph(id: str, **values: object) -> None:
    """Draw a message, or else the text of this name, at the current position."""
    st.markdown(told(id, **values))


def caption(id: str, **values: object) -> None:
    """Draw a message in small letters: how something was made, or what is easily missed."""
    st.caption(say(id, **values))


def note(id: str, icon: str, **values: object) -> None:
    """Draw a note why there is nothing to see, or what to do; `icon` names a symbol."""
    st.info(told(id, **values), icon=f":material/{icon}:")


def warning(id: str, icon: str, **values: object) -> None:
    """Draw a warning about something that differs from what the reader may expect."""
    st.warning(say(id, **values), icon=f":material/{icon}:")


def folded(name: str, *, late: bool = False) -> DeltaGenerator:
    """Return a fold below the picture, one of `ICONS`, titled by ``fold-<name>``.

    A `late` fold reruns the page when it opens, so that slow content is drawn only then.
    """
    places = _PLACES.get()
    made = places.made if places else {}
    # All parts of a page that use a fold write into the same one.
    if name not in made:
        with places.below if places else st.container():
            title, on_change = say(f"fold-{name}"), "rerun" if late else "ignore"
            made[name] = st.expander(
                title, icon=ICONS[name], key=f"fold_{name}", on_change=on_change
            )
    return made[name]
