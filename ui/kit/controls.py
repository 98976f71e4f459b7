"""Controls whose values are kept in the address: each is declared where it is drawn, and once.

    offset = slider("encoding_offset", 1, 128, 3, words="positions-offset")
    mark = toggle("encoding_mark", True, words="positions-mark")

Each takes its label from the message `words` and its help from ``<words>-help``, if there is one;
`values` are the places of both. Choices among options are made by `ui.choice.choice`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

import streamlit as st

from ui.words import current_words

Number = TypeVar("Number", int, float)
Option = TypeVar("Option")
NONE: Mapping[str, Any] = MappingProxyType({})


def slider(
    key: str,
    least: Number,
    most: Number,
    default: Number,
    step: Number | None = None,
    *,
    words: str,
    values: Mapping[str, Any] = NONE,
    **how: Any,
) -> Number:
    """A number from `least` to `most`; `how` is what the widget takes besides."""
    return st.slider(
        _label(words, values),
        least,
        most,
        default,
        step,
        key=key,
        bind="query-params",
        **_help(words, values),
        **how,
    )


def stops(
    key: str,
    options: Sequence[Option],
    default: Option,
    *,
    words: str,
    values: Mapping[str, Any] = NONE,
    **how: Any,
) -> Option:
    """One of some numbers that are no even steps apart."""
    return st.select_slider(
        _label(words, values),
        options,
        default,
        key=key,
        bind="query-params",
        **_help(words, values),
        **how,
    )


def number(
    key: str,
    least: Number,
    most: Number,
    default: Number | None,
    step: Number | None = None,
    *,
    words: str,
    values: Mapping[str, Any] = NONE,
    **how: Any,
) -> Number:
    """A number that is typed; None as long as none is, where `default` is None."""
    return st.number_input(
        _label(words, values),
        least,
        most,
        default,
        step,
        key=key,
        bind="query-params",
        **_help(words, values),
        **how,
    )


def toggle(
    key: str, default: bool = False, *, words: str, values: Mapping[str, Any] = NONE, **how: Any
) -> bool:
    """On or off."""
    return st.toggle(
        _label(words, values),
        default,
        key=key,
        bind="query-params",
        **_help(words, values),
        **how,
    )


def text_box(
    key: str, default: str = "", *, words: str, values: Mapping[str, Any] = NONE, **how: Any
) -> str:
    """A line of text; ``<words>-none`` stands in it while it is empty, if there is that message."""
    say = current_words()
    if say.has(f"{words}-none"):
        how["placeholder"] = say(f"{words}-none", **values)
    return st.text_input(
        _label(words, values),
        default,
        key=key,
        bind="query-params",
        **_help(words, values),
        **how,
    )


def _label(words: str, values: Mapping[str, Any]) -> str:
    return current_words()(words, **values)


def _help(words: str, values: Mapping[str, Any]) -> dict[str, str]:
    say = current_words()
    return {"help": say(f"{words}-help", **values)} if say.has(f"{words}-help") else {}
