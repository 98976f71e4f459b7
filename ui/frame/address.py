"""Address of a page: how the values of controls are spelt in the URL and read back.

A control declares the `AddressForm` of its value (`ui.kit.controls`), so the names in an address
are the keys of the controls. Options are spelt by id. Addresses from before there were ids hold the
label of an option; ``old_labels.json`` maps these to ids until the date that it names.

>>> PLACES.write((0, 2)), PLACES.read("3,1,x,0")
('1,3', (0, 2))
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

PAGES = Path(__file__).resolve().parent.parent / "pages"
MOST_LENGTH = 1000  # characters of a value that are read
WATCHED = "history_watched"
CLOSED = "none"
ROOT = "root"
LANGUAGE = "lang"
"""Query parameter of the page's language, kept when `go` replaces all others."""
TYPED = ("text", "second", "begin", "document_text")
"""Text boxes, changed letter by letter; Back undoes them as one step."""
_WAITING = "address_waiting"
"""Session key: values held back until the browser's history is watched."""
_GOING = "address_going"
"""Session key: page and values that `go` asked for."""
_ARRIVING = "address_arriving"
"""Session key: present in the run that `go` leads to."""
_PAGE = "address_page"
OF_FRAME = "address_of_frame"
"""Session key: names of controls drawn in the frame."""
OF_BODY = "address_of_body"
"""Session key: names of controls drawn on the page; False for those that left it."""
_IN_BODY = "address_in_body"
"""Session key: True while the page is drawn, below the frame."""


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


def write(name: str, value: Any, form: AddressForm) -> None:
    """Keep `value` in the address; None removes the name.

    Until the browser's history is watched, every change would add an entry to it, so values are
    held back until `write_waiting`.
    """
    drawn(name)
    spelt = None if value is None else form.write(value)
    if WATCHED in st.session_state:
        _write(name, spelt)
    else:
        st.session_state.setdefault(_WAITING, {})[name] = spelt


def _write(name: str, spelt: str | list[str] | None) -> None:
    if spelt is None:
        # st.query_params raises KeyError for a missing name.
        if name in st.query_params:
            del st.query_params[name]
    # Assigning an equal value would still send a new URL to the browser.
    elif st.query_params.get_all(name) != ([spelt] if isinstance(spelt, str) else spelt):
        st.query_params[name] = spelt


def write_waiting() -> None:
    """Write the values that `write` held back."""
    for name, spelt in st.session_state.pop(_WAITING, {}).items():
        _write(name, spelt)


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


def here() -> str:
    """Return the path and query of this run, as the address spells them."""
    return f"/{st.session_state.get(_PAGE, '')}{query()}"


def query() -> str:
    """Return the query string of the address, with its ``?``."""
    values = {name: st.query_params.get_all(name) for name in st.query_params}
    return f"?{urlencode(values, doseq=True)}"


def by_history() -> bool:
    """Return True if the reader went back or forth, or followed a link of the app.

    The address then decides what is shown, not the session. Streamlit knows about navigation by
    history (https://github.com/streamlit/streamlit/pull/16998) but has no public call for it.
    """
    context = get_script_run_ctx()
    # is_history_navigation is private to Streamlit; see the docstring.
    went_back = context is not None and context.is_history_navigation
    return went_back or is_arriving()


def is_arriving() -> bool:
    """Return True in the run that `go` leads to; its URL may still be the previous one."""
    return _ARRIVING in st.session_state


def go(page: str, values: Mapping[str, str]) -> None:
    """Make the next run show the view of a link, whatever the session has chosen (for callbacks).

    As after the Back button, every value is read from the address, and names that are not in
    `values` return to their defaults.

    Parameters
    ----------
    page : name of a folder in ``ui/pages/``.
    values : spelt values by name.

    Raises
    ------
    ValueError : there is no such page.
    """
    if not (PAGES / page / "page.py").is_file():
        raise ValueError(f"there is no page {page!r}")
    along = {LANGUAGE: st.query_params[LANGUAGE]} if LANGUAGE in st.query_params else {}
    st.session_state[_GOING] = page, {**along, **values}


def leave() -> None:
    """Rerun the whole script after `go`, if only a fragment is being drawn.

    The fragment's run may be interrupted by that of another fragment, so each one calls this.
    """
    context = get_script_run_ctx()
    if _GOING in st.session_state and context is not None and context.fragment_ids_this_run:
        st.rerun()


@contextmanager
def arriving(pages: Mapping[str, Any], page: str) -> Iterator[None]:
    """Perform the navigation that `go` asked for; wraps everything that draws `page`.

    Streamlit switches pages only outside callbacks, so the run after the callback does it. A run
    that is interrupted on the way is repeated.
    """
    state = st.session_state
    state[_PAGE] = page
    state[_IN_BODY] = False  # a body may have been left half-way
    if _GOING in state:
        page, values = state.pop(_GOING)
        state[_ARRIVING] = True
        st.switch_page(pages[page], query_params=values)
    # No `finally`: a rerun raised by Streamlit is no Exception and must keep the mark.
    try:
        yield
    except Exception:
        state.pop(_ARRIVING, None)
        raise
    state.pop(_ARRIVING, None)


def of_frame() -> dict[str, str]:
    """Return the spelt values of the choices that all pages share."""
    names = st.session_state.get(OF_FRAME, ())
    return {name: st.query_params[name] for name in names if name in st.query_params}


def drawn(name: str) -> None:
    """Record that the control `name` is on the page."""
    state = st.session_state
    # A fragment may draw a control of the body outside the body's run.
    if state.get(_IN_BODY) or name in state.get(OF_BODY, {}):
        state.setdefault(OF_BODY, {})[name] = True
    else:
        state.setdefault(OF_FRAME, {})[name] = True


def begin() -> None:
    """Mark the start of the page, everything below the frame, for `tidy`."""
    st.session_state[OF_BODY] = dict.fromkeys(st.session_state.get(OF_BODY, {}), False)
    st.session_state[_IN_BODY] = True


def tidy() -> None:
    """Remove the names of controls that left the page; the session keeps their values."""
    seen = st.session_state.get(OF_BODY, {})
    for name in [name for name, there in seen.items() if not there]:
        write(name, None, TEXT)
        del seen[name]
    st.session_state[_IN_BODY] = False


@cache
def _old_labels() -> dict[str, dict[str, str]]:
    """Return the old labels of options by name; empty after the file's expiry date."""
    kept = json.loads(Path(__file__).with_name("old_labels.json").read_text(encoding="utf-8"))
    until = datetime.date.fromisoformat(kept.pop("until"))
    return kept if datetime.date.today() <= until else {}
