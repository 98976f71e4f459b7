"""View of interventions: change the input or computation of the model, see the new output."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.interventions.base import Change
from core.interventions.draft import ablations_of, notes_on, parts_of, shortest_ablations
from core.interventions.intervention import UNREAD, Intervention, change_text, hide, hiding_places
from core.interventions.kinds import (
    ABLATIONS,
    POSITION_MODES,
    AblatedHead,
    LeftOut,
    LiftedMask,
    NoNorm,
    NoResidual,
    Positions,
)
from core.pronoun import word_at, words_of
from core.records.attention import AttentionSite
from core.records.sources import TokenSequence
from core.records.tokens import distinct_labels
from model.errors import InterventionError
from ui.frame.choices import choose
from ui.frame.messages import as_sentence, has_single_head, named, plain, say
from ui.frame.problems import show_problem
from ui.frame.reasons import offers
from ui.frame.run import Run
from ui.kit.changed_head import show_attention
from ui.kit.controls import button, choice
from ui.kit.decisions import hiding_menu
from ui.kit.effect import show_probabilities
from ui.kit.forced_reading import ForcedReading, InterventionEffect, effect_of, reading_of
from ui.kit.layout import bar, caption, control_row, finding, paragraph, subtitle
from ui.kit.text_changes import in_one
from ui.pages.masks.cells import CellSelection, show_cells, show_row, site_picker, take_click
from ui.pages.masks.draft import (
    SCOPE,
    address_faults,
    begin,
    can_undo,
    current_change,
    has_means,
    names_of,
    set_change,
    undo,
    write_address,
)
from ui.pages.masks.presets import held_out, preset_chips, pronoun_words
from ui.shell.projector import presents

EFFECT = "change_effect"  # prefix of the figures' keys
MOST_LISTED = 6
SHORT = 3  # letters of words that say little by themselves
NUMBERS = {"shifted": ("offset", "by", 1000), "permuted": ("seed", "seed", 9999)}
"""Numbers of position modes: field of `Positions`, message, and maximum."""
Result = TypeVar("Result")


def show(run: Run) -> None:
    opening = opening_change(run)
    change = begin(run, opening)
    # A click changes the draft before anything is drawn from it.
    if run.record.sites and take_click(run):
        change = current_change(run)
    write_address(change, opening)
    # Teacher forcing is fast; the search follows in `_outcome`.
    reading, fault = _working(run, change, reading_of) if change else (None, None)
    offered = offers(run.translator)
    names = tuple(name for name, (needs, _) in TOOLS.items() if needs in offered)
    preset_chips(run, change)
    with bar("tools"):
        tool = choice("change_tool", names, title=False, wrap=True)
        if "change-causal" in offered:
            _causal_switch(run, change)
    with st.container(key="answer_first"):
        # In presentation mode the picture has most of the width.
        left, right = st.columns([3, 8] if presents() else 2, gap="medium")
    below = st.container()
    with left:
        selection = TOOLS[tool][1](run, change, reading)
        _changes_list(run, change)
        if change and change == opening:
            caption("masks-change-opening")
        for note in notes_on(change, run.translator.sites, names_of(run)):
            st.markdown(f":material/info: {say(note)}")
    if reading is not None and run.record.sites:
        # Needs no search, so it is drawn while the search still runs.
        with below:
            _attention(run, reading, selection)
    with right:
        # The left column has room for a second picture, but not in presentation mode.
        _outcome(run, reading, fault, aside=None if presents() else left)


def _causal_switch(run: Run, change: Intervention) -> None:
    """Draw the switch of the decoder's causal mask."""

    def take() -> None:
        changes = () if st.session_state["change_causal"] else (LiftedMask(),)
        _replace(run, LiftedMask, *changes)

    # The draft decides, not the widget, because undo and presets also change it.
    st.session_state["change_causal"] = change.causal
    st.toggle(
        say("masks-change-causal"),
        key="change_causal",
        help=say("masks-change-causal-help"),
        on_change=take,
    )


def _attention(run: Run, reading: ForcedReading, selection: CellSelection | None) -> None:
    """Draw a head before and after, at first the selected one if the tool selects a single head."""
    subtitle("masks-change-head-single" if has_single_head() else "masks-change-head")
    if selection is None or None in (selection.layer, selection.head):
        show_attention(run, reading, key=EFFECT)
        return
    head = (selection.layer, selection.head)
    show_attention(run, reading, key=EFFECT, site=selection.site_id, head=head)


def _replace(run: Run, change_type: type[Change], *changes: Change) -> None:
    set_change(run, current_change(run).replaced(change_type, *changes))


def _outcome(
    run: Run,
    reading: ForcedReading | None,
    fault: InterventionError | None,
    *,
    aside: DeltaGenerator | None,
) -> None:
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
        finding("\n\n".join(filter(None, headline(run, effect))))
        show_probabilities(run, effect, key=EFFECT, aside=aside)
        held_out(run, effect.change)
    elif fault is None:
        finding("masks-effect-none")


