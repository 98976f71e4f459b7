"""English-German pairs in which "it" must be resolved before German can be written.

A *situation* is a main clause about one or two nouns and the reasons that fit either of them; a
*form* is a way of joining main clause and reason. Situation and form together make a frame. What
there is to say stands in ``training/grammars/en_de.toml``.
"""

import hashlib
import itertools
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from .grammar import Noun, Person, Reason, Situation
from .rendering import GRAMMAR, PRONOUN_FORMS, Choices, CoreferencePair, render

NOUNS, ADJECTIVES, SITUATIONS = GRAMMAR.nouns, GRAMMAR.adjectives, GRAMMAR.situations
_CANONICAL_PAIR = ("animal", "street")
_NEVER_HELD_OUT = {"tired", "wide", "big", "small"}


def _digest(*parts: str) -> int:
    return int(hashlib.sha256("|".join(parts).encode()).hexdigest(), 16)


def _pair_is_held_out(first: Noun, second: Noun) -> bool:
    names = tuple(sorted((first.english, second.english)))
    return names == _CANONICAL_PAIR or _digest("nouns", *names) % 100 < 8


@cache
def held_out_reasons(name: str) -> frozenset[str]:
    """Pick one reason in ten, at least one on either side of a situation with three or more.

    Siblings hold nothing back.
    """
    keys: set[str] = set()
    if SITUATIONS[name].is_sibling:
        return frozenset()
    for reasons in SITUATIONS[name].reasons:
        names = {reason.key for reason in reasons} - _NEVER_HELD_OUT
        ranked = sorted(names, key=lambda key: _digest(name, key))
        if len(reasons) >= 3:
            keys.update(ranked[: max(1, len(reasons) // 10)])
    return frozenset(keys)


def _matching(tags: str) -> list[Noun]:
    wanted = set(tags.split("/"))
    return [noun for noun in NOUNS.values() if wanted & noun.tags]


def _kind(noun: Noun) -> str:
    return next(tag for tag in GRAMMAR.modifiers if tag in noun.tags)


def _suits(fit: str, first: Noun, second: Noun) -> bool:
    if fit == "near":
        return second.size - 2 <= first.size <= second.size
    if fit == "contains":
        return first.size - 2 <= second.size <= first.size
    return fit != "same" or _kind(first) == _kind(second)


@cache
def _noun_pairs(name: str, held_out: bool) -> list[tuple[Noun, Noun]]:
    situation = SITUATIONS[name]
    return [
        (first, second)
        for first, second in itertools.product(*map(_matching, situation.tags))
        if first.gender != second.gender
        and _suits(situation.fit, first, second)
        and _pair_is_held_out(first, second) == held_out
    ]


@cache
def _forms(name: str) -> list[tuple[str, str, str]]:
    """List the (form, polarity, tense) triples of a situation."""
    consequences = [(form, "so", "p") for form in GRAMMAR.forms["so"] if name in GRAMMAR.so_clauses]
    return consequences + [
        (form, polarity, tense)
        for polarity, tense, _ in SITUATIONS[name].mains
        for form in GRAMMAR.forms[polarity]
    ]


def _person(nouns: tuple[Noun, ...], rng: random.Random) -> Person:
    """Choose a person whose German pronoun cannot be mistaken for that of a noun."""
    taken = {noun.gender for noun in nouns}
    people = [p for p in GRAMMAR.people if p.gender not in taken]
    return rng.choice(people)


def _determiners(noun: Noun, polarity: str, rng: random.Random) -> tuple[str, str]:
    draw = rng.random()
    determiner = "the" if draw < 0.76 else "this" if draw < 0.84 else "a" if draw < 0.92 else "my"
    if determiner in ("my", "a") and noun.tags & {"place", "building"}:
        determiner = "the"
    # German negates "ein" with "kein", and a sentence about "it" is about a known thing.
    if determiner == "a" and (polarity in ("too", "so", "then") or "food" in noun.tags):
        determiner = "the"
    if noun.english in GRAMMAR.mass_nouns:
        return determiner, ""
    if polarity == "own":
        determiner = "a"
    modifier = rng.choice(GRAMMAR.modifiers[_kind(noun)]) if rng.random() < 0.2 else ""
    if determiner != "the" and polarity == "own":
        return determiner, "" if modifier.split(" ")[0] in GRAMMAR.definite_modifiers else modifier
    if determiner != "the" and modifier.split(" ")[0] in GRAMMAR.definite_modifiers:
        determiner = "the"
    return determiner, modifier


def _degree(polarity: str, rng: random.Random) -> str:
    return "/".join(rng.choice(GRAMMAR.degrees.get(polarity, (("", ""),))))


def _choose(
    situation: Situation, form: tuple[str, str, str], nouns: tuple[Noun, ...],
    reasons: tuple[Reason, ...], rng: random.Random,
) -> Choices:  # fmt: skip
    return Choices(
        situation, form[0], nouns, reasons, rng.randrange(60), _degree(form[1], rng),
        _person(nouns, rng), tuple(_determiners(noun, form[1], rng) for noun in nouns),
        rng.random() < 0.5,
    )  # fmt: skip


def _reason_choices(
    situation: Situation, side: int, noun: Noun, form: tuple[str, str, str], held_out: bool | None
) -> list[Reason]:
    """Reasons that fit noun and tense; `held_out` None takes all."""
    keys = held_out_reasons(situation.name)
    return [
        reason
        for reason in situation.reasons[side]
        if reason.fits(noun)
        and (form[2] == "p" or reason.present)
        and (held_out is None or (reason.key in keys) == held_out)
    ]


def _usable(pair: CoreferencePair) -> bool:
    return len(re.findall(r"\bits?\b", pair.source, re.IGNORECASE)) == 1


def _two_nouns(
    rng: random.Random, situation: Situation, form: tuple[str, str, str], pair_held_out: bool,
    property_held_out: bool | None,
) -> tuple[CoreferencePair, CoreferencePair] | None:  # fmt: skip
    """Draw both readings of one situation, or nothing where the choices do not go together."""
    nouns = rng.choice(_noun_pairs(situation.name, pair_held_out))
    options = [
        _reason_choices(situation, side, nouns[side], form, property_held_out) for side in (0, 1)
    ]
    if not all(options):
        return None
    reasons = tuple(map(rng.choice, options))
    choices = _choose(situation, form, nouns, reasons, rng)
    first, second = (render(choices, side, form[1], form[2]) for side in (0, 1))
    forms = [PRONOUN_FORMS[pair.case] for pair in (first, second)]
    told_apart = all(words[nouns[0].gender] != words[nouns[1].gender] for words in forms)
    words = [pair.target[slice(*pair.target_pronoun)].lower() for pair in (first, second)]
    if not told_apart or words[0] == words[1] or not (_usable(first) and _usable(second)):
        return None
    return first, second


def _elders() -> tuple[Situation, ...]:
    """The situations that are no sibling of another."""
    return tuple(situation for situation in SITUATIONS.values() if not situation.is_sibling)


@cache
def _has_sibling(name: str) -> bool:
    return any(situation.like == name for situation in SITUATIONS.values())


def has_sibling(pair: CoreferencePair) -> bool:
    """Whether a situation that says nearly the same trains with every reason of this pair's."""
    return _has_sibling(situation_of(pair))


def situation_of(pair: CoreferencePair) -> str:
    """The situation of a pair from the frames; its frame is called after it and a form."""
    return max(filter(pair.frame.startswith, SITUATIONS), key=len)


@cache
def _one_noun_material() -> list[tuple[list[Noun], list[Reason]]]:
    """Every adjective or verb that a two-noun frame can hold back, with the nouns it fits."""
    material = []
    for situation in _elders():
        for tags, reasons in zip(situation.tags, situation.reasons, strict=True):
            material.append((_matching(tags), list(reasons)))
    return material


_ONE_NOUN = Situation("one", ("", ""), GRAMMAR.one_noun, ((), ()))


def _one_noun(rng: random.Random) -> CoreferencePair | None:
    nouns, reasons = rng.choice(_one_noun_material())
    noun, reason = rng.choice(nouns), rng.choice(reasons)
    if not reason.fits(noun):
        return None
    is_action = "{P}" in reason.past.english
    if is_action or rng.random() < 0.2:
        tense = rng.choice("pppn")
        if not is_action or rng.random() < 0.5 or tense == "n":
            actions = [r for r in GRAMMAR.one_noun_actions if (tense == "n") == ("now" in r.tags)]
            reason = rng.choice(actions)
        form = ("sentences", "then", tense)
    else:
        tense = "n" if reason.present and rng.random() < 0.35 else "p"
        polarity = "own" if "food" not in noun.tags and rng.random() < 0.2 else "intro"
        form = (rng.choice(GRAMMAR.forms[polarity]), polarity, tense)
    choices = _choose(_ONE_NOUN, form, (noun,), (reason,), rng)
    pair = render(choices, 0, form[1], form[2])
    return pair if _usable(pair) else None


def _held_out_label(pair_held_out: bool, property_held_out: bool) -> str:
    if pair_held_out and property_held_out:
        return "both"
    return "nouns" if pair_held_out else "property" if property_held_out else ""


def _training_stream(
    rng: random.Random, situations: tuple[Situation, ...]
) -> Iterator[CoreferencePair]:
    """Alternate one-noun sentences and two-noun sentences whose halves alternate too."""
    wanted = itertools.cycle(("first", "second"))
    while True:
        one = None
        while one is None:
            one = _one_noun(rng)
        yield one
        both = None
        while both is None:
            situation = rng.choice(situations)
            form = rng.choice(_forms(situation.name))
            both = _two_nouns(rng, situation, form, False, False)
        half = next(wanted)
        chosen = next((pair for pair in both if pair.half == half), both[0])
        other = both[1] if chosen is both[0] else both[0]
        yield replace(chosen, other_reading=other.source, other_pronoun=other.pronoun)


def generate_training(
    n: int, seed: int = 0, siblings: bool = True, two_nouns: float = 0.5
) -> list[CoreferencePair]:
    """Draw `n` distinct training sentences, a share with two nouns, none of them held out.

    Without `siblings`, a held-out reason is shown in no situation but those that share its key.
    """
    situations = tuple(SITUATIONS.values()) if siblings else _elders()
    limits = {1: n - int(n * two_nouns), 2: int(n * two_nouns)}
    sources: set[str] = set()
    pairs: list[CoreferencePair] = []
    for pair in itertools.islice(_training_stream(random.Random(seed), situations), 20 * n + 1000):
        if len(pairs) == n:
            break
        if limits[pair.n_nouns] and pair.source not in sources:
            limits[pair.n_nouns] -= 1
            sources.add(pair.source)
            pairs.append(pair)
    if len(pairs) < n:
        raise ValueError(f"asked for {n} distinct sentences, found {len(pairs)}: ask for fewer")
    return pairs


def generate_held_out(n_pairs: int, seed: int = 0) -> list[CoreferencePair]:
    """Draw `n_pairs` minimal pairs, both halves of each, in turn from every two-noun frame."""
    rng = random.Random(seed)
    frames = [(situation, form) for situation in _elders() for form in _forms(situation.name)]
    rng.shuffle(frames)
    pairs: list[CoreferencePair] = []
    sources: set[str] = set()
    for situation, form in itertools.islice(itertools.cycle(frames), 50 * n_pairs + 1000):
        if len(pairs) == 2 * n_pairs:
            break
        by_property = rng.random() < 0.35
        pair_held_out = not by_property or rng.random() < 0.2
        both = None
        for _ in range(40):
            both = _two_nouns(rng, situation, form, pair_held_out, by_property)
            if both and both[0].source not in sources and both[1].source not in sources:
                break
            both = None
        if both is None:
            continue
        label = _held_out_label(pair_held_out, by_property)
        pair_id = f"{len(pairs) // 2:05d}"
        for pair in sorted(both, key=lambda item: item.half):
            sources.add(pair.source)
            pairs.append(CoreferencePair(**{**vars(pair), "pair_id": pair_id, "held_out": label}))
    return pairs


def canonical_pairs() -> list[CoreferencePair]:
    """Return the two readings of Vaswani et al.'s example: "too tired" and "too wide"."""
    situation = SITUATIONS["cross"]
    reasons = tuple(
        next(reason for reason in side if reason.key == key)
        for side, key in zip(situation.reasons, ("tired", "wide"), strict=True)
    )
    nouns = (NOUNS["animal"], NOUNS["street"])
    choices = Choices(
        situation, "because", nouns, reasons, 0, "too /zu ", GRAMMAR.people[0],
        (("the", ""), ("the", "")), True,
    )  # fmt: skip
    pairs = [render(choices, side, "too", "p") for side in (0, 1)]
    extra = {"pair_id": "canonical", "held_out": "nouns"}
    return [CoreferencePair(**{**vars(pair), **extra}) for pair in pairs]
