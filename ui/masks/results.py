"""What the views of masks compute, kept for all sessions; nobody may write into its arrays."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import streamlit as st

from analysis.hypotheses import hypothesis_text
from model import Translator
from records import (
    Ablation,
    Candidate,
    Decision,
    Decoding,
    Explanation,
    Intervention,
    KnockOut,
    TokenSequence,
    Trace,
)
from ui.state import Run, interrupted

HiddenFrom = Literal["cross", "encoder", "both"]
Method = Literal["spearman", "kendall"]

DEEP = 128  # candidates asked for at first; nearly always they hold every form of a pronoun


class LateBar:
    """A progress bar that appears when something takes longer than a second, and goes at its end.

    Whatever works calls it with the fraction that is done, 0 to 1.
    """

    PATIENCE = 1.0

    def __init__(self, text: str) -> None:
        self._text = text
        self._began = time.perf_counter()
        self._shown: Any = None
        self._percent = -1

    def __call__(self, fraction: float) -> None:
        interrupted()
        percent = int(100 * min(fraction, 1.0))
        waited = time.perf_counter() - self._began
        if waited < self.PATIENCE or percent == self._percent:
            return
        self._percent = percent
        if self._shown is None:
            self._shown = st.progress(percent, self._text)
        else:
            self._shown.progress(percent, self._text)

    def close(self) -> None:
        if self._shown is not None:
            self._shown.empty()

    def __enter__(self) -> LateBar:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def knocked_out(
    run: Run, how: Ablation, position: int | None, choice_ids: tuple[int, ...]
) -> KnockOut:
    """The translation on screen with every head switched off in turn.

    Raises
    ------
    InterventionError : "mean", and no mean outputs are stored with the checkpoint.
    """
    src, tgt = run.translation.src, run.translation.tgt
    return _knock_out(*_pair(run), how, position, choice_ids, src, tgt, run.translator)


def _pair(run: Run) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    translation = run.translation
    return run.translator.card.fingerprint, translation.src.ids, translation.tgt.ids


@st.cache_resource(show_spinner=False, max_entries=48)
def _knock_out(
    fingerprint: str,
    src_ids: tuple[int, ...],
    tgt_ids: tuple[int, ...],
    how: Ablation,
    position: int | None,
    choice_ids: tuple[int, ...],
    _src: TokenSequence,
    _tgt: TokenSequence,
    _translator: Translator,
) -> KnockOut:
    with LateBar("Switching every head off in turn") as bar:
        found = _translator.knock_out(
            _src, _tgt, how, position=position, choice_ids=choice_ids, progress=bar
        )
    _lock(found.log_probs, found.plain_log_probs, found.choice_probs, found.plain_choice_probs)
    return found


def traced(run: Run, decision: Decision) -> Trace:
    """Every link behind a decision of the translation on screen, knocked out alone."""
    src, tgt = run.translation.src, run.translation.tgt
    return _trace(*_pair(run), decision, src, tgt, run.translator)


@st.cache_resource(show_spinner=False, max_entries=24)
def _trace(
    fingerprint: str,
    src_ids: tuple[int, ...],
    tgt_ids: tuple[int, ...],
    decision: Decision,
    _src: TokenSequence,
    _tgt: TokenSequence,
    _translator: Translator,
) -> Trace:
    with LateBar("Knocking out every link") as bar:
        found = _translator.trace(_src, _tgt, decision, progress=bar, stop=interrupted)
    for arrays in (found.changes, found.head_changes, found.weights):
        _lock(*arrays.values())
    return found


def is_traced(run: Run, decision: Decision) -> bool:
    """This session has seen the trace, so that it need not be asked for again."""
    return (*_pair(run), decision) in st.session_state.setdefault("traced", set())


def remember_traced(run: Run, decision: Decision) -> None:
    st.session_state.setdefault("traced", set()).add((*_pair(run), decision))


def explained(run: Run, hidden_from: HiddenFrom, method: Method) -> Explanation:
    """Attention of the translation on screen against drops and gradients.

    Raises
    ------
    InputError : the sentence is one token, so that nothing of it can be hidden.
    """
    src, tgt = run.translation.src, run.translation.tgt
    return _explain(*_pair(run), hidden_from, method, src, tgt, run.translator)


@st.cache_resource(show_spinner="Hiding every source token in turn…", max_entries=48)
def _explain(
    fingerprint: str,
    src_ids: tuple[int, ...],
    tgt_ids: tuple[int, ...],
    hidden_from: HiddenFrom,
    method: Method,
    _src: TokenSequence,
    _tgt: TokenSequence,
    _translator: Translator,
) -> Explanation:
    found = _translator.explain(_src, _tgt, hidden_from=hidden_from, method=method)
    _lock(found.log_probs, found.drops, found.gradient)
    _lock(found.to_drops, found.to_gradient, found.gradient_to_drops)
    return found


def candidates_at(
    run: Run, position: int, k: int = DEEP, change: Intervention | None = None
) -> tuple[Candidate, ...]:
    """The `k` likeliest tokens at a position of the translation on screen.

    Raises
    ------
    InputError, InterventionError : as for `Translator.candidates`.
    """
    return _candidates(
        run.translator.card.fingerprint,
        run.choices.text,
        run.translation.tgt.ids[:position],
        k,
        change or Intervention(),
        run.translator,
    )


@st.cache_data(show_spinner=False, max_entries=256)
def _candidates(
    fingerprint: str,
    text: str,
    prefix_ids: tuple[int, ...],
    k: int,
    change: Intervention,
    _translator: Translator,
) -> tuple[Candidate, ...]:
    return _translator.candidates(text, prefix_ids, k, intervention=change)


@dataclass(frozen=True)
class Outcome:
    """What a change does to one choice.

    Attributes
    ----------
    probabilities : one for each choice, in its place of the translation as it was.
    text : what the search then writes.
    """

    probabilities: tuple[float, ...]
    text: str


def outcome_of(
    run: Run, change: Intervention, position: int, choice_ids: tuple[int, ...]
) -> Outcome:
    """What `change` does to the choices at a position, and to what the search writes.

    Raises
    ------
    InterventionError : the change fits neither the model nor the sentence.
    """
    return _outcome_of(
        run.translator.card.fingerprint,
        run.choices.text,
        replace(run.choices.decoding, n_runners_up=0),
        run.translation.tgt.ids[:position],
        choice_ids,
        change,
        run.translator,
    )


@st.cache_data(show_spinner=False, max_entries=512)
def _outcome_of(
    fingerprint: str,
    text: str,
    decoding: Decoding,
    prefix_ids: tuple[int, ...],
    choice_ids: tuple[int, ...],
    change: Intervention,
    _translator: Translator,
) -> Outcome:
    vocabulary = int(_translator.card.config.get("vocab_size", 10**6))
    for k in (DEEP, vocabulary):
        candidates = _translator.candidates(text, prefix_ids, k, intervention=change)
        found = {each.token_id: each.log_prob for each in candidates}
        if all(token_id in found for token_id in choice_ids):
            break
    tree = _translator.search(text, decoding, intervention=change, stop=interrupted)
    probabilities = tuple(math.exp(found[token_id]) for token_id in choice_ids)
    return Outcome(probabilities, hypothesis_text(tree.hypothesis(tree.best)))


def _lock(*arrays: np.ndarray) -> None:
    for array in arrays:
        array.flags.writeable = False
