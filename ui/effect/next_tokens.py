"""What could stand at one position of the original output, before a change and after it."""

from __future__ import annotations

import streamlit as st

from analysis.effect import next_tokens, telling_position
from analysis.labels import numbered_labels
from ui.kit.blocks import figure_block
from ui.state import Run
from ui.words import plain, say
from viz.effect import next_token_bars
from words import numbers

from .chosen import chosen, keep
from .reading import MOST_BARS, Effect, next_candidates

FOLLOWED = -1  # what the menu calls "let the page choose"


def show_next_tokens(run: Run, effect: Effect, *, key: str) -> None:
    """What could stand at one position of the original output, before and after."""
    tgt = run.translation.tgt
    position = position_menu(run, effect, key=key)
    before, after = next_candidates(run, effect.change, tgt.ids[:position])
    table = next_tokens(before, after, MOST_BARS)
    first, second = table.sort_values("before").iloc[-1], table.sort_values("after").iloc[-1]
    figure_block(
        next_token_bars(table, written=tgt.ids[position]),
        key=f"{key}_next",
        alt=say("masks-effect-next-alt"),
        name=say("masks-effect-next-file", position=position + 1, text=run.translation.text),
        caption=say(
            "masks-effect-next-caption",
            first=plain(first.token),
            first_before=numbers.percent(first.before),
            second=plain(second.token),
            second_after=numbers.percent(second.after),
        ),
        numbers=lambda: table,
    )


def position_menu(run: Run, effect: Effect, *, key: str) -> int:
    """The position to look at: the page's choice, or the person's while the output stays."""
    labels = numbered_labels(run.translation.tgt.tokens)
    own, why = _telling(run, effect)
    followed = say(f"masks-effect-position-{why}", token=labels[own])
    menu = f"{key}_position"
    place = chosen_position(run, effect, key)
    st.session_state[menu] = FOLLOWED if chosen(menu, run.identity) is None else place
    st.selectbox(
        say("masks-effect-position"),
        range(FOLLOWED, len(labels)),
        key=menu,
        format_func=lambda i: followed if i == FOLLOWED else labels[i],
        on_change=_take_position,
        args=(menu, run.identity),
        width=340,
    )
    return place


def chosen_position(run: Run, effect: Effect, key: str) -> int:
    """The person's position, or the one that tells most."""
    own = chosen(f"{key}_position", run.identity)
    return _telling(run, effect)[0] if own is None else own


def _telling(run: Run, effect: Effect) -> tuple[int, str]:
    change = effect.log_probs - effect.plain_log_probs
    return telling_position(run.translation.tgt.ids, effect.translation.tgt.ids, change)


def _take_position(menu: str, identity: object) -> None:
    value = st.session_state[menu]
    keep(menu, identity, None if value == FOLLOWED else value)
