"""How likely the original output still is under a change, in all and token by token."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from analysis.effect import log_prob_changes
from ui.kit.blocks import figure_block
from ui.state import Run
from ui.words import plain, say
from viz.effect import log_prob_bars
from words import numbers

from .next_tokens import chosen_position
from .reading import Effect

LEAST_FACTOR = math.log(1.1)  # below that, "1.0 times as likely" would stand there


def show_log_probs(run: Run, effect: Effect, *, key: str) -> None:
    """The change in log P of the original output, in all and token by token."""
    before, after = effect.plain_total, effect.total
    total = {"before": numbers.fixed(before), "after": numbers.fixed(after)}
    if not effect.change.causal:
        st.caption(say("masks-effect-peeking"))
    tokens = run.translation.tgt.tokens
    sides = tokens, effect.plain_log_probs, effect.log_probs
    marked = chosen_position(run, effect, key)
    figure_block(
        log_prob_bars(*sides, marked=marked),
        key=f"{key}_log_probs",
        # The words for a chart stay the same: others would make the browser build it anew.
        alt=say("masks-effect-log-probs-alt"),
        name=say("masks-effect-log-probs-file", text=run.translation.text),
        below=say("masks-effect-total", change=change_words(after - before), **total),
        caption=largest_changes(log_prob_changes(*sides)),
        numbers=lambda: log_prob_changes(*sides),
    )


def change_words(change: float) -> str:
    """A change in log P: how many times as likely that is, or in nats where it is small."""
    if abs(change) < 0.0005:
        return say("masks-effect-same" if change == 0 else "masks-effect-hardly")
    if abs(change) < LEAST_FACTOR:
        return _signed(change)
    return say(
        "masks-effect-likelier" if change > 0 else "masks-effect-less-likely",
        factor=numbers.factor(abs(change)),
    )


def largest_changes(changes: pd.DataFrame) -> str:
    """The three tokens whose log p changed most."""
    most = changes.reindex(changes["change"].abs().sort_values(ascending=False).index)[:3]
    parts = [
        say("masks-token-change", token=plain(token), change=_signed(change))
        for token, change in zip(most["token"], most["change"], strict=True)
    ]
    return say("masks-effect-largest", changes=", ".join(parts))


def _signed(change: float) -> str:
    """Two decimals, three where two would show nothing, and a plain 0 for what is less."""
    return numbers.signed(change, 3 if abs(change) < 0.01 else 2) if abs(change) >= 5e-4 else "0"
