"""Generated English sentences in which a verb agrees with its subject."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from .corpus import Pair
from .grammar import GRAMMARS

GRAMMAR = GRAMMARS / "en_agreement.toml"
Kind = Literal["plain", "same", "other", "preposition", "phrases", "clause"]
KINDS: tuple[Kind, ...] = ("plain", "same", "other")
"""Those of which training sentences are made."""
UNTRAINED: tuple[Kind, ...] = ("preposition", "phrases", "clause")


@dataclass(frozen=True)
class Agreement:
    """A sentence and the two forms of its verb.

    `text`: with the right form. `verb`: its characters ``[start, end)``. `right`, `wrong`: the form
    that agrees, and the one that does not. `plural`: the subject's number. `kind`: what stands
    between subject and verb: nothing, or another noun of the "same" or the "other" number. In
    `UNTRAINED` always nouns of the other number: after a "preposition" that no sentence of the
    training has there, in two "phrases" one after the other, in a relative "clause".
    """

    text: str
    verb: tuple[int, int]
    right: str
    wrong: str
    plural: bool
    kind: Kind


@cache
def grammar() -> dict[str, Any]:
    return tomllib.loads(GRAMMAR.read_text(encoding="utf-8"))


def generate(
    count: int, *, seed: int, held_out: bool = False, kinds: Sequence[Kind] = KINDS
) -> list[Agreement]:
    """Different sentences, `kinds` in turn; held-out ones have subjects that no other one has."""
    rng = random.Random(f"agreement {seed} {held_out}")
    found: dict[str, Agreement] = {}
    while len(found) < count:
        sentence = _sentence(kinds[len(found) % len(kinds)], rng, held_out)
        found.setdefault(sentence.text, sentence)
    return list(found.values())


def _sentence(kind: Kind, rng: random.Random, held_out: bool) -> Agreement:
    rows = grammar()
    plural = rng.randrange(2)
    subject = rng.choice(rows["held_out" if held_out else "nouns"]).split()[plural]
    start = f"The {subject} "
    if kind != "plain":
        start += _between(kind, subject, plural if kind == "same" else 1 - plural, rng)
    forms = rng.choice(rows["verbs"])
    right, wrong = forms[plural], forms[1 - plural]
    text = f"{start}{right} {rng.choice(rows['predicates'])}."
    verb = len(start), len(start) + len(right)
    return Agreement(text, verb, right, wrong, bool(plural), kind)


def _between(kind: Kind, subject: str, number: int, rng: random.Random) -> str:
    """What stands between a subject and its verb, with nouns of a number, 0 singular, 1 plural."""
    rows = grammar()
    nouns = [each.split() for each in rows["nouns"]]
    others = [each[number] for each in nouns if each[number] != subject]
    if kind == "clause":
        people = [each[number] for each in nouns if each[0] in rows["people"]]
        return rng.choice(rows["clauses"]).format(rng.choice(people)) + " "
    if kind == "phrases":
        return "".join(
            f"{before} the {noun} "
            for before, noun in zip(
                rng.sample(rows["before_another"], 2), rng.sample(others, 2), strict=True
            )
        )
    other = rng.choice(others)
    before = rows["other_prepositions" if kind == "preposition" else "before_another"]
    return f"{rng.choice(before)} the {other} "


def agreement_sets(spec: dict[str, Any]) -> tuple[list[Pair], list[Pair]]:
    """What a config's "agreement" asks for: sentences to train on, and held-out ones."""
    train = generate(spec["sentences"], seed=spec["seed"])
    held = generate(spec["held_out"], seed=spec["seed"] + 1, held_out=True)
    return [Pair(each.text, "") for each in train], [Pair(each.text, "") for each in held]
