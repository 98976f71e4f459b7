"""Controls with values in the address, each declared once, where it is drawn.

    look = choice("look", ("matrix", "ribbons"), words="attention-view")
    offset = slider("encoding_offset", 1, 128, 3, words="positions-offset")
    mark = toggle("encoding_mark", True, words="positions-mark")

A control's key is that of its widget, of its value in the session, and its name in the address
(`ui.frame.choices` keeps the value). Each control is labelled by the message `words`, by default
its key, with help from ``<words>-help``; `values` fills both.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, TypeVar

import streamlit as st

from core.records.tokens import repeats_numbered
from ui.frame import choices
from ui.frame.choices import (
    DECIMAL,
    IDS,
    NUMBER,
    ON_OFF,
    OPTION,
    TEXT,
    AddressForm,
    keep,
    kept,
    settle,
)
from ui.frame.messages import current_words

Number = TypeVar("Number", int, float)
Value = TypeVar("Value")
Style = Literal["segmented", "select", "radio"]
NONE: Mapping[str, Any] = MappingProxyType({})
LABELS = "labels_of_choices"
"""Session key: labels of the chosen options of each menu, as they were last sent."""
FEW = 10  # options up to which a menu needs no search box


def choice(
    key: str,
    options: Sequence[Value],
    *,
    words: str = "",
    style: Style = "segmented",
    default: Value | None = None,
    address: bool = True,
    title: bool = True,
    text: Callable[[Value], str] | None = None,
    spell: Callable[[Value], str] = str,
    old: Mapping[str, str] | None = None,
    of: object = None,
    **widget_kwargs: Any,
) -> Value:
    """Draw a control and return the chosen option, always one of `options`.

    Parameters
    ----------
    options : ids, or values that `text` and `spell` turn into a label and an id.
    words : id of the title's message, by default the key; ``<words>-<option>`` labels an option.
    style : kind of widget.
    default : chosen at the beginning, by default the first option.
    address : keep the choice in the address. Without it and `of` the caller sets the session, as
        for a menu that shows what something else decides.
    title : show the title; otherwise only screen readers get it.
    text : labels of options that are not messages.
    spell : the id of an option in the address.
    old : labels of options in older addresses, beyond ``old_labels.json``.
    of : the thing chosen from, such as a sentence; the choice starts anew when it changes.
    widget_kwargs : further arguments of the widget, such as ``width`` or ``on_change``.
    """
    say = current_words()
    state = st.session_state
    words = words or key
    first = options[0] if default is None else default
    form = AddressForm(str, spell)
    if address or of is not None:
        read = _option(options, spell, old) if address else _read_nothing
        settle(key, form, first, sound=_among(options), read=read, of=of)
        # Without it Streamlit drops the value when a run does not draw the widget.
        widget_kwargs["persist_state"] = "session"
    elif key in state and state[key] not in options:
        state[key] = first
    # The session decides before `first` does; Streamlit wants the default nevertheless.
    chosen = _CHOICES[style](
        say(words),
        list(options),
        first,
        key=key,
        help=_help(words),
        format_func=unlike(key, options, text or (lambda option: say(f"{words}-{option}"))),
        label_visibility="visible" if title else "collapsed",
        **widget_kwargs,
    )
    chosen = first if chosen is None else chosen
    return keep(key, form, chosen, first) if address else chosen


def _read_nothing(key: str, form: AddressForm) -> None:
    """Stand in for `choices.read` where a choice is not in the address."""


def unlike(
    key: str, options: Iterable[Value], text: Callable[[Value], str]
) -> Callable[[Value], str]:
    """Return `text` for the options of the menu `key`, with all labels distinct.

    Streamlit identifies a chosen option by its label and takes the first of two equal ones. Labels
    are meant to differ by something a reader knows, and tests turn this warning into an error; a
    reader gets numbers before the labels. Called before the menu is drawn.
    """
    options = list(options)
    labels = {option: text(option) for option in options}
    if len({*labels.values()}) < len(labels):
        warnings.warn(f"{key} has options with one label", RuntimeWarning, stacklevel=1)
        labels = {option: f"{n} · {labels[option]}" for n, option in enumerate(labels, start=1)}
    _rename(key, labels)
    # Streamlit may format a value of the last run that is no option any more.
    return lambda option: labels[option] if option in labels else text(option)


def _rename(key: str, labels: Mapping[Value, str]) -> None:
    """Send the choice of the menu `key` to the browser again if its labels are new.

    A browser keeps the label of a choice, so that a menu would stay in the language of before.
    """
    state = st.session_state
    chosen = state.get(key)
    options = chosen if isinstance(chosen, list) else [chosen]
    now = {option: label for option, label in labels.items() if option in options}
    labels_before = state.setdefault(LABELS, {})
    before = labels_before.get(key, now)
    # Streamlit sends a value that is assigned, even if it is the same.
    if before.keys() == now.keys() and before != now:
        state[key] = chosen
    labels_before[key] = now


def labels_apart(
    options: Iterable[Value], text: Callable[[Value, int], str], most: int
) -> dict[Value, str]:
    """Return the shortest labels that tell options apart.

    Parameters
    ----------
    text : returns the label of an option, longer with each number from 0 to `most`.
    """
    labels = {option: text(option, 0) for option in options}
    for more in range(1, most + 1):
        # Only labels that collide grow; the others stay short.
        often = Counter(labels.values())
        alike = [option for option, label in labels.items() if often[label] > 1]
        labels |= {option: text(option, more) for option in alike}
    return labels


def menu(key: str, options: Sequence[Value], *, width: int, **choice_kwargs: Any) -> Value:
    """Draw a `choice` as a menu in the page's line, without a title."""
    return choice(key, options, style="select", title=False, width=width, **choice_kwargs)


