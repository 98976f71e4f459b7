"""Generate English-German pairs in which "it" must be resolved before German can be written.

A *situation* is a main clause about one or two nouns with reasons that fit either of them; a *form*
is a way to join main clause and reason. Situation and form together make a frame. The wording
stands in ``training/grammars/en_de.toml``.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TypeVar

from .coreference_text import GRAMMAR, PRONOUN_FORMS, SentenceChoices, SentenceForm, render
from .grammar import Noun, ReasonClause, Situation
from .sentences import digest
from .text_pairs import CoreferencePair

NOUNS = GRAMMAR.nouns
ADJECTIVES = GRAMMAR.adjectives
SITUATIONS = GRAMMAR.situations
_CANONICAL_PAIR = ("animal", "street")
# The canonical example is held out by its nouns, so "tired" and "wide" have to train.
_NEVER_HELD_OUT = {"tired", "wide", "big", "small"}


def _pair_is_held_out(first: Noun, second: Noun) -> bool:
    """Return True if these two nouns never train together: about one pair in twelve."""
    names = tuple(sorted((first.english, second.english)))
    # A hash instead of a random draw: the same pairs in every process and after every new noun.
    return names == _CANONICAL_PAIR or digest("|".join(("nouns", *names))) % 100 < 8


@cache
def held_out_reasons(name: str) -> frozenset[str]:
    """Return the held-out reasons of a situation: one in ten, at least one of three or more a side.

    Siblings of another situation hold nothing back.
    """
    keys: set[str] = set()
    for reasons in SITUATIONS[name].reasons if not SITUATIONS[name].like else ():
        names = {reason.key for reason in reasons} - _NEVER_HELD_OUT
        ranked = sorted(names, key=lambda key: digest(f"{name}|{key}"))
        if len(reasons) >= 3:
            keys.update(ranked[: max(1, len(reasons) // 10)])
    return frozenset(keys)


def _matching(tags: str) -> list[Noun]:
    """Return the nouns with at least one of these tags, "a/b" meaning either."""
    wanted = set(tags.split("/"))
    return [noun for noun in NOUNS.values() if wanted & noun.tags]


def _modifier_tag(noun: Noun) -> str:
    return next(tag for tag in GRAMMAR.modifiers if tag in noun.tags)


def _suits(fit: str, first: Noun, second: Noun) -> bool:
    """Return True if the sizes or kinds of the two nouns go together as `fit` asks."""
    if fit == "near":
        return second.size - 2 <= first.size <= second.size
    if fit == "contains":
        return first.size - 2 <= second.size <= first.size
    return fit != "same" or _modifier_tag(first) == _modifier_tag(second)


@cache
def _noun_pairs(name: str, held_out: bool) -> list[tuple[Noun, Noun]]:
    """Return the trained or held-out noun pairs of a situation that differ in gender."""
    situation = SITUATIONS[name]
    return [
        (first, second)
        for first, second in itertools.product(*map(_matching, situation.nouns))
        if first.gender != second.gender
        and _suits(situation.fit, first, second)
        and _pair_is_held_out(first, second) == held_out
    ]


@cache
def _forms(name: str) -> list[SentenceForm]:
    """Return the forms of a situation: its consequences with "so", and its main clauses."""
    consequences = [SentenceForm(join, "so", "p") for join in GRAMMAR.forms["so"]]
    return (consequences if name in GRAMMAR.so_clauses else []) + [
        SentenceForm(join, polarity, tense)
        for polarity, tense in SITUATIONS[name].mains
        for join in GRAMMAR.forms[polarity]
    ]


def _determiners(noun: Noun, polarity: str, rng: random.Random) -> tuple[str, str]:
    """Draw determiner and modifier of a noun, as the polarity of the clause allows."""
    draw = rng.random()
    determiner = "the" if draw < 0.76 else "this" if draw < 0.84 else "a" if draw < 0.92 else "my"
    if determiner in ("my", "a") and noun.tags & {"place", "building"}:
        determiner = "the"
    # German negates "ein" with "kein", and a sentence about "it" speaks of a known thing.
    if determiner == "a" and (polarity in ("too", "so", "then") or "food" in noun.tags):
        determiner = "the"
    if noun.english in GRAMMAR.mass_nouns:
        return determiner, ""
    if polarity == "own":
        determiner = "a"
    modifier = rng.choice(GRAMMAR.modifiers[_modifier_tag(noun)]) if rng.random() < 0.2 else ""
    if determiner != "the" and modifier.split(" ")[0] in GRAMMAR.definite_modifiers:
        return (determiner, "") if polarity == "own" else ("the", modifier)
    return determiner, modifier


def _choose(
    situation: Situation,
    form: SentenceForm,
    nouns: Sequence[Noun],
    reasons: Sequence[ReasonClause],
    rng: random.Random,
) -> SentenceChoices:
    """Draw everything else about a sentence: variant, degree, person, determiners, contractions."""
    genders = {noun.gender for noun in nouns}
    return SentenceChoices(
        situation,
        form,
        nouns,
        reasons,
        # 60 is divisible by 2 to 6: an index modulo the number of variants stays uniform.
        variant=rng.randrange(60),
        degree=rng.choice(GRAMMAR.degrees.get(form.polarity, [("", "")])),
        # Somebody whose German pronoun cannot be confused with that of a noun.
        person=rng.choice([person for person in GRAMMAR.people if person.gender not in genders]),
        determiners=[_determiners(noun, form.polarity, rng) for noun in nouns],
        contract=rng.random() < 0.5,
    )


def _usable(pair: CoreferencePair) -> bool:
    """Return True if exactly one "it" or "its" stands in the source."""
    return len(re.findall(r"\bits?\b", pair.source, re.IGNORECASE)) == 1


def _two_nouns(
    rng: random.Random,
    situation: Situation,
    form: SentenceForm,
    pair_held_out: bool = False,
    reason_held_out: bool = False,
) -> tuple[CoreferencePair, CoreferencePair] | None:
    """Return both readings of one situation; None if the choices do not go together."""
    nouns = rng.choice(_noun_pairs(situation.name, pair_held_out))
    keys = held_out_reasons(situation.name)
    options = [
        [
            reason
            for reason in side
            if reason.fits(noun)
            and (form.tense == "p" or reason.present)
            and (reason.key in keys) == reason_held_out
        ]
        for side, noun in zip(situation.reasons, nouns, strict=True)
    ]
    if not all(options):
        return None
    choices = _choose(situation, form, nouns, [rng.choice(side) for side in options], rng)
    first = render(choices, 0)
    second = render(choices, 1)
    both = (first, second)
    # In the dative, masculine and neuter share "ihm", which does not tell the nouns apart.
    forms_differ = all(
        PRONOUN_FORMS[pair.case][nouns[0].gender] != PRONOUN_FORMS[pair.case][nouns[1].gender]
        for pair in both
    )
    if forms_differ and first.right_form != second.right_form and all(map(_usable, both)):
        return both
    return None


def _elders() -> list[Situation]:
    """Return the situations that are no sibling of another."""
    return [situation for situation in SITUATIONS.values() if not situation.like]


def has_sibling(pair: CoreferencePair) -> bool:
    """Return True if a near-synonymous situation trains with all reasons of this pair's one."""
    name = situation_of(pair)
    return any(situation.like == name for situation in SITUATIONS.values())


