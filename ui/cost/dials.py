"""Sliders that move figures in the browser; the server only hears where they came to rest."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from analysis.costs import DIALS, FIRST_STEPS
from ui import address
from ui.components.stepper import read_step, stepper
from ui.words import say

SIGNALS = {f"cost_{name}": f"{name}_step" for name in "ndkr"} | {"cost_step": "path_step"}
LABELS = {
    f"cost_{name}": tuple(f"{name} = {value:,}" for value in DIALS[f"{name}_step"])
    for name in "ndkr"
}


def dial(key: str, last: int, figures: Sequence[str] = (), *, steps: bool = False) -> int:
    """A slider for the variable of `SIGNALS`; where it stands.

    Parameters
    ----------
    figures : keys of the figures that it moves; others are drawn anew where it comes to rest.
    steps : with buttons, arrow keys and play.
    """
    start = FIRST_STEPS[SIGNALS[key]]
    memory = st.session_state.get(key)
    if memory is None or address.by_history():
        asked = address.read(key)
        memory = {"step": start if asked is None or asked > last else asked, "answered": 0}
        st.session_state[key] = memory
    words = {"group": say(f"{key.replace('_', '-')}-help"), "step": say(key.replace("_", "-"))}
    if steps:
        words |= {name: say(f"cost-{name}") for name in ("back", "play", "pause", "on")}
    stepper(
        memory["step"],
        last,
        dict.fromkeys(figures),
        signal=SIGNALS[key],
        key=f"{key}_slider",
        identity=key,
        answered=memory["answered"],
        names=LABELS.get(key, ()),
        words=words,
        on_step=partial(_take, key, last),
    )
    address.drawn(key)
    address.write(key, None if memory["step"] == start else memory["step"])
    return memory["step"]


def _take(key: str, last: int) -> None:
    found = read_step((st.session_state.get(f"{key}_slider") or {}).get("step"), key, last)
    if found is not None:
        step, number = found
        st.session_state[key] = {"step": step, "answered": number}
