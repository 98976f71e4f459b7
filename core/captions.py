"""Captions of scenes: a grammar that writes true sentences, and a reader that checks any sentence.

A grammar is a file, ``core/grammars/captions_<language>.toml``; a new language is a new file.

>>> import random
>>> from core.records.scenes import read_scene
>>> scene = read_scene("small red circle at 1 1; large blue striped star at 1 3")
>>> caption_of(scene, random.Random(3)).text
'a small red circle is to the left of a large striped blue star.'
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import permutations, product
from pathlib import Path

from words.josa import josa

from .records.scenes import Caption, CaptionWord, Scene, Thing

FOLDER = Path(__file__).with_name("grammars")
PARTS = ("noun", "colour", "size", "pattern")
"""Word classes that describe a thing."""
_PLAIN = "plain"  # the pattern that is not named
_TOKEN = re.compile(r"\{([ABC])(?::([^}]+))?\}(\w*)|\{N\}|\w+|[^\w\s]")
"""Tokens of a form: a thing with particle and tail, the number, a word, or punctuation."""


@dataclass(frozen=True, eq=False)
class CaptionGrammar:
    """Grammar of the captions of one language."""

    # `PARTS` in the order of a phrase, the noun last; size and pattern may be left
    # out
    order: tuple[str, ...]
    words: Mapping[str, Mapping[str, str]]  # for each part, the word of each value
    # articles: the first before a consonant, the second before a vowel, others
    # are read but not written; () in a language without articles
    articles: tuple[str, ...]
    counts: tuple[str, ...]  # the words for 0, 1, 2 ...
    # the sentences of each relation, with ``{A}``, ``{B}``, ``{C}`` for things, ``{N}`` for their
    # number and ``{A:이/가}`` for a thing with the particle that fits it
    forms: Mapping[str, tuple[str, ...]]

    # -- writing --------------------------------------------------------------------------

    def written(self, form: str, scene: Scene, *, sized: bool) -> tuple[str, list[CaptionWord]]:
        """Write a sentence about a scene; returns it and its words. Sizes are named if `sized`.

        A particle belongs to the word of the noun that it follows.
        """
        text = ""
        at = 0
        words = []
        for match in _TOKEN.finditer(form):
            text += form[at : match.start()]
            at = match.end()
            for i, (word, part, thing) in enumerate(self._pieces(match, scene, sized)):
                text += " " if i else ""
                words.append(CaptionWord(word, len(text), len(text) + len(word), part, thing))
                text += word
        return text, words

    def _pieces(
        self, match: re.Match[str], scene: Scene, sized: bool
    ) -> Iterator[tuple[str, str, int | None]]:
        """Yield (word, part, number of the thing) for one token of a form."""
        if match[0] == "{N}":
            yield self.counts[len(scene.things)], "other", None
        elif not match[1]:
            yield match[0], "other", None
        else:
            number = "ABC".index(match[1])
            named = list(self._named(scene.things[number], sized))
            if self.articles:
                # False is 0: the first article stands before a consonant, the second before a
                # vowel.
                yield self.articles[named[0][0][0] in "aeiou"], "other", None
            *adjectives, (noun, part) = named
            for word, adjective in adjectives:
                yield word, adjective, number
            particle = josa(noun, match[2]) if match[2] else ""
            yield noun + particle + match[3], part, number

    def _named(self, thing: Thing, sized: bool) -> Iterator[tuple[str, str]]:
        """Return the (word, part) pairs that name a thing, in the order of the language."""
        values = {
            "noun": thing.shape,
            "colour": thing.colour,
            "size": thing.size if sized else "",
            "pattern": "" if thing.pattern == _PLAIN else thing.pattern,
        }
        return ((self.words[part][values[part]], part) for part in self.order if values[part])

    # -- reading --------------------------------------------------------------------------

    @cached_property
    def phrase(self) -> re.Pattern[str]:
        """Pattern of a phrase: a group for each part, ``tail`` for what follows the noun."""
        parts = []
        for part in self.order:
            word = rf"(?P<{part}>{_any(self.words[part].values())})"
            space = "" if part == "noun" else " "
            parts.append(rf"(?:{word} )?" if part in ("size", "pattern") else word + space)
        article = rf"(?:{_any(self.articles)}) " if self.articles else ""
        return re.compile(rf"\b{article}{''.join(parts)}(?P<tail>{_any(self._tails)})\b")

    def value_of(self, match: re.Match[str], part: str) -> str:
        """Return the value of a part that a phrase names; "" for a part that it leaves out."""
        return next((id for id, word in self.words[part].items() if word == match[part]), "")

    def skeleton(self, text: str) -> tuple[str, int | None]:
        """Return a sentence with "@" for things and "#" for their number, and that number or None.

        A particle that fits its noun is written as its pair, so that it matches the skeleton of a
        form.
        """
        bare = self.phrase.sub(lambda m: "@" + self._fitting(m["noun"], m["tail"]), text.strip())
        number = re.search(rf"\b(?:{_any(self.counts)})\b", bare)
        if number is None:
            return bare, None
        return f"{bare[: number.start()]}#{bare[number.end() :]}", self.counts.index(number[0])

    @cached_property
    def skeletons(self) -> dict[str, str]:
        """Relation of every form, by its skeleton."""
        return {
            _TOKEN.sub(_bare, form): relation
            for relation, forms in self.forms.items()
            for form in forms
        }

    def part_of(self, word: str) -> str:
        """Return the part of a word, one of `PARTS` or "other"."""
        return self._parts.get(word.lower(), "other")

    @cached_property
    def _parts(self) -> dict[str, str]:
        parts = {word: part for part in self.order for word in self.words[part].values()}
        nouns = self.words["noun"].values()
        return parts | {noun + tail: "noun" for noun in nouns for tail in self._tails}

    @cached_property
    def _glued(self) -> frozenset[tuple[str, str]]:
        """Pairs of particle and tail that forms attach to a thing."""
        tokens = (m for forms in self.forms.values() for f in forms for m in _TOKEN.finditer(f))
        return frozenset((m[2] or "", m[3]) for m in tokens if m[1])

    @cached_property
    def _tails(self) -> set[str]:
        """Endings that may follow a noun, with fitting or unfitting particles."""
        return {
            particle + rest
            for pair, rest in self._glued
            for particle in (pair.split("/") if pair else ("",))
        }

    def _fitting(self, noun: str, tail: str) -> str:
        """Return the pair of a particle if it fits the noun; else the tail as it stands."""
        for pair, rest in self._glued:
            if pair and tail == josa(noun, pair) + rest:
                return f":{pair}{rest}"
        return tail


def _bare(match: re.Match[str]) -> str:
    """Replace a token of a form by its sign in a skeleton."""
    if not match[1]:
        return "#" if match[0] == "{N}" else match[0]
    return f"@{':' + match[2] if match[2] else ''}{match[3]}"


def _any(words: Iterable[str]) -> str:
    """Join words to alternatives, the longest first.

    A regular expression takes the first alternative that matches.
    """
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


@cache
def caption_languages() -> tuple[str, ...]:
    """Return the codes of the languages with a grammar."""
    return tuple(sorted(path.stem.removeprefix("captions_") for path in FOLDER.glob("captions_*")))


@cache
def grammar_of(language: str) -> CaptionGrammar:
    """Read the grammar of a language.

    Raises
    ------
    ValueError : there is no grammar of `language`.
    """
    if language not in caption_languages():
        languages = ", ".join(caption_languages())
        raise ValueError(f"no caption grammar for {language!r}; available: {languages}")
    read = tomllib.loads((FOLDER / f"captions_{language}.toml").read_text(encoding="utf-8"))
    return CaptionGrammar(
        tuple(read["order"]),
        read["words"],
        tuple(read["articles"]),
        tuple(read["counts"]),
        {relation: tuple(forms) for relation, forms in read["forms"].items()},
    )


SIZED = 0.7  # share of captions that name sizes
_WORD = re.compile(r"\w+|[^\w\s]")


# -- what is true ---------------------------------------------------------------------------


def holds(relation: str, first: Thing, second: Thing) -> bool:
    """Return True if a relation is true of two things."""
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
    """Return the relations that a caption may state of the first two things of a scene, "and" last.

    Things in one row are "left" of each other, others "above".
    """
    if holds("inside", first, second):
        return "inside", "and"
    where = "left" if first.row == second.row else "above"
    sizes = (relation for relation in ("bigger", "smaller") if holds(relation, first, second))
    return where, *sizes, "and"


# -- writing --------------------------------------------------------------------------------


def caption_of(scene: Scene, rng: random.Random, language: str = "en") -> Caption:
    """Draw a caption at random; a thing inside another is always described so.

    Raises
    ------
    ValueError : the scene has fewer than two things, or there is no grammar of the language.
    """
    grammar = grammar_of(language)
    relations = relations_of(*_first_two(scene))
    weights = [3 if relation in ("left", "above", "inside") else 1 for relation in relations]
    relation = rng.choices(relations, weights)[0]
    forms = [form for form in grammar.forms[relation] if _fits(form, scene)]
    return _written(grammar, scene, rng.choice(forms), relation, sized=rng.random() < SIZED)


def captions_of(scene: Scene, language: str = "en") -> tuple[Caption, ...]:
    """Return every caption of the grammar, in the order of its forms, each with sizes first.

    Raises
    ------
    ValueError : as for `caption_of`.
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
        raise ValueError(f"expected a scene of two objects or more, found {len(scene.things)}")
    return scene.things[0], scene.things[1]


