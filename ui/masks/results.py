"""What the views of masks compute, kept for all sessions; nobody may write into its arrays."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import streamlit as st

from analysis.hypotheses import hypothesis_text
from records import (
    Ablation,
    Candidate,
    Decision,
    Decoding,
    Explanation,
    Intervention,
    KnockOut,
    Trace,
)
from ui.effect.reading import candidates_under
from ui.shared import cached
from ui.state import Run
from ui.waiting import interrupted, long_reading, long_turn
from ui.words import say

Method = Literal["spearman", "kendall"]

DEEP = 128  # candidates asked for at first; nearly always they hold every form of a pronoun


class LateBar:
    """A progress bar that appears when something takes longer than a second, and goes at its end.

    Whatever works calls it with the fraction that is done, 0 to 1; `words` is the id of its text.
    """

    PATIENCE = 1.0

    def __init__(self, words: str) -> None:
        self._text = say(words)
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


@cached("identity", max_entries=48)
def knocked_out(
    run: Run, how: Ablation, position: int | None, choice_ids: tuple[int, ...]
) -> KnockOut:
    """The translation on screen with every head switched off in turn.

    Raises
    ------
    InterventionError : "mean", and no mean outputs are stored with the checkpoint.
    """
    src, tgt = run.translation.src, run.translation.tgt
    with long_turn(), LateBar("masks-knockout-progress") as bar:
        return run.translator.knock_out(
            src, tgt, how, position=position, choice_ids=choice_ids, progress=bar
        )


@cached("identity", max_entries=24)
def traced(run: Run, decision: Decision) -> Trace:
    """Every link behind a decision of the translation on screen, knocked out alone."""
    src, tgt = run.translation.src, run.translation.tgt
    with long_turn(), LateBar("masks-trace-progress") as bar:
        return run.translator.trace(src, tgt, decision, progress=bar, stop=interrupted)


def go_ahead(view: str, what: object, long: bool, **size: int) -> bool:
    """Whether to work something out: at once, or where it is long once a button was pressed.

    The messages are ``masks-<view>-start`` and ``masks-<view>-long``.
    """
    seen = st.session_state.setdefault(f"{view}_seen", set())
    if long and what not in seen:
        start = say(f"masks-{view}-start")
        if not st.button(start, key=f"{view}_start", icon=":material/play_arrow:"):
            st.info(say(f"masks-{view}-long", **size), icon=":material/hourglass_empty:")
            return False
    seen.add(what)
    return True


@cached("identity", max_entries=48, spinner="masks-explain-progress")
def explained(run: Run, hidden_from: str, method: Method) -> Explanation:
    """Attention of the translation on screen against drops and gradients.

    Raises
    ------
    InputError : the sentence is one token, so that nothing of it can be hidden.
    """
    src, tgt = run.translation.src, run.translation.tgt
    with long_reading(run.translator):
        return run.translator.explain(src, tgt, hidden_from=hidden_from, method=method)


def candidates_at(
    run: Run, position: int, k: int = DEEP, change: Intervention | None = None
) -> tuple[Candidate, ...]:
    """The `k` likeliest tokens at a position of the translation on screen.

    Raises
    ------
    InputError, InterventionError : as for `Translator.candidates`.
    """
    ids = run.translation.tgt.ids[:position]
    return candidates_under(run, change or Intervention(), ids, k)


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

    @property
    def best(self) -> int:
        """The likeliest choice."""
        return int(np.argmax(self.probabilities))


def outcome_of(
    run: Run, change: Intervention, position: int, choice_ids: tuple[int, ...]
) -> Outcome:
    """What `change` does to the choices at a position, and to what the search writes.

    Raises
    ------
    InterventionError : the change fits neither the model nor the sentence.
    """
    decoding = replace(run.choices.decoding, n_runners_up=0)
    return _outcome_of(run, decoding, change, position, choice_ids)


@cached("identity", "choices.text", max_entries=512)
def _outcome_of(
    run: Run,
    decoding: Decoding,
    change: Intervention,
    position: int,
    choice_ids: tuple[int, ...],
) -> Outcome:
    for k in (DEEP, vocabulary_of(run)):
        candidates = candidates_at(run, position, k, change)
        found = {each.token_id: each.log_prob for each in candidates}
        if all(token_id in found for token_id in choice_ids):
            break
    text = run.choices.text
    tree = run.translator.search(text, decoding, intervention=change, stop=interrupted)
    probabilities = tuple(math.exp(found[token_id]) for token_id in choice_ids)
    return Outcome(probabilities, hypothesis_text(tree.hypothesis(tree.best)))


def vocabulary_of(run: Run) -> int:
    """As many candidates as there can be."""
    return int(run.translator.card.config.get("vocab_size", 10**6))
