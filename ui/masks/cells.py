"""Tools that change the weights of one head, or of several: cells forbidden, a row by hand."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from core.card import fingerprint_of
from core.change import ChangeError
from core.changes import MaskedCell, OverriddenRow
from core.intervention import Intervention
from core.tokens import distinct_labels, numbered_labels
from model import InputError, ModelError
from model.errors import InterventionError
from ui.components.row import draggable_row, read_row, rounded
from ui.effect import Reading, read_again, row_names, site_menu
from ui.focus import head_of_link, link_of
from ui.kit.blocks import EVERY, head_picker, picture
from ui.kit.controls import button, choice, click_count, clicked
from ui.kit.layout import caption, control_row, note, paragraph
from ui.masks.built import (
    current_change,
    forbidden_by,
    is_single,
    open_slices,
    place_words,
    set_change,
    shape_of,
)
from ui.masks.choices import site_between
from ui.state import Run
from ui.words import plain, say
from viz.effect import SELECTION_NAME, weight_matrix
from viz.theme import palette_of
from words import Message

MATRIX = "change_matrix"  # key of the figure
MOST_QUOTED = 40


@dataclass(frozen=True)
class Place:
    """The head, or heads, and the cell that the tools work on; None stands for all."""

    kind: str  # the name of a site
    layer: int | None
    head: int | None
    query: int | None
    key: int

    @property
    def heads(self) -> tuple[slice, ...]:
        """The chosen layers and heads of an (L, H, ...) array."""
        return open_slices(self.layer, self.head)

    @property
    def cell(self) -> MaskedCell:
        return MaskedCell(self.kind, self.layer, self.head, self.query, self.key)


def current_place(run: Run) -> Place:
    """The head and the cell that were chosen, or those of the pronoun and its noun."""
    identity, place = st.session_state.get("change_place", (None, None))
    if identity == run.identity:
        return place
    if identity is None or identity[0] != run.identity[0]:
        attention = run.record.of(site_between(run, "target", "source") or run.record.kinds[0])
        link, head = link_of(run, attention), (0, 0)
        if link is not None and link.columns:
            head = head_of_link(attention, link)
        place = Place(attention.kind, *head, 0, 0)
    return _keep_place(run, replace(place, **_telling_cell(run, place.kind)))


def _keep_place(run: Run, place: Place) -> Place:
    st.session_state["change_place"] = run.identity, place
    return place


def _telling_cell(run: Run, kind: str) -> dict[str, int]:
    link = link_of(run, run.record.of(kind))
    if link is None:
        return {"query": 0, "key": 0}
    return {"query": link.rows[0], "key": link.columns[0] if link.columns else 0}


def _head_pickers(run: Run, place: Place) -> None:
    """Site, layer and head, the last two with "all"; nothing where there is nothing to choose."""
    if is_single(run, place.kind):
        return
    with control_row():
        site_picker(run, place)
        head_picker(
            "change",
            *shape_of(run, place.kind)[:2],
            chosen=tuple(EVERY if at is None else at for at in (place.layer, place.head)),
            every=True,
            on_change=_take_place,
            args=(run,),
        )


def site_picker(run: Run, place: Place) -> None:
    take = {"on_change": _take_site, "args": (run,)}
    site_menu("change", run.record.kinds, shown=place.kind, **take)


def _position_picker(
    run: Run, name: str, tokens: Sequence[str], value: int | None, *, every: bool = False
) -> None:
    labels = numbered_labels(tokens)
    choice(
        f"change_{name}",
        range(EVERY if every else 0, len(labels)),
        words=f"masks-change-{name}",
        style="select",
        shown=EVERY if value is None else value,
        text=lambda i: say("masks-change-every-row") if i == EVERY else labels[i],
        filter_mode="fuzzy",
        width=150,
        on_change=_take_place,
        args=(run, name),
    )


def _take_site(run: Run) -> None:
    kind, place = st.session_state["change_kind"], current_place(run)
    n_layers, n_heads, *_ = shape_of(run, kind)
    layer = None if place.layer is None else min(place.layer, n_layers - 1)
    head = None if place.head is None else min(place.head, n_heads - 1)
    _keep_place(run, Place(kind, layer, head, **_telling_cell(run, kind)))


def _take_place(run: Run, name: str) -> None:
    value = st.session_state[f"change_{name}"]
    _keep_place(run, replace(current_place(run), **{name: None if value == EVERY else value}))


# -- cells that a query may not look at -----------------------------------------------------


def show_cells(run: Run, change: Intervention, place: Place, reading: Reading | None) -> None:
    _head_pickers(run, place)
    attention = (reading or run).record.of(place.kind)
    rows, keys = row_names(attention), attention.key_tokens
    forbidden, own = _forbidden_in(run, change, place), _own_mask(run, change, place.kind)
    one_head = None not in (place.layer, place.head)
    figure = weight_matrix(
        attention.weights[place.heads].mean(axis=(0, 1)),
        rows,
        keys,
        kind=place.kind,
        seen=own | forbidden,
        hatched=forbidden & own,
        title="figures-weight" if one_head else "masks-change-mean-weight",
        click=click_count(MATRIX),
    )
    picture(
        "masks-change-matrix",
        figure,
        key=MATRIX,
        clicks=True,
        numbers="cells",
        leave_out=["click"],
        heads=place_words(run, place.kind, place.layer, place.head),
        rows=len(rows),
        columns=len(keys),
        text=run.src.text,
    )
    if said := st.session_state.pop("change_note", ""):
        note(said, "info")
    with control_row():
        _position_picker(run, "query", rows, place.query, every=True)
        _position_picker(run, "key", keys, place.key)
        words = "masks-change-allow" if place.cell in change.masked else "masks-change-forbid"
        toggled = run, change, place
        button("change_toggle_cell", _toggle_cell, *toggled, words=words, icon="grid_off")


def _own_mask(run: Run, change: Intervention, kind: str) -> np.ndarray:
    """Where the model itself may look under the change, (T_q, T_k)."""
    attention = run.record.of(kind)
    if attention.site.causal and not change.causal:
        return np.ones(attention.weights.shape[2:], bool)
    return attention.mask_of(0, 0)


def _forbidden_in(run: Run, change: Intervention, place: Place) -> np.ndarray:
    """Cells that all chosen heads are forbidden, (T_q, T_k)."""
    attention = run.record.of(place.kind)
    forbidden = forbidden_by(change, attention.site, attention.weights.shape)
    return forbidden[place.heads].all(axis=(0, 1))


def take_click(run: Run, place: Place) -> None:
    """A click on a cell forbids it or allows it again."""
    at = clicked(MATRIX, SELECTION_NAME)
    for query, key in np.ndindex(shape_of(run, place.kind)[2:]):
        if (query, key) == (at.get("q"), at.get("k")):
            place = _keep_place(run, replace(place, query=query, key=key))
            _toggle_cell(run, current_change(run), place)


def _toggle_cell(run: Run, change: Intervention, place: Place) -> None:
    if place.cell in change.masked:
        set_change(run, change.without(place.cell))
        return
    rows = *open_slices(place.query), place.key
    if _forbidden_in(run, change, place)[rows].all():
        st.session_state["change_note"] = "masks-change-forbidden-already"
    elif not _own_mask(run, change, place.kind)[rows].any():
        st.session_state["change_note"] = "masks-change-causal-already"
    else:
        set_change(run, change | Intervention(place.cell))


# -- a row of weights, by dragging bars or by typing numbers --------------------------------


def show_row(run: Run, change: Intervention, place: Place, _: Reading | None) -> None:
    _head_pickers(run, place)
    query, attention = place.query or 0, run.record.of(place.kind)
    site, shape, rows = attention.site, attention.weights.shape, row_names(attention)
    _position_picker(run, "query", rows, query)
    where = place.kind, place.layer, place.head, query
    given_rows = (r for r in change.overridden if (r.kind, r.layer, r.head, r.query) == where)
    by_hand = next(given_rows, None)
    others = change if by_hand is None else change.without(by_hand)
    n_keys = query + 1 if site.causal and change.causal else shape[3]
    forbidden = forbidden_by(change, site, shape)[place.heads][:, :, query, :n_keys]
    allowed = tuple(map(bool, ~forbidden.any(axis=(0, 1))))
    if not any(allowed):
        note("masks-change-row-empty", "info")
        return
    shown = computed = _computed_row(run, others, place, query, n_keys)
    if by_hand is not None:
        shown = np.zeros(n_keys)
        shown[: len(by_hand.weights)] = by_hand.weights[:n_keys]
    cell = str(replace(place, query=query, key=0).cell)
    # Changes with the row and the sentence.
    identity = fingerprint_of({"view": list(map(str, run.identity)), "place": cell})
    give = partial(_give, run, others, where)
    labels = distinct_labels(attention.key_tokens)[:n_keys]
    paragraph(
        "masks-change-row",
        given="no" if by_hand is None else "yes",
        row=query + 1,
        token=plain(distinct_labels(rows)[query]),
        heads=place_words(run, place.kind, place.layer, place.head),
    )
    draggable_row(
        labels,
        shown,
        computed=computed,
        allowed=allowed,
        key="change_row",
        identity=identity,
        answered=st.session_state.setdefault("change_row_numbers", {}).get(identity, 0),
        colour=palette_of(place.kind).accent,
        on_row=partial(_take_dragged, give, identity, allowed),
    )
    several = None in (place.layer, place.head)
    caption("masks-change-row-caption", heads="several" if several else "one")
    if not site.normalised:
        caption("masks-change-row-free")
    # What is wrong with the numbers is said below them, and they stay in the box.
    whose, text, fault = st.session_state.get("change_row_fault", ("", "", ""))
    if whose != identity:
        text, fault = " ".join(f"{round(weight, 4):g}" for weight in shown), ""
    st.session_state["change_row_text"] = text
    st.text_input(
        say("masks-change-row-numbers", n=n_keys),
        key="change_row_text",
        on_change=_take_typed,
        args=(give, identity, labels, allowed),
    )
    if fault:
        st.error(plain(fault, 600), icon=":material/error:")


def _computed_row(
    run: Run, without: Intervention, place: Place, query: int, n_keys: int
) -> np.ndarray:
    """The row as the model computes it under the other changes, mean of the chosen heads."""
    try:
        record, _ = read_again(run, without)
    except InterventionError:
        record = run.record
    row = record.of(place.kind).weights[place.heads][:, :, query, :n_keys].mean(axis=(0, 1))
    return np.asarray(rounded(row))


def _give(run: Run, others: Intervention, where: tuple, weights: Sequence[float] | None) -> None:
    """Give the row, or take it back when `weights` is None."""
    rows = [] if weights is None else [OverriddenRow(*where, tuple(weights))]
    changed = others | Intervention(*rows)
    st.session_state.pop("change_row_fault", None)
    set_change(run, changed)


def _take_dragged(give: Callable[..., None], identity: str, allowed: Sequence[bool]) -> None:
    sent = (st.session_state.get("change_row") or {}).get("row")
    row = read_row(sent, identity, allowed)
    if row is not None:
        st.session_state["change_row_numbers"][identity] = row.number
        give(row.weights)


def _take_typed(
    give: Callable[..., None], identity: str, labels: Sequence[str], allowed: Sequence[bool]
) -> None:
    text = st.session_state["change_row_text"]
    try:
        give(read_weights(text, labels, allowed))
    except (ModelError, ChangeError) as error:
        sentence = say(error.message)
        fault = sentence[:1].upper() + sentence[1:].removesuffix(".") + "."
        st.session_state["change_row_fault"] = identity, text, fault


def read_weights(text: str, labels: Sequence[str], allowed: Sequence[bool]) -> tuple[float, ...]:
    """Numbers typed by hand: one for each key, apart by blanks, commas or semicolons.

    Where no point occurs and blanks stand between the numbers, a comma within one is decimal.
    """
    decimal = "." not in text and re.fullmatch(r"\s*\d+(,\d+)?([\s;]+\d+(,\d+)?)+\s*", text)
    words = re.split(r"[\s;]+" if decimal else r"[\s;,]+", text.strip(" \t\n;,"))
    weights = []
    for word in filter(None, words):
        try:
            weights.append(float(word.replace(",", ".")))
        except ValueError:
            message = Message.of("masks-change-row-no-number", text=word[:MOST_QUOTED])
            raise InputError(message) from None
    if len(weights) != len(labels):
        counts = {"found": len(weights), "expected": len(labels)}
        raise InputError(Message.of("masks-change-row-count", **counts))
    for weight, label, may in zip(weights, labels, allowed, strict=True):
        if weight and not may and math.isfinite(weight):
            raise InputError(Message.of("masks-change-row-unseen", token=label))
    return tuple(weights)
