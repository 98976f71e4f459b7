"""The change a person is building: kept in the session and the address, said in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from records import (
    ATTENTION_KINDS,
    AblatedHead,
    Ablation,
    AttentionKind,
    Intervention,
    MaskedCell,
    OverriddenRow,
    Positions,
)
from ui.effect.attention import row_names
from ui.state import Run
from ui.words import plain
from viz.labels import distinct_labels
from viz.overview import KIND_TITLES

from .address import change_text, read_parts

ADDRESS = "change"
MOST_STEPS = 100  # that can be undone
MOST_WEIGHTS_NAMED = 3
HOW_WORDS: dict[Ablation, str] = {
    "zero": "output put to zero",
    "mean": "output put to its mean",
    "uniform": "the same weight everywhere",
}
MODE_WORDS = {
    "normal": "normal",
    "absent": "absent",
    "permuted": "shuffled",
    "shifted": "shifted",
    "reversed": "reversed",
}


@dataclass(frozen=True)
class Entry:
    """One part of a change: in words as Markdown, and what is left without it."""

    text: str
    without: Intervention


# The session


def current_change(run: Run) -> Intervention:
    """The change that is being built, as it applies to the sentence on screen.

    The first time it is the one the address asks for. What names positions belongs to its
    sentence, and comes back with it; the causal mask, heads and kinds of positions stay.
    """
    first_visit = ADDRESS not in st.session_state
    store = _store()
    if first_visit:
        text = st.query_params.get(ADDRESS) or ""
        change, faults = read_parts(text)
        change, unfit = fitting(run, change)
        _keep(run, change)
        store["faults"] = faults + unfit
    general, on_source = store["general"], store["source"].get(run.source_identity)
    on_target = store["target"].get(run.identity)
    if store["made_on"] != run.identity:  # other tokens than those that were rearranged
        general = replace(
            general,
            source_positions=replace(general.source_positions, span=None),
            target_positions=_spanning(general.target_positions, len(run.translation.tgt)),
        )
    return general | (on_source or Intervention()) | (on_target or Intervention())


def set_change(run: Run, change: Intervention) -> None:
    """Put another change in its place, for all of the session and the address; can be undone."""
    before = current_change(run)
    store = _store()
    store["faults"] = ()
    if change == before:
        return
    steps = store["steps"] if store["steps_of"] == run.identity else []
    store["steps"], store["steps_of"] = [*steps, before][-MOST_STEPS:], run.identity
    _keep(run, change)


def can_undo(run: Run) -> bool:
    return bool(_store()["steps"]) and _store()["steps_of"] == run.identity


def undo(run: Run) -> None:
    """Take the last step back, if it was made on the sentence on screen."""
    if can_undo(run):
        store = _store()
        *store["steps"], before = store["steps"]
        store["faults"] = ()
        _keep(run, before)


def address_faults() -> tuple[str, ...]:
    """What the address asked for in vain; empty once something was changed."""
    return _store()["faults"]


def write_address(change: Intervention) -> None:
    """Keep the change in the address, to be shared."""
    text = change_text(change)
    if not text:
        if ADDRESS in st.query_params:
            del st.query_params[ADDRESS]
    elif st.query_params.get(ADDRESS) != text:
        st.query_params[ADDRESS] = text


def _store() -> dict[str, Any]:
    return st.session_state.setdefault(
        ADDRESS,
        {
            "general": Intervention(),
            "source": {},
            "target": {},
            "made_on": None,
            "steps": [],
            "steps_of": None,
            "faults": (),
        },
    )


def _keep(run: Run, change: Intervention) -> None:
    store = _store()
    general, on_source, on_target = split(change)
    store["general"], store["made_on"] = general, run.identity
    store["source"][run.source_identity] = on_source
    store["target"][run.identity] = on_target


def split(change: Intervention) -> tuple[Intervention, Intervention, Intervention]:
    """What holds for any sentence, what names positions of the source alone, and the rest."""
    named = [*change.masked, *change.overridden]
    general = [e for e in named if _position(e, "query") is None and _position(e, "key") is None]
    rest = [e for e in named if e not in general]
    on_source = [e for e in rest if _is_about_source(e)]
    return (
        replace(change, **_entries(general), hidden_from_encoder=(), hidden_from_cross=()),
        Intervention(
            hidden_from_encoder=change.hidden_from_encoder,
            hidden_from_cross=change.hidden_from_cross,
            **_entries(on_source),
        ),
        Intervention(**_entries([e for e in rest if e not in on_source])),
    )


def _is_about_source(entry: MaskedCell | OverriddenRow) -> bool:
    return entry.kind == "encoder" or (entry.kind == "cross" and entry.query is None)


def _position(entry: MaskedCell | OverriddenRow, name: str) -> int | None:
    return getattr(entry, name, None)


def _entries(entries: Iterable[MaskedCell | OverriddenRow]) -> dict[str, tuple]:
    found = tuple(entries)
    return {
        "masked": tuple(e for e in found if isinstance(e, MaskedCell)),
        "overridden": tuple(e for e in found if isinstance(e, OverriddenRow)),
    }


def _spanning(positions: Positions, span: int) -> Positions:
    return positions if positions.span is None else replace(positions, span=span)


# What fits


def fitting(run: Run, change: Intervention) -> tuple[Intervention, tuple[str, ...]]:
    """The part of a change that this model and this sentence have a place for.

    Returns
    -------
    that part, and a sentence for each entry that was left out.
    """
    faults: list[str] = []
    hidden = {}
    n_src = len(run.translation.src)
    for name in ("hidden_from_encoder", "hidden_from_cross"):
        positions = getattr(change, name)
        hidden[name] = tuple(p for p in positions if p < n_src)
        faults += [
            f"“hide {p + 1}” in the address was left out: the sentence has {n_src} tokens."
            for p in positions
            if p >= n_src
        ]
    kept: dict[str, tuple] = {}
    for name in ("masked", "ablated", "overridden"):
        sound = []
        for entry in getattr(change, name):
            why = _misfit(run, entry)
            if why:
                part = change_text(Intervention(**{name: (entry,)}))
                short = part if len(part) < 60 else part[:59] + "…"
                faults.append(f"“{short}” in the address was left out: {why}.")
            else:
                sound.append(entry)
        kept[name] = tuple(sound)
    spans = {
        side: _fitting_span(run, side, getattr(change, f"{side}_positions"), faults)
        for side in ("source", "target")
    }
    positions = {f"{side}_positions": found for side, found in spans.items()}
    return replace(change, **hidden, **kept, **positions), tuple(dict.fromkeys(faults))


def _fitting_span(run: Run, side: str, positions: Positions, faults: list[str]) -> Positions:
    most = len(run.translation.src) if side == "source" else run.translator.max_source_len
    if positions.span is None or positions.span <= most:
        return positions
    faults.append(
        f"The address rearranges {positions.span} positions of the {side}, which has room for "
        f"{most}: all it has are rearranged."
    )
    own = None if side == "source" else len(run.translation.tgt)
    return replace(positions, span=own)


def _misfit(run: Run, entry: MaskedCell | AblatedHead | OverriddenRow) -> str:
    """Why an entry has no place here; empty when it has one."""
    n_layers, n_heads, n_queries, n_keys = shape_of(run, entry.kind)
    limits = {"layer": n_layers, "head": n_heads, "query": n_queries, "key": n_keys}
    for name, limit in limits.items():
        value = getattr(entry, name, None)
        if value is not None and value >= limit:
            names = {"query": "rows", "key": "keys"}.get(name, f"{name}s")
            return f"{KIND_TITLES[entry.kind]} has {limit} {names} here"
    if isinstance(entry, OverriddenRow) and any(entry.weights[n_keys:]):
        return f"it gives weight to key {len(entry.weights)} of {n_keys}"
    if isinstance(entry, AblatedHead) and entry.how == "mean" and not has_means(run):
        return "this checkpoint stores no mean outputs of its heads"
    return ""


def shape_of(run: Run, kind: AttentionKind) -> tuple[int, int, int, int]:
    """Layers, heads, queries and keys of one kind for the sentence and its output."""
    return run.translation.attention.of(kind).weights.shape


def has_means(run: Run) -> bool:
    """Whether the checkpoint stores what "mean" puts in the place of a head's output."""
    return bool(run.translator.card.interventions.get("head_means"))


