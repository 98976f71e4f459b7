"""The sliders of the encoding, and which of its values is worked out."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.positions import (
    spread_dimensions,
)
from records import PositionTable
from ui.words import say

LEAST_D_MODEL, MOST_D_MODEL = 2, 512
LEAST_LENGTH, MOST_LENGTH = 1, 512
BASES = (
    *(10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000),
    *(7_000, 10_000, 15_000, 20_000, 30_000, 50_000, 70_000, 100_000),
)


def mark_toggle() -> bool:
    return st.toggle(
        say("positions-mark-label"),
        True,
        key="encoding_mark",
        bind="query-params",
        help=say("positions-mark-help"),
    )


def sliders(own: PositionTable, from_model: bool, n_tokens: int) -> tuple[int, int, float, bool]:
    """Length, d_model and base, those of the model on request; and whether to mark the sentence."""
    n_positions, d_model = own.values.shape
    base = own.base
    columns = st.columns([4, 4, 4, 3], gap="medium")
    if from_model:
        fixed_sliders(d_model, base, columns)
    else:
        with columns[0]:
            d_model = d_model_slider(d_model)
        with columns[1]:
            base = base_slider(base)
    with columns[2]:
        length = length_slider(n_positions, from_model)
        mark = mark_toggle()
    with columns[3], st.container(gap="xsmall"):
        reset_buttons(own, n_tokens)
    return length, d_model, base, mark


def length_slider(n_positions: int, from_model: bool) -> int:
    length = st.slider(
        say("positions-length-label"),
        LEAST_LENGTH,
        MOST_LENGTH,
        _within(n_positions, LEAST_LENGTH, MOST_LENGTH),
        key="encoding_length",
        bind="query-params",
        help=say("positions-length-help"),
    )
    if from_model and length > n_positions:
        st.caption(say("positions-table-ends", last=n_positions - 1))
        return n_positions
    return length


def reset_buttons(own: PositionTable, n_tokens: int) -> None:
    n_positions, d_model = own.values.shape
    as_in_model = {
        "encoding_d_model": _within(d_model, LEAST_D_MODEL, MOST_D_MODEL),
        "encoding_base": own.base,
        "encoding_length": _within(n_positions, LEAST_LENGTH, MOST_LENGTH),
    }
    st.button(
        say("positions-as-model-label"),
        key="encoding_reset",
        icon=":material/restart_alt:",
        on_click=_set,
        kwargs=as_in_model,
        width="stretch",
        help=say("positions-as-model-help", d_model=d_model, base=f"{own.base:,g}", n=n_positions),
    )
    st.button(
        say("positions-as-sentence-label"),
        key="encoding_fit",
        icon=":material/fit_width:",
        on_click=_set,
        kwargs={"encoding_length": _within(n_tokens, LEAST_LENGTH, MOST_LENGTH)},
        width="stretch",
        help=say("positions-as-sentence-help", n=n_tokens),
    )


def d_model_slider(own: int) -> int:
    asked = st.slider(
        say("positions-d-model-label"),
        LEAST_D_MODEL,
        MOST_D_MODEL,
        _within(own, LEAST_D_MODEL, MOST_D_MODEL),
        2,
        key="encoding_d_model",
        bind="query-params",
        help=say("positions-d-model-help"),
    )
    if asked % 2:
        st.caption(say("positions-d-model-odd", asked=asked, shown=asked - 1))
    return asked - asked % 2


def base_slider(own: float) -> float:
    return st.select_slider(
        say("positions-base-label"),
        bases(own),
        own,
        key="encoding_base",
        format_func=lambda base: f"{base:g}",
        bind="query-params",
        help=say("positions-base-help"),
    )


def bases(own: float) -> list[float]:
    """The bases to choose from, the model's among them."""
    return sorted({*map(float, BASES), own})


def fixed_sliders(d_model: int, base: float, columns: Sequence[DeltaGenerator]) -> None:
    """What the model was built with, where the other sliders stand."""
    low, high = min(d_model, LEAST_D_MODEL), max(d_model, MOST_D_MODEL)
    with columns[0]:
        label = say("positions-d-model-label")
        st.slider(label, low, high, d_model, 2, key="encoding_own_d_model", disabled=True)
    with columns[1]:
        st.select_slider(
            say("positions-base-label"),
            bases(base),
            base,
            key="encoding_own_base",
            format_func=lambda each: f"{each:g}",
            disabled=True,
        )


def chosen_value(length: int, d_model: int, most: int) -> tuple[int, int]:
    """The position and the dimension whose value is worked out; the nearest there are."""
    columns = st.columns(2)
    with columns[0]:
        position = st.number_input(
            say("positions-pos-label"),
            0,
            MOST_LENGTH - 1,
            4,
            key="encoding_pos",
            bind="query-params",
        )
    with columns[1]:
        dimension = st.number_input(
            say("positions-dim-label"),
            0,
            most - 1,
            spread_dimensions(d_model)[0],
            key="encoding_dim",
            bind="query-params",
        )
    found = min(position, length - 1), min(dimension, d_model - 1)
    for name, asked, last in (
        ("pos", position, length - 1),
        ("dim", dimension, d_model - 1),
    ):
        if asked > last:
            st.caption(say(f"positions-{name}-beyond", asked=asked, last=last))
    return found


def _set(**values: float) -> None:
    for key, value in values.items():
        st.session_state[key] = value


def _within(number: int, low: int, high: int) -> int:
    return max(low, min(high, number))