def headline(run: Run, effect: InterventionEffect) -> tuple[str, str]:
    """Return what changes and the translation under it, and what becomes of the pronoun."""
    entries = parts_of(effect.change, names_of(run))
    first = as_sentence(say(entries[0][0]))
    same = run.tgt.ids == effect.output.ids
    text = in_one(run.translation.text, effect.output.text) or say("masks-nothing-written")
    words = say(
        f"masks-change-{'stays' if same else 'becomes'}", n=len(entries), change=first, text=text
    )
    return words, pronoun_words(run, effect.change, unchanged=same)


def _working(
    run: Run, change: Intervention, make: Callable[[Run, Intervention], Result]
) -> tuple[Result | None, InterventionError | None]:
    """Return `make(run, change)`, or the result of the last draft that worked and the error."""
    try:
        return make(run, change), None
    except InterventionError as error:
        identity, earlier = st.session_state.get("change_worked", (None, None))
        return (make(run, earlier) if identity == run.identity else None), error


def _changes_list(run: Run, change: Intervention) -> None:
    for fault in address_faults():
        st.warning(plain(fault, 600), icon=":material/link_off:")
    entries = parts_of(change, names_of(run))
    with st.container(horizontal=True, vertical_alignment="center"):
        paragraph("masks-change-count", n=len(entries))
        button("change_undo", undo, run, icon="undo", disabled=not can_undo(run))
        button(
            "change_clear",
            set_change,
            run,
            Intervention(),
            icon="restart_alt",
            disabled=not entries,
        )
    with st.container(gap=None, height=200 if len(entries) > MOST_LISTED else "content"):
        for message, part in entries:
            text = say(message)
            st.button(
                text[:1].upper() + text[1:],
                # Keyed by the change: a quick second click may refer to the earlier list.
                key=f"change_remove_{change_text(part)}",
                icon=":material/close:",
                type="tertiary",
                on_click=lambda part=part: set_change(run, current_change(run).without(*part)),
            )


# Source tokens that are hidden from attention, or not read.


def _tokens(run: Run, change: Intervention, *_: object) -> None:
    state = st.session_state
    labels = distinct_labels(run.src.tokens)

    def take() -> None:
        set_change(run, current_change(run).hiding(*state["change_hidden"], where=where))

    def move() -> None:
        now = state[SCOPE]
        change = current_change(run)
        # The end of sentence can be hidden from attention, but not left unread.
        hidden = [i for i in change.hidden_from(where) if i in _hideable(run, now)]
        set_change(run, change.hiding(where=where) | hide(*hidden, where=now))

    where = hiding_menu(run, SCOPE, style="select", on_change=move)
    state["change_hidden"] = list(change.hidden_from(where))
    words = "masks-change-unread" if where == UNREAD else "masks-change-hide"
    st.pills(
        say(words),
        _hideable(run, where),
        key="change_hidden",
        selection_mode="multi",
        wrap=True,
        format_func=lambda i: plain(labels[i]),
        on_change=take,
        help=say(f"{words}-help"),
    )


def opening_change(run: Run) -> Intervention:
    """Return the draft that the view opens with: the hidden antecedent, or the first long word."""
    places = hiding_places(run.record.sites, run.capabilities)
    if not places or not isinstance(run.src, TokenSequence):
        return Intervention()
    words = words_of(run.src)
    few = run.pack.determiners
    long = [word for word in words if len(word.text) > SHORT and word.text.lower() not in few]
    noun = word_at(words, run.example.antecedent if run.example else "")
    first = noun or next(iter([*long, *words]), None)
    return hide(*first.positions, where=places[0]) if first else Intervention()


def _hideable(run: Run, where: str) -> range:
    """Return the positions that can be hidden; </s> is always read."""
    return range(len(run.src) - (where == UNREAD))


# Ablated heads.


def _heads(run: Run, change: Intervention, _: object) -> None:
    state = st.session_state
    site = run.record.of(site_picker(run)).site
    ablations = ablations_of(change, site)
    means = has_means(run)
    options = [name for name in ABLATIONS if name != "mean" or means]
    # The menu follows the draft, which may come from the address.
    if used := [name for name in ablations.ravel() if name in options]:
        state["change_how"] = used[0]
    edit_site = partial(_edit_ablations, run, site)
    ablation = choice(
        "change_how",
        options,
        words="knock_how",
        style="radio",
        address=False,
        horizontal=True,
        on_change=edit_site,
        args=(lambda before: np.where(before == "", "", state["change_how"]),),
    )
    if not means:
        caption("masks-change-no-means")
    # A model with one head has only the buttons below.
    if ablations.size > 1:
        for layer, heads in enumerate(ablations):
            key = f"change_off_{site.name}_{layer}"
            with_layer = partial(_with_layer, key=key, layer=layer, ablation=ablation)
            _head_pills(key, layer, heads, partial(edit_site, with_layer))
    with st.container(horizontal=True):
        for switch, value, disabled in (("off", ablation, False), ("on", "", not ablations.any())):
            button(
                f"change_all_{switch}",
                edit_site,
                partial(np.full_like, fill_value=value),
                disabled=disabled,
                words=f"masks-change-all-{switch}",
                values={"n": ablations.size},
            )


