"""The grammars of generated sentences: nouns, clauses and reasons, read from a TOML file once."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any

from words.packs import FOLDER as PACKS

from .sentences import GRAMMARS

_BLOCKS = (
    *("people", "adjectives", "one_noun", "one_noun_actions", "definite_modifiers", "mass_nouns"),
    *("articles", "strong_endings", "contractions", "conjunctions", "forms", "degrees"),
    *("nouns", "modifiers", "so_clauses", "situations", "siblings"),
)  # fmt: skip


class GrammarError(Exception):
    """A grammar file does not hold together; the message lists every fault."""


@dataclass(frozen=True)
class Noun:
    """An English noun with its German counterpart.

    `oblique` is the German accusative and dative: it differs for weak nouns (der Bär, den Bären).
    """

    english: str
    german: str
    gender: str
    tags: frozenset[str]
    oblique: str
    size: int = 0

    @classmethod
    def parse(cls, text: str, tags: list[str]) -> Noun:
        """Read "english german gender [oblique] [size] [more tags]"."""
        english, german, gender, *rest = text.split()
        size = next((int(word) for word in rest if word.isdigit()), 0)
        oblique = next((word for word in rest if word[0].isupper()), german)
        extra = [word for word in rest if word.islower() and not word.isdigit()]
        return cls(english, german, gender, frozenset([*tags, *extra]), oblique, size)


@dataclass(frozen=True)
class Person:
    """Someone who is never a candidate for "it"; gender "" agrees with every noun."""

    english: str
    german: str
    gender: str


@dataclass(frozen=True)
class Clause:
    """English text and a German clause as subject, finite verb, middle field and right bracket."""

    english: str
    subject: str
    finite: str
    middle: str
    end: str

    @classmethod
    def parse(cls, text: str) -> Clause:
        """Read "english ; subject | finite | middle | end"."""
        english, german = text.split(";")
        subject, finite, middle, end = (part.strip() for part in german.split("|"))
        return cls(english.strip(), subject, finite, middle, end)

    def main(self) -> str:
        """Put the verb second."""
        return _words(self.subject, self.finite, self.middle, self.end.lstrip("+"))

    def inverted(self) -> str:
        """Put the verb before the subject, as after an adverb or a clause."""
        return _words(self.finite, self.subject, self.middle, self.end.lstrip("+"))

    def subordinate(self) -> str:
        """Put the verb last; "+" marks a separable prefix that joins it."""
        if self.end.startswith("+"):
            return _words(self.subject, self.middle, self.end[1:] + self.finite)
        return _words(self.subject, self.middle, self.end, self.finite)


@dataclass(frozen=True)
class Reason:
    """One clause about "it"; `tags` limits the nouns it fits."""

    key: str
    past: Clause
    present: Clause | None
    degree: bool
    tags: frozenset[str]

    @classmethod
    def parse(cls, text: str, adjectives: dict[str, str]) -> Reason:
        """Read an adjective, "predicate; finite | middle | end", or a whole clause with {it}."""
        text, _, tags = text.partition("@")
        limits = frozenset(tags.split("/")) if tags else frozenset()
        if ";" in text:
            english, german = (part.strip() for part in text.split(";"))
            if "{it" in english:
                past = Clause.parse(f"{english}; {german}")
            else:
                past = Clause.parse(f"{{it}} {english}; {{it}} | {german}")
            return cls(english, past, None, False, limits)
        key = text.strip().lstrip("!")
        german = adjectives[key]
        degree = not text.strip().startswith("!")
        english_degree, german_degree = ("{deg}", "{grad}") if degree else ("", "")
        english, german = english_degree + key, german_degree + german
        past = Clause(f"{{it}} was {english}", "{it}", "war", german, "")
        present = Clause(f"{{it}} is {english}", "{it}", "ist", german, "")
        return cls(key, past, present, degree, limits)

    def fits(self, noun: Noun) -> bool:
        return not self.tags or bool(self.tags & noun.tags)


Mains = tuple[tuple[str, str, tuple[Clause, ...]], ...]


@dataclass(frozen=True)
class Situation:
    """Main clauses by polarity and tense, and the reasons for either noun.

    A sibling says `like` what situation it says nearly the same as.
    """

    name: str
    tags: tuple[str, str]
    mains: Mains
    reasons: tuple[tuple[Reason, ...], tuple[Reason, ...]]
    fit: str = ""
    second_mains: Mains = ()
    like: str = ""

    @property
    def is_sibling(self) -> bool:
        return bool(self.like)


@dataclass(frozen=True)
class Grammar:
    """Everything a grammar file says; its comments explain the notation.

    `nouns`: by their English. `people`, `adjectives`, `modifiers`, `definite_modifiers`,
    `mass_nouns`: further words. `articles`, `strong_endings`: by case and gender. `contractions`,
    `conjunctions`: German by what is contracted, by English. `forms`: which ways of joining clauses
    a polarity takes. `degrees`: (English, German) by polarity. `situations`: by name, siblings
    last. `one_noun`, `one_noun_actions`: main clauses and second clauses about a single noun.
    `so_clauses`: by situation.
    """

    nouns: dict[str, Noun]
    people: tuple[Person, ...]
    adjectives: dict[str, str]
    modifiers: dict[str, list[str]]
    definite_modifiers: frozenset[str]
    mass_nouns: frozenset[str]
    articles: dict[str, dict[str, str]]
    strong_endings: dict[str, dict[str, str]]
    contractions: dict[str, str]
    conjunctions: dict[str, str]
    forms: dict[str, tuple[str, ...]]
    degrees: dict[str, tuple[tuple[str, str], ...]]
    situations: dict[str, Situation]
    one_noun: Mains
    one_noun_actions: tuple[Reason, ...]
    so_clauses: dict[str, str]


@cache
def load_grammar(name: str) -> Grammar:
    """The grammar ``training/grammars/<name>.toml``.

    Raises GrammarError where the file lacks blocks, or names words, forms or situations that it
    does not have.
    """
    path = GRAMMARS / f"{name}.toml"
    return grammar_of(tomllib.loads(path.read_text(encoding="utf-8")), path.name)


def grammar_of(values: dict[str, Any], name: str) -> Grammar:
    """A grammar from the entries of its file, checked."""
    missing = [block for block in _BLOCKS if block not in values]
    if missing:
        raise GrammarError(f"{name} lacks {', '.join(missing)}")
    try:
        grammar = _read(values)
    except (KeyError, ValueError) as error:
        raise GrammarError(f"{name} cannot be read: {error!r}") from error
    faults = _faults(grammar)
    if faults:
        raise GrammarError(f"{name} does not hold together: " + "; ".join(faults))
    return grammar


@cache
def pronoun_forms(name: str) -> dict[str, dict[str, str]]:
    """The target's pronouns for "it" by case and gender, from ``words/packs/<name>.json``."""
    return json.loads((PACKS / f"{name}.json").read_text(encoding="utf-8"))["pronoun_forms"]


