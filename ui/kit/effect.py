"""Effect of an intervention on one translation, beside the run without it."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.interventions.effect import (
    log_prob_changes,
    next_tokens,
    telling_position,
)
from core.interventions.intervention import Intervention
from core.records.tokens import numbered_labels
from ui.frame.messages import plain, say
from ui.frame.run import Run
from ui.kit.blocks import picture
from ui.kit.changed_head import show_attention
from ui.kit.controls import choice
from ui.kit.focus import pronoun_position
from ui.kit.forced_reading import (
    MOST_BARS,
    InterventionEffect,
    effect_of,
    next_candidates,
    reading_of,
)
from ui.kit.guard import guarded
from ui.kit.layout import bar, caption, note, wide
from ui.kit.text_changes import both_outputs, pronoun_changes
from viz.effect import log_prob_bars, next_token_bars
from words.numbers import signed

LEAST_FACTOR = math.log(1.1)  # a smaller change would be rounded to "1.0 times as likely"
FOLLOWED = -1  # menu entry that lets the page choose the position


def show_effect(
    run: Run,
    change: Intervention,
    *,
    key: str,
    site: str | None = None,
    head: tuple[int, int] | None = None,
) -> None:
    """Draw the effect of `change` in words, numbers and attention.

    `site` and `head` (layer, head) are shown first.
    """
    if not change:
        note("masks-effect-none", "tune")
        return
    above = st.container()
    with guarded(key):
        # Needs no search, so it is there while the search is still running.
        show_attention(run, reading_of(run, change), key=key, site=site, head=head)
        with above:
            effect = effect_of(run, change)
            st.markdown(both_outputs(run, effect.output))
            show_probabilities(run, effect, key=key, beside=True)


# -- both translations, word by word --------------------------------------------------------


def show_notes(run: Run, effect: InterventionEffect) -> None:
    """Draw which pronouns changed, and differences that words do not show."""
    before = run.translation.text
    after = effect.output.text
    if before == after and run.output.ids != effect.output.ids:
        caption("masks-effect-same-words")
    elif changed := _pronoun_words(run, effect):
        st.markdown(changed)
    if not effect.finished:
        caption("masks-effect-unfinished")


def _pronoun_words(run: Run, effect: InterventionEffect) -> str:
    """Return a sentence on the pronouns that the new output replaces; empty without one."""
    return pronoun_changes(run.translation.text, effect.output.text, run.pack.forms)


# -- the original output token by token -----------------------------------------------------


def show_probabilities(
    run: Run,
    effect: InterventionEffect,
    *,
    key: str,
    beside: bool = False,
    aside: DeltaGenerator | None = None,
) -> None:
    """Draw the log-probabilities of the output, notes on the new one, and the next tokens.

    With `aside` the next tokens come first and the rest stands in that container. Without it they
    stand at the right of the rest with `beside`, else below it.
    """
    if not effect.change.causal:
        caption("masks-effect-peeking")
    with bar(key):
        position = _position_menu(run, effect, key)
    if beside:
        first, second = st.columns([4, 3], gap="medium")
    else:
        first = aside or st.container()
        second = st.container()
    with first:
        show_log_probs(run, effect, key=key, marked=position)
        show_notes(run, effect)
    with second:
        if aside is None:
            label = numbered_labels(run.output.tokens)[position]
            st.markdown(say("masks-effect-next-title", token=plain(label)))
        show_next_tokens(run, effect, key=key, position=position)


def show_log_probs(run: Run, effect: InterventionEffect, *, key: str, marked: int) -> None:
    changes = log_prob_changes(run.output.tokens, effect.plain_log_probs, effect.log_probs)
    total = say(
        "masks-effect-total",
        before=effect.plain_total,
        after=effect.total,
        change=change_words(effect.total - effect.plain_total),
    )
    # The words for a chart stay the same: others would make the browser build it anew.
    with wide(f"{key}_log_probs"):
        picture(
            "masks-effect-log-probs",
            log_prob_bars(changes, marked=marked),
            key=f"{key}_log_probs",
            below=total,
            numbers=changes,
            changes=_largest_changes(changes),
            text=run.translation.text,
        )


def change_words(change: float) -> str:
    """Return a change of log P in words: a factor, or nats if it is small."""
    # Half of the last digit shown.
    if abs(change) < 0.0005:
        return say("masks-effect-same" if change == 0 else "masks-effect-hardly")
    if abs(change) < LEAST_FACTOR:
        return _signed(change)
    likelier = "likelier" if change > 0 else "less-likely"
    return say(f"masks-effect-{likelier}", factor=abs(change))


def _largest_changes(changes: pd.DataFrame) -> str:
    most = changes.reindex(changes["change"].abs().sort_values(ascending=False).index)[:3]
    return ", ".join(
        say("masks-token-change", token=plain(token), change=_signed(change))
        for token, change in zip(most["token"], most["change"], strict=True)
    )


def _signed(change: float) -> str:
    """Format with two decimals, three if two would show nothing, and "0" for smaller values."""
    return signed(change, 3 if abs(change) < 0.01 else 2) if abs(change) >= 5e-4 else "0"


def show_next_tokens(run: Run, effect: InterventionEffect, *, key: str, position: int) -> None:
    ids = run.output.ids
    table = next_tokens(*next_candidates(run, effect.change, ids[:position]), MOST_BARS)
    # The likeliest token of either side.
    first, second = (table.loc[table[side].idxmax()] for side in ("before", "after"))
    picture(
        "masks-effect-next",
        next_token_bars(table, written=ids[position]),
        key=f"{key}_next",
        numbers=table,
        first=plain(first.token),
        first_before=first.before,
        second=plain(second.token),
        second_after=second.after,
        position=position + 1,
        text=run.translation.text,
    )


def _position_menu(run: Run, effect: InterventionEffect, key: str) -> int:
    """Draw the menu of output positions and return the position; at first the most telling one."""
    labels = numbered_labels(run.output.tokens)
    telling, reason = _telling(run, effect)
    followed = say(f"masks-effect-position-{reason}", token=labels[telling])
    menu = f"{key}_position"
    # The browser keeps the label of an option until its value is set again.
    label = f"{menu}_label"
    if st.session_state.get(label) != followed and menu in st.session_state:
        st.session_state[menu] = st.session_state[menu]
    st.session_state[label] = followed
    position = choice(
        # The choice is not in the address: a position means something for this output only.
        menu,
        range(FOLLOWED, len(labels)),
        words="masks-effect-position",
        style="select",
        address=False,
        text=lambda i: followed if i == FOLLOWED else labels[i],
        of=run.identity,
        width=340,
    )
    return telling if position == FOLLOWED else position


def _telling(run: Run, effect: InterventionEffect) -> tuple[int, str]:
    """Return the position to look at and why: the replaced pronoun, else `telling_position`."""
    pronoun = pronoun_position(run)
    if pronoun is not None and _pronoun_words(run, effect):
        return pronoun, "pronoun"
    change = effect.log_probs - effect.plain_log_probs
    return telling_position(run.output.ids, effect.output.ids, change)
