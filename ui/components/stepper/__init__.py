"""A number that figures draw by, moved in the browser: a slider, or buttons, keys and play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from ui.words import say

from .. import script

BUTTONS = ("back", "play", "pause", "on")
_HERE = Path(__file__).resolve().parent

_mount = st.components.v2.component(
    "attention_lab_stepper",
    html=(_HERE / "stepper.html").read_text(encoding="utf-8"),
    css=(_HERE / "stepper.css").read_text(encoding="utf-8"),
    js=script(_HERE, "stepper"),
)


def read_step(value: Any, identity: str, last: int) -> tuple[int, int] | None:
    """The step that a browser sent and its running number.

    None when it makes no sense, or is about another sentence.
    """
    if not isinstance(value, dict) or value.get("identity") != identity:
        return None
    step, number = value.get("step"), value.get("number")
    whole = all(type(each) is int for each in (step, number))
    return (step, number) if whole and 0 <= step <= last else None


def stepper(
    step: int,
    last: int,
    figures: Mapping[str, Sequence[float] | None],
    *,
    signal: str,
    key: str,
    identity: str,
    words: Mapping[str, str],
    on_step: Callable[[int], None],
    buttons: bool = False,
    unit: float = 1,
    digits: int = 0,
    open_at: int | None = None,
    names: Sequence[str] = (),
) -> None:
    """Show the component; `on_step` is told where the reader has come to rest."""
    state, answered = st.session_state, f"{key}_answered"

    def take() -> None:
        found = read_step((state.get(key) or {}).get("step"), identity, last)
        if found is not None:
            step, state[answered] = found
            on_step(step)

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
