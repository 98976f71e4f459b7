"""Change what the model may see or compute, and watch the translation change."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from analysis.measures import pair_weights, seen_cells, strongest_head
from model.errors import InterventionError
from records import (
    ATTENTION_KINDS,
    POSITION_MODES,
    AblatedHead,
    AttentionKind,
    AttentionMap,
    Intervention,
    MaskedCell,
    OverriddenRow,
    Positions,
    fingerprint_of,
)
from ui.components.row import draggable_row, read_row, rounded
from ui.controls import KIND_NAMES
from ui.effect import (
    Effect,
    Reading,
    effect_of,
    read_again,
    reading_of,
    show_attention,
    show_nothing_changed,
    show_numbers,
)
from ui.effect.attention import row_names
from ui.examples import example_of
from ui.export import export_menu
from ui.focus import click_count, clicked, find_link
from ui.panels import show_figure
from ui.state import Run, is_dark, show_problem
from ui.words import plain
from viz.effect import SELECTION_NAME, weight_matrix
from viz.labels import distinct_labels, numbered_labels
from viz.theme import palette_of

from .built import (
    HOW_WORDS,
    MODE_WORDS,
    ablations_of,
    address_faults,
    can_undo,
    current_change,
    entries_of,
    forbidden_by,
    has_means,
    notes_on,
    place_words,
    set_change,
    shape_of,
    undo,
    write_address,
)

__all__ = ["current_change", "set_change", "show"]

TOOLS = {
    "tokens": "Tokens",
    "cells": "Cells",
    "heads": "Heads",
    "row": "A row",
    "positions": "Positions",
}
WHERE_WORDS = {
    "both": "the encoder and cross-attention",
    "encoder": "the encoder",
    "cross": "cross-attention",
}
ALL = -1  # every layer, head or row, in a menu
MATRIX, EFFECT = "change_matrix", "change_effect"  # keys of the figures
MOST_LISTED = 6
MOST_OFFSET, MOST_SEED = 1000, 9999


@dataclass(frozen=True)
class Place:
    """The head, or heads, and the cell that the tools work on; None stands for all."""

    kind: AttentionKind
    layer: int | None
    head: int | None
    query: int | None
    key: int

    @property
    def heads(self) -> tuple[slice, slice]:
        """The chosen layers and heads of an (L, H, ...) array."""
        return tuple(
            slice(None) if place is None else slice(place, place + 1)
            for place in (self.layer, self.head)
        )


def show(run: Run) -> None:
    place = current_place(run)
    take_matrix_click(run, place)
    change = current_change(run)
    write_address(change)
    reading, fault = working_reading(run, change)
    left, right = st.columns([5, 6], gap="medium")
    below = st.container()
    with left:
        causal_toggle(run, change)
        tool = tool_switch()
        TOOL_PANELS[tool](run, change, place, reading)
    with right:
        changes_list(run, change)
        for note in notes_on(run, change):
            st.markdown(f":material/info: {note}")
        said, words = st.container(), st.container()
    if reading is not None:
        # Needs no search, so it is there while the search is still running.
        with below:
            attention_panel(run, reading, tool, place)
    effect, fault = working_effect(run, reading, fault)
    with said:
        if fault is not None:
            show_problem(fault)
            if effect is not None:
                st.caption("Still showing the effect of the last change that worked.")
    with words:
        if effect is not None:
            show_numbers(run, effect, key=EFFECT)
        elif fault is None:
            show_nothing_changed()


def attention_panel(run: Run, reading: Reading, tool: str, place: Place) -> None:
    """The head the tool works on, or the one where most weight moved."""
    st.markdown("##### One head, before and after")
    if tool in ("cells", "row") and None not in (place.layer, place.head):
        where = {"kind": place.kind, "layer": place.layer, "head": place.head}
    else:
        where = {}
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


def tool_switch() -> str:
    chosen = st.segmented_control(
        "What to change",
        list(TOOLS),
        key="change_tool",
        default="tokens",
        required=True,
        format_func=TOOLS.get,
        bind="query-params",
        wrap=True,
    )
    return chosen or "tokens"


# What is changed, in words


def changes_list(run: Run, change: Intervention) -> None:
    """Every change as a button that takes it back."""
    for fault in address_faults():
        st.warning(plain(fault, 600), icon=":material/link_off:")
    entries = entries_of(run, change)
    with st.container(horizontal=True, vertical_alignment="center"):
        count = len(entries)
        st.markdown(
            f"**{count} {'change' if count == 1 else 'changes'}**" if entries else "**No change**"
        )
        st.button(
            "Undo", key="change_undo", icon=":material/undo:", disabled=not can_undo(run),
            on_click=undo, args=(run,), help="Takes the last step back.",
        )  # fmt: skip
        st.button(
            "Undo all", key="change_clear", icon=":material/restart_alt:", disabled=not entries,
            on_click=set_change, args=(run, Intervention()),
        )  # fmt: skip
    if not entries:
        return
    with st.container(gap=None, height=200 if len(entries) > MOST_LISTED else "content"):
        for number, entry in enumerate(entries):
            st.button(
                entry.text,
                key=f"change_remove_{number}",
                icon=":material/close:",
                type="tertiary",
                on_click=set_change,
                args=(run, entry.without),
            )


# The causal mask


def causal_toggle(run: Run, change: Intervention) -> None:
    st.session_state["change_causal"] = change.causal
    st.toggle(
        "Causal mask",
        key="change_causal",
        on_change=_take_causal,
        args=(run, change),
        help="With it, no position of the decoder looks at later ones. It was on in training.",
    )


def _take_causal(run: Run, change: Intervention) -> None:
    set_change(run, replace(change, causal=st.session_state["change_causal"]))


# Tokens


def tokens_panel(run: Run, change: Intervention, place: Place, reading: Reading | None) -> None:
    where = st.radio(
        "Hide tokens from",
        list(WHERE_WORDS),
        key="change_where",
        horizontal=True,
        bind="query-params",
        format_func=WHERE_WORDS.get,
        on_change=_move_hidden,
        args=(run, change),
    )
    where = where if where in WHERE_WORDS else "both"
    st.session_state["change_was_where"] = where
    labels = distinct_labels(run.translation.src.tokens)
    st.session_state["change_hidden"] = list(hidden_in(change, where))
    st.pills(
        "Click a token to hide it",
        range(len(labels)),
        key="change_hidden",
        selection_mode="multi",
        wrap=True,
        format_func=lambda i: plain(labels[i]),
        on_change=_take_hidden,
        args=(run, change, where),
    )
    st.caption("No query of those layers may look at a hidden token; its place in the row is gone.")


def hidden_in(change: Intervention, where: str) -> tuple[int, ...]:
    """Positions hidden there; from "both" those hidden from either of the two alike."""
    encoder, cross = set(change.hidden_from_encoder), set(change.hidden_from_cross)
    found = {"encoder": encoder, "cross": cross, "both": encoder & cross}[where]
    return tuple(sorted(found))


def hidden_instead(
    change: Intervention, where: str, old: Sequence[int], new: Sequence[int]
) -> Intervention:
    """`change` with the positions `old` shown again and `new` hidden there."""
    sides = {}
    for side in ("encoder", "cross"):
        hidden = set(getattr(change, f"hidden_from_{side}"))
        if where in (side, "both"):
            hidden = hidden - set(old) | set(new)
        sides[f"hidden_from_{side}"] = tuple(hidden)
    return replace(change, **sides)


def _take_hidden(run: Run, change: Intervention, where: str) -> None:
    chosen = st.session_state["change_hidden"]
    set_change(run, hidden_instead(change, where, hidden_in(change, where), chosen))


def _move_hidden(run: Run, change: Intervention) -> None:
    """What was hidden from one place is now hidden from the other."""
    was, now = st.session_state.get("change_was_where", "both"), st.session_state["change_where"]
    moved = hidden_in(change, was)
    change = hidden_instead(change, was, moved, ())
    set_change(run, hidden_instead(change, now, (), moved))


# Where the tools work


def current_place(run: Run) -> Place:
    """The head and the cell that were chosen, or those of the pronoun and its noun."""
    stored = st.session_state.get("change_place")
    if stored is not None and stored[0] == run.identity:
        return stored[1]
    if stored is not None and stored[0][0] == run.identity[0]:
        old = stored[1]
        place = replace(old, **_telling_cell(run, old.kind))
    else:
        place = _opening_place(run)
    st.session_state["change_place"] = run.identity, place
    return place


def _opening_place(run: Run) -> Place:
    translation, layer, head = run.translation, 0, 0
    link = find_link("cross", translation, example_of(translation.src.text))
    if link is not None and link.columns:
        weights = pair_weights(translation.attention.cross, link.rows, link.columns)
        layer, head = strongest_head(weights)
    return Place("cross", layer, head, **_telling_cell(run, "cross"))


def _telling_cell(run: Run, kind: AttentionKind) -> dict[str, int]:
    """The pronoun's row, and its noun where it is known."""
    link = find_link(kind, run.translation, example_of(run.translation.src.text))
    if link is None:
        return {"query": 0, "key": 0}
    return {"query": link.rows[0], "key": link.columns[0] if link.columns else 0}


