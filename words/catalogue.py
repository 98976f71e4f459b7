"""The message files of a language, read once."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import numbers
from .josa import josa, language_of
from .message import Message

if TYPE_CHECKING:
    from fluent.runtime import FluentBundle

FOLDER = Path(__file__).resolve().parent
FIRST = "en"
"""The language that is complete, and stands in where another lacks a message."""
_CODE = re.compile(r"(?:__)?([a-z]{2,3})(?:[-_]([A-Z][a-z]{3}))?(?:[-_]\w+)*")
LONGEST = 2500
"""Characters of a value; Fluent refuses longer ones, and a long fault must not hide behind that."""


@dataclass(frozen=True)
class Words:
    """The words of one language; equal for equal languages, so that a cache may keep them apart.

    >>> english("head-name", layer=1, head=2)
    'layer 1, head 2'
    """

    language: str = FIRST

    def __call__(self, id: str, /, **values: Any) -> str:
        """The message of this id with its places filled in; English where it is missing.

        Whole numbers choose plurals and are written without separators, others with two decimals;
        what is true or not is "yes" or "no".
        A message writes a number otherwise by a function of `words.numbers` in capitals:
        ``{ PERCENT($share, digits: 0) }``.

        Raises
        ------
        KeyError : no language has a message of this id.
        ValueError : a place of the message was not given a value.
        """
        given = {name: self._value(value) for name, value in values.items()}
        for language in (self.language, FIRST):
            bundle = _bundle(language)
            if bundle.has_message(id):
                read_in = tuple(map(language_of, given.values()))
                return _filled(bundle, id, read_in, **given)
        raise KeyError(f"no message {id!r} in {self.language!r} or {FIRST!r}")

    def of(self, message: Message) -> str:
        """The words of a message that a record, an error or a chart carries."""
        return self(message.id, **message.values)

    def has(self, id: str) -> bool:
        """Whether this language, or English in its place, has the message."""
        return any(_bundle(language).has_message(id) for language in (self.language, FIRST))

    def has_page(self, name: str) -> bool:
        """Whether this language, or English in its place, has the explanation."""
        return any(
            (FOLDER / language / f"{name}.md").is_file() for language in (self.language, FIRST)
        )

    def page(self, name: str) -> str:
        """The explanation in ``words/<language>/<name>.md``, English where it is missing."""
        own = FOLDER / self.language / f"{name}.md"
        return _text(own if own.is_file() else FOLDER / FIRST / f"{name}.md")

    def language_name(self, code: str) -> str:
        """What a language is called, by whatever code there is of it; the code where it has no
        name.

        >>> english.language_name("pt"), Words("ko").language_name("por_Latn")
        ('Portuguese', '포르투갈어')
        >>> english.language_name("pt-BR"), english.language_name("pt_XX")
        ('Portuguese (Brazil)', 'Portuguese')
        """
        return self(own) if self.has(own := f"language-{code}") else _named(self.language, code)

    def _value(self, value: Any) -> str | int | float:
        if isinstance(value, Message):
            return self.of(value)
        if isinstance(value, tuple):
            value = "; ".join(str(self._value(part)) for part in value)
        if isinstance(value, str) and len(value) > LONGEST:
            return value[: LONGEST - 1] + "…"
        if isinstance(value, str):
            return value
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, Real):
            return int(value) if isinstance(value, Integral) else float(value)
        raise ValueError(f"expected text, a number, a truth or messages, found {value!r}")


english = Words()


def languages() -> tuple[str, ...]:
    """The languages there are, the complete one first."""
    return _languages(FOLDER)


@lru_cache(maxsize=8)
def _languages(folder: Path) -> tuple[str, ...]:
    names = sorted(path.name for path in folder.iterdir() if any(path.glob("*.ftl")))
    return tuple(sorted(names, key=lambda name: name != FIRST))


@lru_cache(maxsize=8)
def _bundle(language: str) -> FluentBundle:
    # Loaded with the first word: who only runs a model from Python says none.
    from fluent.runtime import FluentBundle, FluentResource

    # Fluent passes on whatever a function returns; its annotation knows only its own types.
    functions: dict[str, Any] = {"JOSA": josa}
    functions |= {write.__name__.upper(): _written_by(write) for write in numbers.WRITERS}
    bundle = FluentBundle([language], functions=functions, use_isolating=False)
    for path in sorted((FOLDER / os.path.basename(language)).glob("*.ftl")):
        bundle.add_resource(FluentResource(path.read_text(encoding="utf-8")))
    return bundle


@lru_cache(maxsize=512)
def language_code(code: str) -> str:
    """The shortest code of a language, by whatever code there is of it: without a country, and
    without the script that is usual. What is no code of a language stays as it is.

    >>> [language_code(each) for each in ("eng_Latn", "en_XX", "__en__", "zho_Hant", "pt-BR")]
    ['en', 'en', 'en', 'zh-Hant', 'pt']
    >>> language_code("source"), language_code("ROMANCE")
    ('source', 'ROMANCE')
    """
    from babel import Locale, UnknownLocaleError
    from babel.core import get_global

    parts = _CODE.fullmatch(code)
    if parts is None:
        return code
    try:
        language = Locale.parse(parts[1]).language
    except (UnknownLocaleError, ValueError):
        return code
    usual = get_global("likely_subtags").get(language, "").split("_")
    script = {"Hang": "Kore"}.get(parts[2], parts[2])  # Hangul is most of what Korean is written in
    return language if script in (None, *usual) else f"{language}-{parts[2]}"


@lru_cache(maxsize=512)
def _named(language: str, code: str) -> str:
    from babel import Locale, UnknownLocaleError, localedata

    known = language if localedata.exists(language) else FIRST
    parts = code.replace("_", "-").split("-")
    try:
        found = Locale.parse("-".join(parts), sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale(known).languages.get(parts[0].lower(), code)
    return (found.get_display_name if parts[1:] else found.get_language_name)(known) or code


def _written_by(write: Callable[..., str]) -> Callable[..., str]:
    """A way to write a number, as a function of messages."""

    def written(number: Any, **how: Any) -> str:
        number = getattr(number, "number", number)
        return write(number, **{name: int(how[name]) for name in how})

    return written


@cache
def _decimal() -> Callable[[float], Any]:
    from fluent.runtime.types import FluentType

    class Decimal(FluentType):
        """A number that is written with two decimals, if it is not handed to a function."""

        def __init__(self, number: float) -> None:
            self.number = number

        def __str__(self) -> str:
            return numbers.fixed(self.number)

        def format(self, locale: Any) -> str:
            return str(self)

    return Decimal


@lru_cache(maxsize=8192, typed=True)  # 1.00 is not 1
def _filled(
    bundle: FluentBundle, id: str, read_in: tuple[str, ...], /, **values: str | int | float
) -> str:
    """Kept, because a number costs Fluent half a millisecond and a page says hundreds of them.

    `read_in`: the languages of the values, which keep apart what is written alike.
    """
    from fluent.runtime.types import fluent_number

    pattern = bundle.get_message(id).value
    if pattern is None:
        raise ValueError(f"message {id!r} has no words of its own")
    given = {
        name: _decimal()(value)
        if isinstance(value, float)
        else fluent_number(value, useGrouping=False)
        if isinstance(value, int)
        else value
        for name, value in values.items()
    }
    text, faults = bundle.format_pattern(pattern, given)
    if faults:
        raise ValueError(f"message {id!r}: " + "; ".join(map(str, faults)))
    return str(text)


@lru_cache(maxsize=256)
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