def _fits(form: str, scene: Scene) -> bool:
    """Return True if the scene has every thing that the form names."""
    return len(scene.things) > 2 or "{C" not in form


def _written(
    grammar: CaptionGrammar, scene: Scene, form: str, relation: str, *, sized: bool
) -> Caption:
    """Write a caption; a relation of sizes does not name them again."""
    sized = sized and relation not in ("bigger", "smaller")
    text, words = grammar.written(form, scene, sized=sized)
    return Caption(tuple(words), relation, text)


# -- reading --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Phrase:
    """Description of one thing in a caption; "" for what it leaves out."""

    # noun, colour, size, pattern: values of `scenes.Thing`, the same in every language
    noun: str
    colour: str
    size: str
    pattern: str
    start: int  # start, end: character offsets, without a particle
    end: int
    # index of the thing that it fits best; None in a scene without things
    thing: int | None = None
    # (part, True if it is true of the thing) for each of `PARTS` that the phrase names
    right: tuple[tuple[str, bool], ...] = ()

    @property
    def true(self) -> bool:
        """True if the phrase fits its thing and, if the thing has a pattern, names it."""
        return self.thing is not None and all(fits for _, fits in self.right)


@dataclass(frozen=True)
class Verdict:
    """Truth of a sentence about a scene."""

    phrases: tuple[Phrase, ...]  # its things
    # relation of the first two; None if the grammar does not know the sentence
    relation: str | None
    relation_true: bool | None  # None if the sentence states no relation
    count_true: bool | None  # the same for the number of things
    # its words, each with the index of its thing if the phrase is true
    words: tuple[CaptionWord, ...]

    @property
    def exact(self) -> bool:
        """True for a sentence of the grammar that is wholly true and names no thing twice."""
        named = [phrase.thing for phrase in self.phrases]
        return (
            self.relation is not None
            and self.relation_true is not False
            and self.count_true is not False
            and all(phrase.true for phrase in self.phrases)
            and len(set(named)) == len(named)
        )


