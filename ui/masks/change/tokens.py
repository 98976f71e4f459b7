"""Tokens of the source that nobody may look at, or that are not read."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from analysis.labels import distinct_labels
from records import UNREAD, Intervention, TokenSequence, hide, hiding_places
from ui.effect.reading import Reading
from ui.masks.built import set_change
from ui.masks.choices import hiding_menu, source_words, word_at
from ui.state import Run
from ui.words import plain, say

SHORT = 3  # letters of words that mostly tell little


def show(run: Run, change: Intervention, _place: object, _reading: Reading | None) -> None:
    how = {"style": "radio", "horizontal": True, "on_change": _move_hidden, "args": (run, change)}
    where = hiding_menu(run, "change_where", "masks-change-where", **how)
    st.session_state["change_was_where"] = where
    labels = distinct_labels(run.translation.src.tokens)
    st.session_state["change_hidden"] = list(change.hidden_from(where))
    words = "masks-change-unread" if where == UNREAD else "masks-change-hide"
    st.pills(
        say(words),
        _hideable(run, where),
        key="change_hidden",
        selection_mode="multi",
        wrap=True,
        format_func=lambda i: plain(labels[i]),
        on_change=_take_hidden,
        args=(run, change, where),
        help=say(f"{words}-help"),
    )


def opening(run: Run) -> Intervention:
    """What the view begins with: of an example the noun hidden that its pronoun stands for, else
    the first word of some length."""
    places = hiding_places(run.record.sites, run.capabilities)
    if not places or not isinstance(run.translation.src, TokenSequence):
        return Intervention()
    words, few = source_words(run), run.pack.determiners
    long = [word for word in words if len(word.text) > SHORT and word.text.lower() not in few]
    noun = word_at(words, run.example.antecedent if run.example else "")
    return (
        hide(*(noun or [*long, *words][0]).positions, where=places[0]) if words else Intervention()
    )


def _hideable(run: Run, where: str) -> range:
    return range(len(run.translation.src) - (where == UNREAD))


def hidden_instead(
    change: Intervention, where: str, old: Sequence[int], new: Sequence[int]
) -> Intervention:
    """`change` with the positions `old` shown again and `new` hidden there."""
    return change.without(*hide(*old, where=where)) | hide(*new, where=where)


def _take_hidden(run: Run, change: Intervention, where: str) -> None:
    chosen = st.session_state["change_hidden"]
    set_change(run, hidden_instead(change, where, change.hidden_from(where), chosen))


def _move_hidden(run: Run, change: Intervention) -> None:
    was, now = st.session_state.get("change_was_where", "both"), st.session_state["change_where"]
    moved = change.hidden_from(was)
    there = [position for position in moved if position in _hideable(run, now)]
    set_change(run, change.without(*hide(*moved, where=was)) | hide(*there, where=now))
