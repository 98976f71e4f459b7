"""Grammars of generated sentences: nouns, clauses and reasons, read once from a TOML file."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from core.storage import Part
from words.packs import FOLDER as PACKS

GRAMMARS = Path(__file__).resolve().parent.parent / "grammars"
"""Folder of the grammar files."""


class GrammarError(Exception):
    """An inconsistent grammar file; the message lists every fault."""


@dataclass(frozen=True)
class Noun:
    """An English noun with its German counterpart.

    `oblique` is the German accusative and dative, which differs for weak nouns (der Bär, den
    Bären).
    """

    english: str
    german: str
    gender: str
    tags: frozenset[str]
    oblique: str
    size: int = 0

    @classmethod
    def parse(cls, text: str, tags: list[str]) -> Noun:
        """Parse "english german gender [oblique] [size] [more tags]"."""
        english, german, gender, *rest = text.split()
        size = next((int(word) for word in rest if word.isdigit()), 0)
        # German nouns are capitalised and tags are not, so optional fields need no marks.
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
    """A clause in English, and in German as subject, finite verb, middle field, right bracket."""

    english: str
    subject: str
    finite: str
    middle: str
    end: str

    @classmethod
    def parse(cls, text: str) -> Clause:
        """Parse "english ; subject | finite | middle | end"."""
        english, german = text.split(";")
        subject, finite, middle, end = (part.strip() for part in german.split("|"))
        return cls(english.strip(), subject, finite, middle, end)

    def german(self, verb: str) -> str:
        """Return the German clause, its finite verb "first", "second" or "last".

        A "+" in the right bracket marks a separable prefix, which joins a verb in last position.
        """
        end = self.end.removeprefix("+")
        orders: dict[str, tuple[str, ...]] = {
            "first": (self.finite, self.subject, self.middle, end),
            "second": (self.subject, self.finite, self.middle, end),
            "last": (self.subject, self.middle, end, self.finite),
        }
        if verb == "last" and end != self.end:
            # "weil es umfällt", but "es fällt um": the prefix is written in front of the verb.
            orders["last"] = self.subject, self.middle, end + self.finite
        return " ".join(filter(None, orders[verb]))


@dataclass(frozen=True)
class ReasonClause:
    """One clause about "it"; `tags` limits the nouns it fits."""

    key: str
    past: Clause
    present: Clause | None
    tags: frozenset[str]

    @classmethod
    def parse(cls, text: str, adjectives: Mapping[str, str]) -> ReasonClause:
        """Parse an adjective, with "!" in front if it takes no degree, or a clause."""
        text, _, tags = text.partition("@")
        limits = frozenset(filter(None, tags.split("/")))
        # A semicolon separates the languages of a clause; an adjective has none.
        if ";" in text:
            past = Clause.parse(text)
            return cls(past.english.removeprefix("{it} "), past, None, limits)
        key = text.lstrip("!")
        degree = "{deg}" if key == text else ""
        past, present = (
            Clause(
                f"{{it}} {english} {degree}{key}", "{it:nom}", german, degree + adjectives[key], ""
            )
            for english, german in (("was", "war"), ("is", "ist"))
        )
        return cls(key, past, present, limits)

    def fits(self, noun: Noun) -> bool:
        """Return True if a noun has one of the tags, or if any noun fits."""
        return not self.tags or bool(self.tags & noun.tags)


Mains = Mapping[tuple[str, str], Sequence[Clause]]
"""Main clauses by polarity and tense."""


@dataclass(frozen=True)
class Situation:
    """Statements about two nouns, with the reasons for either."""

    name: str
    nouns: tuple[str, str]  # tags of either noun
    mains: Mains
    reasons: tuple[Sequence[ReasonClause], Sequence[ReasonClause]]
    fit: str = ""  # "near", "contains" or "same": how the two nouns must compare
    second_mains: Mains | None = None  # if the reason is that of the second noun
    like: str = ""  # in a sibling: the situation that it nearly repeats


@dataclass(frozen=True)
class Grammar:
    """Contents of a grammar file, by its blocks; the file's comments explain the notation."""

    nouns: Mapping[str, Noun]  # by their English
    people: Sequence[Person]
    adjectives: Mapping[str, str]
    modifiers: Mapping[str, Sequence[str]]
    definite_modifiers: Sequence[str]
    mass_nouns: Sequence[str]
    determiners: Mapping[str, Mapping[str, Mapping[str, str]]]  # by English, case and gender
    contractions: Mapping[str, str]
    joins: Mapping[str, tuple[str, str]]  # English and German
    forms: Mapping[str, Sequence[str]]  # the joins that a polarity takes
    degrees: Mapping[str, Sequence[tuple[str, str]]]  # by polarity
    situations: Mapping[str, Situation]  # siblings last
    one_noun: Mains
    one_noun_actions: Sequence[ReasonClause]  # second clauses about a single noun
    so_clauses: Mapping[str, str]  # by situation


