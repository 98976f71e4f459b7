"""Change what the model may see or compute, and watch the translation change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from model.errors import InterventionError
from records import Intervention, LiftedMask
from ui.effect.attention import show_attention
from ui.effect.outputs import outcome, show_notes
from ui.effect.reading import Reading, effect_of, reading_of
from ui.effect.tokens import show_log_probs, show_next_tokens
from ui.kit.controls import button, choice
from ui.kit.layout import finding, settings
from ui.masks.built import (
    address_faults,
    begin,
    can_undo,
    current_change,
    entries_of,
    notes_on,
    set_change,
    undo,
    write_address,
)
from ui.state import Run, show_problem
from ui.views import offers
from ui.words import has_single_head, plain, say

from . import cells, heads, positions, row, tokens
from .place import Place, current_place

EFFECT = "change_effect"  # begins the keys of the figures
MOST_LISTED = 6
Made = TypeVar("Made")


TOOLS: dict[str, tuple[str, Callable[..., None]]] = {
    "tokens": ("leave-out", tokens.show),
    "cells": ("change-mask", cells.show),
    "heads": ("change-ablate", heads.show),
    "row": ("change-row", row.show),
    "positions": ("change-positions", positions.show),
}
"""Ways to change something: what a model must offer (`ui.views.offers`), and what draws it."""
OF_ONE_HEAD = ("cells", "row")


def show(run: Run) -> None:
    opening = tokens.opening(run)
    begin(run, opening)
    place = None
    if run.record.sites:
        cells.take_click(run, current_place(run))
        place = current_place(run)
    change = current_change(run)
    write_address(change, opening)
    reading, fault = _working(run, change, reading_of) if change else (None, None)
    left, right = st.columns([4, 5], gap="medium")
    below = st.container()
    offered = offers(run.translator)
    with left:
        names = tuple(name for name, (needs, _) in TOOLS.items() if needs in offered)
        tool = choice("change_tool", names, words="masks-change-tool", wrap=True)
        TOOLS[tool][1](run, change, place, reading)
        _changes_list(run, change)
        if change and change == opening:
            st.caption(say("masks-change-opening"))
        for note in notes_on(run, change):
            st.markdown(f":material/info: {note}")
    if "change-causal" in offered:
        with settings():
            _causal_toggle(run, change)
    if reading is not None and place is not None:
        # Needs no search, so it is there while the search is still running.
        with below:
            _attention(run, reading, tool, place)
    effect = None
    if reading is not None:
        effect, failed = _working(run, reading.change, effect_of)
        if failed is None:
            st.session_state["change_worked"] = run.identity, reading.change
        fault = failed or fault
    with right:
        if fault is not None:
            show_problem(fault)
            if effect is not None:
                st.caption(say("masks-change-still"))
        if effect is not None:
            finding(outcome(run, effect))
            show_log_probs(run, effect, key=EFFECT)
            show_notes(run, effect)
            show_next_tokens(run, effect, key=EFFECT)
        elif fault is None:
            finding(say("masks-effect-none"))


def _changes_list(run: Run, change: Intervention) -> None:
    for fault in address_faults():
        st.warning(plain(fault, 600), icon=":material/link_off:")
    entries = entries_of(run, change)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(say("masks-change-count", n=len(entries)))
        how = {"words": "masks-change-undo", "disabled": not can_undo(run)}
        button("change_undo", undo, run, icon="undo", **how)
        how = {"words": "masks-change-undo-all", "disabled": not entries}
        button("change_clear", set_change, run, Intervention(), icon="restart_alt", **how)
    with st.container(gap=None, height=200 if len(entries) > MOST_LISTED else "content"):
        for number, (text, without) in enumerate(entries):
            st.button(
                text,
                key=f"change_remove_{number}",
                icon=":material/close:",
                type="tertiary",
                on_click=set_change,
                args=(run, without),
            )


def _causal_toggle(run: Run, change: Intervention) -> None:
    st.session_state["change_causal"] = change.causal
    words, other = "masks-change-causal", (LiftedMask(),) if change.causal else ()
    st.toggle(
        say(words),
        key="change_causal",
        help=say(f"{words}-help"),
        on_change=set_change,
        args=(run, change.replaced(LiftedMask, *other)),
    )


def _attention(run: Run, reading: Reading, tool: str, place: Place) -> None:
    title = "masks-change-head-single" if has_single_head() else "masks-change-head"
    st.markdown(f"## {say(title)}")
    where = {}
    if tool in OF_ONE_HEAD and None not in (place.layer, place.head):
        where = {"kind": place.kind, "layer": place.layer, "head": place.head}
    show_attention(run, reading, key=EFFECT, **where)


def _working(
    run: Run, change: Intervention, make: Callable[[Run, Intervention], Made]
) -> tuple[Made | None, InterventionError | None]:
    try:
        return make(run, change), None
    except InterventionError as error:
        identity, earlier = st.session_state.get("change_worked", (None, None))
        return (make(run, earlier) if identity == run.identity else None), error
