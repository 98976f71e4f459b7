"""One row of weights, given by hand: by dragging bars or by typing numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from analysis.labels import distinct_labels
from model import InputError, ModelError
from model.errors import InterventionError
from records import ChangeError, Intervention, OverriddenRow, fingerprint_of
from ui.components.row import draggable_row, read_row, rounded
from ui.effect.attention import row_names
from ui.effect.reading import Reading, read_again
from ui.masks.built import forbidden_by, place_words, set_change, shape_of
from ui.state import Run
from ui.words import current_words, plain, say
from viz.theme import palette_of
from words import Message

from .cells import cell_of
from .place import Place, head_pickers, position_picker

MOST_QUOTED = 40


@dataclass(frozen=True)
class Given:
    """The row that is worked on, and where what a person gives for it belongs."""

    run: Run
    others: Intervention  # what is changed besides
    place: Place
    query: int
    identity: str  # changes with the row and the sentence
    allowed: tuple[bool, ...]  # of every key, whether the row may look at it

    def take(self, weights: Sequence[float] | None) -> None:
        """Give the row, or take it back when `weights` is None."""
        place, rows = self.place, [] if weights is None else [tuple(weights)]
        where = place.kind, place.layer, place.head, self.query
        changed = self.others | Intervention(*(OverriddenRow(*where, row) for row in rows))
        st.session_state.pop("change_row_fault", None)
        set_change(self.run, changed)


def show(run: Run, change: Intervention, place: Place, reading: Reading | None) -> None:
    head_pickers(run, place)
    query = place.query or 0
    attention = run.record.of(place.kind)
    rows = row_names(attention)
    position_picker(run, "query", rows, query)
    where = place.kind, place.layer, place.head, query
    given_rows = (r for r in change.overridden if (r.kind, r.layer, r.head, r.query) == where)
    by_hand = next(given_rows, None)
    others = change if by_hand is None else change.without(by_hand)
    n_keys, allowed = _keys_of(run, change, place, query)
    if not allowed.any():
        st.info(say("masks-change-row-empty"))
        return
    computed = _computed_row(run, others, place, query, n_keys)
    shown = computed
    if by_hand is not None:
        shown = np.zeros(n_keys)
        shown[: len(by_hand.weights)] = by_hand.weights[:n_keys]
    view = {"view": list(map(str, run.identity)), "place": str(cell_of(place, query, 0))}
    allowed = tuple(map(bool, allowed))
    given = Given(run, others, place, query, fingerprint_of(view), allowed)
    st.markdown(
        say(
            "masks-change-row",
            given="no" if by_hand is None else "yes",
            row=query + 1,
            token=plain(distinct_labels(rows)[query]),
            heads=place_words(run, place.kind, place.layer, place.head),
        )
    )
    numbers = st.session_state.setdefault("change_row_numbers", {})
    draggable_row(
        distinct_labels(attention.key_tokens)[:n_keys],
        shown,
        computed=computed,
        allowed=allowed,
        key="change_row",
        identity=given.identity,
        answered=numbers.get(given.identity, 0),
        colour=palette_of(place.kind).accent,
        on_row=partial(_take_dragged, given),
    )
    several = None in (place.layer, place.head)
    st.caption(say("masks-change-row-caption", heads="several" if several else "one"))
    if not attention.site.normalised:
        st.caption(say("masks-change-row-free"))
    _typed_row(given, shown)


def _keys_of(run: Run, change: Intervention, place: Place, query: int) -> tuple[int, np.ndarray]:
    shape, site = shape_of(run, place.kind), run.record.of(place.kind).site
    causal = site.causal and change.causal
    n_keys = query + 1 if causal else shape[3]
    forbidden = forbidden_by(change, site, shape)[place.heads][:, :, query, :n_keys]
    return n_keys, ~forbidden.any(axis=(0, 1))


def _computed_row(
    run: Run, without: Intervention, place: Place, query: int, n_keys: int
) -> np.ndarray:
    try:
        record, _ = read_again(run, without)
    except InterventionError:
        record = run.record
    row = record.of(place.kind).weights[place.heads][:, :, query, :n_keys].mean(axis=(0, 1))
    return np.asarray(rounded(row))


def _take_dragged(given: Given) -> None:
    sent = (st.session_state.get("change_row") or {}).get("row")
    row = read_row(sent, given.identity, given.allowed)
    if row is not None:
        st.session_state["change_row_numbers"][given.identity] = row.number
        given.take(row.weights)


def _typed_row(given: Given, shown: np.ndarray) -> None:
    identity, text, fault = st.session_state.get("change_row_fault", ("", "", ""))
    if identity != given.identity:
        text, fault = " ".join(f"{round(weight, 4):g}" for weight in shown), ""
    st.session_state["change_row_text"] = text
    st.text_input(
        say("masks-change-row-numbers", n=len(shown)),
        key="change_row_text",
        on_change=_take_typed,
        args=(given,),
    )
    if fault:
        st.error(plain(fault, 600), icon=":material/error:")


def _take_typed(given: Given) -> None:
    text = st.session_state["change_row_text"]
    keys = distinct_labels(given.run.record.of(given.place.kind).key_tokens)
    try:
        given.take(read_weights(text, keys[: len(given.allowed)], given.allowed))
    except ModelError as error:
        fault = current_words().of(error.message)
    except ChangeError as error:
        sentence = current_words().of(error.message)
        fault = sentence[:1].upper() + sentence[1:].removesuffix(".") + "."
    else:
        return
    st.session_state["change_row_fault"] = given.identity, text, fault


def read_weights(text: str, labels: Sequence[str], allowed: Sequence[bool]) -> tuple[float, ...]:
    """Numbers typed by hand: one for each key, apart by blanks, commas or semicolons.

    Where no point occurs and blanks stand between the numbers, a comma within one is decimal.
    """
    decimal = "." not in text and re.fullmatch(r"\s*\d+(,\d+)?([\s;]+\d+(,\d+)?)+\s*", text)
    words = re.split(r"[\s;]+" if decimal else r"[\s;,]+", text.strip(" \t\n;,"))
    weights = tuple(_number(word) for word in words if word)
    if len(weights) != len(labels):
        counts = {"found": len(weights), "expected": len(labels)}
        raise InputError(Message.of("masks-change-row-count", **counts))
    for weight, label, may in zip(weights, labels, allowed, strict=True):
        if weight and not may and math.isfinite(weight):
            raise InputError(Message.of("masks-change-row-unseen", token=label))
    return weights


def _number(word: str) -> float:
    try:
        return float(word.replace(",", "."))
    except ValueError:
        message = Message.of("masks-change-row-no-number", text=word[:MOST_QUOTED])
        raise InputError(message) from None
