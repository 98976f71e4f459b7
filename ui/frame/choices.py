"""Choices of the reader: kept in the session, spelt in the address, read back on arrival.

    heads = kept("heads", SOUND_PLACES, (0,))                 # a value without a widget
    settle("beam", NUMBER, 5)                                 # a value, before its widget is drawn
    keep("beam", NUMBER, st.slider("Beam", key="beam"), 5)    # and after
    draft = remembered("change", draft_in_address)            # a value of several parts
    button("undo", choose, {"hidden": ()})                    # a click

The key of a value in the session is its name in the address, which leaves out defaults. The session
decides, except when the reader `arrives`: then the address does. `ui.kit.controls` has the widgets.

An `AddressForm` spells the values of a control, options by id. Addresses from before there were ids
hold the label of an option; ``old_labels.json`` maps these to ids until the date that it names.

>>> PLACES.write((0, 2)), PLACES.read("3,1,x,0")
('1,3', (0, 2))
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st

from . import address
from .address import IN_BODY

Value = TypeVar("Value")
MOST_LENGTH = 1000  # characters of a value that are read
_MISSING = object()
WATCHED = "history_watched"
CLOSED = "none"
ROOT = "root"
TYPED = ("text", "second", "begin", "document_text")
"""Text boxes, changed letter by letter; Back undoes them as one step."""
_WAITING = "address_waiting"
"""Session key: values held back until the browser's history is watched."""
_DEFAULTS = "defaults_of_controls"
"""Session key: what `settle` keeps of each control."""
OF_FRAME = "address_of_frame"
"""Session key: names of controls drawn in the frame."""
OF_BODY = "address_of_body"
"""Session key: names of controls drawn on the page; False for those that left it."""


@dataclass(frozen=True)
class AddressForm:
    """Spelling of a value in the address.

    `read` takes any text and returns None if it is invalid. `write` returns None to leave the name
    out, or a list for a name that occurs several times. At most `most` characters are read.
    """

    read: Callable[[str], Any]
    write: Callable[[Any], str | list[str] | None]
    most: int = MOST_LENGTH


def _numbers(text: str, separator: str, least: int) -> tuple[int, ...] | None:
    parts = text.split(separator)
    # isdigit alone accepts digits of other scripts; eight digits would pass any index here.
    sound = [p for p in parts if p.isascii() and p.isdigit() and len(p) < 8 and int(p) >= least]
    return tuple(map(int, sound)) if len(sound) == len(parts) else None


def _places(text: str) -> tuple[int, ...] | None:
    sound = (_numbers(part, ",", 1) or () for part in text.split(","))
    return tuple(sorted({number - 1 for numbers in sound for number in numbers})) or None


def _number(text: str) -> int | None:
    numbers = _numbers(text, ".", 0) or ()
    return numbers[0] if len(numbers) == 1 else None


def _decimal(text: str) -> float | None:
    sound = text.isascii() and len(text) < 8 and text.replace(".", "", 1).isdigit()
    return float(text) if sound else None


def _node(text: str) -> tuple[int, ...] | str | None:
    if text == CLOSED:
        return CLOSED
    return () if text == ROOT else _numbers(text, ".", 0)


def _joined_texts(joint: str) -> AddressForm:
    """Return the form of distinct texts that are joined by `joint`."""
    return AddressForm(
        lambda text: tuple(dict.fromkeys(filter(None, text.split(joint)))) or None,
        lambda names: joint.join(names) or None,
    )


