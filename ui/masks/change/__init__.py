"""Change what the model may see or compute, and watch the translation change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from model.errors import InterventionError
from records import Intervention
from ui.choice import choice
from ui.effect import (
    Effect,
    Reading,
    effect_of,
    reading_of,
    show_attention,
    show_nothing_changed,
    show_numbers,
)
from ui.masks.built import current_change, notes_on, set_change, write_address
from ui.state import Run, show_problem
from ui.views import offers
from ui.words import has_single_head, say

from . import cells, heads, positions, row, tokens
from .listed import causal_toggle, changes_list
from .place import Place, current_place

__all__ = ["current_change", "set_change", "show"]

EFFECT = "change_effect"  # begins the keys of the figures


@dataclass(frozen=True)
class Tool:
    """One way to change something, for models that offer what it `needs` (`ui.views.offers`).

    `show` is given the place of the heads, where the model has any.
    """

    needs: str
    show: Callable[[Run, Intervention, Any, Reading | None], None]
    of_one_head: bool = False


TOOLS = {
    "tokens": Tool("leave-out", tokens.show),
    "cells": Tool("change-mask", cells.show, of_one_head=True),
    "heads": Tool("change-ablate", heads.show),
    "row": Tool("change-row", row.show, of_one_head=True),
    "positions": Tool("change-positions", positions.show),
}


def show(run: Run) -> None:
    place = None
    if run.record.sites:
        cells.take_click(run, current_place(run))
        place = current_place(run)
    change = current_change(run)
    write_address(change)
    reading, fault = working_reading(run, change)
    left, right = st.columns([5, 6], gap="medium")
    below = st.container()
    offered = offers(run.translator)
    with left:
        if "change-causal" in offered:
            causal_toggle(run, change)
        names = tuple(name for name, tool in TOOLS.items() if tool.needs in offered)
        tool = TOOLS[choice("change_tool", names, words="masks-change-tool", wrap=True)]
        tool.show(run, change, place, reading)
    with right:
        changes_list(run, change)
        for note in notes_on(run, change):
            st.markdown(f":material/info: {note}")
        said, words = st.container(), st.container()
    if reading is not None and place is not None:
        # Needs no search, so it is there while the search is still running.
        with below:
            _attention(run, reading, tool, place)
    effect, fault = working_effect(run, reading, fault)
    with said:
        if fault is not None:
            show_problem(fault)
            if effect is not None:
                st.caption(say("masks-change-still"))
    with words:
        if effect is not None:
            show_numbers(run, effect, key=EFFECT)
        elif fault is None:
            show_nothing_changed()


def _attention(run: Run, reading: Reading, tool: Tool, place: Place) -> None:
    """The head the tool works on, or the one where most weight moved."""
    title = "masks-change-head-single" if has_single_head() else "masks-change-head"
    st.markdown(f"## {say(title)}")
    where = {}
    if tool.of_one_head and None not in (place.layer, place.head):
        where = {"kind": place.kind, "layer": place.layer, "head": place.head}
    show_attention(run, reading, key=EFFECT, **where)


def working_reading(
    run: Run, change: Intervention
) -> tuple[Reading | None, InterventionError | None]:
    """The original output read under the change; when that cannot be, why, and the reading under
    the last change that worked."""
    if not change:
        return None, None
    try:
        return reading_of(run, change), None
    except InterventionError as error:
        earlier = _last_that_worked(run)
        return (None if earlier is None else reading_of(run, earlier)), error


def working_effect(
    run: Run, reading: Reading | None, fault: InterventionError | None
) -> tuple[Effect | None, InterventionError | None]:
    """The effect that belongs to a reading; when the search cannot be, why, and the effect of the
    last change that worked."""
    if reading is None:
        return None, fault
    try:
        effect = effect_of(run, reading.change)
    except InterventionError as error:
        earlier = _last_that_worked(run)
        return (None if earlier is None else effect_of(run, earlier)), error
    st.session_state["change_worked"] = run.identity, reading.change
    return effect, fault


def _last_that_worked(run: Run) -> Intervention | None:
    identity, change = st.session_state.get("change_worked", (None, None))
    return change if identity == run.identity else None