def read_caption(text: str, scene: Scene, language: str = "en") -> Verdict:
    """Check any sentence against a scene.

    Each phrase is taken to describe the thing that it fits best; no two describe the same if there
    are enough things, and ties go to the choice that makes the relation true.

    Raises
    ------
    ValueError : there is no grammar of the language.
    """
    grammar = grammar_of(language)
    spoken = [
        Phrase(
            noun=grammar.value_of(match, "noun"),
            colour=grammar.value_of(match, "colour"),
            size=grammar.value_of(match, "size"),
            pattern=grammar.value_of(match, "pattern"),
            start=match.start(),
            end=match.end("noun"),
        )
        for match in grammar.phrase.finditer(text.lower())
    ]
    skeleton, number = grammar.skeleton(text.lower())
    relation = grammar.skeletons.get(skeleton)
    things = _best(spoken, relation, scene)
    phrases = tuple(
        phrase
        if thing is None
        else replace(phrase, thing=thing, right=_right(phrase, scene.things[thing]))
        for phrase, thing in zip(spoken, things, strict=True)
    )
    related: bool | None = None
    if relation not in (None, "and"):
        named = [scene.things[phrase.thing] for phrase in phrases[:2] if phrase.thing is not None]
        related = len(named) == 2 and holds(relation, *named)
    counted = None if number is None or relation is None else number == len(scene.things)
    return Verdict(phrases, relation, related, counted, _words(text, phrases, grammar))


def unjudged(text: str) -> Verdict:
    """Return a verdict without judgements, for a language without a grammar: the words alone."""
    words = (CaptionWord(m[0], m.start(), m.end()) for m in _WORD.finditer(text))
    return Verdict((), None, None, None, tuple(words))


def _best(phrases: Sequence[Phrase], relation: str | None, scene: Scene) -> tuple[int | None, ...]:
    """Choose a thing for each phrase, by the number of parts that fit, then by the relation."""
    n = len(phrases)
    things = range(len(scene.things))
    if not things:
        return (None,) * n
    # Trying every choice is exponential in the number of phrases; four are more than a caption has.
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
    """Compare a phrase with a thing by part; a phrase without a pattern claims a plain thing."""
    right = [("noun", phrase.noun == thing.shape), ("colour", phrase.colour == thing.colour)]
    if phrase.size:
        right.append(("size", phrase.size == thing.size))
    if phrase.pattern or thing.pattern != "plain":
        right.append(("pattern", (phrase.pattern or "plain") == thing.pattern))
    return tuple(right)


def _words(
    text: str, phrases: Sequence[Phrase], grammar: CaptionGrammar
) -> tuple[CaptionWord, ...]:
    """Split a text into words with their parts, and the things of true phrases."""
    words = []
    for match in _WORD.finditer(text):
        part = grammar.part_of(match[0])
        phrase = next((p for p in phrases if p.start <= match.start() < p.end), None)
        thing = phrase.thing if phrase and phrase.true and part != "other" else None
        words.append(CaptionWord(match[0], match.start(), match.end(), part, thing))
    return tuple(words)
