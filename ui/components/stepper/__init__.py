"""Number by which figures draw, changed in the browser by a slider, buttons, keys or playing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import streamlit as st

from core.card import fingerprint_of
from ui.frame.choices import DECIMAL, NUMBER, AddressForm, choose, follow_default, kept, read
from ui.frame.messages import say

from .. import browser_sent, component, place_below, sent

Figures: TypeAlias = Iterable[str] | Mapping[str, Sequence[float] | None]
"""Keys of figures; with the pixel of each step if a figure scrolls."""
BUTTONS = ("back", "play", "pause", "on")
_mount = component("stepper")


def kept_step(key: str, last: int, default: float, *, of: object = None, unit: float = 1) -> Any:
    """Return the value of a `stepper` before it is drawn."""
    form = NUMBER if unit == 1 else DECIMAL
    most = last * unit
    follow_default(key)

    def read_below(key: str, form: AddressForm) -> Any:
        value = read(key, form)
        # The address may come from a longer figure.
        return None if value is None else min(value, most)

    return kept(key, form, default, of=of, read=read_below, sound=lambda value: value <= most)


def stepper(
    key: str,
    last: int,
    default: float,
    figures: Figures,
    *,
    signal: str,
    words: str,
    group: str = "",
    of: object = None,
    unit: float = 1,
    digits: int = 0,
    buttons: bool = False,
    open_at: int | None = None,
    names: Sequence[str] = (),
) -> Any:
    """Draw a stepper and return its number, from 0 to `last` times `unit`.

    It is kept in session and address under its `key`.

    Parameters
    ----------
    figures : keys of the figures that it drives; with the pixel of each step if one scrolls.
    signal : name of the parameter in their specifications.
    words : id of its label.
    group : id of the label of stepper and buttons, by default ``<words>-help``.
    of : the thing it is chosen for; when that changes, it returns to `default`.
    buttons : add buttons for single steps and playing.
    open_at : the step to scroll to while all are drawn.
    names : of the steps, if they are not numbers.
    """
    value = kept_step(key, last, default, of=of, unit=unit)
    identity = fingerprint_of({"of": repr((key, of))})
    _mount(
        key=f"{key}_slider",
        data={
            "identity": identity,
            "step": round(value / unit),
            "last": last,
            "answered": st.session_state.get(f"{key}_answered", 0),
            "signal": signal,
            "unit": unit,
            "digits": digits,
            "open": open_at,
            "names": list(names) or None,
            "figures": _figures(figures),
            "steps": buttons,
            "words": {
                "group": say(group or f"{words}-help"),
                "step": say(words),
                **{name: say(f"stepper-{name}") for name in BUTTONS},
            },
        },
        on_step_change=partial(_take_step, key, identity, last, unit, digits),
    )
    return value


def _figures(figures: Figures) -> list[dict[str, Any]]:
    """Return key and pixels of each figure, as the browser reads them."""
    pixels = figures if isinstance(figures, Mapping) else dict.fromkeys(figures)
    return [
        {"key": name, "places": None if places is None else [float(x) for x in places]}
        for name, places in pixels.items()
    ]


def _take_step(key: str, identity: str, last: int, unit: float, digits: int) -> None:
    """Take over the browser's step before the page is redrawn (callback)."""
    moved = sent(browser_sent(f"{key}_slider", "step"), identity)
    at = place_below(moved.get("step"), last + 1)
    if at is not None:
        value = at if unit == 1 else round(at * unit, digits)
        choose({f"{key}_answered": moved["number"], key: value})