TEXT = AddressForm(str, str)
LONG = AddressForm(str, str, most=10**6)
"""A text of any length, whose reader checks the length itself."""
OPTION = AddressForm(lambda text: text or None, str)
"""The id of an option; `option` checks it against the ids that exist."""
PLACES = AddressForm(_places, lambda indices: ",".join(str(i + 1) for i in indices) or None)
"""Positions from 0, spelt from 1; parts that are no numbers are skipped."""
SOUND_PLACES = AddressForm(
    lambda text: _places(text) if _numbers(text, ",", 1) else None, PLACES.write
)
"""Positions as in `PLACES`, but one invalid part makes the whole value invalid."""
IDS = AddressForm(lambda text: _numbers(text, ".", 0), lambda ids: ".".join(map(str, ids)) or None)
"""Non-negative integers; one invalid part makes the whole value invalid."""
NUMBER = AddressForm(_number, str)
DECIMAL = AddressForm(_decimal, "{:g}".format)
NAMES = _joined_texts(".")
"""Distinct ids, joined by dots; the reader of the value checks that they exist."""
FOLDERS = _joined_texts(",")
"""Distinct folder names, joined by commas because they may hold dots."""
# A switch that is off has no value in the address.
SWITCH = AddressForm(lambda text: text == "1" or None, lambda on: "1" if on else None)
ON_OFF = AddressForm({"true": True, "false": False}.get, lambda on: str(on).lower())
CODE = AddressForm(lambda text: text.split("-")[0].strip().lower() or None, str)
"""Code of a language without its region: "ko" of "ko-KR"."""
NODE = AddressForm(_node, lambda path: path if path == CLOSED else IDS.write(path) or ROOT)
"""Node of a search tree: the token ids that lead to it, or `CLOSED` for none."""


def read(name: str, form: AddressForm) -> Any:
    """Return the value of `name` in this session's address, or None if it is missing or invalid."""
    query = st.query_params
    return form.read(query[name][: form.most]) if name in query else None


def _write(values: Mapping[str, Any], form: AddressForm) -> None:
    """Keep `values` in the address, by name; None removes the name.

    Until the browser's history is watched, every change would add an entry to it, so values are
    held back until `write_waiting`.
    """
    _note_drawn(values)
    spelt = {name: None if value is None else form.write(value) for name, value in values.items()}
    if WATCHED in st.session_state:
        _write_spelt(spelt)
    else:
        st.session_state.setdefault(_WAITING, {}).update(spelt)


def _write_spelt(spelt: Mapping[str, str | list[str] | None]) -> None:
    """Write spelt values into the address, in one message to the browser, if any is new."""
    query = st.query_params
    values = {name: [value] if isinstance(value, str) else value for name, value in spelt.items()}
    # Streamlit would also send an address in which nothing is new.
    if all(query.get_all(name) == (value or []) for name, value in values.items()):
        return
    address = {name: query.get_all(name) for name in query} | values
    st.query_params.from_dict({name: value for name, value in address.items() if value is not None})


def write_waiting() -> None:
    """Write the values that were held back until now."""
    if waiting := st.session_state.pop(_WAITING, None):
        _write_spelt(waiting)


def option(name: str, spelt: Iterable[str], old: Mapping[str, str] | None = None) -> str | None:
    """Return the option that the address names, one of `spelt`, or None.

    `old` maps labels of options in old addresses to ids, beside those in ``old_labels.json``.
    """
    ids = set(spelt)
    value = read(name, OPTION)
    # A value that is no id may be the label of an option in an old address.
    if value not in ids:
        value = {**_old_labels().get(name, {}), **(old or {})}.get(value)
    return value if value in ids else None


@cache
def _old_labels() -> dict[str, dict[str, str]]:
    """Return the old labels of options by name; empty after the file's expiry date."""
    kept = json.loads(Path(__file__).with_name("old_labels.json").read_text(encoding="utf-8"))
    until = datetime.date.fromisoformat(kept.pop("until"))
    return kept if datetime.date.today() <= until else {}


def of_frame() -> dict[str, str]:
    """Return the spelt values of the choices that all pages share."""
    names = st.session_state.get(OF_FRAME, ())
    return {name: st.query_params[name] for name in names if name in st.query_params}


def _note_drawn(names: Iterable[str]) -> None:
    """Record that the controls `names` are on the page."""
    state = st.session_state
    in_body = state.get(IN_BODY)
    of_body = state.setdefault(OF_BODY, {})
    for name in names:
        # A fragment may draw a control of the body outside the body's run.
        if in_body or name in of_body:
            of_body[name] = True
        else:
            state.setdefault(OF_FRAME, {})[name] = True


