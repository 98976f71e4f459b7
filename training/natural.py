"""Sentences as people write them whose "it" stands for a noun: found by the German grammar.

Genders are read off the articles of the German training side; a pair counts as natural when its
only pronoun is "it", written as er, ihn or sie (or es), and a noun of that gender stands before it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from .coreference import CoreferencePair
from .corpus import Pair
from .sentences import digest

# How surely an article shows the gender of the noun after it: "den" and "die" are plural too.
_ARTICLES = {
    "einen": ("m", 1.0), "eine": ("f", 1.0), "einer": ("f", 1.0), "zur": ("f", 1.0),
    "das": ("n", 1.0), "ins": ("n", 1.0), "den": ("m", 0.5), "die": ("f", 0.2),
}  # fmt: skip
_PHRASE = re.compile(
    rf"\b({'|'.join(_ARTICLES)})\s+(?:[a-zäöüß]+e[nrms]?\s+)?([A-ZÄÖÜ][\wäöüß-]+)", re.IGNORECASE
)
_OTHER_PERSONS = re.compile(
    r"\b(he|him|his|himself|she|her|hers|herself|they|them|their|theirs|its|itself|these|those)\b",
    re.IGNORECASE,
)
_IT = re.compile(r"\bit\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(er|ihn|ihm|ihr|ihnen|sie|es)\b", re.IGNORECASE)
_GENDERED = {"er": ("m", "nom"), "ihn": ("m", "acc"), "sie": ("f", ""), "es": ("n", "")}
_NEAR = 0.7
_LEAST = 3.0  # of articles, for a gender to be known
GERMAN_NOUN = re.compile(r"\b[A-ZÄÖÜ][\wäöüß-]+")
HELD_OUT_PERCENT = 15


def noun_genders(sentences: Iterable[str]) -> dict[str, str]:
    """German noun -> "m", "f" or "n", for nouns whose articles agree in three of four cases."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        for article, noun in _PHRASE.findall(sentence):
            if noun[0].isupper():
                gender, weight = _ARTICLES[article.lower()]
                seen[noun][gender] += weight
    genders = {}
    for noun, counts in seen.items():
        gender, most = counts.most_common(1)[0]
        if most >= _LEAST and most >= 0.75 * counts.total():
            genders[noun] = gender
    return genders


def natural_link(pair: Pair, genders: dict[str, str]) -> CoreferencePair | None:
    """Where "it" and its German pronoun stand, or None when the pair does not qualify.

    Which noun is meant is not looked for: `antecedent` is None.
    """
    its = list(_IT.finditer(pair.source))
    if len(its) != 1 or _OTHER_PERSONS.search(pair.source):
        return None
    pronouns = list(_PRONOUN.finditer(pair.target))
    if len(pronouns) != 1 or pronouns[0][0].lower() not in _GENDERED:
        return None
    word = pronouns[0][0]
    if word == "Sie" and re.search(r"\byou", pair.source, re.IGNORECASE):
        return None
    gender, case = _GENDERED[word.lower()]
    before = pair.target[: pronouns[0].start()]
    if not any(genders.get(noun) == gender for noun in GERMAN_NOUN.findall(before)):
        return None
    return CoreferencePair(
        pair.source, pair.target, "natural", 1, its[0].span(), None, None, pronouns[0].span(),
        case or "nom", "only", "", "",
    )  # fmt: skip


def is_held_out(source: str) -> bool:
    """Whether a natural sentence belongs to the development set: one in seven, by its words."""
    words = " ".join(re.findall(r"\w+", source.lower()))
    return digest(words) % 100 < HELD_OUT_PERCENT


def mark_natural(
    pairs: Sequence[Pair], genders: dict[str, str]
) -> tuple[list[Pair], list[CoreferencePair]]:
    """All pairs with the links of the natural ones set, and the natural ones held out of them.

    An English sentence is held out with all its translations when it has a gendered pronoun.
    """
    links = [natural_link(pair, genders) for pair in pairs]
    held_out = {
        pair.source
        for pair, link in zip(pairs, links, strict=True)
        if link and is_held_out(pair.source) and link.right_form != "es"
    }
    kept, apart = [], {}
    for pair, link in zip(pairs, links, strict=True):
        if pair.source not in held_out:
            kept.append(replace(pair, link=link) if link else pair)
        elif link and link.right_form != "es":
            apart.setdefault(pair.source, link)
    return kept, list(apart.values())


def split_natural(
    sets: dict[str, list[Pair]],
) -> tuple[dict[str, list[Pair]], list[CoreferencePair]]:
    """The sets as `with_natural` gives them, and the sentences it keeps out of them, each once."""
    genders = noun_genders(pair.target for pairs in sets.values() for pair in pairs)
    marked, held_out = {}, {}
    for name, pairs in sets.items():
        marked[name], links = mark_natural(pairs, genders)
        for link in links:
            held_out.setdefault(link.source, link)
    again = [
        pair
        for pairs in marked.values()
        for pair in pairs
        if pair.link and pair.link.right_form != "es"
    ]
    return marked | {"natural": again}, list(held_out.values())


def with_natural(sets: dict[str, list[Pair]]) -> dict[str, list[Pair]]:
    """The sets with their natural links, and "natural": again the pairs whose pronoun is not "es".

    Sentences of the development set are in none of them.
    """
    return split_natural(sets)[0]


def natural_links(pairs: Iterable[Pair], genders: dict[str, str]) -> list[CoreferencePair]:
    """The natural sentences among `pairs`, with any pronoun, "es" too, each source once."""
    links = {pair.source: natural_link(pair, genders) for pair in pairs}
    return [link for link in links.values() if link]


def verbatim_in(links: Sequence[CoreferencePair], pairs: Iterable[Pair]) -> list[bool]:
    """Which links stand among `pairs` to the letter, source and target."""
    letters = {(pair.source, pair.target) for pair in pairs}
    return [(link.source, link.target) in letters for link in links]


def nearly_in(links: Sequence[CoreferencePair], pairs: Iterable[Pair]) -> list[bool]:
    """Which links have a source that shares seven of ten of all words with one of `pairs`.

    Seven of ten of the words of both together (Jaccard 1912); so one that is the same is near.
    """
    sources = {_words_of(pair.source) for pair in pairs}
    return [
        any(len(words & other) >= _NEAR * len(words | other) for other in sources)
        for words in (_words_of(link.source) for link in links)
    ]


def _words_of(source: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", source.lower()))
