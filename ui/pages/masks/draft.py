"""Draft of an intervention: kept in session and address, told in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import streamlit as st

from core.interventions.base import Change, Names, Room
from core.interventions.draft import split
from core.interventions.intervention import (
    Intervention,
    change_text,
    hiding_places,
    left_out,
    read_parts,
)
from core.interventions.kinds import HiddenToken, Positions, UnreadToken
from core.measurements import INTERVENTIONS
from core.records.tokens import distinct_labels
from ui.frame import choices
from ui.frame.choices import LONG, AddressForm, arrives, keep
from ui.frame.messages import has_single_head, plain, say
from ui.frame.run import Run
from words import Message

ADDRESS = "change"
CHANGE = AddressForm(str, lambda change: change_text(change) or choices.CLOSED, LONG.most)
"""An intervention as a text, from which `read_parts` reads it."""
SCOPE = "change_where"  # key of the menu of places where words are hidden
MOST_STEPS = 100  # interventions that undo can restore


# -- the session ----------------------------------------------------------------------------


@dataclass
class Draft:
    """Session state: the part that stays with every sentence, and the parts of single sentences."""

    general: Intervention = field(default_factory=Intervention)
    # By source identity, and by run identity.
    of_sentence: dict[tuple, Intervention] = field(default_factory=dict)
    run_identity: tuple | None = None  # of the last change
    steps: dict[tuple, list[Intervention]] = field(default_factory=dict)  # undo stack of one run
    faults: tuple[str, ...] = ()  # faults of the address, until the draft changes


def _draft() -> Draft:
    return st.session_state.setdefault(ADDRESS, Draft())


def current_change(run: Run) -> Intervention:
    """Return the draft as it applies to the sentence on screen.

    On arrival it is that of the address, or empty for this sentence. Changes that name positions
    belong to their sentence and return with it; the causal mask, heads and modes of positions stay.
    """
    is_arrival = arrives(ADDRESS)
    draft = _draft()
    if is_arrival:
        text = choices.read(ADDRESS, CHANGE)
        change, faults = read_parts("" if text in (None, choices.CLOSED) else text)
        change, unfit = _fitting(run, change)
        _keep(run, change)
        # The address is silent: this sentence was not touched, so its view may open with a preset.
        if text is None:
            del draft.of_sentence[run.source_identity], draft.of_sentence[run.identity]
        draft.faults = tuple(map(say, faults + unfit))
    change = draft.general
    if draft.run_identity != run.identity:  # other tokens than those that were permuted
        change |= Intervention(*(_spanning(run, entry) for entry in change.of(Positions)))
    for identity in (run.source_identity, run.identity):
        change |= draft.of_sentence.get(identity, Intervention())
    return change


def begin(run: Run, opening: Intervention) -> Intervention:
    """Return the draft of the sentence, or `opening` if none was made or removed yet."""
    change = current_change(run)
    if change or run.source_identity in _draft().of_sentence:
        return change
    # After the Back button, every reading of the address would remove the opening again.
    _keep(run, opening)
    return opening


def begin_empty(run: Run) -> None:
    """Begin without the example; a draft that was made stays."""
    _keep(run, current_change(run))


def set_change(run: Run, change: Intervention) -> None:
    """Replace the draft, in session and address; can be undone."""
    before = current_change(run)
    draft = _draft()
    draft.faults = ()
    if change != before:
        steps = [*draft.steps.get(run.identity, ()), before]
        draft.steps = {run.identity: steps[-MOST_STEPS:]}
        _keep(run, change)


def can_undo(run: Run) -> bool:
    return bool(_draft().steps.get(run.identity))


def undo(run: Run) -> None:
    """Undo the last step, if it was made on the sentence on screen."""
    if can_undo(run):
        draft = _draft()
        draft.faults = ()
        _keep(run, draft.steps[run.identity].pop())
        follow_scope(run)


def follow_scope(run: Run) -> None:
    """Let the menu of places name the one where the words of the draft are hidden."""
    places = hiding_places(run.record.sites, run.capabilities)
    where = st.session_state.get(SCOPE)
    if where in places:
        st.session_state[SCOPE] = scope_of(current_change(run), places, where)


def scope_of(change: Intervention, places: Sequence[str], where: str) -> str:
    """Return `where` if it accounts for as many hidden words as any scope, else the best one."""

    def unexplained(scope: str) -> int:
        rest = change.hiding(where=scope)
        return len(rest.of(HiddenToken)) + len(rest.of(UnreadToken))

    best = min(places, key=unexplained)
    return where if unexplained(where) == unexplained(best) else best


def address_faults() -> tuple[str, ...]:
    return _draft().faults


def write_address(change: Intervention, opening: Intervention) -> None:
    """Write the draft to the address; the opening of the view is left out."""
    keep(ADDRESS, CHANGE, change, opening)


def _keep(run: Run, change: Intervention) -> None:
    # Positions of the source stay with the source, those of the target with this very output.
    draft = _draft()
    sites = {site.name: site for site in run.translator.sites}
    draft.general, on_source, on_target = split(change, sites)
    draft.run_identity = run.identity
    draft.of_sentence |= {run.source_identity: on_source, run.identity: on_target}


def _spanning(run: Run, positions: Positions) -> Positions:
    if positions.span is None:
        return positions
    # A permutation spans a number of positions, for the target the length of the output.
    return replace(positions, span=None if positions.side == "source" else len(run.tgt))


def _fitting(run: Run, change: Intervention) -> tuple[Intervention, tuple[Message, ...]]:
    """Return the part of `change` that fits model and sentence, and a message for each rest."""
    room = room_of(run)
    fitting: list[Change] = []
    unfit: dict[tuple[Message, ...], list[Change]] = {}
    shortened = []
    for entry in change:
        faults = tuple(entry.faults(room))
        # Too long a span is shortened instead of dropped.
        if faults and isinstance(entry, Positions):
            fitting.append(_spanning(run, entry))
            shortened.append(
                Message.of(
                    "model-address-span-long",
                    side=entry.side,
                    span=entry.span,
                    n=entry.most(room),
                )
            )
        elif faults:
            unfit.setdefault(faults, []).append(entry)
        else:
            fitting.append(entry)
    sentences = (
        left_out(change_text(Intervention(*entries)), Message.of("model-faults", all=faults))
        for faults, entries in unfit.items()
    )
    return Intervention(*fitting), (*sentences, *shortened)


def room_of(run: Run) -> Room:
    """Return the limits that model and sentence set to an intervention."""
    translator = run.translator
    lengths = {"source": len(run.src), "target": len(run.tgt)}
    return Room(
        translator.sites,
        lengths,
        translator.max_source_len,
        has_means(run),
        translator.sublayers,
    )


def has_means(run: Run) -> bool:
    """Return True if the checkpoint stores the means that can replace a head's output."""
    return bool(run.card.measured(INTERVENTIONS).values.get("head_means"))


def names_of(run: Run) -> Names:
    """Return the names of the positions of sentence and output in an intervention."""

    def labels(tokens: Sequence[str], side: str = "source") -> list[str]:
        return [plain(run.spoken(side, label)) for label in distinct_labels(tokens)]

    maps = {attention.site_id: attention for attention in run.record.maps}
    return Names(
        {
            site_id: labels(attention.row_tokens, attention.site.query)
            for site_id, attention in maps.items()
        },
        {
            site_id: labels(attention.key_tokens, attention.site.key)
            for site_id, attention in maps.items()
        },
        labels(run.src.tokens),
        # A single head needs no number in its name.
        maps if has_single_head() else (),
    )