def place_menu(
    key: str,
    labels: Sequence[str],
    *,
    words: str = "",
    default: int = 0,
    style: Style = "select",
    spell: Callable[[int], str] = lambda position: str(position + 1),
    **choice_kwargs: Any,
) -> int:
    """Draw a `choice` of a position from 0, by labels; the address counts from 1."""
    return choice(
        key,
        range(len(labels)),
        words=words,
        style=style,
        default=default,
        text=repeats_numbered(labels).__getitem__,
        spell=spell,
        **choice_kwargs,
    )


def kept_choice(
    key: str, options: Sequence[Value], *, default: Value | None = None, of: object = None
) -> Value:
    """Return a `choice` without a widget, from session and address alone."""
    first = options[0] if default is None else default
    read = _option(options, str, None)
    return kept(key, OPTION, first, sound=_among(options), read=read, of=of)


def _among(options: Sequence[Any]) -> Callable[[Any], bool]:
    return lambda value: value in options


def _option(
    options: Sequence[Any], spell: Callable[[Any], str], old: Mapping[str, str] | None
) -> Callable[[str, AddressForm], Any]:
    by_id = {spell(option): option for option in options}

    def read(key: str, form: AddressForm) -> Any:
        id = choices.option(key, by_id, old)
        return None if id is None else by_id[id]

    return read


def _segmented(label: str, options: list[Any], first: Any, **widget_kwargs: Any) -> Any:
    return st.segmented_control(label, options, default=first, required=True, **widget_kwargs)


def _select(label: str, options: list[Any], first: Any, **widget_kwargs: Any) -> Any:
    # Streamlit lets readers filter a menu by typing, which is no help with few options.
    if len(options) <= FEW:
        widget_kwargs["filter_mode"] = None
    return st.selectbox(label, options, options.index(first), **widget_kwargs)


def _radio(label: str, options: list[Any], first: Any, **widget_kwargs: Any) -> Any:
    return st.radio(label, options, options.index(first), **widget_kwargs)


_CHOICES = {"segmented": _segmented, "select": _select, "radio": _radio}


def slider(
    key: str,
    least: Number,
    most: Number,
    default: Number,
    step: Number | None = None,
    **kwargs: Any,
) -> Number:
    """Draw a slider from `least` to `most`; `kwargs` are `words`, `values` and widget arguments.

    The same `kwargs` are taken by all controls below.
    """
    return _drawn(
        st.slider,
        key,
        _form(default),
        default,
        mend=_between(least, most),
        min_value=least,
        max_value=most,
        step=step,
        **kwargs,
    )


def number(
    key: str,
    least: Number,
    most: Number,
    default: Number | None,
    step: Number | None = None,
    **kwargs: Any,
) -> Number:
    """Draw a number box and return the number; with a `default` of None, None while it is empty."""
    return _drawn(
        st.number_input,
        key,
        _form(least),
        default,
        mend=_between(least, most),
        min_value=least,
        max_value=most,
        step=step,
        # "min" is Streamlit's own default: the box starts at `least`, never empty.
        value=None if default is None else "min",
        **kwargs,
    )


def seed_box(key: str, most: int, *, width: int = 130, **kwargs: Any) -> int:
    """Draw a box for a seed from 0 to `most`, kept in the address; `kwargs` as in `number`."""
    return number(key, 0, most, 0, width=width, **kwargs)


def next_seed(key: str, most: int) -> None:
    """Advance the seed of `seed_box` by one, from `most` back to 0."""
    # Before the first run of the box its key is not in the session.
    st.session_state[key] = (st.session_state.get(key, 0) + 1) % (most + 1)


def stops(key: str, options: Sequence[Number], default: Number, **kwargs: Any) -> Number:
    """Draw a slider over `options`, numbers at uneven distances."""
    return _drawn(
        st.select_slider,
        key,
        _form(default),
        default,
        sound=_among(options),
        options=options,
        **kwargs,
    )


def span(key: str, last: int, **kwargs: Any) -> tuple[int, int]:
    """Draw a slider with two ends, from 0 to `last`, and return both; by default the whole."""

    def read(key: str, form: AddressForm) -> tuple[int, int] | None:
        ends: tuple[int, ...] = choices.read(key, form) or ()
        if len(ends) != 2:
            return None
        first = ends[0]
        end = min(ends[1], last)
        # An impossible range shows everything.
        return (first, end) if first < end else None

    return _drawn(
        st.slider,
        key,
        IDS,
        (0, last),
        read=read,
        sound=lambda ends: ends[1] <= last,
        of=last,
        min_value=0,
        max_value=last,
        **kwargs,
    )