def _set_place(run: Run, **changes: object) -> None:
    place = replace(current_place(run), **changes)
    st.session_state["change_place"] = run.identity, place


def head_pickers(run: Run, place: Place) -> None:
    """Kind, layer and head, each with "all"."""
    n_layers, n_heads, *_ = shape_of(run, place.kind)
    with st.container(horizontal=True, wrap=True, vertical_alignment="bottom"):
        _kind_picker(run, place)
        for name, count in (("layer", n_layers), ("head", n_heads)):
            key, chosen = f"change_{name}", getattr(place, name)
            st.session_state[key] = ALL if chosen is None else chosen
            st.selectbox(
                name.capitalize(),
                range(ALL, count),
                key=key,
                filter_mode=None,
                width=88,
                format_func=lambda i: "all" if i == ALL else str(i + 1),
                on_change=_take_place,
                args=(run, name),
            )


def _kind_picker(run: Run, place: Place) -> None:
    st.session_state["change_kind"] = place.kind
    st.selectbox(
        "Attention",
        ATTENTION_KINDS,
        key="change_kind",
        filter_mode=None,
        width=120,
        format_func=KIND_NAMES.get,
        on_change=_take_kind,
        args=(run,),
    )


def _take_kind(run: Run) -> None:
    kind = st.session_state["change_kind"]
    place = current_place(run)
    n_layers, n_heads, *_ = shape_of(run, kind)
    layer = None if place.layer is None else min(place.layer, n_layers - 1)
    head = None if place.head is None else min(place.head, n_heads - 1)
    _set_place(run, kind=kind, layer=layer, head=head, **_telling_cell(run, kind))