def enter_body() -> None:
    """Mark the start of the page, everything below the frame, for `leave_body`."""
    st.session_state[OF_BODY] = dict.fromkeys(st.session_state.get(OF_BODY, {}), False)
    st.session_state[IN_BODY] = True


def leave_body() -> None:
    """Remove the names of controls that left the page; the session keeps their values."""
    seen = st.session_state.get(OF_BODY, {})
    left = [name for name, is_drawn in seen.items() if not is_drawn]
    _write(dict.fromkeys(left), TEXT)
    for name in left:
        del seen[name]
    st.session_state[IN_BODY] = False


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
    return _defaults()[key][0]


def follow_default(key: str) -> None:
    """Let a value that the reader has set back to its default follow later defaults again."""
    defaults = _defaults()
    if key in defaults:
        last_default, _, last_of = defaults[key]
        if st.session_state.get(key) == last_default:
            defaults[key] = last_default, False, last_of


def _defaults() -> dict[str, tuple[Any, bool, Any]]:
    """Return by control its last default, whether its value was chosen, and what it is about.

    In one value of the session, because Streamlit looks through all of them for most widgets.
    """
    defaults: dict[str, tuple[Any, bool, Any]] = st.session_state.setdefault(_DEFAULTS, {})
    return defaults


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
    read: Callable[[str, AddressForm], Any] = read,
    of: object = None,
) -> Value:
    """Return the value of a control from session and address; `settle` and `keep` in one."""
    value = settle(key, form, default, sound=sound, read=read, of=of)
    return keep(key, form, value, default)


def settle(
    key: str,
    form: AddressForm,
    default: Value,
    *,
    sound: Callable[[Any], bool] = lambda value: True,
    read: Callable[[str, AddressForm], Any] = read,
    of: object = None,
) -> Value:
    """Put the value of a control into the session before it is drawn, and return it.

    A value that neither the reader nor an address chose follows its default. A choice is forgotten
    when `of`, the thing it was made for, changes. `read` looks the value up in the address.
    """
    state = st.session_state
    defaults = _defaults()
    # `is_chosen`: the value comes from the reader or an address rather than from a default.
    last_default, is_chosen, last_of = defaults.get(key, (default, False, of))
    # Looked up once: each look into the session asks Streamlit if the run has to end.
    in_session = state.get(key, _MISSING)
    is_arrival = in_session is _MISSING or address.by_history()
    from_address = read(key, form) if is_arrival else None
    held = None if in_session is _MISSING else in_session
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
    if in_session is _MISSING or in_session != value:
        state[key] = value
    defaults[key] = default, is_chosen, of
    return value


def keep(key: str, form: AddressForm, value: Value, default: Value) -> Value:
    """Return `value`, and keep it in the address unless it is the default."""
    _write({key: None if value == default else value}, form)
    return value


def keep_all(values: Mapping[str, Value], form: AddressForm, default: Value) -> None:
    """Keep several values of one form and default, in one message to the browser."""
    _write({key: None if value == default else value for key, value in values.items()}, form)


def peek_choice(key: str, options: Sequence[str], default: str) -> str:
    """Return the value that a `choice` of ids (`ui.kit.controls`) will have, before it is drawn."""
    is_arrival = arrives(key)
    return resolve(
        arrives=is_arrival,
        from_address=option(key, options) if is_arrival else None,
        held=st.session_state.get(key),
        default=default,
        sound=options.__contains__,
    )


def typed_text() -> str:
    """Return the content of the sentence box, drawn or not; empty if nothing was typed."""
    return st.session_state.get("text", st.query_params.get("text", ""))


def use_sentence(text: str) -> None:
    """Put a text into the sentence box (for callbacks, or before the box is drawn)."""
    st.session_state["text"] = text
