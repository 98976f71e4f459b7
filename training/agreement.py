"""Generated English sentences in which a verb agrees with its subject."""

from __future__ import annotations

import random
import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from .corpus import Pair
from .grammar import GRAMMARS

GRAMMAR = GRAMMARS / "en_agreement.toml"
Kind = Literal["plain", "same", "other"]
KINDS: tuple[Kind, ...] = ("plain", "same", "other")


@dataclass(frozen=True)
class Agreement:
    """A sentence and the two forms of its verb.

    Attributes
    ----------
    text : with the right form.
    verb : its characters ``[start, end)``.
    right, wrong : the form that agrees, and the one that does not.
    kind : what stands between subject and verb: nothing, or another noun of the "same" or the
        "other" number.
    """

    text: str
    verb: tuple[int, int]
    right: str
    wrong: str
    kind: Kind


@cache
def grammar() -> dict[str, Any]:
    return tomllib.loads(GRAMMAR.read_text(encoding="utf-8"))


def generate(count: int, *, seed: int, held_out: bool = False) -> list[Agreement]:
    """Different sentences, `KINDS` in turn; held-out ones have subjects that no other one has."""
    rng = random.Random(f"agreement {seed} {held_out}")
    found: dict[str, Agreement] = {}
    while len(found) < count:
        sentence = _sentence(KINDS[len(found) % len(KINDS)], rng, held_out)
        found.setdefault(sentence.text, sentence)
    return list(found.values())


def _sentence(kind: Kind, rng: random.Random, held_out: bool) -> Agreement:
    rows = grammar()
    plural = rng.randrange(2)
    subject = rng.choice(rows["held_out" if held_out else "nouns"]).split()[plural]
    start = f"The {subject} "
    if kind != "plain":
        number = plural if kind == "same" else 1 - plural
        others = [each.split()[number] for each in rows["nouns"]]
        other = rng.choice([each for each in others if each != subject])
        start += f"{rng.choice(rows['before_another'])} the {other} "
    forms = rng.choice(rows["verbs"])
    right, wrong = forms[plural], forms[1 - plural]
    text = f"{start}{right} {rng.choice(rows['predicates'])}."
    return Agreement(text, (len(start), len(start) + len(right)), right, wrong, kind)


def agreement_sets(spec: dict[str, Any]) -> tuple[list[Pair], list[Pair]]:
    """What a config's "agreement" asks for: sentences to train on, and held-out ones."""
    train = generate(spec["sentences"], seed=spec["seed"])
    held = generate(spec["held_out"], seed=spec["seed"] + 1, held_out=True)
    return [Pair(each.text, "") for each in train], [Pair(each.text, "") for each in held]