def _take_place(run: Run, name: str) -> None:
    value = st.session_state[f"change_{name}"]
    _set_place(run, **{name: None if value == ALL else value})


def _position_picker(
    run: Run, name: str, title: str, tokens: Sequence[str], value: int | None, *, every: str = ""
) -> None:
    labels = numbered_labels(tokens)
    st.session_state[f"change_{name}"] = ALL if value is None else value
    st.selectbox(
        title,
        range(ALL if every else 0, len(labels)),
        key=f"change_{name}",
        width=150,
        format_func=lambda i: every if i == ALL else labels[i],
        on_change=_take_place,
        args=(run, name),
    )


# Cells


def cells_panel(run: Run, change: Intervention, place: Place, reading: Reading | None) -> None:
    head_pickers(run, place)
    attention = _attention_under(run, place.kind, reading)
    rows = row_names(attention)
    weights = attention.weights[place.heads].mean(axis=(0, 1))
    forbidden = forbidden_in(change, place, attention.weights.shape)
    figure = weight_matrix(
        weights,
        rows,
        attention.key_tokens,
        kind=place.kind,
        seen=_own_mask(run, change, place.kind) | forbidden,
        hatched=forbidden & _own_mask(run, change, place.kind),
        title="weight" if None not in (place.layer, place.head) else "weight, mean of the heads",
        click=click_count(MATRIX),
        dark=is_dark(),
    )
    who = place_words(place.kind, place.layer, place.head)
    show_figure(
        figure,
        key=MATRIX,
        alt=f"Weights of {who}: {len(rows)} query rows by {len(attention.key_tokens)} key columns. "
        "A click on a cell forbids or allows it; the menus below do the same.",
    )
    st.caption("Click a cell to forbid it, again to allow it. Hatched cells are forbidden.")
    note = st.session_state.pop("change_note", "")
    if note:
        st.info(note, icon=":material/info:")
    with st.container(horizontal=True, wrap=True, vertical_alignment="bottom"):
        _position_picker(run, "query", "Query (row)", rows, place.query, every="every row")
        _position_picker(run, "key", "Key (column)", attention.key_tokens, place.key)
        cell = _cell(place, place.query, place.key)
        st.button(
            "Allow" if cell in change.masked else "Forbid",
            key="change_toggle_cell",
            icon=":material/grid_off:",
            on_click=_toggle_cell,
            args=(run, change, cell),
        )
    export_menu(
        figure,
        key="change_matrix_export",
        name=f"{who}: {run.translation.src.text}",
        numbers=lambda: figure.tables["cells"].drop(columns="click"),
    )


