"""Generate English sentences in which a verb agrees with its subject."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .grammar import grammar
from .sentences import distinct, with_spans

Construction = Literal["plain", "same", "other", "preposition", "phrases", "clause"]
CONSTRUCTIONS: tuple[Construction, ...] = ("plain", "same", "other")
"""Constructions that occur in training sentences."""
UNTRAINED: tuple[Construction, ...] = ("preposition", "phrases", "clause")


@dataclass(frozen=True)
class AgreementSentence:
    """A sentence and both forms of its verb.

    `text` has the right form; `verb` holds its characters ``[start, end)``. `right` agrees with the
    subject, `wrong` does not; `plural` is the subject's number. `construction` names the words
    between subject and verb: none ("plain"), or a noun of the "same" or the "other" number. Those
    of `UNTRAINED` always put nouns of the other number there: after a "preposition" that training
    never uses in this place, in two "phrases" in a row, or in a relative "clause".
    """

    text: str
    verb: tuple[int, int]
    right: str
    wrong: str
    plural: bool
    construction: Construction


def generate(
    count: int,
    *,
    seed: int,
    held_out: bool = False,
    constructions: Sequence[Construction] = CONSTRUCTIONS,
) -> list[AgreementSentence]:
    """Return `count` distinct sentences, cycling through `constructions`.

    Held-out sentences have subjects that no other sentence has.
    """
    rng = random.Random(f"agreement {seed} {held_out}")
    return distinct(
        count,
        lambda n: _sentence(constructions[n % len(constructions)], rng, held_out),
        lambda sentence: sentence.text,
    )


def _sentence(construction: Construction, rng: random.Random, held_out: bool) -> AgreementSentence:
    rows = grammar("en_agreement")
    plural = rng.randrange(2)
    subject = rng.choice(rows["held_out" if held_out else "nouns"]).split()[plural]
    number = plural if construction == "same" else 1 - plural
    between = _between(construction, subject, number, rng)
    forms = rng.choice(rows["verbs"])
    right = forms[plural]
    wrong = forms[1 - plural]
    predicate = rng.choice(rows["predicates"])
    text, spans = with_spans(f"the {subject} {between}[verb:{right}] {predicate}.")
    return AgreementSentence(text, spans["verb"], right, wrong, bool(plural), construction)


def _between(construction: Construction, subject: str, number: int, rng: random.Random) -> str:
    """Return the words between subject and verb; their nouns are singular if `number` is 0."""
    rows = grammar("en_agreement")
    if construction == "plain":
        return ""
    nouns = [line.split() for line in rows["nouns"]]
    if construction == "clause":
        people = [noun[number] for noun in nouns if noun[0] in rows["people"]]
        return rng.choice(rows["clauses"]).format(rng.choice(people)) + " "
    others = [noun[number] for noun in nouns if noun[number] != subject]
    prepositions = rows["other_prepositions" if construction == "preposition" else "before_another"]
    if construction == "phrases":
        # Drawn without repetition, so that the two phrases never share a noun or a preposition.
        drawn = zip(rng.sample(prepositions, 2), rng.sample(others, 2), strict=True)
        return "".join(f"{before} the {other} " for before, other in drawn)
    other = rng.choice(others)
    return f"{rng.choice(prepositions)} the {other} "
