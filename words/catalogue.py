"""Messages, and the catalogue of their words: the Fluent files of each language, read once."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import numbers
from .josa import josa, language_of

if TYPE_CHECKING:
    from fluent.runtime.resolver import Message as ParsedMessage

FOLDER = Path(__file__).resolve().parent
FIRST = "en"
"""Complete language, which stands in if another lacks a message."""
# A message begins at the start of a line; the lines that belong to it are indented.
_MESSAGE = re.compile(r"^([a-zA-Z][\w-]*) *=", re.MULTILINE)
_REFERENCE = re.compile(r"\{ *([a-zA-Z][\w-]*) *\}")
_PLACE = re.compile(r"\$([a-zA-Z][\w-]*)")
_SHOWN = re.compile(r"\{ *\$([a-zA-Z][\w-]*) *\}")
# Language, script and country as models spell them: "pt-BR", "zho_Hant", "__en__", "en_XX".
_CODE = re.compile(r"(?:__)?([a-z]{2,3})(?:[-_]([A-Z][a-z]{3}))?(?:[-_]\w+)*")
LONGEST = 2500
"""Characters of a value; Fluent refuses longer ones, and a long error must not hide behind that."""


@dataclass(frozen=True, eq=False)
class Message:
    """Message id with the values of its variables.

    A value may be a message itself, or a tuple of messages, which become a list in a sentence.
    """

    id: str
    values: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, id: str, /, **values: Any) -> Message:
        """Build a message from keyword values."""
        return cls(id, values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return (self.id, dict(self.values)) == (other.id, dict(other.values))

    def __hash__(self) -> int:
        """Hash the id alone: values need not be hashable."""
        return hash(self.id)

    def __str__(self) -> str:
        """Return the English words."""
        return english.of(self)


@dataclass(frozen=True)
class Words:
    """Words of one language; equal for equal languages, so that a cache can use them as keys.

    >>> english("head-name", layer=1, head=2)
    'layer 1, head 2'
    """

    language: str = FIRST

    def __call__(self, id: str, /, **values: Any) -> str:
        """Return the message of this id with its variables filled in; in English if it is missing.

        Whole numbers choose plurals and are written without separators, others with two decimals;
        what is true or not is "yes" or "no".
        A message writes a number otherwise by a function of `words.numbers` in capitals:
        ``{ PERCENT($share, digits: 0) }``.

        Raises
        ------
        KeyError : no language has a message of this id.
        ValueError : a place of the message was not given a value.
        """
        arguments = {name: self._value(value) for name, value in values.items()}
        for language in (self.language, FIRST):
            messages = _messages(language)
            if id in messages.texts:
                if float in map(type, arguments.values()):
                    # As text, numbers that read alike share a place in the cache.
                    for name in _plain_places(messages, id) & arguments.keys():
                        value = arguments[name]
                        if isinstance(value, float):
                            arguments[name] = numbers.fixed(value)
                read_in = tuple(map(language_of, arguments.values()))
                return _filled(messages, id, read_in, **arguments)
        raise KeyError(f"no message {id!r} in {self.language!r} or {FIRST!r}")

    def of(self, message: Message) -> str:
        """Return the words of a message that a record, an error or a chart carries."""
        return self(message.id, **message.values)

    def has(self, id: str) -> bool:
        """Return True if this language, or English in its place, has the message."""
        return any(id in _messages(language).texts for language in (self.language, FIRST))

    def has_page(self, name: str) -> bool:
        """Return True if this language, or English in its place, has the explanation."""
        return any(
            (FOLDER / language / f"{name}.md").is_file() for language in (self.language, FIRST)
        )

    def page(self, name: str) -> str:
        """Return the explanation in ``words/<language>/<name>.md``, in English if it is missing."""
        path = FOLDER / self.language / f"{name}.md"
        return _text(path if path.is_file() else FOLDER / FIRST / f"{name}.md")

    def language_name(self, code: str) -> str:
        """Return the name of a language for any code of it; the code if it has no name.

        >>> english.language_name("pt"), Words("ko").language_name("por_Latn")
        ('Portuguese', '포르투갈어')
        >>> english.language_name("pt-BR"), english.language_name("pt_XX")
        ('Portuguese (Brazil)', 'Portuguese')
        """
        # The messages may name a language otherwise than CLDR does.
        id = f"language-{code}"
        return self(id) if self.has(id) else _named(self.language, code)

    def _value(self, value: Any) -> str | int | float:
        """Convert a value to what Fluent takes: messages to text, bools to "yes" and "no"."""
        # First, because the test below for any number costs more than all the others.
        if value.__class__ is float or value.__class__ is int:
            return value
        if isinstance(value, Message):
            return self.of(value)
        if isinstance(value, tuple):
            value = "; ".join(str(self._value(part)) for part in value)
        if isinstance(value, str) and len(value) > LONGEST:
            return value[: LONGEST - 1] + "…"
        if isinstance(value, str):
            return value
        # Before numbers: in Python a bool is an int.
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, Real):
            return int(value) if isinstance(value, Integral) else float(value)
        raise ValueError(f"expected text, a number, a truth or messages, found {value!r}")


english = Words()
"""English words, the default of records, errors and figures."""


def languages() -> tuple[str, ...]:
    """Return the available languages, the complete one first."""
    return _languages(FOLDER)


@lru_cache(maxsize=8)
def _languages(folder: Path) -> tuple[str, ...]:
    """Return the languages with messages in `folder`, the complete one first."""
    names = sorted(path.name for path in folder.iterdir() if any(path.glob("*.ftl")))
    # False sorts before True: the complete language first.
    return tuple(sorted(names, key=lambda name: name != FIRST))


class _Messages:
    """Messages of one language, each parsed with its first use, since parsing all takes 0.3 s.

    `texts`: Fluent source of each message, by id.
    """

    def __init__(self, language: str, texts: Mapping[str, str]) -> None:
        # Imported with the first message: scripts that only run a model need none.
        from fluent.runtime import FluentBundle

        # Fluent accepts functions that return plain text, but its annotations do not allow it.
        functions: dict[str, Any] = {"JOSA": josa}
        functions |= {write.__name__.upper(): _written_by(write) for write in numbers.WRITERS}
        # Isolating marks around values would break comparison with and search in plain text.
        self.bundle = FluentBundle([language], functions=functions, use_isolating=False)
        self.texts = texts

    def parsed(self, id: str) -> ParsedMessage:
        """Return a message, parsed together with those that it refers to."""
        self._parse(id)
        return self.bundle.get_message(id)

    def _parse(self, id: str) -> None:
        from fluent.runtime import FluentResource

        if id not in self.texts or self.bundle.has_message(id):
            return
        text = self.texts[id]
        # First, since another thread takes a message that is there with all that it refers to.
        for other in _REFERENCE.findall(text):
            self._parse(other)
        self.bundle.add_resource(FluentResource(text))


@lru_cache(maxsize=8)
def _messages(language: str) -> _Messages:
    """Read the messages of a language."""
    texts: dict[str, str] = {}
    # The language may come from an address: `basename` keeps it inside the folder.
    for path in sorted((FOLDER / os.path.basename(language)).glob("*.ftl")):
        _, *parts = _MESSAGE.split(path.read_text(encoding="utf-8"))
        for id, rest in zip(parts[::2], parts[1::2], strict=True):
            texts.setdefault(id, f"{id} ={rest}")
    return _Messages(language, texts)


@lru_cache(maxsize=512)
def language_code(code: str) -> str:
    """Return the shortest code of a language: without country, and without the usual script.

    Other text than a code of a language is returned unchanged.

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
    # CLDR's likely subtags, such as "ko_Kore_KR" for "ko".
    usual = get_global("likely_subtags").get(language, "").split("_")
    script = {"Hang": "Kore"}.get(parts[2], parts[2])  # Hangul is most of what Korean is written in
    return language if script in (None, *usual) else f"{language}-{parts[2]}"