def _attention_under(run: Run, kind: AttentionKind, reading: Reading | None) -> AttentionMap:
    record = run.translation.attention if reading is None else reading.record
    return record.of(kind)


def _own_mask(run: Run, change: Intervention, kind: AttentionKind) -> np.ndarray:
    """Where the model itself may look under the change, (T_q, T_k)."""
    attention = run.translation.attention.of(kind)
    if kind == "decoder" and not change.causal:
        return np.ones(attention.weights.shape[2:], bool)
    return seen_cells(attention, 0, 0)


def forbidden_in(change: Intervention, place: Place, shape: Sequence[int]) -> np.ndarray:
    """Cells that all chosen heads are forbidden, (T_q, T_k)."""
    return forbidden_by(change, place.kind, shape)[place.heads].all(axis=(0, 1))


def _cell(place: Place, query: int | None, key: int) -> MaskedCell:
    return MaskedCell(place.kind, place.layer, place.head, query, key)


def take_matrix_click(run: Run, place: Place) -> None:
    """A click on a cell forbids it or allows it again."""
    at = clicked(MATRIX, SELECTION_NAME)
    if not at or not isinstance(at.get("q"), int) or not isinstance(at.get("k"), int):
        return
    shape = shape_of(run, place.kind)
    if not (0 <= at["q"] < shape[2] and 0 <= at["k"] < shape[3]):
        return
    change, cell = current_change(run), _cell(place, at["q"], at["k"])
    _set_place(run, query=at["q"], key=at["k"])
    _toggle_cell(run, change, cell)


def _toggle_cell(run: Run, change: Intervention, cell: MaskedCell) -> None:
    if cell in change.masked:
        others = tuple(each for each in change.masked if each != cell)
        set_change(run, replace(change, masked=others))
        return
    shape = shape_of(run, cell.kind)
    place = Place(cell.kind, cell.layer, cell.head, cell.query, cell.key)
    rows = slice(None) if cell.query is None else slice(cell.query, cell.query + 1)
    if forbidden_in(change, place, shape)[rows, cell.key].all():
        st.session_state["change_note"] = (
            "Another change forbids that cell already; take that one out of the list."
        )
    elif not _own_mask(run, change, cell.kind)[rows, cell.key].any():
        st.session_state["change_note"] = "The causal mask forbids that cell already."
    else:
        set_change(run, change | Intervention(masked=(cell,)))


# Heads


