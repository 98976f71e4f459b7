"""Cells of one head, or of several, that a query may not look at."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from records import Intervention, MaskedCell
from ui.effect.attention import row_names
from ui.effect.reading import Reading
from ui.focus import click_count, clicked
from ui.kit.blocks import picture
from ui.kit.controls import button
from ui.kit.layout import control_row
from ui.masks.built import (
    current_change,
    forbidden_by,
    open_slices,
    place_words,
    set_change,
    shape_of,
)
from ui.state import Run
from ui.words import say
from viz.effect import SELECTION_NAME, weight_matrix

from .place import Place, head_pickers, position_picker, set_place

MATRIX = "change_matrix"  # key of the figure


def show(run: Run, change: Intervention, place: Place, reading: Reading | None) -> None:
    head_pickers(run, place)
    record = run.record if reading is None else reading.record
    attention = record.of(place.kind)
    rows, keys = row_names(attention), attention.key_tokens
    forbidden = forbidden_in(run, change, place, attention.weights.shape)
    own = own_mask(run, change, place.kind)
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
        text=run.translation.src.text,
    )
    if note := st.session_state.pop("change_note", ""):
        st.info(say(note), icon=":material/info:")
    with control_row():
        position_picker(run, "query", rows, place.query, every=True)
        position_picker(run, "key", keys, place.key)
        cell = cell_of(place, place.query, place.key)
        words = "masks-change-allow" if cell in change.masked else "masks-change-forbid"
        toggled = run, change, cell
        button("change_toggle_cell", _toggle_cell, *toggled, words=words, icon="grid_off")


def own_mask(run: Run, change: Intervention, kind: str) -> np.ndarray:
    """Where the model itself may look under the change, (T_q, T_k)."""
    attention = run.record.of(kind)
    if attention.site.causal and not change.causal:
        return np.ones(attention.weights.shape[2:], bool)
    return attention.mask_of(0, 0)


def forbidden_in(run: Run, change: Intervention, place: Place, shape: Sequence[int]) -> np.ndarray:
    """Cells that all chosen heads are forbidden, (T_q, T_k)."""
    site = run.record.of(place.kind).site
    return forbidden_by(change, site, shape)[place.heads].all(axis=(0, 1))


def cell_of(place: Place, query: int | None, key: int) -> MaskedCell:
    return MaskedCell(place.kind, place.layer, place.head, query, key)


def take_click(run: Run, place: Place) -> None:
    """A click on a cell forbids it or allows it again."""
    at = clicked(MATRIX, SELECTION_NAME)
    if not at or not isinstance(at.get("q"), int) or not isinstance(at.get("k"), int):
        return
    shape = shape_of(run, place.kind)
    if not (0 <= at["q"] < shape[2] and 0 <= at["k"] < shape[3]):
        return
    set_place(run, query=at["q"], key=at["k"])
    _toggle_cell(run, current_change(run), cell_of(place, at["q"], at["k"]))


def _toggle_cell(run: Run, change: Intervention, cell: MaskedCell) -> None:
    if cell in change.masked:
        set_change(run, change.without(cell))
        return
    place = Place(cell.kind, cell.layer, cell.head, cell.query, cell.key)
    rows = *open_slices(cell.query), cell.key
    if forbidden_in(run, change, place, shape_of(run, cell.kind))[rows].all():
        st.session_state["change_note"] = "masks-change-forbidden-already"
    elif not own_mask(run, change, cell.kind)[rows].any():
        st.session_state["change_note"] = "masks-change-causal-already"
    else:
        set_change(run, change | Intervention(cell))
