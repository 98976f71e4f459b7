"""How captions are written in a language: what things are called, and what is said of them.

A grammar is a file, ``analysis/grammars/captions_<language>.toml``; a new language is a new file.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from records.scenes import CaptionWord, Scene, Thing
from words.josa import josa

FOLDER = Path(__file__).with_name("grammars")
PARTS = ("noun", "colour", "size", "pattern")
"""Kinds of words that speak of a thing."""
_PLAIN = "plain"  # the pattern that is not named
_PLACE = re.compile(r"\{([ABC])(?::([^}]+))?\}(\w*)|\{N\}|\w+|[^\w\s]")


@dataclass(frozen=True, eq=False)
class CaptionGrammar:
    """The captions of one language."""

    # the kinds of `PARTS` as they stand in a phrase, the noun last; size and pattern may be left
    # out
    order: tuple[str, ...]
    words: Mapping[str, Mapping[str, str]]  # for each kind, how its values are called
    # what stands before a phrase: the first before a consonant, the second before a vowel, others
    # are read only; () where nothing does
    articles: tuple[str, ...]
    counts: tuple[str, ...]  # the words for 0, 1, 2 ...
    # the sentences of each relation, with ``{A}``, ``{B}``, ``{C}`` for things, ``{N}`` for their
    # number and ``{A:이/가}`` for a thing with the particle that fits it
    forms: Mapping[str, tuple[str, ...]]

    # -- writing --------------------------------------------------------------------------

    def written(self, form: str, scene: Scene, *, sized: bool) -> tuple[str, list[CaptionWord]]:
        """A sentence of a scene, and its words; sizes are named where `sized`.

        A particle belongs to the word of the noun that it follows.
        """
        text, at, words = "", 0, []
        for match in _PLACE.finditer(form):
            text, at = text + form[at : match.start()], match.end()
            for i, (word, kind, thing) in enumerate(self._said(match, scene, sized)):
                text += " " if i else ""
                words.append(CaptionWord(word, len(text), len(text) + len(word), kind, thing))
                text += word
        return text, words

    def _said(
        self, match: re.Match[str], scene: Scene, sized: bool
    ) -> Iterator[tuple[str, str, int | None]]:
        """The words of a part of a form, their kinds and things."""
        if match[0] == "{N}":
            yield self.counts[len(scene.things)], "other", None
        elif not match[1]:
            yield match[0], "other", None
        else:
            number = "ABC".index(match[1])
            named = list(self._named(scene.things[number], sized))
            if self.articles:
                yield self.articles[named[0][0][0] in "aeiou"], "other", None
            *adjectives, (noun, kind) = named
            for word, adjective in adjectives:
                yield word, adjective, number
            particle = josa(noun, match[2]) if match[2] else ""
            yield noun + particle + match[3], kind, number

    def _named(self, thing: Thing, sized: bool) -> Iterator[tuple[str, str]]:
        values = {
            "noun": thing.shape,
            "colour": thing.colour,
            "size": thing.size if sized else "",
            "pattern": "" if thing.pattern == _PLAIN else thing.pattern,
        }
        return ((self.words[kind][values[kind]], kind) for kind in self.order if values[kind])

    # -- reading --------------------------------------------------------------------------

    @cached_property
    def phrase(self) -> re.Pattern[str]:
        """What is said of one thing: a group for each kind, and one for what is glued to it."""
        parts = []
        for kind in self.order:
            word = rf"(?P<{kind}>{_any(self.words[kind].values())})"
            space = "" if kind == "noun" else " "
            parts.append(rf"(?:{word} )?" if kind in ("size", "pattern") else word + space)
        article = rf"(?:{_any(self.articles)}) " if self.articles else ""
        return re.compile(rf"\b{article}{''.join(parts)}(?P<tail>{_any(self._tails)})\b")

    def ids(self, match: re.Match[str]) -> dict[str, Any]:
        """The values that a phrase names, by their kinds; "" where it names none."""
        return {
            kind: next((id for id, word in self.words[kind].items() if word == match[kind]), "")
            for kind in PARTS
        }

    def skeleton(self, text: str) -> tuple[str, int | None]:
        """A sentence with "@" for its things, "#" for their number, and the pair of each particle
        that fits; and that number, None where none is named."""
        bare = self.phrase.sub(lambda m: "@" + self._fitting(m["noun"], m["tail"]), text.strip())
        number = re.search(rf"\b(?:{_any(self.counts)})\b", bare)
        if number is None:
            return bare, None
        return f"{bare[: number.start()]}#{bare[number.end() :]}", self.counts.index(number[0])

    @cached_property
    def skeletons(self) -> dict[str, str]:
        """The relation of every form, by its skeleton."""
        return {
            _PLACE.sub(_bare, form): relation
            for relation, forms in self.forms.items()
            for form in forms
        }

    def kind_of(self, word: str) -> str:
        """What kind of word this is, one of `PARTS` or "other"."""
        return self._kinds.get(word.lower(), "other")

    @cached_property
    def _kinds(self) -> dict[str, str]:
        found = {word: kind for kind in self.order for word in self.words[kind].values()}
        nouns = self.words["noun"].values()
        return found | {noun + tail: "noun" for noun in nouns for tail in self._tails}

    @cached_property
    def _glued(self) -> frozenset[tuple[str, str]]:
        """What forms glue to a thing: the pair of a particle, and what follows it."""
        places = (m for forms in self.forms.values() for f in forms for m in _PLACE.finditer(f))
        return frozenset((m[2] or "", m[3]) for m in places if m[1])

    @cached_property
    def _tails(self) -> set[str]:
        """What may follow a noun, right or wrong particles."""
        return {
            particle + rest
            for pair, rest in self._glued
            for particle in (pair.split("/") if pair else ("",))
        }

    def _fitting(self, noun: str, tail: str) -> str:
        """A particle as the pair that it is of, where it is the right one; else as it stands."""
        for pair, rest in self._glued:
            if pair and tail == josa(noun, pair) + rest:
                return f":{pair}{rest}"
        return tail


def _bare(match: re.Match[str]) -> str:
    if not match[1]:
        return "#" if match[0] == "{N}" else match[0]
    return f"@{':' + match[2] if match[2] else ''}{match[3]}"


def _any(words: Iterable[str]) -> str:
    """One of these, the longest that fits."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


@cache
def caption_languages() -> tuple[str, ...]:
    """Codes of the languages that captions are written in."""
    return tuple(sorted(path.stem.removeprefix("captions_") for path in FOLDER.glob("captions_*")))


@cache
def grammar_of(language: str) -> CaptionGrammar:
    """The grammar of a language by its code.

    Raises ValueError: there is none.
    """
    if language not in caption_languages():
        known = ", ".join(caption_languages())
        raise ValueError(f"no captions are written in {language!r}; there are grammars of {known}")
    text = (FOLDER / f"captions_{language}.toml").read_text(encoding="utf-8")
    read = tomllib.loads(text)
    return CaptionGrammar(
        tuple(read["order"]),
        read["words"],
        tuple(read["articles"]),
        tuple(read["counts"]),
        {relation: tuple(forms) for relation, forms in read["forms"].items()},
    )