def heads_panel(run: Run, change: Intervention, place: Place, reading: Reading | None) -> None:
    kind = place.kind
    shape = shape_of(run, kind)
    how = ablations_of(change, kind, shape)
    with st.container(horizontal=True, wrap=True, vertical_alignment="bottom"):
        _kind_picker(run, place)
    means = has_means(run)
    options = [name for name in HOW_WORDS if name != "mean" or means]
    used = [name for name in how.ravel() if name in options]
    if used:
        st.session_state["change_how"] = used[0]
    st.radio(
        "How a head is switched off",
        options,
        key="change_how",
        horizontal=True,
        format_func=HOW_WORDS.get,
        on_change=_take_how,
        args=(run, change, kind),
    )
    if not means:
        st.caption(
            "The mean output of a head is not on offer: this checkpoint stores none. "
            "`python -m training intervene` measures them."
        )
    for layer in range(shape[0]):
        key = f"change_off_{kind}_{layer}"
        st.session_state[key] = [head for head in range(shape[1]) if how[layer, head]]
        st.pills(
            f"Layer {layer + 1}: click the heads to switch off",
            range(shape[1]),
            key=key,
            selection_mode="multi",
            wrap=True,
            format_func=lambda head: str(head + 1),
            on_change=_take_heads,
            args=(run, change, kind, layer),
        )
    with st.container(horizontal=True):
        st.button(
            f"All {shape[0] * shape[1]} off",
            key="change_all_off",
            on_click=_all_heads,
            args=(run, change, kind),
        )
        st.button(
            "All on",
            key="change_all_on",
            disabled=not (how != "").any(),
            on_click=_set_heads,
            args=(run, change, kind, np.full(how.shape, "", dtype=object)),
        )


def _take_heads(run: Run, change: Intervention, kind: AttentionKind, layer: int) -> None:
    how = ablations_of(change, kind, shape_of(run, kind))
    chosen = st.session_state[f"change_off_{kind}_{layer}"]
    wanted = st.session_state.get("change_how", "zero")
    for head in range(how.shape[1]):
        how[layer, head] = (how[layer, head] or wanted) if head in chosen else ""
    _set_heads(run, change, kind, how)


def _take_how(run: Run, change: Intervention, kind: AttentionKind) -> None:
    how = ablations_of(change, kind, shape_of(run, kind))
    how[how != ""] = st.session_state["change_how"]
    _set_heads(run, change, kind, how)


def _all_heads(run: Run, change: Intervention, kind: AttentionKind) -> None:
    how = np.full(shape_of(run, kind)[:2], "", dtype=object)
    how[:] = st.session_state.get("change_how", "zero")
    _set_heads(run, change, kind, how)


def _set_heads(run: Run, change: Intervention, kind: AttentionKind, how: np.ndarray) -> None:
    others = tuple(entry for entry in change.ablated if entry.kind != kind)
    set_change(run, replace(change, ablated=others + shortest_ablations(kind, how)))


def shortest_ablations(kind: AttentionKind, how: np.ndarray) -> tuple[AblatedHead, ...]:
    """Entries for an (L, H) array of `ablations_of`, with whole layers and kinds as one entry."""
    if how.size and how[0, 0] and (how == how[0, 0]).all():
        return (AblatedHead(kind, how=how[0, 0]),)
    found = []
    for layer, heads in enumerate(how):
        if heads[0] and (heads == heads[0]).all():
            found.append(AblatedHead(kind, layer, how=heads[0]))
        else:
            found += [AblatedHead(kind, layer, h, name) for h, name in enumerate(heads) if name]
    return tuple(found)


# A row


