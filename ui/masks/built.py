"""The change a person is building: kept in the session and the address, said in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import streamlit as st

from core.attention import TRANSFORMER_SITES, AttentionSite
from core.change import Change, Names, Room
from core.changes import HiddenToken, LiftedMask, Positions
from core.intervention import Intervention, change_text, left_out, read_parts
from core.tokens import distinct_labels
from ui import address
from ui.address import LONG
from ui.effect import row_names
from ui.state import Run
from ui.words import plain, say
from words import Message, site_title

ADDRESS = "change"
MOST_STEPS = 100  # that can be undone


# -- the session ----------------------------------------------------------------------------


@dataclass
class Built:
    """What the session holds: what stays with every sentence, and what belongs to one."""

    general: Intervention = field(default_factory=Intervention)
    own: dict[tuple, Intervention] = field(default_factory=dict)  # by source, and by run
    made_on: tuple | None = None
    steps: dict[tuple, list[Intervention]] = field(default_factory=dict)  # those of one run
    faults: tuple[str, ...] = ()  # what the address asked for in vain, until something is changed


def _built() -> Built:
    return st.session_state.setdefault(ADDRESS, Built())


def current_change(run: Run) -> Intervention:
    """The change that is being built, as it applies to the sentence on screen.

    The first time, and on the way back, it is the one the address asks for; where that is silent,
    nothing was made of this sentence. What names positions belongs to its sentence, and comes back
    with it; the causal mask, heads and kinds of positions stay.
    """
    asked, built = ADDRESS not in st.session_state or address.by_history(), _built()
    if asked:
        text = address.read(ADDRESS, LONG)
        change, faults = read_parts("" if text in (None, address.CLOSED) else text)
        change, unfit = _fitting(run, change)
        _keep(run, change)
        if text is None:
            del built.own[run.source_identity], built.own[run.identity]
        built.faults = tuple(map(say, faults + unfit))
    change = built.general
    if built.made_on != run.identity:  # other tokens than those that were rearranged
        change |= Intervention(*(_spanning(run, each) for each in change.of(Positions)))
    for identity in (run.source_identity, run.identity):
        change |= built.own.get(identity, Intervention())
    return change


def begin(run: Run, opening: Intervention) -> None:
    """Begin with a change, where none was made or taken back yet that applies to the sentence."""
    if not current_change(run) and run.source_identity not in _built().own:
        _keep(run, opening)


def set_change(run: Run, change: Intervention) -> None:
    """Put another change in its place, for all of the session and the address; can be undone."""
    before, built = current_change(run), _built()
    built.faults = ()
    if change != before:
        steps = [*built.steps.get(run.identity, ()), before]
        built.steps = {run.identity: steps[-MOST_STEPS:]}
        _keep(run, change)


def can_undo(run: Run) -> bool:
    return bool(_built().steps.get(run.identity))


def undo(run: Run) -> None:
    """Take the last step back, if it was made on the sentence on screen."""
    if can_undo(run):
        _built().faults = ()
        _keep(run, _built().steps[run.identity].pop())


def address_faults() -> tuple[str, ...]:
    return _built().faults


def write_address(change: Intervention, opening: Intervention) -> None:
    """Keep the change in the address, to be shared; but what the view opens with goes unsaid."""
    text = change_text(change) or address.CLOSED
    address.write(ADDRESS, None if change == opening else text, LONG)


def _keep(run: Run, change: Intervention) -> None:
    built, sites = _built(), {site.name: site for site in run.translator.sites}
    built.general, on_source, on_target = split(change, sites)
    built.made_on = run.identity
    built.own |= {run.source_identity: on_source, run.identity: on_target}


def split(
    change: Intervention, sites: Mapping[str, AttentionSite] = TRANSFORMER_SITES
) -> tuple[Intervention, Intervention, Intervention]:
    """What holds for any sentence, what names positions of the source alone, and the rest."""
    general, on_source, on_target = [], [], []
    for each in change:
        sides = each.sides(sites)
        (on_target if sides - {"source"} else on_source if sides else general).append(each)
    return Intervention(*general), Intervention(*on_source), Intervention(*on_target)


def _spanning(run: Run, positions: Positions) -> Positions:
    """The same for the tokens of this run: all of the source, or of its output."""
    if positions.span is None:
        return positions
    own = None if positions.side == "source" else len(run.tgt)
    return replace(positions, span=own)


def _fitting(run: Run, change: Intervention) -> tuple[Intervention, tuple[Message, ...]]:
    """The part of a change that this model and this sentence have a place for, and a sentence for
    each entry that was left out."""
    lengths, translator = {"source": len(run.src)}, run.translator
    lengths["target"] = len(run.tgt)
    most, sublayers = translator.max_source_len, translator.sublayers
    room = Room(translator.sites, lengths, most, has_means(run), sublayers)
    kept: list[Change] = []
    unfit: dict[tuple[Message, ...], list[Change]] = {}
    shortened = []
    for each in change:
        faults = tuple(each.faults(room))
        if faults and isinstance(each, Positions):
            kept.append(_spanning(run, each))
            found = {"side": each.side, "span": each.span, "n": each.most(room)}
            shortened.append(Message.of("model-address-span-long", **found))
        elif faults:
            unfit.setdefault(faults, []).append(each)
        else:
            kept.append(each)
    sentences = (
        left_out(change_text(Intervention(*entries)), Message.of("model-faults", all=faults))
        for faults, entries in unfit.items()
    )
    return Intervention(*kept), (*sentences, *shortened)


# -- shapes, masks and heads ----------------------------------------------------------------


def shape_of(run: Run, kind: str) -> tuple[int, int, int, int]:
    """Layers, heads, queries and keys of one kind for the sentence and its output."""
    return run.record.of(kind).weights.shape


def is_single(run: Run, kind: str) -> bool:
    """Whether a site has one head alone, and the model no other site: no head need be named."""
    return len(run.record.kinds) == 1 and shape_of(run, kind)[:2] == (1, 1)


def has_means(run: Run) -> bool:
    """Whether the checkpoint stores what "mean" puts in the place of a head's output."""
    return bool(run.card.interventions.get("head_means"))


