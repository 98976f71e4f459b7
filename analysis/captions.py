"""Captions of scenes: a grammar of true sentences, and what a sentence says of a scene.

>>> import random
>>> from analysis.scenes import read_scene
>>> scene = read_scene("small red circle at 1 1; large blue striped star at 1 3")
>>> caption_of(scene, random.Random(3)).text
'a small red circle is to the left of a large striped blue star.'
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product

from records.scenes import Caption, CaptionWord, Scene, Thing

from .caption_grammar import CaptionGrammar, grammar_of

SIZED = 0.7  # share of captions that name sizes

_WORD = re.compile(r"\w+|[^\w\s]")


# -- what is true ---------------------------------------------------------------------------


def holds(relation: str, first: Thing, second: Thing) -> bool:
    """Whether a relation is true of two things."""
    if relation == "left":
        return first.column < second.column
    if relation == "above":
        return first.row < second.row
    if relation == "inside":
        return first.place == second.place and first.size == "small" and second.holds
    if relation == "bigger":
        return (first.size, second.size) == ("large", "small")
    if relation == "smaller":
        return (first.size, second.size) == ("small", "large")
    return relation == "and"


def relations_of(first: Thing, second: Thing) -> tuple[str, ...]:
    """What a caption may say of the first two things of a scene, "and" last.

    Of things in one row that one is left of the other, else that it is above it.
    """
    if holds("inside", first, second):
        return "inside", "and"
    where = "left" if first.row == second.row else "above"
    sizes = (each for each in ("bigger", "smaller") if holds(each, first, second))
    return where, *sizes, "and"


# -- writing --------------------------------------------------------------------------------


def caption_of(scene: Scene, rng: random.Random, language: str = "en") -> Caption:
    """A caption by chance; what is inside is always said to be.

    Raises ValueError: the scene has fewer than two things, or there is no grammar of the language.
    """
    grammar = grammar_of(language)
    relations = relations_of(*_first_two(scene))
    weights = [3 if each in ("left", "above", "inside") else 1 for each in relations]
    relation = rng.choices(relations, weights)[0]
    forms = [form for form in grammar.forms[relation] if _fits(form, scene)]
    return _written(grammar, scene, rng.choice(forms), relation, sized=rng.random() < SIZED)


def captions_of(scene: Scene, language: str = "en") -> tuple[Caption, ...]:
    """Every caption of the grammar, in the order of its forms, those with sizes first.

    Raises ValueError: as for `caption_of`.
    """
    grammar = grammar_of(language)
    return tuple(
        _written(grammar, scene, form, relation, sized=sized)
        for relation in relations_of(*_first_two(scene))
        for form in grammar.forms[relation]
        if _fits(form, scene)
        for sized in (True, False)
    )


def _first_two(scene: Scene) -> tuple[Thing, Thing]:
    if len(scene.things) < 2:
        raise ValueError(f"{len(scene.things)} things; a caption speaks of two")
    return scene.things[0], scene.things[1]


def _fits(form: str, scene: Scene) -> bool:
    return len(scene.things) > 2 or "{C" not in form


def _written(
    grammar: CaptionGrammar, scene: Scene, form: str, relation: str, *, sized: bool
) -> Caption:
    sized = sized and relation not in ("bigger", "smaller")
    text, words = grammar.written(form, scene, sized=sized)
    return Caption(tuple(words), relation, text)


# -- reading --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Phrase:
    """What a caption says of one thing; "" where it says nothing."""

    # noun, colour, size, pattern: the values of things that it names, whatever its language
    noun: str
    colour: str
    size: str
    pattern: str
    start: int  # start, end: its characters, without a particle
    end: int
    # the number of the thing that it fits best; None in a scene without things
    thing: int | None = None
    # for each kind of `caption_grammar.PARTS` that it says, whether that is so
    right: tuple[tuple[str, bool], ...] = ()

    @property
    def true(self) -> bool:
        """All that it says is so; a thing with a pattern is said to have it."""
        return self.thing is not None and all(fits for _, fits in self.right)


@dataclass(frozen=True)
class Verdict:
    """What a sentence says, held against a scene."""

    phrases: tuple[Phrase, ...]  # its things
    # what it says of the first two; None where it is no sentence of the grammar
    relation: str | None
    relation_true: bool | None  # whether that is so; None where it says nothing of them
    count_true: bool | None  # the same for the number of things
    # its words, with the things that they speak of where the phrase is true
    words: tuple[CaptionWord, ...]

    @property
    def exact(self) -> bool:
        """A sentence of the grammar, and all of it true; no thing is named twice."""
        named = [phrase.thing for phrase in self.phrases]
        return (
            self.relation is not None
            and self.relation_true is not False
            and self.count_true is not False
            and all(phrase.true for phrase in self.phrases)
            and len(set(named)) == len(named)
        )


def read_caption(text: str, scene: Scene, language: str = "en") -> Verdict:
    """Hold any sentence against a scene.

    Each phrase is taken to speak of the thing that it fits best, no two of the same where there are
    enough, those first that make the relation true. Raises ValueError: there is no grammar of the
    language.
    """
    grammar = grammar_of(language)
    found = [
        Phrase(**grammar.ids(match), start=match.start(), end=match.end("noun"))
        for match in grammar.phrase.finditer(text.lower())
    ]
    skeleton, said = grammar.skeleton(text.lower())
    relation = grammar.skeletons.get(skeleton)
    things = _best(found, relation, scene)
    phrases = tuple(
        phrase
        if thing is None
        else replace(phrase, thing=thing, right=_right(phrase, scene.things[thing]))
        for phrase, thing in zip(found, things, strict=True)
    )
    related: bool | None = None
    if relation not in (None, "and"):
        named = [scene.things[phrase.thing] for phrase in phrases[:2] if phrase.thing is not None]
        related = len(named) == 2 and holds(relation, *named)
    counted = None if said is None or relation is None else said == len(scene.things)
    return Verdict(phrases, relation, related, counted, _words(text, phrases, grammar))


def unjudged(text: str) -> Verdict:
    """A sentence in a language of which there is no grammar: its words, and nothing of them."""
    words = (CaptionWord(m[0], m.start(), m.end()) for m in _WORD.finditer(text))
    return Verdict((), None, None, None, tuple(words))


def _best(phrases: Sequence[Phrase], relation: str | None, scene: Scene) -> tuple[int | None, ...]:
    """Which thing each phrase speaks of, as it fits best."""
    n, things = len(phrases), range(len(scene.things))
    if not things:
        return (None,) * n
    choices = permutations(things, n) if n <= len(things) else product(things, repeat=min(n, 4))
    padding = (0,) * (0 if n <= len(things) else n - min(n, 4))

    def fit(choice: tuple[int, ...]) -> tuple[int, bool]:
        right = sum(
            sum(fits for _, fits in _right(phrase, scene.things[thing]))
            for phrase, thing in zip(phrases, choice, strict=False)
        )
        related = (
            relation is not None
            and n > 1
            and holds(relation, *(scene.things[thing] for thing in choice[:2]))
        )
        return right, related

    return (*max(choices, key=fit), *padding)


def _right(phrase: Phrase, thing: Thing) -> tuple[tuple[str, bool], ...]:
    """For each kind that the phrase says whether it is so; no pattern says that there is none."""
    found = [("noun", phrase.noun == thing.shape), ("colour", phrase.colour == thing.colour)]
    if phrase.size:
        found.append(("size", phrase.size == thing.size))
    if phrase.pattern or thing.pattern != "plain":
        found.append(("pattern", (phrase.pattern or "plain") == thing.pattern))
    return tuple(found)


def _words(
    text: str, phrases: Sequence[Phrase], grammar: CaptionGrammar
) -> tuple[CaptionWord, ...]:
    words = []
    for match in _WORD.finditer(text):
        kind = grammar.kind_of(match[0])
        phrase = next((p for p in phrases if p.start <= match.start() < p.end), None)
        thing = phrase.thing if phrase and phrase.true and kind != "other" else None
        words.append(CaptionWord(match[0], match.start(), match.end(), kind, thing))
    return tuple(words)