def row_panel(run: Run, change: Intervention, place: Place, reading: Reading | None) -> None:
    head_pickers(run, place)
    query = place.query or 0
    attention = run.translation.attention.of(place.kind)
    rows = row_names(attention)
    _position_picker(run, "query", "Query (row)", rows, query)
    given = given_row(change, place, query)
    without = _with_row(change, place, query, None)
    n_keys, allowed = _keys_of(run, change, place, query)
    computed = _computed_row(run, without, place, query, n_keys)
    if not allowed.any():
        st.info("This row has nothing left to look at, so there is nothing to give.")
        return
    shown = (np.zeros(n_keys), computed)[given is None].copy()
    if given is not None:
        shown[: len(given.weights)] = given.weights[:n_keys]
    labels = distinct_labels(attention.key_tokens)[:n_keys]
    identity = fingerprint_of(
        {"view": list(map(str, run.identity)), "place": str(_cell(place, query, 0))}
    )
    numbers = st.session_state.setdefault("change_row_numbers", {})
    who = place_words(place.kind, place.layer, place.head)
    st.markdown(
        f"Row {query + 1} “{plain(distinct_labels(rows)[query])}” of {who}, "
        + ("**by hand**" if given is not None else "as computed")
        + ". Drag a bar; the others share what is left."
    )
    take = partial(_take_row, run, change, place, query, identity, tuple(map(bool, allowed)))
    draggable_row(
        labels,
        shown,
        computed=computed,
        allowed=allowed,
        key="change_row",
        identity=identity,
        answered=numbers.get(identity, 0),
        colour=palette_of(place.kind, dark=is_dark()).accent,
        on_row=take,
    )
    several = " The mean of the heads stands for the row as computed." if None in (
        place.layer, place.head,
    ) else ""  # fmt: skip
    st.caption(f"The dotted line on a bar is the weight as computed.{several}")
    typed_row(run, change, place, query, identity, shown, allowed)


def given_row(change: Intervention, place: Place, query: int) -> OverriddenRow | None:
    wanted = place.kind, place.layer, place.head, query
    for row in change.overridden:
        if (row.kind, row.layer, row.head, row.query) == wanted:
            return row
    return None


def _with_row(
    change: Intervention, place: Place, query: int, weights: Sequence[float] | None
) -> Intervention:
    """`change` with the row given, or as computed when `weights` is None."""
    old = given_row(change, place, query)
    others = tuple(row for row in change.overridden if row != old)
    if weights is not None:
        new = OverriddenRow(place.kind, place.layer, place.head, query, tuple(weights))
        others += (new,)
    return replace(change, overridden=others)


def _keys_of(run: Run, change: Intervention, place: Place, query: int) -> tuple[int, np.ndarray]:
    """How many keys the row has, and which of them it may look at, bool (n_keys,)."""
    shape = shape_of(run, place.kind)
    n_keys = query + 1 if place.kind == "decoder" and change.causal else shape[3]
    forbidden = forbidden_by(change, place.kind, shape)[place.heads][:, :, query, :n_keys]
    return n_keys, ~forbidden.any(axis=(0, 1))


def _computed_row(
    run: Run, without: Intervention, place: Place, query: int, n_keys: int
) -> np.ndarray:
    """The row as the model computes it under the other changes, mean of the chosen heads."""
    try:
        record, _ = read_again(run, without)
    except InterventionError:
        record = run.translation.attention
    row = record.of(place.kind).weights[place.heads][:, :, query, :n_keys].mean(axis=(0, 1))
    return np.asarray(rounded(row))


def _take_row(
    run: Run,
    change: Intervention,
    place: Place,
    query: int,
    identity: str,
    allowed: Sequence[bool],
) -> None:
    row = read_row((st.session_state.get("change_row") or {}).get("row"), identity, allowed)
    if row is None:
        return
    st.session_state["change_row_numbers"][identity] = row.number
    st.session_state.pop("change_row_fault", None)
    set_change(run, _with_row(change, place, query, row.weights))


def typed_row(
    run: Run,
    change: Intervention,
    place: Place,
    query: int,
    identity: str,
    shown: np.ndarray,
    allowed: np.ndarray,
) -> None:
    """The row as numbers to type; what is wrong with them is said below and stays in the box."""
    fault = st.session_state.get("change_row_fault")
    fault = fault if fault and fault[0] == identity else None
    text = fault[1] if fault else " ".join(f"{round(weight, 4):g}" for weight in shown)
    st.session_state["change_row_text"] = text
    st.text_input(
        f"The {len(shown)} weights as numbers, first key first",
        key="change_row_text",
        on_change=_take_typed,
        args=(run, change, place, query, identity, tuple(map(bool, allowed))),
    )
    if fault:
        st.error(plain(fault[2], 600), icon=":material/error:")