@cache
def grammar(name: str) -> dict[str, Any]:
    """Return the contents of ``training/grammars/<name>.toml``."""
    return tomllib.loads((GRAMMARS / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def load_grammar(name: str) -> Grammar:
    """Load the coreference sentences of ``training/grammars/<name>.toml``.

    Raises GrammarError if the file lacks blocks, or names words, forms or situations that it does
    not have.
    """
    return grammar_of(grammar(name), f"{name}.toml")


def grammar_of(values: Mapping[str, Any], name: str) -> Grammar:
    """Build and check a grammar from the entries of its file."""
    blocks = [block.name for block in fields(Grammar)]
    missing = [block for block in blocks if block not in values]
    if missing:
        raise GrammarError(f"{name} lacks {', '.join(missing)}")
    unknown = [block for block in values if block not in blocks]
    if unknown:
        raise GrammarError(f"{name} has blocks of unknown names: {', '.join(unknown)}")
    try:
        grammar = _read(values)
    except (KeyError, TypeError, ValueError) as error:
        raise GrammarError(f"{name} cannot be read: {error!r}") from error
    faults = _faults(grammar)
    if faults:
        raise GrammarError(f"{name} does not hold together: " + "; ".join(faults))
    return grammar


class PronounPack(Part):
    pronoun_forms: dict[str, dict[str, str]]


@cache
def pronoun_forms(name: str) -> dict[str, dict[str, str]]:
    """Return the target's pronouns for "it" by case and gender, from ``words/packs``."""
    return PronounPack.from_values(json.loads((PACKS / f"{name}.json").read_bytes())).pronoun_forms


def _read(values: Mapping[str, Any]) -> Grammar:
    adjectives = dict(entry.rsplit(" ", 1) for entry in values["adjectives"])
    situations: dict[str, Situation] = {}
    for entry in values["situations"]:
        # A sibling takes nouns and reasons from its elder, which must stand above it in the file.
        elder = situations[entry["like"]] if "like" in entry else None
        situations[entry["name"]] = _situation(entry, elder, adjectives)
    nouns = [Noun.parse(x, block["tags"]) for block in values["nouns"] for x in block["words"]]
    # A dictionary would silently keep the last of two equal nouns.
    twice = [name for name, n in Counter(noun.english for noun in nouns).items() if n > 1]
    if twice:
        raise ValueError(f"nouns occur twice: {', '.join(twice)}")
    return Grammar(
        nouns={noun.english: noun for noun in nouns},
        people=[Person(*entry) for entry in values["people"]],
        adjectives=adjectives,
        modifiers=values["modifiers"],
        definite_modifiers=values["definite_modifiers"],
        mass_nouns=values["mass_nouns"],
        determiners=values["determiners"],
        contractions=values["contractions"],
        joins=values["joins"],
        forms=values["forms"],
        degrees=values["degrees"],
        situations=situations,
        one_noun=_mains(values["one_noun"]),
        one_noun_actions=_reasons(values["one_noun_actions"], adjectives),
        so_clauses=values["so_clauses"],
    )


def _situation(
    entry: Mapping[str, Any], elder: Situation | None, adjectives: Mapping[str, str]
) -> Situation:
    """Return the situation of an entry of the file; a sibling repeats its `elder`."""
    if elder:
        nouns = elder.nouns
        fit = elder.fit
        reasons = elder.reasons
    else:
        nouns = entry["nouns"]
        fit = entry.get("fit", "")
        reasons = (_reasons(entry["first"], adjectives), _reasons(entry["second"], adjectives))
    second_mains = entry.get("second_mains")
    return Situation(
        name=entry["name"],
        nouns=nouns,
        mains=_mains(entry["mains"]),
        reasons=reasons,
        fit=fit,
        second_mains=None if second_mains is None else _mains(second_mains),
        like=entry.get("like", ""),
    )


def _reasons(texts: Sequence[str], adjectives: Mapping[str, str]) -> tuple[ReasonClause, ...]:
    return tuple(ReasonClause.parse(text, adjectives) for text in texts)


def _mains(groups: Mapping[str, Sequence[str]]) -> Mains:
    mains = {}
    for head, lines in groups.items():
        polarity, tense = head.split()
        mains[polarity, tense] = [Clause.parse(line) for line in lines]
    return mains


def _faults(grammar: Grammar) -> list[str]:
    """Return a message for each name that refers to nothing."""
    faults = []
    tags = {tag for noun in grammar.nouns.values() for tag in noun.tags}
    genders = {noun.gender for noun in grammar.nouns.values()} - {"m", "f", "n"}
    faults += [f"a noun has the gender {gender!r}" for gender in sorted(genders)]
    for situation in grammar.situations.values():
        # Tags of reasons count, too: a misspelt one would fit no noun and never be drawn.
        # A situation may say "place/building": a noun needs one of the two.
        wanted = {tag for either in situation.nouns for tag in either.split("/")}
        wanted |= {tag for side in situation.reasons for reason in side for tag in reason.tags}
        faults += [f"{situation.name}: no noun is a {tag}" for tag in sorted(wanted - tags)]
        polarities = {polarity for polarity, _ in situation.mains}
        unknown = sorted(polarities - set(grammar.forms))
        faults += [f"{situation.name}: {polarity!r} has no forms" for polarity in unknown]
    unknown = sorted(set(grammar.so_clauses) - set(grammar.situations))
    faults += [f"so_clauses: no situation is called {name!r}" for name in unknown]
    return faults
