"""Measured times and memory of layers, the powers they grow by, and a measurement here and now."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from analysis.costs import FIRST_FITTED, costs_table, crossing, fitted_exponents
from model.layers import WIDTH, WINDOW, measured_layers
from records import LAYERS, MEASURES, SCORES, Costs
from ui.kit.blocks import picture, table
from ui.kit.controls import choice
from ui.kit.layout import controls, finding, folded, subtitle
from ui.shared import cached
from ui.state import Run
from ui.waiting import interrupted, long_turn
from ui.words import say
from viz import cost
from words.numbers import factor, fixed

from .counted import size_dial
from .stored import made_by, stored_costs

HERE_LENGTHS, HERE_WIDTHS, HERE_SECONDS = (32, 128, 512), (64, 256), 7.0
SHARED = 60  # seconds in which all who press the button are given the same measurement
EXPECTED = dict.fromkeys(LAYERS, (1, 1)) | dict.fromkeys(SCORES, (2, 2)) | {"attention": (1, 2)}
"""The power of n that counting gives, or both ends where it has two terms."""


def layers(run: Run) -> None:
    show(LAYERS, "cost_layers")


def scores(run: Run) -> None:
    show(SCORES, "cost_scores")


def show(kinds: Sequence[str], key: str) -> None:
    """The lines, the fitted powers, and the button that measures here."""
    costs = stored_costs()
    if costs is None:
        return
    with controls():
        look = {"style": "select", "title": False, "width": 215}
        measure = choice("cost_measure", MEASURES, words="cost-measure", **look)
        width = size_dial("d")
    place = st.container()
    here = measure_here(kinds, key)
    rows = costs_table(costs)
    rows = rows[rows["kind"].isin(kinds)]
    powers = fitted_exponents(rows, kinds, measure)
    finding(crossing_words(rows, kinds, measure, width))
    now = None if here is None else costs_table(here)
    with place:
        picture(
            "cost-measured",
            cost.measured_lines(rows, kinds, measure, width, powers, here=now),
            key=key,
            below="" if here is None else say("cost-here-done", n=len(here.rows)),
            numbers=rows,
            measure=measure,
        )
    subtitle("cost-exponents-title")
    exponents(powers[powers["at"] == width], width)
    with folded("reading"):
        st.caption(made_by(costs))


def crossing_words(rows: pd.DataFrame, kinds: Sequence[str], measure: str, d: int) -> str:
    """From which n on the first kind costs more than the second, measured."""
    first, second = kinds[:2]
    told = {"first": cost.layer_name(first), "second": cost.layer_name(second), "d": d}
    at = crossing(rows, first, second, measure, d)
    if at is not None:
        return say("cost-crossed", n=fixed(at, 0), measure=measure, **told)
    wide = rows[rows["d"] == d].pivot(index="n", columns="kind", values=measure)
    both = wide[wide > 0].reindex(columns=[first, second]).dropna()
    if both.empty:
        return say("cost-exponents-none")
    least, most = sorted(both.iloc[-1])
    longest = {"most": int(wide.index.max()), "n": int(both.index[-1])}
    return say("cost-not-crossed", factor=factor(math.log(most / least)), **longest, **told)


def exponents(found: pd.DataFrame, d: int) -> None:
    """The powers of n by which each kind of width d grows, with their intervals."""
    if found.empty:
        st.markdown(say("cost-exponents-none"))
        return
    lines = {
        "layer": found["kind"].map(cost.layer_name),
        "exponent": found["exponent"],
        "interval": [
            say("cost-interval-told", low=fixed(low), high=fixed(high))
            for low, high in zip(found["low"], found["high"], strict=True)
        ],
        "counted": [
            str(low) if low == high else say("cost-from-to", low=low, high=high)
            for low, high in map(EXPECTED.get, found["kind"])
        ],
        "points": found["points"],
    }
    told = {"words": "cost", "first": FIRST_FITTED, "d": d}
    formats = {"exponent": "%.2f"}
    table("cost-exponents", pd.DataFrame(lines), key="cost_exponents", formats=formats, **told)


# Here and now


@dataclass(frozen=True)
class Moment:
    """What a measurement is shared by: its kinds, and the minute it was asked for."""

    kinds: tuple[str, ...]
    minute: int


def measure_here(kinds: Sequence[str], key: str) -> Costs | None:
    """The button, and what it found last in this session."""
    kept = f"{key}_here"
    asks = {"icon": ":material/timer:", "help": say("cost-here-help")}
    if st.button(say("cost-here"), key=f"{kept}_button", **asks):
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
