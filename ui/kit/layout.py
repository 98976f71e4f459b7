"""One screen: the places of a page from its views to what is folded below its picture.

    with controls():
        how = choice("knock_how", ...)
    with settings():
        seed = seed_box("toy_seed", ...)
    finding("masks-knockout-missed", ...)
    picture("masks-knockout", ...)
    with folded("reading"):
        paragraph("masks_knockout")

Whatever a view draws else stands between the finding and the folds, the picture first.
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
    """Where the parts of a view stand; `made` are the menu and the folds that it has begun."""

    line: DeltaGenerator
    said: DeltaGenerator
    below: DeltaGenerator
    made: dict[str, DeltaGenerator] = field(default_factory=dict)


_PLACES: ContextVar[Places | None] = ContextVar("places", default=None)


@contextmanager
def screen() -> Iterator[None]:
    """Around all of a page below what was read and written; lays out its places in their order."""
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
    """Around what is drawn anew by itself, and so may not stand in the places of its page."""
    before = _PLACES.set(None)
    try:
        yield
    finally:
        _PLACES.reset(before)


def controls() -> DeltaGenerator:
    """Beside the views of the page: what changes the picture, as long as it fits into the line."""
    places = _PLACES.get()
    return places.line if places else control_row()


def settings() -> DeltaGenerator:
    """The menu at the end of that line, for all other controls of a view."""
    places = _PLACES.get()
    if places is None:
        return st.container()
    if "settings" not in places.made:
        with places.line:
            places.made["settings"] = st.popover(
                say("settings"), icon=":material/tune:", key="view_settings"
            )
    return places.made["settings"]


def finding(said: str, **values: object) -> None:
    """What there is to see, in one or two sentences above the picture: a message, or Markdown."""
    places = _PLACES.get()
    with places.said if places else nullcontext():
        st.markdown(called(said, said, **values))


def control_row() -> DeltaGenerator:
    """A line of controls in the picture itself."""
    return st.container(horizontal=True, vertical_alignment="bottom")


def subtitle(id: str, **values: object) -> None:
    """What a further part of the picture is called."""
    st.markdown(f"## {say(id, **values)}")


def paragraph(id: str, **values: object) -> None:
    """What is told in the place where it stands: a message, or else a text of this name."""
    st.markdown(told(id, **values))


def caption(id: str, **values: object) -> None:
    """The same in small letters: how something was made, or what is easily missed."""
    st.caption(say(id, **values))


def note(id: str, icon: str, **values: object) -> None:
    """Why there is nothing to see, or what to do; `icon` is the name of a symbol."""
    st.info(told(id, **values), icon=f":material/{icon}:")


def warning(id: str, icon: str, **values: object) -> None:
    """What is not as the reader may think."""
    st.warning(say(id, **values), icon=f":material/{icon}:")


def folded(name: str, *, late: bool = False) -> DeltaGenerator:
    """A fold below the picture: one of `ICONS`; its title is ``fold-<name>``.

    What takes long is drawn `late`: only once the fold is ``open``.
    """
    places = _PLACES.get()
    made = places.made if places else {}
    if name not in made:
        with places.below if places else st.container():
            title, on_change = say(f"fold-{name}"), "rerun" if late else "ignore"
            made[name] = st.expander(
                title, icon=ICONS[name], key=f"fold_{name}", on_change=on_change
            )
    return made[name]
