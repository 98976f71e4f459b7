"""The original output token by token: how likely it still is, and what could stand in its place."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from analysis.effect import log_prob_changes, next_tokens, telling_position
from analysis.labels import numbered_labels
from ui.address import NUMBER
from ui.kit.blocks import picture
from ui.kit.controls import choice, settle
from ui.state import Run
from ui.words import plain, say
from viz.effect import log_prob_bars, next_token_bars
from words import numbers

from .reading import MOST_BARS, Effect, next_candidates

LEAST_FACTOR = math.log(1.1)  # below that, "1.0 times as likely" would stand there
FOLLOWED = -1  # what the menu calls "let the page choose"


def show_log_probs(run: Run, effect: Effect, *, key: str) -> None:
    """The change in log P of the original output, token by token and in all."""
    sides = run.translation.tgt.tokens, effect.plain_log_probs, effect.log_probs
    total = say(
        "masks-effect-total",
        before=numbers.fixed(effect.plain_total),
        after=numbers.fixed(effect.total),
        change=change_words(effect.total - effect.plain_total),
    )
    # The words for a chart stay the same: others would make the browser build it anew.
    picture(
        "masks-effect-log-probs",
        log_prob_bars(*sides, marked=_position(run, effect, key)),
        key=f"{key}_log_probs",
        below=total if effect.change.causal else f"{total}\n\n{say('masks-effect-peeking')}",
        numbers=lambda: log_prob_changes(*sides),
        changes=largest_changes(log_prob_changes(*sides)),
        text=run.translation.text,
    )


def change_words(change: float) -> str:
    """A change in log P: how many times as likely that is, or in nats where it is small."""
    if abs(change) < 0.0005:
        return say("masks-effect-same" if change == 0 else "masks-effect-hardly")
    if abs(change) < LEAST_FACTOR:
        return _signed(change)
    likelier = "likelier" if change > 0 else "less-likely"
    return say(f"masks-effect-{likelier}", factor=numbers.factor(abs(change)))


def largest_changes(changes: pd.DataFrame) -> str:
    """The three tokens whose log p changed most."""
    most = changes.reindex(changes["change"].abs().sort_values(ascending=False).index)[:3]
    return ", ".join(
        say("masks-token-change", token=plain(token), change=_signed(change))
        for token, change in zip(most["token"], most["change"], strict=True)
    )


def _signed(change: float) -> str:
    """Two decimals, three where two would show nothing, and a plain 0 for what is less."""
    return numbers.signed(change, 3 if abs(change) < 0.01 else 2) if abs(change) >= 5e-4 else "0"


def show_next_tokens(run: Run, effect: Effect, *, key: str) -> None:
    """What could stand at one position of the original output, before and after."""
    tgt = run.translation.tgt
    labels, place = numbered_labels(tgt.tokens), _position(run, effect, key)
    own, why = _telling(run, effect)
    followed = say(f"masks-effect-position-{why}", token=labels[own])
    choice(
        f"{key}_position",
        range(FOLLOWED, len(labels)),
        words="masks-effect-position",
        style="select",
        address=False,
        text=lambda i: followed if i == FOLLOWED else labels[i],
        of=run.identity,
        filter_mode="fuzzy",
        width=340,
    )
    table = next_tokens(*next_candidates(run, effect.change, tgt.ids[:place]), MOST_BARS)
    first, second = (table.loc[table[side].idxmax()] for side in ("before", "after"))
    picture(
        "masks-effect-next",
        next_token_bars(table, written=tgt.ids[place]),
        key=f"{key}_next",
        numbers=table,
        first=plain(first.token),
        first_before=numbers.percent(first.before),
        second=plain(second.token),
        second_after=numbers.percent(second.after),
        position=place + 1,
        text=run.translation.text,
    )


def _position(run: Run, effect: Effect, key: str) -> int:
    places, menu = range(FOLLOWED, len(run.translation.tgt)), f"{key}_position"
    settle(menu, NUMBER, FOLLOWED, sound=places.__contains__, of=run.identity)
    own = st.session_state[menu]
    return _telling(run, effect)[0] if own == FOLLOWED else own


def _telling(run: Run, effect: Effect) -> tuple[int, str]:
    change = effect.log_probs - effect.plain_log_probs
    return telling_position(run.translation.tgt.ids, effect.translation.tgt.ids, change)
