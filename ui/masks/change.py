"""Change what the model may see or compute, and watch the translation change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import numpy as np
import streamlit as st

from core.changes import ABLATIONS, POSITION_MODES, AblatedHead, LiftedMask, Positions
from core.intervention import UNREAD, Intervention, hide, hiding_places
from core.tokens import TokenSequence, distinct_labels
from model.errors import InterventionError
from ui.effect import (
    Reading,
    effect_of,
    outcome,
    reading_of,
    show_attention,
    show_log_probs,
    show_next_tokens,
    show_notes,
)
from ui.kit.controls import button, choice
from ui.kit.layout import caption, control_row, finding, paragraph, settings, subtitle
from ui.masks.built import (
    ablations_of,
    address_faults,
    begin,
    can_undo,
    current_change,
    entries_of,
    has_means,
    notes_on,
    set_change,
    shape_of,
    undo,
    write_address,
)
from ui.masks.cells import Place, current_place, show_cells, show_row, site_picker, take_click
from ui.masks.choices import hiding_menu, source_words, word_at
from ui.state import Run, show_problem
from ui.views import offers
from ui.words import has_single_head, plain, say

EFFECT = "change_effect"  # begins the keys of the figures
MOST_LISTED = 6
SHORT = 3  # letters of words that mostly tell little
NUMBERS = {"shifted": ("offset", "by", 1000), "permuted": ("seed", "seed", 9999)}
"""Of a way to change positions: its number, what that is called, and the most it can be."""
Made = TypeVar("Made")


def show(run: Run) -> None:
    opening = opening_change(run)
    begin(run, opening)
    place = None
    if run.record.sites:
        take_click(run, current_place(run))
        place = current_place(run)
    change = current_change(run)
    write_address(change, opening)
    reading, fault = _working(run, change, reading_of) if change else (None, None)
    with st.container(key="answer_first"):
        left, right = st.columns([4, 5], gap="medium")
    below, offered = st.container(), offers(run.translator)
    with left:
        names = tuple(name for name, (needs, _) in TOOLS.items() if needs in offered)
        tool = choice("change_tool", names, words="masks-change-tool", wrap=True)
        TOOLS[tool][1](run, change, place, reading)
        _changes_list(run, change)
        if change and change == opening:
            caption("masks-change-opening")
        for note in notes_on(run, change):
            st.markdown(f":material/info: {note}")
    if "change-causal" in offered:
        words, other = "masks-change-causal", (LiftedMask(),) if change.causal else ()
        st.session_state["change_causal"] = change.causal
        with settings():
            st.toggle(
                say(words),
                key="change_causal",
                help=say(f"{words}-help"),
                on_change=set_change,
                args=(run, change.replaced(LiftedMask, *other)),
            )
    if reading is not None and place is not None:
        # Needs no search, so it is there while the search is still running.
        with below:
            subtitle("masks-change-head-single" if has_single_head() else "masks-change-head")
            of_one = tool in ("cells", "row") and None not in (place.layer, place.head)
            where = {"kind": place.kind, "head": (place.layer, place.head)} if of_one else {}
            show_attention(run, reading, key=EFFECT, **where)
    with right:
        _outcome(run, reading, fault)


def _outcome(run: Run, reading: Reading | None, fault: InterventionError | None) -> None:
    effect = None
    if reading is not None:
        effect, failed = _working(run, reading.change, effect_of)
        if failed is None:
            st.session_state["change_worked"] = run.identity, reading.change
        fault = failed or fault
    if fault is not None:
        show_problem(fault)
        if effect is not None:
            caption("masks-change-still")
    if effect is not None:
        finding(outcome(run, effect))
        show_log_probs(run, effect, key=EFFECT)
        show_notes(run, effect)
        show_next_tokens(run, effect, key=EFFECT)
    elif fault is None:
        finding(say("masks-effect-none"))


def _working(
    run: Run, change: Intervention, make: Callable[[Run, Intervention], Made]
) -> tuple[Made | None, InterventionError | None]:
    """What is made of a change; when that cannot be, why, and what is made of the last change that
    worked."""
    try:
        return make(run, change), None
    except InterventionError as error:
        identity, earlier = st.session_state.get("change_worked", (None, None))
        return (make(run, earlier) if identity == run.identity else None), error


def _changes_list(run: Run, change: Intervention) -> None:
    for fault in address_faults():
        st.warning(plain(fault, 600), icon=":material/link_off:")
    entries = entries_of(run, change)
    with st.container(horizontal=True, vertical_alignment="center"):
        paragraph("masks-change-count", n=len(entries))
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


# -- tokens of the source that nobody may look at, or that are not read --------------------


def _tokens(run: Run, change: Intervention, *_: object) -> None:
    how = {"style": "radio", "horizontal": True, "on_change": _move_hidden, "args": (run, change)}
    where = hiding_menu(run, "change_where", "masks-change-where", **how)
    state, labels = st.session_state, distinct_labels(run.src.tokens)
    state["change_was_where"], state["change_hidden"] = where, list(change.hidden_from(where))
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


def opening_change(run: Run) -> Intervention:
    """What the view begins with: of an example the noun hidden that its pronoun stands for, else
    the first word of some length."""
    places = hiding_places(run.record.sites, run.capabilities)
    if not places or not isinstance(run.src, TokenSequence):
        return Intervention()
    words, few = source_words(run), run.pack.determiners
    long = [word for word in words if len(word.text) > SHORT and word.text.lower() not in few]
    noun = word_at(words, run.example.antecedent if run.example else "")
    first = noun or next(iter([*long, *words]), None)
    return hide(*first.positions, where=places[0]) if first else Intervention()


def _hideable(run: Run, where: str) -> range:
    """The end of the sentence is always read."""
    return range(len(run.src) - (where == UNREAD))


def hidden_instead(
    change: Intervention, where: str, old: Sequence[int], new: Sequence[int]
) -> Intervention:
    return change.without(*hide(*old, where=where)) | hide(*new, where=where)


def _take_hidden(run: Run, change: Intervention, where: str) -> None:
    chosen = st.session_state["change_hidden"]
    set_change(run, hidden_instead(change, where, change.hidden_from(where), chosen))


def _move_hidden(run: Run, change: Intervention) -> None:
    was, now = st.session_state.get("change_was_where", "both"), st.session_state["change_where"]
    moved = change.hidden_from(was)
    there = [position for position in moved if position in _hideable(run, now)]
    set_change(run, change.without(*hide(*moved, where=was)) | hide(*there, where=now))


# -- heads switched off ---------------------------------------------------------------------


def _heads(run: Run, change: Intervention, place: Place, _: object) -> None:
    kind = place.kind
    off = ablations_of(change, kind, shape_of(run, kind))
    site_picker(run, place)
    means = has_means(run)
    options = [name for name in ABLATIONS if name != "mean" or means]
    if used := [name for name in off.ravel() if name in options]:
        st.session_state["change_how"] = used[0]
    how = choice(
        "change_how",
        options,
        words="masks-knockout-how",
        style="radio",
        address=False,
        horizontal=True,
        on_change=_take_how,
        args=(run, change, kind, off),
    )
    if not means:
        caption("masks-change-no-means")
    for layer, heads in enumerate(off if off.size > 1 else ()):
        key = f"change_off_{kind}_{layer}"
        st.session_state[key] = np.flatnonzero(heads).tolist()
        st.pills(
            say("masks-change-heads-of", layer=layer + 1),
            range(len(heads)),
            key=key,
            selection_mode="multi",
            wrap=True,
            format_func=lambda head: str(head + 1),
            on_change=_take_heads,
            args=(run, change, kind, off, layer, how),
        )
    count, none = {"n": off.size}, np.full_like(off, "")
    with st.container(horizontal=True):
        shared = {"values": count, "words": "masks-change-all-off"}
        button("change_all_off", _set_heads, run, change, kind, np.full_like(off, how), **shared)
        shared = {"values": count, "words": "masks-change-all-on", "disabled": not off.any()}
        button("change_all_on", _set_heads, run, change, kind, none, **shared)


def _take_heads(
    run: Run, change: Intervention, kind: str, off: np.ndarray, layer: int, how: str
) -> None:
    chosen, off = st.session_state[f"change_off_{kind}_{layer}"], off.copy()
    off[layer] = [(old or how) if head in chosen else "" for head, old in enumerate(off[layer])]
    _set_heads(run, change, kind, off)


def _take_how(run: Run, change: Intervention, kind: str, off: np.ndarray) -> None:
    _set_heads(run, change, kind, np.where(off == "", "", st.session_state["change_how"]))


def _set_heads(run: Run, change: Intervention, kind: str, off: np.ndarray) -> None:
    others = tuple(entry for entry in change.ablated if entry.kind != kind)
    set_change(run, change.replaced(AblatedHead, *others, *shortest_ablations(kind, off)))


def shortest_ablations(kind: str, off: np.ndarray) -> tuple[AblatedHead, ...]:
    """Entries for an (L, H) array of `ablations_of`, with whole layers and sites as one entry."""
    if off.size and off[0, 0] and (off == off[0, 0]).all():
        return (AblatedHead(kind, how=off[0, 0]),)
    found = []
    for layer, heads in enumerate(off):
        if heads[0] and (heads == heads[0]).all():
            found.append(AblatedHead(kind, layer, how=heads[0]))
        else:
            found += [AblatedHead(kind, layer, h, name) for h, name in enumerate(heads) if name]
    return tuple(found)


# -- positions of either side ---------------------------------------------------------------


def _positions(run: Run, change: Intervention, *_: object) -> None:
    for side in ("source", "target"):
        positions = change.positions(side)
        take = partial(_take_positions, run, change, side)
        with control_row():
            choice(
                f"change_{side}_mode",
                POSITION_MODES,
                words=f"position_{side}",
                style="select",
                shown=positions.mode,
                text=lambda mode: say(f"positions-mode-{mode}"),
                width=180,
                on_change=take,
            )
            if positions.mode in NUMBERS:
                name, words, most = NUMBERS[positions.mode]
                key, title = f"change_{side}_{name}", say(f"masks-change-positions-{words}")
                st.session_state[key] = min(getattr(positions, name), most)
                st.number_input(title, 0, most, key=key, width=130, on_change=take)
    caption("masks-change-positions-caption", n=len(run.tgt))


def _take_positions(run: Run, change: Intervention, side: str) -> None:
    state, prefix = st.session_state, f"change_{side}"
    old = change.positions(side)
    positions = Positions(
        state[f"{prefix}_mode"],
        offset=state.get(f"{prefix}_offset", old.offset or 3),
        seed=state.get(f"{prefix}_seed", old.seed),
        span=len(run.tgt) if side == "target" else None,
        side=side,
    )
    set_change(run, Intervention(*change, positions))


TOOLS: dict[str, tuple[str, Callable[..., None]]] = {
    "tokens": ("leave-out", _tokens),
    "cells": ("change-mask", show_cells),
    "heads": ("change-ablate", _heads),
    "row": ("change-row", show_row),
    "positions": ("change-positions", _positions),
}
"""Ways to change something: what a model must offer (`ui.views.offers`), and what draws it."""