def situation_of(pair: CoreferencePair) -> str:
    """Return the situation of a generated pair, the first part of its frame's name."""
    # The longest match, since one situation's name may begin with another's.
    return max(filter(pair.frame.startswith, SITUATIONS), key=len)


@cache
def _one_noun_material() -> list[tuple[list[Noun], Sequence[ReasonClause]]]:
    """Return the reasons of two-noun situations, each list with the nouns that it fits.

    One-noun sentences are made of these, so every word of a held-out reason is known from training.
    """
    return [
        (_matching(tags), reasons)
        for situation in _elders()
        for tags, reasons in zip(situation.nouns, situation.reasons, strict=True)
    ]


_ONE_NOUN = Situation("one", ("", ""), GRAMMAR.one_noun, ((), ()))


def _one_noun(rng: random.Random) -> CoreferencePair | None:
    """Draw a sentence in which "it" can only mean one noun; None if the draw does not fit."""
    nouns, reasons = rng.choice(_one_noun_material())
    noun = rng.choice(nouns)
    reason = rng.choice(reasons)
    if not reason.fits(noun):
        return None
    is_action = "{P}" in reason.past.english
    if is_action or rng.random() < 0.2:
        tense = rng.choice("pppn")
        if not is_action or rng.random() < 0.5 or tense == "n":
            actions = [r for r in GRAMMAR.one_noun_actions if (tense == "n") == ("now" in r.tags)]
            reason = rng.choice(actions)
        form = SentenceForm("sentences", "then", tense)
    else:
        tense = "n" if reason.present and rng.random() < 0.35 else "p"
        polarity = "own" if "food" not in noun.tags and rng.random() < 0.2 else "intro"
        form = SentenceForm(rng.choice(GRAMMAR.forms[polarity]), polarity, tense)
    pair = render(_choose(_ONE_NOUN, form, (noun,), (reason,), rng), 0)
    return pair if _usable(pair) else None


