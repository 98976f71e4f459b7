"""Which German word stands for which English one in a generated pair, known from the grammar.

Links are made for words that have one counterpart: the nouns, a modifier before its noun, the
adjectives that are said of something, and the person. Verbs and function words are left out, since
the grammar gives clauses for clauses there, and so are "it" and its pronoun: a pronoun may rightly
look at "it" as well as at its noun.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .coreference import CoreferencePair
from .rendering import GRAMMAR

LinkKind = Literal["noun", "modifier", "adjective", "person"]
Span = tuple[int, int]

_BEFORE = re.compile(r"(\w+) $")
_ENDINGS = ("e", "er", "es", "en", "em")


@dataclass(frozen=True)
class WordLink:
    """The characters ``[start, end)`` of a source word and of the target word that renders it."""

    kind: LinkKind
    source: Span
    target: Span


def word_links(pair: CoreferencePair) -> tuple[WordLink, ...]:
    """All links of a pair, in the order of the source.

    A word that stands twice on either side is left out, since which is meant would be a guess.
    """
    found: list[WordLink] = []
    for span in filter(None, (pair.antecedent, pair.distractor)):
        noun = GRAMMAR.nouns[pair.source[slice(*span)].lower()]
        target = _once(pair.target, noun.german, noun.oblique)
        if target is None:
            continue
        found.append(WordLink("noun", span, target))
        modifier = _modifier(pair, span, target)
        if modifier is not None:
            found.append(modifier)
    found += _adjectives(pair)
    person = _person(pair)
    if person is not None:
        found.append(person)
    return tuple(sorted(found, key=lambda link: link.source))


def _once(text: str, *words: str) -> Span | None:
    """Where one of `words` stands, if that is one place only."""
    forms = "|".join(map(re.escape, dict.fromkeys(words)))
    spans = [match.span() for match in re.finditer(rf"\b(?:{forms})\b", text)]
    return spans[0] if len(spans) == 1 else None


def _modifier(pair: CoreferencePair, source: Span, target: Span) -> WordLink | None:
    """The words right before a noun and its counterpart, where one is the other's modifier."""
    english = _BEFORE.search(pair.source[: source[0]])
    german = _BEFORE.search(pair.target[: target[0]])
    if english is None or german is None:
        return None
    known = (entry.split() for entries in GRAMMAR.modifiers.values() for entry in entries)
    stems = {stem for word, stem in known if word == english[1].lower()}
    if german[1].lower() not in {stem + ending for stem in stems for ending in _ENDINGS}:
        return None
    return WordLink("modifier", english.span(1), german.span(1))


def _adjectives(pair: CoreferencePair) -> list[WordLink]:
    found = []
    for english, german in GRAMMAR.adjectives.items():
        source, target = _once(pair.source, english), _once(pair.target, german)
        if source is not None and target is not None:
            found.append(WordLink("adjective", source, target))
    return found


def _person(pair: CoreferencePair) -> WordLink | None:
    """The last word of who is named, such as "brother" of "my brother"."""
    for person in GRAMMAR.people:
        source, target = (
            _once(text, name, name[0].upper() + name[1:])
            for text, name in ((pair.source, person.english), (pair.target, person.german))
        )
        if source is not None and target is not None:
            words = person.english.split()[-1], person.german.split()[-1]
            return WordLink(
                "person",
                (source[1] - len(words[0]), source[1]),
                (target[1] - len(words[1]), target[1]),
            )
    return None