@lru_cache(maxsize=512)
def _named(language: str, code: str) -> str:
    """Return the name of the language `code` in `language`, from CLDR."""
    from babel import Locale, UnknownLocaleError, localedata

    in_language = language if localedata.exists(language) else FIRST
    parts = code.replace("_", "-").split("-")
    try:
        locale = Locale.parse("-".join(parts), sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale(in_language).languages.get(parts[0].lower(), code)
    return (locale.get_display_name if parts[1:] else locale.get_language_name)(in_language) or code


def _written_by(write: Callable[..., str]) -> Callable[..., str]:
    """Wrap a function of `words.numbers` for use in messages."""

    def written(number: Any, **options: Any) -> str:
        # A float arrives as the `Decimal` below, an int as Fluent's own type.
        number = getattr(number, "number", number)
        return write(number, **{name: int(value) for name, value in options.items()})

    return written


@cache
def _decimal() -> Callable[[float], Any]:
    """Return the class of floats in messages, defined late because Fluent is imported late."""
    from fluent.runtime.types import FluentType

    class Decimal(FluentType):
        """Number written with two decimals unless it is passed to a function."""

        def __init__(self, number: float) -> None:
            self.number = number

        def __str__(self) -> str:
            return numbers.fixed(self.number)

        def format(self, locale: Any) -> str:
            return str(self)

    return Decimal


@lru_cache(maxsize=8192)
def _plain_places(messages: _Messages, id: str) -> frozenset[str]:
    """Return the places of a message that only show their value: no function, no choice by it."""
    text = messages.texts[id]
    if _REFERENCE.search(text):  # the other message sees the values, too
        return frozenset()
    shows = Counter(_SHOWN.findall(text))
    return frozenset(name for name, n in Counter(_PLACE.findall(text)).items() if shows[name] == n)


@lru_cache(maxsize=8192, typed=True)  # 1.00 is not 1
def _filled(
    messages: _Messages, id: str, read_in: tuple[str, ...], /, **values: str | int | float
) -> str:
    """Fill in a message; cached, because a number costs Fluent half a millisecond.

    `read_in`: the languages of the values, which keep apart values that are spelt alike: a `Spoken`
    equals the plain text but takes another particle.
    """
    from fluent.runtime.types import fluent_number

    pattern = messages.parsed(id).value
    if pattern is None:
        raise ValueError(f"message {id!r} has no words of its own")
    arguments = {
        name: _decimal()(value)
        if isinstance(value, float)
        else fluent_number(value, useGrouping=False)
        if isinstance(value, int)
        else value
        for name, value in values.items()
    }
    text, faults = messages.bundle.format_pattern(pattern, arguments)
    if faults:
        raise ValueError(f"message {id!r}: " + "; ".join(map(str, faults)))
    return str(text)


@lru_cache(maxsize=256)
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