# Masks and heads


def forbidden_by(change: Intervention, kind: AttentionKind, shape: Sequence[int]) -> np.ndarray:
    """Cells that the change forbids, bool (L, H, T_q, T_k) of the given shape."""
    forbidden = np.zeros(tuple(shape), bool)
    if kind != "decoder":
        hidden = getattr(change, f"hidden_from_{kind}")
        forbidden[..., [p for p in hidden if p < shape[3]]] = True
    for cell in change.masked:
        if cell.kind == kind:
            place = (cell.layer, cell.head, cell.query, cell.key)
            forbidden[tuple(slice(None) if p is None else slice(p, p + 1) for p in place)] = True
    return forbidden


def ablations_of(change: Intervention, kind: AttentionKind, shape: Sequence[int]) -> np.ndarray:
    """How each head of a kind is switched off, (L, H) of "", "zero", "mean" or "uniform"."""
    how = np.full(tuple(shape[:2]), "", dtype=object)
    # The general first, so that the particular counts.
    for entry in sorted(change.ablated, key=lambda e: (e.layer is not None) + (e.head is not None)):
        if entry.kind == kind:
            place = (entry.layer, entry.head)
            how[tuple(slice(None) if p is None else slice(p, p + 1) for p in place)] = entry.how
    return how


def notes_on(run: Run, change: Intervention) -> list[str]:
    """What follows from a change and is easily missed, in sentences."""
    notes = []
    reach = {
        "encoder": "each source token is read without the others",
        "decoder": "each position knows the token it reads and none of those before it",
        "cross": "nothing of the sentence reaches the translation",
    }
    for kind in ATTENTION_KINDS:
        shape = shape_of(run, kind)
        how = ablations_of(change, kind, shape)
        if not (how != "").all():
            continue
        if (how == "uniform").all():
            notes.append(
                f"Every head of {KIND_TITLES[kind]} gives all it may look at the same weight, so "
                "none of them chooses any more."
            )
        elif not (how == "uniform").any():
            notes.append(f"Every head of {KIND_TITLES[kind]} is off: {reach[kind]}.")
    for row in change.overridden:
        how = ablations_of(change, row.kind, shape_of(run, row.kind))
        chosen = how[_slice(row.layer), _slice(row.head)]
        if chosen.size and np.isin(chosen, ["zero", "mean"]).all():
            notes.append(
                f"The row given by hand in {place_words(row.kind, row.layer, row.head)} changes "
                "nothing: what it gathers is thrown away, because the head is off."
            )
    for side, positions in (
        ("source", change.source_positions),
        ("target", change.target_positions),
    ):
        if positions.mode == "absent":
            notes.append(
                f"Without positions the {side} is a bag of tokens: the model is told nothing about "
                "their order"
                + (" but the causal mask." if side == "target" and change.causal else ".")
            )
    return notes


