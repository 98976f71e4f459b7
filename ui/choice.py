"""One choice among options that have ids: a switch, a menu or a list.

    look = choice("look", ("matrix", "pair"), words="attention-view", title=False)

The key names the state and the address, the message ``attention-view`` is the title,
``attention-view-matrix`` the words of an option, ``attention-view-help`` the help if there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import streamlit as st

from . import address as addresses
from .words import current_words

Option = TypeVar("Option")
Style = Literal["segmented", "select", "radio"]


def choice(
    key: str,
    options: Sequence[Option],
    *,
    words: str,
    style: Style = "segmented",
    default: Option | None = None,
    address: bool = True,
    title: bool = True,
    text: Callable[[Option], str] | None = None,
    spell: Callable[[Option], str] = str,
    old: Mapping[str, str] | None = None,
    help: str | None = None,
    **how: Any,
) -> Option:
    """The option that is chosen; always one of `options`, whatever address and session hold.

    Parameters
    ----------
    key : of the widget, its value in the session, and its name in the address.
    options : ids, or whatever `text` and `spell` can turn into words and an id.
    words : id of the title's message; see above for those of the options and the help.
    default : chosen at the beginning; the first option where it is not given.
    address : keep the choice in the address. Without it the caller sets the session.
    title : show the title; without, only a screen reader says it.
    text : the words of an option, where they are no messages.
    spell : the id of an option in the address.
    old : words that stood for an option in older addresses, beyond ``old_labels.json``.
    help : words of the help, where they are no plain message.
    how : what the widget of this style takes besides, as ``width`` or ``on_change``.
    """
    say, state = current_words(), st.session_state
    first = options[0] if default is None else default
    if address:
        _begin(key, options, first, spell, old)
        how["persist_state"] = "session"
    if key in state and state[key] not in options:
        state[key] = first
    if help is None and say.has(f"{words}-help"):
        help = say(f"{words}-help")
    chosen = _WIDGETS[style](
        say(words),
        list(options),
        first,
        key=key,
        help=help,
        format_func=text or (lambda option: say(f"{words}-{option}")),
        label_visibility="visible" if title else "collapsed",
        **how,
    )
    chosen = first if chosen is None else chosen
    if address:
        _keep(key, chosen, first, spell)
    return chosen


def follow(key: str, options: Sequence[Option], default: Option) -> None:
    """Let a choice that neither the reader nor an address made go along with its default.

    To be called before it is drawn.
    """
    state, kept = st.session_state, f"{key}_default"
    before, made = state.get(kept, (default, False))
    if key not in state or addresses.by_history():
        made = addresses.option(key, map(str, options)) is not None
    else:
        made = made or state[key] != before
        if not made and before != default:
            state[key] = default
    state[kept] = default, made


def kept_choice(key: str, options: Sequence[Option], *, default: Option | None = None) -> Option:
    """As `choice`, for what is chosen elsewhere than in a widget: session and address alone."""
    state = st.session_state
    first = options[0] if default is None else default
    _begin(key, options, first, str, None)
    if state.setdefault(key, first) not in options:
        state[key] = first
    _keep(key, state[key], first, str)
    return state[key]


def asked(key: str, options: Sequence[Option], default: Option) -> Option:
    """What `choice` will say of options that are their own ids, before it is drawn."""
    state = st.session_state
    if key in state and not addresses.by_history():
        return state[key] if state[key] in options else default
    found = addresses.option(key, options)
    return default if found is None else found


def _begin(
    key: str,
    options: Sequence[Option],
    first: Option,
    spell: Callable[[Option], str],
    old: Mapping[str, str] | None,
) -> None:
    """Take the option that the address asks for, where it speaks and the session does not."""
    by_history = addresses.by_history()
    if key not in st.session_state or by_history:
        by_id = {spell(each): each for each in options}
        asked = addresses.option(key, by_id, old)
        start = first if asked is None else by_id[asked]
        if by_history or start != first:
            st.session_state[key] = start


def _keep(key: str, chosen: Option, first: Option, spell: Callable[[Option], str]) -> None:
    addresses.drawn(key)
    addresses.write(key, None if chosen == first else spell(chosen))


def _segmented(label: str, options: list, first: Any, **how: Any) -> Any:
    return st.segmented_control(label, options, default=first, required=True, **how)


def _select(label: str, options: list, first: Any, **how: Any) -> Any:
    how = {"filter_mode": None, **how}  # typing helps only where there are many options
    return st.selectbox(label, options, options.index(first), **how)


def _radio(label: str, options: list, first: Any, **how: Any) -> Any:
    return st.radio(label, options, options.index(first), **how)


_WIDGETS = {"segmented": _segmented, "select": _select, "radio": _radio}
