"""Editors of attention weights for one or several heads: masked cells, a row by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from core.card import fingerprint_of
from core.interventions.base import ChangeError
from core.interventions.draft import forbidden_by, open_slices, read_weights
from core.interventions.intervention import Intervention
from core.interventions.kinds import MaskedCell, OverriddenRow
from core.records.tokens import distinct_labels, numbered_labels
from model.errors import InterventionError
from ui.components import browser_sent
from ui.components.row import draggable_row, read_row, rounded
from ui.frame.choices import choose
from ui.frame.messages import has_single_head, plain, say
from ui.frame.run import Run
from ui.kit.blocks import picture
from ui.kit.clicks import click_count, clicked
from ui.kit.controls import button, choice
from ui.kit.focus import head_of_link, link_of
from ui.kit.forced_reading import ForcedReading, teacher_force
from ui.kit.head_menus import EVERY, head_picker, site_menu
from ui.kit.layout import caption, control_row, note, paragraph
from ui.pages.masks.draft import current_change, names_of, set_change
from viz.effect import weight_matrix
from viz.matrix import SELECTION_NAME
from viz.theme import palette_of

MATRIX = "change_matrix"  # key of the figure


@dataclass(frozen=True)
class CellSelection:
    """Head and cell that the editors work on; None stands for all."""

    site_id: str
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
        return MaskedCell(self.site_id, self.layer, self.head, self.query, self.key)


def selected_cell(run: Run) -> CellSelection:
    """Return the choice of the menus as they were drawn last."""
    state = st.session_state

    def index(menu: str) -> int | None:
        value = state.get(f"change_{menu}", 0)
        return None if value == EVERY else value

    return CellSelection(
        site_id=state.get("change_kind", run.record.site_ids[0]),
        layer=index("layer"),
        head=index("head"),
        query=index("query"),
        key=state.get("change_key", 0),
    )


def site_picker(run: Run) -> str:
    return site_menu("change", run.record.site_ids, default=_first(run), of=run.card.fingerprint)


def _first(run: Run) -> str:
    return run.record.between("target", "source") or run.record.site_ids[0]


def _head_pickers(run: Run) -> str:
    """Draw the menus of site, layer and head, initially of the pronoun and its noun.

    Nothing is drawn for a model with a single head.
    """
    if has_single_head():
        return run.record.site_ids[0]
    across = run.record.of(_first(run))
    best = (0, 0)
    link = link_of(run, across)
    if link is not None and link.columns:
        best = head_of_link(across, link)
    with control_row():
        site_id = site_picker(run)
        attention = run.record.of(site_id)
        layer, head = best
        head_picker(
            "change",
            attention.n_layers,
            attention.n_heads,
            every=True,
            # This site may have fewer layers or heads than that of the pronoun.
            default=(min(layer, attention.n_layers - 1), min(head, attention.n_heads - 1)),
            of=run.card.fingerprint,
        )
    return site_id


def _position_picker(run: Run, site_id: str, name: str, *, every: bool = False) -> int:
    attention = run.record.of(site_id)
    link = link_of(run, attention)
    if name == "query":
        tokens = attention.row_tokens
        linked = link.rows if link else ()
    else:
        tokens = attention.key_tokens
        linked = link.columns if link else ()
    labels = numbered_labels(tokens)
    return choice(
        f"change_{name}",
        range(EVERY if every else 0, len(labels)),
        style="select",
        default=linked[0] if linked else 0,
        text=lambda i: say("masks-change-every-row") if i == EVERY else labels[i],
        of=(run.identity, site_id),
        address=False,
        width=150,
    )


# Cells that a query may not attend to.


def show_cells(run: Run, change: Intervention, reading: ForcedReading | None) -> CellSelection:
    site_id = _head_pickers(run)
    with control_row():
        _position_picker(run, site_id, "query", every=True)
        _position_picker(run, site_id, "key")
        cell = selected_cell(run).cell
        words = "masks-change-allow" if cell in change.masked else "masks-change-forbid"
        button("change_toggle_cell", _toggle_cell, run, words=words, icon="grid_off")
    selection = selected_cell(run)
    attention = (reading or run).record.of(selection.site_id)
    rows = attention.row_tokens
    keys = attention.key_tokens
    forbidden = _forbidden_in(run, change, selection)
    model_mask = _model_mask(run, change, selection.site_id)
    one_head = None not in (selection.layer, selection.head)
    figure = weight_matrix(
        attention.weights[selection.heads].mean(axis=(0, 1)),
        rows,
        keys,
        site=selection.site_id,
        # Hatched cells count as visible here, or they could not be told from the causal mask.
        seen=model_mask | forbidden,
        hatched=forbidden & model_mask,
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
        heads=_heads_words(run, selection),
        rows=len(rows),
        columns=len(keys),
    )
    if message_id := st.session_state.pop("change_note", ""):
        note(message_id, "info")
    return selection


def _heads_words(run: Run, selection: CellSelection) -> str:
    return say(names_of(run).heads(selection.site_id, selection.layer, selection.head))


def _model_mask(run: Run, change: Intervention, site_id: str) -> np.ndarray:
    """Return the model's own mask under the change, bool (T_q, T_k), True where it may attend."""
    attention = run.record.of(site_id)
    if attention.site.causal and not change.causal:
        return np.ones(attention.weights.shape[2:], bool)
    return attention.mask_of(0, 0)


