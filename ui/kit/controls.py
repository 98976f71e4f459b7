"""Controls whose values are kept in the address: each is declared where it is drawn, and once.

    look = choice("look", ("matrix", "ribbons"), words="attention-view")
    offset = slider("encoding_offset", 1, 128, 3, words="positions-offset")
    mark = toggle("encoding_mark", True, words="positions-mark")
    heads = kept("heads", SOUND_PLACES, (0,))

The key of a control is that of its widget, of its value in the session, and its name in the
address, which holds what is not the default. `resolve` says which of them speaks. Each control
takes its label from the message `words`, or that of its key, and its help from ``<words>-help``;
`values` are the places of both. What no widget shows is `kept`.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, TypeVar

import streamlit as st

from core.tokens import repeats_numbered
from ui import address
from ui.address import DECIMAL, NUMBER, ON_OFF, OPTION, TEXT, Form
from ui.words import current_words

Number = TypeVar("Number", int, float)
Value = TypeVar("Value")
Style = Literal["segmented", "select", "radio"]
NONE: Mapping[str, Any] = MappingProxyType({})
FEW = 10  # options of a menu in which typing does not help


def resolve(
    *,
    arrives: bool,
    asked: Value | None,
    held: Value | None,
    default: Value,
    sound: Callable[[Any], bool],
) -> Value:
    """The value of a control.

    Parameters
    ----------
    arrives : the reader comes from outside, went back or followed a link: the address speaks.
    asked : by the address; None where it says nothing that makes sense.
    held : by the session, as a click or an earlier run left it.
    sound : whether a value can be had.
    """
    said = asked if arrives else held
    return default if said is None or not sound(said) else said


def kept(key: str, form: Form, default: Value, **how: Any) -> Value:
    """The value of a control, in the session and the address; `settle` and `keep` in one."""
    settle(key, form, default, **how)
    return keep(key, form, st.session_state[key], default)


def settle(
    key: str,
    form: Form,
    default: Value,
    *,
    sound: Callable[[Any], bool] = lambda value: True,
    asked: Callable[[str, Form], Any] = address.read,
    of: object = None,
) -> None:
    """Let the session hold the value of a control before it is drawn.

    What neither the reader nor an address chose goes along with its default; and what was chosen is
    forgotten when `of`, what it was chosen for, has become another.
    """
    state, known = st.session_state, f"{key}_default"
    before, made, whose = state.get(known, (default, False, of))
    arrives = key not in state or address.by_history()
    told = asked(key, form) if arrives else None
    held = state.get(key)
    made = told is not None if arrives else whose == of and (made or held != before)
    if not arrives and not made:
        held = default
    value = resolve(arrives=arrives, asked=told, held=held, default=default, sound=sound)
    if key not in state or state[key] != value:
        state[key] = value
    state[known] = default, made, of


def keep(key: str, form: Form, value: Value, default: Value) -> Value:
    """`value`, kept in the address where it is not the default."""
    address.write(key, None if value == default else value, form)
    return value


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
    help: str | None = None,
    of: object = None,
    shown: Value | None = None,
    clicks: Sequence[tuple[str, ...]] = (),
    **how: Any,
) -> Value:
    """The option that is chosen; always one of `options`, whatever address and session hold.

    Parameters
    ----------
    options : ids, or whatever `text` and `spell` can turn into words and an id.
    words : id of the title's message, the key where it is not given; ``<words>-<option>`` are the
        words of an option.
    default : chosen at the beginning; the first option where it is not given.
    address : keep the choice in the address. Without it and `of` the caller sets the session.
    title : show the title; without, only a screen reader says it.
    text : the words of an option, where they are no messages.
    spell : the id of an option in the address.
    old : words that stood for an option in older addresses, beyond ``old_labels.json``.
    help : words of the help, where they are no plain message.
    of : what is chosen from, such as a sentence; with another one the choice begins anew.
    shown : the option to show, where something else than the menu decides it; in no address.
    clicks : of each chart in which an option can be clicked the key, the selection, and the fields
        that tell the option.
    how : what the widget of this style takes besides, as ``width`` or ``on_change``.
    """
    say, state, words = current_words(), st.session_state, words or key
    for chart, selection, *fields in clicks:
        place = tuple(map(clicked(chart, selection).get, fields))
        if (place := place if len(fields) > 1 else place[0]) in options:
            state[key] = place
    first = options[0] if default is None else default
    form = Form(str, spell)
    address = address and shown is None
    if shown is not None:
        state[key] = shown
    elif address or of is not None:
        told = _option(options, spell, old) if address else lambda key, form: None
        settle(key, form, first, sound=_among(options), asked=told, of=of)
        how["persist_state"] = "session"
    elif key in state and state[key] not in options:
        state[key] = first
    if help is None and say.has(f"{words}-help"):
        help = say(f"{words}-help")
    chosen = _CHOICES[style](
        say(words),
        list(options),
        first,
        key=key,
        help=help,
        format_func=unlike(key, options, text or (lambda option: say(f"{words}-{option}"))),
        label_visibility="visible" if title else "collapsed",
        **how,
    )
    chosen = first if chosen is None else chosen
    return keep(key, form, chosen, first) if address else chosen


def unlike(
    key: str, options: Iterable[Value], text: Callable[[Value], str]
) -> Callable[[Value], str]:
    """`text` for the options of the menu `key`, with no two labels the same.

    Streamlit finds a chosen option by its label: of two with one label it takes the first. Every
    page tells its options apart by something that a reader knows, and its tests take this warning
    for an error; a reader gets numbers before the labels.
    """
    options = list(options)
    labels = {option: text(option) for option in options}
    if len({*labels.values()}) < len(labels):
        warnings.warn(f"{key} has options with one label", RuntimeWarning, stacklevel=1)
        labels = {option: f"{n} · {labels[option]}" for n, option in enumerate(labels, start=1)}
    return lambda option: labels[option] if option in labels else text(option)


def labels_apart(
    options: Iterable[Value], text: Callable[[Value, int], str], most: int
) -> dict[Value, str]:
    """Labels of a menu: of each option the shortest `text` that no other has.

    Parameters
    ----------
    text : label of an option, longer with each number from 0 to `most`.
    """
    labels = {option: text(option, 0) for option in options}
    for more in range(1, most + 1):
        often = Counter(labels.values())
        alike = [option for option, label in labels.items() if often[label] > 1]
        labels |= {option: text(option, more) for option in alike}
    return labels


def menu(key: str, options: Sequence[Value], *, width: int, **how: Any) -> Value:
    """`choice` in the line of a page, where no title but its options is seen."""
    return choice(key, options, style="select", title=False, width=width, **how)


def place_menu(
    key: str,
    labels: Sequence[str],
    *,
    words: str = "",
    default: int = 0,
    spell: Callable[[int], str] = lambda place: str(place + 1),
    **how: Any,
) -> int:
    """`choice` among places from 0, by their labels; from 1 in the address."""
    how = {"style": "select", "text": repeats_numbered(labels).__getitem__, "spell": spell, **how}
    return choice(key, range(len(labels)), words=words, default=default, **how)


def kept_choice(
    key: str, options: Sequence[Value], *, default: Value | None = None, of: object = None
) -> Value:
    """As `choice`, for what is chosen elsewhere than in a widget: session and address alone."""
    first = options[0] if default is None else default
    asked = _option(options, str, None)
    return kept(key, OPTION, first, sound=_among(options), asked=asked, of=of)


def asked(key: str, options: Sequence[Value], default: Value) -> Value:
    """What `choice` will say of options that are their own ids, before it is drawn."""
    state = st.session_state
    arrives = key not in state or address.by_history()
    return resolve(
        arrives=arrives,
        asked=address.option(key, options) if arrives else None,
        held=state.get(key),
        default=default,
        sound=_among(options),
    )


def clicked(chart: str, selection: str) -> dict[str, Any]:
    """The newest click on a chart, once: the values of its selection's fields.

    Every drawing carries the number of clicks so far and a click sends it back, so the same cell
    can be clicked again and an old selection is not taken for a new one.
    """
    event = st.session_state.get(chart)
    chosen = (event or {}).get("selection", {}).get(selection)
    if not isinstance(chosen, list) or not chosen or not isinstance(chosen[-1], dict):
        return {}
    if chosen[-1].get("click") != click_count(chart):
        return {}
    st.session_state["clicks"][chart] += 1
    return chosen[-1]


def click_count(chart: str) -> int:
    return st.session_state.setdefault("clicks", {}).setdefault(chart, 0)


def _among(options: Sequence[Any]) -> Callable[[Any], bool]:
    return lambda value: value in options


def _option(
    options: Sequence[Any], spell: Callable[[Any], str], old: Mapping[str, str] | None
) -> Callable[[str, Form], Any]:
    by_id = {spell(each): each for each in options}
    return lambda key, form: by_id.get(address.option(key, by_id, old))


def _segmented(label: str, options: list, first: Any, **how: Any) -> Any:
    return st.segmented_control(label, options, default=first, required=True, **how)


def _select(label: str, options: list, first: Any, **how: Any) -> Any:
    if len(options) <= FEW:
        how["filter_mode"] = None
    return st.selectbox(label, options, options.index(first), **how)


def _radio(label: str, options: list, first: Any, **how: Any) -> Any:
    return st.radio(label, options, options.index(first), **how)


_CHOICES = {"segmented": _segmented, "select": _select, "radio": _radio}


def slider(
    key: str, least: Number, most: Number, default: Number, step: Number | None = None, **how: Any
) -> Number:
    """A number from `least` to `most`; `how` is `words`, `values` and what the widget takes."""
    ends = {"min_value": least, "max_value": most, "step": step}
    mend = _between(least, most)
    return _drawn(st.slider, key, _form(default), default, mend=mend, **ends, **how)


def number(
    key: str,
    least: Number,
    most: Number,
    default: Number | None,
    step: Number | None = None,
    **how: Any,
) -> Number:
    """A number that is typed; None as long as none is, where `default` is None."""
    how |= {"min_value": least, "max_value": most, "step": step}
    how |= {"value": None} if default is None else {}
    mend = _between(least, most)
    return _drawn(st.number_input, key, _form(least), default, mend=mend, **how)


def stops(key: str, options: Sequence[Number], default: Number, **how: Any) -> Number:
    """One of some numbers that are no even steps apart."""
    how |= {"options": options, "sound": _among(options)}
    return _drawn(st.select_slider, key, _form(default), default, **how)


def toggle(key: str, default: bool = False, *, form: Form = ON_OFF, **how: Any) -> bool:
    """On or off."""
    return _drawn(st.toggle, key, form, default, **how)


def button(
    key: str,
    on_click: Callable[..., None] | None = None,
    *args: Any,
    words: str = "",
    icon: str = "",
    values: Mapping[str, Any] = NONE,
    **how: Any,
) -> bool:
    """What is done at once, or where it was pressed; its message is that of `words`, or else of
    the key."""
    say, words = current_words(), words or key
    how |= _help(words, values)
    how |= {"icon": f":material/{icon}:"} if icon else {}
    return st.button(say(words, **values), key=key, on_click=on_click, args=args, **how)


def text_box(key: str, default: str = "", *, form: Form = TEXT, **how: Any) -> str:
    """A line of text, or several with a ``height``; ``<words>-none``, if there is that message,
    stands in it while it is empty."""
    say, nothing = current_words(), f"{how.get('words', key)}-none"
    if "height" not in how:
        how.setdefault("mend", one_line)
    if say.has(nothing):
        how["placeholder"] = say(nothing, **how.get("values", NONE))
    widget = st.text_area if "height" in how else st.text_input
    return _drawn(widget, key, form, default, **how)


def one_line(text: str) -> str:
    """A text as a box of one line shows it, where a browser takes its line breaks away."""
    return re.sub(r"[\r\n]+", " ", text)


def several(
    key: str,
    options: Sequence[Value],
    default: Collection[Value],
    *,
    form: Form | None = None,
    widget: Callable[..., Any] = st.multiselect,
    **how: Any,
) -> list[Value]:
    """Some of the options, in their order; `form` spells them in one text, else each is named."""
    options = list(options)
    by_id = {str(each): each for each in options}

    def asked(key: str, _: Form) -> list[Value] | None:
        said = address.read(key, form) or () if form else st.query_params.get_all(key)
        found = [by_id[name] for name in map(str, said) if name in by_id]
        return found if found or list(said) == [""] else None

    def mend(chosen: Collection[Value]) -> list[Value]:
        return [each for each in options if each in chosen][: how.get("max_selections")]

    spelt = form or Form(str, lambda chosen: list(map(str, chosen)) or [""])
    first = [each for each in options if each in default]
    how |= {"options": options, "asked": asked, "mend": mend}
    return _drawn(widget, key, spelt, first, **how)


def _drawn(
    widget: Callable[..., Any],
    key: str,
    form: Form,
    default: Any,
    *,
    words: str = "",
    values: Mapping[str, Any] = NONE,
    mend: Callable[[Any], Any] = lambda value: value,
    asked: Callable[[str, Form], Any] = address.read,
    of: object = None,
    sound: Callable[[Any], bool] = lambda value: True,
    **how: Any,
) -> Any:
    """A widget, its words and its value; `mend` takes what is out of place to its place."""
    say, state, words = current_words(), st.session_state, words or key
    if state.get(key) is not None:
        mended = mend(state[key])
        if mended != state[key]:
            state[key] = mended

    def mended_in_address(key: str, form: Form) -> Any:
        found = asked(key, form)
        return None if found is None else mend(found)

    settle(key, form, default, asked=mended_in_address, of=of, sound=sound)
    how = {"persist_state": "session", **_help(words, values), **how}
    if "options" in how:
        how["format_func"] = unlike(key, how["options"], how.get("format_func", str))
    return keep(key, form, mend(widget(say(words, **values), key=key, **how)), default)


def _help(words: str, values: Mapping[str, Any]) -> dict[str, str]:
    """The help of a control for its widget, if there is that message."""
    say = current_words()
    return {"help": say(f"{words}-help", **values)} if say.has(f"{words}-help") else {}


def _between(least: Number, most: Number) -> Callable[[Number | None], Number | None]:
    return lambda value: None if value is None else min(max(value, least), most)


def _form(like: Any) -> Form:
    return DECIMAL if isinstance(like, float) else NUMBER