def toggle(key: str, default: bool = False, *, form: AddressForm = ON_OFF, **kwargs: Any) -> bool:
    """Draw a switch and return True if it is on."""
    return _drawn(st.toggle, key, form, default, **kwargs)


def button(
    key: str,
    on_click: Callable[..., None] | None = None,
    *args: Any,
    words: str = "",
    icon: str = "",
    help: str | None = None,
    values: Mapping[str, Any] = NONE,
    **widget_kwargs: Any,
) -> bool:
    """Draw a button; return True when pressed, or call `on_click` with `args`.

    Its message is `words`, by default the key; `help` is its help if that is no plain message.
    """
    say = current_words()
    words = words or key
    return st.button(
        say(words, **values),
        key=key,
        help=_help(words, values) if help is None else help,
        icon=f":material/{icon}:" if icon else None,
        on_click=on_click,
        args=args,
        **widget_kwargs,
    )


def text_box(
    key: str,
    default: str = "",
    *,
    words: str = "",
    values: Mapping[str, Any] = NONE,
    form: AddressForm = TEXT,
    **kwargs: Any,
) -> str:
    """Draw a text box of one line, or of several with a ``height``.

    The message ``<words>-none``, if there is one, is shown while the box is empty.
    """
    say = current_words()
    prompt = f"{words or key}-none"
    if say.has(prompt):
        kwargs["placeholder"] = say(prompt, **values)
    widget: Callable[..., Any] = st.text_area
    if "height" not in kwargs:
        widget = st.text_input
        # Browsers remove line breaks from a one-line box, so it would differ from the session.
        kwargs.setdefault("mend", one_line)
    return _drawn(widget, key, form, default, words=words, values=values, **kwargs)


def one_line(text: str) -> str:
    """Return a text as a one-line box shows it, without line breaks."""
    return re.sub(r"[\r\n]+", " ", text)


def several(
    key: str,
    options: Sequence[Value],
    default: Collection[Value],
    *,
    form: AddressForm | None = None,
    widget: Callable[..., Any] = st.multiselect,
    **kwargs: Any,
) -> list[Value]:
    """Draw a choice of several options and return them in their order.

    `form` spells them as one value of the address; without it the name is repeated.
    """
    options = list(options)
    by_id = {str(option): option for option in options}

    def read(key: str, _: AddressForm) -> list[Value] | None:
        ids = choices.read(key, form) or () if form else st.query_params.get_all(key)
        chosen = [by_id[id] for id in map(str, ids) if id in by_id]
        # A name with an empty value means: none chosen, unlike a missing name.
        return chosen if chosen or list(ids) == [""] else None

    def mend(chosen: Collection[Value]) -> list[Value]:
        return [option for option in options if option in chosen][: kwargs.get("max_selections")]

    return _drawn(
        widget,
        key,
        form or AddressForm(str, lambda chosen: list(map(str, chosen)) or [""]),
        [option for option in options if option in default],
        read=read,
        mend=mend,
        options=options,
        **kwargs,
    )


def _drawn(
    widget: Callable[..., Any],
    key: str,
    form: AddressForm,
    default: Any,
    *,
    words: str = "",
    values: Mapping[str, Any] = NONE,
    mend: Callable[[Any], Any] = lambda value: value,
    read: Callable[[str, AddressForm], Any] = choices.read,
    of: object = None,
    sound: Callable[[Any], bool] = lambda value: True,
    **widget_kwargs: Any,
) -> Any:
    """Draw a widget with its messages and return its value; `mend` replaces invalid values."""
    say = current_words()
    state = st.session_state
    words = words or key
    held = state.get(key)
    if held is not None:
        # The session may hold a value from before the limits changed, which the widget refuses.
        mended = mend(held)
        if mended != held:
            state[key] = mended

    def read_mended(key: str, form: AddressForm) -> Any:
        value = read(key, form)
        return None if value is None else mend(value)

    settle(key, form, default, read=read_mended, of=of, sound=sound)
    if "options" in widget_kwargs:
        text = widget_kwargs.get("format_func", str)
        widget_kwargs["format_func"] = unlike(key, widget_kwargs["options"], text)
    value = widget(
        say(words, **values),
        key=key,
        help=_help(words, values),
        persist_state="session",
        **widget_kwargs,
    )
    return keep(key, form, mend(value), default)


def _help(words: str, values: Mapping[str, Any] = NONE) -> str | None:
    """Return the help of a control, if there is such a message."""
    say = current_words()
    return say(f"{words}-help", **values) if say.has(f"{words}-help") else None


def _between(least: Number, most: Number) -> Callable[[Number | None], Number | None]:
    return lambda value: None if value is None else min(max(value, least), most)


def _form(like: Any) -> AddressForm:
    return DECIMAL if isinstance(like, float) else NUMBER