def _take_typed(
    run: Run,
    change: Intervention,
    place: Place,
    query: int,
    identity: str,
    allowed: Sequence[bool],
) -> None:
    text = st.session_state["change_row_text"]
    labels = distinct_labels(run.translation.attention.of(place.kind).key_tokens)
    try:
        weights = read_weights(text, labels[: len(allowed)], allowed)
        changed = _with_row(change, place, query, weights)
    except ValueError as error:
        sentence = str(error)
        sentence = sentence[:1].upper() + sentence[1:].removesuffix(".") + "."
        st.session_state["change_row_fault"] = identity, text, sentence
        return
    st.session_state.pop("change_row_fault", None)
    set_change(run, changed)


def read_weights(text: str, labels: Sequence[str], allowed: Sequence[bool]) -> tuple[float, ...]:
    """Numbers typed by hand: one for each key, apart by blanks, commas or semicolons.

    Where no point occurs and blanks stand between the numbers, a comma within one is decimal.

    Raises
    ------
    ValueError : a word is no number, there are too many or too few, or one is for a key at which
        the row may not look.
    """
    decimal = "." not in text and re.fullmatch(r"\s*\d+(,\d+)?([\s;]+\d+(,\d+)?)+\s*", text)
    words = re.split(r"[\s;]+" if decimal else r"[\s;,]+", text.strip(" \t\n;,"))
    words = [word for word in words if word]
    weights = []
    for word in words:
        try:
            weights.append(float(word.replace(",", ".")))
        except ValueError:
            raise ValueError(f"“{word[:40]}” is no number") from None
    if len(weights) != len(labels):
        raise ValueError(
            f"found {len(weights)} number{'' if len(weights) == 1 else 's'}, expected one for each "
            f"of the {len(labels)} keys of this row"
        )
    for weight, label, may in zip(weights, labels, allowed, strict=True):
        if weight and not may and math.isfinite(weight):
            raise ValueError(f"the row may not look at “{label}”, so its weight must be 0")
    return tuple(weights)


# Positions


def positions_panel(run: Run, change: Intervention, place: Place, reading: Reading | None) -> None:
    for side in ("source", "target"):
        positions: Positions = getattr(change, f"{side}_positions")
        prefix = f"change_{side}"
        take = partial(_take_positions, run, change, side)
        with st.container(horizontal=True, wrap=True, vertical_alignment="bottom"):
            st.session_state[f"{prefix}_mode"] = positions.mode
            st.selectbox(
                f"Positions of the {side}",
                POSITION_MODES,
                key=f"{prefix}_mode",
                filter_mode=None,
                width=180,
                format_func=MODE_WORDS.get,
                on_change=take,
            )
            if positions.mode == "shifted":
                _whole_number(f"{prefix}_offset", "by", positions.offset, MOST_OFFSET, take)
            if positions.mode == "permuted":
                _whole_number(f"{prefix}_seed", "seed", positions.seed, MOST_SEED, take)
    st.caption(
        "Tokens stay where they are; only the encoding that is added to them changes. "
        f"Of the target, the {len(run.translation.tgt)} positions of the original output are "
        "shuffled or reversed."
    )


def _whole_number(key: str, title: str, value: int, most: int, take: Callable[[], None]) -> None:
    st.session_state[key] = min(value, most)
    st.number_input(title, 0, most, key=key, width=130, on_change=take)


def _take_positions(run: Run, change: Intervention, side: str) -> None:
    state, prefix = st.session_state, f"change_{side}"
    old: Positions = getattr(change, f"{side}_positions")
    mode = state[f"{prefix}_mode"]
    span = len(run.translation.tgt) if side == "target" else None
    positions = Positions(
        mode,
        offset=state.get(f"{prefix}_offset", old.offset or 3),
        seed=state.get(f"{prefix}_seed", old.seed),
        span=span,
    )
    set_change(run, replace(change, **{f"{side}_positions": positions}))


TOOL_PANELS = {
    "tokens": tokens_panel,
    "cells": cells_panel,
    "heads": heads_panel,
    "row": row_panel,
    "positions": positions_panel,
}
