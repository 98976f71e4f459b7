"""Layout of one screen: the areas of a page from its switch of views to the folds.

    with controls():
        how = choice("knock_how", ...)
    with settings():
        seed = seed_box("toy_seed", ...)
    claim("claim-masks-knockout")
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
from typing import TYPE_CHECKING, Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.frame.messages import called, current_words, message_or_page, say
from ui.kit.terms import with_terms

if TYPE_CHECKING:
    from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

_LABELS = "labels_of_folds"
"""Session key: labels of late folds, as they were last drawn."""
ICONS = {
    "hypotheses": ":material/format_list_numbered:",
    "curves": ":material/show_chart:",
    "papers": ":material/history_edu:",
    "claims": ":material/fact_check:",
    "roles": ":material/badge:",
    "reading": ":material/menu_book:",
    "numbers": ":material/tag:",
    "table": ":material/table:",
    "about": ":material/info:",
}


@dataclass
class ViewAreas:
    """Areas of a view; `menus` holds the settings menu and the folds that exist so far."""

    line: DeltaGenerator
    claim: DeltaGenerator
    finding: DeltaGenerator
    below: DeltaGenerator
    menus: dict[str, Any] = field(default_factory=dict)


# A context variable, as every session runs on its own thread.
_AREAS: ContextVar[ViewAreas | None] = ContextVar("areas", default=None)


@contextmanager
def screen() -> Iterator[None]:
    """Lay out the areas of a page, around everything below input and output."""
    # All areas are made before the view draws, which fills them in any order.
    line = st.container(key="views", horizontal=True, vertical_alignment="center", gap="small")
    claim = st.container(key="claim")
    finding = st.container(key="finding")
    picture = st.container(key="picture")
    below = st.container(key="folds")
    before = _AREAS.set(ViewAreas(line, claim, finding, below))
    try:
        with picture:
            yield
    finally:
        _AREAS.reset(before)


@contextmanager
def apart() -> Iterator[None]:
    """Draw outside the areas of the page, around a fragment that is redrawn alone.

    A fragment must not write into containers of the page, which are not redrawn with it.
    """
    before = _AREAS.set(None)
    try:
        yield
    finally:
        _AREAS.reset(before)


def controls() -> DeltaGenerator:
    """Return the line of views, for the few controls that change the picture."""
    areas = _AREAS.get()
    return areas.line if areas else control_row()


def settings() -> DeltaGenerator:
    """Return the settings menu at the end of that line, for all other controls."""
    areas = _AREAS.get()
    if areas is None:
        return st.container()
    # Created by the first control that asks for it: views without settings have no menu.
    if "settings" not in areas.menus:
        with areas.line:
            areas.menus["settings"] = st.popover(
                say("settings"), icon=":material/tune:", key="view_settings"
            )
    return areas.menus["settings"]


def claim(*ids: str) -> None:
    """Draw the claim of a view, one quiet line under its tab: the messages of these ids."""
    areas = _AREAS.get()
    with areas.claim if areas else nullcontext():
        st.caption(" · ".join(map(say, ids)))


def finding(sentence: str, /, **values: object) -> None:
    """Draw the finding above the picture, one or two sentences: a message id, or Markdown."""
    areas = _AREAS.get()
    with areas.finding if areas else nullcontext():
        st.markdown(called(sentence, sentence, **values))


def control_row() -> DeltaGenerator:
    """Return a line of controls within the picture."""
    return st.container(horizontal=True, vertical_alignment="bottom")


def bar(key: str) -> DeltaGenerator:
    """Return a line of controls above a picture, their names beside them; `key` names the line."""
    return st.container(key=f"bar_{key}", horizontal=True, vertical_alignment="center", gap="small")


def wide(key: str) -> DeltaGenerator:
    """Return the room of a picture that grows to the width of the page."""
    return st.container(key=f"wide_{key}")


def subtitle(id: str, **values: object) -> None:
    """Draw the title of a further part of the picture."""
    st.markdown(f"## {say(id, **values)}")


def paragraph(id: str, **values: object) -> None:
    """Draw a message, or else the explanation of this name, at the current position."""
    words = current_words()
    if words.has(id):
        st.markdown(words(id, **values))
    else:
        explain(words.page(id))


def explain(markdown: str) -> None:
    """Draw an explanation, its terms linked to the glossary."""
    st.markdown(with_terms(markdown, current_words().language))


def caption(id: str, **values: object) -> None:
    """Draw a message in small letters: how something was made, or what is easily missed."""
    st.caption(say(id, **values))


def note(id: str, icon: str, **values: object) -> None:
    """Draw a note why there is nothing to see, or what to do; `icon` names a symbol."""
    st.info(message_or_page(id, **values), icon=f":material/{icon}:")


def warning(id: str, icon: str, **values: object) -> None:
    """Draw a warning about something that differs from what the reader may expect."""
    st.warning(say(id, **values), icon=f":material/{icon}:")


def folded(name: str, *, late: bool = False) -> ExpanderContainer:
    """Return a fold below the picture, one of `ICONS`, titled by ``fold-<name>``.

    A `late` fold reruns the page when it opens, so that slow content is drawn only then.
    """
    areas = _AREAS.get()
    menus = areas.menus if areas else {}
    # All parts of a page that use a fold write into the same one.
    if name not in menus:
        label = say(f"fold-{name}")
        if late:
            keep_open(f"fold_{name}", label)
        with areas.below if areas else st.container():
            menus[name] = st.expander(
                label,
                icon=ICONS[name],
                key=f"fold_{name}",
                on_change="rerun" if late else "ignore",
            )
    fold: ExpanderContainer = menus[name]
    return fold


def keep_open(key: str, label: str) -> None:
    """Keep a fold with a callback open when its label changes with the language of the page."""
    state = st.session_state
    labels = state.setdefault(_LABELS, {})
    # Under another label it is another widget, which begins closed.
    if labels.get(key, label) != label and state.get(key):
        state[key] = True
    labels[key] = label


def command_line(line: str) -> None:
    """Draw a command to copy, wrapped, in one colour of sufficient contrast."""
    st.code(line, None, wrap_lines=True)