def _slice(place: int | None) -> slice:
    return slice(None) if place is None else slice(place, place + 1)


# In words


def place_words(kind: AttentionKind, layer: int | None, head: int | None) -> str:
    """A head, or several, in words: "cross-attention layer 2 head 1"."""
    title = KIND_TITLES[kind]
    if layer is None and head is None:
        return f"all heads of {title}"
    if layer is None:
        return f"head {head + 1} in every layer of {title}"
    return f"{title} layer {layer + 1} " + ("all heads" if head is None else f"head {head + 1}")


def entries_of(run: Run, change: Intervention) -> list[Entry]:
    """Every part of a change in words, with what is left when it is taken away."""
    entries = []
    if not change.causal:
        text = "Causal mask off: the decoder may look at later tokens"
        entries.append(Entry(text, replace(change, causal=True)))
    entries += _hidden_entries(run, change)
    entries += [
        Entry(_cell_words(run, cell), _less(change, "masked", cell)) for cell in change.masked
    ]
    entries += [
        Entry(
            f"{_capital(place_words(h.kind, h.layer, h.head))} off: {HOW_WORDS[h.how]}",
            _less(change, "ablated", h),
        )
        for h in change.ablated
    ]
    entries += [
        Entry(_row_words(run, row), _less(change, "overridden", row)) for row in change.overridden
    ]
    for side in ("source", "target"):
        positions = getattr(change, f"{side}_positions")
        if positions.mode != "normal":
            without = replace(change, **{f"{side}_positions": Positions()})
            entries.append(
                Entry(f"{side.capitalize()} positions {position_words(positions)}", without)
            )
    return entries