T = TypeVar("T")


def _drawn(draw: Callable[[], T | None]) -> T:
    """Call `draw` until it returns something."""
    while not (item := draw()):
        pass
    return item


def _training_stream(
    rng: random.Random, situations: Sequence[Situation]
) -> Iterator[CoreferencePair]:
    """Alternate one-noun and two-noun sentences, whose halves take turns."""

    def two_nouns() -> tuple[CoreferencePair, CoreferencePair] | None:
        situation = rng.choice(situations)
        return _two_nouns(rng, situation, rng.choice(_forms(situation.name)))

    for half in itertools.cycle(("first", "second")):
        yield _drawn(lambda: _one_noun(rng))
        first, second = _drawn(two_nouns)
        chosen, other = (second, first) if first.half != half == second.half else (first, second)
        yield replace(chosen, other_reading=other.source, other_pronoun=other.pronoun)


def generate_training(
    n: int, seed: int = 0, siblings: bool = True, two_nouns: float = 0.5
) -> list[CoreferencePair]:
    """Draw `n` distinct training sentences, a share of them with two nouns, none held out.

    Without `siblings`, only situations that share the key of a held-out reason show it in two-noun
    sentences.
    """
    situations = [*SITUATIONS.values()] if siblings else _elders()
    limits = {1: n - int(n * two_nouns), 2: int(n * two_nouns)}
    pairs: dict[str, CoreferencePair] = {}
    for pair in itertools.islice(_training_stream(random.Random(seed), situations), 20 * n + 1000):
        if len(pairs) == n:
            break
        if limits[pair.n_nouns] and pair.source not in pairs:
            limits[pair.n_nouns] -= 1
            pairs[pair.source] = pair
    if len(pairs) < n:
        raise ValueError(f"asked for {n} distinct sentences, found {len(pairs)}: ask for fewer")
    return list(pairs.values())


def generate_held_out(n_pairs: int, seed: int = 0) -> list[CoreferencePair]:
    """Draw `n_pairs` minimal pairs, both halves of each, cycling through all two-noun frames."""
    rng = random.Random(seed)
    frames = [(situation, form) for situation in _elders() for form in _forms(situation.name)]
    rng.shuffle(frames)
    pairs: dict[str, CoreferencePair] = {}
    for situation, form in itertools.islice(itertools.cycle(frames), 50 * n_pairs + 1000):
        if len(pairs) == 2 * n_pairs:
            break
        # About a third hold out the reason; a fifth of these hold out the nouns as well.
        by_reason = rng.random() < 0.35
        by_nouns = not by_reason or rng.random() < 0.2
        label = "both" if by_nouns and by_reason else "nouns" if by_nouns else "property"
        # A frame without a fitting draw in 40 tries is skipped this round.
        tries = (_two_nouns(rng, situation, form, by_nouns, by_reason) for _ in range(40))
        both = next(
            (both for both in tries if both and not pairs.keys() & {p.source for p in both}), ()
        )
        pair_id = f"{len(pairs) // 2:05d}"
        for pair in sorted(both, key=lambda pair: pair.half):
            pairs[pair.source] = replace(pair, pair_id=pair_id, held_out=label)
    return list(pairs.values())


def canonical_pairs() -> list[CoreferencePair]:
    """Return both readings of Vaswani et al.'s example: "too tired" and "too wide"."""
    situation = SITUATIONS["cross"]
    choices = SentenceChoices(
        situation,
        SentenceForm("because", "too", "p"),
        nouns=[NOUNS[name] for name in _CANONICAL_PAIR],
        reasons=[
            next(reason for reason in side if reason.key == key)
            for side, key in zip(situation.reasons, ("tired", "wide"), strict=True)
        ],
        variant=0,
        degree=("too ", "zu "),
        person=GRAMMAR.people[0],
        determiners=[("the", ""), ("the", "")],
        contract=True,
    )
    return [
        replace(render(choices, side), pair_id="canonical", held_out="nouns") for side in (0, 1)
    ]
