"""Tokens of the source that nobody may look at."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from records import Intervention, hide
from records.changes import BOTH
from ui.choice import choice
from ui.effect import Reading
from ui.masks.built import set_change
from ui.state import Run
from ui.words import plain, say, site_name
from viz.labels import distinct_labels

from .place import Place


def show(run: Run, change: Intervention, place: Place, reading: Reading | None) -> None:
    where = choice(
        "change_where",
        places(run),
        words="masks-change-where",
        style="radio",
        text=lambda name: say("masks-change-where-both") if name == "both" else site_name(name),
        horizontal=True,
        on_change=_move_hidden,
        args=(run, change),
    )
    st.session_state["change_was_where"] = where
    labels = distinct_labels(run.translation.src.tokens)
    st.session_state["change_hidden"] = list(hidden_in(change, where))
    st.pills(
        say("masks-change-hide"),
        range(len(labels)),
        key="change_hidden",
        selection_mode="multi",
        wrap=True,
        format_func=lambda i: plain(labels[i]),
        on_change=_take_hidden,
        args=(run, change, where),
    )
    st.caption(say("masks-change-hide-caption"))


def places(run: Run) -> tuple[str, ...]:
    """The sites whose keys are the source, and "both" where the model has those two."""
    sites = tuple(site.name for site in run.record.sites if site.key == "source")
    return ("both", *sites) if set(BOTH) <= set(sites) else sites


def hidden_in(change: Intervention, where: str) -> tuple[int, ...]:
    """Positions hidden there; from "both" those hidden from either of the two alike."""
    kinds = BOTH if where == "both" else (where,)
    found = set.intersection(*(set(change.hidden_from(kind)) for kind in kinds))
    return tuple(sorted(found))


def hidden_instead(
    change: Intervention, where: str, old: Sequence[int], new: Sequence[int]
) -> Intervention:
    """`change` with the positions `old` shown again and `new` hidden there."""
    return change.without(*hide(*old, where=where)) | hide(*new, where=where)


def _take_hidden(run: Run, change: Intervention, where: str) -> None:
    chosen = st.session_state["change_hidden"]
    set_change(run, hidden_instead(change, where, hidden_in(change, where), chosen))


def _move_hidden(run: Run, change: Intervention) -> None:
    """What was hidden from one place is now hidden from the other."""
    was, now = st.session_state.get("change_was_where", "both"), st.session_state["change_where"]
    moved = hidden_in(change, was)
    change = hidden_instead(change, was, moved, ())
    set_change(run, hidden_instead(change, now, (), moved))