def open_slices(*places: int | None) -> tuple[slice, ...]:
    """Where these places stand along the axes of an array; None stands for all."""
    return tuple(slice(None) if p is None else slice(p, p + 1) for p in places)


def forbidden_by(change: Intervention, site: AttentionSite, shape: Sequence[int]) -> np.ndarray:
    """Cells that the change forbids, bool (L, H, T_q, T_k) of the given shape."""
    forbidden = np.zeros(tuple(shape), bool)
    forbidden[..., [p for p in change.unseen_at(site) if p < shape[3]]] = True
    for cell in change.masked:
        if cell.kind == site.name:
            forbidden[open_slices(cell.layer, cell.head, cell.query, cell.key)] = True
    return forbidden


def ablations_of(change: Intervention, kind: str, shape: Sequence[int]) -> np.ndarray:
    """How each head of a kind is switched off, (L, H) of "", "zero", "mean" or "uniform"."""
    how = np.full(tuple(shape[:2]), "", dtype=object)
    # The general first, so that the particular counts.
    for entry in sorted(change.ablated, key=lambda entry: -entry.n_open):
        if entry.kind == kind:
            how[open_slices(entry.layer, entry.head)] = entry.how
    return how


# -- in words -------------------------------------------------------------------------------


def notes_on(run: Run, change: Intervention) -> list[str]:
    """What follows from a change and is easily missed, in sentences."""
    notes = []
    for site in run.translator.sites:
        how = ablations_of(change, site.name, shape_of(run, site.name))
        if not (how != "").all():
            continue
        title = site_title(site.name, "attention")
        if (how == "uniform").all():
            notes.append(Message.of("model-change-note-uniform", site=title))
        elif not (how == "uniform").any():
            of = "cross" if not site.is_self else site.query
            notes.append(Message.of("model-change-note-off", site=title, of=of))
    for row in change.overridden:
        how = ablations_of(change, row.kind, shape_of(run, row.kind))
        chosen = how[open_slices(row.layer, row.head)]
        if chosen.size and np.isin(chosen, ["zero", "mean"]).all():
            heads = _names(run).heads(row.kind, row.layer, row.head)
            notes.append(Message.of("model-change-note-row", heads=heads))
    for positions in change.of(Positions):
        if positions.mode == "absent":
            masked = positions.side == "target" and change.causal
            side = "masked" if masked else positions.side
            notes.append(Message.of("model-change-note-absent", side=side))
    return list(map(say, notes))


def place_words(run: Run, kind: str, layer: int | None, head: int | None) -> str:
    """A head, or several, in words: "cross-attention layer 2 head 1"."""
    return say(_names(run).heads(kind, layer, head))


def entries_of(run: Run, change: Intervention) -> list[tuple[str, Intervention]]:
    """Every part of a change in words, as Markdown, with what is left when it is taken away; a
    token that is hidden from two sites is one part."""
    names = _names(run)
    hidden: dict[int, list[HiddenToken]] = {}
    for each in sorted(change.of(HiddenToken), key=lambda each: each.position):
        hidden.setdefault(each.position, []).append(each)
    told = [(HiddenToken.words_of_all(tokens, names), tuple(tokens)) for tokens in hidden.values()]
    others = [(each.words(names), (each,)) for each in change if not isinstance(each, HiddenToken)]
    n_before = len(change.of(LiftedMask))
    entries = []
    for message, gone in (*others[:n_before], *told, *others[n_before:]):
        text = say(message)
        entries.append((text[:1].upper() + text[1:], change.without(*gone)))
    return entries


def _names(run: Run) -> Names:
    def labels(tokens: Sequence[str]) -> list[str]:
        return list(map(plain, distinct_labels(tokens)))

    maps = {attention.kind: attention for attention in run.record.maps}
    return Names(
        {kind: labels(row_names(attention)) for kind, attention in maps.items()},
        {kind: labels(attention.key_tokens) for kind, attention in maps.items()},
        labels(run.src.tokens),
        [kind for kind in maps if is_single(run, kind)],
    )
