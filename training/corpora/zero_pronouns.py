"""Generate Korean pairs whose second sentence omits its subject or has a pronoun for it.

English has to name somebody there. Who is meant is known: if the subject is omitted, the topic of
the first sentence, as readers of Korean take it, or the thing if the clause fits no person; else
the one that the pronoun can mean.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from words.josa import josa

from .grammar import grammar
from .sentences import distinct, filled, with_spans
from .text_pairs import Span

Condition = Literal["alone", "together", "thing", "pronoun"]
CONDITIONS: tuple[Condition, ...] = ("alone", "together", "thing", "pronoun")
Clause = Sequence[str]
"""A clause in plain Korean, in polite Korean and in English."""


@dataclass(frozen=True)
class Referent:
    """A person or thing that is spoken of: the noun in both languages, and the English pronoun."""

    korean: str
    english: str
    pronoun: str

    @property
    def is_thing(self) -> bool:
        """True for a thing, False for a person."""
        return self.pronoun == "it"


@dataclass(frozen=True)
class Dropped:
    """A pair, and the one that its second sentence is about.

    `condition`: "alone", one person; "together", two persons with different pronouns; "thing", a
    person and a thing, either of which the second sentence may mean; in these three it has no
    subject. "pronoun": two candidates and a pronoun. `pronoun`: the English pronoun that begins the
    second sentence, in lower case. `antecedent`, `other`: characters ``[start, end)`` in the source
    of the one meant and of the other candidate, None if there is none.
    """

    source: str
    target: str
    condition: Condition
    pronoun: str
    antecedent: Span
    other: Span | None

    @property
    def pronoun_span(self) -> Span:
        """Characters ``[start, end)`` of the English pronoun in the target."""
        # The second sentence begins with the pronoun, and only the first full stop has a space
        # after it.
        start = self.target.index(". ") + 2
        return start, start + len(self.pronoun)


def named(section: str) -> tuple[Referent, ...]:
    """Return all persons or things of a section of the grammar."""
    sections = grammar("ko_en_subjects")[section]
    return tuple(
        Referent(korean, english, pronoun)
        for pronoun, lines in sections.items()
        for korean, english in lines
    )


def generate(
    count: int,
    *,
    seed: int,
    held_out: bool = False,
    conditions: Sequence[Condition] = CONDITIONS,
) -> list[Dropped]:
    """Return `count` distinct pairs, cycling through `conditions`.

    Held-out pairs have nouns, or end in clauses, that never occur in training.
    """
    # With a text in the seed, other generators draw otherwise from the same number.
    rng = random.Random(f"dropped subjects {seed}")
    return distinct(
        count,
        lambda n: _joined(_draw_choices(conditions[n % len(conditions)], rng, held_out)),
        lambda pair: pair.source,
    )


def twins(count: int, *, seed: int) -> list[tuple[Dropped, Dropped]]:
    """Return held-out pairs of two persons, each beside itself with the persons exchanged."""
    rng = random.Random(f"dropped subjects, twins {seed}")

    def both(_: int) -> tuple[Dropped, Dropped]:
        choices = _draw_choices("together", rng, held_out=True)
        return _joined(choices), _joined(choices.exchanged)

    return distinct(count, both, lambda pairs: pairs[0].source)


@dataclass(frozen=True)
class _PairChoices:
    """Choices behind a pair, before it is put into words."""

    topic: Referent
    other: Referent | None
    meant: Referent
    first: Clause
    then: Clause
    style: int
    condition: Condition

    @property
    def exchanged(self) -> _PairChoices:
        """The same choices with the two persons exchanged, the topic meant again."""
        assert self.other is not None
        return replace(self, topic=self.other, other=self.topic, meant=self.other)


def _draw_choices(condition: Condition, rng: random.Random, held_out: bool) -> _PairChoices:
    """Draw the choices of a pair."""
    # In a held-out pair either a noun is new or the second clause, never both.
    new_noun = held_out and rng.random() < 0.5
    new_clause = held_out and not new_noun
    topic, other = _draw_candidates(condition, rng, new_noun)
    meant = topic
    # Of two persons without a pronoun the topic is meant.
    if other is not None and condition in ("thing", "pronoun") and rng.random() < 0.5:
        meant = other
    clauses = grammar("ko_en_subjects")["clauses"]
    then = "next_of_a_thing" if meant.is_thing else "next"
    return _PairChoices(
        topic=topic,
        other=other,
        meant=meant,
        first=rng.choice(clauses[_opening_section(other)]),
        then=rng.choice(clauses[f"{then}_held_out" if new_clause else then]),
        # Plain or polite, the same in both sentences of a pair.
        style=rng.randrange(2),
        condition=condition,
    )


def _draw_candidates(
    condition: Condition, rng: random.Random, new_noun: bool
) -> tuple[Referent, Referent | None]:
    """Draw the topic of the first sentence, and the other candidate if there is one.

    With `new_noun` one of them is held out: the thing if there is one, else a person.
    """
    people = named("people")
    if condition == "thing" or (condition == "pronoun" and rng.random() < 0.3):
        topic = rng.choice(people)
        return topic, rng.choice(named("things_held_out" if new_noun else "things"))
    topic = rng.choice(named("people_held_out") if new_noun else people)
    if condition == "alone":
        return topic, None
    # With equal pronouns the English would not tell which of the two is meant.
    other = rng.choice([person for person in people if person.pronoun != topic.pronoun])
    return (other, topic) if rng.random() < 0.5 else (topic, other)


def _opening_section(other: Referent | None) -> str:
    """Return the section of the grammar with first clauses about the topic and `other`."""
    if other is None:
        return "alone"
    return "with_a_thing" if other.is_thing else "together"


def _joined(choices: _PairChoices) -> Dropped:
    """Put drawn choices into words, with the spans of both candidates."""
    topic = choices.topic
    other = choices.other
    meant = choices.meant
    pronouns = grammar("ko_en_subjects")["pronouns"]
    nouns = {"topic": topic.korean, "pronoun": pronouns[meant.pronoun]}
    english = {"topic": topic.english, "meant": meant.pronoun}
    english["was"] = "were" if meant.pronoun == "they" else "was"
    if other is not None:
        nouns["other"] = other.korean
        english["other"] = other.english

    # Particles depend on the noun's last sound (은/는), so they are chosen after the noun.
    def with_particle(name: str, pair: str) -> str:
        return f"[{name}:{nouns[name]}]{josa(nouns[name], pair) if pair else ''}"

    first = choices.first[choices.style]
    then = choices.then[choices.style]
    subject = "{pronoun:은/는} " if choices.condition == "pronoun" else ""
    source = filled(f"{{topic:은/는}} {first}. {subject}{then}.", with_particle)
    target = f"{{^topic}} {choices.first[-1]}. {{^meant}} {choices.then[-1]}."
    text, spans = with_spans(source)
    return Dropped(
        source=text,
        target=filled(target, lambda name, _: english[name]),
        condition=choices.condition,
        pronoun=meant.pronoun,
        antecedent=spans["other" if meant is other else "topic"],
        other=spans.get("topic" if meant is other else "other"),
    )