def _read(values: dict[str, Any]) -> Grammar:
    adjectives = dict(entry.rsplit(" ", 1) for entry in values["adjectives"])

    def reasons(texts: list[str]) -> tuple[Reason, ...]:
        return tuple(Reason.parse(text, adjectives) for text in texts)

    situations = {}
    for entry in values["situations"]:
        situations[entry["name"]] = Situation(
            entry["name"],
            tuple(entry["nouns"]),
            _mains(entry["mains"]),
            (reasons(entry["first"]), reasons(entry["second"])),
            entry.get("fit", ""),
            _mains(entry.get("second_mains", ())),
        )
    for entry in values["siblings"]:
        elder = situations[entry["like"]]
        situations[entry["name"]] = Situation(
            entry["name"], elder.tags, _mains(entry["mains"]), elder.reasons, elder.fit,
            like=elder.name,
        )  # fmt: skip
    nouns = [Noun.parse(x, block["tags"]) for block in values["nouns"] for x in block["words"]]
    twice = [name for name, n in Counter(noun.english for noun in nouns).items() if n > 1]
    if twice:
        raise ValueError(f"nouns stand twice: {', '.join(twice)}")
    return Grammar(
        nouns={noun.english: noun for noun in nouns},
        people=tuple(Person(*entry) for entry in values["people"]),
        adjectives=adjectives,
        modifiers=values["modifiers"],
        definite_modifiers=frozenset(values["definite_modifiers"]),
        mass_nouns=frozenset(values["mass_nouns"]),
        articles=values["articles"],
        strong_endings=values["strong_endings"],
        contractions=values["contractions"],
        conjunctions=values["conjunctions"],
        forms={polarity: tuple(forms) for polarity, forms in values["forms"].items()},
        degrees={k: tuple(tuple(words) for words in v) for k, v in values["degrees"].items()},
        situations=situations,
        one_noun=_mains(values["one_noun"]),
        one_noun_actions=reasons(values["one_noun_actions"]),
        so_clauses=values["so_clauses"],
    )


def _mains(lines: list[str]) -> Mains:
    """Read lines "polarity tense: clause" and gather them by polarity and tense."""
    groups: dict[tuple[str, str], list[Clause]] = {}
    for line in lines:
        head, _, clause = line.partition(":")
        polarity, tense = head.split()
        groups.setdefault((polarity, tense), []).append(Clause.parse(clause))
    return tuple((polarity, tense, tuple(group)) for (polarity, tense), group in groups.items())


def _faults(grammar: Grammar) -> list[str]:
    """What names something that is not there."""
    faults = []
    tags = {tag for noun in grammar.nouns.values() for tag in noun.tags}
    genders = {noun.gender for noun in grammar.nouns.values()} - {"m", "f", "n"}
    faults += [f"a noun has the gender {gender!r}" for gender in sorted(genders)]
    for situation in grammar.situations.values():
        wanted = {tag for either in situation.tags for tag in either.split("/")}
        wanted |= {tag for side in situation.reasons for reason in side for tag in reason.tags}
        faults += [f"{situation.name}: no noun is a {tag}" for tag in sorted(wanted - tags)]
        polarities = {polarity for polarity, _, _ in situation.mains}
        unknown = sorted(polarities - set(grammar.forms))
        faults += [f"{situation.name}: {polarity!r} has no forms" for polarity in unknown]
    unknown = sorted(set(grammar.so_clauses) - set(grammar.situations))
    faults += [f"so_clauses: no situation is called {name!r}" for name in unknown]
    return faults


def _words(*parts: str) -> str:
    return " ".join(part for part in parts if part)
