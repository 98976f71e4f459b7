"""Pronoun, antecedent and other nouns of a sentence, and the effect of hiding them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from words.packs import ExampleSentence

from .records.sources import TokenSequence
from .records.tokens import token_label
from .weights.groups import is_special, word_groups


@dataclass(frozen=True)
class Word:
    """Word of the source: its positions, and a label with its number, from 1."""

    positions: tuple[int, ...]
    text: str
    label: str


@lru_cache(maxsize=256)
def words_of(src: TokenSequence) -> tuple[Word, ...]:
    """Return the words of the sentence, special tokens left out."""
    special = is_special(src.tokens)
    groups = [
        (number, group, token_label("".join(src.tokens[i] for i in group)))
        for number, group in enumerate(word_groups(src), start=1)
        if not all(special[i] for i in group)
    ]
    return tuple(Word(group, text, f"{number} · {text}") for number, group, text in groups)


def word_at(words: Sequence[Word], text: str) -> Word | None:
    """Return the first word of that text, ignoring case, or None."""
    return next((word for word in words if text and word.text.lower() == text.lower()), None)


def phrase_of(words: Sequence[Word], noun: Word, determiners: Collection[str]) -> tuple[Word, ...]:
    """Return the noun with its determiner and an adjective between them.

    The noun alone if it has no determiner.
    """
    end = list(words).index(noun)
    for begin in (end - 1, end - 2):
        phrase = tuple(words[begin : end + 1]) if begin >= 0 else (noun,)
        is_of_words = all(word.text[:1].isalnum() for word in phrase)
        if is_of_words and phrase[0].text.lower() in determiners:
            return phrase
    return (noun,)


def control_word(
    words: Sequence[Word],
    pronoun: Word | None,
    noun: Word | None,
    other: Word | None,
    determiners: Collection[str],
) -> Word | None:
    """Return the nearest word before the pronoun with as many pieces as the noun.

    Words of both noun phrases are left out. A word after the pronoun is no control: it is usually
    the one that decides the antecedent ("too tired").
    """
    if pronoun is None or noun is None:
        return None
    phrases = [phrase_of(words, head, determiners) for head in (noun, other) if head]
    taken = {word.positions for phrase in phrases for word in phrase}
    before = [
        word
        for word in words
        if word.positions not in taken
        and len(word.positions) == len(noun.positions)
        and word.positions < pronoun.positions
        and word.text[:1].isalnum()
    ]
    return before[-1] if before else None


def coreference_words(
    words: Sequence[Word], example: ExampleSentence, determiners: Collection[str]
) -> dict[str, Word]:
    """Return the words to hide in a coreference test, as far as the sentence has them.

    Keys are "antecedent", "other" (the noun it might be mistaken for) and "control".
    """
    pronoun = word_at(words, example.pronoun)
    noun = word_at(words, example.antecedent)
    if pronoun is None or noun is None:
        return {}
    other = word_at(words, example.other)
    control = control_word(words, pronoun, noun, other, determiners)
    by_role = {"antecedent": noun, "other": other, "control": control}
    return {role: word for role, word in by_role.items() if word is not None}


# -- many held-out sentences: what `interventions.json` and the card hold --------------------


def flip_facts(stored: Mapping[str, Any], where: str, word: str) -> dict[str, Any]:
    """Return how often hiding `word` from `where` flips the forced pronoun.

    Empty if not measured.
    """
    rows = stored.get("pronoun", {}).get("forced", [])
    of_word = (row["all"] for row in rows if (row["where"], row["word"]) == (where, word))
    counts = next(of_word, {"n": 0})
    return {"n": counts["n"], "share": counts["share"]} if counts["n"] else {}


def use_facts(measured: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts on the use of the noun's head for the pronoun; empty if not measured.

    `kind` tells if the head is needed, and if it suffices. It suffices, or the others do without
    it, if nine of ten right pronouns stay right.
    """
    use = measured.get("use")
    if not isinstance(use, dict):
        return {}
    shares = {name: use[name]["value"] for name in ("plain", "without", "alone")}
    least = 0.9 * shares["plain"]
    answers = {(False, True): "shared", (True, True): "needed", (True, False): "part"}
    answer = answers.get((shares["without"] < least, shares["alone"] >= least), "idle")
    head = "encoder", measured["layer"], measured["head"]
    return {"head": head, "n": use["sentences"], "kind": answer, **shares}
