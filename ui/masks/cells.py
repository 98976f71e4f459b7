"""Editors of attention weights for one or several heads: masked cells, a row by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial

import numpy as np
import streamlit as st

from core.card import fingerprint_of
from core.interventions.base import ChangeError
from core.interventions.draft import forbidden_by, open_slices, read_weights
from core.interventions.intervention import Intervention
from core.interventions.kinds import MaskedCell, OverriddenRow
from core.tokens import distinct_labels, numbered_labels
from model.errors import InterventionError
from ui.components.row import draggable_row, read_row, rounded
from ui.effect import ForcedReading, read_again, row_names, site_menu
from ui.focus import head_of_link, link_of
from ui.kit.blocks import EVERY, head_picker, picture
from ui.kit.controls import button, choice, click_count, clicked
from ui.kit.layout import caption, control_row, note, paragraph
from ui.masks.built import current_change, names_of, set_change
from ui.state import Run
from ui.words import has_single_head, plain, say
from viz.effect import SELECTION_NAME, weight_matrix
from viz.theme import palette_of

MATRIX = "change_matrix"  # key of the figure


@dataclass(frozen=True)
class Place:
    """Head and cell that the editors work on; None stands for all."""

    kind: str  # name of a site
    layer: int | None
    head: int | None
    query: int | None
    key: int

    @property
    def heads(self) -> tuple[slice, ...]:
        """Slices of the chosen layers and heads in an (L, H, ...) array."""
        return open_slices(self.layer, self.head)

    @property
    def cell(self) -> MaskedCell:
        return MaskedCell(self.kind, self.layer, self.head, self.query, self.key)


def chosen_place(run: Run) -> Place:
    """Return the choice of the menus as they were drawn last."""
    state, first = st.session_state, {"kind": run.record.kinds[0]}
    # The fields of `Place` are named like the menus, ``change_<field>``.
    parts = (state.get(f"change_{field.name}", first.get(field.name, 0)) for field in fields(Place))
    return Place(*(None if part == EVERY else part for part in parts))


def site_picker(run: Run) -> str:
    return site_menu("change", run.record.kinds, default=_first(run), of=run.card.fingerprint)


def _first(run: Run) -> str:
    return run.record.between("target", "source") or run.record.kinds[0]


def _head_pickers(run: Run) -> str:
    """Draw the menus of site, layer and head, initially of the pronoun and its noun.

    Nothing is drawn for a model with a single head.
    """
    if has_single_head():
        return run.record.kinds[0]
    across, best = run.record.of(_first(run)), (0, 0)
    link = link_of(run, across)
    if link is not None and link.columns:
        best = head_of_link(across, link)
    with control_row():
        shape = run.record.of(kind := site_picker(run)).weights.shape[:2]
        # This site may have fewer layers or heads than that of the pronoun.
        how = {"default": tuple(map(min, best, (n - 1 for n in shape))), "of": run.card.fingerprint}
        head_picker("change", *shape, every=True, **how)
    return kind


def _position_picker(run: Run, kind: str, name: str, *, every: bool = False) -> int:
    attention = run.record.of(kind)
    link = link_of(run, attention)
    tokens, told = (
        (row_names(attention), link and link.rows)
        if name == "query"
        else (attention.key_tokens, link and link.columns)
    )
    labels = numbered_labels(tokens)
    return choice(
        f"change_{name}",
        range(EVERY if every else 0, len(labels)),
        style="select",
        default=told[0] if told else 0,
        text=lambda i: say("masks-change-every-row") if i == EVERY else labels[i],
        of=(run.identity, kind),
        address=False,
        width=150,
    )


# Cells that a query may not attend to.


def show_cells(run: Run, change: Intervention, reading: ForcedReading | None) -> Place:
    _head_pickers(run)
    place = chosen_place(run)
    attention = (reading or run).record.of(place.kind)
    rows, keys = row_names(attention), attention.key_tokens
    forbidden, own = _forbidden_in(run, change, place), _own_mask(run, change, place.kind)
    one_head = None not in (place.layer, place.head)
    figure = weight_matrix(
        attention.weights[place.heads].mean(axis=(0, 1)),
        rows,
        keys,
        kind=place.kind,
        # Hatched cells count as visible here, or they could not be told from the causal mask.
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
        heads=_heads_words(run, place),
        rows=len(rows),
        columns=len(keys),
    )
    if said := st.session_state.pop("change_note", ""):
        note(said, "info")
    with control_row():
        _position_picker(run, place.kind, "query", every=True)
        _position_picker(run, place.kind, "key")
        place = chosen_place(run)
        words = "masks-change-allow" if place.cell in change.masked else "masks-change-forbid"
        button("change_toggle_cell", _toggle_cell, run, words=words, icon="grid_off")
    return place


def _heads_words(run: Run, place: Place) -> str:
    return say(names_of(run).heads(place.kind, place.layer, place.head))


def _own_mask(run: Run, change: Intervention, kind: str) -> np.ndarray:
    """Return the model's own mask under the change, bool (T_q, T_k), True where it may attend."""
    attention = run.record.of(kind)
    if attention.site.causal and not change.causal:
        return np.ones(attention.weights.shape[2:], bool)
    return attention.mask_of(0, 0)