def _forbidden_in(run: Run, change: Intervention, selection: CellSelection) -> np.ndarray:
    """Return the cells masked in all chosen heads, bool (T_q, T_k)."""
    attention = run.record.of(selection.site_id)
    forbidden = forbidden_by(change, attention.site, attention.weights.shape)
    return forbidden[selection.heads].all(axis=(0, 1))


def take_click(run: Run) -> bool:
    """Toggle the mask of the clicked cell; return True if one was clicked."""
    cell = clicked(MATRIX, SELECTION_NAME)
    attention = run.record.of(selected_cell(run).site_id)
    # Compared with every cell: the click comes from the browser and may name anything.
    for query, key in np.ndindex(attention.weights.shape[2:]):
        if (query, key) == (cell.get("q"), cell.get("k")):
            choose({"change_query": query, "change_key": key})
            _toggle_cell(run)
            return True
    return False


def _toggle_cell(run: Run) -> None:
    change = current_change(run)
    selection = selected_cell(run)
    if selection.cell in change.masked:
        set_change(run, change.without(selection.cell))
        return
    cells = (*open_slices(selection.query), selection.key)
    # A new mask over masked cells would add an entry without effect.
    if _forbidden_in(run, change, selection)[cells].all():
        st.session_state["change_note"] = "masks-change-forbidden-already"
    elif not _model_mask(run, change, selection.site_id)[cells].any():
        st.session_state["change_note"] = "masks-change-causal-already"
    else:
        set_change(run, change | Intervention(selection.cell))


# A row of weights, by dragging bars or by typing numbers.


@dataclass(frozen=True, eq=False)
class EditedRow:
    """One row of weights of the selected heads, as the editor shows it."""

    identity: str  # fingerprint of sentence and row; another one resets the editor
    weights: np.ndarray  # of the override, or else as computed
    computed: np.ndarray  # without the override, but with all other changes
    overridden: bool
    labels: tuple[str, ...]  # of the keys
    allowed: tuple[bool, ...]  # keys that no change forbids


def show_row(run: Run, change: Intervention, _: ForcedReading | None) -> CellSelection:
    query = _position_picker(run, _head_pickers(run), "query")
    selection = replace(selected_cell(run), query=query)
    attention = run.record.of(selection.site_id)
    row = _edited_row(run, change, selection)
    if not any(row.allowed):
        note("masks-change-row-empty", "info")
        return selection
    paragraph(
        "masks-change-row",
        given=row.overridden,
        row=query + 1,
        token=plain(distinct_labels(attention.row_tokens)[query]),
        heads=_heads_words(run, selection),
    )
    override = partial(_override, run, selection)
    _numbers_box(row, override)
    draggable_row(
        row.labels,
        row.weights,
        computed=row.computed,
        allowed=row.allowed,
        key="change_row",
        identity=row.identity,
        answered=st.session_state.setdefault("change_row_numbers", {}).get(row.identity, 0),
        colour=palette_of(selection.site_id).accent,
        on_row=partial(_take_dragged, override, row.identity, row.allowed),
    )
    several = None in (selection.layer, selection.head)
    caption("masks-change-row-caption", heads="several" if several else "one")
    if not attention.site.normalised:
        caption("masks-change-row-free")
    return selection