def position_words(positions: Positions) -> str:
    if positions.mode == "shifted":
        return f"shifted by {positions.offset}"
    if positions.mode == "permuted":
        return f"shuffled with seed {positions.seed}"
    return MODE_WORDS[positions.mode]


def _hidden_entries(run: Run, change: Intervention) -> list[Entry]:
    names = distinct_labels(run.translation.src.tokens)
    entries = []
    for position in sorted({*change.hidden_from_encoder, *change.hidden_from_cross}):
        sides = [
            words
            for name, words in (("encoder", "the encoder"), ("cross", "cross-attention"))
            if position in getattr(change, f"hidden_from_{name}")
        ]
        without = replace(
            change,
            hidden_from_encoder=tuple(p for p in change.hidden_from_encoder if p != position),
            hidden_from_cross=tuple(p for p in change.hidden_from_cross if p != position),
        )
        who = _quoted(names, position)
        entries.append(Entry(f"{who} hidden from {' and '.join(sides)}", without))
    return entries


def _cell_words(run: Run, cell: MaskedCell) -> str:
    who = _capital(place_words(cell.kind, cell.layer, cell.head))
    attention = run.translation.attention.of(cell.kind)
    rows, keys = distinct_labels(row_names(attention)), distinct_labels(attention.key_tokens)
    start = "any row" if cell.query is None else f"row {cell.query + 1} {_quoted(rows, cell.query)}"
    end = "anything" if cell.key is None else _quoted(keys, cell.key)
    return f"{who} may not look from {start} at {end}"


def _row_words(run: Run, row: OverriddenRow) -> str:
    attention = run.translation.attention.of(row.kind)
    rows, keys = distinct_labels(row_names(attention)), distinct_labels(attention.key_tokens)
    order = sorted(range(len(row.weights)), key=lambda k: -row.weights[k])
    named = [k for k in order if row.weights[k] > 0][:MOST_WEIGHTS_NAMED]
    weights = ", ".join(f"{_quoted(keys, k)} {row.weights[k]:.2f}" for k in named)
    more = ", …" if sum(weight > 0 for weight in row.weights) > len(named) else ""
    return (
        f"Row {row.query + 1} {_quoted(rows, row.query)} of "
        f"{place_words(row.kind, row.layer, row.head)} by hand: {weights}{more}"
    )


def _quoted(names: Sequence[str], position: int) -> str:
    name = names[position] if position < len(names) else str(position + 1)
    return f"“{plain(name)}”"


def _less(change: Intervention, name: str, entry: object) -> Intervention:
    return replace(change, **{name: tuple(e for e in getattr(change, name) if e != entry)})


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
