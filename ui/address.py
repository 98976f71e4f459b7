"""What a page keeps in its address, so that a view can be shared: how it is spelt and read.

A control says how its own value is spelt (`ui.kit.controls`), so the names of an address are those
of the controls. Options are spelt by id. Addresses from before there were ids hold the words of an
option; ``old_labels.json`` says which option they meant, and until when that is asked.

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

from .components.history import watch_history
from .words import say

MOST_LENGTH = 1000  # characters of a value that are looked at
WATCHED = "history_watched"
CLOSED, ROOT = "none", "root"
LANGUAGE = "lang"
"""Goes along wherever the reader is sent."""
TYPED = ("text", "second", "begin", "document_text")
"""What is typed letter by letter, which Back takes away at once."""
_WAITING, _GOING, _ARRIVING = "address_waiting", "address_going", "address_arriving"
_PAGE = "address_page"
OF_FRAME, OF_BODY, _IN_BODY = "address_of_frame", "address_of_body", "address_in_body"
"""In the session: the names of what is drawn around the page, and on it."""


@dataclass(frozen=True)
class Form:
    """How a value is spelt: `read` takes any text and returns None for what makes no sense; `write`
    returns None for what is left out, and a list for a name that stands there several times.

    No more than `most` characters are looked at.
    """

    read: Callable[[str], Any]
    write: Callable[[Any], str | list[str] | None]
    most: int = MOST_LENGTH


def _numbers(text: str, separator: str, least: int) -> tuple[int, ...] | None:
    parts = text.split(separator)
    sound = [p for p in parts if p.isascii() and p.isdigit() and len(p) < 8 and int(p) >= least]
    return tuple(map(int, sound)) if len(sound) == len(parts) else None


def _places(text: str) -> tuple[int, ...] | None:
    sound = (_numbers(part, ",", 1) or () for part in text.split(","))
    return tuple(sorted({number - 1 for numbers in sound for number in numbers})) or None


def _number(text: str) -> int | None:
    found = _numbers(text, ".", 0) or ()
    return found[0] if len(found) == 1 else None


def _decimal(text: str) -> float | None:
    sound = text.isascii() and len(text) < 8 and text.replace(".", "", 1).isdigit()
    return float(text) if sound else None


def _node(text: str) -> tuple[int, ...] | str | None:
    return {CLOSED: CLOSED, ROOT: ()}.get(text, _numbers(text, ".", 0))


def _each(joint: str) -> Form:
    return Form(
        lambda text: tuple(dict.fromkeys(filter(None, text.split(joint)))) or None,
        lambda names: joint.join(names) or None,
    )


TEXT = Form(str, str)
LONG = Form(str, str, most=10**6)
"""A text whose reader says itself what is too much."""
OPTION = Form(lambda text: text or None, str)
"""The id of an option, read by `option` against those there are."""
PLACES = Form(_places, lambda places: ",".join(str(place + 1) for place in places) or None)
"""Positions from 0, spelt from 1; what is no number is passed over."""
SOUND_PLACES = Form(lambda text: _places(text) if _numbers(text, ",", 1) else None, PLACES.write)
"""As `PLACES`, but one that is wrong spoils all."""
IDS = Form(lambda text: _numbers(text, ".", 0), lambda ids: ".".join(map(str, ids)) or None)
"""Numbers as they are; one that is wrong spoils all."""
NUMBER = Form(_number, str)
DECIMAL = Form(_decimal, "{:g}".format)
NAMES = _each(".")
"""Ids, each once; what they name is for the reader of the value to say."""
FOLDERS = _each(",")
"""Names of folders, each once."""
SWITCH = Form(lambda text: text == "1" or None, lambda on: "1" if on else None)
ON_OFF = Form({"true": True, "false": False}.get, lambda on: str(on).lower())
CODE = Form(lambda text: text.split("-")[0].strip().lower() or None, str)
"""The code of a language; what tells its regions apart is passed over."""
NODE = Form(_node, lambda path: path if path == CLOSED else IDS.write(path) or ROOT)
"""A node of a search tree: the ids that lead to it, or that none is open."""


def read(name: str, form: Form) -> Any:
    """The value that the address of the session gives, or None."""
    query = st.query_params
    return form.read(query[name][: form.most]) if name in query else None


def write(name: str, value: Any, form: Form) -> None:
    """Keep a value in the address; None takes it out.

    Before the browser watches its history, every value would make an entry there; so it waits.
    """
    drawn(name)
    spelt = None if value is None else form.write(value)
    if WATCHED in st.session_state:
        _write(name, spelt)
    else:
        st.session_state.setdefault(_WAITING, {})[name] = spelt


def _write(name: str, spelt: str | list[str] | None) -> None:
    if spelt is None:
        if name in st.query_params:
            del st.query_params[name]
    elif st.query_params.get_all(name) != ([spelt] if isinstance(spelt, str) else spelt):
        st.query_params[name] = spelt


@st.fragment
def keep_history() -> None:
    """Buttons to undo and to copy the link; the browser keeps what each act changed."""
    leave()
    words = {name: say(f"link-{name}") for name in ("undo", "copy", "copied")}
    watched = WATCHED in st.session_state
    watch_history(TYPED, watched=watched, words=words, on_watched=_watched)
    if WATCHED in st.session_state:
        for name, spelt in st.session_state.pop(_WAITING, {}).items():
            _write(name, spelt)


def _watched() -> None:
    st.session_state[WATCHED] = True


def option(name: str, spelt: Iterable[str], old: Mapping[str, str] | None = None) -> str | None:
    """Which of the options the address asks for, as it is spelt; None when for none of them.

    `old` holds words that stood for an option in addresses and are not in ``old_labels.json``.
    """
    asked, spelt = read(name, OPTION), set(spelt)
    if asked not in spelt:
        asked = {**_old_labels().get(name, {}), **(old or {})}.get(asked)
    return asked if asked in spelt else None


def here() -> str:
    """Where this run is: the page and the address, as it is spelt."""
    return f"/{st.session_state.get(_PAGE, '')}{query()}"


def query() -> str:
    """All that the address asks for, from its ``?`` on."""
    asked = {name: st.query_params.get_all(name) for name in st.query_params}
    return f"?{urlencode(asked, doseq=True)}"


def by_history() -> bool:
    """The reader went back or forth, or came by a link of ours, so the address says what to show,
    not the session.

    Streamlit knows that somebody went back (https://github.com/streamlit/streamlit/pull/16998), and
    tells it in no public call.
    """
    context = get_script_run_ctx()
    went_back = context is not None and context.is_history_navigation
    return went_back or is_arriving()


def is_arriving() -> bool:
    """Return True in the run that `go` leads to; its URL may still be the one that was left."""
    return _ARRIVING in st.session_state


def go(page: str, values: Mapping[str, str]) -> None:
    """Let the next run show what a link shows, whatever the session has chosen (for callbacks).

    As when the reader goes back to such an address: every value is read from it, and what it does
    not name is as at the beginning.

    Parameters
    ----------
    page : the name of its file in ``ui/pages/``.
    values : names with their values as they are spelt.

    Raises
    ------
    ValueError : there is no such page.
    """
    if not Path(__file__).with_name("pages").joinpath(f"{page}.py").is_file():
        raise ValueError(f"there is no page {page!r}")
    along = {LANGUAGE: st.query_params[LANGUAGE]} if LANGUAGE in st.query_params else {}
    st.session_state[_GOING] = page, {**along, **values}


def leave() -> None:
    """Draw all anew after `go`, where a click draws a part of the page alone.

    The run of the click may be interrupted by one of another part, which then has to leave.
    """
    context = get_script_run_ctx()
    if _GOING in st.session_state and context is not None and context.fragment_ids_this_run:
        st.rerun()


@contextmanager
def arriving(pages: Mapping[str, Any], page: str) -> Iterator[None]:
    """The run in which the reader arrives where `go` sent him; around all that draws the `page`.

    Streamlit goes to another page only outside of callbacks, so the run after them does. One that
    is interrupted on the way is begun again.
    """
    state = st.session_state
    state[_PAGE], state[_IN_BODY] = page, False  # a body may have been left half-way
    if _GOING in state:
        page, values = state.pop(_GOING)
        state[_ARRIVING] = True
        st.switch_page(pages[page], query_params=values)
    try:
        yield
    except Exception:
        state.pop(_ARRIVING, None)
        raise
    state.pop(_ARRIVING, None)


def of_frame() -> dict[str, str]:
    """What the address says of the choices that all pages share, as it is spelt."""
    names = st.session_state.get(OF_FRAME, ())
    return {name: st.query_params[name] for name in names if name in st.query_params}


def drawn(name: str) -> None:
    """Remember that what `name` stands for is on the page."""
    state = st.session_state
    if state.get(_IN_BODY) or name in state.get(OF_BODY, {}):
        state.setdefault(OF_BODY, {})[name] = True
    else:
        state.setdefault(OF_FRAME, {})[name] = True


def begin() -> None:
    """The page, all that is below the frame, is about to be drawn anew."""
    st.session_state[OF_BODY] = dict.fromkeys(st.session_state.get(OF_BODY, {}), False)
    st.session_state[_IN_BODY] = True


def tidy() -> None:
    """Take out what was on the page and no longer is; the session still knows its value."""
    seen = st.session_state.get(OF_BODY, {})
    for name in [name for name, there in seen.items() if not there]:
        write(name, None, TEXT)
        del seen[name]
    st.session_state[_IN_BODY] = False


@cache
def _old_labels() -> dict[str, dict[str, str]]:
    """Of each name the words that once stood for its options; none after the day that they say."""
    kept = json.loads(Path(__file__).with_name("old_labels.json").read_text(encoding="utf-8"))
    until = datetime.date.fromisoformat(kept.pop("until"))
    return kept if datetime.date.today() <= until else {}
