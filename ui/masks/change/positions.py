"""Positions of either side that are not what they would be."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from records import POSITION_MODES, Intervention, Positions
from ui.effect.reading import Reading
from ui.kit.controls import choice
from ui.kit.layout import control_row
from ui.masks.built import set_change
from ui.state import Run
from ui.words import say

from .place import Place

SIDES = ("source", "target")
MOST_OFFSET, MOST_SEED = 1000, 9999


def show(run: Run, change: Intervention, place: Place, reading: Reading | None) -> None:
    for side in SIDES:
        positions = change.positions(side)
        prefix = f"change_{side}"
        take = partial(_take_positions, run, change, side)
        with control_row():
            choice(
                f"{prefix}_mode",
                POSITION_MODES,
                words=f"position_{side}",
                style="select",
                shown=positions.mode,
                text=lambda mode: say(f"positions-mode-{mode}"),
                width=180,
                on_change=take,
            )
            if positions.mode == "shifted":
                _whole_number(f"{prefix}_offset", "by", positions.offset, MOST_OFFSET, take)
            if positions.mode == "permuted":
                _whole_number(f"{prefix}_seed", "seed", positions.seed, MOST_SEED, take)
    st.caption(say("masks-change-positions-caption", n=len(run.translation.tgt)))


def _whole_number(key: str, name: str, value: int, most: int, take: Callable[[], None]) -> None:
    st.session_state[key] = min(value, most)
    title = say(f"masks-change-positions-{name}")
    st.number_input(title, 0, most, key=key, width=130, on_change=take)


def _take_positions(run: Run, change: Intervention, side: str) -> None:
    state, prefix = st.session_state, f"change_{side}"
    old = change.positions(side)
    positions = Positions(
        state[f"{prefix}_mode"],
        offset=state.get(f"{prefix}_offset", old.offset or 3),
        seed=state.get(f"{prefix}_seed", old.seed),
        span=len(run.translation.tgt) if side == "target" else None,
        side=side,
    )
    set_change(run, Intervention(*change, positions))
