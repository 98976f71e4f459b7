"""Where the tools work: a site, a head or several, and a cell; and the menus for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from analysis.labels import numbered_labels
from analysis.measures import pair_weights, strongest_head
from ui.effect.attention import site_menu
from ui.focus import link_of
from ui.kit.blocks import EVERY, head_picker
from ui.kit.controls import choice
from ui.kit.layout import control_row
from ui.masks.built import is_single, open_slices, shape_of
from ui.masks.choices import site_between
from ui.state import Run
from ui.words import say


@dataclass(frozen=True)
class Place:
    """The head, or heads, and the cell that the tools work on; None stands for all.

    `kind` is the name of a site.
    """

    kind: str
    layer: int | None
    head: int | None
    query: int | None
    key: int

    @property
    def heads(self) -> tuple[slice, ...]:
        """The chosen layers and heads of an (L, H, ...) array."""
        return open_slices(self.layer, self.head)


def current_place(run: Run) -> Place:
    """The head and the cell that were chosen, or those of the pronoun and its noun."""
    identity, place = st.session_state.get("change_place", (None, None))
    if identity == run.identity:
        return place
    same_model = identity is not None and identity[0] == run.identity[0]
    cell = _telling_cell(run, place.kind) if same_model else {}
    place = replace(place, **cell) if same_model else _opening_place(run)
    st.session_state["change_place"] = run.identity, place
    return place


def _opening_place(run: Run) -> Place:
    site = site_between(run, "target", "source") or run.record.kinds[0]
    layer, head = 0, 0
    attention = run.record.of(site)
    link = link_of(run, attention)
    if link is not None and link.columns:
        layer, head = strongest_head(pair_weights(attention, link.rows, link.columns))
    return Place(site, layer, head, **_telling_cell(run, site))


def _telling_cell(run: Run, kind: str) -> dict[str, int]:
    link = link_of(run, run.record.of(kind))
    if link is None:
        return {"query": 0, "key": 0}
    return {"query": link.rows[0], "key": link.columns[0] if link.columns else 0}


def set_place(run: Run, **changes: object) -> None:
    place = replace(current_place(run), **changes)
    st.session_state["change_place"] = run.identity, place


def head_pickers(run: Run, place: Place) -> None:
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
    """A menu of the sites, where there are several."""
    take = {"on_change": _take_site, "args": (run,)}
    site_menu("change", run.record.kinds, shown=place.kind, **take)


def position_picker(
    run: Run, name: str, tokens: Sequence[str], value: int | None, *, every: bool = False
) -> None:
    """A menu for the query or the key, `name`, with every one of them where that is offered."""
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
    set_place(run, kind=kind, layer=layer, head=head, **_telling_cell(run, kind))


def _take_place(run: Run, name: str) -> None:
    value = st.session_state[f"change_{name}"]
    set_place(run, **{name: None if value == EVERY else value})
