"""Links of generated pairs by hand, and over many pairs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from training.coreference import CoreferencePair, canonical_pairs, generate_held_out
from training.pointing import word_links
from training.rendering import GRAMMAR


def linked(pair: CoreferencePair) -> list[tuple[str, str, str]]:
    return [
        (link.kind, pair.source[slice(*link.source)], pair.target[slice(*link.target)])
        for link in word_links(pair)
    ]


@pytest.fixture(scope="module")
def held_out() -> list[CoreferencePair]:
    return generate_held_out(200, seed=7)


def test_links_of_the_classic_sentence():
    tired, wide = canonical_pairs()
    assert linked(tired) == [
        ("noun", "animal", "Tier"),
        ("noun", "street", "Straße"),
        ("adjective", "tired", "müde"),
    ]
    assert linked(wide)[2] == ("adjective", "wide", "breit")


def example(source: str, target: str, antecedent: str, distractor: str) -> CoreferencePair:
    def at(word: str) -> tuple[int, int]:
        start = source.index(word)
        return start, start + len(word)

    return replace(
        canonical_pairs()[0],
        source=source,
        target=target,
        antecedent=at(antecedent),
        distractor=at(distractor),
    )


def test_modifier_and_person_are_linked():
    pair = example(
        "My brother could not put the black ball into the bag because it was too big.",
        "Mein Bruder konnte den schwarzen Ball nicht in die Tasche legen, weil er zu groß war.",
        "ball",
        "bag",
    )
    assert linked(pair) == [
        ("person", "brother", "Bruder"),
        ("modifier", "black", "schwarzen"),
        ("noun", "ball", "Ball"),
        ("noun", "bag", "Tasche"),
        ("adjective", "big", "groß"),
    ]


def test_an_adjective_that_stands_twice_is_left_out():
    pair = example(
        "The dog was old, so it saw the old bear.",
        "Der Hund war alt, deshalb sah er den alten Bären und war alt.",
        "dog",
        "bear",
    )
    assert linked(pair) == [("noun", "dog", "Hund"), ("noun", "bear", "Bären")]


def test_every_noun_of_the_grammar_is_linked_to_its_counterpart(held_out):
    for pair in held_out:
        nouns = [entry[1:] for entry in linked(pair) if entry[0] == "noun"]
        assert len(nouns) == 2
        for english, german in nouns:
            noun = GRAMMAR.nouns[english.lower()]
            assert german in (noun.german, noun.oblique)


def test_no_word_is_linked_twice(held_out):
    for pair in held_out:
        links = word_links(pair)
        assert max(Counter(link.source for link in links).values()) == 1
        assert max(Counter(link.target for link in links).values()) == 1


def test_most_pairs_have_more_than_their_nouns(held_out):
    kinds = Counter(link.kind for pair in held_out for link in word_links(pair))
    assert kinds["noun"] == 2 * len(held_out)
    assert kinds["adjective"] > len(held_out) / 2
    assert kinds["modifier"] > 0 < kinds["person"]
