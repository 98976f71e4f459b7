"""A number that figures draw by, moved in the browser: a slider, or buttons, keys and play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from ui.words import say

from .. import component, place_below, sent

BUTTONS = ("back", "play", "pause", "on")
_mount = component("stepper")


def stepper(
    step: int,
    last: int,
    figures: Mapping[str, Sequence[float] | None],  # by key, pixels of each step where it scrolls
    *,
    signal: str,  # of their specifications; is given the step times `unit`
    key: str,
    identity: str,
    words: Mapping[str, str],  # "group" and "step"
    on_step: Callable[[int], None],
    buttons: bool = False,
    unit: float = 1,
    digits: int = 0,
    open_at: int | None = None,  # brought into view while all are drawn
    names: Sequence[str] = (),  # beside the slider, where a step is not its number
) -> None:
    """Show the component; `on_step` is told where the reader has come to rest."""
    state, answered = st.session_state, f"{key}_answered"

    def take() -> None:
        value = sent((state.get(key) or {}).get("step"), identity)
        at = place_below(value.get("step"), last + 1)
        if at is not None:
            state[answered] = value["number"]
            on_step(at)

    _mount(
        key=key,
        data={
            "identity": identity,
            "step": step,
            "last": last,
            "answered": state.get(answered, 0),
            "signal": signal,
            "unit": unit,
            "digits": digits,
            "open": open_at,
            "names": list(names) or None,
            "figures": [
                {"key": name, "places": None if places is None else [float(x) for x in places]}
                for name, places in figures.items()
            ],
            "steps": buttons,
            "words": {**words, **{name: say(f"stepper-{name}") for name in BUTTONS}},
        },
        on_step_change=take,
    )