def _forbidden_in(run: Run, change: Intervention, place: Place) -> np.ndarray:
    """Return the cells masked in all chosen heads, bool (T_q, T_k)."""
    attention = run.record.of(place.kind)
    forbidden = forbidden_by(change, attention.site, attention.weights.shape)
    return forbidden[place.heads].all(axis=(0, 1))


def take_click(run: Run) -> bool:
    """Toggle the mask of the clicked cell; return True if one was clicked."""
    at, kind = clicked(MATRIX, SELECTION_NAME), chosen_place(run).kind
    # Compared with every cell: the click comes from the browser and may name anything.
    for query, key in np.ndindex(run.record.of(kind).weights.shape[2:]):
        if (query, key) == (at.get("q"), at.get("k")):
            st.session_state.update(change_query=query, change_key=key)
            _toggle_cell(run)
            return True
    return False


def _toggle_cell(run: Run) -> None:
    change, place = current_change(run), chosen_place(run)
    if place.cell in change.masked:
        set_change(run, change.without(place.cell))
        return
    rows = *open_slices(place.query), place.key
    # A new mask over masked cells would add an entry without effect.
    if _forbidden_in(run, change, place)[rows].all():
        st.session_state["change_note"] = "masks-change-forbidden-already"
    elif not _own_mask(run, change, place.kind)[rows].any():
        st.session_state["change_note"] = "masks-change-causal-already"
    else:
        set_change(run, change | Intervention(place.cell))


# A row of weights, by dragging bars or by typing numbers.


def show_row(run: Run, change: Intervention, _: ForcedReading | None) -> Place:
    query = _position_picker(run, _head_pickers(run), "query")
    place = chosen_place(run)
    attention = run.record.of(place.kind)
    site, shape, rows = attention.site, attention.weights.shape, row_names(attention)
    where = place.kind, place.layer, place.head, query
    given = _given(change, where)
    # A causal row has no weights after its own position.
    n_keys = query + 1 if site.causal and change.causal else shape[3]
    forbidden = forbidden_by(change, site, shape)[place.heads][:, :, query, :n_keys]
    allowed = tuple(map(bool, ~forbidden.any(axis=(0, 1))))
    if not any(allowed):
        note("masks-change-row-empty", "info")
        return place
    # The computed row is that without the override, but with all other changes.
    shown = computed = _computed_row(run, change.without(*given), place, query, n_keys)
    # At most one: the override of this very place.
    for row in given:
        shown = np.zeros(n_keys)
        shown[: len(row.weights)] = row.weights[:n_keys]
    cell = str(replace(place, query=query, key=0).cell)
    # The component resets when row or sentence change.
    identity = fingerprint_of({"view": list(map(str, run.identity)), "place": cell})
    give = partial(_give, run, where)
    labels = distinct_labels(attention.key_tokens)[:n_keys]
    paragraph(
        "masks-change-row",
        given=bool(given),
        row=query + 1,
        token=plain(distinct_labels(rows)[query]),
        heads=_heads_words(run, place),
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
    # Faulty numbers stay in the box, with the error below them.
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
    return place


def _computed_row(
    run: Run, without: Intervention, place: Place, query: int, n_keys: int
) -> np.ndarray:
    try:
        record, _ = read_again(run, without)
    # Another part of the draft cannot be applied; the plain row is still a useful mark.
    except InterventionError:
        record = run.record
    row = record.of(place.kind).weights[place.heads][:, :, query, :n_keys].mean(axis=(0, 1))
    return np.asarray(rounded(row))


def _given(change: Intervention, where: tuple) -> tuple[OverriddenRow, ...]:
    rows = change.overridden
    return tuple(row for row in rows if (row.kind, row.layer, row.head, row.query) == where)


def _give(run: Run, where: tuple, weights: Sequence[float] | None) -> None:
    change = current_change(run)
    rows = [] if weights is None else [OverriddenRow(*where, tuple(weights))]
    st.session_state.pop("change_row_fault", None)
    set_change(run, change.without(*_given(change, where)) | Intervention(*rows))


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
    except ChangeError as error:
        sentence = say(error.message)
        # The message is written to follow a colon; alone it needs a capital and a full stop.
        fault = sentence[:1].upper() + sentence[1:].removesuffix(".") + "."
        st.session_state["change_row_fault"] = identity, text, fault
