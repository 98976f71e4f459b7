"""Measured times and memory of layers, the powers they grow by, and a measurement here and now."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from analysis.costs import DIALS, FIRST_FITTED, costs_table, crossing, fitted_exponents
from model.layers import WIDTH, WINDOW, measured_layers
from records import LAYERS, MEASURES, SCORES, Costs
from ui.choice import choice
from ui.kit.blocks import plot_block
from ui.shared import cached
from ui.state import Run
from ui.waiting import interrupted, long_turn
from ui.words import say
from viz import cost
from words import numbers

from .dials import dial
from .stored import made_by, stored_costs

HERE_LENGTHS, HERE_WIDTHS, HERE_SECONDS = (32, 128, 512), (64, 256), 7.0
SHARED = 60  # seconds in which all who press the button are given the same measurement
EXPECTED = {
    "attention": (1, 2), "gru": (1, 1), "lstm": (1, 1), "convolution": (1, 1), "dilated": (1, 1),
    "restricted": (1, 1), "dot": (2, 2), "additive": (2, 2),
}  # fmt: skip


def layers(run: Run) -> None:
    show(LAYERS, "cost_layers")


def scores(run: Run) -> None:
    show(SCORES, "cost_scores")


def show(kinds: Sequence[str], key: str) -> None:
    """The lines, the fitted powers, and the button that measures here."""
    costs = stored_costs()
    if costs is None:
        return
    table = costs_table(costs)
    measure = choice("cost_measure", MEASURES, words="cost-measure")
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        with st.container(width=240):
            widths = DIALS["d_step"]
            width = widths[dial("cost_d", len(widths) - 1)]
        here = measure_here(kinds, key)
    powers = fitted_exponents(table, kinds, measure)
    now = None if here is None else costs_table(here)
    rings = "" if here is None else say("cost-here-done", n=len(here.rows))
    plot_block(
        cost.measured_lines(table, kinds, measure, width, powers, here=now),
        key=key,
        alt=say("cost-measured-alt", measure=measure),
        name=say("cost-measured-name", measure=measure),
        numbers=lambda: table[table["kind"].isin(kinds)],
        caption=" ".join(filter(None, (made_by(costs), rings))),
    )
    crossed(table, kinds, measure, width)
    exponents(powers[powers["at"] == width], width)


def crossed(table: pd.DataFrame, kinds: Sequence[str], measure: str, d: int) -> None:
    """From which n on the first kind costs more than the second, measured."""
    first, second = kinds[0], kinds[1]
    at = crossing(table, first, second, measure, d)
    names = {"first": cost.layer_name(first),
             "second": cost.layer_name(second)}  # fmt: skip
    lengths = table[(table["d"] == d) & (table["kind"] == first)]["n"]
    if at is not None:
        st.markdown(say("cost-crossed", n=numbers.fixed(at, 0), d=d, measure=measure, **names))
    else:
        most = int(lengths.max()) if len(lengths) else 0
        st.markdown(say("cost-not-crossed", most=most, d=d, measure=measure, **names))


def exponents(found: pd.DataFrame, d: int) -> None:
    """The powers of n by which each kind of width d grows, with their intervals."""
    st.markdown("## " + say("cost-exponents-title"))
    if found.empty:
        st.markdown(say("cost-exponents-none"))
        return
    interval = [
        say("cost-interval", low=numbers.fixed(low), high=numbers.fixed(high))
        for low, high in zip(found["low"], found["high"], strict=True)
    ]
    st.dataframe(
        pd.DataFrame(
            {
                "layer": [cost.layer_name(kind) for kind in found["kind"]],
                "exponent": found["exponent"].to_numpy(),
                "interval": interval,
                "counted": [_counted(kind) for kind in found["kind"]],
                "points": found["points"].to_numpy(),
            }
        ),
        key="cost_exponents",
        hide_index=True,
        width="content",
        column_config={
            "layer": st.column_config.TextColumn(say("cost-layer")),
            "exponent": st.column_config.NumberColumn(say("cost-exponent"), format="%.2f"),
            "interval": st.column_config.TextColumn(say("cost-interval-title")),
            "counted": st.column_config.TextColumn(say("cost-counted")),
            "points": st.column_config.NumberColumn(say("cost-points"), format="%d"),
        },
        alt=say("cost-exponents-alt"),
    )
    st.caption(say("cost-exponents-how", first=FIRST_FITTED, d=d))


def _counted(kind: str) -> str:
    """The power that counting gives, or both ends where it has two terms."""
    low, high = EXPECTED[kind]
    return str(low) if low == high else say("cost-from-to", low=low, high=high)


# Here and now


@dataclass(frozen=True)
class Moment:
    """What a measurement is shared by: its kinds, and the minute it was asked for."""

    kinds: tuple[str, ...]
    minute: int


def measure_here(kinds: Sequence[str], key: str) -> Costs | None:
    """The button, and what it found last in this session."""
    kept = f"{key}_here"
    if st.button(
        say("cost-here"),
        key=f"{kept}_button",
        icon=":material/timer:",
        help=say("cost-here-help"),
    ):
        moment = Moment(tuple(kinds), int(time.time() // SHARED))
        st.session_state[kept] = measured_here(moment)
    return st.session_state.get(kept)


@cached("kinds", "minute", max_entries=4, spinner="cost-here-working")
def measured_here(moment: Moment) -> Costs:
    """A few lengths and widths of each kind, as one of few long measurements at once."""
    with long_turn():
        end = time.monotonic() + HERE_SECONDS
        rows = measured_layers(
            HERE_LENGTHS,
            HERE_WIDTHS,
            moment.kinds,
            seconds=HERE_SECONDS / 2,
            stop=lambda: interrupted() or time.monotonic() > end,
        )
        return Costs(tuple(rows), WIDTH, WINDOW)
