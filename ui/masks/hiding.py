"""What is put to the test of a pronoun: the words to hide from it, and the places from which."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import streamlit as st

from core.changes import MaskedCell
from core.intervention import UNREAD, Intervention, hide, hiding_places
from core.measures import pair_weights, strongest_head
from ui.kit.controls import choice, several
from ui.masks.choices import Choice, Word, choice_at, site_between, token_menu, word_at
from ui.panels import guided_heads, head_in
from ui.state import Run
from ui.words import head_at, say
from words.packs import Example

NONE = "none"
# The keys of the menus, which stand in addresses.
MENUS = {
    "pronoun": "test_it",
    "antecedent": "test_noun",
    "antecedent_phrase": "test_phrase",
    "other": "test_other",
    "other_phrase": "test_other_phrase",
    "control": "test_control",
}
ROLES = tuple(MENUS)[1:]
PLACES = (
    "encoder_from_it_best",
    "encoder_from_it_others",
    "encoder_from_it_guided",
    "encoder_from_it",
    "cross_from_pronoun_best",
    "cross_from_pronoun",
    "it_and_pronoun",
    "cross",
    "encoder",
    "both",
    UNREAD,
)
"""From the narrowest to the widest."""
# Words other than the noun and its phrase are hidden from these alone: a run costs a search.
COMPARED = ("encoder_from_it", "cross_from_pronoun", "cross", "encoder", "both", UNREAD)
Cell = tuple[str, int | None, int | None, int]
"""A site's name, layer, head (None for all) and query."""


@dataclass(frozen=True)
class Setting:
    pronoun: Word
    hidden: dict[str, Word]  # by role, as in `ROLES`; of a phrase one `Word` of all its positions
    choice: Choice  # what could be written in the pronoun's place


def choose(run: Run, words: Sequence[Word]) -> Setting | None:
    """The words to test, those of a known example at first; None until there is one to hide."""
    labels = {word.label: word for word in words}
    example = run.example or Example("", "")
    pronoun = word_at(words, example.pronoun or run.pack.pronoun)
    noun, other = word_at(words, example.antecedent), word_at(words, example.other)
    opening = {"pronoun": pronoun, "antecedent": noun, "other": other}
    opening["control"] = control_word(words, pronoun, noun, other)
    found: dict[str, Word | None] = {}
    with st.container(horizontal=True):
        for role, word in opening.items():
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
    for of in ("antecedent", "other"):
        found[f"{of}_phrase"] = _phrase_menu(run, words, f"{of}_phrase", found[of])
    hidden = {role: word for role in ROLES if (word := found[role]) is not None}
    return Setting(pronoun, hidden, choice_at(run, row))


def _phrase_menu(run: Run, words: Sequence[Word], role: str, noun: Word | None) -> Word | None:
    if noun is None:
        return None
    chosen = several(
        MENUS[role],
        [word.label for word in words],
        [word.label for word in phrase_of(words, noun, run.pack.determiners)],
        words=f"masks-pronoun-menu-{role}",
        placeholder=say("masks-none"),
        help=say("masks-pronoun-menu-phrase-help"),
        of=(run.identity, noun),
    )
    phrase = joined([word for word in words if word.label in chosen])
    return None if phrase is None or phrase.positions == noun.positions else phrase


def phrase_of(words: Sequence[Word], noun: Word, determiners: Collection[str]) -> tuple[Word, ...]:
    """The noun with the word before it if that is a determiner."""
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


@dataclass(frozen=True)
class Place:
    """A place from which a word can be hidden: one of `PLACES`, in words, and its cells; without
    cells all queries of a side."""

    name: str
    label: str
    cells: Sequence[Cell] = ()

    def change(self, word: Word) -> Intervention:
        if not self.cells:
            return hide(*word.positions, where=self.name)
        return Intervention(
            *(MaskedCell(*cell, key) for cell in self.cells for key in word.positions)
        )


@dataclass(frozen=True)
class Hiding:
    """A word hidden from a place, and what the word is in the riddle."""

    role: str
    word: Word
    place: Place

    @property
    def key(self) -> tuple[str, str]:
        return self.role, self.place.name


def places_for(run: Run, setting: Setting) -> tuple[Place, ...]:
    """Every place of this sentence that the model has, in the order of `PLACES`."""
    source, across = site_between(run, "source", "source"), site_between(run, "target", "source")
    if "change-mask" not in run.capabilities:
        source = across = None
    noun = setting.hidden.get("antecedent", next(iter(setting.hidden.values())))
    row, its = setting.choice.position, setting.pronoun.positions

    def named(name: str, cells: Sequence[Cell] = (), *, words: str = "", head: str = "") -> Place:
        told = {"pronoun": setting.pronoun.text, "written": setting.choice.labels[0]}
        return Place(name, say(f"masks-pronoun-place-{words or name}", head=head, **told), cells)

    def from_pronoun(head: Sequence[int | None] = (None, None)) -> list[Cell]:
        return [(source, *head, query) for query in its]

    places = []
    if source:
        best, guided = _best_head(run, source, its, noun), _guided_head(run, source)
        heads = {"encoder_from_it_best": [best]}
        others = [(best[0], head) for head in range(run.record.of(source).n_heads)]
        others.remove(best)
        if others:
            heads["encoder_from_it_others"] = others
        if guided not in (None, best):
            heads["encoder_from_it_guided"] = [guided]
        for name, tried in heads.items():
            words = "encoder_from_it_guided" if tried == [guided] else name
            cells = [cell for head in tried for cell in from_pronoun(head)]
            told = best if name == "encoder_from_it_others" else tried[0]
            places.append(named(name, cells, words=words, head=head_at(source, *told)))
        places.append(named("encoder_from_it", from_pronoun()))
    if across:
        best, whole = _best_head(run, across, (row,), noun), (across, None, None, row)
        if run.record.of(across).weights[:, :, 0, 0].size > 1:
            cells = [(across, *best, row)]
            places.append(named("cross_from_pronoun_best", cells, head=head_at(across, *best)))
        places.append(named("cross_from_pronoun", [whole]))
        if source:
            places.append(named("it_and_pronoun", [*from_pronoun(), whole]))
    there = hiding_places(run.record.sites, run.capabilities)
    return (*places, *(named(name) for name in PLACES if name in there))


def _best_head(run: Run, site: str, rows: tuple[int, ...], noun: Word) -> tuple[int, int]:
    return strongest_head(pair_weights(run.record.of(site), rows, noun.positions))


def _guided_head(run: Run, site: str) -> tuple[int, int] | None:
    guided = guided_heads(run.card, run.record.sites[0].name).get(site)
    return head_in(run.record.of(site), guided)


def hidings_for(setting: Setting, places: Sequence[Place]) -> list[Hiding]:
    """What is hidden from where: the noun and its phrase from each place, the rest from fewer."""
    fully = [role for role in setting.hidden if role.startswith("antecedent")]
    return [
        Hiding(role, word, place)
        for role, word in setting.hidden.items()
        for place in places
        if not fully or role in fully or place.name in COMPARED
    ]
