"""Packs of facts about a pair of languages: pronouns, articles and example sentences.

A pack is a file, ``words/packs/<source>-<target>.json``; a pair without one has an empty pack.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("packs")


@dataclass(frozen=True)
class ExampleSentence:
    """Example sentence of a pair.

    Attributes
    ----------
    shows : its point in two words, ``example-<shows>`` in the message files or as it stands; only
        examples with one are offered as chips.
    pronoun, antecedent, other : the pronoun, the noun it stands for and the noun it might be
        mistaken for; empty for a sentence without such ambiguity.
    twin : a sentence that differs in one word; that of an ambiguous pronoun has the other noun as
        its antecedent.
    decides : that word, which decides the antecedent.
    writes : a word of the translation that renders `antecedent`, if that is the one to look at.
    pages : ids of the pages that open with it, because it shows their point.
    """

    shows: str
    text: str
    pronoun: str = ""
    antecedent: str = ""
    other: str = ""
    twin: str = ""
    decides: str = ""
    writes: str = ""
    pages: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pack:
    """Facts about a pair of languages.

    Attributes
    ----------
    languages : codes of source and target, as a card names them.
    pronoun : the pronoun of the source whose noun must be known to translate it; empty if the
        pair has no such ambiguity.
    unmarked : pronouns of the source that are translated alike whatever their noun.
    rivals : its translations that compete in one case of the target language, a tuple a case.
    determiners : words of the source that may stand before a noun and belong to it.
    examples : sentences worth looking at.
    second : a short sentence to compare with another one.
    few_words : a sentence of so few words that their other orders can be read at a glance.
    """

    languages: tuple[str, ...] = ()
    pronoun: str = ""
    unmarked: frozenset[str] = frozenset()
    rivals: tuple[tuple[str, ...], ...] = ()
    determiners: frozenset[str] = frozenset()
    examples: tuple[ExampleSentence, ...] = ()
    second: str = ""
    few_words: str = ""

    @property
    def forms(self) -> frozenset[str]:
        """All translations of the pronoun."""
        return frozenset(form for case in self.rivals for form in case)

    def rivals_of(self, word: str) -> tuple[str, ...]:
        """Return the forms of the first case that contains `word`, ignoring capitals.

        `word` is among them.
        """
        return next((case for case in self.rivals if word.lower() in case), ())

    def example_of(self, text: str) -> ExampleSentence | None:
        """Return the example with this text, or None."""
        wanted = " ".join(text.split())
        return next((example for example in self.examples if example.text == wanted), None)

    def twin_of(self, text: str) -> str:
        """Return the other sentence of the minimal pair with this text, or an empty string."""
        wanted = " ".join(text.split())
        pairs = [(example.text, example.twin) for example in self.examples if example.twin]
        # An example's own twin first; a twin that is no example leads back to its example.
        pairs += [(twin, text) for text, twin in pairs]
        return next((twin for text, twin in pairs if text == wanted), "")


def pack_of(languages: Sequence[str]) -> Pack:
    """Return the pack of a pair of languages, source first, as a card names them."""
    return _packs().get("-".join(languages).lower(), Pack(tuple(languages)))


def examples_in(language: str) -> tuple[ExampleSentence, ...]:
    """Return the examples in a language, from all pairs with this source."""
    packs = (pack for pack in _packs().values() if pack.languages[0] == language)
    return tuple(example for pack in packs for example in pack.examples)


def first_pack() -> Pack:
    """Return the pack to begin with if the languages are unknown."""
    return pack_of(("en", "de"))


@cache
def _packs() -> dict[str, Pack]:
    return {path.stem: _read(path) for path in sorted(FOLDER.glob("*.json"))}


def _read(path: Path) -> Pack:
    """Read a pack from its JSON file."""
    values = json.loads(path.read_text(encoding="utf-8"))
    return Pack(
        languages=tuple(values["languages"]),
        pronoun=values["source_pronoun"],
        unmarked=frozenset(values.get("unmarked_pronouns", ())),
        # Genders may share a form (German "ihm"); each form counts once.
        rivals=tuple(
            tuple(dict.fromkeys(case.values())) for case in values["pronoun_forms"].values()
        ),
        determiners=frozenset(values["determiners"]),
        examples=tuple(ExampleSentence(**_typed(example)) for example in values["examples"]),
        second=values["second"],
        few_words=values["few_words"],
    )


def _typed(example: dict[str, Any]) -> dict[str, Any]:
    return example | {"pages": tuple(example.get("pages", ()))}


def opens_with(examples: Sequence[ExampleSentence], page: str) -> ExampleSentence:
    """Return the example that a page opens with: the first that names it, else the first of all."""
    return next((example for example in examples if page in example.pages), examples[0])
