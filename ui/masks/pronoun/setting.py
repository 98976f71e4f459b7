"""What is put to the test: the pronoun, the words to hide from it, and what could stand instead."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import streamlit as st

from ui.kit.controls import choice, several
from ui.masks.choices import (
    Choice,
    Word,
    choice_at,
    token_menu,
    word_at,
)
from ui.state import Run
from ui.words import say
from words.packs import Example

NONE = "none"
ROLES = ("antecedent", "antecedent_phrase", "other", "other_phrase", "control")
PHRASES = {"antecedent_phrase": "antecedent", "other_phrase": "other"}
# The keys of the menus, which stand in addresses.
MENUS = {
    "pronoun": "test_it",
    "antecedent": "test_noun",
    "other": "test_other",
    "control": "test_control",
    "antecedent_phrase": "test_phrase",
    "other_phrase": "test_other_phrase",
}


@dataclass(frozen=True)
class Setting:
    """What is put to the test."""

    pronoun: Word
    hidden: dict[str, Word]  # by role, as in `ROLES`; of a phrase one `Word` of all its positions
    choice: Choice  # what could be written in the pronoun's place


def choose(run: Run, words: Sequence[Word]) -> Setting | None:
    """The words to test, those of a known example at first; None until there is one to hide."""
    labels = {word.label: word for word in words}
    found: dict[str, Word | None] = {}
    with st.container(horizontal=True):
        for role, word in _opening_words(run, words).items():
            label = choice(
                MENUS[role],
                (NONE, *labels),
                words=f"masks-pronoun-menu-{role}",
                style="select",
                default=word.label if word else NONE,
                text=lambda label: say("masks-none") if label == NONE else label,
                filter_mode="fuzzy",
                width=150,
                of=run.identity,
            )
            found[role] = labels.get(label)
        row = token_menu(run, "test_row", "masks-pronoun-menu-written", width=150)
    pronoun = found.pop("pronoun")
    if pronoun is None or not any(found.values()):
        return None
    found |= {role: _choose_phrase(run, words, role, found[of]) for role, of in PHRASES.items()}
    hidden = {role: word for role in ROLES if (word := found[role]) is not None}
    return Setting(pronoun, hidden, choice_at(run, row))


def _opening_words(run: Run, words: Sequence[Word]) -> dict[str, Word | None]:
    example = run.example or Example("", "")
    pronoun = word_at(words, example.pronoun or run.pack.pronoun)
    noun, other = word_at(words, example.antecedent), word_at(words, example.other)
    control = control_word(words, pronoun, noun, other)
    return {"pronoun": pronoun, "antecedent": noun, "other": other, "control": control}


def _choose_phrase(run: Run, words: Sequence[Word], role: str, noun: Word | None) -> Word | None:
    key = MENUS[role]
    if noun is None:
        return None
    chosen = several(
        key,
        [word.label for word in words],
        [word.label for word in phrase_of(words, noun, run.pack.determiners)],
        words=f"masks-pronoun-menu-{role}",
        placeholder=say("masks-none"),
        help=say("masks-pronoun-menu-phrase-help"),
        of=(run.identity, noun),
    )
    phrase = joined([word for word in words if word.label in chosen])
    return None if phrase is None or phrase.positions == noun.positions else phrase


def phrase_of(
    words: Sequence[Word], noun: Word | None, determiners: Collection[str]
) -> tuple[Word, ...]:
    """The noun with the word before it if that is a determiner."""
    if noun is None:
        return ()
    place = list(words).index(noun)
    before = words[place - 1 : place] if place else ()
    return (*(word for word in before if word.text.lower() in determiners), noun)


def joined(words: Sequence[Word]) -> Word | None:
    """Words as one, in the order of the sentence, "…" where others stand between; None of none."""
    if not words:
        return None
    text, last = "", -1
    for word in words:
        between = "" if not text else " " if word.positions[0] == last + 1 else " … "
        text, last = text + between + word.text, word.positions[-1]
    positions = tuple(position for word in words for position in word.positions)
    return Word(positions, text, text)


def control_word(
    words: Sequence[Word], pronoun: Word | None, noun: Word | None, other: Word | None
) -> Word | None:
    """The nearest word before the pronoun with as many pieces as the noun, neither noun itself."""
    if pronoun is None or noun is None:
        return None
    taken = {word.positions for word in (pronoun, noun, other) if word}
    before = [
        word
        for word in words
        if word.positions not in taken
        and len(word.positions) == len(noun.positions)
        and word.positions < pronoun.positions
        and word.text[:1].isalnum()
    ]
    return before[-1] if before else None
