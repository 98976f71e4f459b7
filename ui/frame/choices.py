"""Choices of the reader: kept in the session, spelt in the address, read back on arrival.

    heads = kept("heads", SOUND_PLACES, (0,))                 # a value without a widget
    settle("beam", NUMBER, 5)                                 # a value, before its widget is drawn
    keep("beam", NUMBER, st.slider("Beam", key="beam"), 5)    # and after
    draft = remembered("change", draft_in_address)            # a value of several parts
    button("undo", choose, {"hidden": ()})                    # a click

The key of a value in the session is its name in the address, which leaves out defaults. The session
decides, except when the reader `arrives`: then the address does. `ui.frame.address` has the
spelling of values (`AddressForm`), `ui.kit.controls` the widgets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import streamlit as st

from . import address
from .address import AddressForm

Value = TypeVar("Value")


def arrives(key: str) -> bool:
    """Return True if the address decides on `key`: on the first visit, and after Back or a link."""
    return key not in st.session_state or address.by_history()


def remembered(key: str, from_address: Callable[[], Value]) -> Value:
    """Return the session's value of `key`; if the reader `arrives`, that of `from_address`."""
    if arrives(key):
        st.session_state[key] = from_address()
    value: Value = st.session_state[key]
    return value


def default_of(key: str) -> Any:
    """Return the default that `settle` was last called with for `key`."""
    return st.session_state[f"{key}_default"][0]


def follow_default(key: str) -> None:
    """Let a value that the reader has set back to its default follow later defaults again."""
    state = st.session_state
    default_key = f"{key}_default"
    if default_key in state:
        last_default, _, last_of = state[default_key]
        if state.get(key) == last_default:
            state[default_key] = last_default, False, last_of


def choose(values: Mapping[str, Any]) -> None:
    """Take over choices of the reader, by key (for callbacks)."""
    for key, value in values.items():
        st.session_state[key] = value


def resolve(
    *,
    arrives: bool,
    from_address: Value | None,
    held: Value | None,
    default: Value,
    sound: Callable[[Any], bool],
) -> Value:
    """Return the value of a control.

    Parameters
    ----------
    arrives : True if the reader comes from outside, went back or followed a link; the address wins.
    from_address : value in the address; None if missing or invalid.
    held : value in the session, from a click or an earlier run.
    sound : returns True for a valid value.
    """
    value = from_address if arrives else held
    return default if value is None or not sound(value) else value


def kept(
    key: str,
    form: AddressForm,
    default: Value,
    *,
    sound: Callable[[Any], bool] = lambda value: True,
    read: Callable[[str, AddressForm], Any] = address.read,
    of: object = None,
) -> Value:
    """Return the value of a control from session and address; `settle` and `keep` in one."""
    settle(key, form, default, sound=sound, read=read, of=of)
    return keep(key, form, st.session_state[key], default)


def settle(
    key: str,
    form: AddressForm,
    default: Value,
    *,
    sound: Callable[[Any], bool] = lambda value: True,
    read: Callable[[str, AddressForm], Any] = address.read,
    of: object = None,
) -> None:
    """Put the value of a control into the session before it is drawn.

    A value that neither the reader nor an address chose follows its default. A choice is forgotten
    when `of`, the thing it was made for, changes. `read` looks the value up in the address.
    """
    state = st.session_state
    default_key = f"{key}_default"
    # `is_chosen`: the value comes from the reader or an address rather than from a default.
    last_default, is_chosen, last_of = state.get(default_key, (default, False, of))
    is_arrival = arrives(key)
    from_address = read(key, form) if is_arrival else None
    held = state.get(key)
    if is_arrival:
        is_chosen = from_address is not None
    else:
        # A widget writes to the session between runs, so a difference means a click.
        is_chosen = last_of == of and (is_chosen or held != last_default)
        if not is_chosen:
            held = default
    value = resolve(
        arrives=is_arrival, from_address=from_address, held=held, default=default, sound=sound
    )
    # Now, because Streamlit forbids assignments once the widget is drawn.
    if key not in state or state[key] != value:
        state[key] = value
    state[default_key] = default, is_chosen, of


def keep(key: str, form: AddressForm, value: Value, default: Value) -> Value:
    """Return `value`, and keep it in the address unless it is the default."""
    address.write(key, None if value == default else value, form)
    return value


def peek_choice(key: str, options: Sequence[str], default: str) -> str:
    """Return the value that a `choice` of ids (`ui.kit.controls`) will have, before it is drawn."""
    is_arrival = arrives(key)
    return resolve(
        arrives=is_arrival,
        from_address=address.option(key, options) if is_arrival else None,
        held=st.session_state.get(key),
        default=default,
        sound=options.__contains__,
    )
