"""Find sentences by people whose "it" stands for a noun, by the German grammar.

Genders are read off the articles of the German training side. A pair counts as natural if its only
pronoun is "it", written as er, ihn or sie (or es), and a noun of that gender stands before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from .german_nouns import GERMAN_NOUN, noun_genders
from .sentences import digest
from .text_pairs import CoreferencePair, TextPair

_OTHER_PERSONS = re.compile(
    r"\b(he|him|his|himself|she|her|hers|herself|they|them|their|theirs|its|itself|these|those)\b",
    re.IGNORECASE,
)
_IT = re.compile(r"\bit\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(er|ihn|ihm|ihr|ihnen|sie|es)\b", re.IGNORECASE)
_GENDERED = {"er": ("m", "nom"), "ihn": ("m", "acc"), "sie": ("f", ""), "es": ("n", "")}
# Jaccard similarity from which two sentences count as nearly the same.
_NEAR = 0.7
HELD_OUT_PERCENT = 15


def natural_link(pair: TextPair, genders: dict[str, str]) -> CoreferencePair | None:
    """Return a pair with the spans of "it" and its German pronoun, or None if it does not qualify.

    Which noun is meant is not determined: `antecedent` is None.
    """
    its = list(_IT.finditer(pair.source))
    if len(its) != 1 or _OTHER_PERSONS.search(pair.source):
        return None
    pronouns = list(_PRONOUN.finditer(pair.target))
    if len(pronouns) != 1 or pronouns[0][0].lower() not in _GENDERED:
        return None
    word = pronouns[0][0]
    # "Sie" for "you" is the polite form and refers to no noun.
    if word == "Sie" and re.search(r"\byou", pair.source, re.IGNORECASE):
        return None
    gender, case = _GENDERED[word.lower()]
    before = pair.target[: pronouns[0].start()]
    if not any(genders.get(noun) == gender for noun in GERMAN_NOUN.findall(before)):
        return None
    return CoreferencePair(
        source=pair.source,
        target=pair.target,
        frame="natural",
        n_nouns=1,
        pronoun=its[0].span(),
        antecedent=None,
        distractor=None,
        target_pronoun=pronouns[0].span(),
        case=case or "nom",
        half="only",
    )


def is_held_out(source: str) -> bool:
    """Return True if a natural sentence is in the development set, as about one in seven is."""
    words = " ".join(re.findall(r"\w+", source.lower()))
    return digest(words) % 100 < HELD_OUT_PERCENT


def mark_natural(
    pairs: Sequence[TextPair], genders: dict[str, str]
) -> tuple[list[TextPair], list[CoreferencePair]]:
    """Set the links of natural pairs, and return those that are held out separately.

    An English sentence with a gendered pronoun is held out with all its translations.
    """
    links = [natural_link(pair, genders) for pair in pairs]
    held_out = {
        pair.source
        for pair, link in zip(pairs, links, strict=True)
        # "es" proves nothing: it is right for any neuter noun, and for no noun at all.
        if link and is_held_out(pair.source) and link.right_form != "es"
    }
    kept: list[TextPair] = []
    apart: dict[str, CoreferencePair] = {}
    for pair, link in zip(pairs, links, strict=True):
        if pair.source not in held_out:
            kept.append(replace(pair, link=link) if link else pair)
        elif link and link.right_form != "es":
            apart.setdefault(pair.source, link)
    return kept, list(apart.values())


def split_natural(
    sets: dict[str, list[TextPair]],
) -> tuple[dict[str, list[TextPair]], list[CoreferencePair]]:
    """Return the sets as `with_natural` does, and the sentences held out of them, each once."""
    genders = noun_genders(pair.target for pairs in sets.values() for pair in pairs)
    marked: dict[str, list[TextPair]] = {}
    held_out: dict[str, CoreferencePair] = {}
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


def with_natural(sets: dict[str, list[TextPair]]) -> dict[str, list[TextPair]]:
    """Return the sets with natural links, and "natural": the pairs again whose pronoun is not "es".

    Sentences of the development set are in none of them.
    """
    return split_natural(sets)[0]


def natural_links(pairs: Iterable[TextPair], genders: dict[str, str]) -> list[CoreferencePair]:
    """Return the natural sentences among `pairs`, "es" included, each source once."""
    links = {pair.source: natural_link(pair, genders) for pair in pairs}
    return [link for link in links.values() if link]


def verbatim_in(links: Sequence[CoreferencePair], pairs: Iterable[TextPair]) -> list[bool]:
    """Return for each link if source and target stand together among `pairs`, to the letter."""
    letters = {(pair.source, pair.target) for pair in pairs}
    return [(link.source, link.target) in letters for link in links]


def nearly_in(links: Sequence[CoreferencePair], pairs: Iterable[TextPair]) -> list[bool]:
    """Return for each link if a source of `pairs` shares seven in ten of all its words.

    Seven in ten of the words of both together (Jaccard 1912); an identical source is near, too.
    """
    sources = {_words_of(pair.source) for pair in pairs}
    return [
        any(len(words & other) >= _NEAR * len(words | other) for other in sources)
        for words in (_words_of(link.source) for link in links)
    ]


def _words_of(source: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", source.lower()))