def _edited_row(run: Run, change: Intervention, selection: CellSelection) -> EditedRow:
    attention = run.record.of(selection.site_id)
    site = attention.site
    shape = attention.weights.shape
    query = selection.query
    # A causal row has no weights after its own position.
    n_keys = query + 1 if site.causal and change.causal else shape[3]
    forbidden = forbidden_by(change, site, shape)[selection.heads][:, :, query, :n_keys]
    overrides = _overrides(change, selection)
    computed = _computed_row(run, change.without(*overrides), selection, n_keys)
    weights = computed
    # At most one: the override of this very row.
    for override in overrides:
        weights = np.zeros(n_keys)
        weights[: len(override.weights)] = override.weights[:n_keys]
    cell = str(replace(selection, key=0).cell)
    return EditedRow(
        identity=fingerprint_of({"view": list(map(str, run.identity)), "place": cell}),
        weights=weights,
        computed=computed,
        overridden=bool(overrides),
        labels=distinct_labels(attention.key_tokens)[:n_keys],
        allowed=tuple(map(bool, ~forbidden.any(axis=(0, 1)))),
    )


def _numbers_box(row: EditedRow, override: Callable[..., None]) -> None:
    """Draw the weights of the row as numbers in a text box."""
    # Faulty numbers stay in the box, with the error below them.
    identity, text, fault = st.session_state.get("change_row_fault", ("", "", ""))
    if identity != row.identity:
        text = " ".join(f"{round(weight, 4):g}" for weight in row.weights)
        fault = ""
    st.session_state["change_row_text"] = text
    st.text_input(
        say("masks-change-row-numbers", n=len(row.weights)),
        key="change_row_text",
        on_change=_take_typed,
        args=(override, row.identity, row.labels, row.allowed),
    )
    if fault:
        st.error(plain(fault, 600), icon=":material/error:")


def _computed_row(
    run: Run, without: Intervention, selection: CellSelection, n_keys: int
) -> np.ndarray:
    try:
        record, _ = teacher_force(run, without)
    # Another part of the draft cannot be applied; the plain row is still a useful mark.
    except InterventionError:
        record = run.record
    weights = record.of(selection.site_id).weights[selection.heads]
    return np.asarray(rounded(weights[:, :, selection.query, :n_keys].mean(axis=(0, 1))))


def _overrides(change: Intervention, selection: CellSelection) -> tuple[OverriddenRow, ...]:
    """Return the overrides of the selected row; at most one."""
    selected = (selection.site_id, selection.layer, selection.head, selection.query)
    return tuple(
        row for row in change.overridden if (row.site, row.layer, row.head, row.query) == selected
    )


def _override(run: Run, selection: CellSelection, weights: Sequence[float] | None) -> None:
    """Set the weights of the selected row; None removes the override."""
    change = current_change(run)
    rows = []
    if weights is not None:
        rows.append(
            OverriddenRow(
                selection.site_id,
                selection.layer,
                selection.head,
                selection.query,
                tuple(weights),
            )
        )
    st.session_state.pop("change_row_fault", None)
    set_change(run, change.without(*_overrides(change, selection)) | Intervention(*rows))


def _take_dragged(override: Callable[..., None], identity: str, allowed: Sequence[bool]) -> None:
    sent = browser_sent("change_row", "row")
    row = read_row(sent, identity, allowed)
    if row is not None:
        st.session_state["change_row_numbers"][identity] = row.number
        override(row.weights)


def _take_typed(
    override: Callable[..., None], identity: str, labels: Sequence[str], allowed: Sequence[bool]
) -> None:
    text = st.session_state["change_row_text"]
    try:
        override(read_weights(text, labels, allowed))
    except ChangeError as error:
        sentence = say(error.message)
        # The message is written to follow a colon; alone it needs a capital and a full stop.
        fault = sentence[:1].upper() + sentence[1:].removesuffix(".") + "."
        st.session_state["change_row_fault"] = identity, text, fault