def _head_pills(key: str, layer: int, heads: np.ndarray, on_change: Callable[[], None]) -> None:
    """Draw the heads of a layer; those that are ablated are chosen."""
    st.session_state[key] = np.flatnonzero(heads).tolist()
    st.pills(
        say("masks-change-heads-of", layer=layer + 1),
        range(len(heads)),
        key=key,
        selection_mode="multi",
        wrap=True,
        format_func=lambda head: str(head + 1),
        on_change=on_change,
    )


def _edit_ablations(
    run: Run, site: AttentionSite, edit: Callable[[np.ndarray], np.ndarray]
) -> None:
    """Replace the (L, H) array of ablations of the site by `edit` of it."""
    change = current_change(run)
    ablations = edit(ablations_of(change, site))
    others = (entry for entry in change.ablated if entry.site != site.name)
    _replace(run, AblatedHead, *others, *shortest_ablations(site.name, ablations))


def _with_layer(ablations: np.ndarray, key: str, layer: int, ablation: str) -> np.ndarray:
    """Ablate the heads of a layer that its menu, with this key, has chosen."""
    chosen = st.session_state[key]
    # Heads that were ablated already keep their ablation.
    ablations[layer] = [
        (before or ablation) if head in chosen else ""
        for head, before in enumerate(ablations[layer])
    ]
    return ablations


# Positions of either side.


def _positions(run: Run, change: Intervention, *_: object) -> None:
    for side in ("source", "target"):
        positions = change.positions(side)
        take = partial(_take_positions, run, side)
        mode = f"change_{side}_mode"
        choose({mode: positions.mode})
        with control_row():
            choice(
                mode,
                POSITION_MODES,
                words=f"position_{side}",
                style="select",
                address=False,
                text=lambda mode: say(f"positions-mode-{mode}"),
                width=180,
                on_change=take,
            )
            if positions.mode in NUMBERS:
                name, words, most = NUMBERS[positions.mode]
                key = f"change_{side}_{name}"
                title = say(f"masks-change-positions-{words}")
                st.session_state[key] = min(getattr(positions, name), most)
                st.number_input(title, 0, most, key=key, width=130, on_change=take)
    caption("masks-change-positions-caption", n=len(run.tgt))


def _take_positions(run: Run, side: str) -> None:
    state = st.session_state
    prefix = f"change_{side}"
    change = current_change(run)
    old = change.positions(side)
    positions = Positions(
        state[f"{prefix}_mode"],
        offset=state.get(f"{prefix}_offset", old.offset or 3),
        seed=state.get(f"{prefix}_seed", old.seed),
        # The source has no span: its length is fixed.
        span=len(run.tgt) if side == "target" else None,
        side=side,
    )
    set_change(run, Intervention(*change, positions))


# Residual connections and norms.


def _sublayers(run: Run, *_: object) -> None:
    offered = offers(run.translator)
    components = [name for name, change in LEFT_OUT.items() if change.needs in offered]
    sublayers = run.translator.sublayers
    with control_row():
        component = choice("change_part", components, style="select", address=False, width=200)
        stack = _part("stack", [at.stack for at in sublayers], lambda name: f"block-stack-{name}")
        of_stack = [at for at in sublayers if stack in (ALL, at.stack)]
        layer = _part("layer", [str(at.layer + 1) for at in of_stack])
        name = _part("name", [at.name for at in of_stack], lambda name: f"block-sublayer-{name}")
    left_out = LEFT_OUT[component](
        stack=None if stack == ALL else stack,
        layer=None if layer == ALL else int(layer) - 1,
        name=None if name == ALL else name,
    )
    button("change_leave_out", _add, run, left_out, icon="content_cut")


def _part(part: str, options: Sequence[str], words: Callable[[str], str] = str) -> str:
    """Draw the menu of one part of a sub-layer's address and return an option, or `ALL`.

    `words` returns the message id of an option.
    """
    key = f"change_part_{part}"
    return choice(
        key,
        (ALL, *dict.fromkeys(options)),
        style="select",
        address=False,
        text=lambda option: say(f"{key}-all") if option == ALL else named(words(option), option),
        width=150,
    )


def _add(run: Run, change: Change) -> None:
    set_change(run, current_change(run) | Intervention(change))


ALL = "all"
LEFT_OUT: dict[str, type[LeftOut]] = {"residual": NoResidual, "norm": NoNorm}
TOOLS: dict[str, tuple[str, Callable[..., CellSelection | None]]] = {
    "tokens": ("leave-out", _tokens),
    "cells": ("change-mask", show_cells),
    "heads": ("change-ablate", _heads),
    "row": ("change-row", show_row),
    "positions": ("change-positions", _positions),
    "sublayers": ("change-residual", _sublayers),
}
"""Drawing functions of the tools by id, each with the need that a model must meet."""
