"""What the views of masks compute, kept for all sessions; nobody may write into its arrays."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import streamlit as st

from analysis.hypotheses import hypothesis_text
from records import (
    Ablation,
    Decision,
    Explanation,
    Intervention,
    KnockOut,
    Trace,
)
from ui.effect.reading import candidates_with
from ui.kit.blocks import note
from ui.shared import cached
from ui.state import Run
from ui.waiting import interrupted, long_reading, long_turn
from ui.words import say

Method = Literal["spearman", "kendall"]

PATIENCE = 1.0  # seconds before a bar is shown


@contextmanager
def late_bar(words: str) -> Iterator[Callable[[float], None]]:
    """A progress bar that appears when something takes longer than a second, and goes at its end.

    Whatever works calls it with the fraction that is done, 0 to 1; `words` is the id of its text.
    """
    text, began = say(words), time.perf_counter()
    bar: Any = None
    shown = -1

    def tell(fraction: float) -> None:
        nonlocal bar, shown
        interrupted()
        percent = int(100 * min(fraction, 1.0))
        if time.perf_counter() - began >= PATIENCE and percent != shown:
            shown, bar = percent, (bar or st).progress(percent, text)

    try:
        yield tell
    finally:
        if bar is not None:
            bar.empty()


@cached("identity", max_entries=48)
def knocked_out(
    run: Run, how: Ablation, position: int | None, choice_ids: tuple[int, ...]
) -> KnockOut:
    """The translation on screen with every head switched off in turn."""
    src, tgt = run.translation.src, run.translation.tgt
    with long_turn(), late_bar("masks-knockout-progress") as bar:
        return run.translator.knock_out(
            src, tgt, how, position=position, choice_ids=choice_ids, progress=bar
        )


@cached("identity", max_entries=24)
def traced(run: Run, decision: Decision) -> Trace:
    """Every link behind a decision of the translation on screen, knocked out alone."""
    src, tgt = run.translation.src, run.translation.tgt
    with long_turn(), late_bar("masks-trace-progress") as bar:
        return run.translator.trace(src, tgt, decision, progress=bar, stop=interrupted)


def go_ahead(view: str, what: object, long: bool, **size: int) -> bool:
    """Whether to work something out: at once, or where it is long once a button was pressed.

    The messages are ``masks-<view>-start`` and ``masks-<view>-long``.
    """
    seen = st.session_state.setdefault(f"{view}_seen", set())
    if long and what not in seen:
        start = say(f"masks-{view}-start")
        if not st.button(start, key=f"{view}_start", icon=":material/play_arrow:"):
            note(f"masks-{view}-long", "hourglass_empty", **size)
            return False
    seen.add(what)
    return True


@cached("identity", max_entries=48, spinner="masks-explain-progress")
def explained(run: Run, hidden_from: str, method: Method) -> Explanation:
    """Attention of the translation on screen against drops and gradients."""
    src, tgt = run.translation.src, run.translation.tgt
    with long_reading(run.translator):
        return run.translator.explain(src, tgt, hidden_from=hidden_from, method=method)


@dataclass(frozen=True)
class Outcome:
    """What a change does to one choice."""

    probabilities: tuple[float, ...]  # of each choice, in its place of the translation as it was
    text: str  # that the search then writes

    @property
    def best(self) -> int:
        """The likeliest choice."""
        return int(np.argmax(self.probabilities))


@cached("identity", "choices.text", "choices.decoding", max_entries=512)
def outcome_of(
    run: Run, change: Intervention, position: int, choice_ids: tuple[int, ...]
) -> Outcome:
    """What `change` does to the choices at a position, and to what the search writes."""
    found = candidates_with(run, change, run.translation.tgt.ids[:position], choice_ids)
    text, decoding = run.choices.text, replace(run.choices.decoding, n_runners_up=0)
    tree = run.translator.search(text, decoding, intervention=change, stop=interrupted)
    probabilities = tuple(math.exp(found[token_id].log_prob) for token_id in choice_ids)
    return Outcome(probabilities, hypothesis_text(tree.hypothesis(tree.best)))
